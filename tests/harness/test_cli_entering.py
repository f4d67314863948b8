"""`croupier check`, `submit`, `bots` and `withdraw` as people use them: strangers' files in locked seats."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from harness import submissions, submitted
from harness.checking import Examination, Wanted, playing
from harness.checking.steps import last_lines
from harness.checking.typed import Reading
from harness.cli.app import app
from harness.records import Limits

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="bots are isolated on Linux only"
)

HEAD = "from bots import Bot\n"
GOOD = '''"""Plays its first move."""
from bots import Bot, Seen
from engines.kozyri.duel import DuelView


class Good(Bot[DuelView]):
    games = ("kozyri-duel",)

    def act(self, seen: Seen[DuelView]) -> int:
        print("thinking")
        return seen.moves[0]
'''
ACT = "class Bad(Bot):\n    games = ('kozyri-duel',)\n    def act(self, seen):\n        "


def call(*words: str) -> Result:
    return CliRunner().invoke(app, list(words), prog_name="croupier", env={"NO_COLOR": "1"})


def steps(text: str, *words: str) -> dict[str, dict[str, str]]:
    """What `check` says of a bot, by the name of the step."""
    Path("bad.py").write_text(text, encoding="utf-8")
    done = call("check", "bad.py", "--json", "--seconds", "0", *words)
    assert done.exit_code == 1, done.output
    return {step["name"]: step for step in json.loads(done.stdout)["steps"]}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(submitted.ENVIRONMENT, raising=False)


def test_a_bot_goes_from_check_to_submission_to_a_new_version_to_withdrawal() -> None:
    Path("good.py").write_text(GOOD, encoding="utf-8")
    first = call("submit", "good.py", "--seconds", "0", "--author", "Ada")
    again = call("submit", "good.py")
    Path("good.py").write_text(GOOD + "# better\n", encoding="utf-8")
    newer = call("submit", "good.py", "--seconds", "0")
    listed = call("bots", "good")
    gone = call("withdraw", "good")

    assert first.exit_code == 0, first.output
    assert [line[:10] for line in first.stdout.splitlines()[:3]] == ["1  passed ", "2  passed ", "3  passed "]
    assert "longer --seconds tell more" in first.stdout, "one deal set says little"
    assert "entered good@" in first.stdout
    assert "is entered already, and unchanged: its results stand" in again.stdout
    assert "it is rated anew" in newer.stdout
    assert listed.stdout.count("plays kozyri-duel") == 2
    assert "by Ada" in listed.stdout
    assert "deterministic, even against itself" in listed.stdout
    assert gone.stdout.count("withdrawn good@") == 2
    assert submitted.names() == []


def test_a_bot_in_a_file_called_like_a_module_of_python_enters_like_any_other() -> None:
    text = f"import random, types\n{GOOD}".replace('print("thinking")', "random.choice([types])")
    for name in ("random.py", "types.py"):
        Path(name).write_text(text, encoding="utf-8")

    done = call("submit", "random.py", "--seconds", "0")

    assert done.exit_code == 0, done.output
    assert "FAILED" not in done.stdout
    assert "mypy --strict finds nothing" in done.stdout
    assert submissions.find("random").kind == "submitted"


def test_a_hostile_file_harms_nobody_who_checks_it() -> None:
    found = steps(f"open('owned', 'w').write('x')\n{HEAD}{ACT}return 0")

    assert not Path("owned").exists()
    assert found["protocol"]["status"] == "failed"
    assert "bad.py" in found["protocol"]["output"]
    assert "/harness/" not in found["protocol"]["output"]
    assert found["plays"]["status"] == "skipped"


def test_a_bot_that_ends_its_process_ends_nothing_else() -> None:
    found = steps(f"import os\n{HEAD}{ACT}os._exit(3)")

    assert found["plays"]["status"] == "failed"
    assert "ended itself in act() (exit code 3)" in found["plays"]["details"][0]


@pytest.mark.parametrize(
    ("body", "said", "advice"),
    [
        ("return 9999", "played move 9999", "return one of seen.moves"),
        ("pass", "returned None", "without return"),
        ("return {}['lost']", "raised KeyError: 'lost' (bad.py line 5)", "debugger"),
        ("seen.metric('nodes', 'many'); return 0", "metric 'nodes': could not convert", "debugger"),
    ],
)
def test_a_fault_comes_with_what_to_do_and_the_bots_own_words(body: str, said: str, advice: str) -> None:
    found = steps(f"{HEAD}{ACT}{body}")["plays"]

    assert said in found["details"][0]
    assert advice in found["advice"]


def test_what_is_wrong_before_it_plays_is_told_by_step() -> None:
    assert steps("class A:\n  def")["files"]["status"] == "failed"
    assert "imports nowhere_at_all" in steps(f"import nowhere_at_all\n{HEAD}{ACT}return 0")["imports"]["said"]
    assert "allow = ['numpy']" in steps(f"import numpy\n{HEAD}{ACT}return 0")["imports"]["advice"]
    assert "hint" not in steps(f"{HEAD}class B(Bot):\n    pass")["protocol"]["said"]


@pytest.mark.parametrize(
    ("content", "said", "advice"),
    [
        (b"x = (\n", "bad.py line 1: '(' was never closed", "mend that line"),
        (b"x = 1\ny = '\xff'\n", "bad.py line 2: expected UTF-8, got byte 0xff", "save the file as UTF-8"),
        (b"\n\n\nx = '\xe9'\n", "bad.py line 4: expected UTF-8, got byte 0xe9", "save the file as UTF-8"),
        (b"# coding: iso-8859-2\n", "bad.py: expected UTF-8, got a file that", "save the file as UTF-8"),
        (b"# coding: nonsense\n", "bad.py: expected UTF-8, unknown encoding", "save the file as UTF-8"),
        (b"x = 1\n\0\n", "bad.py line 2: expected text, got a null byte", "take it out"),
        (b"#" * (1 << 20) + b"\n", "bad.py: expected at most 1,048,576 bytes", "is a folder with bot.py"),
        (b"x = " + b"-" * 200_000 + b"1\n", "nested too deeply", "break them up"),
    ],
)
def test_a_file_that_is_no_python_is_told_by_line_with_advice_that_fits(
    content: bytes, said: str, advice: str
) -> None:
    Path("bad.py").write_bytes(content)
    done = call("check", "bad.py", "--json")
    files = json.loads(done.stdout)["steps"][0]

    assert done.exit_code == 1
    assert said in files["said"]
    assert advice in files["advice"]
    assert ("line" in files["advice"]) == (advice == "mend that line")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (f"{ACT}return 0".replace("kozyri-duel", "hunt"), "bad.py: Bad.games: unknown game 'hunt'"),
        (f"{ACT}return 0".replace("kozyri-duel", "hund:3"), "there is no such table; there are hund:4"),
        (f"{ACT}return 0".replace("def act", "async def act"), "expected def act, got async def"),
    ],
)
def test_a_class_that_keeps_no_protocol_is_told_what_was_expected(body: str, said: str) -> None:
    assert said in steps(f"{HEAD}{body}")["protocol"]["said"]


def test_a_failure_after_the_match_and_a_base_that_is_not_imported_are_told_as_what_they_are() -> None:
    ending = f"{HEAD}{ACT}return seen.moves[0]\n    def end(self, outcome):\n        1 / 0"

    assert steps(ending)["protocol"]["said"].startswith("in end(): raised ZeroDivisionError")
    assert steps(f"{ACT}return 0")["protocol"]["said"].endswith(
        "found none: from bots import Bot, then class Mine(Bot)"
    )


def test_a_bot_that_sleeps_is_advised_to_wait_for_nothing() -> None:
    Path("bad.py").write_text(f"import time\n{HEAD}{ACT}time.sleep(60)", encoding="utf-8")
    limits = Limits(cpu_ms=20)
    examination = Examination(submissions.at(Path("bad.py")), Wanted(seconds=0, limits=limits))
    plays = next(step for step in examination.steps() if step.name == "plays")

    assert "it is sleeping or waiting" in plays.details[0]
    assert "if it used no CPU, do not sleep" in plays.advice


def test_what_is_next_can_be_pasted_whatever_the_path() -> None:
    Path("an ö").mkdir()
    Path("an ö/good.py").write_text(GOOD, encoding="utf-8")

    assert "next: croupier submit 'an ö/good.py'\n" in call("check", "an ö/good.py", "--seconds", "0").stderr


@pytest.mark.parametrize("words", [("submit", "../good.py"), ("bots",), ("play", "hund")])
def test_in_a_folder_that_was_deleted_a_line_says_so(words: tuple[str, ...], tmp_path: Path) -> None:
    Path("good.py").write_text(GOOD, encoding="utf-8")
    Path("gone").mkdir()
    os.chdir("gone")
    Path("../gone").rmdir()

    done = call(*words)

    assert done.exit_code == 2
    assert done.stderr == "croupier: the folder that you are in is no longer there; cd to one that is\n"


def test_another_author_of_a_bot_that_is_there_is_written_down_and_told() -> None:
    Path("good.py").write_text(GOOD, encoding="utf-8")
    call("submit", "good.py", "--seconds", "0", "--author", "Ada")
    (before,) = submitted.versions("good")

    other = call("submit", "good.py", "--author", "Grace")
    same = call("submit", "good.py", "--author", "Grace")
    silent = call("submit", "good.py")

    (after,) = submitted.versions("good")
    told = f"{before.called} is entered already, and unchanged: its results stand"
    assert other.stdout == f"{told}; its author is now Grace, and was Ada\n"
    assert same.stdout == silent.stdout == f"{told}\n"
    assert after.passport.author == "Grace"
    assert after.passport.measured == before.passport.measured


@pytest.mark.parametrize("place", ["good.py/kept", "good.py", "~nobody-of-that-name/kept", "x" * 300])
def test_a_place_that_is_no_folder_is_told_by_every_command(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("good.py").write_text(GOOD, encoding="utf-8")
    Path("c.toml").write_text(
        'game = "kozyri-duel"\nformat = { name = "round_robin", deals = 1 }\nentrants = "submitted"\n'
        '[[bots]]\nbot = "uniform"\n',
        encoding="utf-8",
    )
    monkeypatch.setenv(submitted.ENVIRONMENT, place)

    for words in (
        ("submit", "good.py", "--seconds", "0"),
        ("bots",),
        ("bots", "good"),
        ("withdraw", "good"),
        ("run", "c.toml"),
        ("check", "good"),
        ("compare", "good", "uniform", "--game", "kozyri-duel"),
        ("play", "kozyri-duel", "--against", "good"),
    ):
        done = call(*words)
        assert done.exit_code == 2, words
        assert "CROUPIER_SUBMISSIONS: expected a folder" in done.stderr, words
        assert len(done.stderr.splitlines()) == 1, words
        assert done.stdout == "", words


def test_a_file_called_bots_beside_which_one_works_is_no_place_of_submissions() -> None:
    Path("bots").write_text("", encoding="utf-8")

    assert submitted.names() == []
    assert submissions.find("uniform").kind == "shipped"


def test_what_lies_above_a_bots_folder_does_not_come_between_its_types() -> None:
    Path("installed").mkdir()
    for name in ("__init__", "good"):
        Path(f"installed/{name}.py").write_text(GOOD if name == "good" else "", encoding="utf-8")
    Path("typing_extensions.py").write_text("", encoding="utf-8")
    source = submissions.at(Path("installed/good.py"))

    assert Reading(source).result().said == "mypy --strict finds nothing"


@pytest.mark.slow
def test_luck_of_its_own_is_found_and_submit_refuses_it_unless_told_otherwise() -> None:
    text = f"import os\n{HEAD}{ACT}return seen.moves[os.urandom(1)[0] % len(seen.moves)]"
    Path("bad.py").write_text(text, encoding="utf-8")
    refused = call("submit", "bad.py", "--seconds", "0")
    entered = call("submit", "bad.py", "--seconds", "0", "--anyway")

    assert refused.exit_code == 1
    assert "FAILED   deterministic kozyri-duel:2: the same match came out otherwise" in refused.stdout
    assert "what to do: draw luck from self.rng alone" in refused.stdout
    assert "not entered: failed in" in refused.stderr
    assert "--anyway" in refused.stderr
    assert entered.exit_code == 0, entered.output
    assert "not deterministic" in call("bots", "bad").stdout


def test_a_bot_that_cannot_play_is_not_entered_anyway() -> None:
    Path("bad.py").write_text(f"{HEAD}{ACT}return 9999", encoding="utf-8")

    refused = call("submit", "bad.py", "--seconds", "0", "--anyway")

    assert refused.exit_code == 1
    assert (
        "not entered: failed in 4 (types), 5 (plays); a bot that cannot play is never entered"
        in refused.stderr
    )
    assert submitted.names() == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["submit", "good.py", "--name", "uniform"], "'uniform' is the name of a bot that is there already"),
        (["submit", "good.py", "--name", "a b"], "'a b' cannot be a bot's name"),
        (["submit", "good.py", "--name", ""], "'' cannot be a bot's name"),
        (["submit", "good.py", "--author", " "], "--author: expected a name in one line of text, got ' '"),
        (["submit", "good.py", "--author", "a\nb"], "--author: expected a name in one line"),
        (["submit", "linked"], "is a link that leads out of linked: a bot's folder has its files itself"),
        (["submit", "nowhere.py"], "no such file or folder: nowhere.py"),
        (["check", "bare"], "the folder bare has no bot.py"),
        (["withdraw", "nobody"], "no submitted bot 'nobody'"),
        (["withdraw", ""], "no submitted bot ''"),
        (["withdraw", "good@"], "expected a version after @"),
        (["check", "good.py", "--game", "hunt"], "--game hunt: "),
    ],
)
def test_a_mistake_is_one_line(words: list[str], said: str) -> None:
    Path("good.py").write_text(GOOD, encoding="utf-8")
    Path("bare").mkdir()
    Path("linked").mkdir()
    Path("linked/bot.py").write_text(GOOD, encoding="utf-8")
    Path("linked/weights").symlink_to("/etc/passwd")

    done = call(*words)

    assert done.exit_code == 2
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_few_sets_that_all_went_one_way_are_no_certainty() -> None:
    assert playing.interval([1.0])[0] == 0.0
    low, high = playing.interval([1.0] * 40)
    assert 0.85 < low < 0.98
    assert high == 1.0
    assert playing.interval([0.4, 0.6] * 50) == pytest.approx((0.48, 0.52), abs=0.02)


def test_a_bots_output_is_cut_and_cannot_steer_the_terminal() -> None:
    shown = last_lines("\n".join(["\x1b[31mred", *(f"line {n}" for n in range(40))]))

    assert shown.splitlines()[0] == "[11 lines before these]"
    assert "\x1b" not in last_lines("\x1b[31mred")


def test_a_line_without_end_is_shown_by_its_start() -> None:
    assert last_lines("x" * 400) == "x" * 400
    assert last_lines("a\n" + "x" * 70_000) == "a\n" + "x" * 400 + "… [70,000 characters]"


def test_what_is_too_large_is_refused_before_it_is_read() -> None:
    folder = Path("large")
    folder.mkdir()
    (folder / "bot.py").write_text(GOOD, encoding="utf-8")
    with (folder / "weights.bin").open("wb") as file:
        file.truncate(1 << 40)
    for command in (("submit", "large"), ("check", "large/")):
        done = call(*command)
        assert done.exit_code == 2
        assert "a submission may have 67,108,864" in done.stderr


def test_the_deals_of_a_check_follow_from_the_bots_files_and_are_the_same_each_time() -> None:
    seeds = []
    for name, text in (("one", GOOD), ("same", GOOD), ("other", GOOD + "# better\n")):
        Path(f"{name}.py").write_text(text, encoding="utf-8")
        seeds.append(Examination(submissions.at(Path(f"{name}.py"))).seed)

    one, same, other = seeds
    assert one == same != other
    assert Examination(submissions.at(Path("one.py")), Wanted(seed=5)).seed == 5


def test_a_program_in_another_language_is_told_where_it_belongs() -> None:
    Path("chance").write_bytes(b"\x7fELF")
    for command in ("check", "submit"):
        assert "`croupier check --command` checks it (docs/protocol.md)" in call(command, "./chance").stderr


def test_a_bot_that_plays_without_fault_is_shown_what_it_printed() -> None:
    Path("good.py").write_text(GOOD, encoding="utf-8")
    assert "     | thinking\n" in call("check", "good.py", "--seconds", "0").stdout
