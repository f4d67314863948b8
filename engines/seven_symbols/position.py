"""Positions and views of 7 Symbols as JSON values, written and read as strictly as the rules allow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engines.core.chance import LUCK_LIMIT
from engines.core.position import Reader
from engines.seven_symbols.cards import CARDS, COLOURS, card_named, cards_of, mask_of, names_of
from engines.seven_symbols.history import Tricks, first_leader_of, replay
from engines.seven_symbols.knowledge import history
from engines.seven_symbols.masks import packed_gift, unpacked
from engines.seven_symbols.moves import Kind
from engines.seven_symbols.seven_state import GIVE, PLAY, Setup, SevenState
from engines.seven_symbols.view import SevenView

MOST_POINTS = 2**31 - 1


def names(cards: Sequence[int]) -> list[str]:
    """Cards' names, in their order."""
    return [CARDS[card].name for card in cards]


def seated(leader: int, cards: Sequence[int], seats: int) -> list[list[Any]]:
    """The open trick as [seat, card] pairs."""
    return [[(leader + place) % seats, CARDS[card].name] for place, card in enumerate(cards)]


def write_state(state: SevenState) -> dict[str, Any]:
    """The `state` of a position."""
    seats = range(state.seats)
    sides = range(2 if state.seats == 4 else 3)
    table = unpacked(state.trick, state.laid)
    handed_over = state.phase == PLAY and state.gifts > 0
    return {
        "hands": [names_of(state.hand(seat)) for seat in seats],
        "display": CARDS[state.display].name,
        "trick": seated(state.leader, table, state.seats),
        "leader": state.leader,
        "first_leader": state.first_leader,
        "turn": state.seat if state.seat >= 0 else None,
        "phase": "PLAY" if state.phase == PLAY else "GIVE",
        "given": [names(state.given(seat)) for seat in seats],
        "received": [names(state.given(state.giver(seat))) if handed_over else [] for seat in seats],
        "tricks": [state.tricks >> 8 * side & 0xFF for side in sides],
        "symbols": [state.symbols >> 8 * side & 0xFF for side in sides],
        "points": [state.points(side) for side in sides],
        "deal": state.number,
        "played": names([*history(state), *table]),
        "luck": state.luck,
    }


def write_view(view: SevenView) -> dict[str, Any]:
    """The keys of `state` as the view's seat may know them, then `sizes`, `voids` and `known`."""
    seats = range(len(view.sizes))

    def own(value: list[str]) -> list[list[str] | None]:
        return [value if seat == view.seat else None for seat in seats]

    return {
        "hands": own(names_of(view.hand)),
        "display": CARDS[view.display].name,
        "trick": seated(view.leader, view.trick, len(seats)),
        "leader": view.leader,
        "first_leader": view.first_leader,
        "turn": view.turn if view.turn >= 0 else None,
        "phase": view.phase.value,
        "given": own(names(view.given)),
        "received": own(names(view.received)),
        "tricks": list(view.tricks),
        "symbols": list(view.symbols),
        "points": list(view.points),
        "deal": view.deal,
        "played": names(view.played),
        "sizes": list(view.sizes),
        "voids": [[COLOURS[s] for s in range(7) if view.voids[seat] >> s & 1] for seat in seats],
        "known": [names_of(view.known[seat]) for seat in seats],
    }


def read_state(setup: Setup, data: Mapping[str, Any]) -> SevenState:
    """The state that a position describes; raises BadPosition with the key and the reason."""
    return _Reading(setup, data).state()


class _Reading:
    """One position being read: first every key by itself, then how they fit each other."""

    def __init__(self, setup: Setup, data: Mapping[str, Any]) -> None:
        self.setup = setup
        self.seats = setup.seats
        self.sides = 2 if setup.seats == 4 else 3
        self.reader = Reader(data)
        self.fail = self.reader.fail
        self.hands = self.cards_per_seat("hands")
        self.display = self.card("display")
        self.trick = self.read_trick()
        self.first_leader = self.reader.integer("first_leader", 0, self.seats - 1)
        self.turn = self.reader.value("turn")
        if self.turn is not None:
            self.reader.whole("turn", self.turn, 0, self.seats - 1)
        self.giving = self.reader.choice("phase", ("GIVE", "PLAY"), "PLAY") == Kind.GIVE.value
        self.given = self.cards_per_seat("given", default=[[]] * self.seats)
        self.received = self.cards_per_seat("received", default=[[]] * self.seats)
        self.tricks = self.counts("tricks", 48)
        self.symbols = self.counts("symbols", 7)
        self.points = self.counts("points", MOST_POINTS)
        self.deal = self.reader.integer("deal", 1, MOST_POINTS, 1)
        table = [card for _, card in self.trick]
        default = names(table)
        self.played: list[int] = [
            *self.reader.each("played", self.reader.items("played", None, default), card_named)
        ]
        self.luck = self.reader.integer("luck", 0, LUCK_LIMIT - 1, 0)
        self.finished = self.is_finished()
        anyone = self.reader.value("leader", 0) if self.finished else self.reader.value("leader")
        self.leader = (
            0 if self.finished and anyone is None else self.reader.whole("leader", anyone, 0, self.seats - 1)
        )
        self.reader.finish()

    # --- every key by itself

    def card(self, key: str) -> int:
        """One card."""
        try:
            return card_named(self.reader.value(key))
        except ValueError as error:
            self.fail(key, str(error))

    def cards_per_seat(self, key: str, **default: Any) -> list[list[int]]:
        """A list of cards for every seat."""
        rows = self.reader.items(key, self.seats, **default)
        return [
            [*self.reader.each(f"{key}[{seat}]", self.reader.listed(f"{key}[{seat}]", row), card_named)]
            for seat, row in enumerate(rows)
        ]

    def counts(self, key: str, most: int) -> list[int]:
        """A number for every side."""
        values = self.reader.items(key, self.sides, [0] * self.sides)
        return [self.reader.whole(f"{key}[{i}]", value, 0, most) for i, value in enumerate(values)]

    def read_trick(self) -> list[tuple[int, int]]:
        """The open trick as pairs of seat and card."""
        pairs: list[tuple[int, int]] = []
        for index, entry in enumerate(self.reader.items("trick", None, [])):
            key = f"trick[{index}]"
            seat, name = self.reader.listed(key, entry, 2)
            card = self.reader.each(key, [name], card_named)[0]
            pairs.append((self.reader.whole(key, seat, 0, self.seats - 1), card))
        return pairs

    def is_finished(self) -> bool:
        """Whether the match is over (SY-15); a seat to move there is read as none."""
        if self.setup.deals == 0:
            finished = max(self.points) >= self.setup.target
            missing = f"nobody has {self.setup.target} points"
        else:
            if self.deal > self.setup.deals:
                self.fail("deal", f"expected 1 to {self.setup.deals}, got {self.deal}")
            emptied = not any(self.hands) and not self.trick and not self.giving
            won = max(self.symbols) >= self.setup.symbols or max(self.tricks) >= 7
            finished = self.deal == self.setup.deals and (emptied or won)
            missing = f"deal {self.deal} of {self.setup.deals} is not over"
        if self.turn is None and not finished:
            self.fail("turn", f"is null, but the match is not over: {missing}")
        return finished

    # --- how they fit

    def state(self) -> SevenState:
        """The state, once all fits."""
        self.check_cards()
        state = SevenState(self.setup, self.luck)
        state.seat = -1 if self.finished else self.turn
        state.first_leader = self.first_leader
        state.number = self.deal
        state.show(self.display)
        for side in range(self.sides):
            state.tricks |= self.tricks[side] << 8 * side
            state.symbols |= self.symbols[side] << 8 * side
            state.add_points(side, self.points[side])
        deck = 1 << self.display | mask_of(self.played)
        for seat, hand in enumerate(self.hands):
            state.set_hand(seat, mask_of(hand))
            state.set_gift(seat, packed_gift(tuple(self.given[seat])))
            deck |= mask_of(hand) | (mask_of(self.given[seat]) if self.giving else 0)
        state.gifts = sum(map(len, self.given))
        state.deck = deck
        state.leader = self.leader
        if self.giving and not self.finished:
            self.check_giving()
            state.phase = GIVE
            return state
        state.phase = PLAY
        tricks = self.check_play()
        self.check_gifts(tricks)
        state.set_table(tricks.last, [card for _, card in self.trick])
        state.past = tricks.words
        for seat in range(self.seats):
            state.voids |= tricks.voids[seat] << 7 * seat
            state.set_full(seat, mask_of(self.hands[seat]) | tricks.spent[seat])
        return state

    def check_cards(self) -> None:
        """Each card is in one place only."""
        seen: dict[int, str] = {}
        table = [card for _, card in self.trick]
        places = [(f"hands[{seat}]", hand) for seat, hand in enumerate(self.hands)]
        places += [("display", [self.display]), ("played", self.played)]
        if self.played[len(self.played) - len(table) :] != table:
            self.fail("played", f"expected it to end with the open trick, {' '.join(names(table))}")
        if self.giving:
            places += [(f"given[{seat}]", cards) for seat, cards in enumerate(self.given)]
        for key, cards in places:
            for card in cards:
                if card in seen:
                    where = "twice" if seen[card] == key else f"also in {seen[card]}"
                    self.fail(key, f"{CARDS[card]} is there {where}")
                seen[card] = key

    def check_giving(self) -> None:
        """The exchange: nothing played yet, and every seat in its turn has three cards to give (SY-6)."""
        turn = self.turn
        for key, value in (("trick", self.trick), ("played", self.played)):
            if value:
                self.fail(key, "expected [] while cards are given")
        for key, counts in (("tricks", self.tricks), ("symbols", self.symbols)):
            if any(counts):
                self.fail(key, f"expected {[0] * self.sides} while cards are given, got {counts}")
        if any(self.received):
            self.fail("received", "expected nothing before all have given")
        if self.leader != self.first_leader:
            self.fail("leader", f"expected the first leader, {self.first_leader}, got {self.leader}")
        for seat, cards in enumerate(self.given):
            least, most = (3, 3) if seat < turn else (0, 2 if seat == turn else 0)
            if not least <= len(cards) <= most:
                expected = str(least) if least == most else f"{least} to {most}"
                self.fail(
                    f"given[{seat}]", f"expected {expected} cards while seat {turn} gives, got {len(cards)}"
                )
        sizes = [len(hand) + len(cards) for hand, cards in zip(self.hands, self.given, strict=True)]
        if min(sizes) < 3:
            self.fail(f"hands[{sizes.index(min(sizes))}]", "expected three cards to give in each hand")
        if max(sizes) > min(sizes):
            self.fail("hands", f"expected as many cards for each seat, got {sizes} with those given")
        if max(sizes) > self.setup.cards:
            self.fail("hands", f"expected at most {self.setup.cards} cards for each seat, got {max(sizes)}")

    def check_play(self) -> Tricks:
        """The tricks played, the open one, the counts and the sizes of the hands."""
        self.check_trick()
        done = self.played[: len(self.played) - len(self.trick)]
        table = [card for _, card in self.trick]
        if len(done) % self.seats:
            self.fail(
                "played",
                f"expected whole tricks of {self.seats} cards before the open one, got {len(done)} cards",
            )
        groups = [done[i : i + self.seats] for i in range(0, len(done), self.seats)]
        if len(groups) > sum(self.tricks):
            self.fail("tricks", f"expected {len(groups)} in all, as played, got {self.tricks}")
        whole, trump = len(groups) == sum(self.tricks), self.display // 7
        first = self.first_leader if whole else first_leader_of(groups, trump, self.leader, self.seats)
        try:
            tricks = replay(groups, table, trump=trump, first=first, seats=self.seats)
        except ValueError as error:
            self.fail("played", str(error))
        if not self.finished and tricks.last != self.leader:
            self.fail("leader", f"expected {tricks.last}, as the tricks were played, got {self.leader}")
        for seat, hand in enumerate(self.hands):
            for card in hand:
                if tricks.voids[seat] >> card // 7 & 1:
                    self.fail(
                        f"hands[{seat}]", f"{CARDS[card]}, but seat {seat} did not follow with that colour"
                    )
        self.check_counts(tricks, whole=whole)
        return tricks

    def check_trick(self) -> None:
        """Who has played to the open trick, who is to move, and how many cards each seat has left."""
        if self.finished:
            if self.trick:
                self.fail("trick", "expected [] when the match is over")
        else:
            for place, (seat, _) in enumerate(self.trick):
                if seat != (self.leader + place) % self.seats:
                    self.fail(
                        f"trick[{place}]", f"expected seat {(self.leader + place) % self.seats}, got {seat}"
                    )
            if len(self.trick) >= self.seats:
                self.fail("trick", f"expected fewer than {self.seats} cards: a full trick has been taken")
            expected = (self.leader + len(self.trick)) % self.seats
            if self.turn != expected:
                self.fail("turn", f"expected {expected}, got {self.turn}")
        laid = [seat for seat, _ in self.trick]
        sizes = [len(hand) + (seat in laid) for seat, hand in enumerate(self.hands)]
        if max(sizes) > min(sizes):
            self.fail("hands", f"expected as many cards for each seat before the trick, got {sizes}")
        if not self.finished and not max(sizes):
            self.fail("hands", "expected cards left to play")
        if sizes[0] + sum(self.tricks) > self.setup.cards:
            self.fail("tricks", f"expected at most {self.setup.cards - sizes[0]} in all, got {self.tricks}")

    def check_counts(self, tricks: Tricks, *, whole: bool) -> None:
        """Tricks and symbols of the sides against the cards, and nobody there yet who ends the deal."""
        won, got = [0] * self.sides, [0] * self.sides
        for seat in range(self.seats):
            won[seat % self.sides] += tricks.won[seat]
            got[seat % self.sides] += tricks.symbols[seat]
        for side in range(self.sides):
            if self.tricks[side] < won[side] or (whole and self.tricks[side] > won[side]):
                self.fail(f"tricks[{side}]", f"expected {won[side]}, as played, got {self.tricks[side]}")
            exact = whole and not self.finished
            if self.symbols[side] < got[side] or (exact and self.symbols[side] > got[side]):
                self.fail(f"symbols[{side}]", f"expected {got[side]}, as played, got {self.symbols[side]}")
        if self.finished:
            if sum(self.symbols) > 7:
                self.fail("symbols", f"expected at most 7 in all, got {self.symbols}")
            return
        for side in range(self.sides):
            if self.tricks[side] >= 7:
                self.fail(f"tricks[{side}]", "expected fewer than 7 before a trick")
            if self.symbols[side] >= self.setup.symbols:
                self.fail(f"symbols[{side}]", f"expected fewer than {self.setup.symbols} before a trick")
            if self.symbols[side] > self.seats * self.tricks[side]:
                self.fail(f"symbols[{side}]", f"expected no more than cards in {self.tricks[side]} tricks")
        held = [card for hand in self.hands for card in hand] + [card for _, card in self.trick]
        left = sum(CARDS[card].symbol for card in [*held, self.display])
        if sum(self.symbols) + left > 7:
            self.fail(
                "symbols", f"expected at most {7 - left} in all beside those in play, got {self.symbols}"
            )

    def check_gifts(self, tricks: Tricks) -> None:
        """What was given was received, and is held or has been played by its receiver."""
        if not any(self.given) and not any(self.received):
            return
        for giver, cards in enumerate(self.given):
            if len(set(cards)) != 3 or len(cards) != 3:
                self.fail(
                    f"given[{giver}]", f"expected 3 cards of every seat, or of none, got {names(cards)}"
                )
            to = (giver + 2) % 4 if self.seats == 4 else (giver + 1) % 3
            if sorted(self.received[to]) != sorted(cards):
                got, expected = names(self.received[to]), names(cards)
                self.fail(f"received[{to}]", f"expected what seat {giver} gave, {expected}, got {got}")
            gone = mask_of(cards) & ~(mask_of(self.hands[to]) | tricks.spent[to])
            if gone:
                missing = " ".join(card.name for card in cards_of(gone))
                self.fail(f"received[{to}]", f"seat {to} neither holds nor has played {missing}")
