"""The worked scenarios C1 to C19 of the classic game, by number."""

from __future__ import annotations

import pytest

import engines
from engines.core.bits import indices
from engines.core.chance import Stream
from engines.core.game import Outcome
from engines.kozyri.classic import DECK, ClassicRules, KozyriClassic, next_dealer
from engines.kozyri.common import card_named, mask_of, names_of
from engines.kozyri.table_state import DEAL
from tests.engines.kozyri.scenario import as_sets, check, game_of, load

SCENARIOS = load("kozyri_classic.json")
EXCHANGES = [number for number, scenario in SCENARIOS.items() if "exchange" in scenario]


@pytest.mark.parametrize("number", SCENARIOS)
def test_scenarios_are_played_as_the_rules_say(number: str) -> None:
    check(SCENARIOS[number])


@pytest.mark.parametrize("number", EXCHANGES)
def test_scenarios_exchange_the_sixes(number: str) -> None:
    """CL-4: each goes to the seat whose trump it is, and stays where it is nobody's."""
    scenario = SCENARIOS[number]
    game = game_of(scenario["position"])
    assert isinstance(game, KozyriClassic)
    state = game.from_position(scenario["position"])
    for seat, hand in enumerate(scenario["exchange"]["before"]):
        state.hold(seat, mask_of(map(card_named, hand)), 0)

    state.exchange()

    after = [names_of(state.hand(seat)) for seat in range(game.seats)]
    assert as_sets(after) == as_sets(scenario["exchange"]["after"])
    own = [[f"6{suit}"] for suit in "SHDC"[: game.seats]]
    assert [names_of(mask) for mask in state.public_hands()] == own


def test_scenarios_c19_cards_are_dealt_singly_from_the_dealers_left() -> None:
    """CL-3: seat 1 gets the first card, the fifth, … where seat 0 deals."""
    game = KozyriClassic(ClassicRules())
    cards = indices(DECK)
    state = game.empty(luck=8)
    state.deal_cards(cards)

    Stream(8, DEAL).shuffle(cards)
    order = [next(seat for seat in range(4) if state.hand(seat) >> card & 1) for card in cards]
    assert order == [1, 2, 3, 0] * 9


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_scenarios_c19_the_dealers_left_leads(seats: int) -> None:
    game = engines.load("kozyri-classic", seats=seats)
    for luck in range(12):
        state = game.deal(luck)

        assert state.seat == (state.dealer + 1) % seats


def test_scenarios_c19_the_loser_deals_next_and_nobody_else_after_a_draw() -> None:
    """CL-14, A27."""
    lost = Outcome((1 / 3, 1 / 3, 1 / 3, -1.0), (1, 1, 1, 4), (0, 1, 2, 3), "won")
    drawn = Outcome((0.0,) * 4, (1,) * 4, (0, 1, 2, 3), "draw")
    ordered = Outcome((0.5, 3.0, 2.0, 0.5), (3, 1, 2, 3), (0, 1, 2, 3), "draw")

    assert next_dealer(0, lost) == 3
    assert next_dealer(0, drawn) == 0
    assert next_dealer(2, ordered) == 2
    assert next_dealer(1, drawn._replace(reason="cap")) == 1
