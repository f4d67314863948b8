"""A stored match is played again from its moves, and its stored result is checked against them."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

import harness
from bots import Bot, Seen
from bots.uniform import Uniform
from engines.core.game import Move, Outcome, View
from harness.analysis.replaying import WrongRecord, game_of, offenders, steps
from harness.records import MatchRecord


class Cheat(Bot[View[Move]]):
    """Plays a move that is not there, the third time it is asked."""

    asked = 0

    def act(self, seen: Seen[View[Move]]) -> int:
        self.asked += 1
        return 9999 if self.asked == 3 else seen.moves[0]


class SoreLoser(Bot[View[Move]]):
    """Fails when it hears the outcome."""

    def act(self, seen: Seen[View[Move]]) -> int:
        return seen.moves[-1]

    def end(self, outcome: Outcome | None) -> None:
        raise RuntimeError("unfair")


def replayed(record: MatchRecord) -> int:
    """How many moves a replay has; raises WrongRecord."""
    return sum(1 for _ in steps(record, game_of(record)))


@pytest.mark.parametrize("luck", range(5))
@pytest.mark.parametrize(
    ("game", "options", "seats"),
    [
        ("kozyri-duel", {"deck": "easy"}, [Uniform, Uniform]),
        ("kozyri-duel", {"deck": "easy"}, [Uniform, Cheat]),
        ("kozyri-duel", {"deck": "easy"}, [Cheat, Cheat]),
        ("kozyri-duel", {"deck": "easy"}, [SoreLoser, Uniform]),
        ("seven-symbols", {"deals": 1}, [Uniform, Cheat]),
        ("seven-symbols", {"seats": 3, "deals": 1}, [Uniform, Cheat, SoreLoser]),
        ("seven-symbols", {"seats": 3, "deals": 1}, [Cheat, Cheat, Cheat]),
    ],
)
def test_every_record_replays_to_its_result(
    game: str, options: dict[str, Any], seats: list[type[Bot[Any]]], luck: int
) -> None:
    record = harness.play(game, seats, luck=luck, options=options)

    assert replayed(record) == len(record.moves)


def test_the_offender_is_who_forfeited_and_not_who_failed_afterwards() -> None:
    seats: list[type[Bot[Any]]] = [Uniform, Cheat, SoreLoser]
    record = harness.play("seven-symbols", seats, luck=1, options={"seats": 3, "deals": 1})

    assert record.seats[2].faults
    assert offenders(record) == {1}


@pytest.fixture
def record() -> MatchRecord:
    """A completed match."""
    return harness.play("kozyri-duel", [Uniform, Uniform], luck=33, options={"deck": "easy"})


def test_a_changed_move_is_found(record: MatchRecord) -> None:
    unknown = dataclasses.replace(record, moves=(record.moves[-1], *record.moves[1:]))

    with pytest.raises(WrongRecord, match=r"^move [01]: "):
        replayed(unknown)


def test_a_move_too_few_is_found(record: MatchRecord) -> None:
    short = dataclasses.replace(record, moves=record.moves[:-1], move_seats=record.move_seats[:-1])

    with pytest.raises(WrongRecord, match=f"^after {len(short.moves)} moves the game is not over"):
        replayed(short)


def test_a_move_too_many_is_found(record: MatchRecord) -> None:
    long = dataclasses.replace(record, moves=(*record.moves, 0), move_seats=(*record.move_seats, 0))

    with pytest.raises(WrongRecord, match=r"stored for seat 0, but the game is over$"):
        replayed(long)


@pytest.mark.parametrize("change", [{"score": 0.25}, {"place": 2}, {"side": 1}])
def test_a_changed_result_is_found(record: MatchRecord, change: dict[str, Any]) -> None:
    winner = next(n for n, seat in enumerate(record.seats) if seat.place == 1)
    if "side" in change:
        change = {"side": 1 - winner}
    seats = [dataclasses.replace(s, **change) if n == winner else s for n, s in enumerate(record.seats)]

    with pytest.raises(WrongRecord, match=f"^{next(iter(change))}s: stored"):
        replayed(dataclasses.replace(record, seats=tuple(seats)))


def test_a_changed_reason_is_found(record: MatchRecord) -> None:
    with pytest.raises(WrongRecord, match=r"^reason: stored cap, but the moves lead to"):
        replayed(dataclasses.replace(record, reason="cap"))
