"""How the keys of a position fit each other: whose cards, gifts, tricks and counts one deal can have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engines.seven_symbols.cards import CARDS, cards_of, mask_of
from engines.seven_symbols.history import Tricks, first_leader_of, replay
from engines.seven_symbols.position import names

if TYPE_CHECKING:
    from engines.seven_symbols.reading import Reading


class DealChecks:
    """The checks of one position; each raises BadPosition with the key that does not fit."""

    def __init__(self, reading: Reading) -> None:
        self.it = reading
        self.fail = reading.fail

    def cards(self) -> None:
        """Each card is in one place only."""
        it = self.it
        seen: dict[int, str] = {}
        table = [card for _, card in it.trick]
        places = [(f"hands[{seat}]", hand) for seat, hand in enumerate(it.hands)]
        places += [("display", [it.display]), ("played", it.played)]
        if it.played[len(it.played) - len(table) :] != table:
            self.fail("played", f"expected it to end with the open trick, {' '.join(names(table))}")
        if it.giving:
            places += [(f"given[{seat}]", cards) for seat, cards in enumerate(it.given)]
        for key, cards in places:
            for card in cards:
                if card in seen:
                    where = "twice" if seen[card] == key else f"also in {seen[card]}"
                    self.fail(key, f"{CARDS[card]} is there {where}")
                seen[card] = key

    def giving(self) -> None:
        """The exchange: nothing played yet, and every seat in its turn has three cards to give (SY-6)."""
        it = self.it
        turn = it.turn
        for key, value in (("trick", it.trick), ("played", it.played)):
            if value:
                self.fail(key, "expected [] while cards are given")
        for key, counts in (("tricks", it.tricks), ("symbols", it.symbols)):
            if any(counts):
                self.fail(key, f"expected {[0] * it.sides} while cards are given, got {counts}")
        if any(it.received):
            self.fail("received", "expected nothing before all have given")
        if it.leader != it.first_leader:
            self.fail("leader", f"expected the first leader, {it.first_leader}, got {it.leader}")
        for seat, cards in enumerate(it.given):
            least, most = (3, 3) if seat < turn else (0, 2 if seat == turn else 0)
            if not least <= len(cards) <= most:
                expected = str(least) if least == most else f"{least} to {most}"
                self.fail(
                    f"given[{seat}]", f"expected {expected} cards while seat {turn} gives, got {len(cards)}"
                )
        sizes = [len(hand) + len(cards) for hand, cards in zip(it.hands, it.given, strict=True)]
        if min(sizes) < 3:
            self.fail(f"hands[{sizes.index(min(sizes))}]", "expected three cards to give in each hand")
        if max(sizes) > min(sizes):
            self.fail("hands", f"expected as many cards for each seat, got {sizes} with those given")
        if max(sizes) > it.setup.cards:
            self.fail("hands", f"expected at most {it.setup.cards} cards for each seat, got {max(sizes)}")

    def play(self) -> Tricks:
        """The tricks played, the open one, the counts and the sizes of the hands."""
        it = self.it
        self.open_trick()
        done = it.played[: len(it.played) - len(it.trick)]
        table = [card for _, card in it.trick]
        if len(done) % it.seats:
            self.fail(
                "played",
                f"expected whole tricks of {it.seats} cards before the open one, got {len(done)} cards",
            )
        groups = [done[i : i + it.seats] for i in range(0, len(done), it.seats)]
        if len(groups) > sum(it.tricks):
            self.fail("tricks", f"expected {len(groups)} in all, as played, got {it.tricks}")
        whole, trump = len(groups) == sum(it.tricks), it.display // 7
        first = it.first_leader if whole else first_leader_of(groups, trump, it.leader, it.seats)
        try:
            tricks = replay(groups, table, trump=trump, first=first, seats=it.seats)
        except ValueError as error:
            self.fail("played", str(error))
        if not it.finished and tricks.last != it.leader:
            self.fail("leader", f"expected {tricks.last}, as the tricks were played, got {it.leader}")
        for seat, hand in enumerate(it.hands):
            for card in hand:
                if tricks.voids[seat] >> card // 7 & 1:
                    self.fail(
                        f"hands[{seat}]", f"{CARDS[card]}, but seat {seat} did not follow with that colour"
                    )
        self.counts(tricks, whole=whole)
        return tricks

    def open_trick(self) -> None:
        """Who has played to the open trick, who is to move, and how many cards each seat has left."""
        it = self.it
        if it.finished:
            if it.trick:
                self.fail("trick", "expected [] when the match is over")
        else:
            for place, (seat, _) in enumerate(it.trick):
                if seat != (it.leader + place) % it.seats:
                    self.fail(
                        f"trick[{place}]", f"expected seat {(it.leader + place) % it.seats}, got {seat}"
                    )
            if len(it.trick) >= it.seats:
                self.fail("trick", f"expected fewer than {it.seats} cards: a full trick has been taken")
            expected = (it.leader + len(it.trick)) % it.seats
            if it.turn != expected:
                self.fail("turn", f"expected {expected}, got {it.turn}")
        laid = [seat for seat, _ in it.trick]
        sizes = [len(hand) + (seat in laid) for seat, hand in enumerate(it.hands)]
        if max(sizes) > min(sizes):
            self.fail("hands", f"expected as many cards for each seat before the trick, got {sizes}")
        if not it.finished and not max(sizes):
            self.fail("hands", "expected cards left to play")
        if sizes[0] + sum(it.tricks) > it.setup.cards:
            self.fail("tricks", f"expected at most {it.setup.cards - sizes[0]} in all, got {it.tricks}")

    def counts(self, tricks: Tricks, *, whole: bool) -> None:
        """Tricks and symbols of the sides against the cards, and nobody there yet who ends the deal."""
        it = self.it
        won, got = [0] * it.sides, [0] * it.sides
        for seat in range(it.seats):
            won[seat % it.sides] += tricks.won[seat]
            got[seat % it.sides] += tricks.symbols[seat]
        for side in range(it.sides):
            if it.tricks[side] < won[side] or (whole and it.tricks[side] > won[side]):
                self.fail(f"tricks[{side}]", f"expected {won[side]}, as played, got {it.tricks[side]}")
            exact = whole and not it.finished
            if it.symbols[side] < got[side] or (exact and it.symbols[side] > got[side]):
                self.fail(f"symbols[{side}]", f"expected {got[side]}, as played, got {it.symbols[side]}")
        if it.finished:
            if sum(it.symbols) > 7:
                self.fail("symbols", f"expected at most 7 in all, got {it.symbols}")
            return
        for side in range(it.sides):
            if it.tricks[side] >= 7:
                self.fail(f"tricks[{side}]", "expected fewer than 7 before a trick")
            if it.symbols[side] >= it.setup.symbols:
                self.fail(f"symbols[{side}]", f"expected fewer than {it.setup.symbols} before a trick")
            if it.symbols[side] > it.seats * it.tricks[side]:
                self.fail(f"symbols[{side}]", f"expected no more than cards in {it.tricks[side]} tricks")
        held = [card for hand in it.hands for card in hand] + [card for _, card in it.trick]
        left = sum(CARDS[card].symbol for card in [*held, it.display])
        if sum(it.symbols) + left > 7:
            self.fail("symbols", f"expected at most {7 - left} in all beside those in play, got {it.symbols}")

    def gifts(self, tricks: Tricks) -> None:
        """What was given was received, and is held or has been played by its receiver."""
        it = self.it
        if not any(it.given) and not any(it.received):
            return
        for giver, cards in enumerate(it.given):
            if len(set(cards)) != 3 or len(cards) != 3:
                self.fail(
                    f"given[{giver}]", f"expected 3 cards of every seat, or of none, got {names(cards)}"
                )
            to = (giver + 2) % 4 if it.seats == 4 else (giver + 1) % 3
            if sorted(it.received[to]) != sorted(cards):
                got, expected = names(it.received[to]), names(cards)
                self.fail(f"received[{to}]", f"expected what seat {giver} gave, {expected}, got {got}")
            gone = mask_of(cards) & ~(mask_of(it.hands[to]) | tricks.spent[to])
            if gone:
                missing = " ".join(card.name for card in cards_of(gone))
                self.fail(f"received[{to}]", f"seat {to} neither holds nor has played {missing}")
