"""A budget of nodes is kept exactly; the clock is never lost on."""

from __future__ import annotations

from pathlib import Path
from time import thread_time

import harness
from bots.core.bot import Clock
from bots.core.search import Budget
from bots.core.search.budget import DEFAULT_NODES


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
    assert spent(Budget(Clock(decision=0.0))) in range(1, 5)
    assert spent(Budget(Clock(bank=0.0))) in range(1, 5)


def test_time_decides_where_there_are_no_nodes() -> None:
    started = thread_time()
    budget = Budget(Clock(decision=0.02, bank=100.0))
    while budget.more():
        pass

    assert thread_time() - started >= 0.02 * 0.5
    assert budget.used > DEFAULT_NODES


def test_a_search_under_the_clock_never_loses_on_it(tmp_path: Path) -> None:
    config = tmp_path / "clock.toml"
    config.write_text(
        """
        game = "seven-symbols"
        rules = { deals = 1 }
        format = { name = "round_robin", deals = 1 }
        limits = { cpu_ms = 60, bank_ms = 3_000 }
        [[bots]]
        bot = "ismcts"
        [[bots]]
        bot = "seven-search"
        """,
        encoding="utf-8",
    )
    run = harness.run(config, out=tmp_path / "run", executor="local", workers=1)

    seats = harness.open_run(run.folder).seats
    assert len(seats) == 8
    assert not any(len(faults) for faults in seats["faults"])
    assert seats["metrics"].map(lambda found: dict(found)["nodes"]).min() > 1
