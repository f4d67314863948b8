"""Positions of the duel as JSON: written in full, read strictly.

A position that cannot be is refused with the key and the reason. One that is over may still name a seat to
move; it is read as null.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.core.chance import LUCK_LIMIT
from engines.core.position import Reader
from engines.kozyri.beating import beats
from engines.kozyri.common import CARDS, Card, CardReader, deck_mask, mask_of, names_of, read_suits, suit_name
from engines.kozyri.duel_state import REPEATED, RUNNING, DuelState
from engines.kozyri.duel_view import PHASES, DuelRules, DuelView

TRUMPS = ("S", "H")
SECONDS = ("C", "D")


def written(view: DuelView) -> dict[str, Any]:
    """A view as JSON values; a position has the same keys, and the luck."""
    everything = view.hand_masks[0] | view.hand_masks[1] | mask_of(view.order)
    return {
        "hands": [names_of(mask) for mask in view.hand_masks],
        "pile": [CARDS[i].name for i in view.order],
        "trumps": [suit_name(suit) for suit in view.trump_suits],
        "seconds": [suit_name(suit) for suit in view.second_suits],
        "dealer": view.dealer,
        "turn": None if view.turn < 0 else view.turn,
        "phase": view.phase,
        "actions": view.actions,
        "repeats": [
            [[names_of(key >> 1), names_of(everything ^ key >> 1)], key & 1, times]
            for key, times in view.leads
        ],
    }


def read(reader: Reader, rules: DuelRules) -> tuple[DuelView, int]:
    """The view of seat 0 in a position, and its luck; `check_ending` looks at what follows from play."""
    chosen = rules.suits == "chosen"
    cards = CardReader(reader, deck_mask(rules.ranks))
    hands = cards.hands("hands", reader.value("hands"), 2)
    order = cards.cards("pile", reader.value("pile", []))
    trumps = read_suits(reader, "trumps", 2, TRUMPS, unset=chosen)
    seconds = read_suits(reader, "seconds", 2, SECONDS, unset=chosen)
    dealer = reader.integer("dealer", 0, 1, 0)
    turn = reader.value("turn")
    if turn is not None:
        reader.whole("turn", turn, 0, 1)
    phase = reader.choice("phase", PHASES if chosen else PHASES[:2])
    actions = reader.integer("actions", 0, rules.action_cap, 0)
    leads = read_repeats(reader, rules, cards.deck, cards.seen, phase)
    luck = reader.integer("luck", 0, LUCK_LIMIT - 1, 0)
    reader.finish()
    if phase in ("TRUMP", "SECOND"):
        check_choice(reader, phase, dealer, turn, trumps, seconds)
        if cards.seen or actions:
            reader.fail(
                "hands" if cards.seen else "actions", f"nothing is dealt or played before the end of {phase}"
            )
    else:
        check_suits(reader, trumps, seconds)
        check_hands(reader, hands, order)
        if turn is not None and actions < rules.action_cap and all(hands) and not ending_leads(rules, leads):
            check_pile(reader, phase, turn, order, trumps)
    return DuelView(
        0,
        -1 if turn is None else turn,
        phase if turn is not None else "LEAD",
        (hands[0], hands[1]),
        tuple([int(card) for card in order]),
        (trumps[0], trumps[1]),
        (seconds[0], seconds[1]),
        dealer,
        actions,
        tuple(leads.items()),
    ), luck


def check_suits(reader: Reader, trumps: list[int], seconds: list[int]) -> None:
    if -1 in trumps:
        reader.fail("trumps", "a suit is null only while suits are being chosen")
    if -1 in seconds:
        reader.fail("seconds", "a suit is null only while suits are being chosen")
    if len({*trumps, *seconds}) < 4:
        reader.fail("seconds", "expected the two suits that are nobody's trumps")


def check_choice(
    reader: Reader, phase: str, dealer: int, turn: int | None, trumps: list[int], seconds: list[int]
) -> None:
    """While suits are chosen: the dealer's trumps, the dealer's second suit, the opponent's trumps."""
    other = 1 - dealer
    if turn is None:
        reader.fail("turn", f"null, but somebody is to choose in {phase}")
    if -1 not in (*trumps, *seconds):
        reader.fail(
            "phase", f"{phase}, but every suit is chosen; expected LEAD, or null for a suit still open"
        )
    if trumps[other] >= 0:
        reader.fail("trumps", f"seat {other} chooses last, and no phase is left then")
    if seconds[other] >= 0:
        reader.fail("seconds", f"seat {other} gets the last suit, which is open in {phase}")
    has_trump, has_second = trumps[dealer] >= 0, seconds[dealer] >= 0
    if phase == "SECOND" and not has_trump:
        reader.fail("trumps", "the dealer's are chosen before SECOND")
    if phase == "SECOND" and has_second:
        reader.fail("seconds", "the dealer's is chosen already, but the phase is SECOND")
    if has_trump and seconds[dealer] == trumps[dealer]:
        reader.fail("seconds", "the dealer's second suit is its trump suit")
    if phase == "TRUMP" and has_trump != has_second:
        key = "seconds" if has_trump else "trumps"
        reader.fail(key, "in TRUMP the dealer has chosen both suits or none")
    chooser = other if phase == "TRUMP" and has_second else dealer
    if turn != chooser:
        reader.fail("turn", f"expected seat {chooser}, who chooses now, got {turn}")


def check_hands(reader: Reader, hands: list[int], order: list[Card]) -> None:
    """At most one hand is empty, and then its last card lies on the pile."""
    if not any(hands):
        reader.fail("hands", "both are empty")
    if not all(hands) and not order:
        reader.fail("pile", f"seat {hands.index(0)} has no cards left, but its last one is not on the pile")


def check_pile(reader: Reader, phase: str, turn: int, order: list[Card], trumps: list[int]) -> None:
    """There is a card to beat in RESPOND; in LEAD the seat to move has beaten the one below the top."""
    if phase == "RESPOND" and not order:
        reader.fail("pile", "is empty, but in RESPOND there is a card to beat")
    if phase == "LEAD" and order and (len(order) < 2 or not beats(order[-1], order[-2], trumps[turn])):
        reader.fail(
            "pile", f"in LEAD it is empty, or its top is the card with which seat {turn} has just beaten"
        )


def read_repeats(reader: Reader, rules: DuelRules, deck: int, everything: int, phase: str) -> dict[int, int]:
    """The repetition table, by the key of DuelView.leads."""
    entries = reader.items("repeats", None, [])
    if entries and not rules.repetition:
        reader.fail("repeats", "expected [] where repetition is 0")
    if entries and phase in ("TRUMP", "SECOND"):
        reader.fail("repeats", f"expected [] before the deal, in {phase}")
    leads: dict[int, int] = {}
    for index, entry in enumerate(entries):
        key = f"repeats[{index}]"
        hands, turn, times = reader.listed(key, entry, 3)
        masks = CardReader(reader, deck).hands(f"{key}[0]", hands, 2)
        reader.whole(f"{key}[1]", turn, 0, 1)
        reader.whole(f"{key}[2]", times, 1, rules.repetition)
        if masks[0] | masks[1] != everything:
            reader.fail(f"{key}[0]", "the hands are not the cards that are in the game")
        if not masks[0] or not masks[1]:
            reader.fail(f"{key}[0]", "a hand is empty, but the game went on")
        if masks[0] * 2 + turn in leads:
            reader.fail(key, "is listed twice")
        leads[masks[0] * 2 + turn] = times
    return leads


def ending_leads(rules: DuelRules, leads: Mapping[int, int]) -> list[int]:
    """The leads that have occurred often enough to end the game."""
    return [key for key, times in leads.items() if times >= rules.repetition > 0]


def check_ending(reader: Reader, rules: DuelRules, state: DuelState, turn: object) -> None:
    """Nobody is to move exactly when the game is over, and nothing has ended it before."""
    if state.ending == RUNNING and turn is None:
        reader.fail("turn", "null, but no hand is empty, no lead has been repeated, the cap is not reached")
    ends = ending_leads(rules, state.leads)
    if ends and (len(ends) > 1 or state.ending != REPEATED):
        reader.fail(
            "repeats", f"a lead that was there {rules.repetition} times has ended the game before this"
        )
