"""How fast the engines are, beside OpenSpiel's in the same run: `make bench-engines`.

Everything is CPU time of this process on one core, the median of several rounds. Budgets are ratios to a
peer measured in the same run, since absolute figures move with the machine.
"""

from __future__ import annotations

import gc
import os
import random
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import engines
from engines.core.bits import COMPILED
from engines.core.chance import PLAYOUT, Stream

try:
    import pyspiel
except ImportError:
    sys.exit("bench-engines compares with OpenSpiel: pip install 'croupier[openspiel]'")

ROUNDS = 5
GAMES = 40
FEW = 12
"""Games played move by move; random play of the Kozyri games runs to thousands of moves."""


class Cost(NamedTuple):
    """Microseconds of CPU for one unit of each kind."""

    playout: float
    driven: float
    copy: float
    sample: float
    view: float


def cpu_us(work: Callable[[], int]) -> float:
    """Microseconds a unit: `work` returns how many units it did; the median of ROUNDS."""
    costs = []
    gc.disable()
    for _ in range(ROUNDS):
        start = time.process_time_ns()
        units = work()
        costs.append((time.process_time_ns() - start) / 1e3 / units)
    gc.enable()
    return statistics.median(costs)


def decisions(game: Any, luck: int) -> int:
    """How many moves the playout of `luck` makes from its deal."""
    state, picks, count = game.deal(luck), Stream(luck, PLAYOUT), 0
    while state.seat >= 0:
        legal = state.moves()
        state.play(legal[picks.below(len(legal))])
        count += 1
    return count


def ours(name: str, options: dict[str, Any]) -> Cost:
    """One game's costs: playouts and driven play from the deal, the rest over points of whole games."""
    game = engines.load(name, **options)
    count = sum(decisions(game, luck) for luck in range(FEW))
    dealt = [game.deal(luck) for luck in range(FEW)]
    rng = random.Random(1)
    points = middle(game, rng)
    seen = [game.view(state, state.seat) for state in points]

    def playouts() -> int:
        for luck, start in enumerate(dealt):
            start.copy().playout(luck)
        return count

    def driven() -> int:
        steps, rand = 0, rng.random
        for start in dealt:
            state = start.copy()
            moves, play = state.moves, state.play
            while state.seat >= 0 and steps < 10_000:
                legal = moves()
                play(legal[int(rand() * len(legal))])
                steps += 1
        return steps

    def copies() -> int:
        for state in points:
            for _ in range(20):
                state.copy()
        return 20 * len(points)

    def views() -> int:
        for state in points:
            for seat in range(game.seats):
                game.view(state, seat)
        return game.seats * len(points)

    def samples() -> int:
        for view in seen:
            game.sample(view, rng)
        return len(seen)

    return Cost(cpu_us(playouts), cpu_us(driven), cpu_us(copies), cpu_us(samples), cpu_us(views))


def middle(game: Any, rng: random.Random) -> list[Any]:
    """States from all stages of random games."""
    points = []
    for luck in range(GAMES):
        state = game.deal(luck)
        for _ in range(rng.randrange(5, 60)):
            if state.seat < 0:
                break
            state.play(rng.choice(state.moves()))
        if state.seat >= 0:
            points.append(state)
    return points


def theirs(name: str, *, resamples: bool) -> Cost:
    """The same costs of an OpenSpiel game, from Python but for the playout, which runs in its C++."""
    game = pyspiel.load_game(name)
    rng = random.Random(1)

    def dealt() -> Any:
        state = game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(rng.choice(state.legal_actions()))
        return state

    starts = [dealt() for _ in range(GAMES)]

    def driven() -> int:
        steps, rand = 0, rng.random
        for start in starts:
            state = start.clone()
            while not state.is_terminal():
                legal = state.legal_actions()
                state.apply_action(legal[int(rand() * len(legal))])
                steps += 1
        return steps

    mean_length = statistics.mean(driven() / len(starts) for _ in range(5))

    def rollouts(number: int) -> float:
        evaluator = pyspiel.RandomRolloutEvaluator(number, 7)
        bot = pyspiel.MCTSBot(game, evaluator, 2.0, 1, 1000, False, 7, False)
        return cpu_us(lambda: sum(bot.step(state) is not None for state in starts[:10]))

    # One simulation with 1,002 rollouts less one with 2: the evaluator itself cannot be called from Python.
    playout = (rollouts(1002) - rollouts(2)) / 1000 / mean_length

    points = []
    for start in starts:
        state = start.clone()
        for _ in range(rng.randrange(3, 40)):
            state.apply_action(rng.choice(state.legal_actions()))
        points.append(state)

    def clones() -> int:
        for state in points:
            for _ in range(20):
                state.clone()
        return 20 * len(points)

    def resample() -> int:
        for state in points:
            state.resample_from_infostate(state.current_player(), rng.random)
        return len(points)

    cost = cpu_us(resample) if resamples else float("nan")
    return Cost(playout, cpu_us(driven), cpu_us(clones), cost, float("nan"))


CASES: dict[str, list[dict[str, Any]]] = {
    "seven-symbols": [{}, {"seats": 3}],
    "kozyri-classic": [{}, {"seats": 2}],
    "code777": [{}, {"seats": 5}],
}


def budgets(name: str, hearts: Cost, spades: Cost) -> Cost:
    """The most that each cost may be: see the text under the table."""
    fast = name == "seven-symbols"
    return Cost(
        playout=0.5 * spades.playout if fast else hearts.playout,
        driven=(0.5 if fast else 1.0) * hearts.driven,
        copy=0.3 * hearts.copy,
        sample=float("inf") if name == "code777" else hearts.sample,
        view=4.0,
    )


def main() -> None:
    """Print the table: costs, and their share of a budget that a peer sets in the same run."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    hearts, spades = theirs("hearts", resamples=True), theirs("spades", resamples=False)
    print(f"engines {'compiled' if COMPILED else 'not compiled'}; microseconds of CPU, one core, medians")
    print(f"{'game':24}" + "".join(f"{kind:>16}" for kind in Cost._fields))
    for label, cost in (("OpenSpiel hearts", hearts), ("OpenSpiel spades", spades)):
        print(f"{label:24}" + "".join(f"{spent:9.3f}{'':7}" if spent == spent else "" for spent in cost))
    late = []
    for name in engines.available():
        for options in CASES.get(name, [{}]):
            cost, most = ours(name, options), budgets(name, hearts, spades)
            label = name + "".join(f" {key}={value}" for key, value in options.items())
            cells = [f"{s:9.3f} ({s / b:4.2f})" for s, b in zip(cost, most, strict=True)]
            print(f"{label:24}" + "".join(f"{cell:>16}" for cell in cells))
            late += [f"{label} {k}" for k, s, b in zip(Cost._fields, cost, most, strict=True) if s > b]
    print(
        "In brackets: share of the budget, which is OpenSpiel's hearts for playout (a decision), driven and"
    )
    print("sample; for seven-symbols half of spades' playout and half of hearts' driven; for copy 0.3 of")
    print("hearts' clone; for view 4 us.")
    print("Over budget: " + (", ".join(late) or "nothing"))


if __name__ == "__main__":
    main()
