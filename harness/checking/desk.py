"""Where a check plays its matches: one bot under examination among shipped ones, everything it says kept."""

from __future__ import annotations

import io
import traceback
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Final, NamedTuple

from engines.core.game import Game
from harness import submissions, worker
from harness.checking.steps import Failed, last_lines
from harness.config_values import canonical_json
from harness.executors.base import Setup
from harness.luck import deal_luck
from harness.match import play_match
from harness.players import BotFault, Player
from harness.records import BotRef, Fault, Limits, MatchRecord, MatchSpec
from harness.seating import sides_of
from harness.submissions import Source

DESIGN: Final = ((0, 1), (1, 0))
"""Which of two bots has the first side, the third and so on, and which the others."""
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
    """Plays matches of the bot at `source` and remembers what it did wrong."""

    def __init__(self, source: Source, *, isolation: str, limits: Limits, seed: int) -> None:
        self.bot = BotRef(source.name, source.version)
        self.twin = BotRef(TWIN, source.version)
        self.limits = limits
        self.seed = seed
        self.blamed: list[Blamed] = []
        self.memory_mb: float | None = None
        self._sources = {(ref.name, ref.version): source for ref in (self.bot, self.twin)}
        self._worker = worker.Worker(Setup(self._sources, isolation))

    def other(self, name: str) -> BotRef:
        """A shipped bot to play against."""
        source = submissions.find(name)
        ref = BotRef(name, source.version)
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

    def starts(self, game: Game[Any, Any]) -> None:
        """Seat the bot once, so that its files are imported and it is made; raises Failed."""
        said = io.StringIO()
        worker.log_to(said)
        with worker.quiet():
            player = _Listening(self._worker.player(self.bot))
            try:
                player.start(game, 0, Random(0))
                player.end(None)
            except BotFault as fault:
                output = "\n".join(text for text in (said.getvalue().rstrip(), player.trace) if text)
                advice = "its top level, and __init__ with (game, seat, rng) alone, must work"
                raise Failed(f"it {fault.detail}", advice, output=last_lines(output)) from None

    def play(self, game: Game[Any, Any], spec: MatchSpec) -> MatchRecord:
        """Play a match; faults of the bot under examination go to `blamed`."""
        said = io.StringIO()
        worker.log_to(said)
        with worker.quiet():
            players = [_Listening(self._worker.player(ref)) for ref in spec.seats]
            record = play_match(spec, game, players)
        for number, (player, seat) in enumerate(zip(players, record.seats, strict=True)):
            if seat.bot.version == self.bot.version:
                for fault in seat.faults:
                    output = "\n".join(text for text in (said.getvalue().rstrip(), player.trace) if text)
                    self.blamed.append(Blamed(spec, number, fault, output))
        return record


class _Listening:
    """A player that keeps the traceback of its bot's exception."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.cpu_ns = 0
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
