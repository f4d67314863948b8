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
_ENCODINGS: Final = ("utf-8", "utf-8-sig", "ascii", "iso-8859-1")


def parse(source: bytes, path: str = "<bot>") -> ast.Module:
    """The tree of a Python file. Raises SyntaxError, ValueError, RecursionError or MemoryError."""
    if len(source) > LARGEST:
        raise SyntaxError(
            f"expected at most {LARGEST:,} bytes of Python, got {len(source):,}: "
            f"a bot that is a folder can keep its data in another file"
        )
    encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
    if encoding not in _ENCODINGS:
        raise SyntaxError(f"expected UTF-8, got a file that says it is {encoding}")
    text = source.decode(encoding)
    with warnings.catch_warnings():  # there may be one for each of its lines
        warnings.simplefilter("ignore")
        return ast.parse(text, path)
