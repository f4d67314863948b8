"""Whom results can tell apart."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from harness.comparable import doubts, groups

A, B, C, D, E = "ann", "bob", "cid", "dot", "eve"


def duel(*names: str) -> list[list[str]]:
    return [[name] for name in names]


def test_who_meets_over_others_can_be_compared() -> None:
    assert groups([duel(A, B), duel(B, C)]) == [[A, B, C]]
    assert doubts([duel(A, B), duel(B, C)]) == []


def test_bots_that_never_meet_cannot_be_compared() -> None:
    met = [duel(A, B), duel(C, D)]

    assert groups(met) == [[A, B], [C, D]]
    assert doubts(met) == [
        "results cannot compare bots of different groups, which do not meet: ann and bob; cid and dot"
    ]


def test_partners_that_never_part_cannot_be_told_apart() -> None:
    met = [[[A, B], [C, D]], [[C, D], [A, B]]]

    assert groups(met) == [[A], [B], [C], [D]]
    assert doubts(met) == [
        "ann and bob always play together: results cannot tell them apart",
        "cid and dot always play together: results cannot tell them apart",
    ]


def test_mixed_partners_can_all_be_told_apart() -> None:
    assert doubts([[[A, B], [C, D]], [[A, C], [B, D]], [[A, D], [B, C]]]) == []


def test_one_pair_that_never_parts_among_others_that_do() -> None:
    met = [[[A, B], [C, D]], [[A, B], [C, E]], [[A, B], [D, E]]]

    assert doubts(met) == ["ann and bob always play together: results cannot tell them apart"]
    assert [C, D, E] in groups(met)


def test_copies_as_partners_are_one_bot() -> None:
    assert doubts([[[A], [B]], [[B], [C]]]) == []


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)).filter(lambda p: p[0] != p[1]), max_size=12))
def test_of_bots_alone_the_groups_are_those_joined_by_meetings(met: list[tuple[int, int]]) -> None:
    joined: list[set[int]] = [{bot} for bot in {b for pair in met for b in pair}]
    for pair in met:
        hit = [group for group in joined if group & set(pair)]
        joined = [group for group in joined if group not in hit] + [set().union(*hit)]

    assert sorted(map(sorted, groups([[[one], [other]] for one, other in met]))) == sorted(
        map(sorted, joined)
    )


def test_everybody_at_one_table_can_be_compared() -> None:
    assert groups([duel(*names) for names in itertools.combinations("abcdef", 4)]) == [list("abcdef")]
