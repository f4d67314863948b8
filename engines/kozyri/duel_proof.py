"""Exact values of duels: both seats' wins searched for in turn, each with a growing number of nodes.

A win is proved within the attacker's own takes (proof_search.py), tried with 0, 1, 2 … of them, so the
number is the least, and the proof does not rest on repetition. A position is a draw where neither seat can
win with any number of takes, which is rare. With six cards in each suit `solve` looks up the leads on the
empty pile (lead_table.py) and only searches what comes before them.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import thread_time
from typing import Final

from engines.core.bits import indices
from engines.core.game import Move
from engines.core.solution import Solution, Undecided
from engines.kozyri.beating import beaters, suit_mask
from engines.kozyri.duel_state import BEAT_MOVE, LEAD_MOVE, RESPOND, RUNNING, TAKE_MOVE, TRUMP, DuelState
from engines.kozyri.duel_view import TABLE
from engines.kozyri.known_leads import NEVER, KnownLeads
from engines.kozyri.lead_table import RANKS, six_ranks
from engines.kozyri.proof import Proof
from engines.kozyri.proof_search import MOST_TAKES, PROVED, REFUTED, Attack

FIRST_SLICE: Final = 500
"""Nodes of the first try for each seat; every further one gets half as many again."""
LONGEST_SLICE: Final = 20_000
"""Nodes between two looks at the clock."""
DRAWN: Final = -1
"""In place of the seat that wins."""


class Proofs:
    """All that has been proved about one set of cards, trumps and forbidden repetitions."""

    def __init__(self, state: DuelState, table: bytes = b"") -> None:
        """`table` says who wins the leads on the empty pile (lead_table.py), if there is one that fits."""
        self.cards = indices(state.hand0 | state.hand1 | state.pile.mask)
        self.number = {card: index for index, card in enumerate(self.cards)}
        self.trumps = (int(state.trump0), int(state.trump1))
        self.forbidden = self._last_leads(state)
        self.suits = [self.dense(0x1FFF << 13 * suit) for suit in range(4)]
        everything = self.mask(self.cards)
        self.beats = [
            [self.dense(beaters(everything, card, trump)) for card in self.cards] for trump in self.trumps
        ]
        suits = [card // 13 for card in self.cards]
        self.attacks = [
            Attack(
                suits,
                self.suits,
                self.beats[seat],
                self.beats[1 - seat],
                taker_leads=state.law.taker_leads,
                forbidden=self._forbidden_to(seat),
                known=KnownLeads(
                    table, [self.trumps[seat], self.trumps[1 - seat]], suits, self._forbidden_to(seat)
                ),
            )
            for seat in (0, 1)
        ]
        self.found = [Proof(attack) for attack in self.attacks]

    @staticmethod
    def mask(cards: list[int]) -> int:
        """The mask of some cards over the universe of 52."""
        return sum(1 << card for card in cards)

    def dense(self, mask: int) -> int:
        """A mask over the universe of 52 as one over the cards in the game."""
        return sum(1 << index for card, index in self.number.items() if mask >> card & 1)

    @staticmethod
    def _last_leads(state: DuelState) -> frozenset[int]:
        """The keys of leads whose next occurrence ends the game."""
        last = state.law.repetition - 1
        return frozenset(key for key, times in state.leads.items() if 0 < last <= times)

    def _forbidden_to(self, attacker: int) -> list[tuple[int, int]]:
        """Those leads as kinds of positions and hands of the attacker."""
        everything = self.mask(self.cards)
        found = []
        for key in sorted(self.forbidden):
            hand = key >> 1 if attacker == 0 else everything ^ key >> 1
            found.append((0 if key & 1 == attacker else 2, self.dense(hand)))
        return found

    def fits(self, state: DuelState) -> bool:
        """Whether what has been proved holds for this state, too."""
        return (
            indices(state.hand0 | state.hand1 | state.pile.mask) == self.cards
            and (state.trump0, state.trump1) == self.trumps
            and self._last_leads(state) == self.forbidden
        )

    @property
    def nodes(self) -> int:
        """Positions expanded so far."""
        return sum(int(attack.nodes) for attack in self.attacks)

    def place(self, state: DuelState, attacker: int) -> tuple[int, int, int, int]:
        """A state as the attacker's search knows it: kind, both hands, the card to beat."""
        hands = self.dense(state.hand0), self.dense(state.hand1)
        responds = state.phase == RESPOND
        kind = (3 if responds else 0) if state.seat == attacker else (1 if responds else 2)
        return kind, hands[attacker], hands[1 - attacker], self.number[state.pile.top] if responds else 0

    def winner(
        self, state: DuelState, nodes: int | None, until: float | None = None
    ) -> tuple[int, int] | None:
        """The seat that wins (or DRAWN) and the takes it needs; None where the budget is not enough.

        `nodes` are further ones, `until` is a moment of `thread_time`. The cap is not looked at.
        """
        if state.seat < 0:
            scores = state.outcome().scores
            return (DRAWN if scores[0] == scores[1] else scores.index(max(scores))), 0
        end = None if nodes is None else self.nodes + nodes
        tries = [_Try(self, state, seat) for seat in (state.seat, 1 - state.seat)]
        share = FIRST_SLICE
        while True:
            for attempt in tries:
                piece = share if end is None else min(share, end - self.nodes)
                if piece > 0 and attempt.go_on(piece):
                    return attempt.seat, attempt.takes
            if all(attempt.hopeless for attempt in tries):
                return DRAWN, 0
            if all(attempt.hopeless or attempt.given_up for attempt in tries):
                return None
            if (end is not None and self.nodes >= end) or (until is not None and thread_time() >= until):
                return None
            share = min(share + share // 2, LONGEST_SLICE)

    def next_move(self, state: DuelState, winner: int, takes: int) -> int:
        """The move of the proof that `winner` wins with that many takes, for the seat to move."""
        index = int(self.found[winner].best(*self.place(state, winner), takes))
        if index < 0:
            return int(TAKE_MOVE)
        return int(BEAT_MOVE if state.phase == RESPOND else LEAD_MOVE) + self.cards[index]

    def line(self, state: DuelState, winner: int, takes: int) -> Iterator[Move]:
        """The main line of that proof, to the end of the game."""
        state = state.copy()
        while state.seat >= 0:
            legal = state.moves()
            move = legal[0] if len(legal) == 1 else self.next_move(state, winner, takes)
            takes -= move == TAKE_MOVE and state.seat == winner
            yield TABLE[move]
            state.play(move)

    def depth(self, state: DuelState, winner: int, takes: int) -> int:
        """Moves after which the game is over at the latest."""
        return int(self.found[winner].depth(*self.place(state, winner), takes))


class _Try:
    """One seat's attempts to win, with one take more after every refutation."""

    def __init__(self, proofs: Proofs, state: DuelState, seat: int) -> None:
        self.attack = proofs.attacks[seat]
        self.place = proofs.place(state, seat)
        self.seat = seat
        self.takes = 0
        self.hopeless = False
        """It cannot win with any number of takes."""
        self.given_up = False
        """It may need more takes than can be told apart."""
        # A win with the fewest takes has a different lead after each of them.
        self.most = 1 << len(proofs.cards)

    def go_on(self, nodes: int) -> bool:
        """Search on; whether the win is proved."""
        end = int(self.attack.nodes) + nodes
        while not self.hopeless and not self.given_up and self.attack.nodes < end:
            found = self.attack.prove(*self.place, self.takes, end - self.attack.nodes)
            if found != REFUTED:
                return found == PROVED
            level = int(self.attack.level)
            self.hopeless = level == NEVER or self.takes >= self.most
            self.takes = max(self.takes + 1, level)
            self.given_up = self.takes > MOST_TAKES
        return False


def known_leads(state: DuelState) -> bytes:
    """The table that fits the cards in the game and the rules, empty if there is none."""
    cards = int(state.hand0 | state.hand1 | state.pile.mask)
    fits = all((cards & int(suit_mask(suit))).bit_count() == RANKS for suit in range(4))
    return six_ranks() if fits and not state.law.taker_leads else b""


def decide(
    proofs: Proofs, state: DuelState, nodes: int | None, until: float | None = None
) -> tuple[int, int, int] | None:
    """Winner (or DRAWN), takes and depth, if they are found and the cap (DU-13) does not come before."""
    found = proofs.winner(state, nodes, until)
    if found is None:
        return None
    winner, takes = found
    if winner == DRAWN or state.ending != RUNNING:
        return winner, takes, 0
    depth = proofs.depth(state, winner, takes)
    return (winner, takes, depth) if state.actions + depth <= state.law.cap else None


def solve(
    state: DuelState, *, nodes: int | None = None, seconds: float | None = None, every: bool = False
) -> Solution:
    """The value of a state for the seat to move, with `every` also all first moves that have it.

    Raises Undecided where suits are still to be chosen, where the budget (nodes expanded, CPU seconds) is
    not enough, or where the action cap might cut the proof short.
    """
    if state.seat < 0:
        raise Undecided("the game is over: nobody is to move")
    if state.phase >= TRUMP:
        raise Undecided("suits are still to be chosen, and the cards are not dealt")
    until = None if seconds is None else thread_time() + seconds
    proofs = Proofs(state, known_leads(state))
    found = proofs.winner(state, nodes, until)
    if found is None:
        raise Undecided(f"not decided within {proofs.nodes:,} nodes; allow more with --nodes or --seconds")
    winner, takes = found
    value = "draw" if winner == DRAWN else "win" if winner == state.seat else "loss"
    line: tuple[Move, ...] = ()
    depth = 0
    if winner != DRAWN:
        depth = proofs.depth(state, winner, takes)
        if state.actions + depth > state.law.cap:
            raise Undecided(
                f"not decided: the proof needs up to {depth} more actions, and the cap leaves "
                f"{state.law.cap - state.actions}"
            )
        line = tuple(proofs.line(state, winner, takes))
    elif state.law.fewest_cards:
        raise Undecided("not decided: nobody can force it, and at the cap fewer cards count")
    best = tuple(_equal_moves(proofs, state, winner, nodes, until)) if every else None
    return Solution(value, line, proofs.nodes, depth, best)


def _equal_moves(
    proofs: Proofs, state: DuelState, winner: int, nodes: int | None, until: float | None
) -> Iterator[Move]:
    """The first moves that keep the value `winner`; raises Undecided for one that cannot be told."""
    for move in state.moves():
        after = state.copy()
        after.play(move)
        left = None if nodes is None else max(nodes - proofs.nodes, 0)
        found = proofs.winner(after, left, until)
        if found is None:
            raise Undecided(f"not decided within {proofs.nodes:,} nodes: what {TABLE[move].name} is worth")
        if found[0] == winner:
            if winner == state.seat and after.seat >= 0:
                depth = proofs.depth(after, *found)
                if after.actions + depth > after.law.cap:
                    raise Undecided(f"not decided: the cap may come before the end after {TABLE[move].name}")
            yield TABLE[move]
