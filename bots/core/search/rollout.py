"""What a leaf of a search tree is worth: a playout, and what each seat makes of its outcome."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Final

from mypy_extensions import i64, mypyc_attr

from engines.core.bits import bit
from engines.core.state import State

if TYPE_CHECKING:
    from engines.core.game import Game, Outcome

WINNING: Final = 0.5
"""How much of a payoff is for the place; the rest is for the score."""


class Payoff:
    """Turns an outcome into one number from 0 to 1 for every seat.

    Half is for the place: the share of the other sides that finished below, a tie counting half. Half is
    for the score, on the scale from what a forfeit gets to the highest score of the game. Partners get
    the same. So a bot wins when it can, and by much where that counts.
    """

    def __init__(self, game: Game[Any, Any], winning: float = WINNING) -> None:
        self.sides: list[int] = list(game.sides)
        self.others: float = float(max(1, len(set(game.sides)) - 1))
        self.lowest: float = float(game.stakes[0])
        self.span: float = max(float(game.highest) - self.lowest, 1e-9)
        self.winning: float = winning

    def rewards(self, outcome: Outcome) -> list[float]:
        """A number for every seat."""
        return self.of(list(outcome.scores))

    def of(self, scores: list[float]) -> list[float]:
        """The same for the scores of an outcome, or of one that might be."""
        sides = self.sides
        found: list[float] = []
        seat: i64 = 0
        count: i64 = len(sides)
        while seat < count:
            mine: float = scores[seat]
            side: i64 = sides[seat]
            below: float = 0.0
            seen: i64 = 0
            other: i64 = 0
            while other < count:
                theirs: i64 = sides[other]
                # A side counts once, by its first seat: partners have the same score.
                first: bool = not seen & bit(theirs)
                seen |= bit(theirs)
                if first and theirs != side:
                    score: float = scores[other]
                    if score < mine:
                        below += 1.0
                    elif score == mine:
                        below += 0.5
                other += 1
            place: float = below / self.others
            found.append(self.winning * place + (1.0 - self.winning) * (mine - self.lowest) / self.span)
            seat += 1
        return found


@mypyc_attr(allow_interpreted_subclasses=True)
class Rollout(ABC):
    """Says what a state is worth to every seat. Subclass it to bring an evaluation of your own."""

    def ended(self, state: State) -> bool:
        """Whether the search looks no further than this state; at the latest where the game is over."""
        return state.seat < 0

    @abstractmethod
    def value(self, state: State, luck: int) -> list[float]:
        """A number from 0 to 1 for every seat; `state` is the callee's to use up, `luck` its only chance."""


class Uniform(Rollout):
    """The default policy: uniformly random moves to the end of the game, then `payoff`."""

    def __init__(self, payoff: Payoff) -> None:
        self.payoff: Payoff = payoff

    def value(self, state: State, luck: int) -> list[float]:
        state.playout(luck)
        return self.payoff.rewards(state.outcome())
