"""Code 777: two to five players, each sees all racks but the own. The rules are in RULES.md."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar

from engines.code777.code777_state import Code777State
from engines.code777.knowledge import view_of
from engines.code777.moves import Kind, Move, table
from engines.code777.options import Setup
from engines.code777.position import write_state, write_view
from engines.code777.questions import TEXTS
from engines.code777.reading import read_state
from engines.code777.sampling import sampled
from engines.code777.view import Code777View
from engines.code777.view_json import Code777ViewJson
from engines.core.chance import checked_luck
from engines.core.game import Game
from engines.core.game import Move as CoreMove
from engines.core.position import envelope, open_envelope
from engines.core.rules import Rules, option


@dataclass(frozen=True)
class Code777Rules(Rules):
    """Options of Code 777."""

    seats: int = option(4, "players; there are always at least four racks", choices=(4, 2, 3, 5))
    refresh: int = option(
        1,
        "tiles out of play come back when the draw pile has so many or fewer (CO-16); 0: when it is empty",
        choices=(1, 0, 4, 7),
    )
    target: int = option(3, "right announcements that win (CO-17)", least=1)
    colours: bool = option(
        default=False, doc="announcements name tiles, not only numbers (A58)", choices=(False, True)
    )
    q2: str = option(
        "LE", "question 2 counts sums of 12 or less (LE), or 12 or more (GE) (A49)", choices=("LE", "GE")
    )
    pre_window: bool = option(
        default=False, doc="a window for announcements before the first question (A51)", choices=(False, True)
    )
    payoff: str = option(
        "points",
        "scores are the points, or 1 for the winner, shared at the cap (CO-18)",
        choices=("points", "winner"),
    )
    max_questions: int = option(460, "the game ends after the window of this question (CO-17)", least=1)


class Code777(Game[Code777State, Code777View]):
    """A race to deduce one's own three tiles from what others say they see."""

    name: ClassVar[str] = "code777"
    rules_type: ClassVar[type[Rules]] = Code777Rules
    view_json: ClassVar[type] = Code777ViewJson

    def __init__(self, rules: Code777Rules) -> None:
        super().__init__(rules)
        self.seats = rules.seats
        self.sides = tuple(range(rules.seats))
        moves = table(colours=rules.colours, racks=rules.seats == 2)
        self.table: tuple[Move, ...] = moves.moves
        self.stakes = (0.0, 1.0 if rules.payoff == "winner" else float(rules.target))
        self.setup = Setup(
            rules.seats,
            rules.refresh,
            rules.target,
            rules.colours,
            rules.q2 == "GE",
            rules.pre_window,
            rules.payoff == "winner",
            rules.max_questions,
            moves.names,
        )

    def deal(self, luck: int) -> Code777State:
        luck = checked_luck(luck)
        state = Code777State(self.setup, luck)
        state.start()
        return state

    def view(self, state: Code777State, seat: int) -> Code777View:
        return view_of(state, seat)

    def sample(self, view: Code777View, rng: Random) -> Code777State:
        """A state with this view, in proportion to its chance given all that the view proves."""
        return sampled(self.setup, view, rng)

    def position(self, state: Code777State) -> dict[str, Any]:
        return envelope(self, write_state(state))

    def from_position(self, data: Mapping[str, Any]) -> Code777State:
        return read_state(self.setup, open_envelope(self, data))

    def view_position(self, view: Code777View) -> dict[str, Any]:
        return write_view(view, self.setup.names)

    def public(self, move: CoreMove) -> bool:
        """Choices in a window are sealed; the log tells announcements once they are settled (CO-9)."""
        return self.table[move].kind is Kind.RACK

    @property
    def legend(self) -> Mapping[str, str]:
        """What each question asks."""
        return {f"question {number}": text for number, text in enumerate(TEXTS) if number}
