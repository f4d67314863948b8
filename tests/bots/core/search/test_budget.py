"""A budget of nodes is kept exactly; the clock is never lost on."""

from __future__ import annotations

from time import thread_time

import harness
from bots.core.bot import Clock
from bots.core.search import Budget
from bots.core.search.budget import DEFAULT_NODES
from harness.records import Limits


def spent(budget: Budget) -> int:
    """Iterations that it allows, at most 100,000."""
    count = 0
    while count < 100_000 and budget.more():
        count += 1
    return count


def test_nodes_are_exact() -> None:
    assert spent(Budget(Clock(), 37)) == 37
    assert spent(Budget(Clock(nodes=5))) == 5


def test_the_limit_of_the_match_stands_before_a_greater_number_of_its_own() -> None:
    assert spent(Budget(Clock(nodes=5), 37)) == 5
    assert spent(Budget(Clock(nodes=50), 37)) == 37


def test_without_any_limit_it_has_the_default() -> None:
    assert spent(Budget(Clock())) == DEFAULT_NODES


def test_one_iteration_is_always_made() -> None:
    assert spent(Budget(Clock(decision=0.0))) == 1
    assert spent(Budget(Clock(bank=0.0))) == 1


def test_time_decides_where_there_are_no_nodes() -> None:
    started = thread_time()
    budget = Budget(Clock(decision=0.02, bank=100.0))
    while budget.more():
        pass

    assert thread_time() - started >= 0.02 * 0.5
    assert budget.used > 1


def test_a_search_under_the_clock_never_loses_on_it() -> None:
    record = harness.play(
        "seven-symbols",
        ["ismcts", "seven-search"],
        luck=7,
        options={"deals": 1},
        limits=Limits(cpu_ms=100, bank_ms=4_000),
    )

    assert [seat.faults for seat in record.seats] == [()] * 4
    assert all(dict(seat.metrics)["nodes"] > 1 for seat in record.seats)
