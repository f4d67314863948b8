"""Golden games: what every seat sees at every move has not changed unread."""

from __future__ import annotations

import pytest

import engines
from tests.engines.golden import FOLDER, lines, page


@pytest.mark.parametrize("name", engines.available())
def test_the_golden_game_is_played_as_it_was_read(name: str) -> None:
    expected = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")

    assert page(name) == expected


@pytest.mark.parametrize("name", engines.available())
def test_every_line_of_a_playthrough_is_a_position_that_leads_to_the_next(name: str) -> None:
    for luck in range(3):
        head, *turns, end = lines(name, luck)
        played = engines.load(name, **head["rules"])
        for before, after in zip(turns, [*turns[1:], end], strict=True):
            state = played.from_position(before["state"])
            assert [played.table[m].name for m in state.moves()] == before["legal"]
            state.play(played.parse(state, before["move"]))
            expected = {key: value for key, value in after["state"].items() if key != "repeats"}
            actual = played.position(state)["state"]
            assert {key: actual[key] for key in expected} == expected
