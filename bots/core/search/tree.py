"""A search tree over information sets, grown one sampled world at a time; compiled like the engines.

Single-observer information-set Monte Carlo tree search: P. I. Cowling, E. J. Powley and D. Whitehouse,
"Information Set Monte Carlo Tree Search", IEEE Transactions on Computational Intelligence and AI in
Games 4 (2012), 120-143. Every iteration descends with one world; only the moves that are legal in it
compete, and each is weighed by how often it was available. With the same world every time it is plain UCT
(L. Kocsis and C. Szepesvári, ECML 2006).
"""

from __future__ import annotations

import math
from typing import Final, final

from mypy_extensions import i64

from bots.core.search.rollout import Rollout
from engines.core.chance import Stream, event_code
from engines.core.state import State

SELECT: Final = event_code("search select")
UNTRIED: Final = event_code("search rollout")
EXPLORATION: Final = 0.7
"""The constant of UCB1 for payoffs from 0 to 1, as in Cowling, Powley and Whitehouse (2012)."""


@final
class Node:
    """The move that led here, and how it did. Children are a chain in ascending order of moves."""

    def __init__(self, move: i64, seat: i64, after: Node | None) -> None:
        self.move: i64 = move
        self.seat: i64 = seat
        """Who made the move; -1 for the root."""
        self.visits: i64 = 0
        self.available: i64 = 0
        """Iterations in which the move could have been chosen."""
        self.total: float = 0.0
        """Sum of payoffs to `seat`."""
        self.child: Node | None = None
        self.next: Node | None = after

    def mean(self) -> float:
        """Mean payoff to the seat that made the move; 0 for a move never tried."""
        return self.total / float(self.visits) if self.visits else 0.0

    def children(self) -> list[Node]:
        """What was tried from here, in ascending order of moves."""
        found: list[Node] = []
        node = self.child
        while node is not None:
            found.append(node)
            node = node.next
        return found

    def find(self, seat: i64, move: i64) -> Node | None:
        """The child by this move of this seat."""
        node = self.child
        while node is not None:
            if node.move == move and node.seat == seat:
                return node
            node = node.next
        return None


@final
class Tree:
    """Grows by one node an iteration. A function of its luck and of the worlds it is shown."""

    def __init__(self, rollout: Rollout, luck: i64, exploration: float = EXPLORATION) -> None:
        self.rollout: Rollout = rollout
        self.luck: i64 = luck
        self.exploration: float = exploration
        self.root: Node = Node(-1, -1, None)
        self.iterations: i64 = 0

    def grow(self, world: State) -> None:
        """One iteration: select, expand, roll out, add up. Uses `world` up."""
        stream = Stream(self.luck, SELECT, self.iterations)
        self.iterations += 1
        path: list[Node] = []
        node: Node = self.root
        fresh: bool = False
        while not fresh and not self.rollout.ended(world):
            seat: i64 = world.seat
            legal = world.moves()
            chosen = self.untried(node, seat, legal, stream)
            fresh = chosen is not None
            if chosen is None:
                chosen = self.best(node, seat, legal)
            node = chosen
            path.append(node)
            world.play(node.move)
        rewards = self.rollout.value(world, self.playout_luck(stream))
        self.root.visits += 1
        for step in path:
            step.visits += 1
            reward: float = rewards[step.seat]
            step.total += reward

    def playout_luck(self, stream: Stream) -> int:
        """53 bits for the rollout."""
        return ((stream.word() << 21) | (stream.word() >> 11)) & 0x1FFFFFFFFFFFFF

    def untried(self, parent: Node, seat: i64, legal: list[int], stream: Stream) -> Node | None:
        """A new child for one of the legal moves never tried, each equally likely; None if all were.

        Legal moves and children both ascend, so one walk along both finds what is missing.
        """
        missing: i64 = 0
        wanted: i64 = -1
        place: Node | None = None
        last: Node | None = None
        node = parent.child
        for number in legal:
            move: i64 = number
            while node is not None and node.move < move:
                last = node
                node = node.next
            if node is not None and node.move == move:
                continue
            missing += 1
            if missing == 1 or stream.below(missing) == 0:
                wanted = move
                place = last
        if missing == 0:
            return None
        if place is None:
            new = Node(wanted, seat, parent.child)
            parent.child = new
        else:
            new = Node(wanted, seat, place.next)
            place.next = new
        new.available = 1
        return new

    def best(self, parent: Node, seat: i64, legal: list[int]) -> Node:
        """The legal child with the highest UCB1, the first of equals; all legal moves have one."""
        chosen: Node | None = None
        highest: float = -1.0
        node = parent.child
        for number in legal:
            move: i64 = number
            while node is not None and node.move < move:
                node = node.next
            if node is None:
                break
            node.available += 1
            visits: float = float(node.visits)
            bound: float = node.total / visits + self.exploration * math.sqrt(
                math.log(float(node.available)) / visits
            )
            if bound > highest:
                highest = bound
                chosen = node
        if chosen is None:
            raise ValueError(f"expected a child for every legal move, got none of {legal}")
        return chosen

    def follow(self, moves: list[tuple[int, int]]) -> bool:
        """Make the node after these (seat, move) the root; False where the tree does not reach it."""
        node: Node = self.root
        for seat, move in moves:
            found = node.find(seat, move)
            if found is None:
                return False
            node = found
        node.next = None
        self.root = node
        return True
