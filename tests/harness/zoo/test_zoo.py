"""No bot of the zoo does harm: what it reached for is untouched, the fault its own, the next match clean."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.players import levels
from harness.players.levels import IsolationUnavailable
from harness.zoo.animals import Animal, animals, named
from harness.zoo.bots import scans_the_heap
from harness.zoo.keeper import Keeper, Visit

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="bots are isolated on Linux only"
)

ROOT = Path(__file__).parents[3]
ALL = [pytest.param(animal, id=animal.name.replace(" ", "-")) for animal in animals()]
SELECTION = (
    "reads a secret",
    "looks at files",
    "connects",
    "forks",
    "signals a process",
    "hangs in c",
    "replies twice",
)
VISITS = """
import sys
from harness.zoo.animals import animals, named
from harness.zoo.keeper import visits
from harness.players.spawner import Spawner
spawner = Spawner(sys.argv[1])
level = spawner.level
spawner.close()
print("level", level)
for visit in visits(level, [named(name) for name in sys.argv[2:]] or None):
    print("through" if visit.harm else "contained", visit.animal.name, *visit.harm, sep="; ")
"""
NO_UNSHARE = """
import ctypes, os, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
unshare = 272 if os.uname().machine == "x86_64" else 97
rules = [(0x20, 0, 0, 0), (0x15, 0, 1, unshare), (6, 0, 0, 0x50001), (6, 0, 0, 0x7FFF0000)]
code = b"".join(struct.pack("HBBI", *rule) for rule in rules)
kept = ctypes.create_string_buffer(code)
class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]
program = Program(len(rules), ctypes.cast(kept, ctypes.c_void_p))
assert libc.prctl(38, 1, 0, 0, 0) == 0 and libc.prctl(22, 2, ctypes.byref(program), 0, 0) == 0
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""


@pytest.fixture(scope="module")
def sealed() -> Iterator[Keeper]:
    yield from keeper("sealed")


@pytest.fixture(scope="module")
def bounded() -> Iterator[Keeper]:
    yield from keeper("bounded")


def keeper(level: str) -> Iterator[Keeper]:
    """One worker for all visits of a level: so each test also shows that those before left it clean."""
    try:
        with Keeper(level) as found:
            found.visit(named("plays an illegal move"))
            yield found
    except IsolationUnavailable as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("animal", ALL)
def test_is_contained_at_sealed(animal: Animal, sealed: Keeper) -> None:
    visit = sealed.visit(animal)

    assert visit.harm == ()
    assert not visit.spared


@pytest.mark.parametrize(
    "name",
    [
        "reads a secret",
        "reads its rival",
        "writes files",
        "moves files",
        "connects",
        "uses unix sockets",
        "starts threads",
    ],
)
def test_does_harm_where_nothing_holds_it_back(name: str, bounded: Keeper) -> None:
    """So that its failure at stronger levels is theirs, and not its own."""
    visit = bounded.visit(named(name))

    assert visit.harm
    assert visit.expected
    assert not visit.surprising


def test_what_would_hurt_the_machine_is_not_played_where_nothing_holds_it_back(bounded: Keeper) -> None:
    visit = bounded.visit(named("kills its parent"))

    assert visit.spared
    assert visit.harm == ()


def run(*arguments: str, python: str = sys.executable, **more: Any) -> list[str]:
    """The lines that VISITS prints."""
    done = subprocess.run(
        [python, *arguments], capture_output=True, text=True, timeout=300, check=False, cwd="/", **more
    )
    assert done.returncode == 0, done.stderr
    printed: str = done.stdout
    return printed.splitlines()


@pytest.mark.parametrize("names", [SELECTION, pytest.param((), marks=pytest.mark.slow, id="all")])
def test_without_namespaces_only_names_and_sizes_of_files_get_through(names: tuple[str, ...]) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}

    level, *lines = run("-c", NO_UNSHARE, "-c", VISITS, "auto", *names, env=environment)

    if level == "level locked-noopen":
        pytest.skip("this kernel has no Landlock")
    assert level == "level locked"
    assert len(lines) == len(names or animals())
    assert [line for line in lines if line.startswith("through")] == [
        "through; looks at files; found out a secret"
    ]


@pytest.mark.skipif(os.getuid() != 0, reason="this is an ordinary user already")
@pytest.mark.parametrize("names", [SELECTION, pytest.param((), marks=pytest.mark.slow, id="all")])
def test_an_ordinary_user_is_protected_as_well(names: tuple[str, ...], tmp_path: Path) -> None:
    nobody = 65534
    python = next((p for p in (sys.executable, "/usr/bin/python3") if usable(p, nobody)), None)
    if python is None:
        pytest.skip("no interpreter with msgspec that an ordinary user may run")

    level, *lines = run(
        "-c",
        VISITS,
        "auto",
        *names,
        python=python,
        env=packages(),
        user=nobody,
        group=nobody,
        extra_groups=[],
    )

    rank = levels.rank(level.removeprefix("level "))
    assert rank >= levels.rank("locked-noopen")
    tolerated = {animal.name for animal in animals() if rank < levels.rank(animal.contained_from)}
    through = {line.split("; ")[1] for line in lines if line.startswith("through")}
    assert through <= tolerated
    assert len(lines) == len(names or animals())


def packages() -> dict[str, str]:
    """Where another interpreter of this version finds what this one has."""
    import msgspec

    places = [str(ROOT), str(Path(msgspec.__file__).parents[1])]
    return {"PYTHONPATH": os.pathsep.join(places), "PATH": os.defpath, "PYTHONDONTWRITEBYTECODE": "1"}


def usable(python: str, user: int) -> bool:
    """Whether a user can run our code with this interpreter."""
    check = "import sys, msgspec, harness.zoo.keeper; assert sys.version_info >= (3, 11)"
    try:
        done = subprocess.run(
            [python, "-c", check],
            env=packages(),
            user=user,
            group=user,
            extra_groups=[],
            cwd="/",
            capture_output=True,
            check=False,
        )
    except OSError:
        return False
    return done.returncode == 0


def test_the_scan_of_the_heap_finds_what_is_there() -> None:
    """Its silence elsewhere means something. In a young process, as a seat is one."""
    script = """
import ctypes, re, runpy, sys
bot = runpy.run_path(sys.argv[1])
held = b"ZOO-" + str(123_456_789).encode() + b"-ZOO" + bytes(40)
for page in bot["pages"]():
    for match in re.finditer(rb"ZOO-(\\d{9})-ZOO", ctypes.string_at(page, bot["PAGE"])):
        print(match[1].decode())
"""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}

    found = run("-c", script, str(scans_the_heap.__file__), env=environment)

    assert "123456789" in found


def test_a_hole_is_a_surprise_only_where_the_level_is_said_to_hold() -> None:
    animal = named("looks at files")
    found = {level: Visit(animal, level, ("found out a secret",), "") for level in levels.LEVELS}

    assert [level for level, visit in found.items() if visit.surprising] == ["locked-ns", "sealed"]
    assert not any(visit._replace(harm=()).surprising for visit in found.values())


def test_every_animal_says_what_it_tries_in_one_sentence() -> None:
    for animal in animals():
        assert animal.tries.endswith((".", "it."))
        assert animal.contained_from in (levels.NONE, *levels.LEVELS)
    assert len(animals()) > 70


def test_the_page_about_the_zoo_lists_every_animal() -> None:
    page = (ROOT / "docs" / "zoo.md").read_text(encoding="utf-8")

    rows = [
        f"| {animal.name} | {animal.tries} | {', '.join(f'`{k}`' for k in animal.faults) or 'plays on'} "
        f"| `{animal.contained_from}` |"
        for animal in animals()
    ]

    assert [line for line in page.splitlines() if line.startswith("| ")][1:] == rows
