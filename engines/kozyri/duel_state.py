"""The two-player duel in play: hands as masks, rules DU-3 to DU-14 on native ints."""

from __future__ import annotations

from typing import Final, final

from mypy_extensions import i64

from engines.core.bits import bit, indices, lowest, mask_of, nth, popcount
from engines.core.chance import PLAYOUT, Stream, event_code
from engines.core.errors import GameNotOver, IllegalMove, illegal_move
from engines.core.game import Outcome
from engines.core.state import State
from engines.kozyri.beating import beaters, suit_mask
from engines.kozyri.laws import DuelLaw
from engines.kozyri.pile import Pile

DEAL: Final = event_code("deal")
DEALER: Final = event_code("dealer")

# Phases, in the order of PHASES in duel.py.
LEAD: Final[i64] = 0
RESPOND: Final[i64] = 1
TRUMP: Final[i64] = 2
SECOND: Final[i64] = 3

# Numbers of moves: TRUMP s, SECOND s, LEAD c, BEAT c, TAKE.
SECOND_MOVE: Final[i64] = 4
LEAD_MOVE: Final[i64] = 8
BEAT_MOVE: Final[i64] = 60
TAKE_MOVE: Final[i64] = 112
LAST_MOVE: Final = 112
"""As a Python int, so that a move of any size can be compared with it."""

# Endings.
RUNNING: Final[i64] = 0
WON: Final[i64] = 1
REPEATED: Final[i64] = 2
CAPPED: Final[i64] = 3


def moved(cards: i64, source: i64, target: i64) -> i64:
    """The cards of suit `source` among `cards`, as the cards of the same ranks in suit `target`."""
    low: i64 = (cards & suit_mask(source)) >> (13 * source)
    return low << (13 * target)


@final
class DuelState(State):
    """A duel in play. Masks are over the 52-card universe, suits are 0 … 3 (-1: not chosen yet)."""

    def __init__(self, law: DuelLaw, luck: i64, pile: Pile, leads: dict[int, int]) -> None:
        self.law: DuelLaw = law
        self.luck: i64 = luck
        self.seat = -1
        self.phase: i64 = LEAD
        self.hand0: i64 = 0
        self.hand1: i64 = 0
        self.pile: Pile = pile
        self.trump0: i64 = 0
        self.trump1: i64 = 1
        self.second0: i64 = 3
        self.second1: i64 = 2
        self.dealer: i64 = 0
        self.actions: i64 = 0
        self.ending: i64 = RUNNING
        self.leads: dict[int, int] = leads
        """How often each empty-pile lead has occurred, by `lead_key`."""
        self.owns_leads: bool = True
        """False while another state may share `leads`."""
        self.listed: tuple[tuple[int, int], ...] | None = ()
        """What `lead_counts` gave last, None after a change."""

    # -- deal and choice of suits (DU-3 to DU-7) -------------------------------------------------------

    def deal_cards(self) -> None:
        """Deal by the seed's procedure (DU-4), which makes the law DU-5, and let the first leader lead."""
        law = self.law
        stream = Stream(self.luck, DEAL)
        row = law.deck.copy()
        stream.shuffle(row)
        laid: i64 = mask_of(row[: len(row) // 2])
        everything: i64 = mask_of(row)
        dealer_trump: i64 = self.trump0 if self.dealer == 0 else self.trump1
        dealer_second: i64 = self.second0 if self.dealer == 0 else self.second1
        other_trump: i64 = self.trump1 if self.dealer == 0 else self.trump0
        other_second: i64 = self.second1 if self.dealer == 0 else self.second0
        missing: i64 = everything & ~laid
        hand: i64 = laid & (suit_mask(dealer_trump) | suit_mask(dealer_second))
        hand |= moved(missing, dealer_trump, other_trump) | moved(missing, dealer_second, other_second)
        self.hand0 = hand if self.dealer == 0 else everything ^ hand
        self.hand1 = everything ^ self.hand0
        self.phase = LEAD
        self.seat = 1 - self.dealer if law.opponent_leads else self.dealer
        self.count_lead()

    def free_suits(self) -> i64:
        """The suits that nobody has chosen yet, as four bits."""
        free: i64 = 15
        for suit in (self.trump0, self.trump1, self.second0, self.second1):
            if suit >= 0:
                free &= ~bit(suit)
        return free

    def choose(self, suit: i64) -> None:
        """Choose a suit; the last one left goes to the opponent, and the deal follows (DU-3)."""
        if self.phase == SECOND:
            if self.seat == 0:
                self.second0 = suit
            else:
                self.second1 = suit
            self.seat = 1 - self.seat
            self.phase = TRUMP
            return
        if self.seat == 0:
            self.trump0 = suit
        else:
            self.trump1 = suit
        if self.seat == self.dealer:
            self.phase = SECOND
            return
        left: i64 = lowest(self.free_suits())
        if self.seat == 0:
            self.second0 = left
        else:
            self.second1 = left
        self.deal_cards()

    # -- play (DU-8 to DU-13a) -------------------------------------------------------------------------

    def playable(self) -> i64:
        """The cards that the seat to move may lead or beat with."""
        hand: i64 = self.hand0
        trump: i64 = self.trump0
        if self.seat == 1:
            hand = self.hand1
            trump = self.trump1
        if self.phase == LEAD:
            return hand
        return beaters(hand, self.pile.top, trump)

    def moves(self) -> list[int]:
        if self.seat < 0:
            return []
        if self.phase == LEAD:
            return indices(self.playable(), LEAD_MOVE)
        if self.phase == RESPOND:
            legal = indices(self.playable(), BEAT_MOVE)
            legal.append(TAKE_MOVE)
            return legal
        return indices(self.free_suits(), 0 if self.phase == TRUMP else SECOND_MOVE)

    def play(self, move: int) -> None:
        if not 0 <= move <= LAST_MOVE or self.seat < 0:
            raise self.illegal(move)
        index: i64 = move
        if index < LEAD_MOVE:
            wanted: i64 = TRUMP if index < SECOND_MOVE else SECOND
            if self.phase != wanted or not self.free_suits() & bit(index & 3):
                raise self.illegal(move)
            self.choose(index & 3)
        elif index < BEAT_MOVE:
            if self.phase != LEAD or not self.playable() & bit(index - LEAD_MOVE):
                raise self.illegal(move)
            self.lay(index - LEAD_MOVE)
        elif self.phase != RESPOND:
            raise self.illegal(move)
        elif index == TAKE_MOVE:
            self.take()
        else:
            if not self.playable() & bit(index - BEAT_MOVE):
                raise self.illegal(move)
            self.lay(index - BEAT_MOVE)

    def illegal(self, move: int) -> IllegalMove:
        """The exception for a move that is not legal here."""
        return illegal_move(self.seat, move, self.moves(), self.law.names)

    def lay(self, card: i64) -> None:
        """Lead a card (DU-8) or beat with it (DU-9)."""
        rest: i64 = 0
        if self.seat == 0:
            rest = self.hand0 ^ bit(card)
            self.hand0 = rest
        else:
            rest = self.hand1 ^ bit(card)
            self.hand1 = rest
        self.pile.push(card)
        self.actions += 1
        if rest == 0:
            self.finish(WON)
        elif self.actions >= self.law.cap:
            self.finish(CAPPED)
        elif self.phase == LEAD:
            self.phase = RESPOND
            self.seat = 1 - self.seat
        else:
            self.phase = LEAD

    def take(self) -> None:
        """Take the whole pile (DU-9); the former leader leads again, or the taker (A3)."""
        if self.seat == 0:
            self.hand0 |= self.pile.mask
        else:
            self.hand1 |= self.pile.mask
        self.pile.clear()
        self.actions += 1
        self.phase = LEAD
        if not self.law.taker_leads:
            self.seat = 1 - self.seat
        if self.law.repetition and self.count_lead() >= self.law.repetition:
            self.finish(REPEATED)
        elif self.actions >= self.law.cap:
            self.finish(CAPPED)

    def lead_key(self, seat: i64) -> int:
        """This empty-pile lead by `seat` as a number: hand of seat 0 * 2 + seat (the rest is hand 1)."""
        return self.hand0 * 2 + seat

    def count_lead(self) -> i64:
        """Count the present empty-pile lead (DU-11); returns how often it has occurred now."""
        if not self.law.repetition:
            return 0
        if not self.owns_leads:
            self.leads = self.leads.copy()
            self.owns_leads = True
        key = self.lead_key(self.seat)
        times = self.leads.get(key, 0) + 1
        self.leads[key] = times
        self.listed = None
        return times

    def lead_counts(self) -> tuple[tuple[int, int], ...]:
        """The repetition table as (key, times), oldest first."""
        if self.listed is None:
            self.listed = tuple(self.leads.items())
        return self.listed

    def finish(self, ending: i64) -> None:
        """Nobody is to move any more."""
        self.ending = ending
        self.seat = -1
        self.phase = LEAD

    def settle(self) -> None:
        """Find the ending of a state put together from outside, in the order of DU-13a."""
        if self.phase >= TRUMP:
            return
        if self.hand0 == 0 or self.hand1 == 0:
            self.finish(WON)
        elif self.pile.size == 0 and self.repeated():
            self.finish(REPEATED)
        elif self.actions >= self.law.cap:
            self.finish(CAPPED)
        elif self.phase == LEAD and self.pile.size == 0 and self.lead_key(self.seat) not in self.leads:
            self.count_lead()

    def repeated(self) -> bool:
        """Whether the present empty-pile lead (of either seat where none is to move) is the last allowed."""
        if not self.law.repetition:
            return False
        times: i64 = 0
        for seat in (0, 1):
            if self.seat == seat or self.seat < 0:
                count: i64 = self.leads.get(self.lead_key(seat), 0)
                times = max(times, count)
        return times >= self.law.repetition

    # -- the rest --------------------------------------------------------------------------------------

    def copy(self) -> DuelState:
        twin = DuelState(self.law, self.luck, self.pile.copy(), self.leads)
        twin.seat = self.seat
        twin.phase = self.phase
        twin.hand0 = self.hand0
        twin.hand1 = self.hand1
        twin.trump0 = self.trump0
        twin.trump1 = self.trump1
        twin.second0 = self.second0
        twin.second1 = self.second1
        twin.dealer = self.dealer
        twin.actions = self.actions
        twin.ending = self.ending
        twin.listed = self.listed
        twin.owns_leads = False
        self.owns_leads = False
        return twin

    def playout(self, luck: int) -> None:
        stream = Stream(luck, PLAYOUT)
        while self.seat >= 0 and self.phase >= TRUMP:
            legal = self.moves()
            self.play(legal[stream.below(len(legal))])
        while self.seat >= 0:
            cards: i64 = self.playable()
            count: i64 = popcount(cards)
            if self.phase == LEAD:
                self.lay(nth(cards, stream.below(count)))
                continue
            drawn: i64 = stream.below(count + 1)
            if drawn == count:
                self.take()
            else:
                self.lay(nth(cards, drawn))

    def outcome(self) -> Outcome:
        if self.seat >= 0:
            raise GameNotOver(f"seat {self.seat} is to move")
        if self.ending == REPEATED:
            return Outcome((0.5, 0.5), (1, 1), (0, 1), "repetition")
        reason = "won" if self.ending == WON else "cap"
        left0: i64 = popcount(self.hand0)
        left1: i64 = popcount(self.hand1)
        if self.ending == CAPPED and not self.law.fewest_cards:
            left1 = left0
        if left0 < left1:
            return Outcome((1.0, 0.0), (1, 2), (0, 1), reason)
        if left1 < left0:
            return Outcome((0.0, 1.0), (2, 1), (0, 1), reason)
        return Outcome((0.5, 0.5), (1, 1), (0, 1), reason)


def dealt(law: DuelLaw, luck: int) -> DuelState:
    """A new deal: the dealer by a fair coin (DU-14, A12), then suits to choose, or the cards."""
    state = DuelState(law, luck, Pile(), {})
    dealer: i64 = Stream(luck, DEALER).below(2)
    state.dealer = dealer
    if law.chosen:
        state.trump0 = state.trump1 = state.second0 = state.second1 = -1
        state.seat = dealer
        state.phase = TRUMP
    else:
        state.deal_cards()
    return state
