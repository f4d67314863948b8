"""Memory of a zygote in huge pages, so that a fork copies a few entries of its page table and not thousands.

A page of a process that is forked costs about 50 ns when it is copied and again when the child ends; a huge
page of Linux is 512 of them and costs as much as one. Python takes memory for objects a megabyte at a time,
wherever there is room, and a huge page has to be one piece of two: so `APART` takes it in one go before the
libraries, which would lie between, are loaded. Where there are no huge pages all of this changes nothing.
"""

from __future__ import annotations

import ctypes
from typing import Final

from harness.players.lockdown.syscalls import libc

APART: Final = "apart = [bytes(456) for _ in range(22_000)][::1000]"
"""To be run first: ten megabytes of objects. The few that stay keep what was taken from being given back."""
MALLOC: Final = "glibc.malloc.top_pad=6291456"
"""A GLIBC_TUNABLES that does the same for what malloc(3) hands out."""
_SIZE: Final = 1 << 21
_COLLAPSE: Final = 25  # MADV_COLLAPSE, since Linux 6.1


def places() -> list[int]:
    """The addresses in this process where a huge page of objects could begin."""
    found: list[int] = []
    with open("/proc/self/maps", encoding="ascii", errors="replace") as lines:  # noqa: PTH123 - no pathlib
        for line in lines:
            where, rights, _, _, _, *name = line.split()
            if rights == "rw-p" and name in ([], ["[heap]"]):
                first, last = (int(address, 16) for address in where.split("-"))
                found += range(-(-first // _SIZE) * _SIZE, last - _SIZE + 1, _SIZE)
    return found


def collapse(where: list[int]) -> None:
    """Make them huge pages, as far as the kernel has and allows them."""
    madvise = libc().madvise
    for address in where:
        madvise(ctypes.c_void_p(address), ctypes.c_size_t(_SIZE), ctypes.c_int(_COLLAPSE))
