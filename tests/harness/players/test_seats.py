"""What a seat starts with, and what its zygote has to do with it meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from bots.core.bot import Clock
from harness.players.isolated import IsolatedPlayer
from harness.players.maker import COMPILED, code_of
from harness.players.spawner import Spawner
from harness.submissions import Source
from tests.harness.players.seats import DUEL, FIRST, best, faults, play, seated, spawner, written


@contextmanager
def started(spawned: Spawner, source: Source) -> Iterator[tuple[IsolatedPlayer, int]]:
    """A seat that waits for its first question, and the number of its process."""
    player = seated(spawned, source)
    try:
        player.start(DUEL, 0, Random(1))
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
    large = written(tmp_path, "large", f"TABLE = {'x' * COMPILED!r}\n{FIRST}")
    assert list(code_of(small).compiled) == [str(tmp_path / "small.py")]
    assert code_of(large).compiled == {}
    with spawner("auto", small, large) as found:
        assert faults(play(found, small, large)) == []


def test_a_file_that_changes_while_seats_are_made_of_it_plays_as_it_was(tmp_path: Path) -> None:
    first = written(tmp_path, "first", FIRST)
    code = code_of(first)
    with spawner("auto", first) as found:
        written(tmp_path, "first", FIRST.replace("seen.moves[0]", "None"))
        player = IsolatedPlayer(found, code)
        try:
            player.start(DUEL, 0, Random(1))
            ask(player, 1)
        finally:
            player.close()
