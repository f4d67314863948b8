"""A bot's own numbers are averaged; what cannot be shown or would fill the disk is none."""

from __future__ import annotations

import math

import pytest

from harness.players.metrics import LONGEST, NAMES, Metrics, checked


def test_numbers_are_averaged_over_the_decisions_that_recorded_them() -> None:
    metrics = Metrics()
    metrics.note({"nodes": 1, "depth": 3})
    metrics.note({"nodes": 2})
    assert metrics.means() == {"depth": 3.0, "nodes": 1.5}


def test_numbers_that_are_not_finite_are_left_out_also_where_only_their_sum_is_not() -> None:
    metrics = Metrics()
    for _ in range(2):
        metrics.note({"nan": math.nan, "inf": -math.inf, "huge": 1.7e308, "nodes": 1})
    assert metrics.means() == {"nodes": 1.0}


@pytest.mark.parametrize("name", ["", "n" * (LONGEST + 1), "\x1b[2J", "a\nb", "a\x00", "\ud800", "\u202e"])
def test_a_name_that_no_table_can_show_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="printable characters"):
        Metrics().note({name: 1})


@pytest.mark.parametrize("value", ["many", None, 10**400])
def test_what_is_no_number_is_refused_by_the_name_it_was_given(value: object) -> None:
    with pytest.raises(ValueError, match=r"^metric 'nodes': "):
        checked({"nodes": value})


def test_a_seat_has_so_many_numbers_and_no_more() -> None:
    metrics = Metrics()
    metrics.note({f"m{n}": n for n in range(NAMES)})
    with pytest.raises(ValueError, match=f"at most {NAMES}"):
        metrics.note({"one more": 1})
