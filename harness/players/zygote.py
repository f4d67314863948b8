"""The process that seats are forked from: a fresh interpreter that has games and allowed modules imported,
knows no match, and does nothing but fork.

The match's own process has threads and holds what no bot may see, so nothing is ever forked from it.
Requests come on a socket; when that closes, the zygote ends, and every seat with it. What a zygote has once
held, every later seat can find in its memory: so a seat's order and output go past it, on descriptors.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
from pathlib import Path
from typing import Any, NoReturn

import engines
from engines.core.game import Game
from harness.players import levels, readable, seat, wire
from harness.players.lockdown import landlock, limits, namespaces, seccomp
from harness.players.lockdown.syscalls import NUMBERS, PR_SET_CHILD_SUBREAPER, PR_SET_PDEATHSIG, prctl

ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"), "1"
)
"""A seat can start no threads, so libraries are told before they are imported."""
USERS = 250
"""Numbers of users that a zygote's seats take in turn."""
BASE = "/proc"
"""Where the private root is put together: there on every Linux, and nothing that a seat may see is below."""
HIGH = 256
"""Descriptors from here on are the zygote's own, so that low ones stay free for a seat."""


def main() -> NoReturn:
    """Serve the socket whose descriptor is the first argument."""
    control = socket.socket(fileno=int(sys.argv[1]))
    os.environ.clear()
    os.environ.update(ONE_THREAD, PATH="/nonexistent", LANG="C.UTF-8", HOME="/nonexistent")
    first = control.recv(wire.LARGEST_ASK)
    if not first:
        os._exit(0)  # whoever started this is gone already
    plan = wire.read_plan(first)
    found = host(plan)
    try:
        for name in plan.preload:
            importlib.import_module(name)
        level = levels.choose(plan.level, found)
        zygote = Zygote(control, plan, level)
    except Exception as error:  # noqa: BLE001 - whatever it is, whoever started this has to know
        text = (
            str(error)
            if isinstance(error, levels.IsolationUnavailable)
            else f"{type(error).__name__}: {error}"
        )
        control.send(wire.encode(wire.Opened(levels.NONE, list(found), "", text)))
        os._exit(1)
    control.send(wire.encode(wire.Opened(level, list(found), zygote.who)))
    zygote.serve()


def host(plan: wire.Plan) -> levels.Host:
    """What this machine offers, tried out."""
    if not sys.platform.startswith("linux"):
        return levels.elsewhere(sys.platform)
    if not NUMBERS:
        return levels.Host(
            seccomp=f"system calls of {os.uname().machine} are not known",
            namespaces="likewise",
            landlock="likewise",
        )
    return levels.Host(
        namespaces=_in_a_child(lambda: _enter(plan)),
        landlock="" if landlock.abi() else "this kernel has no Landlock",
        seccomp="" if seccomp.available() else "this kernel has no seccomp filters",
    )


def _in_a_child(attempt: Any) -> str:
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


def _enter(plan: wire.Plan) -> None:
    namespaces.enter(files=True)
    shown = [*plan.readable, *plan.own, *map(os.path.realpath, plan.readable)]
    namespaces.private_root(BASE, shown, plan.hidden)


class Zygote:
    """Everything is made ready once, then forked."""

    def __init__(self, control: socket.socket, plan: wire.Plan, level: str) -> None:
        self.control = control
        self.layers = levels.LEVELS[level]
        self.plan = plan
        self.empty = "/" if self.layers.seccomp else os.curdir
        seat.rehearse_import()
        self.size = limits.address_space()
        if self.layers.namespaces:
            _enter(plan)
            self.empty = namespaces.EMPTY
            _be_process_one(control)
        prctl(PR_SET_CHILD_SUBREAPER, 1)
        self.calls = self.program_calls = None
        if self.layers.seccomp:
            self.calls = seccomp.build(seccomp.SEAT if self.layers.opens else seccomp.SEAT_WITHOUT_FILES)
            self.program_calls = seccomp.build(seccomp.PROGRAM)
        self.grants: list[landlock.Grant] = []
        if self.layers.landlock:
            paths = plan.readable if self.layers.namespaces else readable.one_by_one(plan.readable)
            self.grants = [_moved_up(found) for found in landlock.grants(paths)]
        self.user, self.who = self._users()
        self.library = readable.importable()
        self.games: dict[tuple[str, str], Game[Any, Any]] = {}
        self.children: dict[int, int] = {}

    def _users(self) -> tuple[int | None, str]:
        """The first user of seats where this is root and another user can read all that a seat needs."""
        if os.geteuid() != 0 or not self.layers.seccomp:
            return None, ""
        user = self.plan.user
        needed = [path for path in map(Path, (*self.plan.readable, *self.plan.own)) if path.exists()]

        def tried() -> None:
            limits.become(user)
            for path in needed:
                if not os.access(path, os.R_OK):
                    raise PermissionError(f"user {user} cannot read {path}")

        reason = _in_a_child(tried)
        if not reason:
            return user, ""
        return None, f"seats stay root, with all capabilities dropped: {reason}"

    def user_of(self, number: int) -> int | None:
        """The user that a seat becomes; None to stay who it is."""
        return None if self.user is None else self.user + number % USERS

    def serve(self) -> NoReturn:
        """Fork when asked, tell when a seat has ended, end with the socket."""
        read, write = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(write, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        gc.collect()
        gc.freeze()
        waiting = select.poll()
        waiting.register(self.control, select.POLLIN)
        waiting.register(read, select.POLLIN)
        while True:
            for descriptor, _ in waiting.poll():
                if descriptor == read:
                    self._reap(read)
                else:
                    self._answer()

    def _reap(self, signals: int) -> None:
        try:
            os.read(signals, 4096)
        except BlockingIOError:
            return
        while True:
            try:
                child, status, used = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if child == 0:
                return
            number = self.children.pop(child, None)
            if number is not None:
                self._tell(wire.Gone(number, status, used.ru_maxrss))

    def _tell(self, message: wire.Gone) -> None:
        try:
            self.control.send(wire.encode(message))
        except OSError:
            os._exit(0)

    def _answer(self) -> None:
        try:
            data, descriptors, _, _ = socket.recv_fds(self.control, wire.LARGEST_ASK, 4)
        except ConnectionError:
            data, descriptors = b"", []
        if not data:
            os._exit(0)  # whoever seats are for is gone
        request = wire.read_request(data)
        if isinstance(request, wire.Rules):
            self._game(request)
        else:
            self._fork(request.number, *descriptors)

    def _game(self, request: wire.Rules) -> None:
        key = request.name, request.rules
        if key not in self.games:
            game = engines.load(request.name, **json.loads(request.rules))
            seat.rehearse(game)
            self.games[key] = game
            gc.collect()
            gc.freeze()

    def _fork(self, number: int, channel: int, output: int, *pipes: int) -> None:
        parent = os.getpid()
        child = os.fork()
        if child == 0:
            signal.set_wakeup_fd(-1)
            seat.main(self, channel, output, parent, number, pipes)
        self.children[child] = number
        descriptor = os.pidfd_open(child)
        socket.send_fds(self.control, [wire.encode(wire.Forked(number))], [descriptor])
        for own in (descriptor, channel, output, *pipes):
            os.close(own)


def _be_process_one(control: socket.socket) -> None:
    """Go on in a child, which is process 1 of the new namespace; this one waits for its end."""
    child = os.fork()
    if child:
        control.close()
        os.waitpid(child, 0)
        os._exit(0)
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _moved_up(grant: landlock.Grant) -> landlock.Grant:
    import fcntl

    try:
        moved = fcntl.fcntl(grant.descriptor, fcntl.F_DUPFD_CLOEXEC, HIGH)
    except OSError:
        return grant
    os.close(grant.descriptor)
    return grant._replace(descriptor=moved)


if __name__ == "__main__":
    main()
