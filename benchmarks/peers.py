"""Plays two random players in other people's tournaments, in their own environment; for bench_peers.py.

    PYTHON-OF-THEIR-ENVIRONMENT peers.py axelrod|kaggle SECONDS TURNS

Prints one line of JSON: version, what was played, matches, decisions, seconds. Knows nothing of Croupier.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from pathlib import Path
from typing import Any


def axelrod(seconds: float, turns: int) -> dict[str, Any]:
    """Axelrod's Tournament with its results, two random players, one process, so many turns a match."""
    import axelrod as axl  # type: ignore[import-not-found]  # theirs

    def play(repetitions: int) -> float:
        players = [axl.Random(0.5), axl.Random(0.4)]
        began = time.perf_counter()
        axl.Tournament(players, turns=turns, repetitions=repetitions, seed=1).play(
            progress_bar=False, processes=None
        )
        return time.perf_counter() - began

    play(2)
    repetitions, spent = 50, play(50)
    if spent < seconds:
        repetitions = int(50 * seconds / spent)
        spent = play(repetitions)
    matches = 3 * repetitions  # each against the other and itself
    return {
        "version": axl.__version__,
        "game": f"prisoner's dilemma, {turns} turns",
        "matches": matches,
        "decisions": 2 * turns * matches,
        "seconds": spent,
    }


def kaggle(seconds: float, turns: int) -> dict[str, Any]:
    """kaggle-environments' `evaluate` of Connect X, two agents of its own that choose at random."""
    del turns
    import kaggle_environments as theirs  # type: ignore[import-not-found]  # theirs

    env = theirs.make("connectx")
    env.run(["random", "random"])
    matches, decisions, began = 0, 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        theirs.evaluate("connectx", ["random", "random"], num_episodes=2)
        matches += 2
    spent = time.perf_counter() - began
    for _ in range(10):
        env.reset()
        decisions += len(env.run(["random", "random"])) - 1
    return {
        "version": theirs.__version__,
        "game": "Connect X",
        "matches": matches,
        "decisions": decisions / 10 * matches,
        "seconds": spent,
    }


def main() -> None:
    which = {"axelrod": axelrod, "kaggle": kaggle}[sys.argv[1]]
    with Path(os.devnull).open("w") as nowhere, contextlib.redirect_stdout(nowhere):
        found = which(float(sys.argv[2]), int(sys.argv[3]))
    print(json.dumps(found))


if __name__ == "__main__":
    main()
