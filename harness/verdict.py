"""What a match is worth when a side has forfeited."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from engines.core.game import Outcome


class Verdict(NamedTuple):
    """The result as it is recorded, one entry a seat."""

    scores: tuple[float, ...]
    places: tuple[int, ...]


def ends_match(sides: Sequence[int], offenders: Collection[int]) -> bool:
    """Whether the match stops here: of two sides one has forfeited, or no side is left that has not."""
    playing = set(sides)
    return bool(offenders) and (len(playing) == 2 or playing <= set(offenders))


def verdict(
    sides: Sequence[int],
    stakes: tuple[float, float],
    offenders: Collection[int],
    outcome: Outcome | None,
) -> Verdict:
    """Scores and places by the cards and the forfeits.

    `sides` has each seat's side, `stakes` is (forfeited, won by forfeit), `offenders` are sides, `outcome`
    what the cards gave, None where a forfeit ended the match. With more than two sides the offenders
    share the last place and the lowest score; the others keep their scores and their order.
    """
    lost, won = stakes
    count = len(set(sides))
    if not offenders:
        assert outcome is not None, "a match without a forfeit has an outcome"
        return Verdict(outcome.scores, outcome.places)
    if set(sides) <= set(offenders):
        return Verdict((0.0 if count == 2 else lost,) * len(sides), (1,) * len(sides))
    if count == 2:
        return Verdict(
            tuple(lost if side in offenders else won for side in sides),
            tuple(2 if side in offenders else 1 for side in sides),
        )
    assert outcome is not None, "with more than two sides a substitute plays to the end"
    honest = {side: score for side, score in zip(sides, outcome.scores, strict=True) if side not in offenders}
    ranks = {side: 1 + sum(other > score for other in honest.values()) for side, score in honest.items()}
    return Verdict(
        tuple(honest.get(side, lost) for side in sides),
        tuple(ranks.get(side, 1 + len(honest)) for side in sides),
    )
