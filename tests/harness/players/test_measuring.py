"""What a stranger's class claims is asked in a locked seat; no answer of its keeps a run from starting."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.players.measuring import Claims, Describer
from tests.harness.players.seats import bot, written

FORGED = "import msgspec, os\nos.write(3, msgspec.msgpack.encode([{}]))"


@pytest.mark.parametrize(
    "reply",
    [
        "'moved', 1, 2",
        "'ready', False, 'no JSON'",
        "'ready', False, '[' * 60_000",
        "'ready', False, '[]'",
        """'ready', False, '{"name": "It", "games": ["no game"], "options": []}'""",
        """'ready', False, '{"name": "It", "games": ["hund:%s"], "options": []}' % ("9" * 5_000)""",
        """'ready', False, '{"name": "It", "games": [], "options": ["-[31m"]}'""",
    ],
)
def test_a_file_that_answers_for_its_class_by_itself_claims_every_game_and_stops_nobody(
    tmp_path: Path, reply: str
) -> None:
    source = written(tmp_path, "it", bot("return seen.moves[0]", FORGED.format(reply)))
    describer = Describer("auto", [source])
    try:
        assert describer.claims(source) == Claims("", (), None)
    finally:
        describer.close()
