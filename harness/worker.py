"""Plays batches of specs, in whatever process it is called: specs come in, tables go out.

Games are kept by name and rules, bots' classes by name and version; everything of a match is made fresh,
so that no match can change another.
"""

from __future__ import annotations

import contextlib
import functools
import io
import json
import os
import random
import socket
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import engines
from engines.core.game import Game
from harness.executors.base import Batch, BatchResult, Loss, Setup, Tally
from harness.match import play_match
from harness.players.base import PlatformFault
from harness.players.cores import Core
from harness.players.maker import PlayerMaker
from harness.records import MatchRecord, MatchSpec
from harness.store.tables import tables_of
from harness.wording import one_line

OUTPUT_LIMIT = 1_000_000
"""Characters that bots may print in one worker process; what comes after is dropped."""


class Worker:
    """One process's part of a run."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.label = f"{socket.gethostname()}:{os.getpid()}"
        self._core: Core | None = None
        self._maker = PlayerMaker(setup, lambda: self._interrupted)
        self._playing = False
        self._interrupted = False

    def interrupt(self) -> None:
        """For a signal handler: break off the match that is on, and play no more batches."""
        self._interrupted = True
        if self._playing:
            raise KeyboardInterrupt

    def play(self, batch: Batch) -> BatchResult:
        """Play a batch; an interrupted one comes back with what was finished."""
        began = time.perf_counter()
        records: list[MatchRecord] = []
        losses: list[Loss] = []
        with contextlib.suppress(KeyboardInterrupt), quiet(), self._on_its_core():
            for spec in batch.specs:
                self._playing = True
                if self._interrupted:
                    break
                try:
                    record = self.play_one(spec, batch.attempt)
                    self._playing = False
                    records.append(record)
                except Exception as error:  # noqa: BLE001 - not a bot's doing: this try is void, the others go on
                    if isinstance(error, PlatformFault):
                        self._maker.give_up_zygotes()
                    why = f"{type(error).__name__}: {one_line(error)}"
                    losses.append(Loss(spec, self.label, why, died=False))
        self._playing = False
        tables = tables_of(records) if records else None
        return BatchResult(batch, tables, tallies(records), time.perf_counter() - began, tuple(losses))

    def play_one(self, spec: MatchSpec, attempt: int = 1) -> MatchRecord:
        """Play one match."""
        players, isolation = self._maker.players(spec, attempt)
        record = play_match(spec, game(spec.game, spec.rules), players)
        return replace(record, attempt=attempt, worker=self.label, isolation=isolation)

    def _on_its_core(self) -> contextlib.AbstractContextManager[None]:
        """Where bots are isolated, this thread and its seats share one core while they play."""
        if not self._maker.isolates():
            return contextlib.nullcontext()
        self._core = self._core or Core()
        return self._core.kept()

    def close(self) -> None:
        """End what was started for isolated bots."""
        self._maker.give_up_zygotes()
        if self._core is not None:
            self._core.release()
            self._core = None


@functools.cache
def game(name: str, rules: str) -> Game[Any, Any]:
    """The game of a spec; games have no state of play, so one serves every match."""
    return engines.load(name, **json.loads(rules))


def tallies(records: list[MatchRecord]) -> dict[tuple[str, str], Tally]:
    """What every bot did in these matches, by (game, bot)."""
    found: dict[tuple[str, str], Tally] = {}
    for record in records:
        for seat in record.seats:
            key = (record.spec.game, seat.bot.name)
            games, score, faults, cpu_ms = found.get(key, (0, 0.0, 0, 0.0))
            faults += bool(seat.faults)
            found[key] = Tally(games + 1, score + seat.score, faults, cpu_ms + seat.cpu_ms)
    return found


class _Cut(io.TextIOBase):
    """Passes on what is written until a limit is reached, then says so once.

    Where it cannot be written (the disk is full), it is dropped: that is no fault of the bot that prints.
    """

    def __init__(self, target: Any) -> None:
        self.target = target
        self.left = OUTPUT_LIMIT

    def write(self, text: str) -> int:
        if self.left > 0:
            try:
                self.target.write(text[: self.left])
                self.left -= len(text)
                if self.left <= 0:
                    self.target.write(f"\n[cut: bots printed more than {OUTPUT_LIMIT} characters here]\n")
                self.target.flush()
            except OSError:
                self.left = 0
        return len(text)

    def writable(self) -> bool:
        return True


@functools.cache
def _log() -> _Cut:
    """Where bots' output of this process goes: what `log_to` has set, or nowhere."""
    return _Cut(_target[0] if _target else io.StringIO())


_target: list[Any] = []


def log_to(file: Any) -> None:
    """Send what bots print in this process to `file` from now on."""
    _target[:] = [file]
    _log.cache_clear()


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Keep bots' prints off the terminal, and the global generator as it was."""
    before = sys.stdout, sys.stderr
    luck = random.getstate()
    sys.stdout = sys.stderr = _log()
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
        random.setstate(luck)
