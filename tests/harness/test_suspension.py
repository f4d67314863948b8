"""A bot that forfeits too much plays no later rounds, in every format, and nobody else suffers from it."""

from __future__ import annotations

import dataclasses
import itertools
import json
import signal
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from harness import config as configs
from harness import formats, ratings, tournament
from harness import report as reports
from harness.analysis.frames import open_run
from harness.analysis.results import results
from harness.analysis.tables import tables
from harness.conduct import Count, count, suspensions
from harness.config import ConfigError, RunConfig
from harness.executors.base import BatchResult
from harness.format_laws import Trace, check_format, suspended
from harness.formats.core import meetings
from harness.made_up import made_up
from harness.records import Suspend
from harness.run_folder import CannotContinue
from harness.store import open as open_store
from harness.store.conduct import StoredRecords
from tests.harness.format_configs import DUEL, FOUR, GAMES, TEAMS, THREE, config_for
from tests.harness.small_runs import RANDOM, Watch, digest_of, small_config, write_config

LONG: dict[str, dict[str, Any]] = {
    "round_robin": {"deals": 12},
    "gauntlet": {"deals": 16, "challengers": ["b"]},
    "swiss": {"deals": 3, "rounds": 5},
    "knockout": {"deals": 4, "playoffs": 2},
    "ladder": {"rounds": 12, "deals": 2},
    "adaptive": {"deals": 5, "budget": 200, "margin": 0.2},
}
"""Options with which a bot is judged well before the end."""

CRASHER = """
from bots import Bot
class Player(Bot):
    def act(self, seen):
        raise RuntimeError("no idea")
"""


@pytest.fixture(autouse=True)
def short_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fixed schedules have their first round after few matches, so that there are more to come."""
    monkeypatch.setattr(meetings, "FIRST_ROUND", 16)


def judged_early(config: RunConfig) -> RunConfig:
    return dataclasses.replace(config, suspend=Suspend(faults=0.1, after=6))


def held_to_the_laws(config: RunConfig, **faulty: float) -> Trace:
    return check_format(config, made_up(config, faulty=faulty))


def later(trace: Trace, config: RunConfig) -> list[tuple[str, ...]]:
    """Who sits at the tables of all rounds after the last suspension took effect."""
    last = max(stop.round for stop in suspended(config, trace)) + 1
    return [tuple(ref.name for ref in spec.seats) for spec in trace.specs if spec.round > last]


@pytest.mark.parametrize("bots", [3, 6])
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", LONG)
def test_every_format_keeps_its_laws_when_bots_are_suspended(name: str, game: str, bots: int) -> None:
    config = judged_early(config_for(name, GAMES[game], bots, **LONG[name]))
    trace = held_to_the_laws(config, c=1.0)

    assert [stop.bot for stop in suspended(config, trace)] == ["c"]
    assert all("c" not in seats for seats in later(trace, config))


@pytest.mark.parametrize("name", LONG)
def test_a_run_goes_on_sensibly_when_only_one_bot_or_none_is_left(name: str) -> None:
    for faulty in ("bc", "abc"):
        config = judged_early(config_for(name, DUEL, 3, **LONG[name]))
        trace = held_to_the_laws(config, **dict.fromkeys(faulty, 1.0))
        assert len(trace.rounds) <= LONG[name].get("rounds", 12)


def test_a_bot_is_judged_by_whole_rounds_and_not_before_it_has_played_enough() -> None:
    rule = Suspend(faults=0.1, after=20)
    round_of = {1: Count(19, 19), 2: Count(1, 0), 3: Count(80, 0)}

    found = suspensions(rule, {(number, DUEL, "x"): one for number, one in round_of.items()})
    assert [(stop.round, stop.matches, stop.forfeited) for stop in found] == [(2, 20, 19)]
    assert not suspensions(rule, {(1, DUEL, "x"): Count(100, 10)})
    assert suspensions(rule, {(1, DUEL, "x"): Count(100, 11)})
    assert not suspensions(Suspend(faults=1.0), {(1, DUEL, "x"): Count(100, 100)})


def test_the_rest_of_a_round_robin_stays_balanced() -> None:
    config = config_for("round_robin", FOUR, 6, deals=5)
    met = later(held_to_the_laws(config, b=0.5), config)
    games = Counter(name for seats in met for name in seats)
    pairs = Counter(pair for seats in met for pair in itertools.combinations(sorted(seats), 2))

    assert set(games) == set("acdef")
    assert len(set(games.values())) == 1
    assert len(set(pairs.values())) == 1


def test_the_rest_of_a_sample_is_a_sample_in_which_everybody_plays_as_much() -> None:
    config = config_for("round_robin", FOUR, 13, deals=6, line_ups=26)
    trace = held_to_the_laws(config, m=1.0)
    games = Counter(name for seats in later(trace, config) for name in seats)
    numbers = {spec.line_up: frozenset(spec.seats) for spec in trace.specs}

    assert set(games) == set("abcdefghijkl")
    assert len(set(games.values())) == 1
    assert all(numbers[spec.line_up] == frozenset(spec.seats) for spec in trace.specs)


def test_bots_too_few_for_a_table_go_on_in_pairings() -> None:
    config = config_for("round_robin", FOUR, 4, deals=40)
    met = later(held_to_the_laws(config, a=1.0), config)

    assert {frozenset(seats) for seats in met} == {frozenset(pair) for pair in ("bc", "bd", "cd")}


def test_nobody_becomes_a_challenger_because_one_is_suspended() -> None:
    config = judged_early(config_for("gauntlet", DUEL, 5, deals=30))
    trace = held_to_the_laws(config, a=1.0)

    assert {name for spec in trace.specs if spec.round > 2 for name in spec.seats} == set()
    assert all("a" in {ref.name for ref in spec.seats} for spec in trace.specs)


def test_a_swiss_system_gives_byes_where_a_suspended_bot_would_have_been_met() -> None:
    config = config_for("swiss", DUEL, 6, deals=10, rounds=4)
    trace = held_to_the_laws(config, f=1.0)
    summary = formats.summaries(config, itertools.chain.from_iterable(trace.records))[DUEL]
    rows = {row[1]: row[5] for row in summary.rows}

    assert [len({spec.line_up for spec in specs}) for specs in trace.rounds] == [3, 2, 2, 2]
    assert rows["f (suspended)"].count(",") == 0
    assert sum("bye" in met for met in rows.values()) == 3


def test_who_would_have_to_beat_a_suspended_bot_is_through() -> None:
    config = config_for("knockout", DUEL, 4, deals=15)
    strong = {"a": 9.0, "b": 0.0, "c": 1.0, "d": 2.0}
    trace = check_format(config, made_up(config, strong, faulty={"a": 0.3}))
    summary = formats.summaries(config, itertools.chain.from_iterable(trace.records))[DUEL]

    semi = {row[1]: row[4] for row in summary.rows if row[0] == "semi-final"}
    assert semi["a (1, suspended)"] == "a"
    assert summary.title == "Knock-out won by c"
    assert not [row for row in summary.rows if row[0] == "final"]


def test_the_order_of_an_adaptive_run_leaves_gifts_of_a_suspended_bot_aside() -> None:
    config = config_for("adaptive", DUEL, 4, deals=12, budget=400, margin=0.2)
    trace = held_to_the_laws(config, a=1.0)
    summary = formats.summaries(config, itertools.chain.from_iterable(trace.records))[DUEL]

    assert [row[1] for row in summary.rows] == ["b", "c", "d", "a (suspended)"]
    assert sum(float(row[2]) for row in summary.rows[:3]) == pytest.approx(150, abs=0.2)


def test_a_bot_that_fails_in_one_game_of_an_event_plays_on_in_the_others() -> None:
    config = config_for("round_robin", [DUEL, THREE, TEAMS], 5, deals=8)
    play = made_up(config)
    bad = made_up(config, faulty={"b": 1.0})
    trace = check_format(config, lambda spec: (bad if spec.rules == THREE.rules else play)(spec))

    assert [(stop.game, stop.bot) for stop in suspended(config, trace)] == [(THREE, "b")]
    for game in (DUEL, TEAMS):
        mine = [spec for spec in trace.rounds[-1] if (spec.game, spec.rules) == game]
        assert "b" in {ref.name for spec in mine for ref in spec.seats}


def test_comparing_two_bots_suspends_nobody() -> None:
    config = config_for("compare", DUEL, 2, deals=200)

    assert suspended(config, held_to_the_laws(config, a=0.2)) == []


class Interrupter(Watch):
    """Presses Ctrl-C when the third batch is in."""

    batches = 0

    def advance(self, result: BatchResult) -> None:
        super().advance(result)
        self.batches += 1
        if self.batches == 3:
            signal.raise_signal(signal.SIGINT)


def test_a_crasher_is_suspended_alike_on_one_worker_on_two_and_after_an_interruption(tmp_path: Path) -> None:
    settings = judged_early(small_config(tmp_path, [RANDOM, CRASHER, RANDOM], deals=30))
    one = tournament.run(settings, out=tmp_path / "one", executor="local", workers=1)
    two = tournament.run(settings, out=tmp_path / "two", executor="local", workers=2)
    cut = tournament.run(settings, out=tmp_path / "cut", executor="local", workers=1, progress=Interrupter())
    rest = tournament.run(settings, out=tmp_path / "cut", executor="local", workers=2)

    assert cut.interrupted
    assert one.digest == two.digest == rest.digest == digest_of(tmp_path / "cut")
    assert cut.matches_played + rest.matches_played == one.matches_total
    rounds = Counter(
        record.spec.round
        for record in open_store(tmp_path / "one").records()
        if "bot1" in {seat.bot.name for seat in record.seats}
    )
    assert sorted(rounds) == [1, 2]
    again = tournament.run(settings, out=tmp_path / "one", executor="local", workers=1)
    assert again.already_complete


def test_a_report_says_who_is_suspended_when_and_why_and_nobody_elses_rating_moves(tmp_path: Path) -> None:
    settings = judged_early(small_config(tmp_path, [RANDOM, CRASHER, RANDOM], deals=30))
    out = tmp_path / "run"
    played = tournament.run(settings, out=out, executor="local", workers=2)
    report = reports.write(out)

    (stop,) = report.suspensions
    assert (stop.bot, stop.round, stop.forfeited) == ("bot1", 1, stop.matches)
    said = (
        f"kozyri-duel: bot1 is suspended: by the end of round 1 it had forfeited {stop.matches} "
        f"of its {stop.matches} matches, more than 10 %"
    )
    assert said in report.warnings
    assert said in (out / "report.md").read_text(encoding="utf-8")
    assert json.loads(reports.render(report, "json"))["suspensions"][0]["bot"] == "bot1"
    assert report.complete
    assert report.planned == played.matches_total < 30 * 6
    (table,) = tables(open_run(out))
    alone = [one for one in results(table.played()) if "bot1" not in {p.bot for p in one.players}]
    without = ratings.rate("trueskill", alone)
    rated = {line.label: line.rating for line in report.standings[0].lines}
    assert {entrant.bot: rating for entrant, rating in without.items()} == {
        name: rated[name] for name in ("bot0", "bot2")
    }


def test_stored_records_are_counted_as_they_would_be_one_by_one(tmp_path: Path) -> None:
    settings = small_config(tmp_path, [RANDOM, CRASHER, RANDOM], deals=25)
    tournament.run(settings, out=tmp_path / "run", executor="local", workers=1)
    stored = open_store(tmp_path / "run")
    records = list(stored.records())
    middle = records[30].spec.id, records[70].spec.id

    assert StoredRecords(stored).counts() == count(records)
    assert StoredRecords(stored, *middle).counts() == count(records[30:71])


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("suspend = { faults = 1.5 }", "suspend.faults: expected a share of matches from 0 to 1, got 1.5"),
        ("suspend = { faults = -0.1 }", "suspend.faults: expected a finite number from 0 on, got -0.1"),
        ("suspend = { after = 0 }", "suspend.after: expected a whole number from 1 on, got 0"),
        (
            "suspend = { fault = 0.2 }",
            'suspend.fault: unknown key, did you mean "faults"? known: after, faults',
        ),
        ("suspend = 0.2", "suspend: expected a table, got 0.2"),
    ],
)
def test_a_mistake_in_the_rule_is_one_line(given: str, said: str, tmp_path: Path) -> None:
    path = write_config(tmp_path, [RANDOM, RANDOM])
    path.write_text(f"{given}\n{path.read_text(encoding='utf-8')}", encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        configs.read(path)
    assert str(caught.value) == f"{path}: {said}"


def test_the_rule_is_kept_with_the_run_and_may_not_change(tmp_path: Path) -> None:
    settings = small_config(tmp_path, [RANDOM, RANDOM], deals=2)
    lenient = dataclasses.replace(settings, suspend=Suspend(faults=0.5, after=7))
    tournament.run(lenient, out=tmp_path / "run", executor="local", workers=1)

    assert (
        configs.loads((tmp_path / "run" / "run.toml").read_text(encoding="utf-8")).suspend == lenient.suspend
    )
    with pytest.raises(CannotContinue, match=r"suspend\.faults +0\.5 -> 0\.1"):
        tournament.run(settings, out=tmp_path / "run", executor="local", workers=1)


def test_bots_that_fault_in_end_are_not_suspended_for_it(tmp_path: Path) -> None:
    late = RANDOM + "    def end(self, outcome):\n        raise RuntimeError('too late')\n"
    tournament.run(
        small_config(tmp_path, [RANDOM, late], deals=15), out=tmp_path / "run", executor="local", workers=1
    )
    counts = StoredRecords(open_store(tmp_path / "run")).counts()
    assert sum(found.matches for found in counts.values()) == 2 * 30
    assert not any(found.forfeited for found in counts.values())
