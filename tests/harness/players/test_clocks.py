"""A bot pays with CPU time of its own process, and no bot loses a game because the machine was busy."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from harness.players import channel
from harness.players.clocks import TICK_NS, Guard, ProcessClock
from harness.players.spawner import Spawner
from harness.records import Limits
from tests.harness.players.seats import FIRST, bot, detail, faults, play, seated, written

WORK = """
import time
until = time.process_time() + 0.03
while time.process_time() < until: pass
seen.metric("left", seen.clock.bank or 0)
return seen.moves[0]
"""


@pytest.fixture(scope="module")
def spawned(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Spawner]:
    folder = tmp_path_factory.mktemp("bots")
    for name, text in (
        ("first", FIRST),
        ("worker", bot(WORK)),
        ("sleeper", bot("import time\ntime.sleep(1000)")),
        ("napper", bot("import time\ntime.sleep(0.15)\nreturn seen.moves[0]")),
        ("waiter", bot("return seen.moves[int(input())]")),
    ):
        written(folder, name, text)
    found = Spawner(own=[str(folder)])
    found.folder = folder  # type: ignore[attr-defined]  # for the tests alone
    yield found
    found.close()


def source(spawned: Spawner, name: str):  # type: ignore[no-untyped-def]  # a Source, of the fixture's folder
    from harness import submissions

    return submissions.at(spawned.folder / f"{name}.py")  # type: ignore[attr-defined]  # the fixture's


@contextmanager
def spinning(count: int) -> Iterator[None]:
    """So many neighbours that want every core."""
    spinners = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for spinner in spinners:
            spinner.kill()
            spinner.wait()


def test_the_clock_of_another_process_tells_its_cpu_time(spawned: Spawner) -> None:
    child = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import time\nwhile time.process_time() < 0.2: pass\nprint(flush=True)\ninput()",
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    clock = ProcessClock(child.pid)
    assert child.stdout is not None
    child.stdout.readline()
    once = clock.cpu_ns()
    assert once >= 200_000_000
    time.sleep(0.05)
    assert clock.cpu_ns() - once < 40_000_000
    child.communicate(b"\n")
    assert clock.cpu_ns() >= once
    clock.close()


def test_spinning_neighbours_cost_no_bot_a_game(spawned: Spawner) -> None:
    worker = source(spawned, "worker")
    with spinning(4):
        record = play(spawned, worker, worker, limits=Limits(cpu_ms=150))
    assert faults(record) == []
    assert all(30 <= seat.cpu_ms_max < 150 for seat in record.seats)


def test_a_worker_that_is_stopped_in_the_middle_of_a_think_costs_no_bot_a_game(spawned: Spawner) -> None:
    """The whole match in a process that is stopped for 300 ms, again and again."""
    program = (
        "import sys\nfrom pathlib import Path\nfrom harness import submissions\n"
        "from harness.records import Limits\nfrom tests.harness.players.seats import *\n"
        "it = submissions.at(Path(sys.argv[1]))\n"
        "with spawner('auto', it) as found:\n"
        "    print('ready', flush=True)\n"
        "    record = play(found, it, it, limits=Limits(cpu_ms=100))\n"
        "    print(faults(record), record.status, flush=True)\n"
    )
    path = source(spawned, "worker").path
    match = subprocess.Popen([sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE, text=True)
    assert match.stdout is not None
    assert match.stdout.readline() == "ready\n"
    for _ in range(3):
        time.sleep(0.1)
        match.send_signal(signal.SIGSTOP)
        time.sleep(0.3)
        match.send_signal(signal.SIGCONT)
    assert match.communicate(timeout=60)[0] == "[] completed\n"


@pytest.mark.parametrize("name", ["sleeper", "waiter"])
def test_a_sleeper_is_found_out_though_it_uses_no_cpu(name: str, spawned: Spawner) -> None:
    record = play(spawned, source(spawned, name), source(spawned, "first"), limits=Limits(cpu_ms=20))
    if name == "waiter":  # its standard input is at its end
        assert (faults(record), "EOFError" in detail(record)) == ([(0, "exception")], True)
    else:
        assert faults(record) == [(0, "time")]
        assert "it is sleeping or waiting for input" in detail(record)


def test_a_bot_that_sleeps_a_little_in_each_decision_is_found_out_before_the_match_is_long(
    spawned: Spawner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(channel, "PATIENCE_A_MATCH_NS", 400_000_000)
    record = play(spawned, source(spawned, "napper"), source(spawned, "first"))
    assert faults(record) == [(0, "time")]
    assert "in this match so far but used only" in detail(record)


def test_a_bank_is_drawn_on_and_seen(spawned: Spawner) -> None:
    worker = source(spawned, "worker")
    limits = Limits(bank_ms=200, increment_ms=5)
    record = play(spawned, worker, worker, limits=limits)
    assert {kind for _, kind in faults(record)} == {"time"}
    assert "in the bank" in detail(record, faults(record)[0][0]) or "the limit is" in detail(
        record, faults(record)[0][0]
    )
    (_, left), *_ = record.seats[0].metrics
    assert 0 < left < 0.2


def test_a_bot_does_not_run_while_it_is_not_its_turn(spawned: Spawner) -> None:
    from tests.harness.players.seats import DUEL

    player = seated(spawned, source(spawned, "worker"))
    player.start(DUEL, 0, 1)
    assert player._seat is not None
    process = int(
        next(
            line.split()[1]
            for line in Path(f"/proc/self/fdinfo/{player._seat.channel._process}").read_text().splitlines()
            if line.startswith("Pid:")
        )
    )
    until = time.monotonic() + 10
    while Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "T":
        assert time.monotonic() < until
        time.sleep(0.001)
    player.close()


class Busy:
    """A clock of a process that waits for a core all the time."""

    def waited_ns(self) -> int:
        return time.monotonic_ns()


def test_waiting_for_a_core_is_not_sleeping() -> None:
    guard = Guard(Busy(), 0)
    guard.limit_ns = 1
    time.sleep(0.03)
    assert not guard.asleep()


def test_our_own_pause_is_not_the_bots_sleep() -> None:
    class Idle:
        def waited_ns(self) -> int:
            return 0

    guard = Guard(Idle(), 0)
    guard.limit_ns = 4 * TICK_NS
    time.sleep(6 * TICK_NS / 1e9)
    assert not guard.asleep()
    for _ in range(100):
        time.sleep(TICK_NS / 1e9)
        if guard.asleep():
            return
    raise AssertionError("a bot that sleeps is not found out")
