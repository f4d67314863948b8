"""Pairing off as many as possible, against trying everything."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from harness.matching import maximum_matching, most_pairs


def tried(left: frozenset[int], edges: frozenset[tuple[int, int]]) -> int:
    """The size of a maximum matching, by trying every partner of the first."""
    if len(left) < 2:
        return 0
    one = min(left)
    best = tried(left - {one}, edges)
    for other in left - {one}:
        if (one, other) in edges:
            best = max(best, 1 + tried(left - {one, other}, edges))
    return best


@st.composite
def graphs(draw: st.DrawFn) -> tuple[int, frozenset[tuple[int, int]]]:
    n = draw(st.integers(0, 8))
    pairs = [(i, j) for i in range(n) for j in range(i + 1, n)]
    edges = draw(st.sets(st.sampled_from(pairs))) if pairs else set()
    return n, frozenset(edges)


@given(graphs())
def test_no_other_way_pairs_off_more(graph: tuple[int, frozenset[tuple[int, int]]]) -> None:
    n, edges = graph
    near = [[j for j in range(n) if (min(i, j), max(i, j)) in edges] for i in range(n)]
    mates = maximum_matching(near)

    assert all(mates[mates[v]] == v and mates[v] in near[v] for v in range(n) if mates[v] >= 0)
    assert sum(mate >= 0 for mate in mates) // 2 == tried(frozenset(range(n)), edges)


def test_odd_rings_are_seen_through() -> None:
    """Two triangles joined at a corner each pair off completely, though no triangle does."""
    edges = {(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5), (2, 3)}

    assert most_pairs(range(6), lambda i, j: (min(i, j), max(i, j)) in edges) == 3
    assert most_pairs(range(6), lambda i, j: (min(i, j), max(i, j)) in edges - {(2, 3)}) == 2
