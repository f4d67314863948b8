"""The sequential test: what it promises, exactly where that can be counted and by simulation where not."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.simulated import Bots, by_completion, by_rounds, completed
from harness.analysis.sequential import Shares, Test, log_e_value
from harness.formats import compare

SHARES = st.lists(st.sampled_from([0.0, 0.25, 1 / 3, 0.5, 2 / 3, 0.75, 1.0]), max_size=60)


@pytest.mark.parametrize("mean", [0.1, 0.48, 0.5, 0.7])
@pytest.mark.parametrize("level", [0.0, 0.3, 0.9])
def test_a_stake_is_not_expected_to_grow_where_the_mean_is_what_was_bet_against(
    mean: float, level: float
) -> None:
    """The whole of the test's validity: counted over every course of five deal sets."""
    chances = {0.0: (1 - level) * (1 - mean), mean: level, 1.0: (1 - level) * mean}
    expected = 0.0
    for course in itertools.product(chances, repeat=5):
        chance = math.prod(chances[value] for value in course)
        expected += chance * math.exp(log_e_value(Counter(course), mean, Test().fractions))

    assert expected == pytest.approx(1.0)


@given(SHARES, st.randoms())
def test_the_order_of_deal_sets_does_not_matter(shares: list[float], rng: Random) -> None:
    mixed = shares[:]
    rng.shuffle(mixed)

    assert Test().finding(Shares(mixed)) == Test().finding(Shares(shares))


@given(SHARES)
def test_exchanging_the_bots_exchanges_the_answer(shares: list[float]) -> None:
    found, other = Test().finding(Shares(shares)), Test().finding(Shares(1 - share for share in shares))

    assert other.verdict == {"better": "worse", "worse": "better"}.get(found.verdict, found.verdict)
    assert (other.won, other.level, other.lost) == (found.lost, found.level, found.won)
    assert other.low == pytest.approx(1 - found.high, abs=1e-6)
    assert other.better == pytest.approx(found.worse)
    assert other.above == pytest.approx(found.below)


@given(SHARES)
def test_one_is_better_where_and_only_where_the_interval_leaves_out_a_half(shares: list[float]) -> None:
    found = Test().finding(Shares(shares))

    assert found.low <= found.share <= found.high
    assert (found.verdict == "better") == (found.low > 0.5)
    assert (found.verdict == "worse") == (found.high < 0.5)


def test_no_deal_set_tells_nothing() -> None:
    found = Test().finding(Shares())

    assert (found.verdict, found.sets, found.better, found.below) == ("open", 0, 1.0, 1.0)
    assert (found.low, found.high) == pytest.approx((0.0, 1.0), abs=1e-6)


def test_winning_every_set_is_soon_enough_and_winning_none_too() -> None:
    assert Test().verdict(Shares([1.0] * 12)) == "better"
    assert Test().verdict(Shares([0.0] * 12)) == "worse"
    assert Test().verdict(Shares([1.0] * 4)) == "open"


def test_sets_that_all_cancel_show_that_two_bots_are_equal() -> None:
    finding = Test(margin=0.1).finding(Shares([0.5] * 30))

    assert finding.verdict == "equal"
    assert (finding.won, finding.level, finding.lost) == (0, 30, 0)


def test_a_smaller_margin_and_a_smaller_error_take_more_sets() -> None:
    def needed(test: Test) -> int:
        return next(n for n in range(1, 10_000) if test.verdict(Shares([0.5] * n)) == "equal")

    assert needed(Test(0.2, 0.05)) < needed(Test(0.1, 0.05)) < needed(Test(0.1, 0.01))


@pytest.mark.parametrize(
    ("margin", "error", "told"), [(0.0, 0.05, "margin"), (0.5, 0.05, "margin"), (0.1, 0, "error")]
)
def test_a_margin_or_error_that_makes_no_sense_is_refused(margin: float, error: float, told: str) -> None:
    with pytest.raises(ValueError, match=f"{told}: expected a number above 0"):
        Test(margin, error)


def test_a_share_outside_its_bounds_is_refused() -> None:
    with pytest.raises(ValueError, match=r"expected 0 to 1, got 1\.5"):
        Shares([1.5])


# By simulation: 64 workers, wins that last five times as long as losses (benchmarks/simulated.py)

EVEN = Bots(0.3, 0.3)


def rate(options: compare.Options, bots: Bots, times: int, *wrong: str) -> float:
    ends = [by_rounds(options, bots, 64, Random(n)) for n in range(times)]
    return sum(end.verdict in wrong for end in ends) / times


def chance(error: float, times: int) -> float:
    """The error with three standard errors of a simulation of so many comparisons."""
    return error + 3 * math.sqrt(error * (1 - error) / times)


def test_the_simulated_cluster_completes_losses_first_and_loses_nothing() -> None:
    order = list(completed(EVEN, 500, 64, Random(1)))

    assert sorted(number for number, _ in order) == list(range(500))
    assert sum(share for _, share in order[:64]) < sum(share for _, share in sorted(order)[:64]) - 15


def test_equal_bots_are_rarely_told_apart_however_long_their_matches_last() -> None:
    options = compare.Options(margin=0.1, deals=600)

    assert rate(options, EVEN, 150, "better", "worse") <= chance(0.05, 150)


def test_looking_at_what_is_completed_would_be_wrong_nearly_always() -> None:
    """The simulation has teeth: the same test, looked at in order of completion, is fooled."""
    ends = [by_completion(Test(0.1), EVEN, 600, 64, Random(n)) for n in range(20)]

    assert sum(end.verdict == "worse" for end in ends) >= 18


def test_bots_that_differ_are_told_apart_the_right_way() -> None:
    options = compare.Options(margin=0.1, deals=2_000)

    assert rate(options, Bots(0.4, 0.2), 60, "better") > 0.9
    assert rate(options, Bots(0.2, 0.4), 60, "worse") > 0.9


@pytest.mark.slow
@pytest.mark.parametrize("bots", [Bots(0.1, 0.1), Bots(0.3, 0.3), Bots(0.5, 0.5)])
def test_equal_bots_get_a_false_verdict_in_at_most_the_stated_share_of_comparisons(bots: Bots) -> None:
    options = compare.Options(margin=0.01, deals=3_000)

    assert rate(options, bots, 2_000, "better", "worse") <= chance(0.05, 2_000)


@pytest.mark.slow
@pytest.mark.parametrize("bots", [Bots(0.14, 0.06), Bots(0.34, 0.26), Bots(0.06, 0.14)])
def test_bots_as_far_apart_as_the_margin_are_rarely_called_equal(bots: Bots) -> None:
    options = compare.Options(margin=0.04, deals=10_000)

    assert abs(bots.share - 0.5) == pytest.approx(0.04)
    assert rate(options, bots, 1_000, "equal") <= chance(0.05, 1_000)
