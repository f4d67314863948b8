"""Solves all leads on the empty pile of a deck, and writes the table that `croupier solve` looks them up in.

For six ranks (the easy deck) that is engines/kozyri/six_ranks.leads.xz, which takes long: compiled, five
ranks need less than a minute, and six about fifty times as much. The table is the same on every machine.

    python -P benchmarks/duel_leads.py --ranks 6 engines/kozyri/six_ranks.leads.xz
"""

from __future__ import annotations

import argparse
import lzma
from math import comb
from pathlib import Path
from time import process_time

from engines.kozyri.known_leads import DRAWN, LOST, place
from engines.kozyri.lead_layers import LeadLayers
from engines.kozyri.lead_table import packed


def layers(ranks: int) -> LeadLayers:
    """All layers, each reported."""
    found = LeadLayers(ranks)
    added = -1
    while added:
        layer, searches, nodes = int(found.layer), int(found.searches), int(found.nodes)
        added = int(found.add())
        print(
            f"{layer} takes: {added:,} leads won by one side, {int(found.searches) - searches:,} searched, "
            f"{int(found.nodes) - nodes:,} positions expanded, {process_time():.0f} s",
            flush=True,
        )
    return found


def share(table: bytes, ranks: int) -> tuple[int, int, float]:
    """Deals that the leader wins, deals that are drawn, and the chance that the leader wins (DU-5)."""
    low = (1 << ranks) - 1
    won = drawn = 0
    chance = 0.0
    for laid in range(1 << 2 * ranks):
        own, second = laid & low, laid >> ranks
        # The leader holds of the other's suits the cards whose like it does not hold of its own.
        byte = table[place(own, low ^ own, second, low ^ second, ranks)]
        drawn += byte == DRAWN
        if DRAWN < byte < LOST:
            won += 1
            chance += comb(2 * ranks, 2 * ranks - laid.bit_count()) / comb(4 * ranks, 2 * ranks)
    return won, drawn, chance


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?", type=Path, help="where to write the table")
    parser.add_argument("--ranks", type=int, default=6)
    options = parser.parse_args()
    table = packed(layers(options.ranks).takes, options.ranks)
    if options.file:
        options.file.write_bytes(lzma.compress(table, preset=9))
    won, drawn, chance = share(table, options.ranks)
    deals = 4**options.ranks
    print(
        f"of {deals:,} deals the leader wins {won:,}, {drawn:,} are drawn; the leader's chance {chance:.4f}"
    )


if __name__ == "__main__":
    main()
