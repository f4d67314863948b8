"""The laws of a bot, as a function that anybody can call on a bot of their own.

    from bots.core.testing import check_bot, choice
    check_bot(MyBot, ["hund"])
    assert choice(MyBot, position) == "BEAT 9D"

A broken law is an AssertionError that names the bot, the game, the deal's luck and the moves so far.
"""

from __future__ import annotations

import dataclasses
import math
import random
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

import engines
from bots.core.bot import Bot, Seen
from bots.core.claims import Claim, claims
from engines.core.game import Game, Move

MOVES_SHOWN = 20
"""The last moves that a message names."""


def check_bot(
    kind: type[Bot[Any]],
    games: Iterable[str] | None = None,
    *,
    options: Mapping[str, Any] | None = None,
    matches: int = 2,
    seed: int = 0,
    cap: int = 20_000,
) -> None:
    """Check that `kind` keeps the laws of a bot; raises AssertionError where it does not.

    It plays `matches` deals in every game and seat count that it claims (or of `games`, written the same
    way), in every seat at once and, where there are others, one seat among uniform players. Every choice
    must be legal; the same rng must give the same moves, also for a second object in the same process;
    the global generators must be left alone; what it was shown must be as it was. Matches longer than
    `cap` moves are cut there.
    """
    chosen = dict(options or {})
    entries = tuple(games) if games is not None else kind.games
    variants = [game for claim in _claimed(entries) for game in tables(claim)]
    assert variants, f"{kind.__name__}: there is no game that it plays"
    for game in variants:
        for luck in range(seed, seed + matches):
            for own in (tuple(range(game.seats)), (luck % game.seats,)):
                _check_match(kind, chosen, game, luck, own, cap)


def choice(
    kind: type[Bot[Any]],
    position: Mapping[str, Any],
    *,
    options: Mapping[str, Any] | None = None,
    seed: int = 0,
) -> str:
    """The name of the move that `kind` plays in a position, in the seat that is to move there.

    `position` is `{"game", "rules", "state"}`, as docs/notation.md has it; raises BadPosition. The choice
    must be legal, or AssertionError says what was. Where there is one legal move, the bot is not asked.
    """
    game = engines.load(str(position["game"]), **position.get("rules", {}))
    state = game.from_position(position)
    seat, legal = int(state.seat), state.moves()
    assert seat >= 0, f"{game.name}: nobody is to move in a finished position"
    if len(legal) == 1:
        return str(game.table[legal[0]])
    bot = _started(kind, game, seat, Random(seed), options or {}, 0)
    return str(game.table[_choice(bot, game, state, seat, legal, ([], []), (), 0)])


def tables(claim: Claim) -> Iterator[Game[Any, Any]]:
    """A game with its default rules at every number of seats that the claim covers."""
    fields = {field.name: field for field in dataclasses.fields(engines.game_type(claim.game).rules_type)}
    counts = fields["seats"].metadata.get("choices") if "seats" in fields else None
    for count in counts or (None,):
        game = engines.load(claim.game) if count is None else engines.load(claim.game, seats=count)
        if claim.covers(game.name, game.seats):
            yield game


def _claimed(games: Iterable[str]) -> Sequence[Claim]:
    return claims(games) or [Claim(name) for name in engines.available()]


def _check_match(
    kind: type[Bot[Any]],
    options: Mapping[str, Any],
    game: Game[Any, Any],
    luck: int,
    own: Sequence[int],
    cap: int,
) -> None:
    before = _global_luck()
    first = _moves(kind, options, game, luck, own, cap)
    where = f"{kind.__name__} in {game!r}, luck {luck}, seats {list(own)}"
    assert _global_luck() == before, f"{where}: draws from a global generator; its luck is self.rng alone"
    second = _moves(kind, options, game, luck, own, cap)
    if first != second:
        ply = next(i for i, (a, b) in enumerate(zip([*first, -1], [*second, -1], strict=False)) if a != b)
        names = [game.table[moves[ply]].name if ply < len(moves) else "the end" for moves in (first, second)]
        raise AssertionError(
            f"{where}: the same rng gave {names[0]}, then {names[1]}{_after(game, first[:ply])}; "
            "something outlives the object, or does not come from self.rng"
        )


def _moves(
    kind: type[Bot[Any]],
    options: Mapping[str, Any],
    game: Game[Any, Any],
    luck: int,
    own: Sequence[int],
    cap: int,
) -> list[int]:
    """Every move of one match in which `kind` sits in the seats `own`; checks each choice of its."""
    seats = {seat: _started(kind, game, seat, Random(1_000 * luck + seat), options, luck) for seat in own}
    others = Random(luck)
    state = game.deal(luck)
    made: list[int] = []
    log: list[tuple[int, Move]] = []
    news_from = dict.fromkeys(seats, 0)
    while state.seat >= 0 and len(made) < cap:
        seat, legal = int(state.seat), state.moves()
        if len(legal) == 1:
            move = legal[0]
        elif seat not in seats:
            move = others.choice(legal)
        else:
            news, news_from[seat] = log[news_from[seat] :], len(log)
            move = _choice(seats[seat], game, state, seat, legal, (news, list(log)), made, luck)
        state.play(move)
        made.append(move)
        if game.public(game.table[move]):
            log.append((seat, game.table[move]))
    outcome = state.outcome() if state.seat < 0 else None
    for bot in seats.values():
        bot.end(outcome)
    return made


def _started(
    kind: type[Bot[Any]],
    game: Game[Any, Any],
    seat: int,
    rng: Random,
    options: Mapping[str, Any],
    luck: int,
) -> Bot[Any]:
    try:
        return kind(game, seat, rng, **options)
    except Exception as error:
        where = f"{kind.__name__} in {game!r}, luck {luck}, seat {seat}"
        raise AssertionError(f"{where}: did not start: raised {_told(error)}") from error


def _told(error: BaseException) -> str:
    """An exception as text, also one whose own text fails."""
    try:
        return f"{type(error).__name__}: {error}"
    except Exception:  # noqa: BLE001 - it is a bot's own class
        return type(error).__name__


def _choice(
    bot: Bot[Any],
    game: Game[Any, Any],
    state: Any,
    seat: int,
    legal: list[int],
    said: tuple[list[tuple[int, Move]], list[tuple[int, Move]]],
    made: Sequence[int],
    luck: int,
) -> int:
    """What the bot plays here, which must be legal."""
    view = game.view(state, seat)
    where = f"{type(bot).__name__} in {game!r}, luck {luck}, seat {seat}{_after(game, made)}"
    offered = [game.table[i] for i in legal]
    seen = Seen(seat, view, offered, *said)
    try:
        move = bot.act(seen)
        numbers = {name: float(value) for name, value in seen.metrics.items()}
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise AssertionError(f"{where}: raised {_told(error)}") from error
    assert all(map(math.isfinite, numbers.values())), f"{where}: gave a metric that is no number: {numbers}"
    names = ", ".join(game.table[i].name for i in legal[:MOVES_SHOWN])
    assert isinstance(move, int) and not isinstance(move, bool), (  # noqa: PT018 - one question, one message
        f"{where}: returned {move!r}, expected one of {names}"
    )
    assert move in legal, f"{where}: played {_name(game, move)}; legal here: {names}"
    assert [int(m) for m in offered] == legal, f"{where}: changed the list of moves that it was shown"
    assert view == game.view(state, seat), f"{where}: changed the view that it was shown"
    return int(move)


def _name(game: Game[Any, Any], move: int) -> str:
    return game.table[move].name if 0 <= move < len(game.table) else f"move {move}"


def _after(game: Game[Any, Any], made: Sequence[int]) -> str:
    """`, after LEAD 7C, TAKE` for messages."""
    if not made:
        return ""
    dots = "…, " if len(made) > MOVES_SHOWN else ""
    return f", after {dots}{', '.join(game.table[move].name for move in made[-MOVES_SHOWN:])}"


def _global_luck() -> object:
    """The state of the generators that a whole process shares."""
    numpy = sys.modules.get("numpy.random")
    return random.getstate(), (numpy.get_state()[1].tobytes(), numpy.get_state()[2]) if numpy else None
