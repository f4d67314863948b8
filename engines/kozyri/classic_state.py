"""Classic Svoyi Kozyri in play: rules CL-2 to CL-13 on native ints."""

from __future__ import annotations

from typing import Final, final

from mypy_extensions import i64

from engines.core.bits import bit, lowest, nth, popcount
from engines.core.chance import PLAYOUT, Stream
from engines.core.errors import GameNotOver, IllegalMove, illegal_move
from engines.core.game import Outcome
from engines.kozyri.beating import beaters, suit_of
from engines.kozyri.laws import ClassicLaw
from engines.kozyri.pile import Pile
from engines.kozyri.table_state import DEALER, SECOND, TURN, TableState

# The phase beside TURN and SECOND, as in KozyriClassic.phases.
TRUMP: Final[i64] = 2

# Numbers of moves: TRUMP s, LEAD c, BEAT c, FREE c, TAKE k, PASS. The first of a kind stands for the kind.
LEAD_MOVE: Final[i64] = 4
BEAT_MOVE: Final[i64] = 56
FREE_MOVE: Final[i64] = 108
TAKE_MOVE: Final[i64] = 159
"""One less than the number of TAKE 1, so that TAKE k is this plus k."""
PASS_MOVE: Final[i64] = 196

SIX: Final[i64] = 4
"""A suit's six is its card number 4, its ace number 12."""
ACE: Final[i64] = 12


@final
class ClassicState(TableState):
    """A deal of the classic game in play."""

    def __init__(self, law: ClassicLaw, luck: i64, pile: Pile) -> None:
        super().__init__(law.seats, luck, pile)
        self.law: ClassicLaw = law

    # -- before play (CL-2 to CL-4) ----------------------------------------------------------------------

    def free_suits(self) -> i64:
        """The suits that are nobody's trump yet, as four bits."""
        free: i64 = 15
        seat: i64 = 0
        while seat < self.seats:
            suit: i64 = self.trump(seat)
            if suit >= 0:
                free &= ~bit(suit)
            seat += 1
        return free

    def choose(self, suit: i64) -> None:
        """Choose one's trump suit; the deal follows the last choice (CL-2)."""
        self.give_trump(self.seat, suit)
        self.seat = self.next_active(self.seat)
        if self.seat == self.dealer:
            self.begin()

    def begin(self) -> None:
        """Deal, exchange the sixes, and let the dealer's left lead (CL-3 to CL-5)."""
        self.deal_cards(self.law.deck)
        self.exchange()
        self.phase = TURN
        self.seat = self.next_active(self.dealer)

    def trump_sixes(self) -> i64:
        """The sixes of all seats' trump suits: wherever one is, everybody knows (CL-4, CL-5)."""
        sixes: i64 = 0
        seat: i64 = 0
        while seat < self.seats:
            if self.trump(seat) >= 0:
                sixes |= bit(SIX + 13 * self.trump(seat))
            seat += 1
        return sixes

    def exchange(self) -> None:
        """Every six of a seat's trump suit that was dealt moves to that seat (CL-4)."""
        sixes: i64 = self.trump_sixes()
        dealt: i64 = sixes & self.deck()
        seat: i64 = 0
        while seat < self.seats:
            own: i64 = dealt & bit(SIX + 13 * self.trump(seat))
            self.hold(seat, (self.hand(seat) & ~sixes) | own, own)
            seat += 1

    # -- legal moves (CL-6 to CL-9) --------------------------------------------------------------------

    def kind(self) -> i64:
        """How the seat to move plays a card: the first number of LEAD, BEAT or FREE."""
        if self.phase == SECOND:
            return FREE_MOVE
        return BEAT_MOVE if self.pile.size and not self.free else LEAD_MOVE

    def playable(self, kind: i64) -> i64:
        """The cards that the seat to move may lead, beat with or add."""
        hand: i64 = self.hand(self.seat)
        if kind == BEAT_MOVE:
            return beaters(hand, self.pile.top, self.trump(self.seat))
        return hand

    def takes(self) -> i64:
        """How many cards the seat to move would take: by the top card alone (CL-7, A22)."""
        size: i64 = self.pile.size
        top: i64 = self.pile.top
        suit: i64 = suit_of(top)
        most: i64 = 3
        if suit == self.trump(self.seat):
            if top == ACE + 13 * suit:
                return size
            most = 5
        if size < most:
            return size
        return most

    def moves(self) -> list[int]:
        legal: list[int] = []
        if self.seat < 0:
            return legal
        kind: i64 = 0
        rest: i64 = 0
        if self.phase == TRUMP:
            rest = self.free_suits()
        else:
            kind = self.kind()
            rest = self.playable(kind)
        while rest:
            legal.append(kind + lowest(rest))
            rest &= rest - 1
        if kind == BEAT_MOVE:
            legal.append(TAKE_MOVE + self.takes())
        elif self.phase == SECOND and not self.law.must:
            legal.append(PASS_MOVE)
        return legal

    def play(self, move: int) -> None:
        if not 0 <= move <= PASS_MOVE or self.seat < 0:
            raise self.illegal(move)
        index: i64 = move
        if self.phase == TRUMP:
            if index >= LEAD_MOVE or not self.free_suits() & bit(index):
                raise self.illegal(move)
            self.choose(index)
            return
        kind: i64 = self.kind()
        if kind <= index < kind + 52 and self.playable(kind) & bit(index - kind):
            self.lay(index - kind, kind)
        elif kind == BEAT_MOVE and index == TAKE_MOVE + self.takes():
            self.take(index - TAKE_MOVE)
        elif self.phase == SECOND and index == PASS_MOVE and not self.law.must:
            self.decline()
        else:
            raise self.illegal(move)

    def illegal(self, move: int) -> IllegalMove:
        """The exception for a move that is not legal here."""
        return illegal_move(self.seat, move, self.moves(), self.law.names)

    # -- what moves do (CL-8 to CL-12) -----------------------------------------------------------------

    def lay(self, card: i64, kind: i64) -> None:
        """Play a card; the seat goes out, may add a second one, or the turn ends (CL-9, CL-10)."""
        seat: i64 = self.seat
        kept: i64 = ~bit(card)
        rest: i64 = self.hand(seat) & kept
        self.hold(seat, rest, self.known(seat) & kept)
        self.pile.push(card)
        self.actions += 1
        self.free = False
        if rest == 0:
            self.free = kind == BEAT_MOVE
            self.leave(seat)
            if self.gone + 1 == self.seats:
                self.seat = -1
                self.phase = TURN
                return
            self.end_turn()
        elif kind == BEAT_MOVE:
            self.phase = SECOND
        else:
            self.end_turn()
        if self.actions >= self.law.cap:
            self.seat = -1

    def take(self, count: i64) -> None:
        """Take cards from the top (CL-8); everybody has seen them."""
        taken: i64 = 0
        if count == self.pile.size:
            taken = self.pile.mask
            self.pile.clear()
        else:
            left: i64 = count
            while left > 0:
                taken |= bit(self.pile.pop())
                left -= 1
        self.hold(self.seat, self.hand(self.seat) | taken, self.known(self.seat) | taken)
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

    def drawn(self) -> bool:
        """Whether the one seat left has a single card that saves it (CL-11, A20)."""
        last: i64 = self.next_active(0)
        hand: i64 = self.hand(last)
        if hand & (hand - 1):
            return False
        if self.free and not self.law.needs_beat:
            return True
        return beaters(hand, self.pile.top, self.trump(last)) != 0

    # -- the rest --------------------------------------------------------------------------------------

    def copy(self) -> ClassicState:
        twin = ClassicState(self.law, self.luck, self.pile.copy())
        self.copy_to(twin)
        return twin

    def playout(self, luck: int) -> None:
        stream = Stream(luck, PLAYOUT)
        while self.seat >= 0 and self.phase == TRUMP:
            suits: i64 = self.free_suits()
            self.choose(nth(suits, stream.below(popcount(suits))))
        while self.seat >= 0:
            kind: i64 = self.kind()
            cards: i64 = self.playable(kind)
            count: i64 = popcount(cards)
            others: i64 = 0
            if kind == BEAT_MOVE or (kind == FREE_MOVE and not self.law.must):
                others = 1
            drawn: i64 = stream.below(count + others)
            if drawn < count:
                self.lay(nth(cards, drawn), kind)
            elif kind == BEAT_MOVE:
                self.take(self.takes())
            else:
                self.decline()

    def outcome(self) -> Outcome:
        if self.seat >= 0:
            raise GameNotOver(f"seat {self.seat} is to move")
        reason = "cap"
        if self.gone + 1 == self.seats:
            reason = "draw" if self.drawn() else "won"
        return self.result(reason, by_order=self.law.by_order)


def dealt(law: ClassicLaw, luck: int) -> ClassicState:
    """A new deal: a random dealer (CL-14), then trump suits to choose, or the cards."""
    state = ClassicState(law, luck, Pile())
    state.dealer = Stream(luck, DEALER).below(law.seats)
    if law.chosen:
        state.phase = TRUMP
        state.seat = state.dealer
    else:
        seat: i64 = 0
        while seat < law.seats:
            state.give_trump(seat, seat)
            seat += 1
        state.begin()
    return state
