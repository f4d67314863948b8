"""What a seat starts with, and what its zygote has to do with it meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bots.core.bot import Clock
from harness import submissions
from harness.executors.base import Setup
from harness.match import play_match
from harness.players import wire
from harness.players.isolated import IsolatedPlayer
from harness.players.maker import PlayerMaker, code_of
from harness.players.spawner import Spawner
from harness.records import Limits
from harness.submissions import Source
from tests.harness.players.seats import DUEL, FIRST, best, faults, play, seated, spawner, spec, written

BUDGET_NS = 5_000_000_000


@contextmanager
def started(spawned: Spawner, source: Source) -> Iterator[tuple[IsolatedPlayer, int]]:
    """A seat that waits for its first question, and the number of its process."""
    player = seated(spawned, source)
    try:
        player.start(DUEL, 0, 1)
        assert player._seat is not None
        yield player, player._seat.channel.clock.process
    finally:
        player.close()


def status(process: int) -> dict[str, str]:
    """What the kernel says of a process."""
    lines = Path(f"/proc/{process}/status").read_text(encoding="utf-8").splitlines()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


def ask(player: IsolatedPlayer, times: int) -> None:
    state = DUEL.deal(1)
    view, legal = DUEL.view(state, int(state.seat)), tuple(DUEL.table[move] for move in state.moves())
    for _ in range(times):
        assert player.act(view, legal, [], Clock(1.0, 10.0)) == legal[0]


@pytest.mark.parametrize("level", ["bounded", "auto"])
def test_freezing_and_thawing_a_seat_does_not_wake_its_zygote(level: str, tmp_path: Path) -> None:
    first = written(tmp_path, "first", FIRST)
    with spawner(level, first) as found, started(found, first) as (player, process):
        zygote = int(status(process)["PPid"])
        ask(player, 1)
        before = status(zygote)["voluntary_ctxt_switches"]
        ask(player, 50)
        assert status(zygote)["voluntary_ctxt_switches"] == before


def test_no_program_could_give_a_sealed_seat_a_capability(tmp_path: Path) -> None:
    if best() != "sealed":
        pytest.skip("this machine has no namespaces")
    first = written(tmp_path, "first", FIRST)
    with spawner("sealed", first) as found, started(found, first) as (_, process):
        said = status(process)
        for sort in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
            assert int(said[sort], 16) == 0, sort
        assert (said["NoNewPrivs"], said["Seccomp"]) == ("1", "2")


def test_a_bot_is_compiled_for_its_seats_once_unless_it_is_too_large_to_be_sent(tmp_path: Path) -> None:
    small = written(tmp_path, "small", FIRST)
    large = written(tmp_path, "large", f"TABLE = {'x' * wire.COMPILED!r}\n{FIRST}")
    with spawner("auto", small, large) as found:
        assert list(found.compiled(code_of(small), BUDGET_NS)) == [str(tmp_path / "small.py")]
        assert found.compiled(code_of(large), BUDGET_NS) == {}
        assert faults(play(found, small, large)) == []


def test_a_file_that_takes_all_time_and_memory_to_compile_has_not_started_and_harms_nobody(
    tmp_path: Path,
) -> None:
    bomb, first = written(tmp_path, "bomb", f"{FIRST}\n{bomb_of(16)}"), written(tmp_path, "first", FIRST)
    maker = PlayerMaker(Setup({(s.name, s.version): s for s in (bomb, first)}, isolation="auto"))
    try:
        for pair, told in (((bomb, first), [(0, "start")]), ((first, first), [])):
            match = spec(DUEL, pair, Limits(import_ms=500.0))
            assert faults(play_match(match, DUEL, maker.players(match)[0])) == told
    finally:
        maker.give_up_zygotes()


def bomb_of(depth: int) -> str:
    """A few kB that compile to 4 ** depth copies of a line: one of each `finally` for every way to it."""
    lines: list[str] = []
    for _ in range(2):
        lines.append("def inner():")
        for _ in range(depth):
            lines += ["try:", " pass", "finally:"]
    lines.append("pass")
    text, indent = "", 0
    for line in lines:
        text += " " * indent + f"{line}\n"
        indent += line in {"def inner():", "finally:"}
    return text


def test_a_bot_of_more_files_than_can_be_told_to_a_seat_has_not_started(tmp_path: Path) -> None:
    for number in range(400):
        written(tmp_path / "many" / ("x" * 200) / ("y" * 200), f"{'z' * 200}{number}", "")
    written(tmp_path / "many", "bot", FIRST)
    many, first = submissions.at(tmp_path / "many"), written(tmp_path, "first", FIRST)
    with spawner("auto", many, first) as found:
        assert faults(play(found, many, first)) == [(0, "start")]
        assert faults(play(found, first, first)) == []


def test_a_file_that_changes_while_seats_are_made_of_it_plays_as_it_was(tmp_path: Path) -> None:
    first = written(tmp_path, "first", FIRST)
    code = code_of(first)
    with spawner("auto", first) as found:
        code.compiled = found.compiled(code, BUDGET_NS)
        written(tmp_path, "first", FIRST.replace("seen.moves[0]", "None"))
        player = IsolatedPlayer(found, code)
        try:
            player.start(DUEL, 0, 1)
            ask(player, 1)
        finally:
            player.close()
