"""More deals, rounds or budget continue a run; its digest is that of a run that had them from the start."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.tournament import CannotContinue
from tests.harness.events import DEALS, SET, Event
from tests.harness.small_runs import digest_of


@pytest.fixture
def event(tmp_path: Path) -> Event:
    return Event(tmp_path)


def test_more_deals_go_on_under_the_same_ids(event: Event) -> None:
    event.run()
    event.change(f"deals = {DEALS}", "deals = 9")
    again = event.run()
    assert again.matches_played == 3 * 3 * SET
    assert not (again.folder / "earlier").exists()
    assert again.digest == digest_of(again.folder) == event.digest_of_fresh_run()


def test_more_deals_of_several_games_that_take_turns_are_renumbered(tmp_path: Path) -> None:
    event = Event(tmp_path)
    cut = 'rules = { cap = 30, cap_result = "fewest_cards" }'
    games = "".join(
        f'[[games]]\nname = "kozyri-duel"\nrules = {{ cap = {cap}, cap_result = "fewest_cards" }}\n'
        for cap in (20, 30)
    )
    event.head = event.head.replace('game = "kozyri-duel"\n', "").replace(cut, "") + games
    event.run()
    event.change(f"deals = {DEALS}", "deals = 9")
    again = event.run()
    assert again.matches_played == 2 * 3 * 3 * SET
    assert again.digest == digest_of(again.folder) == event.digest_of_fresh_run()


@pytest.mark.parametrize(
    ("form", "before", "after"),
    [
        ('name = "swiss", deals = 2, rounds = 2', "rounds = 2", "rounds = 4"),
        ('name = "swiss", deals = 1', ", deals = 1", ", deals = 1, rounds = 7"),
        ('name = "ladder", deals = 1, rounds = 4', "rounds = 4", "rounds = 9"),
        ('name = "adaptive", deals = 2, budget = 33', "budget = 33", "budget = 50"),
        ('name = "compare", deals = 7, first = 4', "deals = 7", "deals = 20"),
        ('name = "gauntlet", deals = 3', "deals = 3", "deals = 5"),
    ],
)
def test_a_run_with_more_of_it_goes_on_and_plays_only_what_is_missing(
    tmp_path: Path, form: str, before: str, after: str
) -> None:
    event = Event(tmp_path, bots=2 if "compare" in form else 5, form=form)
    first = event.run()
    event.change(before, after)
    again = event.run()

    assert again.matches_total > first.matches_total
    assert again.matches_played == again.matches_total - first.matches_total
    assert not (again.folder / "earlier").exists()
    assert again.digest == digest_of(again.folder) == event.digest_of_fresh_run()


def test_more_rounds_of_several_games_are_taken_over_and_gone_on_with(tmp_path: Path) -> None:
    event = Event(tmp_path, bots=4, form='name = "swiss", deals = 1, rounds = 2')
    cut = 'rules = { cap = 30, cap_result = "fewest_cards" }'
    games = "".join(
        f'[[games]]\nname = "kozyri-duel"\nrules = {{ cap = {cap}, cap_result = "fewest_cards" }}\n'
        for cap in (20, 30)
    )
    event.head = event.head.replace('game = "kozyri-duel"\n', "").replace(cut, "") + games
    first = event.run()
    event.change("rounds = 2", "rounds = 3")
    again = event.run()

    assert (again.matches_taken, again.matches_played) == (first.matches_total, first.matches_total // 2)
    assert again.digest == digest_of(again.folder) == event.digest_of_fresh_run()


def test_a_number_that_was_the_default_may_be_written_out(tmp_path: Path) -> None:
    event = Event(tmp_path, bots=4, form='name = "swiss", deals = 1')
    first = event.run()
    event.change(", deals = 1", ", deals = 1, rounds = 3")
    again = event.run()

    assert (again.already_complete, again.digest) == (True, first.digest)


@pytest.mark.parametrize(
    ("form", "before", "after", "why"),
    [
        ('name = "ladder", deals = 1, rounds = 4', "rounds = 4", "rounds = 3", "more of it would go on"),
        ('name = "swiss", deals = 1', ", deals = 1", ", deals = 1, rounds = 1", "more of it would go on"),
        ('name = "swiss", deals = 1, rounds = 2', "deals = 1", "deals = 2", "points come from encounters"),
        ('name = "knockout", deals = 1', "deals = 1", "deals = 2", "who is through follows"),
        ('name = "knockout", deals = 1', ", deals = 1", ", deals = 1, playoffs = 6", "a tie that seeds have"),
        ('name = "adaptive", deals = 1, budget = 9', "deals = 1", "deals = 2", "the first order rests on"),
    ],
)
def test_what_would_make_another_schedule_is_refused_and_the_line_below_says_why(
    tmp_path: Path, form: str, before: str, after: str, why: str
) -> None:
    event = Event(tmp_path, form=form)
    digest = event.run().digest
    event.change(before, after)

    with pytest.raises(CannotContinue, match=rf"  format\.\w+  \d+ -> \d+\n +{why}"):
        event.run()
    assert digest_of(event.folder / "run") == digest
