"""The worked scenarios H1 to H17 of Hund, by number."""

from __future__ import annotations

import pytest

from tests.engines.kozyri.scenario import check, load

SCENARIOS = load("hund.json")


@pytest.mark.parametrize("number", SCENARIOS)
def test_scenarios_are_played_as_the_rules_say(number: str) -> None:
    check(SCENARIOS[number])
