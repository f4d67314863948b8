"""One match: view, player, move, play, until the game is over or a forfeit ends it.

The loop is the harness's own share of every decision, so it keeps to locals and asks nobody who has
no choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from random import Random
from time import perf_counter
from typing import Any

from bots.core.bot import Clock
from engines.core.game import Game, Move, Outcome
from harness.luck import bot_luck, substitute_rng
from harness.players.base import BotFault, Player
from harness.positions import start
from harness.records import Fault, Limits, MatchRecord, MatchSpec, SeatRecord
from harness.verdict import Verdict, ends_match, verdict

__all__ = ["bot_luck", "play_match"]

SHOWN = 12
"""Legal moves that a fault's line names; a hand to give from has hundreds."""


def play_match(
    spec: MatchSpec, game: Game[Any, Any], players: Sequence[Player], *, raise_faults: bool = False
) -> MatchRecord:
    """Play one match of `game` from its deal or position to its record; `players` sit in seat order.

    A fault of a bot is part of the record (with `raise_faults`, for debugging, it is raised as BotFault).
    Whatever else is raised is not a bot's fault: the caller makes the try void. The players are closed.
    """
    started = datetime.now(UTC)
    clock = perf_counter()
    try:
        match = _Match(spec, game, players, raise_faults)
        match.start()
        outcome = match.play()
        result = verdict(game.sides, game.stakes, match.offenders, outcome)
        match.end(outcome, result)
    finally:
        for player in players:
            player.close()
    return MatchRecord(
        spec=spec,
        status="forfeit" if match.offenders else "completed",
        reason=outcome.reason if outcome else None,
        moves=tuple(match.moves),
        move_seats=tuple(match.move_seats),
        seats=tuple(seat.record(spec, game, result, number) for number, seat in enumerate(match.seats)),
        move_cpu_us=tuple(match.move_cpu_us),
        started=started,
        wall_ms=(perf_counter() - clock) * 1e3,
    )


class _Seat:
    """One seat's books while the match is on."""

    __slots__ = ("bank_ms", "cpu_max_ns", "cpu_ns", "decisions", "faults", "news_from", "player", "started")

    def __init__(self, player: Player, bank_ms: float | None) -> None:
        self.player = player
        self.bank_ms = bank_ms
        self.started = False
        self.faults: list[Fault] = []
        self.news_from = 0
        self.decisions = 0
        self.cpu_ns = 0
        self.cpu_max_ns = 0

    def record(self, spec: MatchSpec, game: Game[Any, Any], result: Verdict, number: int) -> SeatRecord:
        return SeatRecord(
            bot=spec.seats[number],
            side=game.sides[number],
            score=float(result.scores[number]),
            place=result.places[number],
            faults=tuple(self.faults),
            decisions=self.decisions,
            cpu_ms=self.cpu_ns / 1e6,
            cpu_ms_max=self.cpu_max_ns / 1e6,
            metrics=tuple(self.player.metrics().items()),
        )


class _Match:
    """The match while it is on."""

    def __init__(
        self, spec: MatchSpec, game: Game[Any, Any], players: Sequence[Player], raise_faults: bool
    ) -> None:
        if not len(players) == len(spec.seats) == game.seats:
            raise ValueError(
                f"match {spec.id}: {game.name} has {game.seats} seats, "
                f"got {len(spec.seats)} bots and {len(players)} players"
            )
        self.spec = spec
        self.game = game
        self.raise_faults = raise_faults
        self.seats = [_Seat(player, spec.limits.bank_ms) for player in players]
        self.substitutes: dict[int, Random] = {}
        self.offenders: set[int] = set()
        self.stopped = False
        self.moves: list[int] = []
        self.move_seats: list[int] = []
        self.move_cpu_us: list[int] = []

    def start(self) -> None:
        """Make every player ready; all their failures are gathered before the first move."""
        for number, seat in enumerate(self.seats):
            try:
                seat.player.start(self.game, number, bot_luck(self.spec, number))
                seat.started = True
            except BotFault as fault:
                self.fault(number, -1, fault)

    def play(self) -> Outcome | None:
        """Play to the end; None where a forfeit ended the match."""
        game, seats, limits = self.game, self.seats, self.spec.limits
        if self.stopped:
            return None
        substitutes, named = self.substitutes, game.table.__getitem__
        all_public = type(game).public is Game.public
        timed = limits.cpu_ms is not None or limits.bank_ms is not None
        clock = Clock(nodes=limits.nodes)
        moves, move_seats, move_cpu_us = self.moves, self.move_seats, self.move_cpu_us
        log: list[tuple[int, Move]] = []
        state = start(game, self.spec)
        while (number := state.seat) >= 0:
            legal = state.moves()
            spent = 0
            if len(legal) == 1:
                move = legal[0]
            elif number in substitutes:
                move = substitutes[number].choice(legal)
            else:
                seat = seats[number]
                news = log[seat.news_from :]
                seat.news_from = len(log)
                seat.decisions += 1
                if timed:
                    clock = seat_clock(limits, seat.bank_ms)
                player = seat.player
                player.cpu_ns = 0
                try:
                    chosen = player.act(game.view(state, number), tuple(map(named, legal)), news, clock)
                    if timed:
                        charge(limits, seat, player.cpu_ns)
                    if chosen not in legal:
                        raise self.illegal(chosen, legal)
                    move = int(chosen)
                except BotFault as fault:
                    self.fault(number, len(moves), fault)
                    move = substitutes[number].choice(legal)
                spent = player.cpu_ns
                seat.cpu_ns += spent
                if spent > seat.cpu_max_ns:  # noqa: PLR1730 - a call of max costs more than the rest of these lines
                    seat.cpu_max_ns = spent
                if self.stopped:
                    return None
            state.play(move)
            moves.append(move)
            move_seats.append(number)
            move_cpu_us.append(spent // 1000)
            if all_public or game.public(named(move)):
                log.append((number, named(move)))
        return state.outcome()

    def end(self, outcome: Outcome | None, result: Verdict) -> None:
        """Tell every bot that started. A fault here is recorded, too late to change the result."""
        if outcome is not None:
            outcome = outcome._replace(scores=result.scores, places=result.places)
        for number, seat in enumerate(self.seats):
            if seat.started:
                try:
                    seat.player.end(outcome)
                except BotFault as fault:
                    self.note(number, len(self.moves), fault)

    def fault(self, number: int, ply: int, fault: BotFault) -> None:
        """The seat's side forfeits."""
        self.note(number, ply, fault)
        self.offenders.add(self.game.sides[number])
        self.stopped = ends_match(self.game.sides, self.offenders)
        self.substitutes[number] = substitute_rng(self.spec, number)

    def note(self, number: int, ply: int, fault: BotFault) -> None:
        """Put a fault on record."""
        detail = f"bot {self.spec.seats[number].name!r} (seat {number}) {fault.detail}"
        if self.raise_faults:
            raise BotFault(fault.kind, detail) from fault
        self.seats[number].faults.append(Fault(ply, fault.kind, detail))

    def illegal(self, move: int, legal: Sequence[int]) -> BotFault:
        """Say what was played and what could have been."""
        table = self.game.table
        name = table[move].name if 0 <= move < len(table) else f"move {int(move)}"
        here = ", ".join(table[i].name for i in legal[:SHOWN])
        more = f" and {len(legal) - SHOWN} more" if len(legal) > SHOWN else ""
        return BotFault("illegal", f"played {name}; legal here: {here}{more}")


def seat_clock(limits: Limits, bank_ms: float | None) -> Clock:
    """What a seat is told that it may spend, in seconds."""
    return Clock(
        decision=None if limits.cpu_ms is None else limits.cpu_ms / 1e3,
        bank=None if bank_ms is None else bank_ms / 1e3,
        nodes=limits.nodes,
    )


def charge(limits: Limits, seat: _Seat, cpu_ns: int) -> None:
    """Take a decision's CPU off the seat's account; raises BotFault (`time`) where it is overdrawn."""
    spent = cpu_ns / 1e6
    if limits.cpu_ms is not None and spent > limits.cpu_ms:
        raise BotFault("time", f"took {spent:.0f} ms of CPU for a move; the limit is {limits.cpu_ms:g} ms")
    if seat.bank_ms is not None:
        left = seat.bank_ms - spent
        if left < 0:
            raise BotFault(
                "time", f"took {spent:.0f} ms of CPU for a move and had {seat.bank_ms:.0f} ms in the bank"
            )
        seat.bank_ms = left + limits.increment_ms
