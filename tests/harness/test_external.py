# ruff: noqa: E501 - a misdeed and what it gets are read side by side
"""Bots in other languages: real programs, really started, locked in, and blamed for what they do wrong."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import engines
from harness import bot_programs, config, submissions
from harness.executors.base import Setup
from harness.match import play_match
from harness.players import ScriptedPlayer
from harness.players.base import BotFault
from harness.players.external import ExternalPlayer
from harness.players.levels import IsolationUnavailable
from harness.players.programs import code_of, files_of
from harness.players.spawner import Spawner
from harness.protocol.schema import game_schema
from harness.records import BotRef, Limits, MatchRecord, MatchSpec
from harness.submissions import BadBot, BotNotFound
from harness.worker import Worker

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="bots are isolated on Linux only"
)

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
LIMITS = Limits(cpu_ms=100, memory_mb=64, import_ms=400)
ANSWER = r'echo "{\"type\":\"move\",\"id\":$id,\"move\":$move}"'
READY = """echo '{"type":"ready","protocol":1}'"""
# A bot in POSIX shell that needs no other program: it plays its first legal move.
SHELL = r"""#!/bin/sh
while read -r line; do
  case $line in
  *'"type":"hello"'*) %s ;;
  *'"type":"act"'*)
    id=${line#*'"id":'}; id=${id%%%%,*}
    move=${line#*'"numbers":['}; move=${move%%%%[],]*}
    %s ;;
  *) exit 0 ;;
  esac
done
"""


def program(folder: Path, act: str = ANSWER, ready: str = READY, name: str = "bot") -> submissions.Source:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(SHELL % (ready, act))
    path.chmod(0o755)
    return bot_programs.program([f"./{name}"], [], folder)


class Table:
    """A worker with all the programs of a test, by name, at one level of isolation."""

    def __init__(self, level: str, sources: Mapping[str, submissions.Source]) -> None:
        self.refs = {name: BotRef(name, source.version) for name, source in sources.items()}
        self.worker = Worker(Setup({(r.name, r.version): sources[r.name] for r in self.refs.values()}, level))

    def play(
        self, *names: str, limits: Limits = LIMITS, game: str = "kozyri-duel", rules: str = ""
    ) -> MatchRecord:
        """One match, everybody in the seat that the names' order says."""
        seats = tuple(self.refs[name] for name in names)
        rules = rules or '{"cap":40,"deck":"easy"}'
        try:
            return self.worker.play_one(
                MatchSpec("0-0-0", game, rules, f"{game}/1", 1, 0, 0, 0, seats, limits=limits)
            )
        except IsolationUnavailable as error:
            pytest.skip(str(error))


@contextmanager
def table(level: str, **sources: submissions.Source) -> Iterator[Table]:
    found = Table(level, sources)
    try:
        yield found
    finally:
        found.worker.close()


@pytest.fixture(scope="module")
def rogues(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """Every program that does wrong, at the best level there is, and one that is honest."""
    home = tmp_path_factory.mktemp("rogues")
    sources = {name: program(home / name, act) for name, (act, _, _) in MISDEEDS.items()}
    sources |= {name: program(home / name, ready=ready) for name, (ready, _) in FALSE_STARTS.items()}
    sources["forks"] = program(home / "forks", f"(exit 0); {ANSWER}")
    (home / "data").mkdir()
    (home / "data" / "data").write_bytes(b"\x7fnot a program")
    (home / "data" / "data").chmod(0o755)
    sources["data"] = bot_programs.program(["./data"], [], home / "data")
    with table("auto", honest=program(home / "honest"), **sources) as found:
        yield found


def offence(record: MatchRecord) -> tuple[str, str]:
    """Kind and text of seat 1's only fault; seat 0 has none."""
    assert record.status == "forfeit"
    assert record.seats[0].faults == ()
    (fault,) = record.seats[1].faults
    return fault.kind, fault.detail


@pytest.mark.parametrize("level", ["sealed", "locked", "locked-ns", "bounded", "none"])
def test_programs_play_at_every_level_that_can_load_them(level: str, tmp_path: Path) -> None:
    with table(level, bot=program(tmp_path)) as own:
        record = own.play("bot", "bot")

    assert record.status == "completed"
    assert record.isolation == ("bounded" if level == "none" else level)
    assert all(seat.decisions and seat.cpu_ms > 0 for seat in record.seats)


MISDEEDS = {
    "garbage": ("echo what?", "malformed", "sent a line that is no answer"),
    "wrong-question": (r'echo "{\"type\":\"move\",\"id\":1,\"move\":$move}"', "malformed", "answered question 1"),
    "no-question": (r'echo "{\"type\":\"move\",\"move\":$move}"', "malformed", "missing required field `id`"),
    "unknown-key": (r'echo "{\"type\":\"move\",\"id\":$id,\"move\":$move,\"x\":1}"', "malformed", "unknown field `x`"),
    "wrong-message": (READY, "malformed", "answered `ready`"),
    "double": (f"{ANSWER}; {ANSWER}", "malformed", "more than one line|out of turn|once more"),
    "early": (r'echo "{\"type\":\"move\",\"id\":5,\"move\":1}"; ' + ANSWER, "malformed", "more than one line|question 5"),
    "half-a-line": ("printf '{\"type\":'; exit 0", "malformed", "ended in the middle of a line"),
    "flood": ("while :; do printf xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done", "malformed", "a line of more than 65536 bytes"),
    "exits": ("exit 3", "crash", "ended itself in the middle of a decision .exit code 3"),
    "killed": ("kill -9 $$", "crash", "ended by SIGKILL"),
    "hangs": ("while :; do :; done", "time", "ms of CPU for a move; the limit is 100 ms"),
    "waits": ("read -r more", "time", "sleeping or waiting for input"),
    "no-such-move": (r'echo "{\"type\":\"move\",\"id\":$id,\"move\":\"FLY\"}"', "illegal", "'FLY', which is no move"),
    "no-such-number": (r'echo "{\"type\":\"move\",\"id\":$id,\"move\":9999}"', "illegal", "played move 9999"),
    "bad-number": (r'echo "{\"type\":\"move\",\"id\":$id,\"move\":1.5}"', "malformed", "no answer"),
    "bad-metric": (r'echo "{\"type\":\"move\",\"id\":$id,\"move\":$move,\"metrics\":{\"n\":\"x\"}}"', "malformed", "no answer"),
    "hoards": ("x=xxxxxxxx; while :; do x=$x$x; done", "crash|memory|time", "."),
}  # fmt: skip


@pytest.mark.parametrize("misdeed", MISDEEDS)
def test_a_program_that_does_wrong_forfeits_and_is_told_why(misdeed: str, rogues: Table) -> None:
    _, kind, text = MISDEEDS[misdeed]

    found, detail = offence(rogues.play("honest", misdeed))

    assert re.fullmatch(kind, found)
    assert re.search(text, detail)


FALSE_STARTS = {
    "ends-at-once": ("exit 1", "ended itself before it said `ready` (exit code 1)"),
    "greets-wrongly": ("echo hello", "did not start: it sent a line that is no answer"),
    "speaks-another": ("""echo '{"type":"ready","protocol":2}'""", "it speaks protocol 2, this is 1"),
    "never-ready": ("while :; do :; done", "ms of CPU to start; the limit is 400 ms"),
}


@pytest.mark.parametrize("name", FALSE_STARTS)
def test_a_program_that_does_not_get_ready_has_not_started(name: str, rogues: Table) -> None:
    kind, detail = offence(rogues.play("honest", name))

    assert kind == "start"
    assert FALSE_STARTS[name][1] in detail


def test_a_file_that_is_no_program_has_not_started(rogues: Table) -> None:
    kind, detail = offence(rogues.play("honest", "data"))

    assert kind == "start"
    assert "data cannot be started: Exec format error" in detail


def test_a_locked_program_starts_no_other(rogues: Table) -> None:
    kind, detail = offence(rogues.play("honest", "forks"))

    assert kind == "crash"
    assert "exit code 2" in detail


TRIES = {
    "reads": 'if read -r x < "%s"; then',
    "writes": 'if echo x 2>/dev/null > "%s.new"; then',
    "lists": 'set -- "%s"*; if [ -e "$1" ]; then',
}


@pytest.mark.parametrize("level", ["sealed", "bounded"])
def test_a_locked_program_touches_no_file_of_others(level: str, tmp_path: Path) -> None:
    secret = tmp_path / "elsewhere" / "secret"
    secret.parent.mkdir()
    secret.write_text("hidden\n")
    told = ANSWER.replace('}"', r',\"metrics\":{\"through\":1}}"')
    acts = {name: f"{attempt % secret} {told}; else {ANSWER}; fi" for name, attempt in TRIES.items()}
    sources = {name: program(tmp_path / name, act) for name, act in acts.items()}

    with table(level, **sources) as own:
        records = {name: own.play(name, name) for name in TRIES}

    through = {name: dict(record.seats[1].metrics).get("through", 0.0) for name, record in records.items()}
    assert [record.status for record in records.values()] == ["completed"] * len(TRIES)
    assert through == dict.fromkeys(TRIES, 1.0 if level == "bounded" else 0.0)
    assert (secret.parent / "secret.new").exists() == (level == "bounded")


def test_what_a_program_is_told_fits_the_schema_and_its_error_output_is_kept(tmp_path: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema", reason="the package jsonschema checks the schemas")
    game = engines.load("kozyri-duel", deck="easy", cap=6)
    source = program(tmp_path, f'echo "$line" >&2; {ANSWER}', f'echo "$line" >&2; {READY}')
    printed: list[str] = []
    own = Spawner("bounded", own=files_of(source))
    try:
        players = [
            ExternalPlayer(own, code_of(source), {"depth": 3}, LIMITS, printed=printed.append)
            for _ in range(2)
        ]
        spec = MatchSpec("0-0-0", game.name, "{}", "d/1", 1, 0, 0, 0, (BotRef("a", "1"), BotRef("b", "1")))
        record = play_match(spec, game, players)
    finally:
        own.close()

    lines = [json.loads(line) for text in printed for line in text.splitlines()]
    check = jsonschema.Draft202012Validator(game_schema(game))
    assert record.status == "completed"
    assert [line["type"] for line in lines].count("hello") == 2
    assert [line["type"] for line in lines].count("act") == sum(seat.decisions for seat in record.seats)
    assert all(line["options"] == {"depth": 3} for line in lines if line["type"] == "hello")
    for line in lines:
        check.validate(line)


def test_the_luck_of_a_program_is_that_of_its_deal_and_seat(tmp_path: Path) -> None:
    seed = r"s=${line#*\"seed\":}; s=${s%%[,\}]*}; " + READY
    tell = ANSWER.replace('}"', ',\\"metrics\\":{\\"seed\\":$s}}"')

    with table("bounded", bot=program(tmp_path, tell, seed)) as own:
        first, again = own.play("bot", "bot"), own.play("bot", "bot")

    seeds = [dict(seat.metrics)["seed"] for seat in first.seats]
    assert seeds == [dict(seat.metrics)["seed"] for seat in again.seats]
    assert seeds[0] != seeds[1]
    assert all(0 <= seed < 2**53 for seed in seeds)


# -- configs ---------------------------------------------------------------------------------------------


CONFIG = """
name = "mixed"
seed = 3
game = "kozyri-duel"
rules = { deck = "easy", cap = 40 }
format = { name = "round_robin", deals = 2 }
executor = "local"
workers = 1
[[bots]]
bot = "uniform"
"""


def test_a_program_is_in_a_run_as_any_bot_is(tmp_path: Path) -> None:
    import harness

    (tmp_path / "mine").mkdir()
    program(tmp_path / "mine")
    text = CONFIG + '[[bots]]\nname = "sh"\ncommand = ["./mine/bot"]\nfiles = ["mine"]\n'
    (tmp_path / "mixed.toml").write_text(text)
    settings = config.read(tmp_path / "mixed.toml")
    version = settings.bots[1].ref.version

    try:
        result = harness.run(settings, out=tmp_path / "out")
    except IsolationUnavailable as error:
        pytest.skip(str(error))
    kept = tmp_path / "out" / "bots" / f"sh-{version}" / "bot"
    (tmp_path / "mine" / "bot").unlink()
    again = config.loads((tmp_path / "out" / "run.toml").read_text(), folder=tmp_path / "out")

    assert result is not None
    assert kept.stat().st_mode & 0o111
    assert again.bots[1].source.command == ("./bot",)
    assert again.bots[1].source.path == kept.parent
    assert again.bots[1].ref == settings.bots[1].ref


def test_a_program_has_one_version_wherever_it_is_and_another_when_it_changes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        program(tmp_path / name)
    one = bot_programs.program(["./one/bot"], [], tmp_path)
    two = bot_programs.program(["./bot"], [], tmp_path / "two")
    flagged = bot_programs.program(["./bot", "--fast"], [], tmp_path / "two")
    (tmp_path / "two" / "bot").write_text("#!/bin/sh\n")
    changed = bot_programs.program(["./bot"], [], tmp_path / "two")

    assert one.version == two.version
    assert len({two.version, flagged.version, changed.version}) == 3
    assert one.command == ("./bot",)
    assert one.path == tmp_path / "one"


def test_a_command_that_cannot_be_is_refused_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("x")
    for words, files, problem, text in (
        ([], [], BadBot, "expected the words of a command"),
        (["./none"], [], BotNotFound, "no such program"),
        (["plain"], [], BotNotFound, "a file of the bot is written ./plain"),
        (["./plain"], [], BadBot, "is not executable: chmod \\+x it"),
        (["sh", "-c", "true"], [], BadBot, "no word of the command is a file of the bot"),
        (["sh", "plain"], ["gone"], BotNotFound, "no such file or folder"),
    ):
        with pytest.raises(problem, match=text):
            bot_programs.program(words, files, tmp_path)


def test_a_program_cannot_take_all_the_threads_of_the_machine() -> None:
    """Nobody could start a process then, and matches of others would be void."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler here")
    text = (
        "#include <pthread.h>\n#include <stdio.h>\n#include <unistd.h>\n"
        "static void *wait(void *none) { for (;;) pause(); }\n"
        "int main(void) {\n  pthread_attr_t small; pthread_t made; int count = 0;\n"
        "  pthread_attr_init(&small); pthread_attr_setstacksize(&small, 16384);\n"
        "  while (count < 1500 && pthread_create(&made, &small, wait, 0) == 0) count++;\n"
        '  fprintf(stderr, "threads: %d\\n", count);\n  return count < 1000 ? 0 : 7;\n}\n'
    )
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)  # else seats stay root, whose threads nobody counts
        Path(folder, "takes.c").write_text(text)
        subprocess.run([compiler, "-pthread", "-o", "takes", "takes.c"], cwd=folder, check=True)
        source = bot_programs.program(["./takes"], [], Path(folder))
        try:
            spawned = Spawner("sealed", own=files_of(source))
        except IsolationUnavailable as error:
            pytest.skip(str(error))
        player = ExternalPlayer(spawned, code_of(source), limits=Limits(memory_mb=64))
        try:
            if spawned.remark:
                pytest.skip(spawned.remark)
            with pytest.raises(BotFault, match=r"before it said `ready` \(exit code 0\)"):
                player.start(engines.load("kozyri-duel"), 0, 1)
        finally:
            player.close()
            spawned.close()


# -- the examples ----------------------------------------------------------------------------------------


def test_the_example_in_c_compiles_and_plays_every_game(tmp_path: Path) -> None:
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler here")
    command = [
        compiler,
        "-O2",
        "-Wall",
        "-Werror",
        "-o",
        str(tmp_path / "chance"),
        str(EXAMPLES / "c" / "chance.c"),
    ]
    subprocess.run(command, check=True)
    source = bot_programs.program(["./chance"], [], tmp_path)
    caps: dict[str, Any] = {"code777": {"max_questions": 3}, "seven-symbols": {"deals": 1}}

    with table("auto", c=source) as own:
        for name in engines.available():
            rules = caps.get(name, {"cap": 60})
            seats = engines.load(name, **rules).seats
            record = own.play(*["c"] * seats, game=name, rules=json.dumps(rules))

            assert record.status == "completed", (name, [seat.faults for seat in record.seats])
            assert all(dict(seat.metrics)["choices"] > 1 for seat in record.seats if seat.decisions)


def test_the_example_in_javascript_plays(tmp_path: Path) -> None:
    if shutil.which("node") is None:
        pytest.skip("no node here")
    shutil.copy(EXAMPLES / "javascript" / "miser.mjs", tmp_path)
    miser = bot_programs.program(["node", "miser.mjs"], [], tmp_path)
    limits = Limits(cpu_ms=500, memory_mb=256)

    with table("auto", honest=program(tmp_path / "honest"), miser=miser) as own:
        record = own.play("honest", "miser", limits=limits)

    assert record.status == "completed", [seat.faults for seat in record.seats]
    assert record.seats[1].decisions > 3


def test_the_exchange_in_the_documents_is_what_is_said(tmp_path: Path) -> None:
    page = (EXAMPLES.parent / "protocol.md").read_text(encoding="utf-8")
    shown = re.findall(r"^([<>]) (\{.*\})$", page, re.MULTILINE)
    said = [json.loads(line) for side, line in shown if side == ">"]
    first = said[1]["view"]
    state = {key: first[key] for key in ("hands", "pile", "trumps", "seconds", "dealer", "turn", "phase")}
    position = {"game": "kozyri-duel", "rules": {"deck": "easy"}, "state": state}
    log = 'echo "$line" >&2; '
    source = program(tmp_path, log + ANSWER, log + READY)
    printed: list[str] = []
    limits = Limits(cpu_ms=200, bank_ms=10_000)
    own = Spawner("bounded", own=files_of(source))
    try:
        play_match(
            MatchSpec(
                "0-0-0", "kozyri-duel", '{"deck":"easy"}', "d", 0, 0, 0, 0, (BotRef("a", "1"), BotRef("b", "1")),
                limits=limits, position=json.dumps(position),
            ),
            engines.load("kozyri-duel", deck="easy"),
            [ExternalPlayer(own, code_of(source), {}, limits, printed=printed.append), ScriptedPlayer()],
        )  # fmt: skip
    finally:
        own.close()

    heard = [json.loads(line) for text in printed for line in text.splitlines()]
    for line in [*said, *heard]:
        line.pop("id", None)
        line.pop("seed", None)
        line.get("clock", {}).pop("bank", None)
    assert heard == said[:-1]
    answers = [json.loads(line) for side, line in shown if side == "<"]
    assert [answer.get("move") for answer in answers] == [None, 17, 32]
    assert answers[1]["id"] == json.loads(shown[2][1])["id"]
