"""How a process shuts itself in, for good, before it runs code that nobody has read.

Nothing here knows bots or games. A process with one thread `prepare`s itself and makes a `Door`; each of its
children shuts it behind itself, and what can be done no later than that is done in the order in which it
must be. Linux only. Each layer alone leaves holes that another closes; docs/isolation.md tells which.
"""

from __future__ import annotations

import os
import signal
from typing import Final

from harness.players.lockdown import limits, seccomp
from harness.players.lockdown.syscalls import (
    PR_SET_DUMPABLE,
    PR_SET_NO_NEW_PRIVS,
    PR_SET_PDEATHSIG,
    Call,
    prctl,
)

FILES: Final = 32
"""Descriptors that a process which has been shut in may have."""
CPU_SECONDS: Final = 3600
"""CPU time after which the kernel ends it, should nobody else."""


def prepare(calls: seccomp.Filter | None = None) -> None:
    """Do to this process, for all its children, what one that only forks can live with. Raises OSError.

    It can start no program that has more rights than itself, write to no file beyond limits.OUTPUT, and make
    no system calls but those that `calls` leave it; None where seccomp is not to be used.
    """
    limits.bar_capabilities()
    limits.for_all()
    prctl(PR_SET_NO_NEW_PRIVS, 1)()
    if calls is not None:
        seccomp.Installer(calls)()


class Door:
    """All that is the same for the processes that will be shut in, ready to be done."""

    def __init__(self, calls: seccomp.Filter | None = None, *, files: int = FILES) -> None:
        """`calls` are what is left of those that `prepare` left; None where seccomp is not to be used."""
        self._bounds = limits.Bounds(CPU_SECONDS, files)
        self._descriptors = max(4096, limits.descriptors())
        self._give_up_capabilities = limits.no_capabilities()
        self._hide = prctl(PR_SET_DUMPABLE, 0)
        self._die_with_parent = prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        self._filter = None if calls is None else seccomp.Installer(calls)

    def shut(self, memory: int, user: int | None, restrict: Call | None) -> None:
        """Apply it all to this process, a child of the one that was prepared.

        `memory` is its bytes of address space, 0 for no bound; `user` the number of the user to become, which
        only root can, None to stay; `restrict` leaves it the files of a Landlock ruleset, None all of them.
        Raises OSError at the first layer that cannot be had. The process dies with its parent thread's
        end, so the parent should have one thread.
        """
        self._bounds.set(memory)
        if user is not None:
            limits.become(user)
        self._give_up_capabilities()
        self._hide()
        self._die_with_parent()  # after the change of user, which clears it
        if restrict is not None:
            restrict()
        if self._filter is not None:
            self._filter()

    def close(self, first: int) -> None:
        """Close every descriptor from `first` on."""
        os.closerange(first, self._descriptors)
