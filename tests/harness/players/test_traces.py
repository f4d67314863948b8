"""What a zygote keeps of the seats that it has had: nothing that their bots have chosen."""

from __future__ import annotations

import ctypes
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from benchmarks.holdings import descendants
from harness.match import play_match
from harness.players import readable
from harness.players.levels import SAFE
from harness.players.spawner import Spawner
from harness.submissions import Source
from tests.harness.players.seats import DUEL, FIRST, best, bot, play, seated, spawner, spec, written

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="there are zygotes on Linux only"
)
NO_RANDOM_ADDRESSES = 0x0040000
ASK = 0xFFFFFFFF
WORD, PAGE = 8, 4096
Memory = dict[int, bytes]
"""What a process can write to, by address."""


@pytest.fixture
def same_addresses() -> Iterator[None]:
    """Programs that are started meanwhile have everything at the same places and can be compared."""
    personality = ctypes.CDLL(None).personality
    before = personality(ASK)
    if before < 0 or personality(before | NO_RANDOM_ADDRESSES) < 0:
        pytest.skip("addresses cannot be had the same here")
    yield
    personality(before)


def memory_of(process: int) -> Memory:
    found = {}
    with Path(f"/proc/{process}/mem").open("rb", 0) as memory:
        for line in Path(f"/proc/{process}/maps").read_text().splitlines():
            where, rights = line.split()[:2]
            if rights.startswith("rw"):
                first, last = (int(address, 16) for address in where.split("-"))
                memory.seek(first)
                found[first] = memory.read(last - first)
    return found


def memory_after(everyone: Sequence[Source], *pair: Source) -> Memory:
    """A zygote's when a seat has been forked after a match."""
    with spawner("auto", *everyone) as found:
        play(found, *pair)
        player = seated(found, everyone[0])
        player.start(DUEL, 0, 1)
        try:
            zygote = zygote_of(found)
            until = time.monotonic() + 10
            while Path(f"/proc/{zygote}/stat").read_text().rpartition(")")[2].split()[0] != "S":
                assert time.monotonic() < until, "it has not come to rest"
                time.sleep(0.001)
            return memory_of(zygote)
        finally:
            player.close()


def zygote_of(found: Spawner) -> int:
    """The process that forks: in namespaces the one below the one that was started."""
    started = found._process.pid
    below = descendants(started)
    return below[0] if found.level in {"sealed", "locked-ns"} else started


def told(ones: tuple[Memory, Memory], others: tuple[Memory, Memory]) -> set[int]:
    """Addresses of words that both of `ones` have alike, both of `others` too, and the two not."""
    one, other = ones[0], others[0]
    assert one.keys() == other.keys()
    found = set()
    for start, content in one.items():
        for page in range(0, len(content), PAGE):
            if content[page : page + PAGE] == other[start][page : page + PAGE]:
                continue
            for at in range(page, page + PAGE, WORD):
                here, there = ([m[start][at : at + WORD] for m in pair] for pair in (ones, others))
                if here[0] == here[1] and there[0] == there[1] and here[0] != there[0]:
                    found.add(start + at)
    return found


@pytest.mark.usefixtures("same_addresses")
def test_the_memory_of_a_zygote_is_the_same_however_the_seats_before_have_ended(tmp_path: Path) -> None:
    """Else a bot could tell by its end what it has seen of cards that come again."""
    first = written(tmp_path, "first", FIRST)
    exits = written(tmp_path, "exits", bot("import os\nos._exit(77)"))

    def twice(*pair: Source) -> tuple[Memory, Memory]:
        return memory_after((first, exits), *pair), memory_after((first, exits), *pair)

    try:
        usual = twice(first, first)
    except OSError as error:
        pytest.skip(f"the memory of another process cannot be read here: {error.strerror}")
    for pair in ((exits, first), (first, exits)):
        found = told(usual, twice(*pair))
        if found:  # what two of two had by chance, on a busy machine, others do not have in the same place
            found &= told(twice(first, first), twice(*pair))
        assert found == set()


@pytest.mark.parametrize("level", ["bounded", SAFE, "locked", "auto"])
def test_no_flag_of_a_file_outlives_the_seat_that_has_set_it(level: str, tmp_path: Path) -> None:
    if level == "locked" and best() == SAFE:
        pytest.skip("this machine has no Landlock")
    sets = written(
        tmp_path,
        "sets",
        bot(
            "for n in range(4): fcntl.fcntl(n, fcntl.F_SETFL, os.O_APPEND | os.O_NONBLOCK)\nos._exit(0)",
            "import fcntl, os",
        ),
    )
    reads = written(
        tmp_path,
        "reads",
        bot(
            "raise RuntimeError([oct(fcntl.fcntl(f, fcntl.F_GETFL)) for f in (0, 3)])",
            "import fcntl",
        ),
    )
    with spawner(level, sets, reads) as found:
        before, _, after = (play(found, one, one) for one in (reads, sets, reads))
    assert "RuntimeError" in before.seats[0].faults[0].detail
    assert before.seats[0].faults == after.seats[0].faults


def test_a_bot_that_uses_up_numbers_of_inodes_is_refused(tmp_path: Path) -> None:
    """A seat's channel and its output have the next ones, which every bot can look at."""
    for what in ("os.pipe()", "mmap.mmap(-1, 1)"):
        uses = written(tmp_path, "uses", bot(what, "import mmap, os"))
        with spawner("auto", uses) as found:
            assert "PermissionError" in play(found, uses, uses).seats[0].faults[0].detail


def test_listing_a_folder_of_the_private_root_leaves_no_time_there(tmp_path: Path) -> None:
    if best() not in {"sealed", "locked-ns"}:
        pytest.skip("this machine has no namespaces")
    text = "import os\nfrom pathlib import Path\nfolders = [*Path(os.__file__).parents, *map(Path, {!r})]"
    folders = text.format(list(readable.packages()))
    lists = written(
        tmp_path,
        "lists",
        bot("for f in folders:\n    try: os.listdir(f)\n    except OSError: pass\nos._exit(0)", folders),
    )
    looks = written(
        tmp_path,
        "looks",
        bot("print([(str(f), f.stat().st_atime_ns) for f in folders if f.exists()])\nos._exit(0)", folders),
    )
    said = []
    with spawner("auto", lists, looks) as found:
        for source in (looks, lists, looks):
            player = seated(found, source)
            play_match(spec(DUEL, (source, source)), DUEL, [player, seated(found, source)])
            said += player.said  # type: ignore[attr-defined]  # as `seated` says
    before, after = said
    assert "site-packages" in before or "dist-packages" in before
    assert before == after
