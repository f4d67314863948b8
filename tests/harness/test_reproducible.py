"""Self-play: bots that do not play the same match twice alike are found, with the first move that differs."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from pathlib import Path

import pytest

import engines
from harness import config, formats, report, self_check, store, tournament
from harness.analysis import reproducible
from harness.analysis.frames import open_run
from harness.analysis.reproducible import divergence
from harness.config import GameEntry, RunConfig
from harness.executors.choice import open_executor
from harness.records import Fault, MatchSpec
from tests.harness.small_runs import MEDDLER, RANDOM, setup_of, small_config

CLOCK = """
import time
from bots import Bot
class Player(Bot):
    def act(self, seen):
        return seen.moves[time.perf_counter_ns() // 100 % len(seen.moves)]
"""
SHARED = """
import random
from bots import Bot
class Player(Bot):
    def act(self, seen):
        return random.choice(seen.moves)
"""
MEMORY = """
from bots import Bot
class Player(Bot):
    seen_before = []
    def act(self, seen):
        self.seen_before.append(seen)
        return seen.moves[len(self.seen_before) // 7 % len(seen.moves)]
"""
DRAINS = """
import random
from bots import Bot
class Player(Bot):
    def act(self, seen):
        random.random()
        return self.rng.choice(seen.moves)
"""


def with_self_play(folder: Path, *bots: str, deals: int = 3) -> RunConfig:
    return dataclasses.replace(small_config(folder, bots, deals=4), self_play=deals)


def run(settings: RunConfig, out: Path) -> None:
    tournament.run(settings, out=out, executor="local", workers=1)


@pytest.mark.parametrize("rogue", [CLOCK, SHARED, MEMORY], ids=["clock", "global generator", "memory"])
def test_a_bot_that_does_not_repeat_itself_is_found_and_an_honest_one_is_not(
    tmp_path: Path, rogue: str
) -> None:
    run(with_self_play(tmp_path, RANDOM, rogue), tmp_path / "run")
    honest, other = reproducible.of_run(tmp_path / "run")

    assert (honest.bot.name, honest.plays, honest.apart, honest.first) == ("bot0", 3, 0, None)
    assert other.bot.name == "bot1"
    assert other.apart > 0
    assert other.first is not None


@pytest.mark.parametrize("other", [MEDDLER, DRAINS], ids=["reseeds", "drains"])
def test_bots_that_reseed_or_drain_the_global_generator_change_nobodys_deals_or_play(
    tmp_path: Path, other: str
) -> None:
    run(with_self_play(tmp_path, RANDOM, other), tmp_path / "run")

    assert [one.first for one in reproducible.of_run(tmp_path / "run")] == [None, None]


def test_the_first_divergence_is_where_two_plays_part(tmp_path: Path) -> None:
    run(with_self_play(tmp_path, RANDOM, SHARED), tmp_path / "run")
    first = next(one.first for one in reproducible.of_run(tmp_path / "run") if one.first)
    one, other = (store.find_match(tmp_path / "run", name) for name in first.matches)
    table = engines.load(one.spec.game).table

    assert one.spec.seats == other.spec.seats
    assert one.moves[: first.ply] == other.moves[: first.ply]
    assert first.moves == (table[one.moves[first.ply]].name, table[other.moves[first.ply]].name)
    assert first.moves[0] != first.moves[1]
    assert first.seat == one.move_seats[first.ply]
    assert f"after {first.ply} equal moves, seat {first.seat} played {first.moves[0]}, then" in str(first)


def test_a_different_end_after_the_same_moves_is_a_divergence(tmp_path: Path) -> None:
    run(with_self_play(tmp_path, RANDOM, RANDOM, deals=1), tmp_path / "run")
    one, other = list(store.open(tmp_path / "run").records("", "000000-000001-99"))
    faulty = dataclasses.replace(other.seats[0], faults=(Fault(3, "time", "late"),))
    cut = dataclasses.replace(other, moves=other.moves[:-1], move_seats=other.move_seats[:-1])

    assert divergence(one, other) is None
    parted = divergence(one, dataclasses.replace(other, seats=(faulty, other.seats[1])))
    assert parted is not None
    assert (parted.seat, parted.ply) == (-1, len(one.moves))
    assert "[seat 0: time]" in parted.moves[1]
    shorter = divergence(one, cut)
    assert shorter is not None
    assert shorter.moves[1] == "the end"


def test_one_match_of_a_bot_against_itself_is_a_match(tmp_path: Path) -> None:
    run(with_self_play(tmp_path, RANDOM, RANDOM), tmp_path / "run")
    found = report.build(open_run(tmp_path / "run"))
    one = dataclasses.replace(found, self_play=(found.self_play[0]._replace(plays=1),))

    assert "reproducible in 1 match against" in report.render(one, "markdown")


def test_the_report_marks_a_bot_that_is_not_reproducible(tmp_path: Path) -> None:
    run(with_self_play(tmp_path, RANDOM, SHARED), tmp_path / "run")
    found = report.build(open_run(tmp_path / "run"))
    markdown = report.render(found, "markdown")

    assert "**Note**: bot1 is not reproducible: " in markdown
    assert "reproducible in 3 matches against themselves, each played twice: bot0" in markdown
    assert [line.statistics.games for line in found.standings[0].lines] == [8, 8]


def test_self_play_comes_before_the_schedule_and_changes_nothing_in_it(tmp_path: Path) -> None:
    settings = with_self_play(tmp_path, RANDOM, RANDOM, RANDOM)
    with_it = [list(specs) for specs in formats.schedule(settings)]
    without = [list(specs) for specs in formats.schedule(dataclasses.replace(settings, self_play=0))]
    plan = formats.plan(settings)

    assert with_it[1:] == without
    assert {spec.round for spec in with_it[0]} == {0}
    assert all(len(set(spec.seats)) == 1 for spec in with_it[0])
    assert plan.matches == sum(map(len, with_it)) == sum(map(len, without)) + 3 * 3 * 2
    assert plan.sets == len({spec.set_id for specs in with_it for spec in specs})


def test_self_play_is_a_key_of_the_config(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    bots = '[[bots]]\nname = "a"\nbot = "uniform"\n[[bots]]\nname = "b"\nbot = "uniform"\n'
    path.write_text(f'game = "kozyri-duel"\nself_play = 2\n{bots}')
    settings = config.read(path)

    assert settings.self_play == 2
    assert config.loads(config.dump(settings)).self_play == 2


def specs(name: str, lucks: Iterable[int]) -> list[MatchSpec]:
    return [MatchSpec("", name, "{}", "", luck, 1, 1, 1, ()) for luck in lucks]


@pytest.mark.parametrize("name", engines.available())
def test_deals_are_counted_by_where_they_start(name: str) -> None:
    game = engines.load(name)

    assert reproducible.distinct_deals(game, specs(name, range(50))) == 50
    assert reproducible.distinct_deals(game, specs(name, [7, 7, 8])) == 2


def test_a_small_game_repeats_its_deals() -> None:
    """The duel with two ranks: each of four cards of two suits is on either side, and either seat deals."""
    game = engines.load("kozyri-duel", deck=["K", "A"])

    assert reproducible.distinct_deals(game, specs("kozyri-duel", range(500))) == 2**4 * 2


# Without self-play in the config: a check at the run's end


def by_default(folder: Path, *bots: str, workers: int = 1) -> Path:
    out = folder / "run"
    tournament.run(small_config(folder, bots, deals=4), out=out, executor="local", workers=workers)
    return out


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("rogue", [CLOCK, SHARED, MEMORY], ids=["clock", "global generator", "memory"])
def test_every_run_finds_bots_that_do_not_repeat_themselves(tmp_path: Path, rogue: str, workers: int) -> None:
    out = by_default(tmp_path, RANDOM, rogue, workers=workers)
    honest, other = reproducible.of_run(out)
    markdown = report.render(report.build(open_run(out)), "markdown")

    assert (honest.bot.name, honest.plays, honest.first) == ("bot0", 3, None)
    assert (other.bot.name, other.plays) == ("bot1", 3)
    assert other.first is not None
    assert f"**Note**: {other}" in markdown
    assert "reproducible in 3 matches against themselves, each played twice: bot0" in markdown


def test_what_is_played_for_the_check_is_no_part_of_the_results(tmp_path: Path) -> None:
    out = by_default(tmp_path, RANDOM, RANDOM)

    assert len(list(store.open(out).records())) == 8
    assert len(reproducible.of_run(out)) == 2


PROCESS = """
import os, random
from bots import Bot
class Player(Bot):
    def act(self, seen):
        return random.Random(f"{os.getpid()} {len(seen.history)}").choice(seen.moves)
"""


def test_a_bot_that_plays_otherwise_in_another_process_is_found(tmp_path: Path) -> None:
    settings = small_config(tmp_path, [RANDOM, PROCESS])
    pool = open_executor("local", setup_of(settings, tmp_path), workers=2)
    try:
        honest, other = self_check.check(settings, pool, 600)
    finally:
        pool.close()

    assert (honest.apart, honest.plays) == (0, 3)
    assert (other.apart, other.plays) == (1, 3)


def test_self_play_of_none_looks_at_nothing(tmp_path: Path) -> None:
    run(dataclasses.replace(small_config(tmp_path, deals=1), self_play=0), tmp_path / "run")

    assert reproducible.of_run(tmp_path / "run") == []


def test_a_bot_that_kills_its_worker_in_the_check_spoils_nothing(tmp_path: Path) -> None:
    """It is killed only when it meets itself."""
    killer = """
import os, signal
from bots import Bot
class Player(Bot):
    here = set()
    def __init__(self, game, seat, rng):
        super().__init__(game, seat, rng)
        self.here.add(seat)
        if seat and self.here == {0, 1}:
            os.kill(os.getpid(), signal.SIGKILL)
    def end(self, outcome):
        self.here.clear()
    def act(self, seen):
        return seen.moves[0]
"""
    out = by_default(tmp_path, RANDOM, killer, workers=2)

    assert [one.bot.name for one in reproducible.of_run(out)] == ["bot0"]
    assert len(list(store.open(out).records())) == 8


@pytest.mark.parametrize(
    ("deals", "text"),
    [
        (1, "1 deal"),
        (400, "400 deals, 32 different"),
        (500, "500 deals, 32 different among the first 400"),
    ],
)
def test_a_run_says_how_many_of_its_deals_are_different(tmp_path: Path, deals: int, text: str) -> None:
    small = GameEntry("kozyri-duel", '{"deck":["K","A"]}')

    assert str(reproducible.deals(small_config(tmp_path), small, deals)) == text


def test_deals_that_are_all_different_are_said_to_be(tmp_path: Path) -> None:
    found = [
        str(reproducible.deals(small_config(tmp_path), GameEntry("hund"), deals, most=50))
        for deals in (40, 1_000)
    ]

    assert found == ["40 deals, all different", "1,000 deals, the first 50 all different"]
