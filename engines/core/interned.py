"""Ints that know more than their number, made once and shared by every match."""

from __future__ import annotations

from typing import Any


class Interned(int):
    """An int with attributes that are set once, when it is made.

    Every match of a process uses the same objects, so none may leave a mark on them: what a subclass
    declares can be set once and never changed, anything else not at all.
    """

    _declared: frozenset[str] = frozenset()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        names = vars(cls).get("__annotations__", {})
        cls._declared = cls._declared.union(names)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._declared or name in self.__dict__:
            raise AttributeError(f"{name} of {self!r} cannot be set: it is shared by all matches")
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{name} of {self!r} cannot be deleted: it is shared by all matches")
