"""System calls that Python has no function for, by ctypes; a failure is an OSError that names the call."""

from __future__ import annotations

import ctypes
import errno
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


class Call:
    """A system call, ready to be made. Raises OSError when it is made and fails, or is not known here.

    Made before a fork and called after it, it touches next to nothing in memory that the two share: every
    page that a process writes to after its fork, a counter of references included, is copied first.
    """

    __slots__ = ("_arguments", "_function", "name")

    def __init__(self, name: str, *arguments: Any) -> None:
        """Ints go as they are, the rest as ctypes or bytes, which this keeps."""
        if name not in NUMBERS:
            raise OSError(errno.ENOSYS, f"{name}: not known on {MACHINE}")
        self.name = name
        self._function = libc().syscall
        plain = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
        self._arguments = (ctypes.c_long(NUMBERS[name]), *plain)

    def __call__(self) -> int:
        result: int = self._function(*self._arguments)
        if result < 0:
            raise failed(self.name)
        return result


def syscall(name: str, *arguments: Any) -> int:
    """Make a call at once; arguments and errors are those of `Call`."""
    return Call(name, *arguments)()


def prctl(option: int, *arguments: int) -> Call:
    """The call that changes a process so (`man 2 prctl`)."""
    return Call("prctl", option, *[*arguments, 0, 0, 0, 0][:4])
