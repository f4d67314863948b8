"""How fast search is, beside OpenSpiel's in the same run: `make bench-search`.

Iterations a second of `ismcts` and `pimc` on Seven Symbols, at the first card after the exchange, beside
OpenSpiel's two ISMCTS bots on hearts after the pass; and the CPU of a decision of each game's search at
its default budget. All of it is CPU time of this process on one core. Budgets are stated as ratios to a
peer of the same run, and 200 ms for a decision.
"""

from __future__ import annotations

import os
import random
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import engines
from bots.core.bot import Bot, Clock, Seen
from bots.ismcts import Ismcts
from bots.pimc import Pimc
from engines.core.bits import COMPILED
from harness import submissions

try:
    import numpy as np
    import pyspiel
    from open_spiel.python.algorithms import ismcts, mcts
except ImportError:
    sys.exit("bench-search compares with OpenSpiel: pip install 'croupier[openspiel]'")

ROUNDS = 5
OURS, CPP, PYTHON = 4_000, 4_000, 200
"""Iterations of a round."""
STRONG = ("seven-search", "hund-search", "classic-search", "code777-reader", "duel-alphabeta")
"""Each game's search, with its default budget."""
LIMIT_MS = 200
DECISIONS = 40


def rates(works: dict[str, tuple[int, Callable[[], object]]]) -> dict[str, float]:
    """Iterations a second of CPU: medians of rounds in which each has its turn, as speed moves."""
    found: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(ROUNDS):
        for name, (count, work) in works.items():
            start = time.process_time()
            work()
            found[name].append(count / (time.process_time() - start))
    return {name: statistics.median(speeds) for name, speeds in found.items()}


def ours(kind: type[Bot[Any]]) -> tuple[int, Callable[[], object]]:
    """Iterations on the first trick of Seven Symbols."""
    game = engines.load("seven-symbols")
    state = game.deal(5)
    while state.moves()[0] < 49:  # gifts come before cards
        state.play(state.moves()[0])
    seat = int(state.seat)
    seen = Seen(seat, game.view(state, seat), [game.table[i] for i in state.moves()], clock=Clock())
    return OURS, lambda: kind(game, seat, random.Random(1), nodes=OURS).act(seen)


def hearts() -> Any:
    """A dealt game of OpenSpiel's hearts."""
    state, rng = pyspiel.load_game("hearts").new_initial_state(), random.Random(1)
    while state.is_chance_node():
        state.apply_action(rng.choice(state.legal_actions()))
    return state


def cpp() -> tuple[int, Callable[[], object]]:
    """OpenSpiel's ISMCTS in C++."""
    bot = pyspiel.ISMCTSBot(
        1,
        pyspiel.RandomRolloutEvaluator(1, 1),
        2.0,
        CPP,
        -1,
        pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
        False,
        False,
    )
    state = hearts()
    return CPP, lambda: bot.step(state)


def python() -> tuple[int, Callable[[], object]]:
    """OpenSpiel's ISMCTS in Python."""
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = ismcts.ISMCTSBot(
        game=pyspiel.load_game("hearts"),
        evaluator=evaluator,
        uct_c=2.0,
        max_simulations=PYTHON,
        random_state=np.random.RandomState(2),
    )
    state = hearts()
    return PYTHON, lambda: bot.step(state)


def decisions(name: str) -> list[float]:
    """Milliseconds of CPU for each of the first decisions of a bot that plays all seats of its game."""
    kind = submissions.bot_type(submissions.find(name))
    game = engines.load(kind.games[0])
    state = game.deal(5)
    spent: list[float] = []
    bots = [kind(game, seat, random.Random(seat)) for seat in range(game.seats)]
    log: list[Any] = []
    heard = [0] * game.seats
    while state.seat >= 0 and len(spent) < DECISIONS:
        seat, legal = int(state.seat), state.moves()
        move = legal[0]
        if len(legal) > 1:
            offered = [game.table[i] for i in legal]
            seen = Seen(seat, game.view(state, seat), offered, log[heard[seat] :], list(log), Clock())
            heard[seat] = len(log)
            start = time.process_time()
            move = int(bots[seat].act(seen))
            spent.append(1e3 * (time.process_time() - start))
        state.play(move)
        if game.public(game.table[move]):
            log.append((seat, game.table[move]))
    return spent


def main() -> None:
    """Print both tables, and what is over its budget."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    print(f"bots and engines {'compiled' if COMPILED else 'not compiled'}; CPU of one core, medians")
    works = {
        "OpenSpiel ISMCTS, C++, hearts": cpp(),
        "OpenSpiel ISMCTS, Python, hearts": python(),
        "ismcts, seven-symbols": ours(Ismcts),
        "pimc, seven-symbols": ours(Pimc),
    }
    speeds = rates(works)
    fast, slow, mine, _ = speeds.values()
    for label, speed in speeds.items():
        print(
            f"{label:34}{speed:10,.0f} iterations/s  {speed / fast:5.2f} x C++ {speed / slow:5.0f} x Python"
        )
    late = ["ismcts"] if mine < fast or mine < 10 * slow else []
    print(f"\n{'a decision of':20}{'median ms':>12}{'greatest ms':>14}")
    for name in STRONG:
        spent = decisions(name)
        print(f"{name:20}{statistics.median(spent):12.1f}{max(spent):14.1f}")
        if max(spent) > LIMIT_MS:
            late.append(name)
    print(f"Over budget ({LIMIT_MS} ms; ismcts: C++ and ten times Python): {', '.join(late) or 'nothing'}")


if __name__ == "__main__":
    main()
