"""Positions as JSON: reading them strictly, so that a mistake is named by its key.

A position is `{"game": name, "rules": {what differs from the default}, "state": {…}}`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from engines.core.errors import BadPosition, BadRules, choices_hint

if TYPE_CHECKING:
    from engines.core.game import Game

T = TypeVar("T")
_REQUIRED: Any = object()


def envelope(game: Game[Any, Any], state: Mapping[str, Any]) -> dict[str, Any]:
    """The whole position around a `state`."""
    return {"game": game.name, "rules": game.rules.changed(), "state": dict(state)}


def open_envelope(game: Game[Any, Any], data: Mapping[str, Any]) -> Mapping[str, Any]:
    """The `state` of a position of this game and these rules; a bare state is taken as it is."""
    if not isinstance(data, Mapping):
        raise BadPosition(f"position: expected an object, got {data!r}")
    if not {"game", "state"} & set(data):
        return data
    if unknown := sorted(set(data) - {"game", "rules", "state"}):
        hint = choices_hint(str(unknown[0]), ["game", "rules", "state"])
        raise BadPosition(f"{unknown[0]}: unknown key, {hint}")
    if data.get("game", game.name) != game.name:
        raise BadPosition(f"game: expected {game.name!r}, got {data['game']!r}")
    rules = data.get("rules", {})
    if not isinstance(rules, Mapping):
        raise BadPosition(f"rules: expected an object, got {rules!r}")
    try:
        given = type(game.rules).of(rules)
    except BadRules as error:
        raise BadPosition(f"rules.{error}") from None
    if given != game.rules:
        raise BadPosition(
            f"rules: expected those of this game, {game.rules.changed()}, got {given.changed()}"
        )
    state = data.get("state")
    if not isinstance(state, Mapping):
        raise BadPosition(f"state: expected an object, got {state!r}")
    return state


class Reader:
    """Takes the keys of a `state` one by one; `finish` refuses those that nobody took."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        self.taken: set[str] = set()

    def fail(self, key: str, reason: str) -> NoReturn:
        """Refuse the position because of `key`."""
        raise BadPosition(f"{key}: {reason}")

    def value(self, key: str, default: Any = _REQUIRED) -> Any:
        """The raw value of `key`; without a default the key must be there."""
        self.taken.add(key)
        if key in self.data:
            return self.data[key]
        if default is _REQUIRED:
            self.fail(key, "is missing")
        return default

    def integer(self, key: str, low: int, high: int, default: Any = _REQUIRED) -> int:
        """A whole number from `low` to `high`, both included."""
        return self.whole(key, self.value(key, default), low, high)

    def whole(self, key: str, value: Any, low: int, high: int) -> int:
        """`value` as a whole number from `low` to `high`; `key` says where it stood."""
        if type(value) is not int or not low <= value <= high:
            self.fail(key, f"expected a whole number from {low} to {high}, got {value!r}")
        return value

    def boolean(self, key: str, default: Any = _REQUIRED) -> bool:
        """`true` or `false`."""
        value = self.value(key, default)
        if type(value) is not bool:
            self.fail(key, f"expected true or false, got {value!r}")
        return value

    def choice(self, key: str, allowed: Sequence[str], default: Any = _REQUIRED) -> str:
        """One of a few words."""
        return self.word(key, self.value(key, default), allowed)

    def word(self, key: str, value: Any, allowed: Sequence[str]) -> str:
        """`value` as one of the `allowed` words."""
        if not isinstance(value, str) or value not in allowed:
            self.fail(key, f"expected one of {', '.join(allowed)}, got {value!r}")
        return value

    def items(self, key: str, length: int | None = None, default: Any = _REQUIRED) -> list[Any]:
        """A list, of `length` where that is given."""
        return self.listed(key, self.value(key, default), length)

    def listed(self, key: str, value: Any, length: int | None = None) -> list[Any]:
        """`value` as a list, of `length` where that is given."""
        if not isinstance(value, list | tuple):
            self.fail(key, f"expected a list, got {value!r}")
        if length is not None and len(value) != length:
            self.fail(key, f"expected {length} entries, got {len(value)}")
        return list(value)

    def each(self, key: str, values: Iterable[Any], parse: Callable[[Any], T]) -> list[T]:
        """Every entry parsed; `parse` raises ValueError with the reason."""
        parsed: list[T] = []
        for index, value in enumerate(values):
            try:
                parsed.append(parse(value))
            except ValueError as error:
                self.fail(f"{key}[{index}]", str(error))
        return parsed

    def finish(self) -> None:
        """Refuse keys that the game does not have."""
        for key in self.data:
            if key not in self.taken:
                self.fail(str(key), f"unknown key, {choices_hint(str(key), self.taken)}")
