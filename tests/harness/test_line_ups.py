"""Line-ups: all of them, or a sample in which everybody plays and meets everybody alike."""

from __future__ import annotations

import itertools
import math
from random import Random

import pytest

from harness import line_ups
from harness.designs import Exchanges, Turns
from harness.line_ups import MOST, choose, count, even_games, sample, spread

SIZES = [(bots, size) for size in (2, 3, 4, 5) for bots in range(size, 17)]
"""Every number of bots up to 16 at tables of two to five; four are also the two teams of two."""


@pytest.mark.parametrize(("bots", "size"), SIZES)
def test_what_is_played_by_default_is_exactly_even(bots: int, size: int) -> None:
    chosen = list(choose(bots, size))
    even = spread(bots, chosen)

    assert len(chosen) == len(set(chosen)) == count(bots, size) <= max(MOST, 1)
    assert all(tuple(sorted(set(line_up))) == line_up and len(line_up) == size for line_up in chosen)
    assert even.games[0] == even.games[1]
    assert even.meetings[0] == even.meetings[1]


@pytest.mark.parametrize(("bots", "size"), SIZES)
@pytest.mark.parametrize("share", [0.2, 0.7])
def test_in_any_sample_games_are_equal_within_one(bots: int, size: int, share: float) -> None:
    number = max(1, min(40, round(share * math.comb(bots, size))))
    chosen = sample(bots, size, number)
    least, most = spread(bots, chosen).games

    assert len(set(chosen)) == len(chosen) == number
    assert most - least <= 1


@pytest.mark.parametrize(
    ("bots", "size", "number", "meetings"),
    [
        (7, 3, 7, 1),  # the Fano plane
        (9, 3, 12, 1),  # the affine plane of order 3
        (8, 4, 14, 3),
        (13, 4, 13, 1),  # the projective plane of order 3
        (16, 4, 20, 1),  # the affine plane of order 4
        (11, 5, 11, 2),  # the biplane
        (16, 5, 48, 4),
    ],
)
def test_designs_that_are_known_to_exist_are_found(bots: int, size: int, number: int, meetings: int) -> None:
    assert spread(bots, sample(bots, size, number)).meetings == (meetings, meetings)


@pytest.mark.parametrize(("bots", "size", "number"), [(12, 4, 9), (16, 3, 16), (10, 5, 6), (16, 4, 12)])
def test_meetings_are_within_one_where_they_cannot_be_equal(bots: int, size: int, number: int) -> None:
    least, most = spread(bots, sample(bots, size, number)).meetings

    assert most - least == 1


def test_more_than_half_of_all_is_as_even_as_what_is_left_out() -> None:
    chosen = sample(9, 3, math.comb(9, 3) - 12)

    assert spread(9, chosen).meetings == (6, 6)


def test_a_sample_is_the_same_wherever_it_is_made() -> None:
    """Pinned: another sample under the same config would not continue an old run."""
    assert sample(7, 3, 7) == (
        (0, 1, 3), (0, 2, 6), (0, 4, 5), (1, 2, 4), (1, 5, 6), (2, 3, 5), (3, 4, 6),
    )  # fmt: skip


@pytest.mark.parametrize("kind", [Exchanges, Turns])
def test_a_search_knows_how_uneven_it_is(kind: type[Exchanges | Turns]) -> None:
    """The running figure is what counting anew gives, after any steps."""
    search = kind(12, 4, 24, Random(3))
    for step in range(300):
        search.step(3.0)
        if step % 50 == 0:
            found = search.line_ups()
            met = [
                sum(one in line_up and other in line_up for line_up in found)
                for one, other in itertools.combinations(range(12), 2)
            ]
            assert len(set(found)) == 24
            assert {sum(bot in line_up for line_up in found) for bot in range(12)} == {8}
            assert search.uneven == sum(n * n for n in met) - (54 * 2**2 + 12 * 3**2)


def test_all_line_ups_of_many_bots_are_not_made_at_once() -> None:
    assert next(choose(60, 5, math.comb(60, 5))) == (0, 1, 2, 3, 4)


def test_a_sample_must_be_possible() -> None:
    with pytest.raises(ValueError, match="expected 1 to 35 line-ups of 3 of 7 bots, got 36"):
        sample(7, 3, 36)


@pytest.mark.parametrize(("bots", "size", "step"), [(7, 3, 7), (16, 4, 4), (10, 5, 2), (9, 2, 9)])
def test_multiples_of_this_many_line_ups_give_everybody_the_same(bots: int, size: int, step: int) -> None:
    assert even_games(bots, size) == step
    for number in (step, 3 * step):
        least, most = spread(bots, sample(bots, size, number)).games
        assert least == most == number * size // bots


def test_with_very_many_bots_everybody_still_plays() -> None:
    assert count(700, 4) % 175 == 0
    assert count(1201, 4) == 1201
    assert line_ups.count(1201, 4, 30) == 30
