"""The tutorial docs/first-bot.md, followed word for word in an empty folder, ends in third place."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "first-bot.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
FILES = {"toml": "first.toml", "python": "mine.py"}
"""Where the text has its blocks saved."""

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="bots are isolated on Linux only"
)


@pytest.mark.slow
def test_every_step_works_as_written_and_the_bot_comes_from_last_to_third(tmp_path: Path) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "croupier").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m harness "$@"\n')
    (programs / "croupier").chmod(0o755)
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    env = {**os.environ, "PYTHONPATH": str(ROOT), "PATH": path, "NO_COLOR": "1"}
    env.pop("CROUPIER_SUBMISSIONS", None)
    folder = tmp_path / "empty"
    folder.mkdir()
    places = []
    for kind, text in BLOCK.findall(PAGE):
        if kind in FILES:
            (folder / FILES[kind]).write_text(text, encoding="utf-8")
            continue
        done = subprocess.run(
            ["sh", "-ec", text], cwd=folder, env=env, capture_output=True, text=True, timeout=300, check=False
        )
        assert done.returncode == 0, f"{text}{done.stdout}{done.stderr}"
        if "croupier run" in text:
            places.append(ranking(folder, env))

    assert places[0][-2:] in (["silent", "mine"], ["mine", "silent"])
    assert places[-1].index("mine") == 2
    assert set(places[-1][:2]) == {"code777-threshold", "code777-certain"}
    assert len(places) == 2


def ranking(folder: Path, env: dict[str, str]) -> list[str]:
    """The bots by their places in the run `first`."""
    words = [sys.executable, "-m", "harness", "report", "first", "--format", "json"]
    done = subprocess.run(words, cwd=folder, env=env, capture_output=True, text=True, timeout=100, check=True)
    (table,) = json.loads(done.stdout)["standings"]
    return [line["bot"] for line in sorted(table["bots"], key=lambda line: line["rank"])]
