"""How a process shuts itself in, for good, before it runs code that nobody has read.

Nothing here knows bots or games: `shut` takes what a process may still do and applies it in the order in
which it must be done. It wants a process with one thread, fresh from a fork or about to `exec`, and Linux.
Each layer alone leaves holes that another closes; docs/isolation.md tells which.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from typing import NamedTuple

from harness.players.lockdown import landlock, limits, seccomp
from harness.players.lockdown.syscalls import PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS, PR_SET_PDEATHSIG, prctl


class Bounds(NamedTuple):
    """What is left to a process that has been shut in."""

    memory: int = 0
    """Bytes of address space; 0 for no bound."""
    cpu_seconds: int = 3600
    """CPU time after which the kernel ends it, should nobody else."""
    output: int = limits.OUTPUT
    """Bytes that it may write to a file it has open."""
    files: int = 32
    """Descriptors."""
    user: int | None = None
    """Number of the user to become; None to stay. Only root can become another."""
    readable: Sequence[landlock.Grant] | None = None
    """Files left by Landlock; None where it is not to be used."""
    calls: seccomp.Filter | None = None
    """System calls left by seccomp; None where it is not to be used."""


def shut(bounds: Bounds) -> None:
    """Apply `bounds` to this process. Raises OSError at the first layer that cannot be had.

    The process dies with its parent thread's end, so the parent should have one thread.
    """
    limits.set_limits(bounds.memory, bounds.cpu_seconds, files=bounds.files, output=bounds.output)
    if bounds.user is not None:
        limits.become(bounds.user)
    limits.drop_capabilities()
    prctl(PR_SET_DUMPABLE, 0)
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # after the change of user, which clears it
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    if bounds.readable is not None:
        landlock.restrict(bounds.readable)
    if bounds.calls is not None:
        bounds.calls.install()


def only_descriptors(kept: int) -> None:
    """Close every descriptor from `kept` on."""
    os.closerange(kept, max(4096, limits_of_files()))


def limits_of_files() -> int:
    """The highest descriptor that can be open, plus one; at most 65536 are looked at."""
    import resource

    return min(resource.getrlimit(resource.RLIMIT_NOFILE)[0], 65536)
