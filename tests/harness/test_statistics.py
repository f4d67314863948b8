"""From matches to results and statistics: copies, pairings, teams, forfeits, errors over deals."""

from __future__ import annotations

import dataclasses
import math
import random
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest

from harness.analysis.clusters import ratios
from harness.analysis.frames import open_run
from harness.analysis.results import Result, results
from harness.analysis.statistics import BotStatistics, by_bot
from harness.analysis.tables import Table, tables
from harness.records import Fault, MatchRecord
from tests.harness.made_runs import duels, match, write_run


def table_of(folder: Path, records: Iterable[MatchRecord]) -> Table:
    """The only table of a run with these records."""
    (table,) = tables(open_run(write_run(folder, records)))
    return table


def results_of(folder: Path, records: Iterable[MatchRecord]) -> list[Result]:
    return list(results(table_of(folder, records).played()))


def stats_of(folder: Path, records: Iterable[MatchRecord]) -> dict[str, BotStatistics]:
    return {found.entrant.bot: found for found in by_bot(table_of(folder, records))}


def names(result: Result) -> list[str]:
    return ["".join(player.bot for player in side) for side in result.sides]


def test_a_match_of_two_is_a_result(tmp_path: Path) -> None:
    first, second = results_of(tmp_path, [match(0, 0, "ab", (1, 0)), match(0, 1, "ba", (0.5, 0.5))])

    assert (first.id, names(first), first.ranks) == ("000001-000000-00", ["a", "b"], (1, 2))
    assert (second.id, names(second), second.ranks) == ("000001-000000-01", ["b", "a"], (1, 1))


def test_a_side_of_copies_is_one_player(tmp_path: Path) -> None:
    (result,) = results_of(tmp_path, [match(0, 0, "abab", (3, 7, 3, 7), sides=(0, 1, 0, 1))])

    assert (names(result), result.ranks, result.scores) == (["a", "b"], (2, 1), (3.0, 7.0))


def test_partners_are_a_team(tmp_path: Path) -> None:
    (result,) = results_of(tmp_path, [match(0, 0, "abcd", (3, 7, 3, 7), sides=(0, 1, 0, 1))])

    assert (names(result), result.ranks) == (["ac", "bd"], (2, 1))


def test_three_for_themselves_are_three_sides(tmp_path: Path) -> None:
    (result,) = results_of(tmp_path, [match(0, 0, "abc", (1, 5, 1))])

    assert (names(result), result.ranks) == (["a", "b", "c"], (2, 1, 2))


def pairing(better: dict[str, float]) -> list[MatchRecord]:
    """All mixed seatings of two bots at a table of three, every seat of a bot scoring the same."""
    seatings = ["abb", "bab", "bba", "aab", "aba", "baa"]
    return [match(0, n, seats, [better[s] for s in seats]) for n, seats in enumerate(seatings)]


def test_a_pairing_of_two_at_a_table_of_three_is_one_result_a_set(tmp_path: Path) -> None:
    (result,) = results_of(tmp_path, pairing({"a": 2, "b": 1}))

    assert (result.id, names(result), result.ranks, result.scores) == (
        "000001-000000",
        ["a", "b"],
        (1, 2),
        (2, 1),
    )


def test_a_pairing_is_decided_by_the_sum_over_the_set_and_not_by_matches_won(tmp_path: Path) -> None:
    seatings = ["abb", "bab", "bba", "aab", "aba", "baa"]
    scores = [(9, 0, 0)] + [tuple(1 if s == "b" else 0 for s in seats) for seats in seatings[1:]]
    records = [match(0, n, seats, s) for n, (seats, s) in enumerate(zip(seatings, scores, strict=True))]

    (result,) = results_of(tmp_path, records)

    assert result.ranks == (1, 2)
    assert result.scores == pytest.approx((9 / 9, 7 / 9))


def test_equal_play_ties_exactly_whatever_the_order_of_seats(tmp_path: Path) -> None:
    """0.1 + 0.2 + 0.3 is not 0.3 + 0.2 + 0.1 in floating point."""
    records = [match(0, 0, "aab", (0.1, 0.2, 0.3)), match(0, 1, "bba", (0.2, 0.1, 0.3))]
    (result,) = results_of(tmp_path, records)

    assert 0.1 + 0.2 + 0.3 != 0.3 + 0.2 + 0.1
    assert result.ranks == (1, 1)


def test_a_bot_against_itself_is_no_result(tmp_path: Path) -> None:
    assert results_of(tmp_path, [match(0, 0, "aa", (1, 0))]) == []


def test_who_forfeited_is_marked(tmp_path: Path) -> None:
    (result,) = results_of(tmp_path, [match(0, 0, "abc", (0, 5, 1), faults={0: "illegal"})])

    assert [player.bot for player in result.offenders] == ["a"]


def test_another_version_is_another_entrant(tmp_path: Path) -> None:
    records = [match(n, 0, "ab", (1, 0), version=version) for n, version in enumerate(["1" * 12, "2" * 12])]

    assert len(table_of(tmp_path, records).entrants) == 4


def test_each_game_and_each_set_of_rules_has_a_table_of_its_own(tmp_path: Path) -> None:
    records = [
        match(0, 0, "ab", (1, 0)),
        match(1, 0, "ab", (1, 0), rules='{"deck":"easy"}'),
        match(2, 0, "abc", (1, 0, 0), game="three"),
    ]
    found = tables(open_run(write_run(tmp_path, records)))

    assert [(t.game, t.rules, t.seats) for t in found] == [
        ("toy", "{}", 2),
        ("toy", '{"deck":"easy"}', 2),
        ("three", "{}", 3),
    ]


def test_games_sets_wins_draws_losses_and_share(tmp_path: Path) -> None:
    records = [
        match(0, 0, "ab", (1, 0)),
        match(0, 1, "ba", (0, 1)),
        match(1, 0, "ab", (0.5, 0.5)),
        match(1, 1, "ba", (1, 0)),
    ]
    a = stats_of(tmp_path, records)["a"]

    assert (a.games, a.sets, a.wins, a.draws, a.losses) == (4, 2, 2, 1, 1)
    assert a.score.value == a.share.value == 0.625


def test_a_shared_first_place_is_a_draw_and_second_a_loss(tmp_path: Path) -> None:
    found = stats_of(tmp_path, [match(0, 0, "abc", (5, 5, 1))])

    assert [(s.wins, s.draws, s.losses) for s in found.values()] == [(0, 1, 0), (0, 1, 0), (0, 0, 1)]
    assert [s.share.value for s in found.values()] == [0.75, 0.75, 0.0]


def test_both_of_a_winning_team_win(tmp_path: Path) -> None:
    found = stats_of(tmp_path, [match(0, 0, "abcd", (3, 7, 3, 7), sides=(0, 1, 0, 1))])

    assert {name: (s.wins, s.losses, s.share.value) for name, s in found.items()} == {
        "a": (0, 1, 0.0),
        "b": (1, 0, 1.0),
        "c": (0, 1, 0.0),
        "d": (1, 0, 1.0),
    }


def test_copies_in_one_match_are_one_game_and_share_first_place_only_with_others(tmp_path: Path) -> None:
    found = stats_of(tmp_path, [match(0, 0, "aab", (5, 5, 1)), match(0, 1, "aba", (5, 5, 1))])

    assert (found["a"].games, found["a"].wins, found["a"].draws) == (2, 1, 1)
    assert (found["b"].games, found["b"].draws, found["b"].losses) == (2, 1, 1)
    assert found["a"].score.value == 4.0
    assert found["a"].share.value == (1 + 1 + 0.5 + 0) / 4


def test_shares_of_a_pairing_add_up_to_one(tmp_path: Path) -> None:
    """One seat against two counts as much as two against one."""
    rng = random.Random(4)
    seatings = ["abb", "bab", "bba", "aab", "aba", "baa"]
    records = [match(0, n, seats, [rng.randint(0, 3) for _ in seats]) for n, seats in enumerate(seatings)]
    found = stats_of(tmp_path, records)

    assert found["a"].share.value + found["b"].share.value == pytest.approx(1)


def test_shares_average_a_half(tmp_path: Path) -> None:
    found = stats_of(tmp_path, duels(60))

    games = sum(s.games for s in found.values())
    assert sum(s.share.value * s.games for s in found.values()) / games == pytest.approx(0.5)


def test_matches_against_oneself_are_left_out(tmp_path: Path) -> None:
    a = stats_of(tmp_path, [match(0, 0, "ab", (1, 0)), match(1, 0, "aa", (1, 0))])["a"]

    assert (a.games, a.wins, a.score.value) == (1, 1, 1.0)


def test_forfeits_are_counted_by_the_kind_of_the_first_fault(tmp_path: Path) -> None:
    records = [
        match(n, 0, "abab", (0, 7, 0, 7), sides=(0, 1, 0, 1), faults={0: kind, 2: "crash"})
        for n, kind in enumerate(["time", "illegal", "time"])
    ]
    found = stats_of(tmp_path, records)

    assert found["a"].forfeits == {"illegal": 1, "time": 2}
    assert found["b"].forfeits == {}


def test_a_fault_after_the_end_is_no_forfeit(tmp_path: Path) -> None:
    """Bots are told the outcome; what they do then is noted and changes nothing."""
    records = [match(n, 0, "ab", (1, 0), faults={0: "exception"}) for n in range(2)]
    completed = [dataclasses.replace(record, status="completed", reason="won") for record in records]
    table = table_of(tmp_path, completed)
    a, _ = by_bot(table)

    assert (a.forfeits, a.late_faults) == ({}, 2)
    assert not any(result.offenders for result in results(table.played()))


def test_the_winner_by_forfeit_that_fails_afterwards_is_no_offender(tmp_path: Path) -> None:
    (result,) = results_of(tmp_path, [match(0, 0, "ab", (0, 1), faults={0: "illegal", 1: "exception"})])

    assert [player.bot for player in result.offenders] == ["a"]


def test_where_all_forfeited_all_are_offenders(tmp_path: Path) -> None:
    (result,) = results_of(tmp_path, [match(0, 0, "ab", (0, 0), faults={0: "start", 1: "start"})])

    assert [player.bot for player in result.offenders] == ["a", "b"]


def test_with_a_substitute_only_faults_before_the_end_forfeit(tmp_path: Path) -> None:
    record = match(0, 0, "abc", (0, 5, 1), faults={0: "illegal"})
    late = dataclasses.replace(record.seats[1], faults=(Fault(2, "exception", "in end()"),))
    seats = (record.seats[0], late, record.seats[2])
    (result,) = results_of(tmp_path, [dataclasses.replace(record, seats=seats)])

    assert [player.bot for player in result.offenders] == ["a"]


def test_cpu_is_the_matches_mean_a_decision(tmp_path: Path) -> None:
    records = [match(n, 0, "ab", (1, 0), decisions=4, cpu_ms=4.0 * (n + 1)) for n in range(3)]
    a = stats_of(tmp_path, records)["a"]

    assert (a.cpu_ms_p50, a.cpu_ms_max) == (2.0, 6.0)


def test_a_bot_that_decided_nothing_has_no_cpu_figure(tmp_path: Path) -> None:
    a = stats_of(tmp_path, [match(0, 0, "ab", (1, 0), decisions=0)])["a"]

    assert math.isnan(a.cpu_ms_p50)


def test_the_standard_error_is_over_deals_and_not_over_matches(tmp_path: Path) -> None:
    """Both seatings of a deal alike: four matches, but two observations, 1 and 0."""
    records = [
        match(0, 0, "ab", (1, 0)),
        match(0, 1, "ba", (0, 1)),
        match(1, 0, "ab", (0, 1)),
        match(1, 1, "ba", (1, 0)),
    ]
    score = stats_of(tmp_path, records)["a"].score

    assert (score.value, score.error, score.clusters) == (0.5, 0.5, 2)


def test_a_bot_whose_luck_cancels_over_every_deal_has_no_error_at_all(tmp_path: Path) -> None:
    records = [match(n, s, "ab"[:: 1 if s == 0 else -1], (1, 0)) for n in range(5) for s in (0, 1)]
    score = stats_of(tmp_path, records)["a"].score

    assert (score.value, score.error) == (0.5, 0.0)


def test_sets_that_share_a_deal_are_one_cluster(tmp_path: Path) -> None:
    records = [match(n, 0, seats, (1, 0), deal=7) for n, seats in enumerate(["ab", "ac", "ad"])]
    score = stats_of(tmp_path, records)["a"].score

    assert score.clusters == 1
    assert math.isnan(score.error)


def test_with_clusters_of_one_the_error_is_the_textbooks() -> None:
    values = [0.2, 0.9, 0.4, 0.7]
    mean = sum(values) / 4
    textbook = math.sqrt(sum((v - mean) ** 2 for v in values) / 3 / 4)

    clusters = np.arange(4)
    found = ratios(np.zeros(4, dtype=np.int64), clusters, np.array(values), np.ones(4), 1, (0.0, 1.0)).at(0)

    assert found.error == pytest.approx(textbook)
