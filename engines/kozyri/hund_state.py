"""Hund in play: rules HU-4 to HU-13 on native ints."""

from __future__ import annotations

from typing import Final, final

from mypy_extensions import i64

from engines.core.bits import bit, lowest, nth, popcount
from engines.core.chance import PLAYOUT, Stream
from engines.core.errors import GameNotOver, IllegalMove, illegal_move
from engines.core.game import Outcome
from engines.kozyri.beating import beaters
from engines.kozyri.laws import HundLaw
from engines.kozyri.pile import Pile
from engines.kozyri.table_state import DEALER, SECOND, TURN, TableState

# Phases beside TURN and SECOND, in the order of Hund.phases.
QUEEN: Final[i64] = 2
START: Final[i64] = 3

# Numbers of moves: LEAD c, BEAT c, QUEEN, FREE c, TAKE, PASS. The first of a kind stands for the kind.
LEAD_MOVE: Final[i64] = 0
BEAT_MOVE: Final[i64] = 52
QUEEN_MOVE: Final[i64] = 104
FREE_MOVE: Final[i64] = 105
TAKE_MOVE: Final[i64] = 157
PASS_MOVE: Final[i64] = 158

STARTER: Final[i64] = 39
"""The two of clubs, which is led first (HU-4)."""
QUEEN_OF_CLUBS: Final[i64] = 49
QUEEN_BIT: Final[i64] = 0x2000000000000
CLUBS: Final[i64] = 3


@final
class HundState(TableState):
    """A deal of Hund in play."""

    def __init__(self, law: HundLaw, luck: i64, pile: Pile) -> None:
        super().__init__(4, luck, pile)
        self.law: HundLaw = law

    # -- legal moves (HU-4 to HU-9) --------------------------------------------------------------------

    def kind(self) -> i64:
        """How the seat to move plays a card: the first number of LEAD, BEAT or FREE."""
        if self.phase == TURN:
            return BEAT_MOVE if self.pile.size else LEAD_MOVE
        return LEAD_MOVE if self.phase == START else FREE_MOVE

    def playable(self, kind: i64) -> i64:
        """The cards that the seat to move may lead, beat with or add."""
        hand: i64 = self.hand(self.seat)
        if kind == BEAT_MOVE:
            return beaters(hand, self.pile.top, self.trump(self.seat))
        return hand & bit(STARTER) if self.phase == START else hand

    def may_queen(self, beating: i64) -> bool:
        """Whether the seat facing the pile may play the first Queen, which is not `beating` (HU-6, A32)."""
        return self.trumps == 0 and self.hand(self.seat) & ~beating & QUEEN_BIT != 0

    def moves(self) -> list[int]:
        legal: list[int] = []
        if self.seat < 0:
            return legal
        kind: i64 = self.kind()
        cards: i64 = self.playable(kind)
        rest: i64 = cards
        while rest:
            legal.append(kind + lowest(rest))
            rest &= rest - 1
        if kind == BEAT_MOVE:
            if self.may_queen(cards):
                legal.append(QUEEN_MOVE)
            legal.append(TAKE_MOVE)
        elif self.phase == SECOND and not self.law.must:
            legal.append(PASS_MOVE)
        return legal

    def play(self, move: int) -> None:
        if not 0 <= move <= PASS_MOVE or self.seat < 0:
            raise self.illegal(move)
        index: i64 = move
        kind: i64 = self.kind()
        if kind <= index < kind + 52 and self.playable(kind) & bit(index - kind):
            self.lay(index - kind, kind)
        elif kind == BEAT_MOVE and index == TAKE_MOVE:
            self.take()
        elif kind == BEAT_MOVE and index == QUEEN_MOVE and self.may_queen(self.playable(kind)):
            self.lay(QUEEN_OF_CLUBS, kind)
        elif self.phase == SECOND and index == PASS_MOVE and not self.law.must:
            self.decline()
        else:
            raise self.illegal(move)

    def illegal(self, move: int) -> IllegalMove:
        """The exception for a move that is not legal here."""
        return illegal_move(self.seat, move, self.moves(), self.law.names)

    # -- what moves do (HU-7 to HU-12) -----------------------------------------------------------------

    def lay(self, card: i64, kind: i64) -> None:
        """Play a card; the seat goes out, adds another card, or the turn ends."""
        seat: i64 = self.seat
        kept: i64 = ~bit(card)
        rest: i64 = self.hand(seat) & kept
        self.hold(seat, rest, self.known(seat) & kept)
        self.pile.push(card)
        self.actions += 1
        follow: bool = False
        if card == QUEEN_OF_CLUBS and self.trumps == 0:
            self.set_trumps(seat)
            follow = kind == BEAT_MOVE
            if kind == LEAD_MOVE:
                follow = self.law.after_lead
            elif kind == FREE_MOVE:
                follow = self.law.after_free
        if rest == 0:
            self.leave(seat)
            if self.gone == 3:
                self.seat = -1
                self.phase = TURN
                return
            self.end_turn()
        elif follow:
            self.phase = QUEEN
        elif kind == BEAT_MOVE:
            self.phase = SECOND
        else:
            self.end_turn()
        if self.actions >= self.law.cap:
            self.seat = -1

    def set_trumps(self, player: i64) -> None:
        """Clubs for who plays the Queen, then spades, hearts, diamonds clockwise (HU-10)."""
        self.give_trump(player, CLUBS)
        suit: i64 = 0
        step: i64 = 1
        while step < 4:
            seat: i64 = (player + step) & 3
            if self.law.by_seats or self.active & bit(seat):
                self.give_trump(seat, suit)
                suit += 1
            step += 1

    def take(self) -> None:
        """Take the whole pile (HU-7); everybody has seen what is in it."""
        pile: i64 = self.pile.mask
        self.hold(self.seat, self.hand(self.seat) | pile, self.known(self.seat) | pile)
        self.pile.clear()
        self.decline()

    def decline(self) -> None:
        """Play no card (more)."""
        self.actions += 1
        self.end_turn()
        if self.actions >= self.law.cap:
            self.seat = -1

    def end_turn(self) -> None:
        """The next active seat is to move."""
        self.phase = TURN
        self.seat = self.next_active(self.seat)

    # -- the rest --------------------------------------------------------------------------------------

    def copy(self) -> HundState:
        twin = HundState(self.law, self.luck, self.pile.copy())
        self.copy_to(twin)
        return twin

    def playout(self, luck: int) -> None:
        stream = Stream(luck, PLAYOUT)
        while self.seat >= 0:
            kind: i64 = self.kind()
            cards: i64 = self.playable(kind)
            count: i64 = popcount(cards)
            others: i64 = 0
            if kind == BEAT_MOVE:
                others = 2 if self.may_queen(cards) else 1
            elif self.phase == SECOND and not self.law.must:
                others = 1
            drawn: i64 = stream.below(count + others)
            if drawn < count:
                self.lay(nth(cards, drawn), kind)
            elif kind == FREE_MOVE:
                self.decline()
            elif drawn == count + others - 1:
                self.take()
            else:
                self.lay(QUEEN_OF_CLUBS, kind)

    def outcome(self) -> Outcome:
        if self.seat >= 0:
            raise GameNotOver(f"seat {self.seat} is to move")
        return self.result("won" if self.gone == 3 else "cap", by_order=self.law.by_order)


def dealt(law: HundLaw, luck: int) -> HundState:
    """A new deal: a random dealer, 13 cards each, and the holder of 2C to start (HU-2, HU-4)."""
    state = HundState(law, luck, Pile())
    state.dealer = Stream(luck, DEALER).below(4)
    state.deal_cards(law.deck)
    state.phase = START
    seat: i64 = 0
    while not state.hand(seat) & bit(STARTER):
        seat += 1
    state.seat = seat
    state.hold(seat, state.hand(seat), bit(STARTER))
    return state
