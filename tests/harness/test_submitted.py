"""Submissions are kept by name and version, found by config and run, and never imported by the finder."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from harness import config, formats, passport, submissions, submitted
from harness.cli.app import app
from harness.config import ConfigError
from harness.passport import Passport
from harness.submissions import BadBot, BotNotFound

BOT = """
raise SystemExit("imported by somebody who should not")
from bots import Bot
class Mine(Bot):
    games = ("kozyri-duel",)
    def __init__(self, game, seat, rng, depth=1): ...
    def act(self, seen):
        return seen.moves[0]
"""
CONFIG = """
game = "kozyri-duel"
format = { name = "round_robin", deals = 1 }
entrants = "submitted"
[[bots]]
bot = "uniform"
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(submitted.ENVIRONMENT, raising=False)


def enter(name: str = "mine", text: str = BOT, when: str = "2026-01-01") -> submitted.Submission:
    Path("given.py").write_text(text, encoding="utf-8")
    source = submissions.at(Path("given.py"))
    told = Passport(
        name=name, version=source.version, author="Ada", about="", games=("kozyri-duel",), options=(),
        files=("bot.py",), submitted=when, croupier="0", isolation="sealed", deterministic=True,
        cancels=True, types="passed",
    )  # fmt: skip
    return submitted.enter(submitted.place(), [("bot.py", source.path)], told)


def read(text: str) -> config.RunConfig:
    Path("c.toml").write_text(text, encoding="utf-8")
    return config.read(Path("c.toml"))


def test_the_newest_version_is_found_by_name_and_an_older_one_by_its_digest() -> None:
    old = enter(when="2026-01-01")
    new = enter(text=BOT + "# better", when="2026-01-02")

    assert submissions.find("mine").version == new.passport.version
    assert submissions.find(old.called).version == old.passport.version
    assert submissions.find(old.called[:9]).version == old.passport.version
    assert submissions.find("mine").kind == "submitted"
    with pytest.raises(BotNotFound, match="no version mine@ffff; there: mine@"):
        submissions.find("mine@ffff")


def test_an_old_version_entered_again_is_the_newest() -> None:
    old = enter(when="2026-01-01")
    enter(text=BOT + "# worse", when="2026-01-02")
    submitted.renew(old)

    assert submissions.find("mine").version == old.passport.version


def test_a_name_that_ships_too_is_an_error_that_says_where() -> None:
    enter("uniform")

    with pytest.raises(BadBot, match=r"there twice: .*bots/uniform.py, .*bots/submitted/uniform"):
        submissions.find("uniform")


def test_what_was_changed_afterwards_is_not_played() -> None:
    one = enter()
    (one.folder / "bot.py").write_text("# other", encoding="utf-8")

    with pytest.raises(BadBot, match="was changed after it had been submitted"):
        submissions.find("mine")


def test_a_passport_that_cannot_be_read_is_named() -> None:
    one = enter()
    (one.folder / passport.FILE).write_text("{}", encoding="utf-8")

    with pytest.raises(BadBot, match=r"passport.json is no passport: .*name"):
        submissions.find("mine")


@pytest.mark.parametrize(
    ("file", "text"),
    [("bot.py", "# other"), ("bot.py", "("), (passport.FILE, "{"), (passport.FILE, None)],
)
def test_what_is_advised_about_a_damaged_submission_mends_it(file: str, text: str | None) -> None:
    one = enter()
    other = enter("other").folder / passport.FILE
    (one.folder / file).write_text(other.read_text("utf-8") if text is None else text, encoding="utf-8")

    with pytest.raises(BadBot, match=rf"{one.folder}.* submit the bot again") as told:
        submissions.find("mine")
    assert "delete that folder" in str(told.value) or f"delete the folder {one.folder} and" in str(told.value)
    shutil.rmtree(one.folder)
    enter()

    assert submissions.find("mine").version == one.passport.version


def test_a_withdrawn_bot_is_not_found_and_its_files_stay() -> None:
    one = enter()
    kept = submitted.withdraw(one)

    assert (kept / "bot.py").read_text(encoding="utf-8") == BOT
    assert submitted.names() == []
    with pytest.raises(BotNotFound):
        submissions.find("mine")
    assert enter().folder.is_dir()


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../elsewhere", "mine/../mine", ".withdrawn/old", "a\0b", "x" * 300]
)
def test_what_is_no_name_is_nobodys_wherever_it_would_lead(name: str) -> None:
    submitted.withdraw(enter("old"))
    enter("elsewhere").folder.parent.rename(submitted.place().parent / "elsewhere")
    enter()

    assert submitted.versions(name) == []
    assert submissions.submission(name) is None
    assert submitted.names() == ["mine"]


def test_no_path_can_be_withdrawn_or_shown(tmp_path: Path) -> None:
    outside = enter("outside").folder.parent.rename(tmp_path / "outside")
    before = sorted(tmp_path.rglob("*"))

    for name in ("../../outside", str(outside)):
        for words, said in ((["withdraw", name], "no submitted bot"), (["bots", name], "unknown bot")):
            done = CliRunner().invoke(app, words, prog_name="croupier", env={"NO_COLOR": "1"})
            assert done.exit_code == 2
            assert done.stderr.startswith(f"croupier: {said} {name!r}, known: ")
            assert len(done.stderr.splitlines()) == 1
    assert sorted(tmp_path.rglob("*")) == before


def test_the_variable_names_another_place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(submitted.ENVIRONMENT, str(tmp_path / "elsewhere"))
    one = enter()

    assert one.folder.is_relative_to(tmp_path / "elsewhere")
    assert submissions.find("mine").path == one.folder


def test_entrants_takes_what_was_submitted_without_importing_it() -> None:
    enter()
    enter("other", BOT.replace('"kozyri-duel"', '"hund"'))

    found = read(CONFIG)

    assert [bot.ref.name for bot in found.bots] == ["uniform", "mine"]
    assert found.bots[1].games == ("kozyri-duel:2",)


def test_a_submission_that_the_config_lists_itself_is_entered_once() -> None:
    enter()

    found = read(CONFIG + '[[bots]]\nbot = "mine"\noptions = { depth = 2 }\n')

    assert [(bot.ref.name, bot.ref.options) for bot in found.bots] == [
        ("uniform", "{}"),
        ("mine", '{"depth":2}'),
    ]


def test_what_is_written_of_a_run_with_submissions_reads_as_the_same() -> None:
    enter()
    found = read(CONFIG)

    again = config.loads(config.dump(found))

    assert [bot.ref for bot in again.bots] == [bot.ref for bot in found.bots]
    assert again.bots[1].source.files == found.bots[1].source.files


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (CONFIG.replace('"submitted"', '"all"'), "c.toml: entrants: expected 'submitted'"),
        (
            CONFIG + '[[bots]]\nbot = "mine"\noptions = { deep = 2 }\n',
            "options: deep: unknown option of Mine",
        ),
        (
            CONFIG + '[[bots]]\nname = "mine"\nbot = "steady"\n',
            "bots[1].name: 'mine' is also the name of a sub",
        ),
    ],
)
def test_a_mistake_is_told_by_its_key(text: str, said: str) -> None:
    enter()

    with pytest.raises(ConfigError) as caught:
        read(text)

    assert said in str(caught.value)


def test_a_passport_is_read_as_it_was_written() -> None:
    one = enter()

    assert passport.read(one.folder / passport.FILE) == one.passport
    assert json.loads((one.folder / passport.FILE).read_text())["author"] == "Ada"


def test_a_seed_that_can_be_guessed_is_told_where_strangers_take_part() -> None:
    guessed = "seed = 20261204\n" + CONFIG
    alone = guessed.replace('entrants = "submitted"', "") + '[[bots]]\nname = "other"\nbot = "uniform"\n'
    assert formats.plan(read(alone)).notes == ()
    enter()
    (note,) = formats.plan(read(guessed)).notes
    assert note.startswith("seed 20261204 can be guessed")
    assert formats.plan(read(f"seed = {2**62 + 7}\n{CONFIG}")).notes == ()
