"""What changed between two JSON values, in few bytes: a match of thousands of moves fits into one page.

A patch is None (nothing changed), `{"v": value}` (another value), `{"d": {key: patch}, "x": [gone keys]}`
(of an object), `{"e": {index: patch}}` (of some items of a list) or `{"s": [at, gone, items]}` (a piece of a
list replaced). `replay.js` applies them.
"""

from __future__ import annotations

from typing import Any

Patch = dict[str, Any] | None


def diff(before: Any, after: Any) -> Patch:
    """The patch that makes `after` of `before`."""
    if type(before) is type(after) and before == after:
        return None
    if isinstance(before, dict) and isinstance(after, dict):
        return _of_objects(before, after)
    if isinstance(before, list) and isinstance(after, list):
        return _of_lists(before, after)
    return {"v": after}


def _of_objects(before: dict[str, Any], after: dict[str, Any]) -> Patch:
    patch: dict[str, Any] = {}
    changed: dict[str, Any] = {}
    for key, value in after.items():
        found = diff(before[key], value) if key in before else {"v": value}
        if found is not None:
            changed[key] = found
    if changed:
        patch["d"] = changed
    if gone := [key for key in before if key not in after]:
        patch["x"] = gone
    return patch or None


def _of_lists(before: list[Any], after: list[Any]) -> Patch:
    if len(before) == len(after) and all(isinstance(item, list | dict) for item in before):
        pairs = enumerate(zip(before, after, strict=True))
        items = {str(n): diff(one, other) for n, (one, other) in pairs if one != other}
        return {"e": {n: patch for n, patch in items.items() if patch is not None}}
    head = 0
    while head < min(len(before), len(after)) and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < min(len(before), len(after)) - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    return {"s": [head, len(before) - head - tail, after[head : len(after) - tail]]}
