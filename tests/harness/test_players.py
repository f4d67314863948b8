"""Players: how a bot in this process is started, asked, timed and blamed, and the double that scripts one."""

from __future__ import annotations

import gc
import inspect
from random import Random
from time import thread_time_ns
from typing import Any

import pytest

import engines
from bots import Bot, Clock, Seen
from engines.core.game import Game
from harness.players import BotFault, LocalPlayer, Player, ScriptedPlayer
from harness.players.local import described
from tests.bots import rogues
from tests.bots.rogues import AnyView, Honest

DUEL = engines.load("kozyri-duel", deck="easy")


def asked(player: Player, **changes: Any) -> int:
    """What a player answers at the start of a deal."""
    state = DUEL.deal(7)
    moves = [DUEL.table[i] for i in state.moves()]
    arguments: dict[str, Any] = {"view": DUEL.view(state, 0), "moves": moves, "news": [], "clock": Clock()}
    return player.act(**{**arguments, **changes})


def started(kind: type[Bot[Any]], **options: Any) -> LocalPlayer:
    player = LocalPlayer(kind, options)
    player.start(DUEL, 0, 1)
    return player


def test_a_bot_whose_init_does_not_call_the_bases_has_game_seat_and_rng_all_the_same() -> None:
    class Own(Bot[AnyView]):
        def __init__(self, game: Game[Any, Any], seat: int, rng: Random, n: int) -> None:
            self.n = n

        def act(self, seen: Seen[AnyView]) -> int:
            assert self.game.rules == DUEL.rules
            assert self.seat == 0
            return self.rng.choice([seen.moves[self.n]])

    assert asked(started(Own, n=2)) == DUEL.deal(7).moves()[2]


def test_a_failure_to_start_is_told_as_such() -> None:
    with pytest.raises(BotFault, match=r"did not start: raised FileNotFoundError: weights\.bin") as caught:
        started(rogues.FailsToStart)

    assert caught.value.kind == "start"


def test_an_unknown_option_is_a_failure_to_start() -> None:
    with pytest.raises(BotFault, match=r"did not start: .*: Honest takes no options, got \['n'\]"):
        started(Honest, n=2)


def test_history_is_the_news_put_together() -> None:
    class Remembers(Bot[AnyView]):
        def act(self, seen: Seen[AnyView]) -> int:
            lengths.append((len(seen.news), len(seen.history)))
            return seen.moves[0]

    lengths: list[tuple[int, int]] = []
    player = started(Remembers)
    move = DUEL.table[0]
    for news in ([], [(0, move), (1, move)], [(0, move)]):
        asked(player, news=news)

    assert lengths == [(0, 0), (2, 2), (1, 3)]


def test_with_raise_faults_the_bots_own_exception_comes_through() -> None:
    player = LocalPlayer(rogues.RaisesAtOnce, raise_faults=True)
    player.start(DUEL, 0, 1)

    with pytest.raises(KeyError):
        asked(player)


@pytest.mark.parametrize(("person", "raised"), [(True, KeyboardInterrupt), (False, BotFault)])
def test_a_keyboard_interrupt_that_no_person_sent_is_the_bots_own(
    person: bool, raised: type[BaseException]
) -> None:
    class Interrupts(Bot[AnyView]):
        def act(self, seen: Seen[AnyView]) -> int:
            raise KeyboardInterrupt

    player = LocalPlayer(Interrupts, interrupted=lambda: person)
    player.start(DUEL, 0, 1)

    with pytest.raises(raised):
        asked(player)


@pytest.mark.parametrize("clock", [Clock(), Clock(decision=1.0), Clock(bank=1.0)])
def test_a_slow_decision_is_timed_with_and_without_a_limit(clock: Clock) -> None:
    player = started(rogues.Burns)
    for _ in range(2):
        asked(player, clock=clock)

    assert 45e6 < player.cpu_ns < 500e6


def test_an_exception_without_text_or_place_is_still_one_line() -> None:
    assert described(ZeroDivisionError()) == "ZeroDivisionError"
    assert described(ValueError("two\nlines")) == "ValueError: two lines"
    assert len(described(ValueError("x" * 10_000))) < 400


def test_an_exception_whose_text_ends_programs_is_told_like_any_other() -> None:
    class Deadly(Exception):
        def __str__(self) -> str:
            raise SystemExit

    class Thrower(Bot[AnyView]):
        def act(self, seen: Seen[AnyView]) -> int:
            raise Deadly

    with pytest.raises(BotFault, match=r"raised Deadly: \(its text cannot be shown\)") as caught:
        asked(started(Thrower))
    assert caught.value.kind == "exception"


def test_what_is_returned_need_not_be_fit_to_be_shown() -> None:
    class Nester(Bot[AnyView]):
        def act(self, seen: Seen[AnyView]) -> Any:
            nested: list[Any] = []
            for _ in range(100_000):
                nested = [nested]
            return nested

    with pytest.raises(BotFault, match=r"returned what cannot be shown \(list\), which is no move") as caught:
        asked(started(Nester))
    assert caught.value.kind == "wrong_type"


def test_a_script_is_played_by_names_and_numbers_and_then_first_moves() -> None:
    legal = DUEL.deal(7).moves()
    player = ScriptedPlayer([DUEL.table[legal[2]].name, legal[1], BotFault("crash", "went away")])
    player.start(DUEL, 0, 1)

    assert [asked(player), asked(player)] == [legal[2], legal[1]]
    with pytest.raises(BotFault, match="went away"):
        asked(player)
    assert asked(player) == legal[0]
    assert len(player.shown) == 4


def test_a_fault_names_the_bots_own_line_and_not_the_library_it_called() -> None:
    class Careless(Bot[AnyView]):
        def act(self, seen: Seen[AnyView]) -> int:
            return self.rng.choice([])

    line = inspect.getsourcelines(Careless)[1] + 2
    with pytest.raises(BotFault, match=rf"raised IndexError: .* \(test_players\.py line {line}\)$"):
        asked(started(Careless))


def test_a_fault_outside_the_bots_files_names_no_line() -> None:
    with pytest.raises(BotFault) as caught:
        started(Honest, n=2)
    assert " line " not in caught.value.detail


def test_what_a_bot_says_cannot_steer_a_terminal() -> None:
    class Painter(Bot[AnyView]):
        def act(self, seen: Seen[AnyView]) -> int:
            raise ValueError("\x1b[31mred\x07 \ud800")

    with pytest.raises(BotFault) as caught:
        asked(started(Painter))
    assert r"ValueError: \x1b[31mred\x07 \ud800 (test_players.py" in caught.value.detail


def test_a_search_of_all_memory_for_garbage_is_charged_to_no_bot() -> None:
    class Unlucky(Bot[AnyView]):
        collecting = 0

        def act(self, seen: Seen[AnyView]) -> int:
            began = thread_time_ns()
            gc.collect()
            self.collecting += thread_time_ns() - began
            return int(seen.moves[0])

    heap = [[number] for number in range(200_000)]
    before = list(gc.callbacks)
    player = started(Unlucky)
    asked(player, clock=Clock(decision=10.0))
    player.close()

    assert 0 <= player.cpu_ns < player._bot.collecting / 2  # type: ignore[attr-defined]  # it is an Unlucky
    assert gc.callbacks == before
    assert len(heap) == 200_000


def test_a_search_of_what_was_made_lately_is_charged() -> None:
    class Wasteful(Bot[AnyView]):
        spent = 0

        def act(self, seen: Seen[AnyView]) -> int:
            began = thread_time_ns()
            gc.disable()
            lately = [[number] for number in range(200_000)]
            gc.collect(0)
            gc.enable()
            self.spent += thread_time_ns() - began
            return int(seen.moves[len(lately) - 200_000])

    player = started(Wasteful)
    asked(player, clock=Clock(decision=10.0))
    player.close()

    assert player.cpu_ns >= player._bot.spent  # type: ignore[attr-defined]  # it is a Wasteful
