"""Reading a bot's Python without running it, at a cost that its size bounds, whatever is in it.

Parsing is all that is done to a stranger's file outside of a seat. Compiling it is not harmless: a `finally`
is compiled once for each way out of its `try`, so that 6 kB of them, one in the other, take all the memory of
a machine. Nor is decoding: some codecs' time grows with the square of the length.
"""

from __future__ import annotations

import ast
import io
import tokenize
import warnings
from typing import Final

LARGEST: Final = 1 << 20
"""Bytes of one file; its tree takes some 500 times as many."""
SAVE: Final = "save the file as UTF-8"
_ENCODINGS: Final = ("utf-8", "utf-8-sig", "ascii", "iso-8859-1")


class NotText(SyntaxError):
    """A file that no Python could read, whatever its lines say."""

    def __init__(self, said: str, advice: str, line: int | None = None) -> None:
        super().__init__(said)
        self.advice = advice
        """What to do about it."""
        self.lineno = line


def parse(source: bytes, path: str = "<bot>") -> ast.Module:
    """The tree of a Python file. Raises SyntaxError or NotText, ValueError, RecursionError or MemoryError."""
    if len(source) > LARGEST:
        raise NotText(
            f"expected at most {LARGEST:,} bytes of Python, got {len(source):,}",
            "keep data in another file: a bot of several files is a folder with bot.py",
        )
    text = _decoded(source)
    if "\0" in text:
        raise NotText(
            "expected text, got a null byte", "take it out", 1 + text.count("\n", 0, text.index("\0"))
        )
    with warnings.catch_warnings():  # there may be one for each of its lines
        warnings.simplefilter("ignore")
        return ast.parse(text, path)


def _decoded(source: bytes) -> str:
    """The text of a file; raises NotText, with the line where that is known."""
    encoding = "utf-8"
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
    except SyntaxError as error:
        # The first lines are not UTF-8, and decoding says where; or they name an encoding that there is not.
        wrong = error.msg
    else:
        wrong = "" if encoding in _ENCODINGS else f"got a file that says it is {encoding}"
    if encoding in _ENCODINGS:
        try:
            text = source.decode(encoding)
        except UnicodeDecodeError as error:
            line = 1 + source.count(b"\n", 0, error.start)
            raise NotText(
                f"expected {encoding.upper()}, got byte 0x{source[error.start]:02x}", SAVE, line
            ) from None
    if wrong:
        raise NotText(f"expected UTF-8, {wrong}", SAVE)
    return text
