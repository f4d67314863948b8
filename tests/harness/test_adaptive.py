"""Adaptive tournaments: deal sets go where the order is in doubt."""

from __future__ import annotations

import dataclasses
import itertools
from collections import Counter
from collections.abc import Mapping

import pytest

from engines.core.errors import BadRules
from harness import formats
from harness.config_values import RunConfig
from harness.format_laws import Trace, check_format, follow
from harness.formats import Summary, Unservable, adaptive
from harness.made_up import made_up
from harness.positions import Positions
from tests.harness.format_configs import DUEL, TEAMS, config_for, table_for


def play(config: RunConfig, strengths: Mapping[str, float], draws: float = 0.1) -> Trace:
    return follow(config, made_up(config, strengths, draws=draws))


def sets_of(trace: Trace) -> Counter[str]:
    """Deal sets of every two."""
    found = {(spec.set_id, "".join(sorted({ref.name for ref in spec.seats}))) for spec in trace.specs}
    return Counter(pair for _, pair in found)


def standing(config: RunConfig, trace: Trace) -> Summary:
    records = list(itertools.chain.from_iterable(trace.records))
    return formats.summaries(config, records)[config.games[0]]


def test_first_every_two_meet_on_the_same_deals() -> None:
    config = config_for("adaptive", TEAMS, 4, deals=5, budget=30)
    trace = play(config, dict(zip("abcd", (3, 2, 1, 0), strict=True)))

    assert len(trace.rounds) == 1
    assert sets_of(trace) == dict.fromkeys(["ab", "ac", "ad", "bc", "bd", "cd"], 5)


def test_what_is_clear_is_not_played_on() -> None:
    config = config_for("adaptive", DUEL, 4, deals=10, budget=2_000)
    trace = play(config, {"a": 6.0, "b": 0.6, "c": 0.0, "d": -6.0}, draws=0.0)
    sets = sets_of(trace)

    assert sets["ab"] == sets["ad"] == sets["cd"] == 10
    assert sets["bc"] > 20


def test_it_ends_when_every_place_is_settled() -> None:
    config = config_for("adaptive", DUEL, 3, deals=10, budget=5_000)
    trace = play(config, {"a": 3.0, "b": 0.0, "c": -1.0})
    found = standing(config, trace)

    assert sum(sets_of(trace).values()) < 1_000
    assert "every place is settled" in found.title
    assert [row[1] for row in found.rows] == ["a", "b", "c"]
    assert [row[3] for row in found.rows] == ["better", "better", ""]


def test_equals_are_shown_to_be_equal_within_the_margin() -> None:
    config = config_for("adaptive", DUEL, 2, deals=10, budget=5_000, margin=0.15)
    trace = play(config, {"a": 0.0, "b": 0.0})
    found = standing(config, trace)

    assert found.rows[0][3] == "equal"
    assert sum(sets_of(trace).values()) < 1_000


def test_the_budget_is_spent_to_the_last_set_where_doubt_remains() -> None:
    config = config_for("adaptive", DUEL, 4, deals=3, budget=101, margin=0.01)
    trace = play(config, dict.fromkeys("abcd", 0.0))

    assert sum(sets_of(trace).values()) == 101
    assert "neighbours still in doubt" in standing(config, trace).title


def from_file(config: RunConfig, count: int) -> RunConfig:
    """The same with so many positions of a file, as reading such a config has it."""
    positions = Positions("some.jsonl", tuple(f'{{"luck":{number}}}' for number in range(count)))
    return dataclasses.replace(
        config, positions=positions, format_options={**config.format_options, "deals": count}
    )


@pytest.mark.parametrize("budget", [70, 500])
def test_no_two_meet_on_a_position_twice_however_large_the_budget_is(budget: int) -> None:
    config = from_file(config_for("adaptive", DUEL, 3, budget=budget, margin=0.01), 30)
    trace = check_format(config, made_up(config, dict.fromkeys("abc", 0.0), draws=0.1))
    met = Counter((spec.line_up, spec.position) for spec in trace.specs)

    assert set(met.values()) == {2}, "one deal set, which has two matches"
    assert max(sets_of(trace).values()) <= 30
    assert formats.plan(config).sets == min(budget, 3 * 30)


def test_where_positions_are_used_up_in_doubt_the_standings_say_so() -> None:
    config = from_file(config_for("adaptive", DUEL, 2, budget=500, margin=0.01), 30)
    trace = play(config, {"a": 0.0, "b": 0.0})

    assert sets_of(trace) == {"ab": 30}
    assert standing(config, trace).title.endswith("still in doubt, and they have met on every position")


def test_positions_are_saved_where_the_order_is_clear() -> None:
    config = from_file(config_for("adaptive", DUEL, 2, budget=500), 400)
    trace = play(config, {"a": 4.0, "b": 0.0})

    assert sets_of(trace) == {"ab": 20}
    assert formats.plan(config).games[0].extent.deals == 400


def test_a_verdict_is_told_from_the_one_above() -> None:
    """The first in the order is named second in the config: the verdict is turned round."""
    config = config_for("adaptive", DUEL, 2, deals=30, budget=500)
    found = standing(config, play(config, {"a": 0.0, "b": 3.0}))
    share = float(found.rows[0][5].split()[0])

    assert found.rows[0][1:4] == ("b", found.rows[0][2], "better")
    assert share == pytest.approx(float(found.rows[0][2]))
    assert share > 80


def test_the_budget_must_be_enough_for_all_to_meet() -> None:
    with pytest.raises(
        Unservable, match="5 bots that all meet on 20 deals of kozyri-duel take 200 deal sets"
    ) as e:
        adaptive.plan(table_for("adaptive", DUEL, 5, budget=199))

    assert e.value.key == "format.budget"


@pytest.mark.parametrize(
    ("option", "value"), [("margin", 0.5), ("margin", 0), ("error", 1.0), ("measure", "elo")]
)
def test_wrong_options_are_told(option: str, value: object) -> None:
    with pytest.raises(BadRules, match=f"{option}: expected"):
        adaptive.Options.of({option: value})
