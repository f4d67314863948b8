"""The worked scenarios D1 to D18 of the duel, by number."""

from __future__ import annotations

import pytest

import engines
from engines.core.game import Outcome
from engines.kozyri.common import card_named, mask_of
from engines.kozyri.duel import KozyriDuel, next_dealer
from tests.engines.kozyri.scenario import check, game_of, load
from tests.engines.kozyri.solver import Solver

SCENARIOS = load("kozyri_duel.json")
FRESH = [number for number, scenario in SCENARIOS.items() if "A" in scenario]
SOLVED = [number for number, scenario in SCENARIOS.items() if "winner" in scenario]


@pytest.mark.parametrize("number", SCENARIOS)
def test_scenarios_are_played_as_the_rules_say(number: str) -> None:
    check(SCENARIOS[number])


@pytest.mark.parametrize("number", FRESH)
def test_scenarios_are_fresh_deals_as_dealt_by_rule_4(number: str) -> None:
    """DU-4: the dealer's hand is A and the image of what is missing, the other hand is its image."""
    scenario = SCENARIOS[number]
    dealer = scenario["position"]["state"].get("dealer", 0)
    game = game_of(scenario["position"])
    assert isinstance(game, KozyriDuel)
    image = dict(zip("SCHD", "HDSC", strict=True))
    own = set("SC" if dealer == 0 else "HD")
    laid = {card_named(name) for name in scenario["A"]}
    missing = {card for card in map(card_named, deck_names(game)) if card.suit in own and card not in laid}
    hand = laid | {card_named(card.name[:-1] + image[card.suit]) for card in missing}
    other = {card_named(card.name[:-1] + image[card.suit]) for card in hand}

    state = game.from_position(scenario["position"])
    hands = (state.hand0, state.hand1)

    assert mask_of(hand) == hands[dealer]
    assert mask_of(other) == hands[1 - dealer]


def deck_names(game: KozyriDuel) -> list[str]:
    return [rank + suit for rank in game.rules.ranks for suit in "SHDC"]


@pytest.mark.parametrize("number", SOLVED)
def test_scenarios_are_won_by_the_seat_that_the_rules_name(number: str) -> None:
    scenario = SCENARIOS[number]
    game = game_of(scenario["position"])
    assert isinstance(game, KozyriDuel)
    solver = Solver(game.rules.ranks)
    state = game.from_position(scenario["position"])
    winning = solver.winning(state.seat, (state.hand0, state.hand1))

    assert scenario["winner"] == (state.seat if winning else 1 - state.seat)
    if "winning" in scenario:
        assert set(scenario["winning"]) == {f"LEAD {name}" for name in winning}


def test_scenarios_d17_the_dealer_alternates_whoever_won() -> None:
    for scores in ((1.0, 0.0), (0.0, 1.0), (0.5, 0.5)):
        outcome = Outcome(scores, (1, 1), (0, 1), "won")

        assert next_dealer(0, outcome) == 1
        assert next_dealer(1, outcome) == 0


@pytest.mark.parametrize(
    ("deck", "cards"), [("easy", 12), ("standard", 16), ("advanced", 20), ("cambridge", 18)]
)
def test_scenarios_d18_each_seat_is_dealt_half_of_the_deck(deck: str, cards: int) -> None:
    game = engines.load("kozyri-duel", deck=deck)

    assert game.view(game.deal(5), 0).sizes == (cards, cards)
