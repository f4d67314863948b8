"""The script behind `make reference` writes a result, agrees with it, and says where another differs."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import pytest

from benchmarks import reference

SMALL = """
game = "kozyri-duel"
rules = { deck = "easy", cap = 60 }
seed = %d
format = { name = "round_robin", deals = 2 }
[[bots]]
bot = "uniform"
[[bots]]
bot = "duel-longsuit"
"""


def test_a_result_is_written_agreed_with_and_told_from_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    config, page = tmp_path / "small.toml", tmp_path / "page.md"
    config.write_text(SMALL % 1, encoding="utf-8")
    page.write_text(f"Before.\n\n{reference.BEGIN}\n{reference.END}\n\nAfter.\n", encoding="utf-8")
    for name, value in {"ROOT": tmp_path, "CONFIG": config, "PAGE": page}.items():
        monkeypatch.setattr(reference, name, value)

    monkeypatch.setattr(sys, "argv", ["reference.py", "--write"])
    reference.main()
    written = page.read_text(encoding="utf-8")
    assert written.startswith("Before.")
    assert written.endswith("After.\n")
    assert "| duel-longsuit" in written
    assert "CPU" not in written

    monkeypatch.setattr(sys, "argv", ["reference.py"])
    reference.main()
    assert "agrees with" in capsys.readouterr().out

    config.write_text(SMALL % 2, encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        reference.main()
    assert ended.value.code == 1
    assert "does not agree" in capsys.readouterr().out
    assert page.read_text(encoding="utf-8") == written


def test_the_reference_tournament_gives_every_search_its_budget_in_nodes() -> None:
    config = tomllib.loads(reference.CONFIG.read_text(encoding="utf-8"))
    searching = [bot for bot in config["bots"] if "options" in bot and "nodes" in bot["options"]]

    searches = {"ismcts", "pimc", "seven-search", "hund-search", "classic-search", "duel-alphabeta"}
    assert searches | {"code777-racer", "code777-reader"} <= {bot["bot"] for bot in searching}
    assert "cpu_ms" not in str(config)
