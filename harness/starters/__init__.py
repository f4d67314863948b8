"""A bot to start from for every game, with positions that pin it down: what `croupier new bot` writes.

One module a game, named like it (`kozyri_duel` for `kozyri-duel`), with `BOT`, the text of the file, and
`cases(seats)`. They are texts: nothing here imports a game.
"""

from harness.starters.writing import Case, Starter, starter

__all__ = ["Case", "Starter", "starter"]
