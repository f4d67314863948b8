"""Where the luck of a run comes from: every seed is a hash of its address, never the next draw."""

from __future__ import annotations

import hashlib
import secrets
from random import Random
from typing import Final

from engines.core.chance import LUCK_LIMIT
from harness.records import MatchSpec

GUESSABLE: Final = 2**50
"""Seeds below can all be tried, at the author's home and with the cards of a past deal."""


def addressed(*address: object) -> int:
    """A number below 2**53 that is a function of the address alone."""
    state = hashlib.blake2b(digest_size=8)
    for part in address:
        text = str(part).encode()
        state.update(len(text).to_bytes(4, "big"))
        state.update(text)
    return int.from_bytes(state.digest(), "big") % LUCK_LIMIT


def drawn_seed() -> int:
    """A seed that nobody can guess, from the operating system's entropy: GUESSABLE … 2**63 - 1."""
    return GUESSABLE + secrets.randbelow(2**63 - GUESSABLE)


def guessable(seed: int) -> bool:
    """Whether a bot could find the run's seed by trying: it would know every deal.

    What it is shown of one deal, or its own generator, tells it when it has found it.
    """
    return seed < GUESSABLE


def deal_luck(seed: int, game: str, number: int) -> int:
    """The luck of deal `number` of a game: the same cards under any rules, bots and formats of the run."""
    return addressed("deal", seed, game, number)


def bot_luck(spec: MatchSpec, seat: int) -> int:
    """The seed of a bot's own generator, from (run seed, deal, seat, version, options) only.

    The opponents and the match do not come in, so a bot that plays itself over a deal set cancels exactly.
    """
    ref = spec.seats[seat]
    return addressed("bot", spec.seed, spec.deal, seat, ref.version, ref.options)


def substitute_rng(spec: MatchSpec, seat: int) -> Random:
    """The luck of the substitute that plays on for a seat that has forfeited."""
    return Random(addressed("substitute", spec.seed, spec.deal, seat))
