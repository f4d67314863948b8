"""The step of a check that reads imports says of each what the bot's seat will say."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness import private_import, submissions
from harness.checking import imports
from harness.checking.steps import Failed, Found
from harness.submissions import Source


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def one_file(text: str, name: str = "mine.py") -> Source:
    Path(name).write_text(text, encoding="utf-8")
    return submissions.at(Path(name))


def folder(text: str, **others: str) -> Source:
    """A folder whose bot.py has that text, and others by their paths without .py."""
    for name, content in {"bot": text, **others}.items():
        path = Path("deep", f"{name}.py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return submissions.at(Path("deep"))


def found(source: Source, *allow: str) -> Found:
    return imports.examine(source, allow)


def refused(source: Source, *allow: str) -> Failed:
    with pytest.raises(Failed) as caught:
        imports.examine(source, allow)
    return caught.value


@pytest.mark.parametrize(
    "text",
    [
        "import os.path",
        "import os.path as place",
        "import collections.abc, concurrent.futures",
        "import xml.parsers.expat.model",
        "from xml.etree import ElementTree",
        "import engines.kozyri.hund",
        "from bots.core.search import AdvisedBot",
        "from __future__ import annotations",
        "try:\n    import nowhere_at_all\nexcept ImportError:\n    nowhere_at_all = None",
        "try:\n    import tomllib\nexcept ImportError:\n    import tomli as tomllib",
        "from contextlib import suppress\nwith suppress(ImportError):\n    import nowhere_at_all",
        "import sys\nif sys.platform == 'win32':\n    import winreg",
        "import typing\nif typing.TYPE_CHECKING:\n    import nowhere_at_all",
    ],
)
def test_what_a_seat_imports_is_not_blamed(text: str) -> None:
    source = one_file(text)

    assert found(source).said.startswith("the standard library, bots and engines")
    private_import.load(str(source.path), entry="bot.py", tag="checked")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import os.nowhere", "it imports os.nowhere, which is not here (mine.py line 1)"),
        ("import email.nowhere.at", "it imports email.nowhere.at, which is not here"),
        ("import winreg", "it imports winreg, which is not here"),
        ("import engines.kozyri.hunt", "it imports engines.kozyri.hunt, which is not here"),
        ("from bots.nobody import X", "it imports bots.nobody, which is not here"),
        ("import bot", "it imports bot, which is not here"),
        (
            "from . import helper",
            "it imports .helper from beside itself (mine.py line 1), and it is one file",
        ),
        ("from .helper import X", "it imports .helper from beside itself"),
        ("try:\n    import nowhere_at_all\nexcept KeyError:\n    pass", "it imports nowhere_at_all"),
        (
            "try:\n    pass\nfinally:\n    import nowhere_at_all",
            "it imports nowhere_at_all, which is not here",
        ),
        ("import importlib\nimportlib.import_module('nowhere_at_all')", "nowhere_at_all, which is not here"),
        ("__import__('nowhere_at_all')", "it imports nowhere_at_all, which is not here (mine.py line 1)"),
    ],
)
def test_what_no_seat_can_import_is_told_with_its_line(text: str, said: str) -> None:
    source = one_file(text)

    assert said in refused(source).said
    with pytest.raises(ImportError):
        private_import.load(str(source.path), entry="bot.py", tag="checked")


def test_an_import_inside_a_function_is_told_before_it_is_first_called() -> None:
    late = "def late():\n    if True:\n        import os.nowhere\n"

    assert "os.nowhere, which is not here (mine.py line 3)" in refused(one_file(late)).said


@pytest.mark.parametrize(
    ("text", "others"),
    [
        ("import util; util.X", {"util": "X = 1"}),
        ("import pkg.util", {"pkg/util": "X = 1"}),
        ("from pkg import util", {"pkg/util": "X = 1"}),
        ("from pkg import X", {"pkg/__init__": "X = 1", "pkg/util": ""}),
        ("from . import util", {"util": "X = 1"}),
        ("from .pkg.util import X", {"pkg/util": "from .. import other\nX = 1", "other": ""}),
        ("import numpy; numpy.OWN", {"numpy": "OWN = 1"}),
    ],
)
def test_a_folders_own_files_are_found_as_its_seat_finds_them(text: str, others: dict[str, str]) -> None:
    source = folder(text, **others)

    assert found(source).said == "the standard library, bots and engines"
    private_import.load(str(source.path), entry="bot.py", tag="checked")


@pytest.mark.parametrize(
    ("text", "others", "said"),
    [
        ("import pkg.other", {"pkg/util": ""}, "it imports pkg.other, which is not in its folder"),
        ("from pkg import other", {"pkg/util": ""}, "it imports pkg.other, which is not in its folder"),
        ("from . import other", {"util": ""}, "it imports other, which is not in its folder (bot.py line 1)"),
        ("from .util.x import X", {"util": ""}, "it imports util.x, which is not in its folder"),
        (
            "import util",
            {"util": "from .. import bot"},
            "it imports ..bot (util.py line 1), above its folder",
        ),
        ("import importlib\nimportlib.import_module('util')", {"util": ""}, "it imports util, which is not"),
    ],
)
def test_a_file_that_a_folder_has_not_is_told(text: str, others: dict[str, str], said: str) -> None:
    source = folder(text, **others)

    assert said in refused(source).said
    with pytest.raises(ImportError):
        private_import.load(str(source.path), entry="bot.py", tag="checked")


def test_what_is_allowed_is_allowed_with_its_submodules_and_no_others() -> None:
    whole = one_file("import numpy.random\nfrom numpy.linalg import norm\n")

    assert found(whole, "numpy").said.endswith(", and numpy")
    assert found(whole, "numpy.random").said.endswith(", and numpy"), "all of a package is opened or nothing"
    assert refused(whole).advice.endswith("check it so: --allow numpy")
    assert "numpy.nowhere, which is not here" in refused(one_file("import numpy.nowhere"), "numpy").said


def test_a_package_that_a_bot_can_do_without_is_named_and_not_asked_for() -> None:
    text = "try:\n    import numpy\nexcept ImportError:\n    numpy = None\n"

    assert found(one_file(text)).said.endswith("; without numpy, which it can do without")
    assert found(one_file(text), "numpy").said.endswith(", and numpy")


def test_a_module_that_an_allowed_package_makes_itself_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "installed"
    place.mkdir()
    (place / "maker.py").write_text(
        "import sys, types\n__path__ = []\nsys.modules['maker.made'] = types.ModuleType('maker.made')\n"
    )
    monkeypatch.syspath_prepend(str(place))
    monkeypatch.setenv("PYTHONPATH", str(place))

    assert found(one_file("import maker.made"), "maker").said.endswith(", and maker")
    assert "maker.other" in refused(one_file("import maker.other"), "maker").said


def test_a_file_that_lies_beside_a_bot_is_no_installed_module(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("helper.py").write_text("", encoding="utf-8")
    monkeypatch.syspath_prepend(str(Path.cwd()))

    told = refused(one_file("import helper"))

    assert told.said == "it imports helper, which is not here (mine.py line 1)"
    assert told.advice.endswith("helper.py lies beside it: a bot of several files is a folder with bot.py")


def test_a_helper_that_is_called_like_a_module_of_python_is_told_from_it() -> None:
    source = folder("import random\nfrom . import random as mine\n", random="X = 1", engines="")

    details = found(source).details

    assert [line.partition(" and ")[0] for line in details] == [
        "`import engines` gets Croupier's engines",
        "`import random` gets the standard library's random",
    ]
    assert private_import.load(str(source.path), entry="bot.py", tag="checked").mine.X == 1
