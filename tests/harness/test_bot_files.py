"""What a bot's files say of it is read without running them."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness import bot_files, submissions
from harness.submissions import BadBot

SIDE_EFFECT = 'from pathlib import Path\nPath("ran").write_text("")\n'


def facts(folder: Path, text: str) -> bot_files.Facts:
    (folder / "mine.py").write_text(text, encoding="utf-8")
    return bot_files.facts(submissions.at(folder / "mine.py"))


def test_class_games_and_options_are_read_and_nothing_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = f'''"""Plays.

More of it."""
{SIDE_EFFECT}
import json, numpy as np
from bots import Bot as Player
GAMES = ("hund", "code777:3-5")
class _Base(Player):
    def __init__(self, game, seat, rng, depth=1, *, wide=False): ...
class Mine(_Base):
    games = GAMES
    def act(self, seen): return seen.moves[0]
'''
    found = facts(tmp_path, text)

    assert found == bot_files.Facts("Mine", "Plays.", ("hund", "code777:3-5"), ("depth", "wide"))
    assert not Path("ran").exists()


def test_a_base_class_in_a_helper_file_is_followed(tmp_path: Path) -> None:
    folder = tmp_path / "deep"
    folder.mkdir()
    (folder / "helper.py").write_text(
        'import bots\nclass Base(bots.Bot):\n    games = ("hund",)\n    def act(self, seen): ...\n'
    )
    (folder / "bot.py").write_text("from helper import Base\nclass Mine(Base):\n    pass\n")

    found = bot_files.facts(submissions.at(folder))

    assert (found.kind, found.games) == ("Mine", ("hund",))


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("class Mine:\n    pass", "expected one class that subclasses Bot, found none"),
        ("class A(Bot):\n    pass\nclass B(Bot):\n    pass", "found A, B; helpers start with _"),
        ("class Mine(Bot):\n    pass", "line 2: Mine has no act(self, seen)"),
        (
            "class Mine(Bot):\n    games = tuple(open('x'))\n    def act(self, seen): ...",
            "line 3: Mine.games: expected texts written out",
        ),
        (
            "class Mine(Bot):\n    games = ('hund')\n    def act(self, seen): ...",
            "expected a tuple of names such as ('hund',), got the text 'hund'",
        ),
    ],
)
def test_what_cannot_play_is_told_with_its_line(tmp_path: Path, body: str, said: str) -> None:
    with pytest.raises(BadBot, match=r"mine\.py") as caught:
        facts(tmp_path, f"from bots import Bot\n{body}\n")

    assert said in str(caught.value)


def test_a_bot_may_be_made_from_the_parts_that_ship(tmp_path: Path) -> None:
    found = facts(
        tmp_path,
        "from bots.core.search import AdvisedBot\nfrom bots.hund_squeeze import Squeeze\n"
        "class Mine(AdvisedBot):\n    games = ('hund',)\n    adviser = Squeeze\n",
    )

    assert (found.kind, found.games, found.options) == ("Mine", ("hund",), ("nodes", "caution"))


@pytest.mark.parametrize("name", submissions.shipped())
def test_what_is_read_of_a_shipped_bot_is_what_its_class_says(name: str) -> None:
    source = submissions.find(name)
    found, kind = bot_files.facts(source), submissions.bot_type(source)

    assert (found.kind, found.games) == (kind.__name__, kind.games)
    assert list(found.options or ()) == submissions.known_options(kind)


def test_what_a_file_says_about_itself_is_one_line_that_no_terminal_obeys(tmp_path: Path) -> None:
    text = f"""'\x1b[2J\x1b[31mred {"x" * 500}'
from bots import Bot
class Mine(Bot):
    def act(self, seen): return seen.moves[0]
"""
    about = facts(tmp_path, text).about

    assert about.startswith("\\x1b[2J\\x1b[31mred x")
    assert len(about) == bot_files.LONGEST


@pytest.mark.parametrize(
    "nested", ["x = " + "-" * 90_000 + "1", "class A(" + "+".join(["x"] * 3_000) + "): ..."]
)
def test_a_file_that_no_parser_can_hold_is_told_in_a_line(tmp_path: Path, nested: str) -> None:
    with pytest.raises(BadBot, match=r"mine\.py: .*nested too deeply"):
        facts(tmp_path, nested)


def test_classes_that_are_derived_from_each_other_in_countless_ways_are_read_at_once(tmp_path: Path) -> None:
    steps = "\n".join(f"class _L{n + 1}({', '.join([f'_L{n}'] * 9)}): ..." for n in range(40))
    text = f"""
from bots import Bot
class _L0({"+".join(["x"] * 600)}, _L40): ...
{steps}
class Mine(_L40, Bot):
    def act(self, seen): return seen.moves[0]
"""
    assert facts(tmp_path, text).kind == "Mine"
    with pytest.raises(BadBot, match="found none"):
        facts(tmp_path, text.replace(", Bot)", ")"))
