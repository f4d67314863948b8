"""Knock-outs: seeds, byes, play-offs and the third place."""

from __future__ import annotations

import itertools

import pytest

from harness import formats
from harness.config_values import RunConfig
from harness.format_laws import Trace, follow
from harness.formats import Summary, knockout
from harness.made_up import Play, made_up
from harness.records import MatchRecord, MatchSpec
from tests.harness.format_configs import DUEL, config_for, table_for
from tests.harness.test_swiss import pairs_of


def bracket_of(config: RunConfig, trace: Trace) -> Summary:
    return formats.summaries(config, list(itertools.chain.from_iterable(trace.records)))[config.games[0]]


def by_seed(config: RunConfig) -> Play:
    """The higher seed wins every match."""
    return made_up(config, luck=0.0, draws=0.0)


def test_seeds_stand_so_that_the_best_meet_last() -> None:
    assert knockout.bracket(2) == [0, 1]
    assert knockout.bracket(8) == [0, 7, 3, 4, 1, 6, 2, 5]


@pytest.mark.parametrize("size", [2, 4, 8, 16, 32])
def test_if_all_goes_by_seeds_every_stage_has_the_best_that_are_possible(size: int) -> None:
    left = knockout.bracket(size)
    while len(left) > 1:
        pairs = list(zip(left[::2], left[1::2], strict=True))
        assert {one + other for one, other in pairs} == {len(left) - 1}
        left = [min(pair) for pair in pairs]


@pytest.mark.parametrize("bots", range(2, 18))
def test_byes_are_the_top_seeds_and_the_best_wins(bots: int) -> None:
    config = config_for("knockout", DUEL, bots, deals=1, third_place=False)
    trace = follow(config, by_seed(config))
    rounds = pairs_of(trace)
    names = [bot.ref.name for bot in config.bots]
    playing = {name for pair in rounds[0] for name in pair}
    byes = (1 << (bots - 1).bit_length()) - bots

    assert set(names) - playing == set(names[:byes])
    assert sum(map(len, rounds)) == bots - 1
    assert rounds[-1] == [("a", "b")]
    assert bracket_of(config, trace).title == "Knock-out won by a"


def test_a_tie_goes_on_with_new_deals_for_those_two_alone() -> None:
    config = config_for("knockout", DUEL, 4, deals=2, playoffs=3, third_place=False)
    drawn, won = made_up(config, draws=1.0), by_seed(config)

    def play(spec: MatchSpec) -> MatchRecord:
        early = int(spec.deal.split("/")[1]) < 4
        return (drawn if early and {ref.name for ref in spec.seats} == {"b", "c"} else won)(spec)

    trace = follow(config, play)
    deals = [sorted({int(spec.deal.split("/")[1]) for spec in specs}) for specs in trace.rounds]

    assert pairs_of(trace) == [[("a", "d"), ("b", "c")], [("b", "c")], [("b", "c")], [("a", "b")]]
    assert deals == [[0, 1], [2, 3], [4, 5], [6, 7]]
    assert bracket_of(config, trace).rows[1] == (
        "semi-final",
        "b (2)",
        "c (3)",
        "2 : 2, then 2 : 2, then 4 : 0",
        "b",
    )


def test_after_the_last_tie_the_higher_seed_is_through() -> None:
    config = config_for("knockout", DUEL, 3, deals=1, playoffs=1)
    trace = follow(config, made_up(config, draws=1.0))

    assert pairs_of(trace) == [[("b", "c")]] * 2 + [[("a", "b")]] * 2
    assert bracket_of(config, trace).rows[-1][-1] == "a, by seed"


def test_the_losers_of_the_semi_finals_meet_beside_the_final() -> None:
    config = config_for("knockout", DUEL, 6, deals=1)
    trace = follow(config, by_seed(config))

    assert pairs_of(trace)[-1] == [("c", "d"), ("a", "b")]
    assert [row[0] for row in bracket_of(config, trace).rows] == [
        "quarter-final", "quarter-final", "semi-final", "semi-final", "third place", "final",
    ]  # fmt: skip


def test_an_upset_goes_through_as_the_winner() -> None:
    config = config_for("knockout", DUEL, 4, deals=1, third_place=False)
    trace = follow(config, made_up(config, {"a": 0, "b": 1, "c": 2, "d": 3}, luck=0.0, draws=0.0))

    assert pairs_of(trace) == [[("a", "d"), ("b", "c")], [("c", "d")]]
    assert bracket_of(config, trace).title == "Knock-out won by d"


def test_before_the_end_the_bracket_shows_what_is_decided() -> None:
    config = config_for("knockout", DUEL, 4, deals=1)
    trace = follow(config, by_seed(config))
    found = bracket_of(config, Trace(trace.rounds[:1], trace.records[:1]))

    assert found.title == "Knock-out, 2 bots left"
    assert [row[3:] for row in found.rows] == [("2 : 0", "a"), ("2 : 0", "b")]


def test_the_plan_is_the_most_with_every_play_off() -> None:
    plan = knockout.plan(table_for("knockout", DUEL, 6, deals=3, playoffs=2))

    assert plan.at_most
    assert plan.sets == 6 * 3 * 3
    assert not knockout.plan(table_for("knockout", DUEL, 6, deals=3, playoffs=0)).at_most
