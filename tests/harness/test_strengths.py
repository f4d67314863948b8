"""Order-free strengths: fits equal others' of the same data, errors an independent sandwich."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Mapping, Sequence

import choix
import numpy as np
import pytest
from scipy import optimize, stats

from harness.analysis.choices import choices, slopes
from harness.analysis.outcomes import outcomes
from harness.analysis.overall import expected
from harness.analysis.results import Entrant, Result
from harness.analysis.strengths import PRIOR, Strengths, strengths
from harness.analysis.verdicts import MODEL, covariance, verdicts

A, B, C, D, E = (Entrant(name, "1") for name in "abcde")
ALL = [A, B, C, D, E]


def result(
    number: int,
    sides: Sequence[Sequence[Entrant]],
    ranks: Sequence[int],
    *,
    deal: int | None = None,
    offenders: Sequence[Entrant] = (),
    seats: Sequence[int] = (),
) -> Result:
    return Result(
        id=f"{number:07d}",
        deal=f"toy/{number if deal is None else deal}",
        sides=tuple(map(tuple, sides)),
        ranks=tuple(ranks),
        scores=tuple(float(-rank) for rank in ranks),
        offenders=tuple(offenders),
        seats=tuple(seats),
    )


def value(found: Strengths, entrant: Entrant) -> float:
    return float(found.value[found.entrants.index(entrant)])


@pytest.mark.parametrize("seed", range(3))
def test_full_rankings_fit_as_choix_does(seed: int) -> None:
    rng = random.Random(seed)
    orders = [tuple(rng.sample(range(5), rng.choice([2, 3, 4]))) for _ in range(150)]
    played = [
        result(n, [[ALL[player]] for player in order], range(1, len(order) + 1))
        for n, order in enumerate(orders)
    ]

    expected = choix.opt_rankings(5, orders, alpha=PRIOR**-2 / 2)

    assert strengths(outcomes(played)).value == pytest.approx(expected, abs=1e-6)


def test_a_draw_is_half_a_win_for_each() -> None:
    wins = [result(n, [[A], [B]], [1, 2]) for n in range(3)] + [result(9, [[A], [B]], [2, 1])]
    drawn = [result(n, [[A], [B]], ranks) for n, ranks in enumerate([[1, 2], [1, 2], [1, 1], [1, 1]])]

    assert value(strengths(outcomes(drawn)), A) == pytest.approx(value(strengths(outcomes(wins)), A))


def test_a_tie_is_the_mean_of_all_orders_it_leaves_open() -> None:
    """Three of four tie for second place: six orders."""
    tie = choices(outcomes([result(0, [[A], [B], [C], [D]], [1, 2, 2, 2])]))
    orders = [
        choices(outcomes([result(0, [[A], [B], [C], [D]], [1, *order])]))
        for order in itertools.permutations([2, 3, 4])
    ]
    at = np.array([0.3, -0.5, 0.1, 0.8])
    found, each = slopes(tie, at), [slopes(one, at) for one in orders]

    assert found.value == pytest.approx(sum(one.value for one in each) / 6)
    assert found.gradient == pytest.approx(sum(one.gradient for one in each) / 6)
    assert found.curvature == pytest.approx(sum(one.curvature for one in each) / 6)


@pytest.mark.parametrize("ranks", [[1, 2, 3], [1, 1, 2], [1, 2, 2], [1, 1, 1]])
def test_derivatives_are_those_of_the_likelihood(ranks: list[int]) -> None:
    """Teams, seats and ties; by finite differences."""
    found = choices(
        outcomes(
            [
                result(0, [[A, B], [C], [D, E]], ranks, seats=(0, 1, 2)),
                result(1, [[C], [A], [B, E]], ranks, seats=(0, 1, 2)),
            ]
        )
    )
    at = np.array([0.3, -0.5, 0.1, 0.8, -0.2, 0.1, -0.1, 0.4])
    steps = 1e-5 * np.eye(len(at))

    slope = [(slopes(found, at + h).value - slopes(found, at - h).value) / 2e-5 for h in steps]
    bend = [(slopes(found, at - h).gradient - slopes(found, at + h).gradient) / 2e-5 for h in steps]

    assert slopes(found, at).gradient == pytest.approx(slope, abs=1e-8)
    assert slopes(found, at).curvature == pytest.approx(np.array(bend), abs=1e-8)


def test_errors_of_two_sided_results_equal_an_independent_fit() -> None:
    """Bradley and Terry, fitted by a general optimiser, with a sandwich over deals written out."""
    rng = random.Random(3)
    games = []
    for deal in range(40):
        cards = rng.gauss(0, 1)
        for a, b in itertools.permutations(range(4), 2):
            won = rng.random() < 1 / (1 + math.exp(-(0.4 * (b - a) + cards)))
            games.append((deal, a, b) if won else (deal, b, a))
    played = [
        result(n, [[ALL[winner]], [ALL[loser]]], [1, 2], deal=deal)
        for n, (deal, winner, loser) in enumerate(games)
    ]

    def loss(theta: np.ndarray) -> float:
        return sum(math.log1p(math.exp(theta[b] - theta[a])) for _, a, b in games) + float(theta @ theta) / (
            2 * PRIOR**2
        )

    theta = optimize.minimize(loss, np.zeros(4), method="BFGS", options={"gtol": 1e-8}).x
    scores, bread = np.zeros((40, 4)), np.eye(4) / PRIOR**2
    for deal, a, b in games:
        p = 1 / (1 + math.exp(theta[a] - theta[b]))
        sign = np.zeros(4)
        sign[a], sign[b] = 1, -1
        scores[deal] += p * sign
        bread += p * (1 - p) * np.outer(sign, sign)
    inverse = np.linalg.inv(bread)
    centring = np.eye(4) - 1 / 4
    sandwich = centring @ inverse @ (scores.T @ scores) @ inverse @ centring * 40 / 39
    expected = (40 * sandwich + MODEL * centring @ inverse @ centring) / (40 + MODEL)

    found = strengths(outcomes(played))
    assert found.value == pytest.approx(theta, abs=1e-4)
    assert covariance(found) == pytest.approx(expected, rel=1e-3, abs=1e-6)
    low, high = verdicts(found).interval(0, 3)
    error = math.sqrt(expected[0, 0] + expected[3, 3] - 2 * expected[0, 3])
    assert (high - low) / 2 == pytest.approx(2.03 * error, rel=0.02), "Student's quantile of about 35 degrees"


def test_the_better_seat_is_told_from_the_better_bot() -> None:
    """Seat 0 wins four times of five whoever sits there, and a sits there more often."""
    rng = random.Random(1)
    played = []
    for n in range(600):
        sides = [[A], [B]] if n % 4 else [[B], [A]]
        ranks = [1, 2] if rng.random() < 0.8 else [2, 1]
        played.append(result(n, sides, ranks, seats=(0, 1)))
    found = strengths(outcomes(played))
    blind = strengths(outcomes([one._replace(seats=()) for one in played]))

    assert abs(value(found, A) - value(found, B)) < 0.5 < value(blind, A) - value(blind, B)
    effect, error = found.seats[0]
    assert 2 * effect == pytest.approx(math.log(4), abs=4 * error)


def test_whoever_won_everything_has_a_finite_strength() -> None:
    found = strengths(outcomes([result(n, [[A], [B]], [1, 2]) for n in range(5000)]))

    assert 3 < value(found, A) - value(found, B) < 30


def test_equal_results_cost_what_one_costs() -> None:
    """Four thousand results of four kinds are four rows."""
    kinds = [([[A], [B]], [1, 2]), ([[B], [A]], [1, 2]), ([[A], [C]], [1, 1]), ([[C], [B]], [2, 1])]
    found = choices(outcomes([result(n, *kinds[n % 4]) for n in range(4_000)]))

    assert sum(len(kind.part) for kind in found.kinds) == 4
    assert sum(float(kind.count.sum()) for kind in found.kinds) == 4_000


def test_a_forfeit_weakens_the_offender_and_nobody_else() -> None:
    rng = random.Random(2)
    fair = [result(n, [[a], [b]], [1, 2]) for n, (a, b) in enumerate(rng.sample(ALL, 2) for _ in range(80))]
    crash = [result(100 + n, [[A], [B], [C]], [3, 1, 2], offenders=[A]) for n in range(10)]

    without, found = strengths(outcomes(fair)), strengths(outcomes([*fair, *crash]))

    assert value(found, A) < value(without, A) - 0.2
    assert [value(found, one) for one in ALL[1:]] == pytest.approx(
        [value(without, one) for one in ALL[1:]], abs=1e-9
    )


def test_a_bot_that_only_crashed_is_weak_and_finite() -> None:
    played = [result(n, [[A], [B]], [1, 2] if n % 2 else [2, 1]) for n in range(20)]
    played += [result(50 + n, [[C], [A]], [2, 1], offenders=[C]) for n in range(20)]
    found = strengths(outcomes(played))

    assert -30 < value(found, C) < value(found, A) - 1
    assert verdicts(found).better[found.entrants.index(A), found.entrants.index(C)]


def test_results_and_arrays_say_the_same() -> None:
    rng = random.Random(4)
    played = [result(n, [[A, B], [C], [D, E]], rng.sample([1, 2, 3], 3), seats=(0, 1, 2)) for n in range(5)]
    played.append(result(7, [[A], [B]], [1, 2], offenders=[B]))

    arrays = outcomes(reversed(played))

    assert list(arrays) == played
    assert outcomes(arrays) is arrays


@pytest.mark.parametrize(("won", "proved"), [(3, False), (5, False), (12, True)])
def test_a_few_deals_that_all_agree_prove_nothing(won: int, proved: bool) -> None:
    found = verdicts(strengths(outcomes([result(n, [[A], [B]], [1, 2]) for n in range(won)])))

    assert bool(found.better[0, 1]) == proved
    assert not found.better[1, 0]


def test_deals_that_agree_all_count_though_only_a_few_are_off_their_mean() -> None:
    """On nine deals a wins once and draws once, on three all is drawn: the nine tell the two apart."""
    played = []
    for deal in range(12):
        first = [1, 2] if deal < 9 else [1, 1]
        played += [
            result(2 * deal, [[A], [B]], first, deal=deal),
            result(2 * deal + 1, [[A], [B]], [1, 1], deal=deal),
        ]
    found = verdicts(strengths(outcomes(played)))

    assert found.better[0, 1]
    assert found.p[0, 1] == pytest.approx(2.0**-8, rel=0.3)


def test_the_number_of_deals_that_would_do_is_one_that_does() -> None:
    """Three deals of three prove nothing, and a few per cent more of the same would not either."""
    found = verdicts(strengths(outcomes([result(n, [[A], [B]], [1, 2]) for n in range(3)])))
    enough = math.ceil(3 * found.more[0, 1])
    then = verdicts(strengths(outcomes([result(n, [[A], [B]], [1, 2]) for n in range(enough)])))

    assert 6 <= enough <= 12
    assert then.better[0, 1]


@pytest.mark.parametrize("drawn", [0, 1, 2, 5])
def test_a_bot_that_won_nearly_everything_is_proved_better(drawn: int) -> None:
    """A hundred deals from both seats against each of two; a draw or two do not make less of the rest."""
    rng = random.Random(6)
    played: list[Result] = []
    for deal in range(100):
        for other in (B, C):
            for match in range(2):
                ranks = [1, 1] if deal < drawn and other is B and not match else [1, 2]
                played.append(result(len(played), [[A], [other]], ranks, deal=deal, seats=(match, 1 - match)))
        played.append(result(len(played), [[B], [C]], rng.choice([[1, 2], [2, 1]]), deal=deal))
    found = verdicts(strengths(outcomes(played)))

    assert found.ranks(0) == (1, 1)
    assert not found.better[1, 2]
    assert not found.better[2, 1]


def many_wins(forfeits: Mapping[Entrant, int]) -> list[Result]:
    """A hundred deals from both seats between a and b; a won all that nobody forfeited, to begin with."""
    played: list[Result] = []
    left = dict(forfeits)
    for deal, match in itertools.product(range(100), range(2)):
        offender = next((one for one in left if left[one]), None)
        if offender is not None:
            left[offender] -= 1
        ranks = [2, 1] if offender == A else [1, 2]
        guilty = [] if offender is None else [offender]
        played.append(
            result(len(played), [[A], [B]], ranks, deal=deal, offenders=guilty, seats=(match, 1 - match))
        )
    return played


@pytest.mark.parametrize("forfeits", [{A: 1}, {A: 5}, {B: 1}, {A: 2, B: 3}])
def test_a_forfeit_or_two_do_not_make_less_of_all_the_other_wins(forfeits: dict[Entrant, int]) -> None:
    found = verdicts(strengths(outcomes(many_wins(forfeits))))

    assert found.better[0, 1]
    assert found.more[0, 1] == 0


@pytest.mark.parametrize("forfeits", [{A: 100}, {A: 90}, {A: 199}])
def test_wins_prove_nothing_where_as_many_matches_were_forfeited(forfeits: dict[Entrant, int]) -> None:
    found = verdicts(strengths(outcomes(many_wins(forfeits))))

    assert not found.better[0, 1]


def test_deals_still_needed_are_few_where_one_wins_nearly_always() -> None:
    """Six deals of six are too few among three bots; a few more would do, not dozens."""
    played = [
        result(3 * deal + n, [[one], [other]], [1, 2], deal=deal)
        for deal in range(6)
        for n, (one, other) in enumerate([(A, B), (A, C), (B, C)])
    ]
    found = verdicts(strengths(outcomes(played)))
    enough = math.ceil(6 * found.more[0, 2])
    longer = [
        one._replace(id=f"{n:07d}", deal=f"toy/{deal}")
        for n, (deal, one) in enumerate(itertools.product(range(enough), played[:3]))
    ]

    assert not found.better[0, 2]
    assert 6 < enough <= 12
    assert verdicts(strengths(outcomes(longer))).better[0, 2]


def test_the_share_of_a_hopeless_bot_is_nothing_rather_than_a_warning() -> None:
    assert expected(np.array([1000.0, 0.0])).tolist() == [1.0, 0.0]


def test_a_ring_of_sure_wins_has_no_order() -> None:
    """a beats b, b beats c and c beats a, but for a draw: nobody is better."""
    ring = [(A, B), (B, C), (C, A)]
    played = [
        result(3 * deal + n, [[one], [other]], [1, 1] if deal == n == 0 else [1, 2], deal=deal)
        for deal in range(100)
        for n, (one, other) in enumerate(ring)
    ]

    assert not verdicts(strengths(outcomes(played))).better.any()


def test_three_deals_that_differ_among_a_hundred_prove_nothing() -> None:
    """Both seatings alike in 97 deals; a wins both in the other three."""
    played = []
    for deal in range(100):
        second = [2, 1] if deal >= 3 else [1, 2]
        played += [
            result(2 * deal, [[A], [B]], [1, 2], deal=deal),
            result(2 * deal + 1, [[A], [B]], second, deal=deal),
        ]
    found = verdicts(strengths(outcomes(played)))

    assert found.difference[0, 1] > 0
    assert not found.better.any()


def test_the_chance_of_being_best_rests_on_the_deals_that_tell_the_two_apart() -> None:
    """Five of a hundred: the chance is that of Student's t with their freedom, as the interval has it."""
    played = []
    for deal in range(100):
        first, second = ([1, 2], [1, 2]) if deal < 4 else ([2, 1], [2, 1]) if deal == 4 else ([1, 2], [2, 1])
        played += [
            result(2 * deal, [[A], [B]], first, deal=deal),
            result(2 * deal + 1, [[A], [B]], second, deal=deal),
        ]
    found = verdicts(strengths(outcomes(played)))
    errors = found.difference[0, 1] / found.error[0, 1]

    assert found.freedom[0, 1] < 20
    assert found.best.sum() == pytest.approx(1.0)
    assert found.best[1] == pytest.approx(stats.t.sf(errors, found.freedom[0, 1]), abs=0.006)
    assert found.best[1] > stats.t.sf(errors, 99) + 0.006


def test_matches_of_one_deal_are_one_observation() -> None:
    """Copying every match ten times on its deal changes no error."""
    rng = random.Random(5)
    played = [result(n, [[A], [B]], rng.choice([[1, 2], [2, 1]]), deal=n) for n in range(60)]
    copied = [one._replace(id=f"{one.id}-{copy}") for one in played for copy in range(10)]

    few, many = verdicts(strengths(outcomes(played))), verdicts(strengths(outcomes(copied)))

    assert many.error[0, 1] == pytest.approx(few.error[0, 1], rel=0.05)
