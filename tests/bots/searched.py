"""What every search bot plays on a few deals, as JSON lines, to compare two builds byte for byte.

python -m tests.bots.searched
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random

import engines
from bots.core.bot import Seen
from bots.core.claims import claims
from harness import submissions

PLIES = 16
NODES = 12
CAPS = {"kozyri-duel": 120, "kozyri-classic": 120, "hund": 120}


def lines() -> Iterator[str]:
    """A line a bot and game: the moves of one deal, the bot in every seat."""
    for name in submissions.shipped():
        kind = submissions.bot_type(submissions.find(name))
        if "nodes" not in (submissions.known_options(kind) or ()):
            continue
        for table in [claim.game for claim in claims(kind.games)] or engines.available():
            rules = {"cap": CAPS[table]} if table in CAPS else {}
            game = engines.load(table, **rules)
            bots = [kind(game, seat, Random(seat), nodes=NODES) for seat in range(game.seats)]
            state = game.deal(3)
            moves: list[int] = []
            while state.seat >= 0 and len(moves) < PLIES:
                seat, legal = int(state.seat), state.moves()
                seen = Seen(seat, game.view(state, seat), [game.table[i] for i in legal])
                moves.append(legal[0] if len(legal) == 1 else int(bots[seat].act(seen)))
                state.play(moves[-1])
            yield json.dumps({"bot": name, "game": table, "moves": moves})


if __name__ == "__main__":
    print("\n".join(lines()))
