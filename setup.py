"""Compiles the modules that are written for native ints, where there is a C compiler.

A module that imports `i64` is compiled; there is no list to edit. Without a compiler (or with
CROUPIER_PURE=1) the same modules run interpreted, with the same results.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from setuptools import setup
from setuptools.command.build_ext import build_ext


class OptionalBuild(build_ext):
    """A failed compilation leaves a package that runs in pure Python."""

    def run(self) -> None:
        try:
            super().run()
        except Exception as error:  # noqa: BLE001 - compilers fail in their own ways; none may stop an install
            print(f"croupier: not compiled ({error}); the engines run in pure Python", file=sys.stderr)  # noqa: T201
            self.extensions = []


def compiled_modules() -> list[str]:
    """Every module of the engines and bots that uses native ints."""
    files = [path for root in ("engines", "bots") for path in sorted(Path(root).rglob("*.py"))]
    return [str(f) for f in files if "\nfrom mypy_extensions import i64" in f.read_text(encoding="utf-8")]


def extensions() -> list[Any]:
    """Mypyc's extension modules, or none."""
    if os.environ.get("CROUPIER_PURE") == "1":
        return []
    try:
        from mypyc.build import mypycify
    except ImportError:
        return []
    found = list(mypycify(compiled_modules(), opt_level="3", group_name="croupier"))
    if sys.platform == "linux":
        for extension in found:  # lets the C compiler inline calls between modules: playouts gain a sixth
            extension.extra_compile_args.append("-fno-semantic-interposition")
    return found


if __name__ == "__main__":
    setup(ext_modules=extensions(), cmdclass={"build_ext": OptionalBuild})
