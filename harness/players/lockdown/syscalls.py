"""System calls that Python has no function for, by ctypes; a failure is an OSError that names the call."""

from __future__ import annotations

import ctypes
import functools
import os
import platform
from collections.abc import Mapping
from typing import Any, Final

from harness.players.lockdown.syscall_table import AARCH64, X86_64

MACHINE: Final = platform.machine()
NUMBERS: Final[Mapping[str, int]] = {"x86_64": X86_64, "aarch64": AARCH64}.get(MACHINE, {})
"""Numbers by name on this machine; empty on one that is not known."""

# linux/prctl.h
PR_SET_PDEATHSIG: Final = 1
PR_SET_DUMPABLE: Final = 4
PR_CAPBSET_DROP: Final = 24
PR_SET_CHILD_SUBREAPER: Final = 36
PR_SET_NO_NEW_PRIVS: Final = 38
PR_CAP_AMBIENT: Final = 47
PR_CAP_AMBIENT_CLEAR_ALL: Final = 4


@functools.cache
def libc() -> Any:
    """The C library of this process."""
    library = ctypes.CDLL(None, use_errno=True)
    library.syscall.restype = ctypes.c_long
    return library


def failed(what: str) -> OSError:
    """The error that the last call left."""
    number = ctypes.get_errno()
    return OSError(number, f"{what}: {os.strerror(number)}")


def syscall(name: str, *arguments: Any) -> int:
    """Make the call; ints go as they are, the rest as ctypes or bytes. Raises OSError."""
    if name not in NUMBERS:
        raise OSError(38, f"{name}: not known on {MACHINE}")
    plain = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    result: int = libc().syscall(ctypes.c_long(NUMBERS[name]), *plain)
    if result < 0:
        raise failed(name)
    return result


def prctl(option: int, *arguments: int) -> None:
    """Change this process (`man 2 prctl`); raises OSError."""
    four = [*arguments, 0, 0, 0, 0][:4]
    if libc().prctl(ctypes.c_int(option), *[ctypes.c_ulong(a) for a in four]) != 0:
        raise failed(f"prctl({option})")
