"""`check_bot` finds each way to break the laws of a bot, and says where."""

from __future__ import annotations

import random
from typing import Any, ClassVar

import pytest

from bots import Bot, Seen
from bots.core.claims import Claim
from bots.core.testing import check_bot, tables
from bots.uniform import Uniform
from tests.bots import rogues
from tests.bots.rogues import FAULTS, AnyView, Honest

GAME = ["kozyri-duel"]


def broken(kind: type[Bot[Any]]) -> str:
    with pytest.raises(AssertionError) as caught:
        check_bot(kind, GAME, cap=300)
    return str(caught.value)


def test_honest_bots_pass() -> None:
    check_bot(Honest, GAME, cap=300)
    check_bot(Uniform, GAME, cap=300)


@pytest.mark.parametrize("rogue", FAULTS)
def test_every_rogue_is_found_out_with_its_game_and_deal(rogue: type[Bot[Any]]) -> None:
    assert broken(rogue).startswith(f"{rogue.__name__} in <game kozyri-duel>, luck 0, seat ")


def test_a_bot_without_act_says_so_when_it_is_asked() -> None:
    class Lazy(Bot[AnyView]):
        pass

    assert "Lazy has no act(self, seen)" in broken(Lazy)


def test_an_illegal_move_is_told_with_the_moves_before_and_the_legal_ones() -> None:
    class Late(Bot[AnyView]):
        def act(self, seen: Seen[AnyView]) -> int:
            return -5 if len(seen.history) >= 2 else seen.moves[0]

    assert ", after LEAD " in broken(Late)
    assert ": played move -5; legal here: " in broken(Late)


def test_a_draw_from_the_global_generator_is_found() -> None:
    class Global(Bot[AnyView]):
        def act(self, seen: Seen[AnyView]) -> int:
            return random.choice(seen.moves)

    assert "draws from a global generator" in broken(Global)


def test_a_draw_from_numpys_global_generator_is_found() -> None:
    import numpy as np

    class Global(Bot[AnyView]):
        def act(self, seen: Seen[AnyView]) -> int:
            return seen.moves[int(np.random.randint(len(seen.moves)))]  # noqa: NPY002 - the point

    assert "draws from a global generator" in broken(Global)


def test_luck_of_the_bots_own_making_is_found() -> None:
    class Own(Bot[AnyView]):
        def act(self, seen: Seen[AnyView]) -> int:
            return random.SystemRandom().choice(seen.moves)

    assert "the same rng gave " in broken(Own)


def test_what_outlives_the_object_is_found() -> None:
    class Counts(Bot[AnyView]):
        asked: ClassVar[list[int]] = []

        def act(self, seen: Seen[AnyView]) -> int:
            self.asked.append(1)
            return seen.moves[len(self.asked) % len(seen.moves)]

    assert "something outlives the object" in broken(Counts)


def test_a_changed_list_of_moves_is_found() -> None:
    assert "changed the list of moves" in broken(rogues.Scribbles)


def test_a_bot_is_checked_at_every_number_of_seats_that_it_claims() -> None:
    assert [game.seats for game in tables(Claim("seven-symbols"))] == [4, 3]
    assert [game.seats for game in tables(Claim.parse("seven-symbols:3"))] == [3]


def test_a_bot_without_a_game_to_play_is_refused() -> None:
    with pytest.raises(AssertionError, match="Honest: there is no game that it plays"):
        check_bot(Honest, ["kozyri-duel:5"])


def test_options_reach_the_bot() -> None:
    class Needs(Honest):
        def __init__(self, game: Any, seat: int, rng: Any, *, depth: int) -> None:
            super().__init__(game, seat, rng)
            assert depth == 3

    check_bot(Needs, GAME, options={"depth": 3}, cap=50)
