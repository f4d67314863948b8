"""Taking keys from a TOML table one by one, strictly: what nobody took is a mistake of the author."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn, TypeVar

from engines.core.errors import choices_hint
from harness.config_values import ConfigError

T = TypeVar("T")
_REQUIRED: Any = object()
_KINDS = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    dict: "a table",
    list: "a list",
}


class Keys:
    """One table of a config. Every error names the file and the key: `c.toml: bots[2].optoins: …`."""

    def __init__(self, file: str, data: Mapping[str, Any], prefix: str = "") -> None:
        self.file = file
        self.data = data
        self.prefix = prefix
        self.known: list[str] = []

    def fail(self, key: str, reason: str) -> NoReturn:
        """Refuse the config because of `key` (empty: because of the whole table)."""
        where = f"{self.prefix}.{key}" if self.prefix and key else self.prefix or key
        raise ConfigError(f"{self.file}: {where}: {reason}")

    def take(self, key: str, kind: type[T], default: Any = _REQUIRED) -> T:
        """The value of `key`, of that TOML type; a whole number will do for a number."""
        self.known.append(key)
        if key not in self.data:
            if default is _REQUIRED:
                self.fail(key, "is missing")
            return default  # type: ignore[no-any-return]  # the caller's own
        return self.typed(key, self.data[key], kind)

    def typed(self, key: str, value: Any, kind: type[T]) -> T:
        """`value` if it is a `kind`; `key` says where it stood."""
        if kind is float and type(value) is int:
            value = float(value)
        if type(value) is not kind:
            self.fail(key, f"expected {_KINDS[kind]}, got {_shown(value)}")
        return value

    def choice(self, key: str, allowed: Sequence[str], default: str) -> str:
        """One of a few words."""
        value = self.take(key, str, default)
        if value not in allowed:
            self.fail(key, f"expected one of {', '.join(allowed)}, got {value!r}")
        return value

    def whole(self, key: str, low: int, high: int | None = None, default: Any = _REQUIRED) -> int:
        """A whole number from `low` (to `high`)."""
        value = self.take(key, int, default)
        if key in self.data and (value < low or (high is not None and value > high)):
            upto = "on" if high is None else f"to {high}"
            self.fail(key, f"expected a whole number from {low} {upto}, got {value}")
        return value

    def number(self, key: str, default: Any, *, zero: bool = False) -> float:
        """A finite number above 0, or from 0 on."""
        value = self.take(key, float, default)
        if key in self.data and not (0 < value < math.inf or (zero and value == 0)):
            self.fail(key, f"expected a finite number {'from 0 on' if zero else 'above 0'}, got {value:g}")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts; empty where the key is not there."""
        values = self.take(key, list, [])
        return tuple(self.typed(f"{key}[{i}]", value, str) for i, value in enumerate(values))

    def table(self, key: str) -> Keys:
        """The table below `key`; empty where the key is not there."""
        return Keys(self.file, self.take(key, dict, {}), f"{self.prefix}.{key}" if self.prefix else key)

    def tables(self, key: str) -> list[Keys]:
        """The `[[key]]` tables."""
        values = self.take(key, list, [])
        return [
            Keys(self.file, self.typed(f"{key}[{i}]", value, dict), f"{key}[{i}]")
            for i, value in enumerate(values)
        ]

    def attempt(self, key: str, make: Callable[[], T]) -> T:
        """What `make` gives; its ValueError is told as a mistake at `key`."""
        try:
            return make()
        except ConfigError:
            raise
        except ValueError as error:
            self.fail(key, str(error))

    def refuse_unknown(self, *later: str) -> None:
        """Name the first key that is neither taken yet nor among `later`: it may explain a missing one."""
        known = {*self.known, *later}
        for key in self.data:
            if key not in known:
                self.fail(key, f"unknown key, {choices_hint(key, known)}")


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value)
