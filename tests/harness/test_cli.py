"""The command line as people use it: what it prints where, its exit codes, its mistakes in one line."""

from __future__ import annotations

import importlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner, Result

from harness import store
from harness.cli.app import app
from harness.cli.common import EXPECTED, rules_of
from harness.cli.forecast import duration
from harness.players import output

ROOT = Path(__file__).parents[2]
CONFIG = """
name = "small"
seed = 7
game = "kozyri-duel"
rules = { deck = "easy" }
format = { name = "round_robin", deals = 3 }
[[bots]]
name = "one"
bot = "uniform"
[[bots]]
name = "two"
bot = "uniform"
"""
CHEAT = '''
"""Plays a move that is not there."""
from bots import Bot


class Cheat(Bot):
    def act(self, seen):
        return 9999
'''


def croupier(*words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """The command as a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "harness", *words],
        cwd=cwd or ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def call(*words: str) -> Result:
    """The command in this process."""
    return CliRunner().invoke(app, list(words), prog_name="croupier")


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with small.toml and reports/small, a run that is over."""
    folder = tmp_path_factory.mktemp("work")
    (folder / "small.toml").write_text(CONFIG)
    done = croupier("run", "small.toml", "--executor", "local", "--workers", "1", cwd=folder)
    assert done.returncode == 0, done.stderr
    (folder / "stdout").write_text(done.stdout)
    (folder / "stderr").write_text(done.stderr)
    return folder


@pytest.fixture
def work(finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it, and the place where the test is."""
    shutil.copytree(finished, tmp_path / "work")
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path / "work"


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


def test_a_report_is_the_same_by_name_and_by_folder(work: Path) -> None:
    by_name, by_folder = call("report", "small"), call("report", "reports/small/")

    assert by_name.exit_code == 0
    assert by_name.stdout == by_folder.stdout


@pytest.mark.parametrize("style", ["markdown", "csv", "json"])
def test_a_report_comes_in_other_formats(work: Path, style: str) -> None:
    done = call("report", "small", "--format", style)

    assert done.exit_code == 0
    assert "one" in done.stdout
    assert done.stderr == ""


def test_the_digest_is_the_same_in_the_report_and_in_verify(work: Path) -> None:
    data = json.loads(call("report", "small", "--format", "json").stdout)
    verified = call("verify", "small")

    assert verified.exit_code == 0
    assert f"digest {data['digest']}" in verified.stdout
    assert data["complete"] is True


def test_a_damaged_file_fails_verify_and_is_named(work: Path) -> None:
    (part,) = Path("reports/small/matches").glob("*.parquet")
    part.write_bytes(part.read_bytes()[:-20])
    done = call("verify", "small")

    assert done.exit_code == 1
    assert f"torn: matches/{part.name}" in done.stdout


def test_an_unknown_run_answers_with_those_that_are_there(work: Path) -> None:
    done = call("report", "smal")

    assert done.exit_code == 2
    assert done.stderr == (
        "croupier: smal: no such folder, and no run of that name in reports/: "
        'did you mean "small"? known: small\n'
    )


def first_match() -> str:
    return str(pd.read_parquet("reports/small/matches")["match_id"].min())


def test_a_replay_tells_every_move_and_checks_the_result(work: Path) -> None:
    matches = pd.read_parquet("reports/small/matches")
    done = call("replay", "small", first_match())
    lines = done.stdout.splitlines()

    assert done.exit_code == 0
    assert lines[0].startswith('kozyri-duel, deck = "easy": match ')
    assert sum(" seat " in line and line[:4].strip().isdigit() for line in lines) == matches["plies"][0]
    assert lines[-1] == "The moves lead to the stored result."


def test_a_replay_shows_what_bots_printed_in_that_match_and_a_terminal_obeys_none_of_it(work: Path) -> None:
    record = store.find_match(Path("reports/small"), first_match())
    output.keep(
        Path("reports/small/logs"), record.spec.seats[1], first_match(), 1, "deep\n\x1b[2J\tin thought\n"
    )
    done = call("replay", "small", first_match())

    assert done.exit_code == 0
    assert done.stdout.splitlines()[-3:] == [
        f"Printed by seat 1 ({record.spec.seats[1].name}):",
        "  | deep",
        "  | �[2J\tin thought",
    ]


def test_a_replay_is_written_as_a_page_and_its_place_is_printed(work: Path) -> None:
    done = call("replay", "small", first_match(), "--html")
    path = Path(done.stdout.strip())

    assert done.exit_code == 0
    assert path == Path("reports/small/replays") / f"{first_match()}.html"
    assert f"match <code>{first_match()}</code>" in path.read_text(encoding="utf-8")


def test_the_page_of_a_replay_shows_what_bots_printed_and_a_browser_obeys_none_of_it(work: Path) -> None:
    record = store.find_match(Path("reports/small"), first_match())
    said = "deep\n</pre><script>alert(1)</script>\n\x1b[2J"
    output.keep(Path("reports/small/logs"), record.spec.seats[1], first_match(), 1, said)
    path = Path(call("replay", "small", first_match(), "--html").stdout.strip())
    page = path.read_text(encoding="utf-8")

    shown = re.findall(r'<details class="printed"><summary>(.*?)</summary><pre>(.*?)</pre>', page, re.DOTALL)
    escaped = "deep\n&lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt;\n�[2J"
    assert shown == [(f"seat 1: {record.spec.seats[1].name}", escaped)]
    path.unlink()
    call("report", "small", "--html")  # which others read
    assert not [page for page in path.parent.glob("*.html") if "alert(1)" in page.read_text(encoding="utf-8")]


def test_a_replay_goes_where_it_is_told_to(work: Path) -> None:
    done = call("replay", "small", first_match(), "--out", "shown/one.html")

    assert (done.exit_code, done.stdout) == (0, "shown/one.html\n")
    assert Path("shown/one.html").is_file()


def test_a_page_of_a_changed_result_is_written_and_says_so(work: Path) -> None:
    (part,) = Path("reports/small/seats").glob("*.parquet")
    swap_scores(part)
    done = call("replay", "small", first_match(), "--html")

    assert done.exit_code == 1
    assert "Not what its moves lead to." in Path(done.stdout.strip()).read_text(encoding="utf-8")


def test_a_report_is_written_as_a_page_and_its_place_is_printed(work: Path) -> None:
    done = call("report", "small", "--html")

    assert (done.exit_code, done.stdout) == (0, "reports/small/report.html\n")
    text = Path("reports/small/report.html").read_text(encoding="utf-8")
    assert "http:" not in text.replace("http://www.w3.org", "")
    assert "https:" not in text


def test_a_replay_of_a_changed_result_fails(work: Path) -> None:
    (part,) = Path("reports/small/seats").glob("*.parquet")
    swap_scores(part)
    done = call("replay", "small", first_match())

    assert done.exit_code == 1
    assert "is not what its moves lead to: scores: stored" in done.stderr


def swap_scores(part: Path) -> None:
    import pyarrow.parquet as pq

    table = pq.read_table(part, partitioning=None)
    scores = [1.0 - float(score or 0.0) for score in table.column("score").to_pylist()]
    column = table.schema.get_field_index("score")
    changed = table.set_column(column, table.schema.field(column), [scores])
    pq.write_table(changed, part, row_group_size=table.num_rows)


def test_a_replay_of_an_unknown_match_says_so(work: Path) -> None:
    done = call("replay", "small", "nope")

    assert (done.exit_code, done.stderr) == (2, "croupier: reports/small has no match 'nope'\n")


def test_games_lists_every_option_with_its_values(work: Path) -> None:
    done = call("games", "kozyri-duel")

    assert "deck = standard:" in done.stdout
    assert "cap = by deck:" in done.stdout
    assert "standard, easy, advanced, cambridge" in done.stdout
    assert {game["name"] for game in json.loads(call("games", "--json").stdout)} >= {"kozyri-duel"}


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


def test_an_unknown_game_answers_with_the_known_ones() -> None:
    done = call("playthrough", "kozyri-dual", "--seed", "1")

    assert done.exit_code == 2
    assert 'did you mean "kozyri-duel"?' in done.stderr


def test_bots_says_what_each_plays() -> None:
    assert "uniform (" in call("bots").stdout
    assert "plays every game" in call("bots").stdout


def test_a_playthrough_is_the_notation_line_by_line() -> None:
    words = ["playthrough", "kozyri-duel", "--seed", "33", "--rules", "deck=easy"]
    lines = [json.loads(line) for line in call(*words).stdout.splitlines()]
    heading, *moves, end = lines

    assert heading == {
        "game": "kozyri-duel",
        "rules": {"deck": "easy"},
        "seed": 33,
        "bots": ["uniform", "uniform"],
    }
    assert [line["n"] for line in moves] == list(range(len(moves)))
    assert all(set(line) == {"n", "seat", "legal", "move", "state"} for line in moves)
    assert all(line["move"] in line["legal"] for line in moves)
    assert "repeats" in moves[0]["state"]
    assert not any("repeats" in line["state"] for line in [*moves[1:], end])
    assert end["n"] == len(moves)
    assert set(end["outcome"]) == {"scores", "places", "sides", "reason"}
    assert call(*words).stdout == call(*words).stdout


def test_a_playthrough_shows_views_when_asked() -> None:
    done = call("playthrough", "kozyri-duel", "--seed", "33", "--rules", "deck=easy", "--views")

    assert len(json.loads(done.stdout.splitlines()[1])["views"]) == 2


def test_a_playthrough_in_words_ends_with_the_result() -> None:
    done = call("playthrough", "kozyri-duel", "--seed", "33", "--rules", "deck=easy", "--format", "text")

    assert "   0  seat " in done.stdout
    assert "Ended by " in done.stdout


def test_a_playthrough_with_a_wrong_number_of_bots_says_how_many() -> None:
    done = call("playthrough", "kozyri-duel", "--seed", "7", "--bots", "uniform,uniform,uniform")

    assert (done.exit_code, done.stdout) == (2, "")
    assert "expected 1 or 2 bots for kozyri-duel, got 3" in done.stderr


def test_a_playthrough_of_a_bot_at_fault_says_what_it_did(tmp_path: Path) -> None:
    cheat = tmp_path / "cheat.py"
    cheat.write_text(CHEAT)
    done = call("playthrough", "kozyri-duel", "--seed", "7", "--bots", f"{cheat},uniform")

    assert done.exit_code == 1
    assert "played move 9999; legal here:" in done.stderr


def test_a_playthrough_goes_up_to_the_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    late = tmp_path / "late.py"
    late.write_text(CHEAT.replace("return 9999", "return seen.moves[0] if len(seen.history) < 3 else 9999"))
    words = ("playthrough", "kozyri-duel", "--seed", "7", "--bots", f"{late},{late}")
    done, text = call(*words), call(*words, "--format", "text")

    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert (done.exit_code, text.exit_code) == (1, 1)
    assert lines[0]["bots"] == ["late", "late"]
    assert [line["n"] for line in lines[1:]] == [0, 1, 2]
    assert len(text.stdout.splitlines()) == 3
    assert "croupier: bot 'late' (seat " in done.stderr


def test_a_playthrough_of_a_bot_that_does_not_play_the_game_is_refused() -> None:
    done = call("playthrough", "kozyri-duel", "--seed", "7", "--bots", "seven-collector")

    assert (done.exit_code, done.stdout) == (2, "")
    assert "seven-collector does not play kozyri-duel" in done.stderr


def test_doctor_finds_nothing_broken_here() -> None:
    done = call("doctor")

    assert done.exit_code == 0
    assert "Python" in done.stdout
    assert "usable" in done.stdout


def test_a_misspelt_command_or_option_is_usage() -> None:
    assert call("rnu").exit_code == 2
    assert call("report", "--fromat", "csv", "small").exit_code == 2


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_the_errors_that_become_one_line_exist_under_their_names(name: str) -> None:
    module, _, kind = name.rpartition(".")

    assert issubclass(getattr(importlib.import_module(module), kind), Exception)


def test_values_of_rules_are_read_as_toml_and_else_as_text() -> None:
    pairs = ["seats=3", "deck=easy", "colours=true", 'deck2=["K", "A"]']

    assert rules_of(pairs) == {"seats": 3, "deck": "easy", "colours": True, "deck2": ["K", "A"]}


@pytest.mark.parametrize(("seconds", "words"), [(0.2, "1 s"), (40, "40 s"), (600, "10 min"), (9000, "2.5 h")])
def test_durations_in_words(seconds: float, words: str) -> None:
    assert duration(seconds) == words
