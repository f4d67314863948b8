"""Seats without a zygote, as on macOS and Windows: played here, on Linux, by the same code."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

import engines
from benchmarks.holdings import descendants
from bots.core.bot import Clock
from engines.core.game import Game
from harness import store, submissions
from harness.cli import doctor
from harness.match import play_match
from harness.players import levels, measuring, wire
from harness.players.base import BotFault, PlatformFault
from harness.players.isolated import IsolatedPlayer
from harness.players.levels import IsolationUnavailable
from harness.players.local import LocalPlayer
from harness.players.maker import code_of
from harness.players.portable import PortableSpawner
from harness.players.portable_channel import PipeChannel
from harness.players.spawner import open_spawner
from harness.records import Limits, MatchRecord
from harness.submissions import SetupError
from tests.harness.players.seats import (
    DUEL,
    FIRST,
    MISDEEDS,
    bot,
    detail,
    faults,
    play,
    play_here,
    seated,
    spec,
    written,
)
from tests.harness.players.test_isolated import STEADY, unmeasured
from tests.harness.players.test_lifetime import SPIN, alive, all_gone

ROOT = Path(__file__).parent.parent.parent.parent
LIMITS = Limits(cpu_ms=100, import_ms=500, memory_mb=256)
PIPE = 4
"""The descriptor by which a portable seat answers."""


@pytest.fixture(scope="module")
def spawned() -> Iterator[PortableSpawner]:
    found = open_spawner(levels.BOUNDED, platform="darwin")
    assert isinstance(found, PortableSpawner)
    yield found
    found.close()


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> submissions.Source:
    return written(tmp_path_factory.mktemp("bots"), "first", FIRST)


def against_here(
    spawned: PortableSpawner,
    source: submissions.Source,
    other: submissions.Source,
    limits: Limits | None = None,
    game: Game[Any, Any] = DUEL,
) -> MatchRecord:
    """A match of a bot in a portable seat, with the other in this process in all other seats: quicker."""
    here = [LocalPlayer(submissions.bot_type(other)) for _ in range(game.seats - 1)]
    bots = [source, *[other] * (game.seats - 1)]
    return play_match(spec(game, bots, limits), game, [seated(spawned, source, limits), *here])


def same(there: MatchRecord, here: MatchRecord) -> None:
    """Assert that two matches are one, but for the time they took."""
    assert there.status == "completed"
    assert unmeasured(there) == unmeasured(here)
    assert store.match_digest(there) == store.match_digest(here)


def test_a_match_is_the_same_as_in_the_matches_own_process(spawned: PortableSpawner, tmp_path: Path) -> None:
    steady = written(tmp_path, "steady", STEADY)

    same(play(spawned, steady, steady), play_here(steady, steady))


@pytest.mark.slow
@pytest.mark.parametrize(
    "game", [engines.load("hund", cap=30), engines.load("code777", seats=3)], ids=["hund", "code777"]
)
def test_so_is_one_whose_other_seats_are_in_that_process(
    game: Game[Any, Any], spawned: PortableSpawner, tmp_path: Path
) -> None:
    steady = written(tmp_path, "steady", STEADY)

    same(against_here(spawned, steady, steady, game=game), play_here(*[steady] * game.seats, game=game))


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        *MISDEEDS,
        (bot("import time\ntime.sleep(60)"), "time", "it is sleeping or waiting for input"),
        (bot("x = bytearray(1 << 30)"), "memory", "raised MemoryError"),
        (
            bot(f"import os\nos.write({PIPE}, bytes([5, 0, 0, 0]) + b'hello')\nreturn 0"),
            "malformed",
            "no reply",
        ),
        (bot(f"import os\nos.write({PIPE}, bytes(4))\nreturn 0"), "malformed", "empty message"),
        (bot(f"import os\nos.write({PIPE}, b'x' * 70_000)"), "malformed", "more than 65536 bytes"),
        (bot(f"import os\nos.close({PIPE})\nwhile True: pass"), "crash", "was ended by SIGKILL in act()"),
        (bot("return 0", "while True: pass"), "start", "of CPU to start; the limit is 500 ms"),
    ],
)
def test_a_bot_that_does_wrong_is_told_what(
    text: str, kind: str, words: str, tmp_path: Path, spawned: PortableSpawner, first: submissions.Source
) -> None:
    record = against_here(spawned, written(tmp_path, "it", text), first, LIMITS)

    assert faults(record) == [(0, kind)]
    assert words in detail(record)


def test_the_match_after_one_that_ended_badly_is_clean(
    tmp_path: Path, spawned: PortableSpawner, first: submissions.Source
) -> None:
    bad = bot("random.Random.choice = None\nos.environ['SEEN'] = '1'\nos.abort()", "import os, random")
    counts = bot("return seen.moves[len(os.environ.get('SEEN', ''))]", "import os")
    assert faults(against_here(spawned, written(tmp_path, "bad", bad), first, LIMITS)) == [(0, "crash")]

    record = against_here(spawned, written(tmp_path, "counts", counts), first, LIMITS)

    assert unmeasured(record) == unmeasured(play_here(first, first))


def test_a_reply_ahead_of_the_question_answers_nothing(
    tmp_path: Path, spawned: PortableSpawner, first: submissions.Source
) -> None:
    early = "import msgspec\nreply = msgspec.msgpack.encode(['moved', 1, 0])\n"
    early += f"os.write({PIPE}, len(reply).to_bytes(4, 'little') + reply)\nreturn seen.moves[0]"
    record = against_here(spawned, written(tmp_path, "ahead", bot(early, "import os")), first)

    assert faults(record) == [(0, "malformed")]
    assert "answers no request" in detail(record)


def test_what_a_bot_prints_is_kept_and_cut(tmp_path: Path, spawned: PortableSpawner) -> None:
    text = bot("import sys\nprint('to', seen.seat)\nprint('err', file=sys.stderr)\nreturn seen.moves[0]")
    flood = bot("for _ in range(100): print('x' * 10_000)\nreturn seen.moves[0]")
    quiet, loud = written(tmp_path, "quiet", text), written(tmp_path, "flood", flood)
    players = [seated(spawned, quiet), seated(spawned, loud)]
    record = play_match(spec(DUEL, [quiet, loud]), DUEL, players)

    assert record.status == "completed"
    (said,), (cut,) = (player.said for player in players)  # type: ignore[attr-defined]  # seats.seated has put it there
    assert said.startswith("to 0\nerr\n")
    assert len(cut) < 70_000
    assert cut.endswith("[cut: a seat's output is kept up to 64 KiB]\n")


def test_a_bots_children_end_with_it(
    tmp_path: Path, spawned: PortableSpawner, first: submissions.Source
) -> None:
    pids = tmp_path / "pids"
    text = f"""
sleep = [sys.executable, "-c", "import time; time.sleep(600)"]
pids = [subprocess.Popen(sleep, start_new_session=own).pid for own in (False, True)]
open({str(pids)!r}, "w").write(repr(pids))
while True: pass
"""
    source = written(tmp_path, "parent", bot(text, "import os, subprocess, sys"))
    record = against_here(spawned, source, first, LIMITS)
    children = json.loads(pids.read_text(encoding="utf-8"))

    assert faults(record) == [(0, "time")]
    assert len(children) == 2
    assert all_gone(children)


def stopped(process: psutil.Process) -> None:
    """Wait until all its threads stand still, which they do a moment after they are told to."""
    until = time.monotonic() + 10
    while process.status() != psutil.STATUS_STOPPED:
        assert time.monotonic() < until
        time.sleep(0.001)


def test_a_seat_stands_still_when_it_is_not_its_turn(spawned: PortableSpawner, tmp_path: Path) -> None:
    busy = "import threading\ndef spin():\n    while True: pass\n"
    busy += "threading.Thread(target=spin, daemon=True).start()\n"
    player = IsolatedPlayer(spawned, code_of(written(tmp_path, "busy", bot("return seen.moves[0]", busy))))
    state = DUEL.deal(7)
    seat = int(state.seat)
    try:
        player.start(DUEL, seat, 1)
        channel = player._channel()
        assert isinstance(channel, PipeChannel)
        process = psutil.Process(channel.clock.process)
        stopped(process)
        player.act(
            DUEL.view(state, seat),
            [DUEL.table[m] for m in state.moves()],
            [],
            Clock(),
        )
        stopped(process)
        before = sum(process.cpu_times()[:2])
        time.sleep(0.1)
        assert sum(process.cpu_times()[:2]) == before
    finally:
        player.close()
    assert all_gone([process.pid])


def test_memory_is_looked_at_where_the_system_does_not_bound_it(
    spawned: PortableSpawner, tmp_path: Path
) -> None:
    source = written(tmp_path, "hoard", bot("self.held = b'x' * (64 << 20)\nreturn seen.moves[0]"))
    name, rules = spawned.have(DUEL)
    seat = spawned.seat(wire.Order(code_of(source), {}, name, rules, 0, 1, 0))
    state = DUEL.deal(7)
    own = int(state.seat)
    try:
        channel = seat.channel
        assert isinstance(channel, PipeChannel)
        assert isinstance(channel.receive(10**10, "to start"), wire.Ready)
        channel.bound(16 << 20)
        legal = [DUEL.table[m] for m in state.moves()]
        asked = wire.ask(9, DUEL.view(state, own), legal, [], Clock())
        with pytest.raises(BotFault, match=r"holds \d+ MB") as fault:
            channel.ask(asked, 9, 10**10, "for a move")
        assert fault.value.kind == "memory"
    finally:
        spawned.dismiss(seat)


def test_what_may_be_a_clocks_rounding_costs_nobody_a_match(
    spawned: PortableSpawner, tmp_path: Path, first: submissions.Source
) -> None:
    """Ticks of 10 ms against a limit of 5: a bot that takes 1 ms a move sees some."""
    busy = bot(
        "until = time.thread_time() + 0.001\nwhile time.thread_time() < until: pass\nreturn seen.moves[0]",
        "import time",
    )
    source = written(tmp_path, "busy", busy)
    record = against_here(spawned, source, first, Limits(cpu_ms=5))

    assert faults(record) == []
    assert 0 < record.seats[0].cpu_ms_max <= 5


@pytest.mark.parametrize("victim", ["spinning", "frozen"])
def test_no_seat_outlives_a_match_that_is_killed(victim: str, tmp_path: Path) -> None:
    it = written(tmp_path, "spin", SPIN if victim == "spinning" else FIRST)
    program = (
        "import sys, time\nfrom pathlib import Path\n"
        "from harness import submissions\n"
        "from harness.players.portable import PortableSpawner\nfrom tests.harness.players.seats import *\n"
        "it = submissions.at(Path(sys.argv[1]))\nfound = PortableSpawner()\n"
        "player = seated(found, it)\nplayer.start(DUEL, 0, 1)\nprint('ready', flush=True)\n"
        "play(found, it, it) if sys.argv[2] == 'spinning' else time.sleep(60)\n"
    )
    match = subprocess.Popen(
        [sys.executable, "-c", program, str(it.path), victim], stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    assert match.stdout is not None
    assert match.stdout.readline() == "ready\n"
    until = time.monotonic() + 20
    while len(seats := descendants(match.pid)) < (3 if victim == "spinning" else 1):
        assert time.monotonic() < until
        time.sleep(0.01)
    assert all(map(alive, seats))
    match.kill()
    match.wait()
    match.stdout.close()

    assert all_gone(seats)


def test_nothing_grows_from_seat_to_seat(spawned: PortableSpawner, first: submissions.Source) -> None:
    def held() -> tuple[int, int]:
        return len(list(Path("/proc/self/fd").iterdir())), len(psutil.Process().children())

    against_here(spawned, first, first)
    until = time.monotonic() + 10
    before = held()
    against_here(spawned, first, first)
    while held() > before and time.monotonic() < until:
        time.sleep(0.01)  # a thread closes the pipes
    assert held() <= before


def test_allowed_modules_are_ready_and_a_program_has_no_portable_seat(
    tmp_path: Path, first: submissions.Source
) -> None:
    text = bot("return seen.moves[int(numpy.argmin(numpy.arange(3)))]", "import numpy")
    source = written(tmp_path, "numeric", text)
    with pytest.raises(SetupError, match="allow: no module 'nonesuch'"):
        PortableSpawner(allow=["nonesuch"])
    found = PortableSpawner(allow=["numpy"])
    try:
        assert against_here(found, source, first).status == "completed"
        with pytest.raises(PlatformFault, match="another language"):
            found.seat(wire.Order(code_of(source), {}, "", "{}", 0, 0, 0), 0, 1)
    finally:
        found.close()


@pytest.mark.parametrize(("platform", "name"), [("darwin", "macOS"), ("win32", "Windows")])
def test_elsewhere_bots_are_refused_honestly_unless_bounded_is_asked_for(platform: str, name: str) -> None:
    for level in ("auto", "sealed", "locked-noopen"):
        with pytest.raises(IsolationUnavailable) as refused:
            open_spawner(level, platform=platform)
        assert f"nothing that Croupier knows on {name} keeps a bot from your files and the network" in str(
            refused.value
        )
        assert "Run only bots that you trust, with --isolation none or --isolation bounded" in str(
            refused.value
        )
    program = submissions.Source("it", "command", Path(), (), "1")
    for level in ("auto", "none", "bounded"):
        with pytest.raises(IsolationUnavailable, match=f"other languages play on Linux only; this is {name}"):
            measuring.measure(level, [program], platform=platform)
    measured = measuring.measure("bounded", [], platform=platform)
    assert measured.level == "bounded"
    assert "bots can read your files and use the network" in measured.told
    assert f"not tried by us on {name}" in measured.told
    found = doctor.isolation(platform)
    assert found.found.startswith(
        "none, unless it is asked for: bounded: time and memory are limited, but bots can"
    )
    assert "--isolation bounded" in found.advice


def test_runs_and_portable_seats_import_nothing_that_windows_lacks() -> None:
    program = (
        "import sys, psutil\n"
        "for name in ('fcntl', 'resource', 'termios', 'tty', 'pwd', 'grp'): sys.modules[name] = None\n"
        "import harness.cli.running, harness.tournament, harness.executors.local, harness.report\n"
        "import harness.players.portable, harness.players.zygote, harness.cli.doctor, harness.cli.entering\n"
        "from harness.players.portable import PortableSpawner\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
