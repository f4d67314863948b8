"""Rules of the games with hidden hands for hypothesis, and walks through random games."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from hypothesis import strategies as st

from engines.kozyri.classic import ClassicRules, KozyriClassic
from engines.kozyri.common import Kind
from engines.kozyri.hund import Hund, HundRules

caps = st.sampled_from([1, 7, 60, 400])
seconds = st.sampled_from(["may", "must"])
payoffs = st.sampled_from(["loser", "order"])
classic_rules = st.builds(
    ClassicRules,
    seats=st.sampled_from([2, 3, 4]),
    trumps=st.sampled_from(["fixed", "chosen"]),
    second=seconds,
    draw_requires_beat=st.booleans(),
    payoff=payoffs,
    cap=caps,
)
hund_rules = st.builds(
    HundRules,
    second=seconds,
    queen_followup=st.sampled_from(["opening", "always", "beat_only"]),
    queen_trumps=st.sampled_from(["active", "seats"]),
    payoff=payoffs,
    cap=caps,
)
games: st.SearchStrategy[Hund | KozyriClassic] = st.builds(Hund, hund_rules) | st.builds(
    KozyriClassic, classic_rules
)
lucks = st.integers(0, 2**53 - 1)
seeds = st.integers(0, 999)


def cheap(game: Any, state: Any, rng: Random) -> int:
    """A move that brings games to their end: beat and add if possible, now and then at random."""
    legal: list[int] = state.moves()
    cards = [move for move in legal if game.table[move].kind in (Kind.LEAD, Kind.BEAT, Kind.FREE)]
    if not cards or rng.random() < 0.15:
        return rng.choice(legal)
    return min(cards, key=lambda move: game.table[move].card.rank)


def walk(game: Any, luck: int, seed: int) -> Iterator[tuple[Any, int | None]]:
    """Every state of a game with the move about to be made there, None at the end."""
    rng, state = Random(seed), game.deal(luck)
    while state.seat >= 0:
        move = cheap(game, state, rng)
        yield state, move
        state.play(move)
    yield state, None
