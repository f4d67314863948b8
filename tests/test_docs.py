"""What the documents show is what the programs do."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from harness import config as configs
from harness import formats
from harness.report import frame_columns
from harness.store import schema

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:)([^)#]+)")


def blocks(language: str) -> list[Any]:
    """Every fenced block of a language, with its page."""
    found = []
    for page in PAGES:
        for number, (kind, text) in enumerate(FENCE.findall(page.read_text(encoding="utf-8"))):
            if kind == language:
                found.append(pytest.param(text, id=f"{page.name}-{number}"))
    return found


def run(*command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a command of the tree under test from another folder."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}
    return subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, timeout=120, check=False)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which a small tournament named quickstart has been run."""
    folder = tmp_path_factory.mktemp("docs")
    config = """name = "quickstart"
seed = 1
game = "kozyri-duel"
rules = { deck = "easy", cap = 60 }
format = { name = "round_robin", deals = 2 }
[[bots]]
name = "a"
bot = "uniform"
[[bots]]
name = "b"
bot = "uniform"
"""
    (folder / "quickstart.toml").write_text(config, encoding="utf-8")
    done = run(sys.executable, "-m", "harness", "run", "quickstart.toml", "--workers", "1", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.parametrize("text", blocks("python"))
def test_every_python_block_runs(text: str, played: Path, tmp_path: Path) -> None:
    (tmp_path / "block.py").write_text(text, encoding="utf-8")

    done = run(sys.executable, str(tmp_path / "block.py"), cwd=played)

    assert done.returncode == 0, done.stderr


BOTS = [block for block in blocks("python") if "Bot[" in block.values[0]]


def test_every_bot_shown_passes_strict_typing(tmp_path: Path) -> None:
    files = [f"shown_{number}.py" for number in range(len(BOTS))]
    for file, block in zip(files, BOTS, strict=True):
        (tmp_path / file).write_text(block.values[0], encoding="utf-8")

    typed = run(sys.executable, "-m", "mypy", "--strict", "--config-file=", *files, cwd=tmp_path)

    assert typed.returncode == 0, typed.stdout


@pytest.mark.parametrize("text", BOTS)
def test_every_bot_shown_plays(text: str, tmp_path: Path) -> None:
    (tmp_path / "shown.py").write_text(text, encoding="utf-8")
    check = (
        "import shown\nfrom bots.core.testing import check_bot\n"
        "for kind in list(vars(shown).values()):\n"
        "    if isinstance(kind, type) and kind.__module__ == 'shown':\n"
        "        check_bot(kind, kind.games or ('seven-symbols:4',), matches=1)\n"
    )
    (tmp_path / "check.py").write_text(check, encoding="utf-8")

    plays = run(sys.executable, "check.py", cwd=tmp_path)

    assert plays.returncode == 0, plays.stderr


def build_examples(folder: Path) -> None:
    """The programs of docs/examples, as their first lines say."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None or shutil.which("node") is None:
        pytest.skip("the programs shown need a C compiler and Node")
    shutil.copy(ROOT / "docs" / "examples" / "javascript" / "miser.mjs", folder)
    source = ROOT / "docs" / "examples" / "c" / "chance.c"
    run(compiler, "-O2", "-o", str(folder / "chance"), str(source), cwd=folder)


@pytest.mark.parametrize("text", blocks("toml"))
def test_every_config_shown_is_a_config(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "shown.toml").write_text(text, encoding="utf-8")
    readme = FENCE.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    thrifty = next(block for _, block in readme if "class Thrifty" in block)
    (tmp_path / "thrifty.py").write_text(thrifty, encoding="utf-8")
    if "command = " in text:
        build_examples(tmp_path)

    monkeypatch.chdir(tmp_path)

    assert formats.plan(configs.read(Path("shown.toml"))).matches > 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    targets = LINK.findall(page.read_text(encoding="utf-8"))

    missing = [target for target in targets if not (page.parent / target).exists()]

    assert missing == []


def test_every_column_is_documented_with_its_meaning() -> None:
    page = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    columns = [*schema.MATCH_COLUMNS, *schema.SEAT_COLUMNS, *schema.VOID_COLUMNS]

    missing = [c.name for c in columns if f"| `{c.name}` |" not in page or c.doc not in page]

    assert missing == []


@pytest.mark.parametrize("name", ["STANDINGS", "PAIRS", "MOVES"])
def test_every_column_that_is_worked_out_is_documented_with_its_type(name: str) -> None:
    page = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    rows = [f"| `{c.name}` | {c.dtype} | {c.unit} | {c.doc} |" for c in getattr(frame_columns, name)]

    assert "\n".join(rows) in page


def test_the_notebook_runs(played: Path, tmp_path: Path) -> None:
    code = (
        "import sys, nbformat, nbclient\n"
        "book = nbformat.read(sys.argv[1], as_version=4)\n"
        "nbclient.NotebookClient(book, timeout=100, kernel_name='python3').execute()\n"
        "print(sum(len(cell.outputs) for cell in book.cells if cell.cell_type == 'code'))\n"
    )

    done = run(sys.executable, "-c", code, str(ROOT / "docs" / "analysis.ipynb"), cwd=played)

    assert done.returncode == 0, done.stderr
    assert int(done.stdout) >= 8


def test_every_command_is_told_of_in_the_documents() -> None:
    done = run(sys.executable, "-m", "harness", "--help", cwd=ROOT)
    commands = re.findall(r"^  ([a-z]+)  +[A-Z]", done.stdout, re.MULTILINE)
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)

    assert len(commands) > 5
    assert [command for command in commands if f"croupier {command}" not in text] == []


def test_the_position_shown_is_solved_as_shown() -> None:
    page = (ROOT / "docs" / "solve.md").read_text(encoding="utf-8")
    shell, shown = page.split("```sh\ncroupier ")[1].split("\n```\n", 1)
    shown = shown.split("```text\n")[1].split("```")[0]

    done = run(sys.executable, "-m", "harness", *shell.split(), cwd=ROOT)

    assert done.returncode == 0, done.stderr
    assert done.stdout == shown
