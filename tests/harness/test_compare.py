"""The format `compare`: what is played, when it stops, what it makes of records."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from random import Random

import pytest

from harness import config, formats, tournament
from harness.analysis import comparison
from harness.config import ConfigError, GameEntry, RunConfig
from harness.executors.base import Setup
from harness.formats import compare
from harness.records import MatchRecord, MatchSpec, SeatRecord
from harness.worker import Worker, game
from tests.harness.small_runs import RANDOM, Watch, digest_of

FIRST = """
from bots import Bot
class Player(Bot):
    def act(self, seen):
        return seen.moves[0]
"""
CHEAT = """
from bots import Bot
class Player(Bot):
    def act(self, seen):
        return 9999
"""
DUEL = '"kozyri-duel"\nrules = { cap = 30, cap_result = "fewest_cards" }'


def settings(folder: Path, bots: Sequence[str], *, event: str = DUEL, **options: object) -> RunConfig:
    """A comparison of bots given as source texts."""
    tables = []
    for number, text in enumerate(bots):
        (folder / f"bot{number}.py").write_text(text, encoding="utf-8")
        tables.append(f'[[bots]]\nname = "bot{number}"\npath = "bot{number}.py"\n')
    chosen = "".join(f", {key} = {value}" for key, value in options.items())
    path = folder / "small.toml"
    path.write_text(
        f'name = "small"\nseed = 5\ngame = {event}\nformat = {{ name = "compare"{chosen} }}\n'
        + "".join(tables),
        encoding="utf-8",
    )
    return config.read(path)


def record(spec: MatchSpec, scores: Sequence[float]) -> MatchRecord:
    """A match that ended with these scores."""
    places = [1 + sum(other > score for other in scores) for score in scores]
    sides = game(spec.game, spec.rules).sides
    seats = map(SeatRecord, spec.seats, sides, scores, places)
    return MatchRecord(spec, "completed", "won", (), (), tuple(seats))


def played(run: RunConfig, result: Callable[[MatchSpec], Sequence[float]]) -> list[list[MatchSpec]]:
    """The rounds of the schedule where matches end as `result` says."""
    found: list[list[MatchSpec]] = []
    schedule = formats.schedule(run)
    specs = list(next(schedule))
    while True:
        found.append(specs)
        try:
            specs = list(schedule.send([record(spec, result(spec)) for spec in specs]))
        except StopIteration:
            return found


def by_name(spec: MatchSpec, **scores: float) -> list[float]:
    return [scores[ref.name] for ref in spec.seats]


def coin(spec: MatchSpec) -> list[float]:
    """A fair result, a function of the spec."""
    return [1.0, 0.0] if Random(spec.id).random() < 0.5 else [0.0, 1.0]


def test_both_bots_sit_in_every_seat_of_every_deal(tmp_path: Path) -> None:
    rounds = played(settings(tmp_path, [RANDOM, FIRST], deals=40), coin)
    specs = [spec for round_ in rounds for spec in round_]
    seated = Counter((spec.deal, seat, ref.name) for spec in specs for seat, ref in enumerate(spec.seats))

    assert set(seated.values()) == {1}
    assert [spec.deal for spec in specs[::2]] == [f"kozyri-duel/{n}" for n in range(40)]


def test_it_stops_at_the_first_look_that_tells(tmp_path: Path) -> None:
    run = settings(tmp_path, [RANDOM, FIRST], first=15)
    rounds = played(run, lambda spec: by_name(spec, bot0=1, bot1=0))

    assert [len(round_) for round_ in rounds] == [30]


def test_it_plays_on_in_growing_rounds_until_the_most_deals(tmp_path: Path) -> None:
    run = settings(tmp_path, [RANDOM, FIRST], deals=100, margin=0.001, first=15)
    rounds = played(run, coin)
    ends = list(compare.looks(compare.Options.of(run.format_options)))

    assert sum(map(len, rounds)) == 200
    assert ends[0] == 15
    assert ends[-1] == 100
    assert ends == sorted(set(ends))
    assert len(rounds) == len(ends)


def test_bots_that_always_share_are_equal_within_the_margin(tmp_path: Path) -> None:
    run = settings(tmp_path, [RANDOM, FIRST], margin=0.1)
    rounds = played(run, lambda spec: [0.5] * len(spec.seats))

    assert 20 <= sum(map(len, rounds)) / 2 < 100


def test_a_set_that_is_not_whole_does_not_count(tmp_path: Path) -> None:
    run = settings(tmp_path, [RANDOM, FIRST])
    (table,) = formats.tables(run)
    records = [record(spec, coin(spec)) for spec in next(formats.schedule(run))]
    seen = compare.pairing_of(table)
    seen.add(records[1:-1])

    assert len(seen.shares) == len(records) / 2 - 2
    assert seen.matches == len(records) - 4


def test_an_event_of_two_games_stops_each_by_itself(tmp_path: Path) -> None:
    run = settings(tmp_path, [RANDOM, FIRST], deals=60)
    run = dataclasses.replace(
        run,
        games=(*run.games, GameEntry("seven-symbols", '{"seats":3}')),
        bots=tuple(bot._replace(games=()) for bot in run.bots),
    )

    def result(spec: MatchSpec) -> Sequence[float]:
        return by_name(spec, bot0=1, bot1=0) if spec.game == "kozyri-duel" else [2.0] * 3

    sets = Counter(spec.game for round_ in played(run, result) for spec in round_ if spec.seating == 1)

    assert sets == {"kozyri-duel": 20, "seven-symbols": 60}


@pytest.mark.parametrize(
    ("measure", "share"),
    [("score", 0.5 + (7 - 3.5) / (2 * 14)), ("places", 1.0)],
)
def test_a_share_at_a_table_of_three_is_by_the_games_range_or_by_places(
    tmp_path: Path, measure: str, share: float
) -> None:
    """Seven Symbols goes from 0 to 14 points: 6 and then 8 at most in the last deal."""
    run = settings(
        tmp_path, [RANDOM, FIRST], event='"seven-symbols"\nrules = { seats = 3 }', measure=f'"{measure}"'
    )
    (table,) = formats.tables(run)
    specs = list(next(formats.schedule(run)))[:6]
    seen = compare.pairing_of(table)
    seen.add(record(spec, by_name(spec, bot0=7, bot1=3.5)) for spec in specs)

    assert [meeting.share for meeting in seen.meetings] == pytest.approx([share])


def test_scores_beyond_the_games_range_are_an_error_and_not_a_share(tmp_path: Path) -> None:
    run = settings(tmp_path, [RANDOM, FIRST])
    (table,) = formats.tables(run)
    specs = list(next(formats.schedule(run)))[:2]

    with pytest.raises(ValueError, match="expected scores from 0 to 1, got 0 to 7"):
        compare.pairing_of(table).add(record(spec, by_name(spec, bot0=7, bot1=0)) for spec in specs)


def test_forfeits_count_as_losses_and_are_named(tmp_path: Path) -> None:
    run = settings(tmp_path, [RANDOM, CHEAT])
    (table,) = formats.tables(run)
    worker = Worker(Setup({(bot.ref.name, bot.ref.version): bot.source for bot in run.bots}))
    found = comparison.of_table(table, map(worker.play_one, next(formats.schedule(run))))

    assert found.finding.verdict == "better"
    assert found.forfeits == (0, 40)
    assert "Note: bot1 forfeited 40 of 40 matches" in found.lines()


def test_only_two_bots_can_be_compared(tmp_path: Path) -> None:
    with pytest.raises(
        ConfigError, match="compare takes two bots that play kozyri-duel, got bot0, bot1, bot2"
    ):
        settings(tmp_path, [RANDOM, FIRST, RANDOM])


@pytest.mark.parametrize(
    ("option", "value", "told"),
    [
        ("margin", "0.5", "expected a number above 0 and below 0.5, got 0.5"),
        ("error", "0.0", "expected a number above 0 and below 1, got 0.0"),
        ("deals", "0", "expected a whole number from 1 on, got 0"),
        ("deals", "1000000", "compare takes at most 999,999 deals, got 1,000,000"),
        ("measure", '"elo"', "expected score or places, got .elo."),
    ],
)
def test_an_option_out_of_range_is_one_line(tmp_path: Path, option: str, value: str, told: str) -> None:
    with pytest.raises(ConfigError, match=rf"small.toml: format.{option}: {told}"):
        settings(tmp_path, [RANDOM, FIRST], event=DUEL, **{option: value})


@pytest.mark.slow
def test_a_real_run_ends_alike_on_one_worker_on_two_and_when_continued(tmp_path: Path) -> None:
    run = settings(tmp_path, [RANDOM, FIRST], deals=60, margin=0.001)

    def play(name: str, workers: int, progress: Watch | None = None) -> str:
        tournament.run(run, out=tmp_path / name, executor="local", workers=workers, progress=progress)
        return digest_of(tmp_path / name)

    watch = Watch()
    whole = play("one", 1, watch)
    assert watch.info is not None
    assert watch.info.at_most
    assert play("two", 2) == whole
    for part in sorted((tmp_path / "two" / "matches").glob("part-*"))[1:]:
        part.unlink()
    assert play("two", 2) == whole
    (found,) = comparison.of_run(run, tmp_path / "one")
    assert found.matches == watch.played
    assert comparison.of_run(run, tmp_path / "two") == [found]


def test_rounding_does_not_put_a_bound_on_the_other_side_of_a_half() -> None:
    assert comparison.bounds(0.50004, 0.6) == "above 50 to 60"
    assert comparison.bounds(0.4, 0.49997) == "40 to below 50"
    assert comparison.bounds(0.4876, 0.5) == "48.8 to 50"


def found_with(
    tmp_path: Path, result: Callable[[MatchSpec], Iterable[float]], margin: float = 0.02, deals: int = 10_000
) -> str:
    run = settings(tmp_path, [RANDOM, FIRST], margin=margin, deals=deals)
    (table,) = formats.tables(run)
    records = [
        record(spec, tuple(result(spec)))
        for round_ in played(run, lambda spec: tuple(result(spec)))
        for spec in round_
    ]
    return comparison.of_table(table, records).sentence()


def test_the_answer_is_a_sentence(tmp_path: Path) -> None:
    won = found_with(tmp_path, lambda spec: by_name(spec, bot0=1, bot1=0))
    lost = found_with(tmp_path, lambda spec: by_name(spec, bot0=0, bot1=1))
    level = found_with(tmp_path, lambda _: [0.5, 0.5], margin=0.1)
    unknown = found_with(tmp_path, coin, margin=0.001, deals=30)

    assert won.startswith("bot0 is better than bot1: its share is 100 % (95 % interval ")
    assert won.endswith("to 100 %; 20 deal sets, 40 matches).")
    assert lost == won.replace("bot0", "x").replace("bot1", "bot0").replace("x", "bot1")
    assert level.startswith("bot0 and bot1 cannot be told apart within the margin: the share of bot0 is 50 %")
    assert "above 40 % and below 60 % (each at 95 % confidence;" in level
    assert unknown.startswith("undecided after the most deals allowed: bot0 may be better or worse than bot1")
    assert unknown.endswith("30 deal sets, 60 matches).")
