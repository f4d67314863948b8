"""Ratings: TrueSkill equals the package and its published examples, and stays finite where that fails."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from statistics import NormalDist

import pytest
import trueskill as package

from harness import ratings
from harness.analysis.results import Entrant, Result
from harness.ratings.gaussian import truncated
from harness.ratings.trueskill import Rater, Skill, draw_probability, rate

A, B, C, D = (Entrant(name, "1") for name in "abcd")


def result(
    number: int, sides: Sequence[Sequence[Entrant]], ranks: Sequence[int], offenders: Sequence[Entrant] = ()
) -> Result:
    """One result, on a deal of its own."""
    scores = tuple(float(-rank) for rank in ranks)
    return Result(
        f"{number:07d}", f"toy/{number}", tuple(map(tuple, sides)), tuple(ranks), scores, tuple(offenders)
    )


def test_a_first_win_gives_the_published_numbers() -> None:
    """Moser, Computing your skill (2010), and trueskill.org: 29.396 ± 7.171 against 20.604 ± 7.171."""
    (winner,), (loser,) = Rater(0.1).update([[Skill()], [Skill()]], [1, 2])

    assert winner == pytest.approx((29.396, 7.171), abs=0.001)
    assert loser == pytest.approx((20.604, 7.171), abs=0.001)


def test_a_first_draw_gives_the_published_numbers() -> None:
    (one,), (other,) = Rater(0.1).update([[Skill()], [Skill()]], [1, 1])

    assert one == pytest.approx((25.0, 6.458), abs=0.001)
    assert other == one


def test_one_against_two_gives_the_published_numbers() -> None:
    """The example of trueskill.org: one player against a team of two."""
    (alone,), (left, right) = Rater(0.1).update([[Skill()], [Skill(), Skill()]], [1, 2])

    assert alone == pytest.approx((33.731, 7.317), abs=0.001)
    assert left == right == pytest.approx((16.269, 7.317), abs=0.001)


def test_two_against_two_gives_the_published_numbers() -> None:
    after = Rater(0.1).update([[Skill(), Skill()], [Skill(), Skill()]], [1, 2])

    assert after[0][0] == after[0][1] == pytest.approx((28.108, 7.774), abs=0.001)
    assert after[1][0] == after[1][1] == pytest.approx((21.892, 7.774), abs=0.001)


def test_four_in_order_give_the_published_numbers() -> None:
    after = Rater(0.1).update([[Skill()]] * 4, [1, 2, 3, 4])

    expected = [(33.207, 6.348), (27.401, 5.787), (22.599, 5.787), (16.793, 6.348)]
    assert [side[0] for side in after] == [pytest.approx(pair, abs=0.001) for pair in expected]


@pytest.mark.parametrize("seed", range(60))
def test_every_update_equals_the_package(seed: int) -> None:
    """Random teams of two to six sides, ratings, draw probabilities and results, to 1e-6.

    The reference is the package with exact normal functions: its own are good to 1e-7 only.
    """
    rng = random.Random(seed)
    rater = Rater(rng.choice([0.0, 0.05, 0.4]))
    sides = [
        [Skill(rng.gauss(25, 6), rng.uniform(0.3, 8)) for _ in range(rng.randint(1, 3))]
        for _ in range(2 if seed < 20 else rng.randint(3, 6))
    ]
    ranks = rng.sample(range(1, 9), len(sides))
    if rater.draw_probability:
        ranks = [rng.randint(1, 4) for _ in sides]
    env = package.TrueSkill(
        tau=0,
        draw_probability=rater.draw_probability,
        backend=(truncated.cdf, truncated.pdf, NormalDist().inv_cdf),
    )

    expected = env.rate([tuple(package.Rating(*skill) for skill in side) for side in sides], ranks)

    got = rater.update(sides, ranks)
    for mine, theirs in zip(got, expected, strict=True):
        for skill, rating in zip(mine, theirs, strict=True):
            assert skill == pytest.approx((rating.mu, rating.sigma), abs=1e-6)


@pytest.mark.parametrize("seed", range(10))
def test_a_whole_history_equals_the_package_as_it_comes(seed: int) -> None:
    """Two, three and four sides, ties and teams, one after another; its approximations allow 1e-3."""
    rng = random.Random(seed)
    played = []
    for number in range(60):
        players = rng.sample([A, B, C, D], 4)
        sides = rng.choice(
            [
                [[players[0]], [players[1]]],
                [[p] for p in players],
                [[p] for p in players[:3]],
                [players[:2], players[2:]],
            ]
        )
        played.append(result(number, sides, [rng.randint(1, 3) for _ in sides]))
    env = package.TrueSkill(tau=0, draw_probability=draw_probability(played))
    beliefs = {player: env.create_rating() for player in (A, B, C, D)}

    for one in played:
        for after in env.rate([{p: beliefs[p] for p in side} for side in one.sides], list(one.ranks)):
            beliefs.update(after)

    rated = rate(reversed(played)).ratings
    for player, belief in beliefs.items():
        assert rated[player][:2] == pytest.approx((belief.mu, belief.sigma), abs=1e-3)


@pytest.mark.parametrize("sides", [[[A], [B]], [[A], [B], [C]], [[A, B], [C, D]]])
def test_five_thousand_wins_and_then_a_loss_give_finite_numbers(sides: list[list[Entrant]]) -> None:
    length = 5000 if len(sides) == 2 else 500
    ranks = list(range(1, len(sides) + 1))
    played = [result(n, sides, ranks) for n in range(length)] + [result(length, sides, ranks[::-1])]

    rated = rate(played).ratings

    assert all(math.isfinite(rating.value) and rating.error > 0 for rating in rated.values())
    assert rated[A].value > rated[C if len(sides) == 2 and C in sides[1] else sides[-1][0]].value


@pytest.mark.parametrize("ranks", [[2, 1], [1, 1]])
def test_a_gap_at_which_the_package_gives_up_is_rated(ranks: list[int]) -> None:
    with pytest.raises(FloatingPointError):
        package.TrueSkill(tau=0).rate([(package.Rating(500, 1),), (package.Rating(0, 1),)], [2, 1])

    (strong,), (weak,) = Rater(0.1).update([[Skill(500, 1)], [Skill(0, 1)]], ranks)

    assert strong.mu < 500
    assert weak.mu > 0
    assert 0 < strong.sigma < 1
    assert 0 < weak.sigma < 1


def moments(t: float, low: float, high: float) -> tuple[float, float]:
    """By how much a normal variable of mean t and variance 1 moves and shrinks if it lies in low … high.

    Simpson's rule, with weights relative to the likeliest point, so that no tail is too thin.
    """
    peak = min(max(t, low), high)
    low, high = max(low, peak - 12), min(high, peak + 12)
    slope = max(1.0, abs(peak - t))
    low, high = max(low, peak - 40 / slope), min(high, peak + 40 / slope)
    steps = 20_000
    mass = first = second = 0.0
    for i in range(steps + 1):
        u = low - peak + (high - low) * i / steps
        weight = math.exp(-u * (peak - t) - u * u / 2) * (1 if i in (0, steps) else 4 if i % 2 else 2)
        mass, first, second = mass + weight, first + weight * u, second + weight * u * u
    mean = first / mass
    return peak - t + mean, 1.0 - (second / mass - mean * mean)


@pytest.mark.parametrize("t", [-400.0, -36.0, -35.0, -34.9, -5.0, 0.0, 3.0])
def test_the_moments_of_a_win_are_those_of_the_truncated_normal(t: float) -> None:
    v, w = moments(t, 0.5, math.inf)

    assert truncated.win(t, 0.5)[0] == pytest.approx(v, rel=1e-8)
    assert truncated.win(t, 0.5)[1] == pytest.approx(w, rel=1e-6)


@pytest.mark.parametrize("t", [-300.0, -40.0, -3.0, 0.0, 0.5, 36.0, 300.0])
@pytest.mark.parametrize("e", [0.01, 0.5, 2.5])
def test_the_moments_of_a_draw_are_those_of_the_truncated_normal(t: float, e: float) -> None:
    v, w = moments(t, -e, e)

    assert truncated.draw(t, e)[0] == pytest.approx(v, rel=1e-8, abs=1e-9)
    assert truncated.draw(t, e)[1] == pytest.approx(w, rel=1e-6)


def test_the_order_in_which_results_arrive_does_not_matter() -> None:
    played = [result(n, [[A], [B], [C]], random.Random(n).sample([1, 2, 3], 3)) for n in range(50)]
    mixed = random.Random(0).sample(played, len(played))

    for name in ratings.available():
        assert ratings.rate(name, played) == ratings.rate(name, mixed)


def test_the_draw_probability_is_the_share_of_results_that_tie() -> None:
    drawn = [result(0, [[A], [B]], [1, 1]), *(result(n, [[A], [B]], [1, 2]) for n in (1, 2, 3))]

    assert draw_probability(drawn) == 0.25


def test_with_more_sides_neighbours_in_the_order_are_counted() -> None:
    """First, then two who share second, then fourth: one tie among three pairs of neighbours."""
    assert draw_probability([result(0, [[A], [B], [C], [D]], [1, 2, 2, 4])]) == pytest.approx(1 / 3)


def test_forfeits_say_nothing_about_draws() -> None:
    assert draw_probability([result(0, [[A], [B]], [1, 1], [A, B])]) == 0.0


def test_nothing_but_draws_is_rated_as_equal() -> None:
    rated = rate([result(n, [[A], [B]], [1, 1]) for n in range(20)]).ratings

    assert rated[A].value == pytest.approx(rated[B].value)


def test_a_forfeit_moves_the_offender_and_nobody_else() -> None:
    fair = [result(n, [[A], [B], [C]], [1, 2, 3]) for n in range(10)]
    crash = [result(n, [[A], [B], [C]], [3, 1, 2], [A]) for n in range(10, 15)]

    without, with_crashes = rate(fair).ratings, rate([*fair, *crash]).ratings

    assert with_crashes[A].value < without[A].value
    assert (with_crashes[B], with_crashes[C]) == (without[B], without[C])


def test_a_bots_later_crashes_do_not_change_what_its_other_matches_are_worth() -> None:
    """An opponent's fair win is rated against the bot as it plays, not as it crashes."""
    crash = [result(n, [[A], [B]], [2, 1], [A]) for n in range(5)]
    fair = [result(n, [[A], [C]], [2, 1]) for n in range(5, 10)]

    assert rate([*crash, *fair]).ratings[C] == rate(fair).ratings[C]


def test_the_partner_of_an_offender_does_not_pay() -> None:
    fair = [result(0, [[A, B], [C, D]], [1, 2])]
    crash = [result(1, [[A, B], [C, D]], [2, 1], [A])]

    without, rated = rate(fair).ratings, rate([*fair, *crash]).ratings

    assert rated[A].value < without[A].value
    assert {p: rated[p] for p in (B, C, D)} == {p: without[p] for p in (B, C, D)}


def test_crashing_never_pays() -> None:
    """Where both crash, both lose."""
    rated = rate([result(0, [[A], [B]], [1, 1], [A, B])]).ratings

    assert rated[A].value < 25
    assert rated[B].value < 25


def test_mean_score_has_an_error_over_deals() -> None:
    """Two results on one deal count as one observation."""
    played = [result(n, [[A], [B]], [1, 2]) for n in range(4)]
    alike = [one._replace(deal=f"toy/{n // 2}", scores=(float(n // 2), 0.0)) for n, one in enumerate(played)]

    rated = ratings.rate("mean_score", alike)

    assert rated[A] == pytest.approx((0.5, 0.5, 0.5))


def test_every_method_in_the_folder_has_a_heading() -> None:
    assert ratings.available() == ["mean_score", "plackett_luce", "trueskill"]
    assert all("ordered by" in ratings.method(name).TITLE for name in ratings.available())


def test_an_unknown_method_answers_with_the_known_ones() -> None:
    with pytest.raises(
        ratings.UnknownRating, match="unknown rating 'trueskil', did you mean \"trueskill\"\\?"
    ):
        ratings.method("trueskil")
