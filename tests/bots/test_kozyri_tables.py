"""What the bots for Hund and the classic game do with a hand."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import engines
from bots.classic_burden import Burden
from bots.core.bot import Bot, Seen
from bots.hund_miser import Miser
from bots.hund_squeeze import Squeeze

HUND = {"dealer": 0, "turn": 0, "phase": "TURN", "trumps": None}
TRUMPS = {**HUND, "trumps": ["C", "S", "H", "D"]}
CLASSIC = {"dealer": 0, "turn": 0, "phase": "TURN", "trumps": ["S", "H", "D", "C"]}


def chosen(kind: type[Bot[Any]], name: str, state: dict[str, Any], **options: Any) -> str:
    """The move of the seat that is to move."""
    game = engines.load(name, **options)
    position = game.from_position(state)
    seat = int(position.seat)
    moves = tuple(game.table[i] for i in position.moves())
    return game.table[kind(game, seat, Random(1)).act(Seen(seat, game.view(position, seat), moves))].name


@pytest.mark.parametrize(
    ("hand", "move"),
    [
        (["KH", "10H", "2S"], "BEAT 10H"),
        (["2S", "7H"], "TAKE"),
        (["QC", "2S"], "TAKE"),
    ],
)
def test_a_miser_beats_with_the_cheapest_card_and_takes_when_it_must(hand: list[str], move: str) -> None:
    assert chosen(Miser, "hund", {**HUND, "hands": [hand, ["3D"], ["4D"], ["5D"]], "pile": ["9H"]}) == move


def test_a_squeeze_beats_with_a_plain_card_before_a_trump_and_escapes_with_the_queen() -> None:
    rest = [["3D"], ["4D"], ["5D"]]

    plain = {**TRUMPS, "hands": [["KH", "2C"], *rest], "pile": ["9H"]}
    escape = {**HUND, "hands": [["QC", "2S"], *rest], "pile": ["9H"]}

    assert chosen(Squeeze, "hund", plain) == "BEAT KH"
    assert chosen(Squeeze, "hund", escape) == "QUEEN"


def test_a_squeeze_leaves_the_next_player_a_card_of_its_own_trumps() -> None:
    """Seat 1 has spades: it could beat 4D or 5H with any of them, but 5S only with a higher one."""
    hands = [["4D", "5H", "5S"], ["3S", "4S"], ["2D"], ["3D"]]
    state = {**TRUMPS, "hands": hands, "pile": ["9H", "10H"], "phase": "SECOND"}

    assert chosen(Squeeze, "hund", state) == "FREE 5S"


def test_a_squeeze_never_passes_and_sheds_its_lowest_card_of_a_long_suit() -> None:
    hands = [["5D", "6D", "7D", "5H"], ["AD", "AH"], ["2D"], ["3D"]]
    state = {
        **TRUMPS,
        "hands": hands,
        "pile": ["9H", "10H"],
        "phase": "SECOND",
        "known": [[], ["AD", "AH"], [], []],
    }

    assert chosen(Squeeze, "hund", state) == "FREE 5D"


@pytest.mark.parametrize(
    ("known", "move"),
    [([[], ["7H", "8C"], [], []], "FREE AH"), ([[], ["AC", "AD"], [], []], "FREE AH")],
)
def test_a_burden_gives_the_next_player_the_ace_that_takes_the_whole_pile(
    known: list[list[str]], move: str
) -> None:
    hands = [["AH", "KC", "KD"], known[1], ["6D"], ["6C"]]
    pile = ["6S", "7S", "9S", "10S", "JS", "QS", "8D", "9D", "10D", "JD", "7C", "9C", "10C", "JC", "8S", "KS"]
    state = {**CLASSIC, "hands": hands, "pile": pile, "phase": "SECOND", "known": known}

    assert chosen(Burden, "kozyri-classic", state) == move


def test_a_burden_keeps_its_trumps() -> None:
    state = {**CLASSIC, "hands": [["7S", "AD"], ["8H"], ["6D"], ["6C"]], "pile": ["9D"]}

    assert chosen(Burden, "kozyri-classic", state) == "BEAT AD"
