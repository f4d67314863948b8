"""Where output or a file cannot be used the command line says so in a line, and loses nothing."""

from __future__ import annotations

import contextlib
import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from harness import submitted
from tests.harness.cli_runs import CONFIG, ROOT, call
from tests.harness.small_runs import RANDOM, write_config
from tests.harness.test_cli_entering import GOOD

FULL = Path("/dev/full")
MATCH = "000001-000001-01"
on_linux = pytest.mark.skipif(not FULL.is_char_device(), reason="there is no full device here")


def shell(line: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """A line of sh, in which $croupier is the command."""
    return subprocess.run(
        ["sh", "-c", line.replace("$croupier", f"'{sys.executable}' -m harness")],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@on_linux
@pytest.mark.parametrize("words", ["games", "games --help", "schema hund"])
def test_output_that_a_full_disk_does_not_take_is_told_in_one_line(words: str, tmp_path: Path) -> None:
    done = shell(f"$croupier {words} > {FULL}", tmp_path)

    assert (done.returncode, done.stderr) == (
        3,
        "croupier: cannot write the output: No space left on device\n",
    )


@on_linux
@pytest.mark.parametrize("words", ["games hunt", "games --json=x", "gmaes", "solve x --nodes x", "new"])
def test_a_mistake_that_nobody_can_be_told_has_its_exit_code_all_the_same(words: str, tmp_path: Path) -> None:
    assert shell(f"$croupier {words} 2> {FULL}", tmp_path).returncode == 2


@on_linux
@pytest.mark.parametrize("errors", [f"2> {FULL}", "2>&1 >ranking | true"])
def test_a_run_goes_on_where_nobody_reads_how_far_it_is(errors: str, tmp_path: Path) -> None:
    (tmp_path / "c.toml").write_text(CONFIG, encoding="utf-8")

    done = shell(f"$croupier run c.toml --executor local --workers 1 {errors}", tmp_path)

    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "reports/small/report.md").is_file()


def test_a_command_whose_streams_are_closed_does_what_it_does(tmp_path: Path) -> None:
    done = shell("$croupier new bot mine --game hund >&- 2>&- <&-", tmp_path)

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert {path.name for path in tmp_path.iterdir()} == {"mine.py", "test_mine.py"}


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="bots are isolated on Linux only")
def test_a_bot_is_submitted_whoever_reads_what_is_said_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(submitted.ENVIRONMENT, raising=False)
    Path("good.py").write_text(GOOD, encoding="utf-8")

    done = shell("$croupier submit good.py --seconds 0 | true", tmp_path)

    assert "Traceback" not in done.stderr
    assert submitted.names() == ["good"]


def test_a_path_that_no_file_can_have_is_one_line(work: Path) -> None:
    for words in (
        ["check", f"{'x' * 300}.py"],
        ["submit", "x" * 300],
        ["replay", "small", MATCH, "--out", ""],
    ):
        done = call(*words)
        assert done.exit_code == 2, words
        assert len(done.stderr.splitlines()) == 1, words


@on_linux
def test_a_page_takes_no_devices_or_folders_place(work: Path) -> None:
    for place, kind in ((str(FULL), "device"), ("reports", "folder")):
        done = call("replay", "small", MATCH, "--out", place)
        assert done.exit_code == 2
        assert done.stderr == f"croupier: --out {place}: expected a file, got a {kind}\n"
    assert stat.S_ISCHR(FULL.stat().st_mode)


@pytest.mark.parametrize("file", ["run.toml", "provenance.json"])
def test_a_damaged_file_beside_the_results_is_named(work: Path, file: str) -> None:
    place = Path("reports/small") / file
    whole = place.read_text(encoding="utf-8")
    place.write_text("x = [", encoding="utf-8")
    try:
        told = [call("report", "small"), *([call("replay", "small", MATCH)] if file == "run.toml" else [])]
    finally:
        place.write_text(whole, encoding="utf-8")

    for done in told:
        assert done.exit_code == 2
        assert done.stderr.startswith(f"croupier: {place} is not what a run writes: ")
        assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--out", "taken"], "croupier: taken cannot be a run's folder: taken"),
        (["--out", "taken/in"], "croupier: taken/in cannot be a run's folder: "),
        (["--workers", "99999999"], "croupier: workers: expected at most 10,000, got 99,999,999"),
        (["--address", ""], "croupier: expected the address of a Ray cluster, such as 10.0.0.1:6379, got an"),
    ],
)
def test_where_and_by_how_many_a_run_cannot_be_played_is_usage(
    words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("taken").write_text("", encoding="utf-8")
    Path("c.toml").write_text(CONFIG, encoding="utf-8")

    done = call("run", "c.toml", *words)

    assert done.exit_code == 2
    assert done.stderr.startswith(said)
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["games", ""], "unknown game ''"),
        (["repair", ""], "expected a run's folder, or its name under reports/, got an empty text"),
        (["solve", ""], "expected a file with a position as JSON, or - for stdin, got an empty text"),
        (["schema", "hund", "--rules", ""], "--rules '': expected key=value"),
        (["doctor", "--isolation", ""], "--isolation '' belongs to --zoo"),
        (["doctor", "--zoo", "--isolation", ""], "--isolation '': the zoo plays at one of "),
        (["check", "uniform", "--seconds", "inf"], "--seconds inf: expected a number of seconds"),
        (["check", "uniform", "--allow", "os."], "allow: expected the name of a module, such as numpy"),
        (["solve", str(ROOT / "docs/examples/duel-endgame.json"), "--seconds", "inf"], "--seconds inf: exp"),
    ],
)
def test_what_is_no_name_or_number_is_one_line(words: list[str], said: str) -> None:
    done = call(*words)

    assert done.exit_code == 2
    assert done.stderr.startswith(f"croupier: {said}")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="file names are any bytes on Linux only")
def test_a_run_whose_folder_is_not_named_in_utf8_is_one_line(work: Path) -> None:
    Path("reports/small").rename(os.fsdecode(b"reports/sm\xffll"))

    done = shell("$croupier verify reports/sm?ll", work)

    assert done.returncode == 2
    assert done.stderr.startswith("croupier: 'reports/sm\\udcffll/")
    assert done.stderr.endswith(": expected a name in UTF-8, got other bytes: rename it\n")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="file names are any bytes on Linux only")
def test_output_has_file_names_as_they_are_and_a_question_mark_for_what_its_encoding_lacks(
    work: Path,
) -> None:
    place = shell("$croupier replay small 000001-000001-01 --out \"$(printf 'a\\377')\" > place", work)
    ranking = shell("PYTHONIOENCODING=ascii $croupier report small", work)

    assert (place.returncode, place.stderr, (work / "place").read_bytes()) == (0, "", b"a\xff\n")
    assert (ranking.returncode, ranking.stderr) == (0, "")
    assert "Rating ?" in ranking.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
@pytest.mark.parametrize("kind", ["xterm", "dumb"])
def test_what_a_bot_is_stands_within_a_terminal_of_forty_columns(kind: str) -> None:
    import pty
    import termios

    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 40))
    environment = {name: value for name, value in os.environ.items() if name not in {"COLUMNS", "LINES"}}
    with subprocess.Popen(
        [sys.executable, "-m", "harness", "bots", "steady"],
        cwd=ROOT,
        env={**environment, "TERM": kind},
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.STDOUT,
    ) as process:
        code = process.wait(timeout=60)  # its few lines fit into the terminal's buffer
    os.set_blocking(ours, False)
    lines = os.read(ours, 4096).decode().splitlines()
    os.close(ours)
    os.close(theirs)

    assert code == 0
    assert len(lines) > 2
    assert max(map(len, lines)) <= 40


@pytest.mark.skipif(
    not Path("/proc/self/wchan").exists(), reason="the system does not tell what waits for what"
)
def test_a_run_is_interrupted_in_the_middle_of_a_message_that_nobody_reads_yet(tmp_path: Path) -> None:
    """Its stderr is a pipe that is full: what it says of the Ctrl-C comes while it waits for room."""
    config = write_config(tmp_path, [RANDOM, RANDOM], deals=100_000)
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(writer, b"\n" * 512)
    os.set_blocking(writer, True)
    command = [sys.executable, "-m", "harness", "run", str(config), "--executor", "local", "--workers", "1"]
    with subprocess.Popen(
        command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, stderr=writer
    ) as process:
        os.close(writer)
        waits = Path(f"/proc/{process.pid}/wchan")
        for _ in range(6_000):
            if "pipe_write" in waits.read_text():
                break
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        time.sleep(0.1)
        with os.fdopen(reader, encoding="utf-8") as file:
            said = file.read()

    assert "Traceback" not in said
    assert process.returncode == 130
    assert "stopped; what was played is in" in said
