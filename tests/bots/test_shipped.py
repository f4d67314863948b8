"""Every bot that ships keeps the laws of a bot in every game that it plays; newcomers are found by name."""

from __future__ import annotations

import pytest

import engines
from bots.core.claims import Claim, claims
from bots.core.testing import check_bot
from harness import submissions


def claimed(name: str) -> list[str]:
    """What a bot says it plays, spelt out."""
    kind = submissions.bot_type(submissions.find(name))
    return [claim.game for claim in claims(kind.games)] or engines.available()


PAIRS = [(name, game) for name in submissions.shipped() for game in claimed(name)]


@pytest.mark.parametrize(("name", "game"), PAIRS, ids=str)
def test_a_shipped_bot_keeps_the_laws(name: str, game: str) -> None:
    kind = submissions.bot_type(submissions.find(name))
    entries = [entry for entry in kind.games if Claim.parse(entry).game == game] or [game]

    if "nodes" in (submissions.known_options(kind) or ()):  # it searches, which takes its time uncompiled
        check_bot(kind, entries, options={"nodes": 2}, matches=1, cap=16 if kind.games else 3)
    else:
        check_bot(kind, entries, matches=1, cap=600)


@pytest.mark.parametrize("name", submissions.shipped())
def test_a_shipped_bot_claims_games_that_exist_and_says_what_it_does(name: str) -> None:
    kind = submissions.bot_type(submissions.find(name))

    assert set(claimed(name)) <= set(engines.available())
    assert kind.__doc__


def test_steady_refuses_a_place_that_is_none() -> None:
    kind = submissions.bot_type(submissions.find("steady"))

    check_bot(kind, ["kozyri-duel"], options={"place": 0.5}, matches=1, cap=100)
    with pytest.raises(AssertionError, match=r"place: expected a number from 0 .* got 2"):
        check_bot(kind, ["kozyri-duel"], options={"place": 2})
