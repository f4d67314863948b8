"""Reads its rivals: what they announce, when, and that they say nothing tells of the rack that they see.

Every rival sees this seat's rack, so how sure it can be of its own depends on it. For each rack that the
seat may have the rival's exact odds are worked out (bots/code777/outlook.py), and each rack becomes more
or less likely by how well it explains what the rival did (bots/code777/tells.py). How sure a rival wants
to be is learnt on the way, and whether it plays by its odds at all.

With these odds it compares, at every turn and by expected points, to announce now or to wait until it is
surer: its own knowledge and its rivals' races are drawn into the future (bots/code777/waiting.py).

Option: `nodes`, by default the match's node limit, its CPU clock, or 400. Up to half of them are rivals'
views worked out, the likeliest own racks first, the others are futures drawn. Not modelled: that rivals
may read as well; that other racks change while it waits; that its own silence tells something.
"""

from __future__ import annotations

from random import Random
from typing import Any, Final

from bots import Bot, Seen
from bots.code777.listener import Listener
from bots.code777.waiting import Waiting, gains_of
from bots.core.bot import Clock
from bots.core.search.budget import Budget
from engines.code777 import Code777View, Kind, Move
from engines.core.game import Game

NODES: Final = 400


class Reader(Bot[Code777View]):
    """Exact odds, sharpened by what rivals do; announces when waiting is worth less."""

    games = ("code777",)

    def __init__(self, game: Game[Any, Any], seat: int, rng: Random, nodes: int | None = None) -> None:
        super().__init__(game, seat, rng)
        if nodes is not None and (type(nodes) is not int or nodes < 1):
            raise ValueError(f"nodes: expected a whole number of views and futures from 1, got {nodes!r}")
        self.nodes = nodes
        self.gains = gains_of(game.seats, game.rules.target)  # type: ignore[attr-defined]  # the game's own
        announcements = sum(move.name.startswith("ANNOUNCE") for move in game.table)
        self.listener = Listener(game.seats, seat, announcements, rng)

    def act(self, seen: Seen[Code777View]) -> Move:
        if seen.moves[0].kind is Kind.RACK:
            return seen.moves[0]
        view, listener = seen.view, self.listener
        listener.hear(view)
        nodes = min([n for n in (seen.clock.nodes, self.nodes) if n is not None], default=None)
        looks = half(seen.clock, nodes)
        if nodes != 1:
            listener.look(view, looks)
        futures = half(seen.clock, nodes, looks.used)
        waiting = Waiting(view, listener.codes, listener.chances, listener.sure(), self.gains)
        luck = self.rng.getrandbits(53)
        while futures.more():
            waiting.draw(luck)
        seen.metric("nodes", looks.used + futures.used)
        return seen.moves[1 + waiting.likeliest] if waiting.better_now() else seen.moves[0]


def half(clock: Clock, nodes: int | None, used: int | None = None) -> Budget:
    """The first or, once that many nodes are used, the second part of a decision's budget."""
    if nodes is None and clock.decision is None and clock.bank is None:
        nodes = NODES
    if nodes is not None:
        nodes = max(1, nodes // 2) if used is None else max(1, nodes - used)
    seconds = [None if limit is None else limit / 2 for limit in (clock.decision, clock.bank)]
    return Budget(Clock(seconds[0], seconds[1], nodes))
