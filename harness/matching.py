"""Pairing off: the most pairs that a list of allowed ones has room for (Edmonds' blossom algorithm)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence


def most_pairs(players: Sequence[int], allowed: Callable[[int, int], bool]) -> int:
    """How many of `players` can be paired off at once with allowed pairs only, counted in pairs."""
    near = [
        [j for j, other in enumerate(players) if j != i and allowed(one, other)]
        for i, one in enumerate(players)
    ]
    return sum(mate >= 0 for mate in maximum_matching(near)) // 2


def maximum_matching(near: Sequence[Sequence[int]]) -> list[int]:
    """For every vertex its mate in a maximum matching, -1 for none; `near[v]` are v's neighbours."""
    mates = [-1] * len(near)
    for vertex, neighbours in enumerate(near):
        if mates[vertex] < 0:
            for other in neighbours:
                if mates[other] < 0:
                    mates[vertex], mates[other] = other, vertex
                    break
    for vertex in range(len(near)):
        if mates[vertex] < 0:
            _Tree(near, mates, vertex).augment()
    return mates


class _Tree:
    """Alternating paths from one free vertex, odd cycles shrunk to their base."""

    def __init__(self, near: Sequence[Sequence[int]], mates: list[int], root: int) -> None:
        self.near = near
        self.mates = mates
        self.root = root
        self.parent = [-1] * len(near)
        self.base = list(range(len(near)))
        self.outer = [False] * len(near)

    def augment(self) -> None:
        """Change the matching along a path to another free vertex, if there is one."""
        end = self._search()
        while end >= 0:
            before = self.parent[end]
            after = self.mates[before]
            self.mates[end], self.mates[before] = before, end
            end = after

    def _search(self) -> int:
        """The free vertex at the end of an augmenting path, -1 if there is none."""
        self.outer[self.root] = True
        queue = deque([self.root])
        while queue:
            vertex = queue.popleft()
            for other in self.near[vertex]:
                if self.base[vertex] == self.base[other] or self.mates[vertex] == other:
                    continue
                if other == self.root or (self.mates[other] >= 0 and self.parent[self.mates[other]] >= 0):
                    queue.extend(self._shrink(vertex, other))
                elif self.parent[other] < 0:
                    self.parent[other] = vertex
                    if self.mates[other] < 0:
                        return other
                    self.outer[self.mates[other]] = True
                    queue.append(self.mates[other])
        return -1

    def _shrink(self, vertex: int, other: int) -> list[int]:
        """Make one vertex of the odd cycle that an edge closes; the vertices that are outer by it."""
        base = self._meeting(vertex, other)
        inside: set[int] = set()
        self._mark(vertex, base, other, inside)
        self._mark(other, base, vertex, inside)
        found = []
        for index in range(len(self.near)):
            if self.base[index] in inside:
                self.base[index] = base
                if not self.outer[index]:
                    self.outer[index] = True
                    found.append(index)
        return found

    def _mark(self, vertex: int, base: int, child: int, inside: set[int]) -> None:
        while self.base[vertex] != base:
            inside |= {self.base[vertex], self.base[self.mates[vertex]]}
            self.parent[vertex] = child
            child = self.mates[vertex]
            vertex = self.parent[child]

    def _meeting(self, vertex: int, other: int) -> int:
        """Where the paths of two outer vertices to the root come together."""
        passed = set()
        while True:
            vertex = self.base[vertex]
            passed.add(vertex)
            if self.mates[vertex] < 0:
                break
            vertex = self.parent[self.mates[vertex]]
        while self.base[other] not in passed:
            other = self.parent[self.mates[self.base[other]]]
        return self.base[other]
