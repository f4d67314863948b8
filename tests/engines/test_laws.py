"""check_game passes honest games and finds each way to break the contract."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import engines
from engines.core.game import Outcome
from engines.core.laws import LawBroken, check_game, unplain
from engines.core.rules import Rules
from tests.engines.tiny import Guess, GuessRules, GuessState, GuessView

SHORT = {"cap": [12, 60, 300], "max_questions": [3, 12], "target": [1, 3], "win_at": [2, 7], "deals": [1, 2]}
"""Values for whole-number options that keep a test's games short but reach every ending."""


def variants(kind: type[Rules]) -> st.SearchStrategy[Rules]:
    """Any rules that a game can have, its length kept in bounds."""
    options: dict[str, st.SearchStrategy[Any]] = {}
    for field in dataclasses.fields(kind):
        values = [*(field.metadata["choices"] or ()), *SHORT.get(field.name, ())]
        if field.name in ("cap", "max_questions"):
            values = SHORT[field.name]
        options[field.name] = st.sampled_from(values or [field.default])
    return st.fixed_dictionaries(options).map(kind.of)


@pytest.mark.parametrize("name", engines.available())
def test_a_game_keeps_the_laws_with_its_default_rules(name: str) -> None:
    check_game(engines.load(name), lucks=[1])


@pytest.mark.parametrize("name", engines.available())
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data(), luck=st.integers(0, 2**53 - 1))
def test_a_game_keeps_the_laws_with_any_rules(name: str, data: st.DataObject, luck: int) -> None:
    kind = engines.game_type(name)
    check_game(kind(data.draw(variants(kind.rules_type))), lucks=[luck])


def test_the_tiny_game_keeps_the_laws() -> None:
    check_game(Guess(GuessRules()), lucks=range(20))


class Endless(GuessState):
    def play(self, move: int) -> None:
        super().play(move)
        self.guesses.clear()
        self.seat = 0


class LenientState(GuessState):
    def play(self, move: int) -> None:
        if self.seat >= 0:
            self.guesses.append(move % 4)
            self.seat = 1 if len(self.guesses) == 1 else -1
        else:
            super().play(move)


class DamagedState(GuessState):
    def play(self, move: int) -> None:
        try:
            super().play(move)
        except ValueError:
            self.cards[0] = (self.cards[0] + 1) % 4
            raise


class SharedState(GuessState):
    def copy(self) -> GuessState:
        twin = type(self)(self.cards, self.guesses, self.luck)
        twin.guesses = self.guesses
        return twin


class DescendingState(GuessState):
    def moves(self) -> list[int]:
        return list(reversed(super().moves()))


class HastyState(GuessState):
    def outcome(self) -> Outcome:
        return Outcome((0.5, 0.5), (1, 1), (0, 1), "draw") if self.seat >= 0 else super().outcome()


class UnfairState(GuessState):
    def outcome(self) -> Outcome:
        return super().outcome()._replace(places=(1, 2))


class Leaky(Guess):
    def view(self, state: GuessState, seat: int) -> GuessView:
        return super().view(state, seat)._replace(turn=state.seat + 10 * state.cards[1 - seat])


class Thawed(Guess):
    def view(self, state: GuessState, seat: int) -> GuessView:
        return super().view(state, seat)._replace(guesses=list(state.guesses))  # type: ignore[arg-type]


class Wishful(Guess):
    def sample(self, view: GuessView, rng: Random) -> GuessState:
        state = super().sample(view, rng)
        state.cards[view.me] = rng.randrange(4)
        return state


class Unseeded(Guess):
    def sample(self, view: GuessView, rng: Random) -> GuessState:
        state = super().sample(view, rng)
        state.cards[1 - view.me] = Random().randrange(4)
        return state


class Forgetful(Guess):
    def from_position(self, data: Any) -> GuessState:
        state = super().from_position(data)
        state.luck = 0
        return state


class Gambling(Guess):
    def deal(self, luck: int) -> GuessState:
        return super().deal(Random().getrandbits(53))


def with_state(state_type: type[GuessState]) -> Callable[[], Guess]:
    def build() -> Guess:
        game = Guess(GuessRules())
        game.state_type = state_type
        return game

    return build


@pytest.mark.parametrize(
    ("build", "law"),
    [
        (with_state(Endless), "a game ends within"),
        (with_state(LenientState), "is refused"),
        (with_state(DamagedState), "changes nothing"),
        (with_state(SharedState), "leaves the original alone"),
        (with_state(DescendingState), "legal moves ascend"),
        (with_state(HastyState), "an outcome before the end"),
        (with_state(UnfairState), "places follow scores"),
        (lambda: Leaky(GuessRules()), "gives it the same view"),
        (lambda: Thawed(GuessRules()), "plain and frozen"),
        (lambda: Wishful(GuessRules()), "gives it the same view"),
        (lambda: Unseeded(GuessRules()), "the same view and rng"),
        (lambda: Forgetful(GuessRules()), "position.* read.*: luck was"),
        (lambda: Gambling(GuessRules()), "equal luck deals equal games"),
    ],
)
def test_a_broken_law_is_named(build: Callable[[], Guess], law: str) -> None:
    with pytest.raises(LawBroken, match=law) as caught:
        check_game(build(), lucks=range(5), longest=200)

    assert "luck " in str(caught.value)
    assert "moves played: " in str(caught.value)


def test_a_list_deep_in_a_view_is_found() -> None:
    assert unplain((1, ("a", None), 2.0)) is None
    assert unplain((1, ("a", [3]))) == "list [3]"


@pytest.mark.parametrize("name", engines.available())
def test_moves_are_shared_by_all_matches_so_nothing_can_be_changed_on_them(name: str) -> None:
    move = engines.load(name).table[0]

    for change in ("name", "kind", "note"):
        with pytest.raises(AttributeError, match="shared by all matches"):
            setattr(move, change, "other")
    with pytest.raises(AttributeError, match="shared by all matches"):
        del move.name


@pytest.mark.parametrize("name", engines.available())
def test_a_game_can_be_pickled_and_copied(name: str) -> None:
    game = engines.load(name)

    for twin in (pickle.loads(pickle.dumps(game)), copy.copy(game), copy.deepcopy(game)):
        assert twin.rules == game.rules
        assert twin.position(twin.deal(3)) == game.position(game.deal(3))
