"""Taking leave of processes without keeping in memory how they have ended.

A bot chooses how it ends and how much memory it takes. What a zygote has once known of that, every seat that
it forks later can find, and so read what another bot has seen of the same cards. So what the kernel tells
goes out from where it was written, and is wiped.
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from harness.players.lockdown.syscalls import failed, libc

_TOLD: Final = struct.Struct("@i18l")  # the status of wait4(2), and its struct rusage
_USED: Final = struct.calcsize("@i0l")


class End(NamedTuple):
    """How a process has ended."""

    status: int
    """As from wait(2)."""
    peak_kb: int
    """The most memory that it had resident."""


def read(told: bytes) -> End:
    """What `Burial.tell` sent."""
    status, *used = _TOLD.unpack(told)
    return End(status, used[4])


class Burial:
    """For the children of this process."""

    def __init__(self) -> None:
        self._told = ctypes.create_string_buffer(_TOLD.size)
        self._wait = libc().wait4

    def forget_all(self) -> None:
        """Bury every child that has ended."""
        while self._wait(ctypes.c_int(-1), None, os.WNOHANG, None) > 0:
            pass

    def tell(self, process: int, send: Callable[[Any], object]) -> None:
        """Wait for its end, `send` how it was, and know nothing of it. Raises OSError."""
        used = ctypes.byref(self._told, _USED)
        if self._wait(ctypes.c_int(process), self._told, 0, used) < 0:
            raise failed("wait4")
        try:
            send(self._told)
        finally:
            ctypes.memset(self._told, 0, _TOLD.size)
