"""Eight honest bots play their league among guests that misbehave in every way, and nobody's place moves."""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path

import pytest

import harness
from harness import config as configs
from harness.players import levels
from harness.players.levels import IsolationUnavailable
from harness.report import markdown, model
from harness.report.model import Standings
from harness.zoo.animals import named

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="bots are isolated on Linux only"
)

HONEST = '''"""Plays its cheapest card as often as `care` says, and any other time by chance."""

from bots import Bot, Seen


class Honest(Bot):
    def __init__(self, game, seat, rng, care=1.0):
        super().__init__(game, seat, rng)
        self.care = care

    def act(self, seen: Seen):
        if self.rng.random() >= self.care:
            return self.rng.choice(seen.moves)
        cards = [move for move in seen.moves if move.name.startswith(("LEAD", "BEAT"))]
        return min(cards, key=lambda move: move.card.rank) if cards else seen.moves[-1]
'''
HONEST_BOTS = 8
DEALS = 2
GUESTS = {
    "plays an illegal move": "illegal",
    "returns an object": "illegal",
    "raises": "exception",
    "raises system exit": "exception",
    "plays another game": "wrong_type",
    "exits at import": "start",
    "hangs in c": "time",
    "hangs deaf": "time",
    "eats memory": "memory",
    "crashes in c": "crash",
    "exits": "crash",
    "closes everything": "crash",
    "forges a reply": "malformed",
    "replies garbage": "malformed",
}
"""Guests that forfeit whenever they are seated, and the kind of their faults: all eight kinds."""
HOSTILE = (
    "forks",
    "floods stdout",
    "starts threads",
    "patches modules",
    "makes namespaces",
    "kills its parent",
)
"""Guests whose attacks fail, and who play on."""


def league(folder: Path, name: str, guests: list[str], *, bots: int = HONEST_BOTS, deals: int) -> Standings:
    """Run it to its end, and rank it."""
    (folder / "honest.py").write_text(HONEST)
    lines = [
        f'name = "{name}"',
        "seed = 11",
        'game = "kozyri-duel"',
        'rules = { deck = "easy", cap = 60 }',
        f'format = {{ name = "round_robin", deals = {deals} }}',
        "suspend = { faults = 1 }",
        "limits = { cpu_ms = 150, memory_mb = 192, import_ms = 1000 }",
        'executor = "local"',
    ]
    for number in range(bots):
        care = number / (bots - 1)
        lines += [
            "[[bots]]",
            f'name = "honest-{number}"',
            'path = "honest.py"',
            f"options = {{ care = {care:.3f} }}",
        ]
    for guest in guests:
        path = named(guest).source.path
        lines += ["[[bots]]", f'name = "{guest.replace(" ", "-")}"', f"path = {str(path)!r}"]
    (folder / f"{name}.toml").write_text("\n".join(lines) + "\n")
    try:
        settings = configs.read(folder / f"{name}.toml")
        result = harness.run(settings, out=folder / name, workers=2)
    except IsolationUnavailable as error:
        pytest.skip(str(error))
    pairs = (bots + len(guests)) * (bots + len(guests) - 1) // 2
    assert result.matches_played == pairs * 2 * deals
    run = harness.open_run(folder / name)
    assert set(map(levels.rank, run.matches["isolation"].unique())) <= set(range(2, 6))
    report = model.build(run)
    (standings,) = report.standings
    return standings


def honest(standings: Standings) -> list[str]:
    return [line.label for line in standings.lines if line.label.startswith("honest")]


@pytest.mark.slow
def test_a_league_with_a_guest_of_every_kind_ends_and_ranks_the_honest_as_without_them(
    tmp_path: Path,
) -> None:
    alone = league(tmp_path, "alone", [], deals=DEALS)

    together = league(tmp_path, "together", [*GUESTS, *HOSTILE], deals=DEALS)

    assert honest(together) == honest(alone)
    forfeits = {line.label: Counter(line.statistics.forfeits) for line in together.lines}
    for guest, kind in GUESTS.items():
        name = guest.replace(" ", "-")
        assert set(forfeits[name]) == {kind}
        # Of two guests at a table the first to move ends the match; the honest meet them all.
        assert forfeits[name].total() >= HONEST_BOTS * 2 * DEALS
    for name in [*honest(alone), *(guest.replace(" ", "-") for guest in HOSTILE)]:
        assert forfeits[name].total() == 0
    assert set(GUESTS.values()) == {
        "illegal", "exception", "wrong_type", "start", "time", "memory", "crash", "malformed"
    }  # fmt: skip


def test_a_small_league_with_guests_shows_their_forfeits_by_kind(tmp_path: Path) -> None:
    standings = league(tmp_path, "small", ["crashes in c", "replies garbage"], bots=3, deals=1)

    report = markdown.text(model.build(harness.open_run(tmp_path / "small")))
    forfeits = {line.label: dict(line.statistics.forfeits) for line in standings.lines}
    assert [forfeits[name] for name in honest(standings)] == [{}] * 3
    assert set(forfeits["crashes-in-c"]) == {"crash"}
    assert set(forfeits["replies-garbage"]) == {"malformed"}
    assert forfeits["crashes-in-c"]["crash"] + forfeits["replies-garbage"]["malformed"] == 2 * 2 * 3 + 2
    assert re.search(r"crashes-in-c forfeited \d+ of 8: \d+ crash", report)
