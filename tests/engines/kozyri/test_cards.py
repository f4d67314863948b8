"""Cards, moves and the law of beating that the family shares."""

from __future__ import annotations

import copy
import pickle

import pytest

from engines.kozyri.beating import beaters, beats, suit_mask, suit_of
from engines.kozyri.common import (
    CARDS,
    Card,
    Kind,
    card_named,
    cards_of,
    deck_mask,
    mask_of,
    move_table,
    names_of,
)
from engines.kozyri.pile import Pile

DUEL = move_table((Kind.TRUMP, Kind.SECOND, Kind.LEAD, Kind.BEAT, Kind.TAKE))


def test_cards_are_interned_and_in_canonical_order() -> None:
    assert [str(card) for card in CARDS[:2]] == ["2S", "3S"]
    assert [card.suit for card in CARDS[::13]] == ["S", "H", "D", "C"]
    assert (card_named("10H").rank, card_named("AC").rank) == (10, 14)
    assert pickle.loads(pickle.dumps(CARDS[7])) is CARDS[7]
    assert copy.deepcopy(CARDS[7]) is CARDS[7]


@pytest.mark.parametrize("name", ["", "1S", "10", "XH", "10h", None, 7])
def test_a_wrong_card_is_refused_with_the_way_to_write_one(name: object) -> None:
    with pytest.raises(ValueError, match="expected a card such as 7S"):
        card_named(name)


def test_masks_and_cards_are_two_forms_of_a_hand() -> None:
    names = ["7S", "AS", "10H", "2C"]
    mask = mask_of(card_named(name) for name in reversed(names))

    assert names_of(mask) == names
    assert mask_of(cards_of(mask)) == mask
    assert deck_mask(("K", "A")).bit_count() == 8


def test_rule_6_on_every_pair_of_cards_and_every_trump_suit() -> None:
    def law(card: Card, top: Card, trump: str | None) -> bool:
        if card.suit == top.suit:
            return card.rank > top.rank
        return card.suit == trump

    for trump_number, trump in ((-1, None), (0, "S"), (1, "H"), (2, "D"), (3, "C")):
        for top in CARDS:
            expected = [card for card in CARDS if law(card, top, trump)]

            assert cards_of(beaters((1 << 52) - 1, top, trump_number)) == tuple(expected)
            assert [card for card in CARDS if beats(card, top, trump_number)] == expected


def test_suits_of_cards() -> None:
    assert [suit_of(card) for card in CARDS] == [i // 13 for i in range(52)]
    assert [names_of(suit_mask(suit))[0] for suit in range(4)] == ["2S", "2H", "2D", "2C"]


def test_moves_come_in_canonical_order_and_keep_their_numbers() -> None:
    assert [int(move) for move in DUEL] == list(range(113))
    assert [DUEL[i].name for i in (0, 7, 8, 59, 60, 111, 112)] == [
        "TRUMP S",
        "SECOND C",
        "LEAD 2S",
        "LEAD AC",
        "BEAT 2S",
        "BEAT AC",
        "TAKE",
    ]
    beats = [move for move in DUEL if move.kind is Kind.BEAT]
    assert beats[card_named("10H")].name == "BEAT 10H"


def test_a_move_knows_its_kind_card_suit_and_count() -> None:
    beat, trump, take = DUEL[111], DUEL[1], move_table((Kind.TAKE,), takes=5)[3]

    assert (beat.kind, beat.card, beat.suit) == (Kind.BEAT, card_named("AC"), "C")
    assert (trump.kind, trump.suit) == (Kind.TRUMP, "H")
    assert (take.name, take.count) == ("TAKE 4", 4)
    with pytest.raises(ValueError, match="TAKE plays no card"):
        _ = DUEL[112].card
    with pytest.raises(ValueError, match="TAKE 4 has no suit"):
        _ = take.suit
    with pytest.raises(ValueError, match="BEAT AC has no count"):
        _ = beat.count


def test_a_pile_of_any_size_keeps_its_order() -> None:
    """Cards laid and picked up again, on a pile and on its copy."""
    pile = Pile()
    cards = [(17 * i + 5) % 52 for i in range(52)]
    for n, card in enumerate(cards, 1):
        pile.push(card)
        twin = pile.copy()
        assert (pile.order(), pile.size, pile.top) == (cards[:n], n, card)
        assert (twin.order(), twin.mask) == (cards[:n], mask_of(cards[:n]))
        assert twin.pop() == card
        assert (twin.order(), twin.mask) == (cards[: n - 1], mask_of(cards[: n - 1]))
        assert twin.top == (cards[n - 2] if n > 1 else -1)
        twin.push(3)
        assert twin.order() == [*cards[: n - 1], 3]
    pile.clear()
    assert (pile.order(), pile.mask, pile.size, pile.top) == ([], 0, 0, -1)
