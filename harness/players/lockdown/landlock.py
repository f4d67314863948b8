"""Landlock: a process gives up every file but those it names, and TCP, and signals to the outside.

Asked for with three system calls (Linux 5.13; `man 7 landlock`, linux/landlock.h). Each kernel knows some
version of it, the ABI; rights that a kernel does not know yet must not be named to it.
"""

from __future__ import annotations

import ctypes
import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from harness.players.lockdown.syscalls import Call, syscall

EXECUTE: Final = 1
WRITE_FILE: Final = 2
READ_FILE: Final = 4
READ_DIR: Final = 8
TRUNCATE: Final = 1 << 14
READ: Final = READ_FILE | READ_DIR
"""Files and folders may be read; libraries can be loaded, programs not started."""
_OF_A_FILE: Final = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE
_RIGHTS: Final = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16, 6: 16, 7: 16, 8: 16, 9: 17}
"""By ABI, how many kinds of access to files can be handled: all of them are."""
_NET: Final = 3  # bind and connect, TCP
_SCOPES: Final = 3  # abstract Unix sockets and signals
_QUIET: Final = 1  # no line in the system's log for each refusal (ABI 7)


class _Attributes(ctypes.Structure):
    _fields_ = [("fs", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64)]


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("allowed", ctypes.c_uint64), ("fd", ctypes.c_int32)]


class Grant(NamedTuple):
    """A file, or a folder with all below it, and what may be done there."""

    descriptor: int
    """Opened with O_PATH: it holds whatever is mounted or renamed later."""
    rights: int


def abi() -> int:
    """The version of Landlock in this kernel; 0 where there is none or it is switched off."""
    try:
        return syscall("landlock_create_ruleset", None, 0, 1)
    except OSError:
        return 0


def grant(path: str | Path, rights: int = READ) -> Grant | None:
    """What `restrict` takes for `path`; None where nothing is there."""
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return None
    folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
    return Grant(descriptor, rights if folder else rights & _OF_A_FILE)


def grants(paths: Iterable[str | Path], rights: int = READ) -> list[Grant]:
    """The same for several paths, without those that are not there."""
    return [found for path in paths if (found := grant(path, rights))]


def ruleset(allowed: Iterable[Grant]) -> int | None:
    """A descriptor that stands for giving up all access to files but `allowed`; None without Landlock.

    Any number of processes can `restrict` themselves by it. Raises OSError where Landlock refuses.
    """
    version = abi()
    if not version:
        return None
    handled = (1 << _RIGHTS[min(version, max(_RIGHTS))]) - 1
    attributes = _Attributes(handled, _NET if version >= 4 else 0, _SCOPES if version >= 6 else 0)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    rules = syscall("landlock_create_ruleset", ctypes.byref(attributes), size, 0)
    for descriptor, rights in allowed:
        beneath = _PathBeneath(rights & handled, descriptor)
        syscall("landlock_add_rule", rules, 1, ctypes.byref(beneath), 0)
    return rules


def restrict(rules: int) -> Call:
    """The call by which a process keeps to a `ruleset`, for good; what it has open stays open.

    Wants no_new_privs.
    """
    return Call("landlock_restrict_self", rules, _QUIET if abi() >= 7 else 0)
