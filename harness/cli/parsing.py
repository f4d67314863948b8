"""How the words of a command are read, and what is said of those that cannot be."""

from __future__ import annotations

from typing import Any, Final

import typer
from typer.core import TyperCommand

_SHOWN: Final = 60
"""Characters of a wrong value that are shown."""
_EXPECTED: Final = {
    "int_parsing": "a whole number",
    "int_parsing_size": "a whole number with fewer digits",
    "float_parsing": "a number",
    "greater_than_equal": "at least {ge:,}",
    "less_than_equal": "at most {le:,}",
}
"""What was expected, by the kind of mistake that the parser of values found."""


class Command(TyperCommand):
    """A command whose arguments stand in the usage line as they are named: `RUN`, not `{RUN}`."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Without the braces that newer versions of typer put around what must be given."""
        return [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]

    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        """With a line for a wrong value that says what was expected and what came."""
        try:
            return super().make_context(*args, **kwargs)
        except typer.BadParameter as error:
            error.message = wrong_value(error)
            raise


def wrong_value(error: typer.BadParameter) -> str:
    """What to say of a value that an option cannot take; without a cause typer has said it itself."""
    found: list[dict[str, Any]] = getattr(error.__cause__, "errors", list)()
    if not found or found[0]["type"] not in _EXPECTED:
        return error.message.removeprefix("Value error, ")
    first = found[0]
    came = str(first["input"])
    shown = repr(came) if len(came) <= _SHOWN else f"{came[:_SHOWN]!r}… of {len(came):,} characters"
    return f"expected {_EXPECTED[first['type']].format_map(first.get('ctx', {}))}, got {shown}"
