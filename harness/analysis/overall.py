"""One ranking over several games: everybody's expected share against the field, each game counting the same.

A game is a voter, and what it says of a bot is by how much: the chance that it comes out ahead of another bot
of the event, averaged over the others, by the game's order-free strengths. The mean over games is what is
known as the average-win-rate or cardinal Borda rule. Why this one: scores of different games have no common
unit and a share has; ranks alone (Borda, Kemeny) would count a hair's breadth like a mile, and a game in
which luck decides much as loudly as one in which skill does; shares from strengths, not from matches, leave
out who happened to meet whom how often. Only bots that played every game are compared.

Its uncertainty is that of the games' strengths, over deals: strengths are drawn for each game, which have
deals of their own, and the shares worked out again.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from harness.analysis import words
from harness.analysis.quantiles import t_tail
from harness.analysis.results import Entrant
from harness.analysis.standings import GameStandings, labels
from harness.analysis.tables import Floats
from harness.analysis.verdicts import DRAWS, Verdicts, covariance, draws, holm

METHOD: Final = (
    "expected share against the other bots, from order-free strengths, averaged over games of equal weight "
    "(cardinal Borda)"
)


@dataclass(frozen=True)
class OverallBot:
    """One bot over all games."""

    entrant: Entrant
    label: str
    rank: int
    """1 + the number of bots with a larger share."""
    ranks: tuple[int, int]
    """Between which ranks it is, at 95 % confidence for all bots together."""
    group: int
    """Its tie group, from 0."""
    best: float
    """The chance that it is the best overall."""
    share: float
    """The mean over games of its expected share against the other bots, from 0 to 1."""
    interval: tuple[float, float]
    """95 % interval of the share, over deals."""
    by_game: tuple[float, ...]
    """Its expected share at every game, in the order of `Overall.games`."""


@dataclass(frozen=True)
class Overall:
    """The ranking over all games of an event."""

    games: tuple[str, ...]
    method: str
    bots: tuple[OverallBot, ...]
    """By rank."""
    order: str
    """`A > B ≈ C`."""
    left_out: tuple[str, ...]
    """Labels of bots that did not play every game."""


def overall(found: Sequence[GameStandings]) -> Overall | None:
    """Rank over several games; None where there is one, or where fewer than two bots played all of them."""
    everybody = sorted({bot.entrant for one in found for bot in one.bots})
    common = [bot for bot in everybody if all(bot in one.strengths.entrants for one in found)]
    if len(found) < 2 or len(common) < 2:
        return None
    fits = [one.strengths.only(common) for one in found]
    by_game = np.array([expected(fit.value) for fit in fits])
    share = by_game.mean(axis=0)
    sure = all(fit.clusters > 1 for fit in fits)
    drawn = np.full((2, len(common)), np.nan)
    if sure:
        each = [
            expected(draws(fit.value, covariance(fit), fit.clusters - 1.0, DRAWS, seed))
            for seed, fit in enumerate(fits)
        ]
        drawn = np.mean(each, axis=0)
    judged = _judged(share, drawn, min(fit.clusters for fit in fits) - 1)
    names = labels(everybody)
    rank = [1 + int((share > own + 1e-9).sum()) for own in share]
    order = sorted(range(len(common)), key=lambda n: (rank[n], names[common[n]]))
    group = {n: at for at, members in enumerate(judged.groups(order)) for n in members}
    low, high = np.percentile(drawn, [2.5, 97.5], axis=0)
    bots = tuple(
        OverallBot(
            entrant=common[n],
            label=names[common[n]],
            rank=rank[n],
            ranks=(min(rank[n], judged.ranks(n)[0]), max(rank[n], judged.ranks(n)[1])),
            group=group[n],
            best=float(judged.best[n]),
            share=float(share[n]),
            interval=(float(low[n]), float(high[n])),
            by_game=tuple(by_game[:, n].tolist()),
        )
        for n in order
    )
    return Overall(
        games=_names(found),
        method=METHOD,
        bots=bots,
        order=words.order([(bot.label, bot.group) for bot in bots]),
        left_out=tuple(names[bot] for bot in everybody if bot not in common),
    )


def _names(found: Sequence[GameStandings]) -> tuple[str, ...]:
    """The games, with their rules where one was played under several."""
    names = [one.game for one in found]
    return tuple(one.game if names.count(one.game) == 1 else f"{one.game} {one.rules}" for one in found)


def expected(value: Floats) -> Floats:
    """(…, bots): the chance of coming out ahead of another bot, averaged over the others."""
    apart = value[..., :, None] - value[..., None, :]
    chance = 0.5 + 0.5 * np.tanh(apart / 2.0)  # the logistic function, which does not overflow this way
    count = value.shape[-1]
    found: Floats = (chance.sum(axis=-1) - 0.5) / (count - 1)
    return found


def _judged(share: Floats, drawn: Floats, df: int) -> Verdicts:
    """Verdicts on the shares of all pairs, from shares that were drawn."""
    count = len(share)
    spread = np.cov(drawn, rowvar=False)
    error = np.sqrt(np.maximum(np.diag(spread)[:, None] + np.diag(spread)[None, :] - 2.0 * spread, 0.0))
    difference = share[:, None] - share[None, :]
    raw = np.ones((count, count))
    for a, b in itertools.permutations(range(count), 2):
        if error[a, b] > 0 and difference[a, b]:
            # The draws have Student's tails already, so their spread is divided by that of these.
            own = error[a, b] * (np.sqrt((df - 2) / df) if df > 2 else 1.0)
            raw[a, b] = t_tail(float(difference[a, b] / own), df)
    top = np.isclose(drawn, drawn.max(axis=1, keepdims=True), rtol=0.0, atol=1e-9)
    best = (top / np.maximum(top.sum(axis=1, keepdims=True), 1)).mean(axis=0)
    if np.isnan(drawn).any():
        best = np.full(count, np.nan)
    return Verdicts(
        difference=difference,
        error=error,
        freedom=np.full((count, count), float(df)),
        p=holm(raw),
        covariance=spread,
        best=best,
        more=np.zeros((count, count)),
    )
