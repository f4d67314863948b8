"""Options of a game: frozen, documented, checked when they are made."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, Self, TypeVar

from engines.core.errors import BadRules, choices_hint

T = TypeVar("T")
R = TypeVar("R", bound="Rules")


def option(
    default: T,
    doc: str,
    *,
    choices: Sequence[T] | None = None,
    least: int | None = None,
    none: str = "none",
) -> T:
    """A field of a Rules dataclass: its default, what it means, and what it may be.

    `choices` lists every value; `least` allows all whole numbers from there on; `none` says what None means.
    """
    metadata = {"doc": doc, "choices": choices, "least": least, "none": none}
    field: T = dataclasses.field(default=default, metadata=metadata)
    return field


def show(value: object) -> str:
    """A value as it is written in a config: `true`, `7`, `standard`."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return "[" + ", ".join(show(item) for item in value) + "]"
    return "none" if value is None else str(value)


@dataclasses.dataclass(frozen=True)
class Rules:
    """Base of every game's options."""

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            self.check(field, getattr(self, field.name))

    def check(self, field: dataclasses.Field[Any], value: Any) -> None:
        """Raise BadRules if `value` is not one that `field` takes; games extend it."""
        choices, least = field.metadata.get("choices"), field.metadata.get("least")
        if choices is not None and any(value == c and type(value) is type(c) for c in choices):
            return
        if least is not None and type(value) is int and value >= least:
            return
        if choices is not None or least is not None:
            # In quotes, so that a text "2" is told from the number.
            shown = f'"{value}"' if isinstance(value, str) else show(value)
            raise BadRules(f"{field.name}: expected {self.allowed(field.name)}, got {shown}")

    @classmethod
    def allowed(cls, name: str) -> str:
        """What an option takes, in words: `2, 3 or 4`."""
        field = {f.name: f for f in dataclasses.fields(cls)}[name]
        words = [cls.shown(name, choice) for choice in field.metadata.get("choices") or ()]
        if (least := field.metadata.get("least")) is not None:
            words.append(f"a whole number from {least} on")
        return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)

    @classmethod
    def shown(cls, name: str, value: object) -> str:
        """A value of an option in words; None as what it means there."""
        (field,) = (f for f in dataclasses.fields(cls) if f.name == name)
        return str(field.metadata.get("none", "none")) if value is None else show(value)

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Self:
        """Rules from the options of a config or a position; lists become tuples."""
        known = {f.name for f in dataclasses.fields(cls)}
        for name in options:
            if name not in known:
                raise BadRules(f"{name}: unknown option, {choices_hint(name, known)}")
        return cls(**{k: tuple(v) if isinstance(v, list) else v for k, v in options.items()})

    def changed(self) -> dict[str, Any]:
        """The options that differ from their defaults, as JSON values."""
        values: dict[str, Any] = {}
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if value != field.default:
                values[field.name] = list(value) if isinstance(value, tuple) else value
        return values
