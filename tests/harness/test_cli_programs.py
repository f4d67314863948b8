"""`croupier check --command` and `compare command:`: programs in any language, checked as Python bots are."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from harness.cli.app import app
from tests.harness.test_external import ANSWER, EXAMPLES, READY, program

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="programs play on Linux only")
CHANCE = EXAMPLES / "c" / "chance.c"
STEPS = ["files", "protocol", "plays", "deterministic", "duplicate", "baselines"]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def call(*words: str) -> Result:
    return CliRunner().invoke(app, list(words), prog_name="croupier", env={"NO_COLOR": "1"})


def failed(act: str = ANSWER, ready: str = READY, *, step: str, game: str = "kozyri-duel") -> dict[str, str]:
    """The step at which the check of such a program fails; the others are done or skipped."""
    program(Path("it"), act, ready)
    done = call("check", "--command", "it/bot", "--game", game, "--json", "--seconds", "0")
    assert done.exit_code == 1, done.output
    steps = {found["name"]: found for found in json.loads(done.stdout)["steps"]}
    assert list(steps) == STEPS
    assert [name for name, found in steps.items() if found["status"] == "failed"] == [step]
    found: dict[str, str] = steps[step]
    return found


def compiled(text: str) -> None:
    """Make the program `./chance` of a text in C."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler here")
    Path("chance.c").write_text(text, encoding="utf-8")
    subprocess.run([compiler, "-O2", "-o", "chance", "chance.c"], check=True)


def test_the_example_in_c_passes_every_step_and_is_compared_as_the_documents_say() -> None:
    compiled(CHANCE.read_text(encoding="utf-8"))
    page = (EXAMPLES.parent / "protocol.md").read_text(encoding="utf-8")
    check, compare = re.findall(r"^croupier (.*\./chance.*)$", page, re.MULTILINE)

    done = call(*shlex.split(check), "--seconds", "0")

    assert done.exit_code == 0, done.output
    assert re.findall(r"^(\d)  passed   (\w+)", done.stdout, re.MULTILINE) == [
        (str(number), name) for number, name in enumerate(STEPS, start=1)
    ]
    assert "`ready` with protocol 1 for kozyri-duel:2 (isolation: " in done.stdout
    assert re.search(
        r"kozyri-duel:2: \d+ matches, \d+ decisions, CPU a decision .* \(p95 .* ms, most .* ms\)", done.stdout
    )
    assert re.search(r"kozyri-duel:2: .* duel-longsuit: ahead in", done.stdout)
    assert 'next: a config with [[bots]] command = ["./chance"]' in done.stderr

    found = call(*shlex.split(compare), "--rules", "deck=easy", "--workers", "1", "--format", "json")
    assert found.exit_code in {0, 1}, found.output
    assert json.loads(found.stdout)["folder"].startswith("reports/compare-chance-uniform-kozyri-duel-")


def test_a_program_is_greeted_at_every_table_that_is_asked_for() -> None:
    only_three = f"case $line in *'\"seats\":3'*) {READY} ;; *) echo 'three seats only' >&2; exit 4 ;; esac"

    found = failed(ready=only_three, step="protocol", game="code777")

    assert "ended itself before it said `ready` (exit code 4)" in found["said"]
    assert found["advice"].startswith("for code777:4: it must start here, and answer")
    assert found["output"] == "three seats only"


@pytest.mark.parametrize(
    ("act", "step", "said", "advice"),
    [
        ("echo move me >&2; echo what?", "plays", "no answer: 'what\\?': ", "write one line for each `act`"),
        (ANSWER.replace("$move", "9999"), "plays", "9999", "answer with one of `moves`"),
        ("echo move me >&2; exit 3", "plays", "exit code 3", "docs/protocol.md"),
    ],
)
def test_what_a_program_does_wrong_is_told_with_its_own_words(
    act: str, step: str, said: str, advice: str
) -> None:
    found = failed(act, step=step)

    assert "were at fault" in found["said"]
    assert re.search(said, " ".join(found["details"]))
    assert advice in found["advice"]
    if "move me" in act:
        assert "move me" in found["output"]


@pytest.mark.slow
def test_a_program_that_plays_otherwise_each_time_is_found_out() -> None:
    text = CHANCE.read_text(encoding="utf-8").replace("strtoull(seed, NULL, 10)", "(uint64_t)getpid()")
    compiled(f"#include <unistd.h>\n{text}")

    done = call("check", "--command", "./chance", "--game", "hund", "--json", "--seconds", "0")

    steps = {found["name"]: found for found in json.loads(done.stdout)["steps"]}
    assert done.exit_code == 1
    assert steps["plays"]["status"] == "passed"
    assert "the same match came out otherwise" in steps["deterministic"]["said"]
    assert steps["deterministic"]["advice"].startswith("draw luck from `seed` alone")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["check"], "expected a bot's PATH or NAME, or --command"),
        (["check", "uniform", "--command", "./bot"], "or --command, got both: uniform and ./bot"),
        (["check", "bot"], "`croupier check --command` checks it"),
        (["check", "--command", "sh -c true"], "(croupier check: --file)"),
        (["check", "uniform", "--file", "a"], "--file belongs to --command"),
        (["check", "--command", "'./bot"], "no closing quotation"),
        (["check", "--command", "./bot"], "no such program"),
        (["compare", "command:./bot", "uniform", "--game", "hund"], "no such program"),
        (["submit", "bot"], "`croupier check --command` checks it"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(words: list[str], said: str) -> None:
    if words[-1] == "bot":
        program(Path(), name="bot")

    done = call(*words)

    assert done.exit_code == 2
    assert said in done.stderr
    assert done.stderr.startswith("croupier: ")
    assert done.stderr.count("\n") == 1
