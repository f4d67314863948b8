"""Where a check plays its matches: one bot under examination among shipped ones, everything it says kept."""

from __future__ import annotations

import io
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from engines.core.game import Game
from harness import bot_files, submissions, worker
from harness.checking.steps import Failed, last_lines
from harness.config_values import canonical_json
from harness.executors.base import Setup
from harness.luck import deal_luck
from harness.match import play_match
from harness.players import BotFault, Player, output
from harness.players.isolated import IsolatedPlayer
from harness.players.maker import PlayerMaker
from harness.records import BotRef, Fault, Limits, MatchRecord, MatchSpec
from harness.seating import sides_of
from harness.submissions import Source

DESIGN: Final = ((0, 1), (1, 0))
"""Which of two bots has the first side, the third and so on, and which the others."""
NODES: Final = 8
"""Nodes a decision of a search bot that is played against."""
TWIN: Final = "its twin"
"""What the second copy is called where a bot plays itself."""


class Blamed(NamedTuple):
    """A fault of the bot under examination."""

    spec: MatchSpec
    seat: int
    fault: Fault
    output: str
    """Its own traceback and what it printed in that match."""


class Desk:
    """Plays matches of the bot at `source` and remembers what it did wrong.

    What is not shipped plays in a locked process of its own: a stranger's file does not run in this one.
    """

    def __init__(
        self, source: Source, *, isolation: str, allow: Sequence[str], limits: Limits, seed: int
    ) -> None:
        self.bot = BotRef(source.name, source.version)
        self.program = source.kind == "command"
        """Whether it is in another language."""
        self.twin = BotRef(TWIN, source.version)
        self.limits = limits
        self.seed = seed
        self.blamed: list[Blamed] = []
        self.printed = ""
        """What it printed in the first match in which it printed anything."""
        self.isolation = ""
        """The level at which it played, once it has."""
        self.peak_kb = 0
        self._sources = {(ref.name, ref.version): source for ref in (self.bot, self.twin)}
        self._logs = TemporaryDirectory(prefix="croupier-check-")
        self._maker = PlayerMaker(Setup(self._sources, isolation, tuple(allow), self._logs.name))

    def close(self) -> None:
        """End what was started for it."""
        self._maker.give_up_zygotes()
        self._logs.cleanup()

    def other(self, name: str) -> BotRef:
        """A shipped bot to play against; one that searches gets few nodes, for a check is to be over soon."""
        source = submissions.find(name)
        few = {"nodes": NODES} if "nodes" in (bot_files.facts(source).options or ()) else {}
        ref = BotRef(name, source.version, canonical_json(few))
        self._sources[ref.name, ref.version] = source
        return ref

    def spec(self, game: Game[Any, Any], deal: int, seats: Sequence[BotRef], seating: int = 0) -> MatchSpec:
        """A match on a deal of this check; equal seats on equal deals are equal matches."""
        return MatchSpec(
            id=f"000001-{deal:06}-{seating:02}",
            game=game.name,
            rules=canonical_json(game.rules.changed()),
            deal=f"{game.name}/{deal}",
            luck=deal_luck(self.seed, game.name, deal),
            round=1,
            line_up=0,
            seating=seating,
            seats=tuple(seats),
            seed=self.seed,
            limits=self.limits,
        )

    def deal_set(self, game: Game[Any, Any], deal: int, bots: tuple[BotRef, BotRef]) -> Iterator[MatchRecord]:
        """Two bots on one deal, side by side in turns, both ways round: each sits in every seat once.

        An event plays more mixed seatings of a deal; a check has more of more deals.
        """
        order = sides_of(game.sides)
        for number, (even, odd) in enumerate(DESIGN):
            seats = [bots[odd if order.index(side) % 2 else even] for side in game.sides]
            yield self.play(game, self.spec(game, deal, seats, number))

    def starts(self, game: Game[Any, Any], advice: str) -> None:
        """Seat the bot once, so that it is brought up; raises Failed, with that advice."""
        spec = self.spec(game, 0, [self.bot] * game.seats)
        said = io.StringIO()
        worker.log_to(said)
        with worker.quiet():
            players, self.isolation = self._maker.players(spec)
            player = _Listening(players[0])
            try:
                player.start(game, 0, 0)
                player.end(None)
            except BotFault as fault:
                wrong = fault.detail
            else:
                return
            finally:
                player.close()
        told = wrong if wrong.startswith("in end()") else f"it {wrong}"
        raise Failed(told, advice, output=last_lines(self._output(spec, 0, said.getvalue(), player)))

    def play(self, game: Game[Any, Any], spec: MatchSpec) -> MatchRecord:
        """Play a match; faults of the bot under examination go to `blamed`."""
        said = io.StringIO()
        worker.log_to(said)
        with worker.quiet():
            made, self.isolation = self._maker.players(spec)
            players = [_Listening(player) for player in made]
            record = play_match(spec, game, players)
        for number, (player, seat) in enumerate(zip(players, record.seats, strict=True)):
            if seat.bot.version == self.bot.version:
                self.peak_kb = max(self.peak_kb, player.peak_kb)
                self.printed = self.printed or self._output(spec, number, said.getvalue(), player)
                for fault in seat.faults:
                    self.blamed.append(
                        Blamed(spec, number, fault, self._output(spec, number, said.getvalue(), player))
                    )
        return record

    def _output(self, spec: MatchSpec, seat: int, said: str, player: _Listening) -> str:
        """What the bot printed in a match: in its own process, or in this one."""
        path = output.file(Path(self._logs.name), spec.seats[seat], spec.id, seat)
        own = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
        return "\n".join(text for text in (said.rstrip(), own.rstrip(), player.trace) if text)


class _Listening:
    """A player that keeps the traceback of its bot's exception, and the memory that its seat took."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.cpu_ns = 0
        self.peak_kb = 0
        self.trace = ""
        self.metrics = player.metrics

    def start(self, *args: Any) -> None:
        self._heard(self.player.start, *args)

    def act(self, *args: Any) -> int:
        try:
            move: int = self._heard(self.player.act, *args)
        finally:
            self.cpu_ns = self.player.cpu_ns
        return move

    def end(self, *args: Any) -> None:
        self._heard(self.player.end, *args)

    def close(self) -> None:
        if isinstance(self.player, IsolatedPlayer):
            self.peak_kb = self.player.peak_kb()
        self.player.close()

    def _heard(self, call: Any, *args: Any) -> Any:
        try:
            return call(*args)
        except BotFault as fault:
            if fault.__cause__ is not None:
                self.trace = traced(fault.__cause__)
            raise


def traced(error: BaseException) -> str:
    """The part of a traceback that is the bot's own."""
    found = traceback.TracebackException.from_exception(error)
    own = [frame for frame in found.stack if "/harness/" not in frame.filename.replace("\\", "/")]
    found.stack = traceback.StackSummary.from_list(own)
    return "".join(found.format(chain=False)).rstrip()
