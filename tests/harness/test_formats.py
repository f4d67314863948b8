"""Schedules: which matches a config makes, in which order, under which ids."""

from __future__ import annotations

import itertools
import tracemalloc
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from harness import formats
from harness.config_values import BotEntry, GameEntry, RunConfig
from harness.formats import round_robin
from harness.luck import deal_luck
from harness.records import BotRef, MatchRecord, MatchSpec
from harness.submissions import Source

DUEL = GameEntry("kozyri-duel")
TEAMS = GameEntry("seven-symbols", '{"seats":4}')
THREE = GameEntry("seven-symbols", '{"seats":3}')


def config_of(
    games: Sequence[GameEntry], bots: int | Sequence[Sequence[str]], seed: int = 5, **options: Any
) -> RunConfig:
    """A config of nameless bots; a number, or the games that each of them plays."""
    plays: list[tuple[str, ...]] = [()] * bots if isinstance(bots, int) else [tuple(g) for g in bots]
    entries = []
    for index, entered in enumerate(plays):
        ref = BotRef(f"bot{index}", f"{index:012}")
        entries.append(BotEntry(ref, Source(ref.name, "file", Path("x.py"), (), ref.version), entered))
    games = [GameEntry(g.name, g.rules if g.load().rules.changed() else "{}") for g in games]
    chosen = round_robin.Options.of(options)
    resolved = {"deals": chosen.deals, "seating": chosen.seating}
    return RunConfig("test", seed, tuple(games), tuple(entries), format_options=resolved)


def specs_of(config: RunConfig) -> list[MatchSpec]:
    return list(itertools.chain.from_iterable(formats.schedule(config)))


def names(spec: MatchSpec) -> list[str]:
    return [ref.name for ref in spec.seats]


@pytest.mark.parametrize("bots", [2, 3, 5])
def test_every_pair_plays_every_deal_from_both_seats(bots: int) -> None:
    specs = specs_of(config_of([DUEL], bots, deals=4))
    played = Counter((spec.deal, *names(spec)) for spec in specs)
    pairs = itertools.permutations([f"bot{i}" for i in range(bots)], 2)

    assert played == {(f"kozyri-duel/{deal}", *pair): 1 for pair in pairs for deal in range(4)}


def test_every_set_of_as_many_bots_as_seats_meets_in_all_rotations() -> None:
    specs = specs_of(config_of([THREE], 4, deals=2))
    line_ups = {frozenset(names(spec)) for spec in specs}
    sits = Counter(
        (spec.deal, spec.line_up, seat, name) for spec in specs for seat, name in enumerate(names(spec))
    )

    assert len(line_ups) == 4
    assert all(len(line_up) == 3 for line_up in line_ups)
    assert len(specs) == 4 * 3 * 2
    assert set(sits.values()) == {1}


def test_all_orders_where_the_config_asks_for_them() -> None:
    specs = specs_of(config_of([THREE], 3, deals=1, seating="all"))

    assert len({tuple(names(spec)) for spec in specs}) == len(specs) == 6


def test_teams_are_two_copies_a_side_on_both_sides() -> None:
    specs = specs_of(config_of([TEAMS], 3, deals=1))

    assert [names(spec) for spec in specs[:2]] == [["bot0", "bot1"] * 2, ["bot1", "bot0"] * 2]
    assert len(specs) == 3 * 2


def test_with_too_few_bots_every_two_meet_in_all_mixed_seatings() -> None:
    specs = specs_of(config_of([THREE], 2, deals=1))

    assert len(specs) == len({tuple(names(spec)) for spec in specs}) == 6
    assert Counter(names(spec).count("bot0") for spec in specs) == {1: 3, 2: 3}


@pytest.mark.parametrize(("games", "bots"), [([DUEL], 5), ([DUEL, TEAMS], 4), ([DUEL, THREE, TEAMS], 3)])
def test_the_order_of_ids_is_the_order_of_play(games: list[GameEntry], bots: int) -> None:
    ids = [spec.id for spec in specs_of(config_of(games, bots, deals=40))]

    assert ids == sorted(ids)
    assert len(set(ids)) == len(ids)
    assert ids[0] == "000001-000001-01"


def test_more_than_99_seatings_keep_their_order() -> None:
    config = config_of([DUEL], 2, deals=1)
    table = formats.tables(config)[0]
    seatings = tuple((index % 2, 1 - index % 2) for index in range(120))
    block = [(table, [formats.DealSet(1, table.bots, 0, seatings)])]
    ids = [spec.id for spec in formats.numbered(config, 1, block)]

    assert ids == sorted(ids)
    assert ids[-1] == "000001-000001-120"


def test_an_id_tells_its_round_set_and_seating() -> None:
    for spec in specs_of(config_of([DUEL, TEAMS], 4, deals=40)):
        number, _, seating = spec.id.split("-")

        assert (int(number), int(seating)) == (spec.round, spec.seating)


def test_a_set_is_one_deal_of_one_line_up_and_stands_together() -> None:
    specs = specs_of(config_of([DUEL, THREE], 4, deals=10))
    sets = [list(group) for _, group in itertools.groupby(specs, key=lambda spec: spec.set_id)]

    assert len({group[0].set_id for group in sets}) == len(sets)
    for group in sets:
        assert (
            len({(spec.game, spec.deal, spec.luck, spec.line_up, frozenset(spec.seats)) for spec in group})
            == 1
        )
        assert [spec.seating for spec in group] == list(range(1, len(group) + 1))
        assert len(group) == (2 if group[0].game == "kozyri-duel" else 3)


def test_after_every_round_and_every_deal_all_line_ups_have_played_as_much() -> None:
    config = config_of([DUEL], 6, deals=100)
    played: Counter[int] = Counter()
    rounds = 0
    for block in formats.schedule(config):
        rounds += 1
        for index, spec in enumerate(block, start=1):
            played[spec.line_up] += 1
            if index % (15 * 2) == 0:
                assert len(set(played.values())) == 1
        assert len(set(played.values())) == 1

    assert rounds > 2
    assert played == dict.fromkeys(range(1, 16), 200)


def test_more_deals_continue_the_same_schedule() -> None:
    """Ids of a run stay when its config asks for more deals, up to its last, cut round."""
    few, many = (specs_of(config_of([DUEL], 4, deals=deals)) for deals in (60, 200))

    assert many[: len(few)] == few


def test_the_games_of_an_event_take_turns() -> None:
    specs = specs_of(config_of([DUEL, TEAMS], 3, deals=5))
    sets = [spec.game for spec in specs if spec.seating == 1]

    assert sets == ["kozyri-duel", "seven-symbols"] * 15


def test_deals_depend_on_seed_game_and_number_only() -> None:
    base = {spec.deal: spec.luck for spec in specs_of(config_of([DUEL], 2, deals=3))}
    more = {spec.deal: spec.luck for spec in specs_of(config_of([THREE, DUEL], 5, deals=6))}
    ruled = [GameEntry("kozyri-duel", '{"deck":"easy"}')]
    other = {spec.deal: spec.luck for spec in specs_of(config_of(ruled, 2, deals=3))}
    reseeded = {spec.deal: spec.luck for spec in specs_of(config_of([DUEL], 2, seed=6, deals=3))}

    assert base == {f"kozyri-duel/{n}": deal_luck(5, "kozyri-duel", n) for n in range(3)}
    assert base.items() <= more.items()
    assert other == base
    assert not set(reseeded.values()) & set(base.values())
    assert all(0 <= luck < 2**53 for luck in more.values())
    assert len(set(more.values())) == len(more)


def test_a_bot_is_left_out_of_the_games_that_it_does_not_play() -> None:
    config = config_of([DUEL, THREE], [["kozyri-duel:2"], ["seven-symbols:3"], [], [], []], deals=2)
    specs = specs_of(config)
    plan = formats.plan(config)

    assert {name for spec in specs if spec.game == "kozyri-duel" for name in names(spec)} == {
        "bot0", "bot2", "bot3", "bot4",
    }  # fmt: skip
    assert [game.left_out for game in plan.games] == [("bot1",), ("bot0",)]
    assert plan.notes == ("bot1 does not play kozyri-duel", "bot0 does not play seven-symbols")


@pytest.mark.parametrize(
    ("games", "bots", "options"),
    [
        ([DUEL], 2, {"deals": 1}),
        ([DUEL], 7, {"deals": 90}),
        ([DUEL, TEAMS], 4, {"deals": 7}),
        ([THREE], 2, {"deals": 3}),
        ([THREE, TEAMS], 5, {"deals": 3, "seating": "all"}),
    ],
)
def test_the_plan_counts_what_the_schedule_plays(
    games: list[GameEntry], bots: int, options: dict[str, Any]
) -> None:
    config = config_of(games, bots, **options)
    specs = specs_of(config)
    plan = formats.plan(config)

    assert plan.matches == len(specs)
    assert plan.sets == len({spec.set_id for spec in specs})
    for game in plan.games:
        mine = [spec for spec in specs if (spec.game, spec.rules) == game.game]
        assert game.extent.matches == len(mine)
        assert game.extent.line_ups == len({spec.line_up for spec in mine})
        assert game.extent.deals == len({spec.deal for spec in mine})
        assert game.extent.per_bot == Counter(name for spec in mine for name in set(names(spec)))


def test_one_bot_alone_is_refused() -> None:
    with pytest.raises(ValueError, match="kozyri-duel needs at least two bots that play it, got bot0"):
        formats.plan(config_of([DUEL], 1))


def test_a_million_matches_are_not_made_before_they_are_asked_for() -> None:
    config = config_of([DUEL], 8, deals=20_000)
    tracemalloc.start()
    rounds = formats.schedule(config)
    first = next(iter(next(rounds)))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert first.id == "000001-000001-01"
    assert formats.plan(config).matches == 1_120_000
    assert peak < 2_000_000


def test_a_format_is_sent_the_records_of_its_own_game() -> None:
    config = config_of([DUEL, THREE], 3, deals=1)
    specs = list(next(formats.schedule(config)))
    records = [MatchRecord(spec, "completed", "won", (), (), ()) for spec in specs]
    mine = formats.OneGame(records, config.games[1])

    assert [record.spec.game for record in mine] == ["seven-symbols"] * 3
    assert list(mine) == list(mine)


def test_a_round_that_nobody_looks_at_is_not_waited_for() -> None:
    """Round robin never goes through the records, so the run need not stop between its rounds.

    Forfeits of a round are counted when the next one has gone out: by then it is over, or nearly.
    """
    counted: list[int] = []

    class Unread:
        def __init__(self, number: int) -> None:
            self.number = number

        def __iter__(self) -> Any:
            raise AssertionError

        def counts(self) -> dict[Any, Any]:
            counted.append(self.number)
            return {}

    rounds = formats.schedule(config_of([DUEL], 6, deals=50))
    total = len(list(next(rounds)))
    for number in itertools.count(1):
        try:
            total += len(list(rounds.send(Unread(number))))
        except StopIteration:
            break
        assert counted == list(range(1, number))

    assert total == 15 * 2 * 50
    assert len(counted) > 1


def test_an_unknown_format_answers_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"unknown format 'robin', .*known: .*round_robin"):
        formats.load("robin")


@pytest.mark.parametrize("name", formats.available())
def test_every_module_of_the_folder_is_a_format(name: str) -> None:
    kind = formats.load(name)

    assert kind.Options() == kind.Options.of({})
    assert callable(kind.rounds)
    assert callable(kind.plan)
