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
import random
import signal
import socket
import struct
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

import engines
from engines.core.game import Game
from harness.players import (
    burial,
    huge_pages,
    levels,
    lockdown,
    program,
    readable,
    seat,
    streams,
    tried,
    wire,
)
from harness.players.lockdown import landlock, limits, namespaces, profiles, seccomp
from harness.players.lockdown.syscalls import (
    PR_SET_CHILD_SUBREAPER,
    PR_SET_PDEATHSIG,
    Call,
    prctl,
)

ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"), "1"
)
"""A seat can start no threads, so libraries are told before they are imported."""
STANDARD = (
    "base64",
    "calendar",
    "csv",
    "fractions",
    "graphlib",
    "hashlib",
    "importlib.metadata",
    "locale",
    "logging",
    "queue",
    "secrets",
    "shutil",
    "statistics",
    "string",
    "tempfile",
    "threading",
    "zipfile",
    "zlib",
)
"""What bots may well import of the standard library beside what is here. They do so themselves, as long
as they can open files: a fork costs the more the more it has in memory."""
USERS = 250
"""Numbers of users that a zygote's seats take in turn."""
RULESETS = 500
"""Bots whose files' Landlock ruleset is kept ready; each takes a descriptor."""
_INT = struct.calcsize("i")
_DESCRIPTORS = socket.CMSG_SPACE(4 * _INT)
"""Room for those of a seat: its channel, its output, and a program's two pipes."""
HIGH = 256
"""Descriptors from here on are the zygote's own, so that low ones stay free for a seat."""


def main() -> NoReturn:
    """Serve the socket whose descriptor is the first argument."""
    control = socket.socket(fileno=_moved_up(int(sys.argv[1])))
    os.environ.clear()
    os.environ.update(ONE_THREAD, PATH="/nonexistent", LANG="C.UTF-8", HOME="/nonexistent")
    first = control.recv(wire.LARGEST_ASK)
    if not first:
        os._exit(0)  # whoever started this is gone already
    plan = wire.read_plan(first)
    found = tried.host(plan)
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


class Zygote:
    """Everything is made ready once, then forked."""

    def __init__(self, control: socket.socket, plan: wire.Plan, level: str) -> None:
        self.control = control
        self.layers = levels.LEVELS[level]
        self.plan = plan
        self.empty = "/" if self.layers.seccomp else os.curdir
        seat.rehearse_import()
        self.huge = huge_pages.places()  # before /proc is out of sight
        self.size = limits.address_space()
        if self.layers.namespaces:
            tried.enter(plan)
            self.empty = namespaces.EMPTY
            _be_process_one(control)
        prctl(PR_SET_CHILD_SUBREAPER, 1)()
        calls = seat_calls = program_calls = None
        if not self.layers.opens:  # a seat could import nothing more
            engines.available()
            for name in STANDARD:
                importlib.import_module(name)
        if self.layers.seccomp:
            kind = profiles.SEAT if self.layers.opens else profiles.SEAT_WITHOUT_FILES
            kinds = kind, profiles.PROGRAM
            calls = seccomp.shared(*kinds)
            seat_calls, program_calls = (seccomp.own(each, *kinds) for each in kinds)
        self.door = lockdown.Door(seat_calls)
        self.program_door = lockdown.Door(program_calls, files=program.FILES)
        self.grants: list[landlock.Grant] = []
        self.files: dict[tuple[str, ...], Call | None] = {}
        """By what a bot alone may read, how its seat restricts itself to that and what all may read."""
        if self.layers.landlock:
            paths = plan.readable if self.layers.namespaces else readable.one_by_one(plan.readable)
            self.grants = [g._replace(descriptor=_moved_up(g.descriptor)) for g in landlock.grants(paths)]
            for own in ((), *((path,) for path in plan.own[:RULESETS])):
                self.files[own] = self.files_of(landlock.grants(own))
        self.user, self.who = self._users()
        self.library = readable.importable()
        self.rng = random.Random(0)
        self.games: dict[tuple[str, str], tuple[Game[Any, Any], seat.Reader]] = {}
        self.buffer = bytearray(wire.LARGEST_ASK)
        """For what is asked of the zygote, and in a seat, in a copy of its own, for what that is told."""
        self.children: dict[int, int] = {}
        """The processes of seats, by number, until they are buried."""
        self.burial = burial.Burial()
        os.umask(0o077)
        os.chdir(self.empty)
        streams.redirect(seat.CHANNEL)
        lockdown.prepare(calls)

    def _users(self) -> tuple[int | None, str]:
        """The first user of seats where this is root and another user can read all that a seat needs."""
        if os.geteuid() != 0 or not self.layers.seccomp:
            return None, ""
        user = self.plan.user
        needed = [path for path in map(Path, (*self.plan.readable, *self.plan.own)) if path.exists()]

        def become() -> None:
            limits.become(user)
            for path in needed:
                if not os.access(path, os.R_OK):
                    raise PermissionError(f"user {user} cannot read {path}")

        reason = tried.in_a_child(become)
        if not reason:
            return user, ""
        return None, f"seats stay root, with all capabilities dropped: {reason}"

    def files_of(self, own: Sequence[landlock.Grant]) -> Call | None:
        """How a seat restricts itself to `own` and what all may read; None without Landlock."""
        rules = landlock.ruleset([*self.grants, *own])
        for found in own:
            os.close(found.descriptor)
        return None if rules is None else landlock.restrict(_moved_up(rules))

    def user_of(self, number: int) -> int | None:
        """The user that a seat becomes; None to stay who it is."""
        return None if self.user is None else self.user + number % USERS

    def serve(self) -> NoReturn:
        """Do what is asked, one thing after another; end with the socket.

        Which seats have ended is looked at when that is asked for. To be told at once, by a signal or a
        descriptor, would wake the zygote in the middle of a match, and by a signal twice a decision: whenever
        a seat is frozen or thawed.
        """
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        self._settle()
        while True:
            request, descriptors = self._hear()
            if isinstance(request, wire.Fork):
                self._fork(request.number, *descriptors)
            elif isinstance(request, wire.Ended):
                self._bury(request.number)
            else:
                self._game(request)

    def _hear(self) -> tuple[wire.Rules | wire.Fork | wire.Ended, tuple[int, ...]]:
        """The next request, with its descriptors."""
        try:
            size, sent, _, _ = self.control.recvmsg_into([self.buffer], _DESCRIPTORS)
        except ConnectionError:
            size, sent = 0, []
        if not size:
            os._exit(0)  # whoever seats are for is gone
        descriptors = sent[0][2] if sent else b""
        request = wire.read_request(memoryview(self.buffer)[:size])
        return request, struct.unpack(f"{len(descriptors) // _INT}i", descriptors)

    def _bury(self, number: int) -> None:
        """Tell how a seat has ended, or will in a moment: killed, should it not have ended by itself.

        This is asked of every seat once, whether anybody wants to know or not: so what runs here, and what
        that leaves in memory, is the same however a seat has ended.
        """
        try:
            self.burial.tell(self.children.pop(number), self.control.send)
        except ConnectionError:
            os._exit(0)  # whoever would be told is gone
        if not self.children:  # what else has ended was left behind by a bot at `bounded`
            self.burial.forget_all()

    def _game(self, request: wire.Rules) -> None:
        key = request.name, request.rules
        if key not in self.games:
            kind = getattr(importlib.import_module(request.module), request.kind)
            game = kind(kind.rules_type.of(json.loads(request.rules)))
            self.games[key] = game, seat.rehearse(game)
            self._settle()

    def _settle(self) -> None:
        """Leave the memory of all that is there now alone, as far as this can be done, and cheap to fork."""
        gc.collect()
        gc.freeze()
        huge_pages.collapse(self.huge)

    def _fork(self, number: int, channel: int, output: int, *pipes: int) -> None:
        parent = os.getpid()
        child = os.fork()
        if child == 0:
            seat.main(self, channel, output, parent, number, pipes)
        self.children[number] = child
        descriptor = os.pidfd_open(child)
        self.control.sendmsg(
            [wire.encode(wire.Forked(number))],
            [(socket.SOL_SOCKET, socket.SCM_RIGHTS, struct.pack("i", descriptor))],
        )
        for own in (descriptor, channel, output, *pipes):
            os.close(own)


def _be_process_one(control: socket.socket) -> None:
    """Go on in a child, which is process 1 of the new namespace; this one waits for its end."""
    child = os.fork()
    if child:
        control.close()
        os.waitpid(child, 0)
        os._exit(0)
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)()


def _moved_up(descriptor: int) -> int:
    import fcntl  # here, since Windows has none and imports this module

    try:
        moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, HIGH)
    except OSError:
        return descriptor
    os.close(descriptor)
    return moved
