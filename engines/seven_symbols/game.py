"""7 Symbols, and 7 Nations: four players in two teams, or three alone. The rules are in RULES.md."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar, Literal

from engines.core.chance import Stream, checked_luck
from engines.core.game import Game
from engines.core.game import Move as CoreMove
from engines.core.position import envelope, open_envelope
from engines.core.rules import Rules, option
from engines.seven_symbols.deal_state import FIRST_LEADER
from engines.seven_symbols.knowledge import view_of
from engines.seven_symbols.moves import MOVES, Kind, Move
from engines.seven_symbols.options import Setup
from engines.seven_symbols.position import write_state, write_view
from engines.seven_symbols.reading import read_state
from engines.seven_symbols.sampling import sampled
from engines.seven_symbols.seven_state import SevenState
from engines.seven_symbols.view import SevenView
from engines.seven_symbols.view_json import SevenViewJson


@dataclass(frozen=True)
class SevenRules(Rules):
    """Options of 7 Symbols."""

    seats: int = option(4, "4: two teams, partners opposite; 3: everybody plays alone", choices=(4, 3))
    scoring: str = option(
        "normal",
        "normal: points by symbols (SY-12, SY-13); simple: 1 point for a deal won (SY-14)",
        choices=("normal", "simple"),
    )
    win_at: int | None = option(
        None,
        "points that end the match (A68); by scoring: 7, where it is simple 2",
        choices=(None,),
        least=1,
        none="by scoring",
    )
    deals: int | Literal["until_won"] = option(
        "until_won",
        "until_won: a race to `win_at`; a number: exactly so many deals, `win_at` ignored",
        choices=("until_won",),
        least=1,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.win_at == self.usual_target:  # one way to write the same rules
            object.__setattr__(self, "win_at", None)

    @property
    def usual_target(self) -> int:
        """The points that end a match unless `win_at` says otherwise."""
        return 2 if self.scoring == "simple" else 7

    @property
    def target(self) -> int:
        """The points that end a match."""
        return self.win_at or self.usual_target


class SevenSymbols(Game[SevenState, SevenView]):
    """Two to ten deals of must-follow tricks for seven symbols, after an exchange of three cards."""

    name: ClassVar[str] = "seven-symbols"
    rules_type: ClassVar[type[Rules]] = SevenRules
    view_json: ClassVar[type] = SevenViewJson

    def __init__(self, rules: SevenRules) -> None:
        super().__init__(rules)
        self.seats = rules.seats
        self.sides = (0, 1, 0, 1) if rules.seats == 4 else (0, 1, 2)
        self.table: tuple[Move, ...] = MOVES
        self.stakes = (0.0, float(rules.target))
        deals = rules.deals if isinstance(rules.deals, int) else 0
        self.setup = Setup(rules.seats, rules.scoring == "simple", rules.target, deals)
        most = 1 if rules.scoring == "simple" else 8
        self._highest = float(most * deals if deals else rules.target - 1 + most)

    @property
    def highest(self) -> float:
        """SY-12, SY-13: a deal gives at most 8 points, one under simple scoring."""
        return self._highest

    def deal(self, luck: int) -> SevenState:
        luck = checked_luck(luck)
        state = SevenState(self.setup, luck)
        state.start_deal(Stream(luck, FIRST_LEADER).below(self.seats))
        return state

    def view(self, state: SevenState, seat: int) -> SevenView:
        return view_of(state, seat)

    def sample(self, view: SevenView, rng: Random) -> SevenState:
        """A state with this view: uniform over the deals and gifts that it allows."""
        return sampled(self.setup, view, rng.getrandbits(53), rng.getrandbits(53))

    def position(self, state: SevenState) -> dict[str, Any]:
        return envelope(self, write_state(state))

    def from_position(self, data: Mapping[str, Any]) -> SevenState:
        return read_state(self.setup, open_envelope(self, data))

    def view_position(self, view: SevenView) -> dict[str, Any]:
        return write_view(view)

    def public(self, move: CoreMove) -> bool:
        """Gifts are sealed until all have given, and then known to giver and receiver only (SY-6)."""
        return MOVES[move].kind is not Kind.GIVE
