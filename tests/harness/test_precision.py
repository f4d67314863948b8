"""How sure a ranking will be: the forecast of a pilot is what many runs come to."""

from __future__ import annotations

import math
from random import Random
from statistics import fmean, stdev

import pytest

from harness.precision import FOUND, SURE, Scores, Variation, expected, worst

LINE_UPS = (("ann", "bob"), ("ann", "cas"), ("bob", "cas"))
SKILL = {"ann": 0.6, "bob": 0.5, "cas": 0.4}


def deal_sets(rng: Random) -> list[dict[str, float]]:
    """All three line-ups on one deal: a bot's luck has a part of the deal and a part of the set."""
    luck = {name: rng.gauss(0, 0.3) for name in SKILL}
    return [{name: SKILL[name] + luck[name] + rng.gauss(0, 0.2) for name in line_up} for line_up in LINE_UPS]


def played(deals: int, rng: Random) -> Scores:
    scores = Scores(len(LINE_UPS))
    for deal in range(deals):
        for number, means in enumerate(deal_sets(rng)):
            scores.add(deal, number, means)
    return scores


def test_the_parts_of_the_variance_are_found() -> None:
    found = played(4_000, Random(1)).variation()

    assert found is not None
    assert found.set == pytest.approx(0.3**2 + 0.2**2, rel=0.1)
    assert found.deal == pytest.approx(0.3**2, rel=0.1)
    assert (found.deals, found.sets) == (4_000, 12_000)


def test_the_expected_error_is_that_of_many_runs() -> None:
    """50 deals: the spread of a bot's mean over 400 runs."""
    rng = Random(2)
    means = [
        fmean(means["ann"] for _ in range(50) for means in deal_sets(rng) if "ann" in means)
        for _ in range(400)
    ]
    told = expected(Variation(0.3**2 + 0.2**2, 0.3**2, 0, 0), 3, 50, 100)

    assert told.half_width == pytest.approx(SURE * stdev(means), rel=0.12)


def test_of_two_bots_the_difference_varies_twice_as_much_as_each() -> None:
    """What one wins the other loses: the standard error of a difference is twice that of a mean."""
    told = expected(Variation(0.25, 0.25, 0, 0), 2, 100, 100)

    assert told.half_width == pytest.approx(SURE * 0.05)
    assert told.apart == pytest.approx(FOUND * 2 * 0.05)


def test_deals_that_are_not_whole_are_left_out_and_one_deal_says_nothing() -> None:
    scores = played(1, Random(3))
    scores.add(1, 0, {"ann": 1.0, "bob": 0.0})

    assert scores.variation() is None


def test_bots_that_always_score_the_same_are_known_exactly() -> None:
    scores = Scores(1)
    for deal in range(5):
        scores.add(deal, 0, {"ann": 1.0, "bob": 0.0})
    found = scores.variation()

    assert found is not None
    assert expected(found, 2, 10, 10) == (0.0, 0.0)


def test_where_nothing_was_measured_scores_are_taken_to_lie_at_both_ends() -> None:
    assert expected(worst(0, 14), 4, 49, 49).half_width == pytest.approx(SURE * 7 / math.sqrt(49))
