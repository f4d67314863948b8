"""JSON Schema (2020-12) of the exchange with bots in other languages, generated from its types."""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, get_args, get_origin

import msgspec

from engines.core.game import Game
from harness.protocol import messages

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_PLAIN: Mapping[Any, dict[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    type(None): {"type": "null"},
    dict: {"type": "object"},
    Any: {},
}


def game_schema(game: Game[Any, Any]) -> dict[str, Any]:
    """The schema of every line of a match of `game` in either direction.

    `$defs` has each message by its name (`hello`, `act`, `end` from the referee; `ready`, `move` from the
    bot), `view` and what they are made of, so that a program can check a line against one of them.
    """
    writer = _Writer()
    said = [writer.message(kind) for kind in get_args(messages.FromReferee)]
    heard = [writer.message(kind) for kind in get_args(messages.FromBot)]
    defs = writer.defs
    defs["view"] = writer.schema(game.view_json)
    names = [move.name for move in game.table]
    defs["name"] = {"description": f"A move of {game.name}.", "enum": names}
    act = defs["act"]["properties"]
    act["view"] = {"$ref": "#/$defs/view"}
    act["moves"]["items"] = {"$ref": "#/$defs/name"}
    act["moves"]["minItems"] = 1
    defs["hello"]["properties"]["protocol"]["const"] = messages.PROTOCOL
    defs["hello"]["properties"]["game"]["const"] = game.name
    return {
        "$schema": DIALECT,
        "title": f"Croupier protocol {messages.PROTOCOL}: {game.name}",
        "description": "One line of the exchange between the referee and a bot in another language.",
        "oneOf": [*said, *heard],
        "$defs": dict(sorted(defs.items())),
    }


class _Writer:
    """Turns annotations into schemas; classes go into `defs` once and are referred to."""

    def __init__(self) -> None:
        self.defs: dict[str, Any] = {}

    def message(self, kind: type[msgspec.Struct]) -> dict[str, Any]:
        """A message, filed under its tag."""
        tag = str(kind.__struct_config__.tag)
        schema = self._object(kind, tag)
        schema["properties"] = {"type": {"const": tag}, **schema["properties"]}
        schema["required"] = ["type", *schema["required"]]
        return {"$ref": f"#/$defs/{tag}"}

    def schema(self, kind: Any) -> dict[str, Any]:  # noqa: PLR0911 - one return for each kind of annotation
        """The schema of an annotation."""
        if kind in _PLAIN:
            return dict(_PLAIN[kind])
        origin = get_origin(kind)
        if origin is Annotated:
            base, text = get_args(kind)[:2]
            return {**self.schema(base), "description": text}
        if origin is Literal:
            return {"enum": list(get_args(kind))}
        if origin in (typing.Union, types.UnionType):
            return {"anyOf": [self.schema(option) for option in get_args(kind)]}
        if origin is list:
            return {"type": "array", "items": self.schema(get_args(kind)[0])}
        if origin is tuple:
            items = [self.schema(item) for item in get_args(kind)]
            return {"type": "array", "prefixItems": items, "items": False, "minItems": len(items)}
        if origin is dict:
            return {"type": "object", "additionalProperties": self.schema(get_args(kind)[1])}
        if not (typing.is_typeddict(kind) or issubclass(kind, msgspec.Struct)):
            raise TypeError(f"no schema for {kind!r}")
        if kind.__name__ not in self.defs:
            self._object(kind, kind.__name__)
        return {"$ref": f"#/$defs/{kind.__name__}"}

    def _object(self, kind: Any, name: str) -> dict[str, Any]:
        schema: dict[str, Any] = {"type": "object", "description": (kind.__doc__ or "").strip()}
        self.defs[name] = schema  # before its fields, which may refer to it
        hints = typing.get_type_hints(kind, include_extras=True)
        schema["properties"] = {key: self.schema(hint) for key, hint in hints.items()}
        schema["required"] = _required(kind)
        if typing.is_typeddict(kind) or kind.__struct_config__.forbid_unknown_fields:
            schema["additionalProperties"] = False
        return schema


def _required(kind: Any) -> list[str]:
    if typing.is_typeddict(kind):
        wanted: Callable[[str], bool] = kind.__required_keys__.__contains__
        return [key for key in kind.__annotations__ if wanted(key)]
    fields = msgspec.structs.fields(kind)
    return [field.encode_name for field in fields if field.required]
