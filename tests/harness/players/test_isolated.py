"""A bot in a process of its own plays as it does in the match's, and what it does wrong is its own affair."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import engines
from harness import submissions
from harness.players import levels
from harness.players.maker import ready_modules
from harness.players.spawner import Spawner
from harness.records import Limits, MatchRecord
from tests.harness.players.seats import (
    DUEL,
    FIRST,
    MISDEEDS,
    best,
    bot,
    detail,
    faults,
    play,
    play_here,
    seated,
    spawner,
    spec,
    written,
)

STEADY = """
from bots import Bot
class Steady(Bot):
    def act(self, seen):
        seen.metric("seen", len(seen.history))
        seen.metric("news", sum(seat + int(move) for seat, move in seen.news))
        seen.metric("view", hash(seen.view) % 1000 if "phase" not in seen.view._fields else len(seen.view))
        return self.rng.choice(seen.moves)
"""
THINKER = """
from bots import Bot
class Thinker(Bot):
    def act(self, seen):
        world = self.game.sample(seen.view, self.rng)
        after = world.copy()
        after.playout(self.rng.getrandbits(53))
        seen.metric("seen", len(seen.history))
        seen.metric("news", sum(seat for seat, move in seen.news) + sum(int(move) for _, move in seen.news))
        best = round(after.outcome().scores[self.seat]) + self.rng.randrange(99) + len(seen.history)
        return seen.moves[best % len(seen.moves)]
    def end(self, outcome):
        print(outcome)
"""

FORGED = """
import msgspec, os, sys
frame = sys._getframe()
while "request" not in frame.f_locals:
    frame = frame.f_back
number = frame.f_locals["request"]
os.write(3, msgspec.msgpack.encode([{reply}]))
"""
"""Answers the question itself, past the code that would have made the reply."""


def unmeasured(record: MatchRecord) -> tuple[object, ...]:
    """Of a record what must not depend on how it was played."""
    seats = [(s.score, s.place, s.faults, s.decisions, s.metrics) for s in record.seats]
    return record.status, record.reason, record.moves, record.move_seats, seats


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("bots")


@pytest.fixture(scope="module")
def first(folder: Path) -> submissions.Source:
    return written(folder, "first", FIRST)


@pytest.fixture(scope="module")
def thinker(folder: Path) -> submissions.Source:
    return written(folder, "thinker", THINKER)


@pytest.fixture(scope="module")
def spawned(folder: Path) -> Iterator[Spawner]:
    """One zygote for bots in `folder`, also those that are written later."""
    found = Spawner(own=[str(folder)])
    yield found
    found.close()


@pytest.mark.parametrize("name", engines.available())
def test_every_game_is_played_alike_in_a_process_of_its_own(
    name: str, spawned: Spawner, folder: Path
) -> None:
    thinker = written(folder, "steady", STEADY)
    game = engines.load(
        name, **({"cap": 30} if "cap" in engines.game_type(name).rules_type.__annotations__ else {})
    )
    bots = [thinker] * game.seats
    there, here = play(spawned, *bots, game=game), play_here(*bots, game=game)
    assert there.status == "completed"
    assert unmeasured(there) == unmeasured(here)


@pytest.mark.parametrize("level", list(levels.LEVELS))
def test_every_level_plays_the_same_match(level: str, thinker: submissions.Source) -> None:
    if levels.rank(level) > levels.rank(best()):
        pytest.skip(f"this machine has no {level}")
    with spawner(level, thinker) as found:
        assert found.level == level
        assert unmeasured(play(found, thinker, thinker)) == unmeasured(play_here(thinker, thinker))


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        *MISDEEDS,
        (bot("return 'a'"), "wrong_type", "returned 'a' (str), which is no move"),
        (bot("import sys\nsys.exit()"), "exception", "raised SystemExit"),
        (bot("x = [0] * (1 << 30)"), "memory", "raised MemoryError"),
        (bot("import socket\nsocket.socket()"), "exception", "(isolated bots may not"),
        (bot("import os\nos.write(3, b'\\x93')\nreturn seen.moves[0]"), "malformed", "no reply"),
        (bot("import os\nos.write(3, b'')\nreturn seen.moves[0]"), "malformed", "empty message"),
        (bot("import os\nos.write(3, b'x' * 70_000)"), "malformed", "more than 65536 bytes"),
        (bot("import os\nos.close(3)"), "crash", "in act()"),
        (
            bot("for n in range(200): seen.metric(f'm{n}', 1)\nreturn seen.moves[0]"),
            "malformed",
            "at most 100 different metrics",
        ),
        (bot("seen.metric('n' * 41, 1)\nreturn seen.moves[0]"), "exception", "1 to 40 printable characters"),
        (bot("seen.metric('\\x1b[2J', 1)\nreturn seen.moves[0]"), "exception", "printable"),
        (bot(FORGED.format(reply="'moved', number, 0, {'n' * 60_000: 1.0}")), "malformed", "(60000)"),
        (bot(FORGED.format(reply="'failed', number, 'exception', 'x' * 60_000")), "exception", "x" * 1_900),
        (bot("return 0", "1 / 0"), "start", "ZeroDivisionError"),
        (bot("return 0", "while True: pass"), "start", "of CPU to start; the limit is 300 ms"),
        ("x = 1", "start", "expected one class that subclasses Bot, found none"),
    ],
)
def test_a_bot_that_does_wrong_is_told_what_and_the_next_match_is_clean(
    text: str,
    kind: str,
    words: str,
    tmp_path: Path,
    folder: Path,
    spawned: Spawner,
    first: submissions.Source,
) -> None:
    source = written(folder / tmp_path.name, "it", text)
    limits = Limits(cpu_ms=100, import_ms=300, memory_mb=256)
    record = play(spawned, source, first, limits=limits)
    if ("m0", 1.0) in record.seats[0].metrics:
        pytest.fail("numbers of a bot that has too many are kept")
    assert faults(record) == [(0, kind)]
    assert words in detail(record)
    assert len(detail(record)) < 2_100
    assert unmeasured(play(spawned, first, first)) == unmeasured(play_here(first, first))


def test_a_reply_written_ahead_of_the_question_answers_nothing(
    folder: Path, spawned: Spawner, first: submissions.Source
) -> None:
    early = "os.write(3, bytes([0x93, 0xa5]) + b'moved' + bytes([1, 0]))"
    ahead = f"import os\n{early}\n{early}\nreturn seen.moves[0]"
    record = play(spawned, written(folder, "ahead", bot(ahead)), first)
    assert faults(record) == [(0, "malformed")]
    assert "answers no request" in detail(record)


def test_what_a_bot_prints_is_kept_and_cut(folder: Path, spawned: Spawner) -> None:
    text = bot("import sys\nprint('to', seen.seat)\nprint('err', file=sys.stderr)\nreturn seen.moves[0]")
    flood = bot("for _ in range(100): print('x' * 10_000)\nreturn seen.moves[0]")
    for name, source, expected in (("quiet", text, "to 0\nerr\n"), ("flood", flood, "x" * 10_000)):
        player = seated(spawned, written(folder, name, source))
        one = written(folder, name, source)
        from harness.match import play_match

        record = play_match(spec(DUEL, [one, one]), DUEL, [player, seated(spawned, one)])
        assert record.status == "completed"
        (said,) = player.said  # type: ignore[attr-defined]  # seats.seated has put it there
        assert said.startswith(expected)
        assert len(said) < 70_000
    assert said.endswith("[cut: a seat's output is kept up to 64 KiB]\n")


def test_the_traceback_is_in_the_output(folder: Path, spawned: Spawner, first: submissions.Source) -> None:
    from harness.match import play_match

    source = written(folder, "raises", bot("raise RuntimeError('see me')"))
    player = seated(spawned, source)
    play_match(spec(DUEL, [source, first]), DUEL, [player, seated(spawned, first)])
    (said,) = player.said  # type: ignore[attr-defined]  # seats.seated has put it there
    assert "Traceback" in said
    assert "raise RuntimeError('see me')" in said


def folder_bot(folder: Path, name: str, files: dict[str, str]) -> submissions.Source:
    place = folder / name
    place.mkdir()
    for file, text in files.items():
        (place / file).write_text(text)
    return submissions.at(place)


def test_helpers_of_the_same_name_stay_their_own_bots(folder: Path, spawned: Spawner) -> None:
    code = bot("return seen.moves[helper.CHOICE]", "import helper\nfrom pathlib import Path")
    load = "helper.CHOICE = int((Path(__file__).parent / 'weights.txt').read_text())\n"
    code = code.replace("class Mine", load + "class Mine")
    files = {"bot.py": code, "helper.py": "CHOICE = None"}
    low = folder_bot(folder, "low", {**files, "weights.txt": "0"})
    high = folder_bot(folder, "high", {**files, "weights.txt": "-1"})
    record = play(spawned, low, high)
    assert record.status == "completed", record.seats
    assert unmeasured(record)[2:4] == unmeasured(play_here(low, high))[2:4]


@pytest.mark.parametrize("level", ["locked", "locked-ns", "sealed"])
def test_no_bot_reads_anothers_files(level: str, tmp_path: Path) -> None:
    if levels.rank(level) > levels.rank(best()):
        pytest.skip(f"this machine has no {level}")
    victim = folder_bot(tmp_path, "victim", {"bot.py": FIRST, "secret.txt": "s"})
    other = written(tmp_path / "others", "other", FIRST)
    for number, file in enumerate((victim.path / "secret.txt", other.path)):
        read = f"text = open({str(file)!r}).read()\nif text: raise RuntimeError('it is there')\nreturn 0"
        spy = written(tmp_path, f"spy{number}", bot(read))
        with spawner(level, spy, victim, other) as found:
            assert faults(play(found, victim, other)) == []
            record = play(found, spy, victim)
        assert not any("it is there" in fault.detail for seat in record.seats for fault in seat.faults)


def test_numpy_is_there_where_it_is_allowed(folder: Path, first: submissions.Source) -> None:
    text = bot(
        "import numpy.fft\nreturn seen.moves[int(numpy.argmin(numpy.random.rand(9)[:1]))]", "import numpy"
    )
    source = written(folder, "numeric", text)
    with spawner("auto", source, first, allow=["numpy"]) as found:
        assert play(found, source, first).status == "completed"
    with pytest.raises(submissions.SetupError, match="allow: no module 'nonesuch' is installed here"):
        Spawner(allow=["nonesuch"])


def test_a_bot_made_from_the_parts_of_search_has_them_behind_the_door(folder: Path) -> None:
    made = """
from bots.core.search import AdvisedBot, Uniform
from bots.duel_longsuit import LongSuit
class Mine(AdvisedBot):
    adviser = LongSuit
    def __init__(self, game, seat, rng):
        super().__init__(game, seat, rng, nodes=2)
    def rollout(self, payoff):
        return Uniform(payoff)
"""
    source = written(folder, "searching", made)
    ready = ready_modules([source])
    assert ready == ["bots.core.search", "bots.duel_longsuit"]

    spawned = Spawner(own=[str(folder)], preload=ready)
    try:
        record = play(spawned, source, source)
    finally:
        spawned.close()
    assert record.status == "completed", record.seats
    assert unmeasured(record)[2:4] == unmeasured(play_here(source, source))[2:4]
