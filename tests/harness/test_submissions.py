"""Where bots come from: names, files, folders, packages, and what is wrong with them."""

from __future__ import annotations

import random
import sys
from importlib import metadata
from pathlib import Path, PurePosixPath, PureWindowsPath
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engines
from bots import Bot, Seen
from engines.core.game import Move, View
from harness import config_bots, shared_parts, submissions
from harness.submissions import BadBot, BotNotFound

AnyView = View[Move]
DUEL = engines.load("kozyri-duel", deck="easy")
FIRST = """
from bots import Bot, Seen

class First(Bot):
    def act(self, seen):
        return seen.moves[0]
"""


def written(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def made(path: Path) -> type[Bot[Any]]:
    return submissions.bot_type(submissions.at(path))


def choice(kind: type[Bot[Any]]) -> int:
    """What a bot plays first in a deal."""
    state = DUEL.deal(7)
    moves = [DUEL.table[i] for i in state.moves()]
    return int(kind(DUEL, 0, Random(1)).act(Seen(0, DUEL.view(state, 0), moves)))


@pytest.mark.parametrize("name", submissions.shipped())
def test_every_module_of_the_folder_is_a_bot_by_its_name(name: str) -> None:
    source = submissions.find(name)

    assert source.name == name
    assert source.path.stem == name.replace("-", "_")
    assert len(source.version) == 12
    assert issubclass(submissions.bot_type(source).__mro__[0], object)
    assert submissions.bot_type(source).__module__ == f"bots.{source.path.stem}"


def test_a_name_may_be_written_with_underscores() -> None:
    for name in submissions.shipped():
        assert submissions.find(name.replace("-", "_")) == submissions.find(name)


def test_an_unknown_name_answers_with_the_nearest_and_the_known_ones() -> None:
    with pytest.raises(
        BotNotFound, match=r"unknown bot 'unifrom', did you mean \"uniform\"\? known: .*uniform"
    ):
        submissions.find("unifrom")


def test_a_file_and_a_folder_with_the_same_text_are_the_same_version(tmp_path: Path) -> None:
    file = submissions.at(written(tmp_path / "mine.py", FIRST))
    folder = submissions.at(written(tmp_path / "other" / "bot.py", FIRST).parent)

    assert (file.kind, file.name, folder.kind, folder.name) == ("file", "mine", "folder", "other")
    assert file.version == folder.version


def test_every_file_of_a_folder_counts_but_caches_and_hidden_ones(tmp_path: Path) -> None:
    folder = written(tmp_path / "b" / "bot.py", FIRST).parent
    before = submissions.at(folder).version
    written(folder / "__pycache__" / "bot.cpython-311.pyc", "x")
    written(folder / ".git" / "HEAD", "x")
    assert submissions.at(folder).version == before

    written(folder / "data" / "weights.txt", "0.5")
    weighted = submissions.at(folder)
    assert weighted.version != before
    assert [file.name for file in weighted.files] == ["bot.py", "weights.txt"]

    (folder / "data" / "weights.txt").rename(folder / "data" / "heights.txt")
    assert submissions.at(folder).version not in {before, weighted.version}


NAMES = st.lists(
    st.text("aB-._1", min_size=1).filter(lambda name: set(name) != {"."}), min_size=1, max_size=3
)


@given(st.lists(NAMES.map("/".join), unique=True, max_size=12))
def test_files_come_in_the_order_of_posix_paths_on_every_system(names: list[str]) -> None:
    """So a bot's version is the same everywhere, and no version that was computed on Linux has changed."""
    posix = [file.as_posix() for file in sorted(map(PurePosixPath, names))]

    for kind in (PurePosixPath, PureWindowsPath):
        assert [file.as_posix() for file in submissions.in_order(map(kind, names))] == posix


def test_moving_text_from_one_file_to_the_next_is_another_version() -> None:
    assert submissions.digest([("a", b"xy"), ("b", b"")]) != submissions.digest([("a", b"x"), ("b", b"y")])


def test_a_shipped_bot_is_another_version_where_a_module_that_it_imports_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = written(tmp_path / "mine.py", "from bots.helpers import low\nimport bots.core.bot")
    written(tmp_path / "helpers" / "__init__.py", "from bots.helpers.low import low")
    low = written(tmp_path / "helpers" / "low.py", "low = 1")
    other = written(tmp_path / "helpers" / "other.py", "other = 1")
    monkeypatch.setattr(shared_parts, "ROOT", tmp_path)

    first = shared_parts.parts(file)
    assert [name for name, _ in first] == ["helpers/__init__.py", "helpers/low.py"]
    written(other, "other = 2")
    assert shared_parts.parts(file) == first
    written(low, "low = 2")
    assert shared_parts.parts(file) != first


def test_the_parts_of_shipped_bots_are_part_of_their_versions_and_the_contract_is_not() -> None:
    search, plain = submissions.find("hund-search"), submissions.find("hund-squeeze")
    parts = dict(shared_parts.parts(search.path))

    assert {"kozyri/shedding.py", "core/search/rollout.py", "hund_squeeze.py"} <= set(parts)
    assert "core/bot.py" not in parts
    assert search.files == (search.path,)
    assert search.version == submissions.version_of(submissions.bot_type(search))
    assert search.version != submissions.at(search.path).version
    assert plain.version == submissions.at(plain.path).version


def test_two_bots_may_both_have_a_utils(tmp_path: Path) -> None:
    """Each gets its own, also when it is imported late, inside `act`."""
    kinds = []
    for name, index in (("first", 0), ("last", -1)):
        written(tmp_path / name / "utils.py", f"def pick(moves): return moves[{index}]")
        written(
            tmp_path / name / "bot.py",
            FIRST.replace("return seen.moves[0]", "import utils; return utils.pick(seen.moves)"),
        )
        kinds.append(made(tmp_path / name))

    legal = DUEL.deal(7).moves()
    assert [choice(kind) for kind in kinds] == [legal[0], legal[-1]]
    assert "utils" not in sys.modules


@pytest.mark.parametrize(
    "how",
    [
        "from helpers.deep import pick",
        "from .helpers.deep import pick",
        "import helpers.deep; pick = helpers.deep.pick",
        "from helpers import deep; pick = deep.pick",
        "from helpers import *",
    ],
)
def test_a_folder_may_import_its_own_files_in_any_of_the_usual_ways(tmp_path: Path, how: str) -> None:
    written(tmp_path / "b" / "helpers" / "__init__.py", "from .deep import pick" if "*" in how else "")
    written(tmp_path / "b" / "helpers" / "deep.py", "def pick(moves): return moves[-1]")
    written(tmp_path / "b" / "bot.py", how + FIRST.replace("seen.moves[0]", "pick(seen.moves)"))

    assert choice(made(tmp_path / "b")) == DUEL.deal(7).moves()[-1]


def test_a_file_called_random_or_engines_does_not_stand_in_for_the_real_one(tmp_path: Path) -> None:
    written(tmp_path / "b" / "random.py", "raise RuntimeError('mine')")
    written(tmp_path / "b" / "engines" / "__init__.py", "raise RuntimeError('mine')")
    written(
        tmp_path / "b" / "bot.py",
        "import random, engines\n" + FIRST.replace("moves[0]", "moves[int(random.random())]"),
    )
    kind = made(tmp_path / "b")

    assert choice(kind) == DUEL.deal(7).moves()[0]
    assert sys.modules["random"] is random


def test_a_bot_leaves_no_bytecode_beside_its_files(tmp_path: Path) -> None:
    made(written(tmp_path / "mine.py", FIRST))

    assert [path.name for path in tmp_path.iterdir()] == ["mine.py"]


def test_the_same_version_is_imported_once(tmp_path: Path) -> None:
    source = submissions.at(written(tmp_path / "mine.py", FIRST))

    assert submissions.bot_type(source) is submissions.bot_type(source)


def test_a_bot_that_has_changed_since_it_was_found_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "mine.py", FIRST)
    source = submissions.at(path)
    written(path, FIRST + "# better\n")

    with pytest.raises(BadBot, match=f"mine.py has changed: expected version {source.version}, found "):
        submissions.bot_type(source)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("x = 1", "expected one class that subclasses Bot, found none"),
        ("class First:\n    def act(self, seen): ...", "expected one class that subclasses Bot, found none"),
        ("from bots.uniform import Uniform", "expected one class that subclasses Bot, found none"),
        (FIRST + "class Second(First): pass", "found First, Second; helpers start with _"),
        ("from bots import Bot\nclass Lazy(Bot): pass", r"Lazy has no act\(self, seen\)"),
        (
            FIRST + "    games = 'hund'",
            r"games: expected a tuple of names such as \('hund',\), got the text 'hund'",
        ),
        (
            FIRST + "    games = ('hund:x',)",
            "games: expected 'hund', 'hund:4' or 'code777:3-5', got 'hund:x'",
        ),
        (FIRST + "    games = ('hund:4-3',)", "games: expected seats from a number up to one not lower"),
        (
            "import no_such_module",
            "cannot be imported: ModuleNotFoundError: No module named 'no_such_module'",
        ),
        ("raise SystemExit(3)", "cannot be imported: SystemExit: 3"),
        (
            "class Bad(Exception):\n    def __str__(self): raise SystemExit\nraise Bad",
            r"cannot be imported: Bad: \(its text cannot be shown\)",
        ),
    ],
)
def test_a_file_without_one_usable_bot_is_a_mistake_of_the_set_up(
    tmp_path: Path, text: str, reason: str
) -> None:
    with pytest.raises(BadBot, match=f"mine.py.*{reason}"):
        made(written(tmp_path / "mine.py", text))


def test_helpers_with_an_underscore_are_not_the_bot(tmp_path: Path) -> None:
    text = FIRST.replace("class First(Bot)", "class _Base(Bot)") + "class Real(_Base): pass"

    assert made(written(tmp_path / "mine.py", text)).__name__ == "Real"


def test_a_syntax_error_is_told_with_its_line_and_nothing_runs(tmp_path: Path) -> None:
    path = written(tmp_path / "b" / "helper.py", "x = 1\ndef f(:\n")
    written(tmp_path / "b" / "bot.py", "raise SystemExit")

    with pytest.raises(BadBot, match=f"{path} line 2: "):
        submissions.at(tmp_path / "b")


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (
            b"# coding: punycode\n#" + b"a" * 200_000 + b"-" + b"zzz9" * 50_000,
            "expected UTF-8, got .* punycode",
        ),
        (b"# coding: none-such\n", "unknown encoding: none-such"),
        (b"x = '\xff'\n", "line 1: expected UTF-8, got byte 0xff"),
        (b"\n\nx = '\xff'\n", "line 3: expected UTF-8, got byte 0xff"),
        (b"x = 1\0\n", "line 1: expected text, got a null byte"),
        (b"x = " + b"1," * 600_000, "expected at most 1,048,576 bytes of Python"),
        (b"x = " + b"(" * 5_000 + b")" * 5_000, "too many nested parentheses"),
        (b"x = " + b"-" * 200_000 + b"1", "nested too deeply"),
        (b"x = a" + b".b" * 200_000, "nested too deeply"),
        (b"x = " + b"9" * 1_000_000, "Exceeds the limit"),
    ],
)
def test_whatever_a_file_has_in_it_reading_it_ends_and_says_what_is_wrong(
    tmp_path: Path, source: bytes, reason: str
) -> None:
    path = tmp_path / "mine.py"
    path.write_bytes(source)
    with pytest.raises(BadBot, match=reason):
        submissions.at(path)


def test_reading_a_file_compiles_nothing_of_it(tmp_path: Path) -> None:
    nested = "".join(f"{' ' * n}try:\n{' ' * n} pass\n{' ' * n}finally:\n" for n in range(18))
    twice = nested + " " * 18 + "def inner():\n" + "".join(f"{' ' * 19}{x}\n" for x in nested.splitlines())
    text = f"{FIRST}\ndef outer():\n" + "".join(f" {x}\n" for x in [*twice.splitlines(), " " * 37 + "pass"])
    assert submissions.at(written(tmp_path / "mine.py", text)).name == "mine"  # to compile it takes days


@pytest.mark.parametrize("name", ["notes.txt", "stolen.py"])
def test_a_folder_gets_no_file_of_others_by_a_link(tmp_path: Path, name: str) -> None:
    written(tmp_path / "bot" / "bot.py", FIRST)
    (tmp_path / "bot" / "same.py").symlink_to("bot.py")
    assert len(submissions.at(tmp_path / "bot").files) == 2
    (tmp_path / "bot" / name).symlink_to(written(tmp_path / "other.py", "KEY = 1"))
    with pytest.raises(BadBot, match=rf"{name} is a link that leads out of .*bot"):
        submissions.at(tmp_path / "bot")


def test_what_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(BotNotFound, match=r"no such file or folder: .*/none\.py"):
        submissions.at(tmp_path / "none.py")
    with pytest.raises(BotNotFound, match=r"has no bot\.py"):
        submissions.at(tmp_path)
    with pytest.raises(BadBot, match=r"expected a Python file or a folder with bot\.py, got .*mine\.txt"):
        submissions.at(written(tmp_path / "mine.txt", FIRST))


def installed(folder: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package with one bot as pip leaves it, importable from `folder`."""
    module = f"lucky_{folder.name}".replace("-", "_")
    written(folder / f"{module}.py", FIRST)
    info = folder / f"{module}-1.0.dist-info"
    written(info / "METADATA", f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
    written(info / "entry_points.txt", f"[{submissions.GROUP}]\n{name} = {module}:First\n")
    monkeypatch.syspath_prepend(str(folder))


def test_an_installed_package_offers_its_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed(tmp_path, "lucky", monkeypatch)
    source = submissions.find("lucky")

    assert submissions.installed() == ["lucky"]
    assert source.kind == "installed"
    assert [file.suffix for file in source.files] == [".py"]
    assert choice(submissions.bot_type(source)) == DUEL.deal(7).moves()[0]
    assert metadata.version(source.path.stem) == "1.0"


def test_a_name_that_is_there_twice_is_told_with_both_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed(tmp_path, "uniform", monkeypatch)

    with pytest.raises(
        BadBot, match=r"bot 'uniform' is there twice: .*bots/uniform\.py, entry point lucky_.*:First"
    ):
        submissions.find("uniform")


class Optioned(Bot[AnyView]):
    def __init__(self, game: Any, seat: int, rng: Random, depth: int = 2) -> None:
        super().__init__(game, seat, rng)

    def act(self, seen: Seen[AnyView]) -> int:
        return seen.moves[0]


def test_options_that_a_bot_cannot_take_are_told_before_anything_is_played() -> None:
    config_bots.check_known("Optioned", submissions.known_options(Optioned), {"depth": 3})
    with pytest.raises(
        ValueError, match='depht: unknown option of Optioned, did you mean "depth"\\? known: depth'
    ):
        config_bots.check_known("Optioned", submissions.known_options(Optioned), {"depht": 3})
    with pytest.raises(ValueError, match="depth: Uniform takes no options"):
        config_bots.check_known(
            "Uniform",
            submissions.known_options(submissions.bot_type(submissions.find("uniform"))),
            {"depth": 3},
        )
