"""A game small enough to break on purpose: two hidden cards, two sealed guesses.

Each seat holds a card from 0 to 3 of its own four cards. Seat 0, then seat 1, guesses the other's card;
guesses open when both are in. Whoever alone is right wins.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from engines.core.chance import Stream, event_code
from engines.core.errors import GameNotOver, illegal_move
from engines.core.game import Game, Move, Outcome, View, places
from engines.core.position import Reader, envelope, open_envelope
from engines.core.rules import Rules
from engines.core.state import State

CARDS = event_code("cards")
NAMES = [f"GUESS {card}" for card in range(4)]


def interned() -> tuple[Move, ...]:
    table = []
    for index, name in enumerate(NAMES):
        move = Move(index)
        move.name = name
        table.append(move)
    return tuple(table)


class GuessFields(NamedTuple):
    me: int
    card: int
    guesses: tuple[int | None, ...]
    turn: int


class GuessView(GuessFields, View[Move]):
    __slots__ = ()


class GuessState(State):
    def __init__(self, cards: list[int], guesses: list[int], luck: int) -> None:
        self.cards = cards
        self.guesses = guesses
        self.luck = luck
        self.seat = len(guesses) if len(guesses) < 2 else -1

    def moves(self) -> list[int]:
        return [0, 1, 2, 3] if self.seat >= 0 else []

    def play(self, move: int) -> None:
        if self.seat < 0 or not 0 <= move < 4:
            raise illegal_move(self.seat, move, self.moves(), NAMES)
        self.guesses.append(move)
        self.seat = 1 if len(self.guesses) == 1 else -1

    def copy(self) -> GuessState:
        return type(self)(list(self.cards), list(self.guesses), self.luck)

    def outcome(self) -> Outcome:
        if self.seat >= 0:
            raise GameNotOver("a guess is still to come")
        right = [guess == self.cards[1 - seat] for seat, guess in enumerate(self.guesses)]
        scores = (0.5, 0.5) if right[0] == right[1] else (float(right[0]), float(right[1]))
        return Outcome(scores, places(scores, (0, 1)), (0, 1), "draw" if right[0] == right[1] else "won")


@dataclass(frozen=True)
class GuessRules(Rules):
    """No options."""


class Guess(Game[GuessState, GuessView]):
    name = "tiny-guess"
    rules_type = GuessRules
    seats = 2
    sides = (0, 1)
    stakes = (0.0, 1.0)
    table = interned()
    state_type = GuessState

    def deal(self, luck: int) -> GuessState:
        cards = [int(Stream(luck, CARDS, seat).below(4)) for seat in range(2)]
        return self.state_type(cards, [], luck)

    def view(self, state: GuessState, seat: int) -> GuessView:
        over = state.seat < 0
        guesses = tuple(g if over or s == seat else None for s, g in enumerate(state.guesses))
        return GuessView(seat, state.cards[seat], guesses, state.seat)

    def sample(self, view: GuessView, rng: Random) -> GuessState:
        cards = [rng.randrange(4), rng.randrange(4)]
        cards[view.me] = view.card
        guesses = [rng.randrange(4) if g is None else g for g in view.guesses]
        return self.state_type(cards, guesses, rng.getrandbits(53))

    def position(self, state: GuessState) -> dict[str, Any]:
        turn = None if state.seat < 0 else state.seat
        return envelope(
            self,
            {"cards": list(state.cards), "guesses": list(state.guesses), "turn": turn, "luck": state.luck},
        )

    def from_position(self, data: Mapping[str, Any]) -> GuessState:
        reader = Reader(open_envelope(self, data))
        cards = [reader.whole("cards", card, 0, 3) for card in reader.items("cards", 2)]
        guesses = [reader.whole("guesses", guess, 0, 3) for guess in reader.items("guesses", default=[])]
        reader.value("turn", None)
        state = self.state_type(cards, guesses, reader.integer("luck", 0, 2**53 - 1, 0))
        reader.finish()
        return state

    def view_position(self, view: GuessView) -> dict[str, Any]:
        return {
            "cards": [view.card if seat == view.me else None for seat in range(2)],
            "guesses": list(view.guesses),
            "turn": None if view.turn < 0 else view.turn,
        }

    def public(self, move: Move) -> bool:
        return False
