"""Reads its memory page by page for what its parent held and freed, such as the opponent's source."""

from __future__ import annotations

import ctypes
import errno
import re
import time
from collections.abc import Iterator
from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "bounded"
FAULTS = ()

PAGE = 4096
REACH = 8 << 20
"""Bytes looked at on either side of each place."""


def pages() -> Iterator[int]:
    """The pages around the heap's end, the small objects' arenas and the large objects' mappings."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.sbrk.restype = ctypes.c_void_p
    libc.access.argtypes = [ctypes.c_void_p, ctypes.c_int]
    done: set[int] = set()
    for place in (int(libc.sbrk(0)), id(object()), id(bytes(1 << 20))):
        for page in range(place - REACH & -PAGE, place + REACH, PAGE):
            if page in done:
                continue
            done.add(page)
            # Where nothing is mapped, access() says EFAULT instead of crashing.
            if libc.access(page, 0) == 0 or ctypes.get_errno() != errno.EFAULT:
                yield page


class ScansTheHeap(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        super().__init__(game, seat, rng)
        self.left = pages()

    def act(self, seen: Seen[View[Move]]) -> int:
        until = time.thread_time() + 0.05
        for page in self.left:
            if found := re.search(rb"ZOO-(\d{9})-ZOO", ctypes.string_at(page, PAGE)):
                seen.metric("leak", float(found[1]))
            if time.thread_time() > until:
                break
        return seen.moves[0]
