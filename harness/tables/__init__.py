"""What a person sees of a table, in plain text: one module a game, named like it.

Each has `HINTS`, its rules in a few lines, and `drawn(view, sight)`, the table from a view as
docs/notation.md writes it. A game without a module of its own gets `any_game`.
"""

from harness.tables.sight import Sight, table_of

__all__ = ["Sight", "table_of"]
