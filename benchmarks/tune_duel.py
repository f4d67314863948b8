"""Learns the weights of `duel_alphabeta`'s evaluation from games that it plays against itself.

Each round plays games by a shallow search with some random moves, and fits the chance that the seat to lead
wins (logistic regression with a small penalty) to what each lead turned into. Prints the weights for
bots/kozyri/duel_weights.py.

    python -P benchmarks/tune_duel.py --rounds 2 --games 600
"""

from __future__ import annotations

import argparse
import random
from typing import Any

import numpy as np

import engines
from bots.duel_alphabeta import searcher
from bots.kozyri.alphabeta import FEATURES, Judge
from bots.kozyri.duel_weights import WEIGHTS
from engines.kozyri.duel_proof import Proofs
from engines.kozyri.duel_state import BEAT_MOVE, LEAD_MOVE, TAKE_MOVE

DECKS = ("easy", "standard", "standard", "advanced")
UNIT = 256
NOISE = 0.12
PENALTY = 3.0
LONGEST = 300


def game(
    luck: int, nodes: int, weights: list[int], rng: random.Random
) -> tuple[list[list[int]], list[float]]:
    """The features of the leads of one game, and what each leader got."""
    duel: Any = engines.load("kozyri-duel", deck=DECKS[luck % len(DECKS)])
    state = duel.deal(luck)
    proofs = Proofs(state)
    search = searcher(proofs, False, weights)
    units = [
        Judge(proofs.suits, list(proofs.trumps), [int(i == j) for j in range(FEATURES)])
        for i in range(FEATURES)
    ]
    rows: list[list[int]] = []
    seats: list[int] = []
    while state.seat >= 0 and state.actions < LONGEST:
        responds = state.phase == 1
        _, mine, other, top = proofs.place(state, state.seat)
        if not responds and rng.random() < 0.5:
            pile = int(state.pile.size)
            rows.append([int(unit.lead(mine, other, pile, state.seat)) for unit in units])
            seats.append(int(state.seat))
        if rng.random() < NOISE:
            state.play(rng.choice(state.moves()))
            continue
        card = search.choose(mine, other, top if responds else -1, state.seat, nodes, 0.0)
        first = BEAT_MOVE if responds else LEAD_MOVE
        state.play(TAKE_MOVE if card < 0 else first + proofs.cards[card])
    if state.seat >= 0:
        return [], []
    scores = state.outcome().scores
    return rows, [scores[seat] for seat in seats]


def fitted(features: np.ndarray[Any, Any], results: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The weights of greatest likelihood, by Newton's method."""
    weights = np.zeros(features.shape[1])
    for _ in range(25):
        chance = 1 / (1 + np.exp(-np.clip(features @ weights, -30, 30)))
        slope = features.T @ (chance - results) + PENALTY * weights
        curve = (features.T * (chance * (1 - chance))) @ features + PENALTY * np.eye(len(weights))
        weights -= np.linalg.solve(curve, slope)
    return weights


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--games", type=int, default=600)
    parser.add_argument("--nodes", type=int, default=60)
    given = parser.parse_args()
    weights = list(WEIGHTS)
    rng = random.Random(7)
    for number in range(given.rounds):
        rows: list[list[int]] = []
        results: list[float] = []
        for luck in range(given.games):
            more, got = game(number * given.games + luck, given.nodes, weights, rng)
            rows += more
            results += got
        features, wanted = np.array(rows, float), np.array(results)
        found = fitted(features, wanted)
        right = float(np.mean((features @ found > 0) == (wanted > 0.5)))
        weights = [round(UNIT * float(value)) for value in found]
        print(f"round {number}: {len(wanted)} leads, {right:.3f} told rightly", flush=True)
    print(weights)


if __name__ == "__main__":
    main()
