"""What a machine offers for isolation: tried, in processes that are thrown away, before it is relied on."""

from __future__ import annotations

import os
from typing import Any

from harness.players import levels, wire
from harness.players.lockdown import landlock, namespaces, seccomp
from harness.players.lockdown.syscalls import NUMBERS

BASE = "/proc"
"""Where the private root is put together: there on every Linux, and nothing that a seat may see is below."""


def host(plan: wire.Plan) -> levels.Host:
    """What this machine offers, tried out."""
    if not NUMBERS:
        return levels.Host(
            seccomp=f"system calls of {os.uname().machine} are not known",
            namespaces="likewise",
            landlock="likewise",
        )
    return levels.Host(
        namespaces=in_a_child(lambda: enter(plan)),
        landlock="" if landlock.abi() else "this kernel has no Landlock",
        seccomp="" if seccomp.available() else "this kernel has no seccomp filters",
    )


def in_a_child(attempt: Any) -> str:
    """Why `attempt` fails in a process that is thrown away; empty where it succeeds.

    Namespaces have to be tried so: where the first step succeeds and a later one does not, the process is
    half inside, and every fork of it would fail.
    """
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        text = ""
        try:
            attempt()
        except Exception as error:  # noqa: BLE001 - the reason is what is asked for
            text = getattr(error, "strerror", None) or str(error) or type(error).__name__
        os.write(write, text.encode()[:500])
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as answer:
        reason = answer.read().decode()
    os.waitpid(child, 0)
    return reason


def enter(plan: wire.Plan) -> None:
    """Go into namespaces of one's own, with a private root of what the plan names. Raises OSError."""
    namespaces.enter(files=True)
    shown = [*plan.readable, *plan.own, *map(os.path.realpath, plan.readable)]
    namespaces.private_root(BASE, shown, plan.hidden)
