"""What a process may use, and who it is: limits, capabilities, users (`man 2 setrlimit`)."""

from __future__ import annotations

import contextlib
import ctypes
import os
import struct
from pathlib import Path
from typing import Final

from harness.players.lockdown.syscalls import (
    PR_CAP_AMBIENT,
    PR_CAP_AMBIENT_CLEAR_ALL,
    PR_CAPBSET_DROP,
    libc,
    prctl,
    syscall,
)

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]  # nothing here is called there

OUTPUT: Final = 1 << 16
"""Bytes that a player may print; also the largest file it could write, had it one."""
_FILES: Final = 32
_STACK: Final = 8 << 20
_SIGNALS: Final = 0
"""Signals that may wait in line. The kernel counts them by user, so that seats of one user could tell each
other numbers by them; a plain signal needs no place there."""
_CAPABILITIES: Final = 0x20080522  # _LINUX_CAPABILITY_VERSION_3


def address_space() -> int:
    """Bytes of address space that this process has now; 0 where that cannot be seen."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except (OSError, ValueError):
        return 0
    return pages * resource.getpagesize()


def set_limits(memory: int, cpu_seconds: int, *, files: int = _FILES, output: int = OUTPUT) -> None:
    """Bound this process, for good. `memory` is bytes of address space in all, 0 for no bound.

    `cpu_seconds` is the last resort for a process that nobody ends any more.
    """
    bounds = [
        (resource.RLIMIT_CPU, cpu_seconds, cpu_seconds + 1),
        (resource.RLIMIT_NOFILE, files, files),
        (resource.RLIMIT_FSIZE, output, output),
        (resource.RLIMIT_CORE, 0, 0),
        (resource.RLIMIT_MEMLOCK, 0, 0),
        (resource.RLIMIT_STACK, _STACK, _STACK),
    ]
    if hasattr(resource, "RLIMIT_MSGQUEUE"):
        bounds += [(resource.RLIMIT_MSGQUEUE, 0, 0), (resource.RLIMIT_SIGPENDING, _SIGNALS, _SIGNALS)]
    if memory:
        bounds.append((resource.RLIMIT_AS, memory, memory))
    for which, soft, hard in bounds:
        most = resource.getrlimit(which)[1]
        if most != resource.RLIM_INFINITY:
            soft, hard = min(soft, most), min(hard, most)  # noqa: PLW2901 - no bound can be raised again
        resource.setrlimit(which, (soft, hard))


def become(user: int) -> None:
    """Be the user and group of that number and no other; only root can. Raises OSError."""
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def drop_capabilities() -> None:
    """Give up every capability, also those that a user namespace gave; raises OSError."""
    for capability in range(64):
        if libc().prctl(ctypes.c_int(PR_CAPBSET_DROP), ctypes.c_ulong(capability), 0, 0, 0) != 0:
            break  # past the last one, or no right to drop any: then there is none to be had by exec
    with contextlib.suppress(OSError):  # a kernel without them
        prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)
    syscall("capset", struct.pack("Ii", _CAPABILITIES, 0), bytes(24))
