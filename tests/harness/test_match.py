"""A match from its spec to its record: who is asked, what they see, what a fault costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

import engines
import harness
from bots import Bot, Seen
from bots.uniform import Uniform
from engines.core.game import Game
from engines.core.play import replayed
from harness.match import bot_luck, play_match
from harness.players import BotFault, LocalPlayer, ScriptedPlayer
from harness.records import BotRef, Limits, MatchRecord, MatchSpec
from tests.bots import rogues
from tests.bots.rogues import FAULTS, AnyView, Honest

DUEL = engines.load("kozyri-duel", deck="easy")
TEAMS = engines.load("seven-symbols", seats=4)
THREE = engines.load("seven-symbols", seats=3)


def spec_of(game: Game[Any, Any], names: Sequence[str] = (), **changes: Any) -> MatchSpec:
    names = names or [f"bot{seat}" for seat in range(game.seats)]
    spec = MatchSpec(
        id="000001-000001-01",
        game=game.name,
        rules="{}",
        deal=f"{game.name}/0",
        luck=7,
        round=1,
        line_up=1,
        seating=1,
        seats=tuple(BotRef(name, "0" * 12) for name in names),
    )
    return replace(spec, **changes)


def played(game: Game[Any, Any], kinds: Sequence[type[Bot[Any]]], **changes: Any) -> MatchRecord:
    return play_match(spec_of(game, **changes), game, [LocalPlayer(kind) for kind in kinds])


def test_a_record_replays_to_the_recorded_outcome() -> None:
    for game in (DUEL, TEAMS, THREE):
        record = played(game, [Uniform] * game.seats)
        outcome = replayed(game, record.spec.luck, record.moves).outcome()

        assert record.status == "completed"
        assert outcome.reason == record.reason
        assert outcome.scores == tuple(seat.score for seat in record.seats)
        assert outcome.places == tuple(seat.place for seat in record.seats)
        assert len(record.moves) == len(record.move_seats) == len(record.move_cpu_us)


def test_the_same_spec_gives_the_same_match() -> None:
    for game in (DUEL, THREE):
        first, second = (played(game, [Uniform] * game.seats) for _ in range(2))

        assert first.moves == second.moves


def test_a_bots_luck_depends_on_deal_seat_version_and_options_and_not_on_the_match() -> None:
    spec = spec_of(DUEL)
    draws = bot_luck(spec, 0)

    others = spec.seats[0]._replace(name="renamed"), spec.seats[1]._replace(version="f" * 12)
    assert bot_luck(replace(spec, id="000009-000009-09", round=9, line_up=9, seats=others), 0) == draws
    for changed in (
        replace(spec, deal="kozyri-duel/1"),
        replace(spec, seed=1),
        replace(spec, seats=(spec.seats[0]._replace(version="f" * 12), spec.seats[1])),
        replace(spec, seats=(spec.seats[0]._replace(options='{"n":1}'), spec.seats[1])),
    ):
        assert bot_luck(changed, 0) != draws
    assert bot_luck(spec, 1) != draws


def test_a_bot_that_plays_itself_from_both_sides_cancels_exactly() -> None:
    one, two = (played(DUEL, [Uniform, Uniform], seating=seating) for seating in (1, 2))

    assert [seat.score for seat in one.seats] == [seat.score for seat in two.seats]


def test_nobody_is_asked_who_has_one_legal_move() -> None:
    players = [ScriptedPlayer() for _ in range(3)]
    record = play_match(spec_of(THREE), THREE, players)
    asked = sum(len(player.shown) for player in players)

    assert all(len(moves) > 1 for player in players for _, moves, _, _ in player.shown)
    assert asked == sum(seat.decisions for seat in record.seats) < len(record.moves)


def test_news_are_the_public_moves_since_the_seat_was_last_asked() -> None:
    """Own and forced moves are among them, sealed gifts are not; put together they are the history."""

    class Notes(Bot[AnyView]):
        def act(self, seen: Seen[AnyView]) -> int:
            mine = notes.setdefault(self.seat, [])
            mine.extend(seen.news)
            assert list(seen.history) == mine
            return seen.moves[-1]

    notes: dict[int, list[tuple[int, Any]]] = {}
    record = played(THREE, [Notes] * 3)
    public = [
        (seat, move)
        for seat, move in zip(record.move_seats, record.moves, strict=True)
        if THREE.public(THREE.table[move])
    ]

    assert len(public) < len(record.moves)
    for mine in notes.values():
        assert [(seat, int(move)) for seat, move in mine] == public[: len(mine)]
        assert all(move is THREE.table[move] for _, move in mine)
    assert max(len(mine) for mine in notes.values()) > len(public) // 2


def test_a_bot_may_answer_with_a_move_a_plain_int_or_another_librarys_int() -> None:
    import numpy as np

    class Plain(Bot[AnyView]):
        def act(self, seen: Seen[AnyView]) -> int:
            return int(seen.moves[0])

    class Numpy(Bot[AnyView]):
        def act(self, seen: Seen[AnyView]) -> int:
            return np.int64(seen.moves[0])  # type: ignore[return-value]  # as argmax gives it

    records = [played(DUEL, [kind, Honest]) for kind in (Honest, Plain, Numpy)]

    assert len({record.moves for record in records}) == 1
    assert {type(move) for record in records for move in record.moves} == {int}


@pytest.mark.parametrize("rogue", FAULTS, ids=lambda rogue: rogue.__name__)
@pytest.mark.parametrize("seat", [0, 1])
def test_of_two_sides_a_rogue_loses_and_the_match_ends(rogue: type[Bot[Any]], seat: int) -> None:
    kinds: list[type[Bot[Any]]] = [Honest, Honest]
    kinds[seat] = rogue
    record = played(DUEL, kinds)
    (fault,) = record.seats[seat].faults

    assert (record.status, record.reason) == ("forfeit", None)
    assert fault.kind == FAULTS[rogue]
    assert fault.ply == (-1 if fault.kind == "start" else len(record.moves))
    assert (record.seats[seat].score, record.seats[seat].place) == (0.0, 2)
    assert (record.seats[1 - seat].score, record.seats[1 - seat].place) == (1.0, 1)
    assert record.seats[1 - seat].faults == ()
    assert "\n" not in fault.detail
    assert len(fault.detail) < 500


@pytest.mark.parametrize("rogue", FAULTS, ids=lambda rogue: rogue.__name__)
def test_a_rogue_ends_only_its_own_match(rogue: type[Bot[Any]]) -> None:
    before = played(DUEL, [Honest, Uniform])
    played(DUEL, [rogue, Honest])

    assert played(DUEL, [Honest, Uniform]).moves == before.moves


@pytest.mark.parametrize("rogue", FAULTS, ids=lambda rogue: rogue.__name__)
def test_with_more_sides_a_substitute_plays_on_and_the_rogue_is_last(rogue: type[Bot[Any]]) -> None:
    record = played(THREE, [Uniform, rogue, Uniform])
    outcome = replayed(THREE, record.spec.luck, record.moves).outcome()
    offender = record.seats[1]

    assert (record.status, record.reason) == ("forfeit", outcome.reason)
    assert [fault.kind for fault in offender.faults] == [FAULTS[rogue]]
    assert (offender.score, offender.place) == (0.0, 3)
    for seat in (0, 2):
        assert record.seats[seat].score == outcome.scores[seat]
    assert sorted(record.seats[seat].place for seat in (0, 2)) in ([1, 2], [1, 1])


def test_the_substitute_plays_the_same_whenever_the_match_is_played() -> None:
    first, second = (played(THREE, [Uniform, rogues.RaisesLate, Uniform]) for _ in range(2))

    assert first.moves == second.moves


def test_a_team_forfeits_when_one_of_its_seats_does() -> None:
    record = played(TEAMS, [Honest, Honest, rogues.RaisesLate, Honest])

    assert [seat.score for seat in record.seats] == [0.0, TEAMS.stakes[1], 0.0, TEAMS.stakes[1]]
    assert [seat.place for seat in record.seats] == [2, 1, 2, 1]
    assert [bool(seat.faults) for seat in record.seats] == [False, False, True, False]


def test_failures_to_start_are_gathered_from_all_seats_before_the_first_move() -> None:
    record = played(DUEL, [rogues.FailsToStart, rogues.FailsToStart])

    assert record.moves == ()
    assert [seat.faults[0].ply for seat in record.seats] == [-1, -1]
    assert [(seat.score, seat.place) for seat in record.seats] == [(0.0, 1), (0.0, 1)]


def test_when_nobody_is_left_the_match_stops() -> None:
    record = played(THREE, [rogues.FailsToStart] * 3)

    assert (record.status, record.reason, record.moves) == ("forfeit", None, ())
    assert [(seat.score, seat.place) for seat in record.seats] == [(0.0, 1)] * 3


def test_an_illegal_move_is_told_with_what_was_legal() -> None:
    script: list[str | int | BotFault] = ["TAKE"]
    record = play_match(spec_of(DUEL, ["miser", "x"]), DUEL, [ScriptedPlayer(script) for _ in range(2)])
    seat = next(seat for seat, books in enumerate(record.seats) if books.faults)
    legal = [DUEL.table[move].name for move in DUEL.deal(7).moves()]

    name = ["miser", "x"][seat]
    assert record.seats[seat].faults[0].detail == (
        f"bot {name!r} (seat {seat}) played TAKE; legal here: {', '.join(legal)}"
    )


def test_a_long_list_of_legal_moves_is_cut() -> None:
    record = play_match(spec_of(THREE), THREE, [ScriptedPlayer([10**6]) for _ in range(3)])
    detail = record.seats[0].faults[0].detail

    assert "played move 1000000; legal here: GIVE " in detail
    assert detail.endswith(" and 4 more")


def test_an_exception_is_told_in_one_line_with_its_place() -> None:
    record = played(DUEL, [rogues.RaisesAtOnce, rogues.RaisesAtOnce])
    fault = next(seat.faults[0] for seat in record.seats if seat.faults)

    assert "raised KeyError: 'no plan\\nfor this' (rogues.py line " in fault.detail


def test_the_players_own_breakdown_is_nobodys_fault() -> None:
    class Broken(ScriptedPlayer):
        def act(self, *args: Any) -> int:
            raise ConnectionResetError

    with pytest.raises(ConnectionResetError):
        play_match(spec_of(DUEL), DUEL, [Broken(), Broken()])


def test_ctrl_c_comes_through() -> None:
    class Interrupted(Bot[AnyView]):
        def act(self, seen: Seen[AnyView]) -> int:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        played(DUEL, [Interrupted, Interrupted])


def test_everybody_is_told_of_the_end_also_after_anothers_fault() -> None:
    class Told(Honest):
        def end(self, outcome: Any) -> None:
            told.append((self.seat, outcome))

    told: list[tuple[int, Any]] = []
    played(DUEL, [Told, rogues.RaisesAtOnce])
    assert told == [(0, None)]

    told.clear()
    record = played(THREE, [Told, rogues.RaisesAtOnce, Told])
    assert [seat for seat, _ in told] == [0, 2]
    assert told[0][1].scores == tuple(seat.score for seat in record.seats)
    assert told[0][1].places == tuple(seat.place for seat in record.seats)


def test_an_exception_in_end_is_on_record_and_changes_no_result() -> None:
    honest = played(DUEL, [Honest, Honest])
    record = played(DUEL, [rogues.FailsAtTheEnd, Honest])

    assert record.status == "completed"
    assert [seat.score for seat in record.seats] == [seat.score for seat in honest.seats]
    assert record.seats[0].faults[0][:2] == (len(record.moves), "exception")
    assert "in end(): raised RuntimeError: sore loser" in record.seats[0].faults[0].detail


def test_what_a_bot_does_to_the_lists_it_is_shown_changes_nothing() -> None:
    assert played(DUEL, [rogues.Scribbles, Honest]).moves == played(DUEL, [Honest, Honest]).moves


def test_too_much_cpu_for_one_move_is_a_fault_only_where_the_run_sets_a_limit() -> None:
    game = engines.load("kozyri-duel", deck="easy", cap=20)
    free = played(game, [rogues.Burns, rogues.Burns])
    limited = played(game, [rogues.Burns, rogues.Burns], limits=Limits(cpu_ms=10))
    fault = next(seat.faults[0] for seat in limited.seats if seat.faults)

    assert free.status == "completed"
    assert (limited.status, fault.kind, limited.moves) == ("forfeit", "time", ())
    assert fault.detail.endswith("ms of CPU for a move; the limit is 10 ms")


def test_a_bank_is_spent_move_by_move_and_shown_on_the_clock() -> None:
    class Watches(rogues.Burns):
        def act(self, seen: Seen[AnyView]) -> int:
            banks.append(seen.clock.bank)
            return super().act(seen)

    banks: list[float | None] = []
    record = played(DUEL, [Watches, Honest], limits=Limits(bank_ms=120, increment_ms=10))
    (fault,) = record.seats[0].faults

    assert fault.kind == "time"
    assert "in the bank" in fault.detail
    assert banks[0] == 0.12
    assert all(a is not None and b is not None and b < a for a, b in pairwise(banks))
    assert len(banks) == record.seats[0].decisions == 3


def test_a_node_budget_is_shown_on_the_clock() -> None:
    players = [ScriptedPlayer() for _ in range(2)]
    play_match(spec_of(DUEL, limits=Limits(nodes=500)), DUEL, players)

    assert {clock.nodes for player in players for _, _, _, clock in player.shown} == {500}


def test_cpu_is_counted_for_bots_and_not_for_sleep() -> None:
    class Sleeps(Bot[AnyView]):
        def act(self, seen: Seen[AnyView]) -> int:
            import time

            time.sleep(0.02)
            return seen.moves[0]

    game = engines.load("kozyri-duel", deck="easy", cap=10)
    record = played(game, [rogues.Burns, Sleeps])
    burns, sleeps = record.seats

    # The first slow decision of a seat is charged with too little where the machine made it wait before.
    assert burns.cpu_ms >= 45 * (burns.decisions - 1) > 0
    assert sleeps.cpu_ms < 10 * sleeps.decisions
    assert burns.cpu_ms_max <= burns.cpu_ms
    assert sum(record.move_cpu_us) == pytest.approx(
        1000 * (burns.cpu_ms + sleeps.cpu_ms), abs=len(record.moves)
    )


def test_a_bots_own_numbers_are_averaged_over_the_decisions_that_gave_them() -> None:
    class Counts(Bot[AnyView]):
        def act(self, seen: Seen[AnyView]) -> int:
            self.n = getattr(self, "n", 0) + 1
            seen.metric("nodes", self.n)
            if self.n == 1:
                seen.metric("first", 5)
            return seen.moves[0]

    record = played(DUEL, [Counts, Honest])
    decisions = record.seats[0].decisions

    assert record.seats[0].metrics == (("first", 5.0), ("nodes", (decisions + 1) / 2))
    assert record.seats[1].metrics == ()


def test_a_match_with_the_wrong_number_of_players_is_refused() -> None:
    with pytest.raises(ValueError, match="kozyri-duel has 2 seats, got 2 bots and 3 players"):
        play_match(spec_of(DUEL), DUEL, [ScriptedPlayer()] * 3)


def test_play_takes_a_games_name_with_options_and_bots_with_theirs() -> None:
    class Nth(Bot[AnyView]):
        def __init__(self, game: Any, seat: int, rng: Any, n: int = 0) -> None:
            super().__init__(game, seat, rng)
            self.n = n

        def act(self, seen: Seen[AnyView]) -> int:
            return seen.moves[self.n]

    record = harness.play("kozyri-duel", [Nth, (Nth, {"n": -1})], luck=7, options={"deck": "easy"})

    assert record.spec.rules == '{"deck":"easy"}'
    assert [seat.bot.options for seat in record.seats] == ["{}", '{"n":-1}']
    assert record.moves == harness.play(DUEL, [Nth, (Nth, {"n": -1})], luck=7).moves
    assert record.moves != harness.play(DUEL, [(Nth, {"n": -1}), Nth], luck=7).moves


def test_play_seats_one_bot_a_side_where_teams_play() -> None:
    record = harness.play(TEAMS, [Uniform, Honest], luck=7)

    assert [seat.bot.name for seat in record.seats] == ["Uniform", "Honest", "Uniform", "Honest"]
    with pytest.raises(ValueError, match="seven-symbols takes 4 bots or 2, one a side, got 3"):
        harness.play(TEAMS, [Uniform] * 3, luck=7)


def test_play_raises_a_bots_exception_where_that_is_asked_for() -> None:
    with pytest.raises(KeyError):
        harness.play(DUEL, [rogues.RaisesAtOnce] * 2, luck=7, raise_faults=True)
    with pytest.raises(BotFault, match=r"bot 'Illegal' \(seat \d\) played .*; legal here"):
        harness.play(DUEL, [rogues.Illegal] * 2, luck=7, raise_faults=True)


def test_what_a_bot_does_to_its_game_object_touches_nobody_else() -> None:
    before = played(DUEL, [Honest, Honest])

    spoilt = played(DUEL, [rogues.SpoilsTheGame, Honest])

    assert spoilt.moves == before.moves
    assert [seat.side for seat in spoilt.seats] == [0, 1]
    assert played(DUEL, [Honest, Honest]).moves == before.moves
