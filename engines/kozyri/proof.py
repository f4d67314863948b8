"""The proof that a search has found (proof_search.py), read out: what to play, and when the win is there."""

from __future__ import annotations

from typing import final

from mypy_extensions import i64

from engines.core.bits import lowest, popcount
from engines.kozyri.proof_moves import ATTACKER_LEADS, OPEN, TAKE, WON, attacker_moves
from engines.kozyri.proof_search import Attack


@final
class Proof:
    """What an attacker's search has proved, move by move. Positions are as in `Attack`."""

    def __init__(self, attack: Attack) -> None:
        self.attack: Attack = attack
        self.depths: dict[int, int] = {}
        """By position, takes and kind: moves to the end of a proved win."""

    def depth(self, kind: i64, a: i64, d: i64, top: i64, takes: i64) -> i64:
        """Moves to the end of a proved win at the latest: the attacker's shortest, the defender's longest."""
        if kind == ATTACKER_LEADS and a | d == self.attack.deck and self.sure_run(a, d):
            return 2 * popcount(a) - 1
        if self.attack.tabled and self.attack.tell(kind, a, d, takes):
            # Until the attacker's next take, and for each pair of cards that it lays, at most as many of the
            # other's and one move more at either end.
            return 2 * popcount(a) + 3 + self.attack.level * (2 * self.attack.size + 3)
        key = self.depth_key(kind, a, d, top, takes)
        known: i64 = self.depths.get(key, 0)
        if known == 0:
            self.best(kind, a, d, top, takes)
            known = self.depths[key]
        return known

    def depth_key(self, kind: i64, a: i64, d: i64, top: i64, takes: i64) -> int:
        """A position with its kind and takes as a number."""
        rest: int = takes * 4 + kind
        return self.attack.key(a, d, top) * 1024 + rest

    def sure_run(self, a: i64, d: i64) -> bool:
        """Whether the attacker, to lead on the empty pile, can lead all his cards."""
        return (
            not self.attack.taker_leads
            and not self.attack.strict
            and self.attack.runs(a, d, self.attack.defender_beats)
        )

    def best(self, kind: i64, a: i64, d: i64, top: i64, takes: i64) -> i64:
        """The move of the proof in a position that is proved: a card, or TAKE."""
        attacks: bool = attacker_moves(kind)
        if kind == ATTACKER_LEADS and a | d == self.attack.deck and self.sure_run(a, d):
            return self.run_card(a, d)
        if self.attack.tabled and self.attack.tell(kind, a, d, takes):
            # The table has been believed, now the proof is wanted: of this pile, down to the next leads.
            takes = self.attack.level
            self.attack.derived(kind, a, d, takes)
        chosen: i64 = TAKE
        length: i64 = 0
        attack = self.attack
        for m in attack.moves(kind, a, d, top):
            move: i64 = m
            done: i64 = attack.step(kind, a, d, top, takes, move)
            plies: i64 = 1
            if done == OPEN:
                next_kind: i64 = attack.kind
                next_mine: i64 = attack.mine
                next_other: i64 = attack.other
                next_top: i64 = attack.top
                next_takes: i64 = attack.takes
                attack.look(next_kind, next_mine, next_other, next_top, next_takes)
                if attack.proof != 0:
                    continue
                leads: bool = kind & 1 == 0
                if leads and next_kind & 1 == 0:
                    plies = 2
                plies += self.depth(next_kind, next_mine, next_other, next_top, next_takes)
            elif done != WON:
                continue
            if length == 0 or ((plies < length) == attacks and plies != length):
                length = plies
                chosen = move
        key = self.depth_key(kind, a, d, top, takes)
        self.depths[key] = length
        return chosen

    def run_card(self, a: i64, d: i64) -> i64:
        """The next card of a run: low before high, the other's trumps after all others, the weak one last."""
        weak: i64 = -1
        trump: i64 = -1
        rest: i64 = a
        while rest:
            card: i64 = lowest(rest)
            rest &= rest - 1
            by: i64 = self.attack.defender_beats[card]
            if by & d:
                weak = card
            elif by & ~self.attack.suits[self.attack.suit_of[card]]:
                return card
            elif trump < 0:
                trump = card  # a card that no other suit beats
        return trump if trump >= 0 else weak
