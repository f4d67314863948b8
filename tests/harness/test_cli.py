"""The command line as a whole: its help, its exit codes, mistakes in one line, lines that fit."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from harness.cli.common import EXPECTED, UsageProblem, exit_code, expected, rules_of
from harness.executors.base import ClusterLost, ExecutorError
from harness.store.export import CannotExport
from harness.store.parquet import Locked, StoreError
from tests.harness.cli_runs import ROOT, call


def test_help_imports_neither_ray_nor_pandas() -> None:
    script = (
        "import sys\nfrom harness.cli import main\nsys.argv = ['croupier', '--help']\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "heavy = {'ray', 'pandas', 'numpy', 'pyarrow', 'trueskill', 'scipy'} & set(sys.modules)\n"
        "print(sorted(heavy), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )

    assert done.stderr.strip() == "[]"
    assert "Usage: croupier" in done.stdout


COMMANDS = (
    *("run", "compare", "report", "verify", "replay", "check", "submit", "withdraw", "games", "bots"),
    *("playthrough", "schema", "play", "repair", "export", "doctor"),
)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_help_with_an_example_and_stands_in_the_list(name: str) -> None:
    own, every = call(name, "--help"), call("--help")

    assert re.search(rf"Examples?:\s+croupier {name}", own.stdout)
    assert "{" not in own.stdout
    assert f"\n  {name} " in every.stdout


def test_the_version_is_that_of_the_package() -> None:
    from importlib import metadata

    try:
        version = metadata.version("croupier")
    except metadata.PackageNotFoundError:
        version = "(source tree)"

    assert call("--version").stdout == f"croupier {version}\n"


@pytest.mark.parametrize(
    "words", [["games"], ["playthrough", "hund", "--seed", "3", "--rules", "cap=40", "--format", "text"]]
)
def test_long_lines_are_wrapped_to_the_terminal(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = call(*words).stdout.splitlines()

    assert len(lines) > 20
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("words", [["games"], ["playthrough", "hund", "--seed", "3"], ["report", "small"]])
def test_a_reader_that_has_seen_enough_ends_the_command_quietly(work: Path, words: list[str]) -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-m", "harness", *words],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=write,
        stderr=subprocess.PIPE,
        text=True,
        timeout=60,
        check=False,
    )
    os.close(write)

    assert (done.returncode, done.stderr) == (0, "")


def test_a_ctrl_c_when_all_is_done_changes_nothing() -> None:
    script = (
        "import atexit, os, signal, sys\n"
        "atexit.register(lambda: os.kill(os.getpid(), signal.SIGINT))\n"
        "sys.argv = ['croupier', 'games', 'hund']\n"
        "from harness.cli import main\nmain()"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )

    assert (done.returncode, done.stderr) == (0, "")


def test_help_names_what_to_put_in() -> None:
    assert "  CONFIG " in call("run", "--help").stdout
    assert "--rules KEY=VALUE" in call("playthrough", "--help").stdout


@pytest.mark.parametrize("name", [*COMMANDS, "solve", "new bot"])
def test_every_help_fits_into_80_columns_in_words_of_its_own(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    text = call(*name.split(), "--help").stdout

    assert max(map(len, text.splitlines())) <= 80
    assert not re.search(r"--\S+ <[a-z ]*(range|str|float|list)", text)
    assert "{" not in text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["solve", "x", "--nodes", "many"], "'--nodes': expected a whole number, got 'many'"),
        (["solve", "x", "--nodes", "0"], "'--nodes': expected at least 1, got '0'"),
        (["solve", "x", "--seconds", ""], "'--seconds': expected a number, got ''"),
        (["playthrough", "hund", "--seed", "9" * 5000], f"got '{'9' * 60}'… of 5,000 characters"),
        (["play", "hund", "--isolation", "x"], "'--isolation': 'x' is not one of 'auto', 'none', "),
    ],
)
def test_a_wrong_value_is_told_with_what_was_expected_and_what_came(words: list[str], said: str) -> None:
    done = call(*words)

    assert done.exit_code == 2
    assert said in done.stderr.splitlines()[-1]


def test_a_misspelt_command_or_option_is_usage() -> None:
    assert call("rnu").exit_code == 2
    assert call("report", "--fromat", "csv", "small").exit_code == 2


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_the_errors_that_become_one_line_exist_under_their_names(name: str) -> None:
    module, _, kind = name.rpartition(".")

    error = getattr(importlib.import_module(module), kind)
    assert issubclass(error, Exception)
    assert error.__module__ == module, "found by the module that it is from, not by one that imports it"


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (StoreError("full"), 3),
        (ClusterLost("gone"), 3),
        (Locked("another run is on"), 2),
        (CannotExport("something else is there"), 2),
        (ExecutorError("nothing answers"), 2),
        (UsageProblem("no such thing"), 2),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else "",
)
def test_a_platform_that_failed_ends_with_another_code_than_a_mistake(error: Exception, code: int) -> None:
    assert expected(error)
    assert exit_code(error) == code


def test_an_option_of_a_game_that_is_given_twice_is_usage() -> None:
    with pytest.raises(UsageProblem, match=r"^seats is given twice, the second time as seats=4$"):
        rules_of(["seats=3", "seats=4"])


def test_values_of_rules_are_read_as_toml_and_else_as_text() -> None:
    pairs = ["seats=3", "deck=easy", "colours=true", 'deck2=["K", "A"]']

    assert rules_of(pairs) == {"seats": 3, "deck": "easy", "colours": True, "deck2": ["K", "A"]}
