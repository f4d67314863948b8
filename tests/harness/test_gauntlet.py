"""Gauntlets: challengers against the field."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest

from engines.core.errors import BadRules
from harness.config_values import GameEntry
from harness.format_laws import check_format
from harness.formats import Unservable, gauntlet
from tests.harness.format_configs import DUEL, FOUR, TEAMS, THREE, config_for, table_for


def test_the_first_bot_is_the_challenger_unless_others_are_named() -> None:
    specs = check_format(config_for("gauntlet", DUEL, 4, deals=2)).specs

    assert {frozenset(ref.name for ref in spec.seats) for spec in specs} == {
        frozenset(pair) for pair in ("ab", "ac", "ad")
    }


@pytest.mark.parametrize("game", [DUEL, THREE, FOUR, TEAMS])
def test_at_every_table_is_one_challenger(game: GameEntry) -> None:
    specs = check_format(config_for("gauntlet", game, 7, deals=1, challengers=["b", "f"])).specs

    assert all(len({ref.name for ref in spec.seats} & {"b", "f"}) == 1 for spec in specs)


def test_each_challenger_meets_every_line_up_of_the_field() -> None:
    specs = check_format(config_for("gauntlet", THREE, 6, deals=1, challengers=["a", "b"])).specs
    met = Counter(frozenset(ref.name for ref in spec.seats) for spec in specs)
    fields = itertools.combinations("cdef", 2)

    assert met == {frozenset({head, *field}): 3 for field in fields for head in "ab"}


def test_a_field_too_small_for_the_table_meets_the_challenger_in_pairings() -> None:
    specs = check_format(config_for("gauntlet", FOUR, 3, deals=1)).specs

    assert {frozenset(ref.name for ref in spec.seats) for spec in specs} == {frozenset("ab"), frozenset("ac")}
    assert len(specs) == 2 * 14


def test_of_a_large_field_a_balanced_sample_is_met() -> None:
    plan = gauntlet.plan(table_for("gauntlet", FOUR, 13, deals=1, line_ups=24))

    assert plan.notes == (
        "24 of 220 line-ups of the field for each challenger, as even as was found: 6 for each of its bots",
    )
    assert plan.per_bot["a"] == 24 * 4
    assert {games for name, games in plan.per_bot.items() if name != "a"} == {6 * 4}


def test_a_challenger_that_is_not_there_is_a_mistake() -> None:
    with pytest.raises(Unservable, match="'x' is no bot of this event, known: a, b, c") as caught:
        gauntlet.plan(table_for("gauntlet", DUEL, 3, challengers=["x"]))

    assert caught.value.key == "format.challengers"


def test_challengers_alone_have_nobody_to_meet() -> None:
    with pytest.raises(Unservable, match="kozyri-duel needs a challenger and somebody else"):
        gauntlet.plan(table_for("gauntlet", DUEL, 2, challengers=["a", "b"]))


@pytest.mark.parametrize("wrong", ["a", 3, ["a", 1], ["a", "a"]])
def test_challengers_are_a_list_of_different_names(wrong: object) -> None:
    with pytest.raises(BadRules, match="challengers: expected"):
        gauntlet.Options.of({"challengers": wrong})
