"""Rankings that can be defended: bounds, groups, verdicts, warnings, and what must not change them."""

from __future__ import annotations

import dataclasses
import itertools
import math
import random
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import pytest

from harness.analysis.frames import open_run
from harness.analysis.outcomes import of_table
from harness.analysis.outcomes import outcomes as from_results
from harness.analysis.pairs import meetings
from harness.analysis.results import Result, results
from harness.analysis.run_standings import run_standings
from harness.analysis.standings import GameStandings, rounded, standings
from harness.analysis.tables import Table, tables
from harness.analysis.words import p_value
from harness.records import MatchRecord
from tests.harness.made_runs import duels, match, write_run

Chance = Callable[[str, str], float]


def table_of(folder: Path, records: Iterable[MatchRecord], **how: int) -> Table:
    (table,) = tables(open_run(write_run(folder, records, **how)))  # type: ignore[arg-type]  # plain options
    return table


def ranking(folder: Path, records: Iterable[MatchRecord], by: str = "trueskill") -> GameStandings:
    return standings(table_of(folder, records), by)


def labels(found: GameStandings) -> list[str]:
    return [bot.label for bot in found.bots]


def round_robin(
    names: Sequence[str], deals: int, chance: Chance, *, seed: int = 1, first: int = 0
) -> list[MatchRecord]:
    """Both seatings of every pair on every deal; `chance` is that of the first of a pair."""
    rng = random.Random(seed)
    records = []
    for deal in range(deals):
        for number, (a, b) in enumerate(itertools.combinations(names, 2)):
            for seating in (0, 1):
                won = rng.random() < chance(a, b)
                score = (1.0, 0.0) if won else (0.0, 1.0)
                turn = 1 if seating == 0 else -1
                set_number = first + deal * 100 + number
                records.append(match(set_number, seating, (a, b)[::turn], score[::turn], deal=deal))
    return records


def by_strength(strength: Mapping[str, float]) -> Chance:
    return lambda a, b: 1 / (1 + math.exp(strength[b] - strength[a]))


def ring(a: str, b: str) -> float:
    """Rock, paper, scissors."""
    return 0.85 if a + b in ("pr", "rs", "sp") else 0.15


def test_who_is_far_apart_is_told_apart_and_who_is_equal_is_not(tmp_path: Path) -> None:
    strength = {"a": 1.5, "b": 0.0, "c": 0.0, "d": -1.5}
    found = ranking(tmp_path, round_robin("abcd", 80, by_strength(strength)))

    assert found.order in ("a > b ≈ c > d", "a > c ≈ b > d")
    assert [bot.ranks for bot in found.bots] == [(1, 1), (2, 3), (2, 3), (4, 4)]
    assert [bot.group for bot in found.bots] == [0, 1, 1, 2]
    assert found.bots[0].best > 0.99
    assert sum(bot.best for bot in found.bots) == pytest.approx(1)
    assert {pair.labels for pair in found.pairs if not pair.proved} <= {("b", "c"), ("c", "b")}


def test_results_are_told_in_sentences(tmp_path: Path) -> None:
    strength = {"a": 1.5, "b": 0.1, "c": 0.0}
    found = ranking(tmp_path, round_robin("abc", 60, by_strength(strength), seed=4))

    first, second, third = found.sentences
    assert first == "a is the best of 3."
    assert second.startswith("a is better than ")
    assert second.endswith(" (p < 0.001 after 180 deal sets).")
    assert re.search(r" cannot be told apart( yet)? \(p = (0\.\d+|1)\)", third)


@pytest.mark.parametrize(
    ("p", "told"),
    [
        (1.0, "1"),
        (0.5, "0.5"),
        (0.9991, "1"),
        (0.0502, "0.051"),
        (0.05, "0.05"),
        (0.07, "0.07"),
        (0.001, "0.001"),
    ],
)
def test_a_p_value_is_rounded_up_so_that_none_looks_proved_that_is_not(p: float, told: str) -> None:
    assert p_value(p) == f"p = {told}"


def test_of_a_tiny_p_value_only_a_bound_is_told() -> None:
    assert p_value(0.00099) == p_value(0.0) == "p < 0.001"


def test_more_deal_sets_are_fewer_the_larger_the_difference_is(tmp_path: Path) -> None:
    """About as many as it takes: with them the pair is settled more often than not."""
    found = ranking(tmp_path, round_robin("ab", 30, by_strength({"a": 0.4, "b": 0.0}), seed=2))
    (pair,) = found.pairs

    assert not pair.proved
    assert pair.more_sets is not None
    assert 10 < pair.more_sets < 3000
    assert f"about {pair.more_sets:,} more deal sets would do" in found.sentences[1]


def test_one_deal_proves_nothing_and_says_so(tmp_path: Path) -> None:
    found = ranking(tmp_path, round_robin("abc", 1, lambda _a, _b: 1.0))

    assert [bot.ranks for bot in found.bots] == [(1, 3)] * 3
    assert found.sentences == ("One deal only: nothing is known of how sure the order is.",)


def test_a_ring_is_one_group_and_is_told(tmp_path: Path) -> None:
    found = ranking(tmp_path, round_robin("rps", 80, ring))

    assert [bot.group for bot in found.bots] == [0, 0, 0]
    assert found.cycles[0][0] == found.bots[0].entrant
    assert any("a ring" in warning and warning.count("beats") == 3 for warning in found.warnings)
    assert "they beat each other in a ring" in found.sentences[0]


def few_decided(decided: int) -> list[MatchRecord]:
    """Three bots in a ring on 100 deals: who beats another takes both seatings of some, one of the rest."""
    records = []
    pairs = [("r", "s"), ("s", "p"), ("p", "r")]
    for number, (deal, (a, b)) in enumerate(itertools.product(range(100), pairs)):
        scores = [(1, 0), (0, 1) if deal < decided else (1, 0)]
        records += [
            match(number, 0, (a, b), scores[0], deal=deal),
            match(number, 1, (b, a), scores[1], deal=deal),
        ]
    return records


def test_deals_that_came_out_level_do_not_speak_for_a_ring(tmp_path: Path) -> None:
    """Six deals that agree are six however many others were level: p is that of six, times three pairs."""
    few = ranking(tmp_path / "few", few_decided(6))
    enough = ranking(tmp_path / "enough", few_decided(12))
    met = meetings(table_of(tmp_path / "again", few_decided(6)))

    assert few.cycles == ()
    assert [len(ring) for ring in enough.cycles] == [3]
    assert {one.informative for one in met.values()} == {6.0}
    assert all(one.p >= 2**-5 for one in met.values())


def test_no_ring_is_seen_where_there_is_none(tmp_path: Path) -> None:
    found = ranking(
        tmp_path, round_robin("abcd", 80, by_strength(dict(zip("abcd", (1, 1, 0, 0), strict=True))))
    )

    assert found.cycles == ()


@pytest.mark.parametrize("by", ["trueskill", "plackett_luce", "mean_score"])
def test_a_weak_or_crashing_newcomer_reorders_nobody(tmp_path: Path, by: str) -> None:
    strength = {"a": 0.6, "b": 0.2, "c": -0.2, "d": -0.6, "weak": -4.0}
    fair = round_robin("abcd", 30, by_strength(strength))
    weak = [
        record
        for record in round_robin(["a", "b", "c", "d", "weak"], 30, by_strength(strength), first=50_000)
        if any(seat.bot.name == "weak" for seat in record.seats)
    ]
    crashing = [
        dataclasses.replace(
            match(
                90_000 + n,
                seating,
                (bot, "crash")[:: 1 - 2 * seating],
                (1, 0)[:: 1 - 2 * seating],
                deal=n % 30,
                faults={1 - seating: "crash"},
            )
        )
        for n, bot in enumerate("abcd" * 8)
        for seating in (0, 1)
    ]
    before = ranking(tmp_path / "before", fair, by)
    after = ranking(tmp_path / "after", [*fair, *weak, *crashing], by)

    assert [name for name in labels(after) if name in "abcd"] == labels(before)
    assert set(labels(after)[4:]) == {"weak", "crash"}
    if by != "mean_score":
        only_crash = ranking(tmp_path / "crash", [*fair, *crashing], by)
        for bot in before.bots:
            same = next(one for one in only_crash.bots if one.label == bot.label)
            assert same.ratings["trueskill"] == bot.ratings["trueskill"]


def test_one_file_under_two_names_is_never_told_apart(tmp_path: Path) -> None:
    """Deterministic copies: level against each other, and the same against everybody else."""
    rng = random.Random(7)
    records = []
    for deal in range(60):
        against = {seating: rng.random() < 0.7 for seating in (0, 1)}
        for number, (a, b) in enumerate([("one", "two"), ("one", "c"), ("two", "c")]):
            for seating in (0, 1):
                won = (seating == 0) if b == "two" else against[seating]
                score, turn = ((1.0, 0.0) if won else (0.0, 1.0)), 1 - 2 * seating
                records.append(match(deal * 10 + number, seating, (a, b)[::turn], score[::turn], deal=deal))
    found = ranking(tmp_path, records, "plackett_luce")
    twins = next(pair for pair in found.pairs if set(pair.labels) == {"one", "two"})

    assert (twins.proved, twins.p, twins.share) == (False, 1.0, 0.5)
    assert twins.difference == pytest.approx(0, abs=1e-6)
    assert found.bots[0].ranks == (1, 2)
    assert found.bots[0].best == pytest.approx(found.bots[1].best, abs=0.01)


@pytest.mark.parametrize("shuffled", [1, 2])
def test_rows_in_another_order_give_the_same_numbers(tmp_path: Path, shuffled: int) -> None:
    records = duels(60)
    plain = run_standings(open_run(write_run(tmp_path / "a" / "run", records, parts=3)))
    mixed = run_standings(open_run(write_run(tmp_path / "b" / "run", records, parts=1, shuffled=shuffled)))

    assert repr(mixed.games[0].bots) == repr(plain.games[0].bots)
    assert repr(mixed.games[0].pairs) == repr(plain.games[0].pairs)
    assert mixed.games[0].sentences == plain.games[0].sentences


def test_the_rank_shown_is_within_its_bounds(tmp_path: Path) -> None:
    for by in ("trueskill", "mean_score"):
        found = ranking(tmp_path / by, duels(36, strength=0.6), by)

        assert all(bot.ranks[0] <= bot.rank <= bot.ranks[1] for bot in found.bots)


def told(found: Iterable[Result]) -> list[Result]:
    """Results with their offenders in one order."""
    return [one._replace(offenders=tuple(sorted(one.offenders))) for one in found]


@pytest.mark.parametrize("seatings", [["abb", "bab", "bba", "aab", "aba", "baa"], ["abc", "bca", "cab"]])
def test_a_table_gives_the_results_that_its_matches_give(tmp_path: Path, seatings: list[str]) -> None:
    """Pairings of two at a table of three, and three for themselves; one forfeits now and then."""
    rng = random.Random(3)
    table = table_of(
        tmp_path,
        [
            match(n, seating, bots, [rng.randint(0, 3) for _ in bots], faults={1: "time"} if n == 2 else None)
            for n in range(6)
            for seating, bots in enumerate(seatings)
        ],
    )

    assert told(of_table(table)) == told(results(table.played()))
    assert list(from_results(results(table.played()))) == list(of_table(table))


def test_teams_and_copies_give_the_results_that_their_matches_give(tmp_path: Path) -> None:
    seatings = ["abab", "acbd", "aacc", "bbbb"]
    table = table_of(
        tmp_path,
        [match(n, 0, bots, (3, 7, 3, 7), sides=(0, 1, 0, 1)) for n, bots in enumerate(seatings)],
    )

    assert list(of_table(table)) == list(results(table.played()))


def test_partners_that_are_never_parted_are_named(tmp_path: Path) -> None:
    records = [
        match(n, seating, bots, (1, 0, 1, 0) if n % 3 else (0, 1, 0, 1), sides=(0, 1, 0, 1))
        for n in range(12)
        for seating, bots in enumerate(["axby", "xayb"])
    ]
    found = ranking(tmp_path, records)

    assert any("a and b always play together" in warning for warning in found.warnings)


def test_uneven_games_are_told(tmp_path: Path) -> None:
    records = round_robin("abc", 20, lambda _a, _b: 0.5) + round_robin(
        "ab", 40, lambda _a, _b: 0.5, first=70_000
    )
    found = ranking(tmp_path, records)

    assert any(warning.startswith("games are uneven, from 80 (c) to 160 (a)") for warning in found.warnings)


def test_the_better_seat_is_told_with_an_interval_from_mirror_matches(tmp_path: Path) -> None:
    rng = random.Random(1)
    mirror = [match(n, 0, "aa", (1, 0) if rng.random() < 0.75 else (0, 1), deal=n) for n in range(100)]
    found = ranking(tmp_path, [*mirror, *round_robin("ab", 20, lambda _a, _b: 0.5, first=1000)])

    (warning,) = [one for one in found.warnings if one.startswith("seat 0")]
    assert "seat 0 is better than the others" in warning
    assert "in matches of bots against themselves" in warning
    low, high = found.seats.lines[0].share.low, found.seats.lines[0].share.high
    assert low < 0.75 < high


def test_seats_that_are_alike_are_not_told(tmp_path: Path) -> None:
    found = ranking(tmp_path, round_robin("abc", 60, lambda _a, _b: 0.5))

    assert not any(warning.startswith("seat") for warning in found.warnings)


def test_many_forfeits_are_told(tmp_path: Path) -> None:
    records = [match(n, 0, "ab", (1, 0), faults={1: "time"} if n % 4 == 0 else None) for n in range(40)]
    found = ranking(tmp_path, records)

    assert "b forfeited 25 % of its matches, more than 10 %" in found.warnings


def test_a_rank_that_depends_on_the_order_of_matches_is_told(tmp_path: Path) -> None:
    """Six equal bots and few matches: TrueSkill's order is a matter of the schedule."""
    found = ranking(tmp_path, round_robin("abcdef", 12, lambda _a, _b: 0.5))

    assert found.sensitivity is not None
    assert found.sensitivity.orders == 10
    assert any(
        warning.startswith("TrueSkill ranks depend on the order of matches") for warning in found.warnings
    )


def worked(records: Sequence[MatchRecord], worker: Callable[[int], str]) -> list[MatchRecord]:
    """The same played by these workers, by deal set."""
    return [
        dataclasses.replace(record, worker=worker(int(record.spec.set_id.rpartition("-")[2])))
        for record in records
    ]


def test_a_node_with_other_results_is_named(tmp_path: Path) -> None:
    """On node2 the stronger bot of each pair loses: its clock is slow, say."""
    strength = {"a": 1.0, "b": 0.0, "c": -1.0}
    normal = round_robin("abc", 100, by_strength(strength))
    turned = round_robin("abc", 100, by_strength({name: -value for name, value in strength.items()}), seed=9)
    records = [
        one if int(one.spec.set_id.rpartition("-")[2]) // 100 % 4 else other
        for one, other in zip(normal, turned, strict=True)
    ]
    found = ranking(tmp_path, worked(records, lambda n: f"node{1 + (n // 100 % 4 == 0)}:{n // 100 % 8}"))

    assert {place.name for place in found.places if place.kind == "node"} == {"node1", "node2"}
    assert any("node node2 gave other results" in warning for warning in found.warnings)


def test_nodes_that_are_alike_are_not_named(tmp_path: Path) -> None:
    strength = {"a": 1.0, "b": 0.0, "c": -1.0}
    records = round_robin("abc", 100, by_strength(strength))
    found = ranking(tmp_path, worked(records, lambda n: f"node{n // 100 % 4}:{n // 100 % 8}"))

    assert found.places == ()


def test_a_node_where_bots_forfeit_is_named(tmp_path: Path) -> None:
    records = []
    for n in range(200):
        faulty = n % 8 == 0
        record = match(
            n, 0, "ab", (1, 0) if n % 2 or faulty else (0, 1), faults={1: "time"} if faulty else None
        )
        records.append(dataclasses.replace(record, worker=f"node{n % 4}:1"))
    found = ranking(tmp_path, records)

    assert any("node node0 gave more forfeits" in warning for warning in found.warnings)


def two_games(strengths: Sequence[Mapping[str, float]]) -> list[MatchRecord]:
    records = []
    for n, strength in enumerate(strengths):
        for one in round_robin(sorted(strength), 60, by_strength(strength), seed=n):
            game = f"game{n}"
            spec = dataclasses.replace(
                one.spec,
                id=f"{n + 1:06d}{one.spec.id[6:]}",
                game=game,
                deal=one.spec.deal.replace("toy", game),
            )
            records.append(dataclasses.replace(one, spec=spec))
    return records


def test_two_deals_that_agree_say_nothing_of_the_seats(tmp_path: Path) -> None:
    """Three of four matches won from seat 0, on both deals alike."""
    scores = [(1, 0), (0, 1), (1, 0), (1, 0)]
    records = [
        match(10 * deal + n // 2, n % 2, ["ab", "ba"][n % 2], score, deal=deal)
        for deal in range(2)
        for n, score in enumerate(scores)
    ]

    assert not [text for text in ranking(tmp_path, records).warnings if "seat" in text]


def test_over_all_games_each_counts_the_same(tmp_path: Path) -> None:
    """b is a little weaker in one game and much stronger in the other."""
    records = two_games([{"a": 0.4, "b": 0.0, "c": -1.0}, {"a": -0.5, "b": 1.5, "c": -1.0}])
    found = run_standings(open_run(write_run(tmp_path, records))).overall

    assert found is not None
    assert found.games == ("game0", "game1")
    assert [bot.label for bot in found.bots] == ["b", "a", "c"]
    assert found.order == "b > a > c"
    top = found.bots[0]
    assert top.share == pytest.approx(sum(top.by_game) / 2)
    assert top.interval[0] < top.share < top.interval[1]
    assert top.interval[1] - top.interval[0] < 0.2
    assert sum(bot.share for bot in found.bots) == pytest.approx(1.5), "a share is one half on average"


def test_whoever_missed_a_game_is_left_out_over_all(tmp_path: Path) -> None:
    records = two_games([{"a": 0.4, "b": 0.0, "c": -1.0}, {"a": 0.5, "b": 0.0}])
    found = run_standings(open_run(write_run(tmp_path, records))).overall

    assert found is not None
    assert (found.left_out, len(found.bots)) == (("c",), 2)


def test_one_game_has_no_ranking_over_all(tmp_path: Path) -> None:
    assert run_standings(open_run(write_run(tmp_path, duels(12)))).overall is None


def test_several_rules_of_a_game_are_ranked_apart_and_told(tmp_path: Path) -> None:
    records = [match(n, 0, "ab", (1, 0), rules=rules) for n, rules in enumerate(["{}", '{"deck":"easy"}'])]
    found = run_standings(open_run(write_run(tmp_path, records)))

    assert len(found.games) == 2
    assert found.warnings == ("toy was played under 2 different rules, which are ranked apart",)
    assert found.overall is not None
    assert len(set(found.overall.games)) == 2


@pytest.mark.parametrize(("count", "shown"), [(0.2, 1), (7.3, 8), (43, 43), (411, 420), (123_456, 130_000)])
def test_estimates_have_two_digits(count: float, shown: int) -> None:
    assert rounded(count) == shown
