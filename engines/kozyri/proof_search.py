"""Proof-number search for one side of a duel: can the attacker win, taking the pile at most so many times?

Every cycle of a duel holds a TAKE of each seat, so with a bound on the attacker's own takes the graph of
positions has no cycle, and what is proved or refuted in it can be kept by position alone. A strategy that
wins with the fewest takes never comes back to an empty-pile lead: the one it left needed more takes than
it had left. So a win found here stands under the rule of repetition (DU-12), too.

The search is df-pn (Nagai 2002). The positions and their moves, without those that the exchange of two cards
shows to be no better, are in proof_moves.py; what is known about positions is in proof_numbers.py.
"""

from __future__ import annotations

from typing import Final, final

from mypy_extensions import i64

from engines.kozyri.known_leads import NEVER
from engines.kozyri.proof_moves import LOST, OPEN, WON, attacker_moves
from engines.kozyri.proof_numbers import INFINITE, AttackNumbers

MOST_TAKES: Final = 254
ALL_NODES: Final[i64] = 1000000000000
"""Enough for every search that ends."""

PROVED: Final = 1
REFUTED: Final = 2
UNDECIDED: Final = 0


class OutOfNodes(Exception):
    """The search has used its nodes; what it has found is kept."""


@final
class Attack(AttackNumbers):
    """The search for the wins of one seat, the attacker; what it finds it keeps for the next one."""

    nodes: i64 = 0
    """Positions expanded so far."""
    limit: i64 = 0
    """How many they may be in all."""

    def search(  # noqa: C901, PLR0912, PLR0915 - the hot loop; calls and tuples would double its time
        self, kind: i64, a: i64, d: i64, top: i64, takes: i64, most_proof: i64, most_ref: i64
    ) -> None:
        """Expand below a position until one of its numbers reaches its bound; raises OutOfNodes.

        "Own" is the number that the seat to move brings to 0 by one good move; "shared" needs all of them.
        """
        self.nodes += 1
        if self.nodes > self.limit:
            raise OutOfNodes
        moves = self.moves(kind, a, d, top)
        attacks: bool = attacker_moves(kind)
        own_bound: i64 = most_proof if attacks else most_ref
        shared_bound: i64 = most_ref if attacks else most_proof
        while True:
            least: i64 = INFINITE
            second: i64 = INFINITE
            shared: i64 = 0
            still_open: i64 = 0
            all_level: i64 = NEVER if attacks else 0
            one_level: i64 = 0
            best_kind: i64 = 0
            best_mine: i64 = 0
            best_other: i64 = 0
            best_top: i64 = 0
            best_takes: i64 = 0
            best_shared: i64 = 0
            for m in moves:
                move: i64 = m
                done: i64 = self.step(kind, a, d, top, takes, move)
                next_kind: i64 = self.kind
                next_mine: i64 = self.mine
                next_other: i64 = self.other
                next_top: i64 = self.top
                next_takes: i64 = self.takes
                proof: i64 = 0
                refutation: i64 = INFINITE
                level: i64 = 0
                if done == OPEN:
                    took: i64 = self.took
                    self.look(next_kind, next_mine, next_other, next_top, next_takes)
                    proof = self.proof
                    refutation = self.refutation
                    level = self.level
                    if took and level < NEVER:
                        level += 1
                elif done != WON:
                    proof = INFINITE
                    refutation = 0
                    level = NEVER if done == LOST else 1
                own: i64 = proof if attacks else refutation
                others: i64 = refutation if attacks else proof
                shared += others
                if others > 0:
                    still_open += 1
                elif (level < all_level) == attacks and level != all_level:
                    all_level = level
                if own < least:
                    second = least
                    least = own
                    best_kind = next_kind
                    best_mine = next_mine
                    best_other = next_other
                    best_top = next_top
                    best_takes = next_takes
                    best_shared = others
                    one_level = level
                    if own == 0:
                        break
                elif own < second:
                    second = own
            if least == 0:
                shared = INFINITE
            elif still_open == 0:
                shared = 0
                least = INFINITE
            else:
                shared = min(shared, INFINITE - 1)
                least = min(least, INFINITE - 1)
            if least >= own_bound or shared >= shared_bound or least == 0 or shared == 0:
                found: i64 = one_level if least == 0 else all_level
                if attacks:
                    self.store(kind, self.key(a, d, top), least, shared, found)
                else:
                    self.store(kind, self.key(a, d, top), shared, least, found)
                return
            # A quarter more than the second best needs, so that the search does not go to and fro.
            own_next: i64 = min(own_bound, second + (second >> 2) + 1)
            shared_next: i64 = min(shared_bound - shared + best_shared, INFINITE)
            if attacks:
                self.search(best_kind, best_mine, best_other, best_top, best_takes, own_next, shared_next)
            else:
                self.search(best_kind, best_mine, best_other, best_top, best_takes, shared_next, own_next)

    def prove(self, kind: i64, a: i64, d: i64, top: i64, takes: i64, more: i64) -> int:
        """Try to decide a position with at most `takes` takes of the attacker and `more` further nodes."""
        self.limit = self.nodes + more
        self.look(kind, a, d, top, takes)
        if self.proof != 0 and self.refutation != 0:
            try:
                self.search(kind, a, d, top, takes, INFINITE, INFINITE)
            except OutOfNodes:
                return UNDECIDED
            self.look(kind, a, d, top, takes)
        return PROVED if self.proof == 0 else REFUTED

    def derived(self, kind: i64, a: i64, d: i64, takes: i64) -> int:
        """PROVED or REFUTED for a lead on the empty pile from what the table says of those that follow."""
        self.limit = self.nodes + ALL_NODES
        self.search(kind, a, d, 0, takes, INFINITE, INFINITE)
        entry: i64 = self.tables[kind][self.key(a, d, 0)]
        win: i64 = entry >> 52
        return PROVED if takes >= win else REFUTED
