"""A seat that becomes a program in another language: shut in with the right to start it, and nothing else.

Called in the child of the zygote's fork. Its walls stay up over `exec`: the system calls are those of a seat
but for threads and for starting a program, and Landlock names the files that may be started. It may start
itself again, which gains it nothing: same process, same walls, same clock.
"""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING, Final, NoReturn

from harness.players import wire
from harness.players.lockdown import landlock

if TYPE_CHECKING:
    from harness.players.zygote import Zygote

_CHANNEL: Final = 3
FILES: Final = 64
"""Descriptors: runtimes such as node have a few dozen of their own."""
THREADS: Final = 512
"""Threads, where they can be counted by user: else one program could take all numbers of processes that there
are, and nobody on the machine could start another."""
NOT_STARTED: Final = 71
"""Exit code of a seat whose program could not be started."""


def shut_and_start(
    zygote: Zygote,
    order: wire.Order,
    channel: int,
    output: int,
    number: int,
    parent: int,
    pipes: tuple[int, ...],
) -> NoReturn:
    """Become the program. Raises whatever goes wrong before the door is shut."""
    code = order.code
    restrict = None
    if zygote.layers.landlock:
        may_start = landlock.EXECUTE | landlock.READ_FILE
        own = [*landlock.grants(code.readable), *landlock.grants(code.executable, may_start)]
        restrict = zygote.files_of(own)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.setpgid(0, 0)
    os.chdir(code.path)
    _place(channel, pipes[0], pipes[1], output)
    import resource  # here, since Windows has none and imports this module

    user = zygote.user_of(number)
    if zygote.layers.namespaces or user is not None:  # a user who has nothing else running
        resource.setrlimit(resource.RLIMIT_NPROC, (THREADS, THREADS))
    if order.memory:
        # Runtimes reserve far more addresses than they use, so what they can write to is counted.
        resource.setrlimit(resource.RLIMIT_DATA, (order.memory, order.memory))
    zygote.program_door.shut(0, user, restrict)
    zygote.program_door.close(_CHANNEL + 1)
    if os.getppid() != parent:
        os._exit(NOT_STARTED)
    os.write(_CHANNEL, wire.encode(wire.Locked()))
    try:
        # The channel closes when this succeeds: the program has its standard input and output only.
        os.execv(code.executable[0], code.command)  # noqa: S606 - that is what it is for
    except OSError as error:
        os.write(_CHANNEL, wire.encode(wire.Failed(0, "start", f"cannot be started: {error.strerror}")))
    os._exit(NOT_STARTED)


def _place(channel: int, read: int, write: int, output: int) -> None:
    """Put the descriptors where the program expects them, by way of higher ones that overwrite none."""
    high = [
        os.dup2(descriptor, place) for place, descriptor in enumerate((read, write, output, channel), 200)
    ]
    for place, descriptor in enumerate(high):
        os.dup2(descriptor, place)
        os.close(descriptor)
    os.set_inheritable(_CHANNEL, False)
