"""Every format keeps the laws, with all kinds of games and numbers of bots; a broken one is found out."""

from __future__ import annotations

import dataclasses
import random
import sys
from collections.abc import Generator, Iterable
from types import ModuleType
from typing import Any

import pytest

from engines.core.rules import Rules
from harness import formats
from harness.config_values import GameEntry
from harness.format_laws import BrokenFormat, check_format
from harness.formats import DealSet, Extent, RoundResults, Table, Unservable
from harness.made_up import made_up
from harness.seating import Seating, pairing
from tests.harness.format_configs import DUEL, GAMES, TEAMS, THREE, config_for

SMALL: dict[str, dict[str, Any]] = {
    "round_robin": {"deals": 2},
    "gauntlet": {"deals": 2, "challengers": ["b"]},
    "swiss": {"deals": 2},
    "knockout": {"deals": 1, "playoffs": 2},
    "ladder": {"rounds": 5, "deals": 2},
    "adaptive": {"deals": 1, "budget": 90, "margin": 0.2},
    "compare": {"deals": 60, "first": 5},
}
"""Options that keep every format short; a new format plays with its defaults."""


@pytest.mark.parametrize(
    "bots", [2, 3, 4, 5, 9, *(pytest.param(bots, marks=pytest.mark.slow) for bots in (6, 7, 8))]
)
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", formats.available())
def test_every_format_keeps_the_laws(name: str, game: str, bots: int) -> None:
    config = config_for(name, GAMES[game], bots, **SMALL.get(name, {}))
    try:
        formats.plan(config)
    except Unservable:
        assert name == "compare"
        assert bots != 2
        return
    check_format(config)


@pytest.mark.parametrize("name", sorted(set(formats.available()) - {"compare"}))
def test_the_games_of_an_event_go_on_side_by_side(name: str) -> None:
    trace = check_format(config_for(name, [DUEL, THREE, TEAMS], 5, **SMALL.get(name, {})))

    assert {spec.game for spec in trace.rounds[0]} == {"kozyri-duel", "seven-symbols"}


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("round_robin", {"deals": 3, "partners": "mixed"}),
        ("round_robin", {"deals": 3, "partners": "mixed", "seating": "all"}),
        ("round_robin", {"deals": 3, "line_ups": 5}),
        ("gauntlet", {"deals": 2, "challengers": ["a", "e"], "line_ups": 3}),
        ("swiss", {"deals": 1, "rounds": 14}),
        ("knockout", {"deals": 1, "playoffs": 0, "third_place": False}),
        ("ladder", {"rounds": 3, "encounters": 9, "deals": 1}),
        ("adaptive", {"deals": 2, "budget": 43, "measure": "places"}),
    ],
)
@pytest.mark.parametrize("game", GAMES)
def test_options_keep_the_laws_too(name: str, options: dict[str, Any], game: str) -> None:
    check_format(config_for(name, GAMES[game], 7, **options))


@pytest.mark.parametrize("name", sorted(set(formats.available()) - {"compare"}))
def test_the_laws_hold_where_every_match_is_a_draw(name: str) -> None:
    config = config_for(name, DUEL, 6, **SMALL.get(name, {}))

    check_format(config, made_up(config, draws=1.0))


# Formats that break a law, each by one change of a sound one


@dataclasses.dataclass(frozen=True)
class Options(Rules):
    """None."""


def sound(table: Table) -> Generator[Iterable[DealSet], RoundResults, None]:
    """Two rounds in which the first two bots meet."""
    for deal in range(2):
        yield [meet(table, deal)]


def meet(table: Table, deal: int, seatings: tuple[Seating, ...] | None = None) -> DealSet:
    return DealSet(1, table.bots[:2], deal, seatings or pairing(table.sides))


def two_sets(table: Table) -> Extent:
    games = {ref.name: 4 * (place < 2) for place, ref in enumerate(table.bots)}
    return Extent(1, 2, 2, 4, games)


def drawing_luck(table: Table) -> Generator[Iterable[DealSet], RoundResults, None]:
    for _ in range(2):
        yield [meet(table, random.randrange(10**6))]


def looking_at_clocks(table: Table) -> Generator[Iterable[DealSet], RoundResults, None]:
    records = list((yield [meet(table, 0)]))
    yield [meet(table, 1 + int(records[0].wall_ms > 0))]


def half_seated(table: Table) -> Generator[Iterable[DealSet], RoundResults, None]:
    for deal in range(4):
        yield [meet(table, deal, ((0, 1),))]


def a_stranger(table: Table) -> Generator[Iterable[DealSet], RoundResults, None]:
    for deal in range(2):
        bots = (table.bots[0], table.bots[1]._replace(name="stranger"))
        yield [DealSet(1, bots, deal, pairing(table.sides))]


def the_same_again(table: Table) -> Generator[Iterable[DealSet], RoundResults, None]:
    for _ in range(2):
        yield [meet(table, 0)]


def nothing_to_play(table: Table) -> Generator[Iterable[DealSet], RoundResults, None]:
    yield [meet(table, 0)]
    yield []
    yield [meet(table, 1)]


def too_much(table: Table) -> Generator[Iterable[DealSet], RoundResults, None]:
    for deal in range(3):
        yield [meet(table, deal)]


def without_end(table: Table) -> Generator[Iterable[DealSet], RoundResults, None]:
    deal = 0
    while True:
        yield [meet(table, deal)]
        deal += 1


def made_once(table: Table) -> Generator[Iterable[DealSet], RoundResults, None]:
    deals = kept
    while deals:
        yield [meet(table, deals.pop())]


kept: list[int] = []


@pytest.mark.parametrize(
    ("rounds", "law"),
    [
        (drawing_luck, "the same records make the same schedule"),
        (looking_at_clocks, "clocks, workers and attempts change nothing"),
        (half_seated, "sits in every seat equally often"),
        (a_stranger, "has a bot of kozyri-duel in each of 2 seats"),
        (the_same_again, "is not 000001-000001-01 again: kozyri-duel/0, the same seats"),
        (nothing_to_play, "round 2 has a match"),
        (too_much, "6 matches are 4, as planned"),
        (without_end, "the schedule ends within 50 rounds"),
        (made_once, "the same records make the same schedule"),
    ],
)
def test_a_broken_format_is_found_out(rounds: Any, law: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("harness.formats.broken")
    vars(module).update(Options=Options, rounds=sound, plan=two_sets)
    monkeypatch.setitem(sys.modules, "harness.formats.broken", module)
    monkeypatch.setattr("harness.formats.core.format.available", lambda: ["broken", "round_robin"])
    config = dataclasses.replace(config_for("round_robin", DUEL, 3), format="broken", format_options={})
    assert len(check_format(config).specs) == 4

    vars(module).update(rounds=rounds)
    kept[:] = [0, 1]
    with pytest.raises(BrokenFormat, match=law):
        check_format(config, most_rounds=50)


def test_a_format_whose_schedule_with_more_begins_otherwise_is_found_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What may grow must leave what was played as it is: here the last of the deals would come first."""

    def backwards(table: Table) -> Generator[Iterable[DealSet], RoundResults, None]:
        yield [meet(table, deal) for deal in reversed(range(table.options.deals))]

    round_robin = formats.load("round_robin")
    config = config_for("round_robin", DUEL, 2, deals=2)
    check_format(config)
    monkeypatch.setattr(round_robin, "rounds", backwards)

    with pytest.raises(BrokenFormat, match="with deals = 3 the schedule begins as with 2"):
        check_format(config)


def test_made_up_matches_are_functions_of_their_specs_and_follow_strength() -> None:
    config = config_for("round_robin", GameEntry("kozyri-duel"), 3, deals=200)
    trace = check_format(config)
    play = made_up(config)
    score = dict.fromkeys("abc", 0.0)
    for records in trace.records:
        for record in records:
            assert play(record.spec) == record
            for seat in record.seats:
                score[seat.bot.name] += seat.score

    assert score["a"] > score["b"] > score["c"]
