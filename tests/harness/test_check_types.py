"""Types are read as the bot's seat imports its files, whatever they are called and wherever they lie."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness import submissions
from harness.checking.steps import Failed
from harness.checking.typed import Reading

GOOD = """
import random
from random import Random

from bots import Bot, Seen
from engines.kozyri.duel import DuelView


class Good(Bot[DuelView]):
    games = ("kozyri-duel",)

    def act(self, seen: Seen[DuelView]) -> int:
        return seen.moves[Random(random.choice([1, 2])).randrange(1)]
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(files: dict[str, str]) -> None:
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text, encoding="utf-8")


def said(path: str) -> str:
    return Reading(submissions.at(Path(path))).result().said


def test_a_bot_called_like_a_module_of_python_is_read_beside_others_that_are() -> None:
    write({"random.py": GOOD, "types.py": GOOD, "2-good.py": GOOD})

    for name in ("random.py", "types.py", "2-good.py"):
        assert said(name) == "mypy --strict finds nothing", name


def test_what_is_wrong_is_told_by_the_bots_own_name_and_line() -> None:
    write({"copy.py": f"{GOOD}X: int = ''\n"})

    with pytest.raises(Failed) as caught:
        said("copy.py")

    line = len(GOOD.splitlines()) + 1
    assert caught.value.output.startswith(f"copy.py:{line}: error: ")


def test_a_folders_files_are_each_others_by_plain_name_and_by_dots() -> None:
    write(
        {
            "deep/bot.py": "import pkg.far, util, json\n"
            "from pkg import (  # the near one\n    far as near,\n)\n"
            f"from . import queue\nfrom .util import X as again\n{GOOD}\n\n"
            f"Y: int = pkg.far.X + util.X + near.X + again + queue.X\n",
            "deep/util.py": "from queue import Queue\nX: int = Queue[int]().qsize()\n",
            "deep/queue.py": "X: int = 1\n",
            "deep/pkg/far.py": "from .. import util\nX: int = util.X\n",
            "deep/old-stuff/notes.py": "x: int = ''\n",
        }
    )

    assert said("deep") == "mypy --strict finds nothing"


def test_a_mistake_between_files_of_a_folder_is_told_in_their_own_names() -> None:
    write({"deep/bot.py": f"from util import Y\n{GOOD}", "deep/util.py": "X: int = ''\n"})

    with pytest.raises(Failed) as caught:
        said("deep")

    told = caught.value.output.splitlines()
    assert [line.partition(": error: ")[0] for line in told] == ["util.py:1", "bot.py:1"]
    assert 'Module "util" has no attribute "Y"' in told[1]
