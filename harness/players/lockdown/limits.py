"""What a process may use, and who it is: limits, capabilities, users (`man 2 setrlimit`)."""

from __future__ import annotations

import contextlib
import ctypes
import os
import struct
from pathlib import Path
from typing import Any, Final

from harness.players.lockdown.syscalls import (
    PR_CAP_AMBIENT,
    PR_CAP_AMBIENT_CLEAR_ALL,
    PR_CAPBSET_DROP,
    Call,
    libc,
    prctl,
)

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]  # nothing here is called there

OUTPUT: Final = 1 << 16
"""Bytes that a player may print; also the largest file it could write, had it one."""
_STACK: Final = 8 << 20
_SIGNALS: Final = 0
"""Signals that may wait in line. The kernel counts them by user, so that seats of one user could tell each
other numbers by them; a plain signal needs no place there."""
_PAIR: Final = struct.Struct("QQ")  # struct rlimit64
_CAPABILITIES: Final = 0x20080522  # _LINUX_CAPABILITY_VERSION_3


def address_space() -> int:
    """Bytes of address space that this process has now; 0 where that cannot be seen."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except (OSError, ValueError):
        return 0
    return pages * resource.getpagesize()


def for_all() -> None:
    """Set, for this process and its children, the bounds that a process which only forks can live with."""
    bounds = [
        (resource.RLIMIT_FSIZE, OUTPUT, OUTPUT),
        (resource.RLIMIT_CORE, 0, 0),
        (resource.RLIMIT_MEMLOCK, 0, 0),
        (resource.RLIMIT_STACK, _STACK, _STACK),
    ]
    if hasattr(resource, "RLIMIT_MSGQUEUE"):
        bounds += [(resource.RLIMIT_MSGQUEUE, 0, 0), (resource.RLIMIT_SIGPENDING, _SIGNALS, _SIGNALS)]
    for which, soft, hard in bounds:
        resource.setrlimit(which, _lower(which, soft, hard))


class Bounds:
    """Those of one process beside `for_all`, ready to be set in it, for good."""

    def __init__(self, cpu_seconds: int, files: int) -> None:
        """`cpu_seconds` is the last resort for a process that nobody ends; `files` are descriptors."""
        self._memory, set_memory = _ready(resource.RLIMIT_AS, 0, 0)
        self._most = resource.getrlimit(resource.RLIMIT_AS)[1]
        self._set_memory = set_memory
        self._set = [
            _ready(resource.RLIMIT_CPU, cpu_seconds, cpu_seconds + 1)[1],
            _ready(resource.RLIMIT_NOFILE, files, files)[1],
        ]

    def set(self, memory: int) -> None:
        """`memory` is bytes of address space in all, 0 for no bound. Raises OSError."""
        for call in self._set:
            call()
        if memory:
            if self._most != resource.RLIM_INFINITY:
                memory = min(memory, self._most)
            _PAIR.pack_into(self._memory, 0, memory, memory)
            self._set_memory()


def _ready(which: int, soft: int, hard: int) -> tuple[Any, Call]:
    """A limit and the call that sets it."""
    pair = ctypes.create_string_buffer(_PAIR.pack(*_lower(which, soft, hard)), _PAIR.size)
    return pair, Call("prlimit64", 0, which, pair, None)


def _lower(which: int, soft: int, hard: int) -> tuple[int, int]:
    """Those two, or what is in force already if that is less: no bound can be raised again."""
    most = resource.getrlimit(which)[1]
    return (soft, hard) if most == resource.RLIM_INFINITY else (min(soft, most), min(hard, most))


def descriptors() -> int:
    """The highest descriptor that can be open, plus one; at most 65536 are looked at."""
    return min(resource.getrlimit(resource.RLIMIT_NOFILE)[0], 65536)


def become(user: int) -> None:
    """Be the user and group of that number and no other; only root can. Raises OSError."""
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def bar_capabilities() -> None:
    """Have no program that this process or its children start gain a capability; they keep what they have."""
    for capability in range(64):
        if libc().prctl(ctypes.c_int(PR_CAPBSET_DROP), ctypes.c_ulong(capability), 0, 0, 0) != 0:
            break  # past the last one, or no right to drop any: then there is none to be had by exec
    with contextlib.suppress(OSError):  # a kernel without them
        prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)()


def no_capabilities() -> Call:
    """The call that gives up every capability, also those that a user namespace gave."""
    return Call("capset", struct.pack("Ii", _CAPABILITIES, 0), bytes(24))
