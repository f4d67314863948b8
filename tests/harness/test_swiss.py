"""The Swiss system: who meets whom, byes, points and tie-breaks."""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from collections.abc import Mapping

import pytest

from harness import formats
from harness.config_values import GameEntry, RunConfig
from harness.format_laws import Trace, follow
from harness.formats import Summary, swiss
from harness.made_up import made_up
from harness.matching import most_pairs
from tests.harness.format_configs import DUEL, FOUR, TEAMS, config_for, table_for


def played(config: RunConfig, strengths: Mapping[str, float] | None = None, *, luck: float = 1.0) -> Trace:
    return follow(config, made_up(config, strengths, luck=luck, draws=0.0))


def pairs_of(trace: Trace) -> list[list[tuple[str, str]]]:
    """The encounters of every round, in the order of play."""
    rounds = []
    for specs in trace.rounds:
        names = [sorted({ref.name for ref in spec.seats}) for spec in specs]
        rounds.append(list(dict.fromkeys((one, other) for one, other in names)))
    return rounds


def among(pairs: set[tuple[str, str]], i: int, j: int) -> bool:
    names = "abcdefghijklmnop"
    return (names[min(i, j)], names[max(i, j)]) in pairs


def standing(config: RunConfig, trace: Trace) -> Summary:
    records = list(itertools.chain.from_iterable(trace.records))
    return formats.summaries(config, records)[config.games[0]]


@pytest.mark.parametrize("bots", range(2, 17))
@pytest.mark.parametrize("seed", range(3))
def test_nobody_meets_anybody_twice(bots: int, seed: int) -> None:
    config = config_for("swiss", DUEL, bots, deals=1)
    strengths = {
        ref.name: (7 * place * (seed + 1)) % 5 for place, ref in enumerate(formats.tables(config)[0].bots)
    }
    rounds = pairs_of(played(config, strengths))
    met = Counter(itertools.chain.from_iterable(rounds))

    assert len(rounds) == swiss.count_rounds(formats.tables(config)[0])
    assert max(met.values()) == 1
    for pairs in rounds:
        assert len(pairs) == bots // 2
        assert len({name for pair in pairs for name in pair}) == 2 * (bots // 2)


@pytest.mark.parametrize("bots", [4, 5, 6, 7, 8, 11])
def test_where_rematches_cannot_be_avoided_there_are_as_few_as_can_be(bots: int) -> None:
    """Round by round, given those before; also beyond the rounds in which all could have met all."""
    trace = played(config_for("swiss", DUEL, bots, deals=1, rounds=2 * bots))
    names = "abcdefghijklmnop"[:bots]
    met: Counter[tuple[str, str]] = Counter()
    for pairs in pairs_of(trace):
        least = min(met[pair] for pair in itertools.combinations(names, 2))
        again = sum(met[pair] > least for pair in pairs)
        new = {pair for pair in itertools.combinations(names, 2) if met[pair] <= least}
        able = most_pairs(range(bots), functools.partial(among, new))
        fewest = bots // 2 - able
        if bots % 2 == 0:
            assert again == fewest
        else:
            assert again <= fewest + 1  # whose turn the bye is comes first
        met.update(pairs)


@pytest.mark.parametrize("bots", [3, 5, 7, 9, 15])
def test_with_an_odd_number_one_rests_and_nobody_again_before_all_have(bots: int) -> None:
    trace = played(config_for("swiss", DUEL, bots, deals=1, rounds=2 * bots))
    names = set("abcdefghijklmnop"[:bots])
    rested = [(names - {name for pair in pairs for name in pair}).pop() for pairs in pairs_of(trace)]

    assert set(rested[:bots]) == set(rested[bots:]) == names


def test_the_bye_is_for_the_last_in_the_table_and_worth_a_point() -> None:
    config = config_for("swiss", DUEL, 5, deals=1, rounds=2)
    trace = played(config, luck=0.0)
    table = {row[1]: row for row in standing(config, trace).rows}

    assert pairs_of(trace)[0] == [("a", "c"), ("b", "d")]  # e, the last seed, rests
    assert table["e"][5].startswith("bye")
    # After round 1: a, b and e have a point, c and d none; both lost alike, and d is the later seed.
    assert table["d"][5] == "b, bye"
    assert float(table["d"][2]) == 1


def test_equal_points_meet_the_upper_half_against_the_lower() -> None:
    rounds = pairs_of(played(config_for("swiss", DUEL, 8, deals=1, rounds=3), luck=0.0))

    assert rounds[0] == [("a", "e"), ("b", "f"), ("c", "g"), ("d", "h")]
    assert rounds[1] == [("a", "c"), ("b", "d"), ("e", "g"), ("f", "h")]
    assert rounds[2][0] == ("a", "b")
    assert rounds[2][-1] == ("g", "h")


def test_places_go_by_points_then_buchholz_then_margin_and_may_be_shared() -> None:
    config = config_for("swiss", DUEL, 4, deals=1, rounds=2)
    found = standing(config, played(config, luck=0.0))

    # a beat c and b; b beat d, c beat d: both have one point, one margin up and one down, and met 2 points.
    assert found.columns == ("Place", "Bot", "Points", "Buchholz", "Margin", "Opponents")
    assert [row[:5] for row in found.rows] == [
        ("1", "a", "2", "2", "+1.000"),
        ("2", "b", "1", "2", "+0.000"),
        ("2", "c", "1", "2", "+0.000"),
        ("4", "d", "0", "2", "-1.000"),
    ]


def test_the_table_of_an_unfinished_run_is_that_after_its_last_whole_round() -> None:
    config = config_for("swiss", DUEL, 4, deals=3, rounds=3)
    trace = played(config)
    whole = [*trace.records[0], *trace.records[1]]
    cut = [*whole, *trace.records[2][:-1]]

    assert formats.summaries(config, cut) == formats.summaries(config, whole)
    assert "after round 2 of 3" in standing(config, Trace(trace.rounds[:2], trace.records[:2])).title


def test_a_drawn_encounter_is_half_a_point_each() -> None:
    config = config_for("swiss", DUEL, 2, deals=2, rounds=1)
    found = standing(config, follow(config, made_up(config, draws=1.0)))

    assert [row[:3] for row in found.rows] == [("1", "a", "0.5"), ("1", "b", "0.5")]


@pytest.mark.parametrize("game", [FOUR, TEAMS])
def test_an_encounter_is_two_bots_at_the_table_whatever_its_seats(game: GameEntry) -> None:
    config = config_for("swiss", game, 4, deals=2)

    assert all(len(set(spec.seats)) == 2 for spec in played(config).specs)


@pytest.mark.parametrize(("bots", "rounds"), [(2, 1), (3, 3), (4, 3), (5, 4), (8, 4), (9, 5), (16, 5)])
def test_the_usual_number_of_rounds_is_one_more_than_in_a_cup(bots: int, rounds: int) -> None:
    assert swiss.count_rounds(table_for("swiss", DUEL, bots)) == rounds


def test_the_plan_says_where_bots_must_meet_again() -> None:
    assert swiss.plan(table_for("swiss", DUEL, 5, rounds=6)).notes == (
        "6 rounds, but after 5 everybody has met everybody: some meet again",
    )
    assert swiss.plan(table_for("swiss", DUEL, 5, rounds=5)).notes == ()


def test_many_bots_are_paired_off_too() -> None:
    table = table_for("swiss", DUEL, 26, deals=1)
    contest = swiss.Swiss(table)
    for _ in range(swiss.count_rounds(table)):
        assert len(contest.deal_sets()) == 13
        contest.take([])
