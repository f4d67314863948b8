"""What a forfeit is worth (docs: a fault of a bot)."""

from __future__ import annotations

import pytest

from engines.core.game import Outcome
from harness.verdict import ends_match, verdict

DUEL = (0, 1)
TEAMS = (0, 1, 0, 1)
THREE = (0, 1, 2)
FOUR = (0, 1, 2, 3)


def test_without_a_forfeit_the_cards_decide() -> None:
    outcome = Outcome((3.0, 7.0, 2.0), (2, 1, 3), THREE, "won")

    assert verdict(THREE, (0.0, 7.0), (), outcome) == ((3.0, 7.0, 2.0), (2, 1, 3))


@pytest.mark.parametrize(("stakes"), [(0.0, 1.0), (-1.0, 1.0), (0.0, 7.0)])
def test_of_two_sides_the_other_wins_by_the_stakes_of_the_game(stakes: tuple[float, float]) -> None:
    assert verdict(DUEL, stakes, {1}, None) == ((stakes[1], stakes[0]), (1, 2))


def test_a_team_forfeits_as_one() -> None:
    assert verdict(TEAMS, (0.0, 7.0), {0}, None) == ((0.0, 7.0, 0.0, 7.0), (2, 1, 2, 1))


@pytest.mark.parametrize("sides", [DUEL, TEAMS])
def test_two_sides_at_fault_get_nothing_and_equal_places(sides: tuple[int, ...]) -> None:
    assert verdict(sides, (-1.0, 1.0), {0, 1}, None) == ((0.0,) * len(sides), (1,) * len(sides))


def test_with_more_sides_the_offender_is_last_whatever_the_cards_say() -> None:
    outcome = Outcome((5.0, 3.0, 2.0), (1, 2, 3), THREE, "won")

    assert verdict(THREE, (0.0, 7.0), {0}, outcome) == ((0.0, 3.0, 2.0), (3, 1, 2))


def test_the_offender_is_below_others_that_have_the_lowest_score_too() -> None:
    outcome = Outcome((1.0, 0.0, 1.0, 1.0), (1, 4, 1, 1), FOUR, "won")

    assert verdict(FOUR, (0.0, 1.0), {2}, outcome) == ((1.0, 0.0, 0.0, 1.0), (1, 3, 4, 1))


def test_two_offenders_of_four_share_the_last_place() -> None:
    outcome = Outcome((1.0, 0.0, 1.0, 1.0), (1, 4, 1, 1), FOUR, "won")

    assert verdict(FOUR, (-1.0, 1.0), {2, 3}, outcome) == ((1.0, 0.0, -1.0, -1.0), (1, 2, 3, 3))


def test_all_of_many_sides_at_fault_share_the_lowest_score() -> None:
    assert verdict(THREE, (0.0, 7.0), {0, 1, 2}, None) == ((0.0, 0.0, 0.0), (1, 1, 1))


def test_a_match_stops_when_one_of_two_sides_or_everybody_has_forfeited() -> None:
    assert not ends_match(DUEL, set())
    assert ends_match(DUEL, {1})
    assert ends_match(TEAMS, {0})
    assert not ends_match(THREE, {0, 1})
    assert ends_match(THREE, {0, 1, 2})
