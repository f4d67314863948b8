"""Rating methods, one file each: `rate("trueskill", results)`. The folder is the registry.

A method is a module with `TITLE` (how a table's heading explains its numbers) and `rate(results)`.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Protocol, cast

from engines.core.errors import choices_hint
from harness.analysis.results import Entrant, Result
from harness.ratings.core import Rated, Rating

__all__ = ["Method", "Rated", "Rating", "UnknownRating", "available", "method", "rate"]

_NOT_A_METHOD = "core"


class UnknownRating(ValueError):
    """A name that no rating method has; the message lists the known ones."""


class Method(Protocol):
    """What a module in this folder offers."""

    TITLE: str
    """One line for headings: what the number and its ± are, and what the order goes by."""

    def rate(self, results: Iterable[Result]) -> Rated:
        """Rate everybody in `results`, whose order does not matter: their ids say which came first."""
        ...


def available() -> list[str]:
    """The names of all methods, sorted."""
    found = pkgutil.iter_modules([str(Path(__file__).parent)])
    return sorted(module.name for module in found if not module.ispkg and module.name != _NOT_A_METHOD)


def method(name: str) -> Method:
    """The module of that method; raises UnknownRating."""
    if name not in available():
        raise UnknownRating(f"unknown rating {name!r}, {choices_hint(name, available())}")
    return cast("Method", importlib.import_module(f"{__name__}.{name}"))


def rate(name: str, results: Iterable[Result]) -> Mapping[Entrant, Rating]:
    """Everybody's rating by the method called `name`; raises UnknownRating."""
    return method(name).rate(results).ratings
