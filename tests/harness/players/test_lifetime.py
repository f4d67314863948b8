"""Whoever dies, nothing is left behind, and only a bot's own death is the bot's fault."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from benchmarks.holdings import descendants
from harness.players import levels
from harness.players.base import BotFault, PlatformFault
from harness.players.isolated import IsolatedPlayer
from harness.players.maker import code_of
from tests.harness.players.seats import DUEL, FIRST, best, bot, faults, play, spawner, written

SPIN = bot(
    "import contextlib, signal\nfor n in range(1, 32):\n"
    "    with contextlib.suppress(OSError, ValueError): signal.signal(n, lambda *_: None)\nwhile True: pass"
)
LEVELS = ["bounded", "locked", "sealed"]


def alive(process: int) -> bool:
    """Whether it is there and not just waiting to be buried."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def all_gone(processes: list[int], seconds: float = 10.0) -> bool:
    until = time.monotonic() + seconds
    while any(map(alive, processes)):
        if time.monotonic() > until:
            return False
        time.sleep(0.005)
    return True


def match_with_a_spinner(folder: Path, level: str) -> subprocess.Popen[str]:
    """A process that plays a match whose bot ignores every signal and spins."""
    written(folder, "spin", SPIN)
    program = (
        "import sys\nfrom pathlib import Path\nfrom harness import submissions\n"
        "from tests.harness.players.seats import *\n"
        "it = submissions.at(Path(sys.argv[1]))\n"
        "with spawner(sys.argv[2], it) as found:\n"
        "    print('ready', flush=True)\n"
        "    try: print(faults(play(found, it, it)))\n"
        "    except Exception as error: print(type(error).__name__, error)\n"
    )
    return subprocess.Popen(
        [sys.executable, "-c", program, str(folder / "spin.py"), level], stdout=subprocess.PIPE, text=True
    )


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("victim", ["match", "zygote", "every zygote"])
def test_no_process_is_left_when_one_is_killed(level: str, victim: str, tmp_path: Path) -> None:
    if levels.rank(level) > levels.rank(best()):
        pytest.skip(f"this machine has no {level}")
    match = match_with_a_spinner(tmp_path, level)
    assert match.stdout is not None
    assert match.stdout.readline() == "ready\n"
    seats = 2 + (2 if level == "sealed" else 1)
    until = time.monotonic() + 20
    while len(everyone := descendants(match.pid)) < seats:
        assert time.monotonic() < until
        time.sleep(0.01)
    children = [p for p in everyone if parent_of(p) == match.pid]
    if victim == "match":
        match.kill()
    else:
        innermost = [p for p in everyone if p in children or parent_of(p) in children][: seats - 2]
        for process in innermost[-1:] if victim == "zygote" else innermost:
            os.kill(process, signal.SIGKILL)
    assert all_gone(everyone), [p for p in everyone if alive(p)]
    said = match.communicate(timeout=20)[0]
    assert said.startswith("" if victim == "match" else "PlatformFault the zygote is gone")


def parent_of(process: int) -> int:
    try:
        return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


def test_a_seat_that_kills_itself_is_at_fault_and_its_zygote_lives(tmp_path: Path) -> None:
    suicide = written(tmp_path, "suicide", bot("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)"))
    first = written(tmp_path, "first", FIRST)
    with spawner("auto", suicide, first) as found:
        assert faults(play(found, suicide, first)) == [(0, "crash")]
        assert faults(play(found, first, first)) == []


def test_a_bot_cannot_reach_its_zygote(tmp_path: Path) -> None:
    killer = written(
        tmp_path, "killer", bot("import os\nos.kill(os.getppid() or 1, 9)\nreturn seen.moves[0]")
    )
    with spawner("auto", killer) as found:
        record = play(found, killer, killer)
        assert faults(record)
        assert faults(play(found, killer, killer))


def test_nothing_grows_with_the_matches(tmp_path: Path) -> None:
    first = written(tmp_path, "first", FIRST)
    with spawner("auto", first) as found:
        play(found, first, first)
        gc.collect()
        held = len(list(Path("/proc/self/fd").iterdir()))
        for _ in range(20):
            play(found, first, first)
        assert len(list(Path("/proc/self/fd").iterdir())) <= held
        until = time.monotonic() + 10
        while len(list(filter(alive, descendants(os.getpid())))) > 2:
            assert time.monotonic() < until
            time.sleep(0.01)
        assert len(descendants(os.getpid())) <= 4  # the last match's are buried when the next seat is forked


def test_seats_are_buried_also_when_the_next_one_cannot_be_asked_for(tmp_path: Path) -> None:
    first = written(tmp_path, "first", FIRST)
    with spawner("auto", first) as found:
        for _ in range(5):
            play(found, first, first)
            too_large = IsolatedPlayer(found, code_of(first), {"weights": "x" * (1 << 20)})
            with pytest.raises(BotFault, match="too long to be told"):
                too_large.start(DUEL, 0, 1)
        play(found, first, first)
        assert len(descendants(os.getpid())) <= 2 + 4  # the zygote's, and those of the last two matches


def test_no_seat_can_learn_how_an_earlier_one_ended(tmp_path: Path) -> None:
    """Else a bot could tell by its exit code, or its memory, what it has seen of cards that come again."""
    tells = written(tmp_path, "tells", bot("self.held = b'x' * (32 << 20)\nos._exit(77)", "import os"))
    listens = written(
        tmp_path,
        "listens",
        bot(
            "frame = sys._getframe()\n"
            "while type(frame.f_locals.get('self')).__name__ != 'Zygote': frame = frame.f_back\n"
            "zygote = frame.f_locals['self']\n"
            "raise RuntimeError(f'told {any(zygote.burial._told.raw)}, kept {vars(zygote.burial).keys()}')",
            "import sys",
        ),
    )
    with spawner("auto", tells, listens) as found:
        told, heard = play(found, tells, tells), play(found, listens, listens)
    assert "exit code 77" in told.seats[0].faults[0].detail
    assert "told False, kept dict_keys(['_told', '_wait'])" in heard.seats[0].faults[0].detail


def test_without_its_zygote_a_match_is_void(tmp_path: Path) -> None:
    first = written(tmp_path, "first", FIRST)
    with spawner("auto", first) as found:
        os.kill(found._process.pid, signal.SIGKILL)
        with pytest.raises(PlatformFault, match="the zygote is gone"):
            play(found, first, first)
