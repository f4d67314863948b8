"""`croupier run`: what it prints where, its exit codes, its mistakes in one line."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from harness import formats
from harness.cli.forecast import duration, precision
from harness.cli.running import listed
from harness.config import read
from harness.pilot import Trial
from harness.precision import Variation
from tests.harness.cli_runs import CHEAT, CONFIG, ROOT, call
from tests.harness.format_configs import DUEL, config_for


def test_a_run_prints_its_ranking_to_stdout_and_its_conditions_to_stderr(finished: Path) -> None:
    out, err = (finished / "stdout").read_text(), (finished / "stderr").read_text()

    assert "Rank (95 %)" in out
    assert "digest " in out
    assert "small: round_robin, seed 7, 3 deal sets, 6 matches" in err
    assert "\x1b[" not in out + err
    found = (finished / "reports" / "small").iterdir()
    assert sorted(path.name for path in found if path.name[0] != ".") == [
        "bots", "logs", "matches", "provenance.json", "report.md", "run.toml", "seats", "standings.parquet",
    ]  # fmt: skip


def test_what_a_run_says_fits_into_the_columns_that_there_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    rules = 'rules = { deck = "easy", cap = 60, cap_result = "fewest_cards", repetition = 4 }'
    others = "".join(f'[[bots]]\nname = "another-{n}"\nbot = "uniform"\n' for n in range(3))
    Path("small.toml").write_text(CONFIG.replace('rules = { deck = "easy" }', rules) + others)
    done = [call("run", "small.toml", "--executor", "local", "--workers", "1") for _ in range(2)]
    lines = [line for one in done for line in (one.stdout + one.stderr).splitlines()]

    assert [one.exit_code for one in done] == [0, 0], done[0].stderr
    assert [line for line in lines if len(line) > 80] == []
    whole = " ".join(" ".join(lines).split())
    assert (
        'kozyri-duel, cap = 60, cap_result = "fewest_cards", deck = "easy", repetition = 4, rules ver'
        in whole
    )
    assert "so nothing was played. For a new run give another folder (--out DIR)" in whole


def test_open_deal_sets_are_named_up_to_ten() -> None:
    names = [f"000001-{number:06}" for number in range(1, 13)]
    assert listed(names[:2]) == "000001-000001, 000001-000002"
    assert listed(names).endswith("000001-000010, and 2 more")


def test_a_finished_run_plays_nothing_and_says_how_to_start_a_new_one(work: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in Path("reports/small/matches").iterdir()}
    again = call("run", "small.toml", "--executor", "local", "--workers", "1")

    assert again.exit_code == 0
    assert "reports/small is complete: all 6 matches are there, so nothing was played." in again.stderr
    assert "--out DIR" in again.stderr
    assert {path: path.stat().st_mtime_ns for path in Path("reports/small/matches").iterdir()} == before


def test_results_are_read_with_plain_pandas(work: Path) -> None:
    assert set(pd.read_parquet("reports/small/seats").groupby("bot", observed=True).score.mean().index) == {
        "one",
        "two",
    }


def test_a_dry_run_tells_how_much_and_writes_nothing(work: Path) -> None:
    shutil.rmtree("reports")
    dry = call("run", "small.toml", "--dry-run", "--workers", "2")

    assert dry.exit_code == 0
    assert "small: round_robin, seed 7: 3 deal sets, 6 matches" in dry.stdout
    assert "2 bots, 1 line-up; 3 deals, all different; 3 deal sets, 6 matches, 6 for each bot" in dry.stdout
    assert "with 2 workers: an estimate from" in dry.stdout
    assert sorted(map(str, Path().iterdir())) == ["small.toml", "stderr", "stdout"]


def test_a_forecast_says_when_it_did_not_measure_how_scores_vary(work: Path) -> None:
    config = read(Path("small.toml"))
    game = formats.plan(config).games[0]
    said = precision(config, game, Trial(game.game, 0.1, 16, None, ""))

    assert "(how scores vary was not measured: as if they varied as much as they can)" in said


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("round_robin", "; half of that with deals = 400 ("),
        ("swiss", "; half of that with deals = 80 ("),
        ("ladder", "; half of that with rounds = 160 ("),
        ("compare", " told apart ("),
        ("adaptive", " told apart ("),
        ("knockout", " told apart ("),
    ],
)
def test_a_forecast_says_what_would_halve_its_errors_where_one_number_does(name: str, told: str) -> None:
    options = {"round_robin": {"deals": 100}, "swiss": {"deals": 20}, "ladder": {"rounds": 40}}.get(name, {})
    config = config_for(name, DUEL, 2 if name == "compare" else 8, **options)
    game = formats.plan(config).games[0]

    assert told in precision(config, game, Trial(game.game, 0.1, 16, None, ""))


def test_what_is_said_to_halve_the_errors_does() -> None:
    def errors(deals: int) -> list[float]:
        config = config_for("round_robin", DUEL, 5, deals=deals)
        said = precision(config, formats.plan(config).games[0], trial)
        return [float(found) for found in re.findall(r"(?:±|differences of) ([0-9.]+)", said)]

    trial = Trial(DUEL, 0.1, 16, Variation(0.25, 0.05, 20, 200), "")
    assert [2 * error for error in errors(400)] == pytest.approx(errors(100), rel=0.05)


MISTAKES = {
    "a misspelt key": (CONFIG.replace("seed =", "sead ="), 'sead: unknown key, did you mean "seed"?'),
    "a missing bot file": (CONFIG.replace('bot = "uniform"', 'path = "nope.py"', 1), "nope.py"),
    "a bot with a syntax error": (CONFIG.replace('bot = "uniform"', 'path = "bad.py"', 1), "bad.py line 1"),
    "an unknown game": (CONFIG.replace("kozyri-duel", "kozyri-dual"), 'did you mean "kozyri-duel"?'),
    "an unknown bot": (CONFIG.replace('"uniform"', '"uniforn"', 1), 'did you mean "uniform"?'),
    "an unknown option of a game": (CONFIG.replace("deck =", "dekc ="), 'did you mean "deck"?'),
    "no valid TOML": ("name = ", "small.toml: not valid TOML"),
    "an option of a wrong type": (
        CONFIG + '[[bots]]\nbot = "steady"\noptions = { place = "last" }\n',
        "bots[2].options: Steady cannot be built with place = 'last': TypeError: ",
    ),
    "an option out of range": (
        CONFIG + '[[bots]]\nbot = "steady"\noptions = { place = 7 }\n',
        "bots[2].options: place: expected a number from 0",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_config_that_cannot_be_run_is_one_clear_line_and_nothing_is_written(
    mistake: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text, expected = MISTAKES[mistake]
    Path("small.toml").write_text(text)
    Path("bad.py").write_text("def broken(:\n")
    done = call("run", "small.toml")

    assert done.exit_code == 2
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith("croupier: small.toml: ")
    assert expected in line
    assert sorted(map(str, Path().iterdir())) == ["bad.py", "small.toml"]


def test_a_run_with_other_settings_in_the_same_folder_is_refused(work: Path) -> None:
    Path("small.toml").write_text(CONFIG.replace("seed = 7", "seed = 8"))
    done = call("run", "small.toml")

    assert done.exit_code == 2
    assert "seed  7 -> 8" in done.stderr


def test_a_forfeit_is_shown_and_fails_a_strict_run(work: Path) -> None:
    Path("cheat.py").write_text(CHEAT)
    Path("small.toml").write_text(CONFIG.replace('bot = "uniform"', 'path = "cheat.py"', 1))
    words = ["run", "small.toml", "--out", "other", "--executor", "local", "--workers", "1"]
    mild = call(*words)
    strict = call(*words, "--strict")

    assert (mild.exit_code, strict.exit_code) == (0, 1)
    assert "one forfeited 6 of 6: 6 illegal" in mild.stdout
    assert "--strict: 6 forfeits, 0 notes" in strict.stderr


def test_an_interrupted_run_exits_with_130_and_prints_the_command_that_continues_it(tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text(CONFIG.replace("deals = 3", "deals = 100_000"))
    command = [sys.executable, "-m", "harness", "run", "small.toml", "--executor", "local", "--workers", "1"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        # The bots are the last of the first lines; from then on it plays.
        said = next(line for line in process.stderr if line.startswith("  bots:"))
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)

    assert "one (" in said
    assert process.returncode == 130
    assert out == ""
    assert err.endswith(
        "stopped; what was played is in reports/small. This continues it:\n"
        "  python -m harness run small.toml --workers 1 --executor local\n"
    )


@pytest.mark.parametrize(("seconds", "words"), [(0.2, "1 s"), (40, "40 s"), (600, "10 min"), (9000, "2.5 h")])
def test_durations_in_words(seconds: float, words: str) -> None:
    assert duration(seconds) == words
