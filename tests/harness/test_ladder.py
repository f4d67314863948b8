"""Ladders: who meets whom, and what is learnt from it."""

from __future__ import annotations

import dataclasses
import itertools
from collections import Counter

import pytest

from harness import formats
from harness.format_laws import check_format, follow
from harness.formats import ladder
from harness.formats.ladder import Ladder, gain, surer
from harness.made_up import made_up
from harness.ratings.trueskill import Rater, Skill
from harness.records import Fault, MatchRecord, MatchSpec
from tests.harness.format_configs import DUEL, THREE, config_for, table_for


def after(contest: Ladder, records: list[list[MatchRecord]]) -> Ladder:
    for found in records:
        assert contest.deal_sets()
        contest.take(found)
    return contest


def test_everybody_enters_with_the_same_open_belief_and_plays_in_the_first_round() -> None:
    contest = Ladder(table_for("ladder", DUEL, 8))
    first = contest.deal_sets()

    assert set(contest.skills) == {Skill()}
    assert sorted(ref.name for deal_set in first for ref in deal_set.bots) == sorted(2 * "abcdefgh")


def test_more_is_played_where_places_are_close() -> None:
    config = config_for("ladder", DUEL, 4, rounds=40, deals=2)
    strengths = {"a": 9.0, "b": 3.1, "c": 3.0, "d": -9.0}
    trace = follow(config, made_up(config, strengths))
    sets = Counter(frozenset(ref.name for ref in spec.seats) for spec in trace.specs)

    assert sets.most_common(1)[0][0] == frozenset("bc")
    assert sets[frozenset("ad")] < sets[frozenset("bc")] / 4


def test_the_ladder_finds_the_order() -> None:
    config = config_for("ladder", THREE, 6, rounds=30)
    trace = check_format(config)
    records = list(itertools.chain.from_iterable(trace.records))

    assert [row[1] for row in formats.summaries(config, records)[THREE].rows] == list("abcdef")


def test_the_number_of_deal_sets_is_what_the_options_say() -> None:
    config = config_for("ladder", DUEL, 5, rounds=7, encounters=3, deals=4)

    assert len({spec.set_id for spec in check_format(config).specs}) == 7 * 3 * 4


def test_two_that_meet_again_have_new_deals() -> None:
    trace = check_format(config_for("ladder", DUEL, 2, rounds=5, deals=2))

    assert [spec.deal for spec in trace.specs[::2]] == [f"kozyri-duel/{deal}" for deal in range(10)]


def test_a_forfeit_lowers_the_offender_alone() -> None:
    config = config_for("ladder", DUEL, 2, rounds=1, deals=1)
    win = made_up(config, luck=0.0, draws=0.0)

    def crash(spec: MatchSpec) -> MatchRecord:
        record = win(spec)
        seats = tuple(
            dataclasses.replace(seat, faults=(Fault(0, "crash", ""),)) if seat.bot.name == "b" else seat
            for seat in record.seats
        )
        return dataclasses.replace(record, status="forfeit", reason=None, seats=seats)

    contest = after(Ladder(table_for("ladder", DUEL, 2)), follow(config, crash).records)

    assert contest.skills[0] == Skill()
    assert contest.skills[1].mu < Skill().mu


@pytest.mark.parametrize("ahead", [0.0, 3.0, 10.0])
def test_an_encounter_is_expected_to_teach_less_the_surer_its_end(ahead: float) -> None:
    assert gain(Skill(25, 4), Skill(25 + ahead, 4)) > gain(Skill(25, 4), Skill(26 + ahead, 4))
    assert gain(Skill(25, 6), Skill(25 + ahead, 4)) > gain(Skill(25, 4), Skill(25 + ahead, 4))


def test_what_an_even_encounter_is_expected_to_teach_is_what_a_win_teaches() -> None:
    one, other = Skill(25, 5), Skill(25, 3)
    won = Rater(0.0).update([[one], [other]], [1, 2])

    assert surer(one, other).sigma == pytest.approx(won[0][0].sigma)
    assert surer(other, one).sigma == pytest.approx(won[1][0].sigma)


def test_the_plan_is_exact_in_all_but_who_plays_how_much() -> None:
    plan = ladder.plan(table_for("ladder", DUEL, 9, rounds=10, deals=3))

    assert not plan.at_most
    assert plan.sets == 10 * 4 * 3
