"""Dealing, choosing suits, and who leads: DU-3 to DU-7, DU-14."""

from __future__ import annotations

from collections import Counter
from math import comb
from random import Random

import pytest

import engines
from engines.kozyri.beating import suit_mask
from engines.kozyri.duel import DuelRules, KozyriDuel
from engines.kozyri.duel_state import DuelState
from tests.engines.kozyri.scenario import legal, played

TWO = ("K", "A")


def laid(state: DuelState) -> int:
    """A of DU-4: the dealer's own trumps and second suit in the dealer's hand."""
    seat = int(state.dealer)
    own = suit_mask((state.trump0, state.trump1)[seat]) | suit_mask((state.second0, state.second1)[seat])
    return (state.hand0, state.hand1)[seat] & own


def chosen_deal(game: KozyriDuel, luck: int, rng: Random) -> DuelState:
    state = game.deal(luck)
    while state.phase > 1:
        state.play(rng.choice(state.moves()))
    return state


@pytest.mark.parametrize("suits", ["fixed", "chosen"])
def test_deals_follow_the_law_of_rule_5(suits: str) -> None:
    """DU-5 by chi-square over the 16 deals of two ranks; the bound fails an honest deal once in 10,000."""
    game = KozyriDuel(DuelRules(deck=TWO, suits=suits))
    rng = Random(1)
    deals = 8000
    shapes: Counter[tuple[int, ...]] = Counter()
    for luck in range(deals):
        state = chosen_deal(game, luck, rng) if suits == "chosen" else game.deal(luck)
        dealer = int(state.dealer)
        own = ((state.trump0, state.trump1)[dealer], (state.second0, state.second1)[dealer])
        shapes[tuple(laid(state) >> (13 * suit) & 0x1FFF for suit in own)] += 1

    chi = 0.0
    kinds = [(t, s) for t in range(4) for s in range(4)]
    for trumps, seconds in kinds:
        count = trumps.bit_count() + seconds.bit_count()
        expected = deals * comb(4, 4 - count) / comb(8, 4)
        chi += (shapes.pop((trumps << 11, seconds << 11), 0) - expected) ** 2 / expected
    assert not shapes
    assert chi < 44.3


def test_the_first_dealer_is_a_fair_coin() -> None:
    """DU-14, A12; the bound is four standard deviations."""
    game = engines.load("kozyri-duel", deck=TWO)
    dealers = Counter(int(game.deal(luck).dealer) for luck in range(4000))

    assert abs(dealers[0] - 2000) < 4 * 1000**0.5


def test_the_dealer_does_not_depend_on_the_cards() -> None:
    """Each chance event has its own address: the same luck draws the same dealer in every deck."""
    games = [engines.load("kozyri-duel", deck=deck) for deck in ("easy", "standard", TWO)]

    for luck in range(20):
        assert len({int(game.deal(luck).dealer) for game in games}) == 1


@pytest.mark.parametrize("deck", ["easy", "standard", "advanced", "cambridge", ("3", "7", "A")])
def test_the_hands_are_images_of_each_other(deck: str | tuple[str, ...]) -> None:
    """I4: exchanging S with H and C with D turns one hand into the other."""
    game = engines.load("kozyri-duel", deck=deck)
    for luck in range(10):
        hand0, hand1 = game.view(game.deal(luck), 0).hand_masks
        suits = [hand0 >> (13 * suit) & 0x1FFF for suit in range(4)]

        assert hand1 == suits[1] | suits[0] << 13 | suits[3] << 26 | suits[2] << 39


@pytest.mark.parametrize(("first_leader", "gap"), [("dealer", 0), ("opponent", 1)])
def test_a1_the_first_leader(first_leader: str, gap: int) -> None:
    game = engines.load("kozyri-duel", first_leader=first_leader)
    for luck in range(10):
        state = game.deal(luck)

        assert state.seat == (state.dealer + gap) % 2


def test_rule_3_suits_are_chosen_before_the_deal() -> None:
    """The dealer chooses trumps and a second suit, the opponent trumps; the last suit is left over."""
    game = engines.load("kozyri-duel", suits="chosen", deck="easy")
    luck = next(luck for luck in range(20) if game.deal(luck).dealer == 1)
    state = game.deal(luck)
    before = game.position(state)["state"]
    assert (before["hands"], before["trumps"], before["seconds"]) == ([[], []], [None, None], [None, None])
    assert (before["turn"], before["phase"]) == (1, "TRUMP")
    assert legal(game, state) == ["TRUMP S", "TRUMP H", "TRUMP D", "TRUMP C"]

    played(game, state, ["TRUMP D"])
    assert (state.seat, legal(game, state)) == (1, ["SECOND S", "SECOND H", "SECOND C"])

    played(game, state, ["SECOND S"])
    assert (state.seat, legal(game, state)) == (0, ["TRUMP H", "TRUMP C"])

    played(game, state, ["TRUMP C"])
    after = game.position(state)["state"]
    assert (after["trumps"], after["seconds"]) == (["C", "D"], ["H", "S"])
    assert (after["turn"], after["phase"], after["actions"]) == (1, "LEAD", 0)
    assert [len(hand) for hand in after["hands"]] == [12, 12]
    assert after["repeats"] == [[after["hands"], 1, 1]]


def test_the_cards_of_a_deal_to_come_follow_from_the_luck_of_the_position() -> None:
    game = engines.load("kozyri-duel", suits="chosen")
    state = game.deal(12)
    again = game.from_position(game.position(state))
    for other in (state, again):
        other.playout(5)

    assert game.position(state) == game.position(again)


def test_a_sample_before_the_deal_draws_its_cards() -> None:
    """Nobody has seen a card while suits are chosen, so samples differ in the deal and only there."""
    game = engines.load("kozyri-duel", suits="chosen", deck=TWO)
    view = game.view(game.deal(3), 0)
    rng = Random(8)
    hands = set()
    for _ in range(200):
        sampled = game.sample(view, rng)
        assert game.view(sampled, 0) == view
        played(game, sampled, ["TRUMP S", "SECOND C", "TRUMP H"])
        hands.add((int(sampled.hand0), int(sampled.hand1)))

    assert len(hands) > 8
