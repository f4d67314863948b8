"""Whatever a bot does wrong, in whatever game and seat: it alone pays, and everybody else gets a result."""

from __future__ import annotations

from typing import Any

import pytest

import engines
import harness
from bots import Bot
from bots.uniform import Uniform
from harness.records import MatchRecord


class Raises(Bot[Any]):
    def act(self, seen: Any) -> int:
        raise RuntimeError("no idea")


class Cheats(Bot[Any]):
    def act(self, seen: Any) -> int:
        return next(move for move in range(100_000) if move not in seen.moves)


class Mumbles(Bot[Any]):
    def act(self, seen: Any) -> int:
        return "the first one"  # type: ignore[return-value]  # that is its fault


class Refuses(Bot[Any]):
    def __init__(self, game: Any, seat: int, rng: Any) -> None:
        raise RuntimeError("not today")

    def act(self, seen: Any) -> int:
        raise AssertionError("it never started")


KINDS = {Raises: "exception", Cheats: "illegal", Mumbles: "wrong_type", Refuses: "start"}


def played(name: str, kind: type[Bot[Any]], seat: int, **rules: Any) -> MatchRecord:
    game = engines.load(name, **rules)
    bots: list[type[Bot[Any]]] = [Uniform] * game.seats
    bots[seat] = kind
    return harness.play(game, bots, luck=5)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("name", engines.available())
def test_the_offender_alone_is_last_and_the_others_have_what_they_earned(
    name: str, kind: type[Bot[Any]]
) -> None:
    game = engines.load(name)
    lost, won = game.stakes
    for seat in range(game.seats):
        record = played(name, kind, seat)
        if not record.seats[seat].faults:
            assert record.seats[seat].decisions == 0, "it was never asked"
            continue
        home = record.seats[seat]
        others = [one for one in record.seats if one.side != home.side]

        assert record.status == "forfeit"
        assert [fault.kind for fault in home.faults] == [KINDS[kind]]
        assert not any(one.faults for one in record.seats if one is not home)
        assert home.score == lost
        assert all(one.place < home.place for one in others)
        if len(set(game.sides)) == 2:
            assert record.reason is None
            assert {one.score for one in others} == {won}
        else:
            assert record.reason is not None, "a substitute has played on to the end"
