# ruff: noqa: E501 - a mistake and its line are read side by side
"""Configs: what they may say, how they are resolved, and the one line that each mistake gets."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from harness import config, formats
from harness.config import ConfigError, GameEntry
from harness.records import Limits
from harness.submissions import bot_type

BOT = """
from bots import Bot

class Mine(Bot):
    games = ("kozyri-duel",)

    def __init__(self, game, seat, rng, depth=1):
        super().__init__(game, seat, rng)

    def act(self, seen):
        return seen.moves[0]
"""
TWO = """
[[bots]]
bot = "uniform"
[[bots]]
name = "other"
bot = "uniform"
"""
CONFIGS = sorted((Path(__file__).parents[2] / "configs").glob("*.toml"))
DUEL = 'game = "kozyri-duel"\n'
NAME = "at most 100 letters, digits and . _ + -, the first a letter or digit"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mine.py").write_text(BOT)
    return tmp_path


def read(folder: Path, text: str) -> config.RunConfig:
    path = folder / "cup.toml"
    path.write_text(text)
    return config.read(path)


def mistake(folder: Path, text: str) -> str:
    """The one line that a config gets, without the folder."""
    with pytest.raises(ConfigError) as caught:
        read(folder, text)
    line = str(caught.value)
    assert "\n" not in line
    assert [path.name for path in sorted(folder.iterdir())] == ["cup.toml", "mine.py"]
    return line.replace(f"{folder}/", "")


def test_a_short_config_gets_every_default(folder: Path) -> None:
    run = read(folder, DUEL + TWO)

    assert (run.name, run.seed, run.format, run.executor, run.isolation, run.workers) == (
        "cup", 0, "round_robin", "auto", "auto", None,
    )  # fmt: skip
    assert run.games == (GameEntry("kozyri-duel", "{}"),)
    assert run.format_options == {"deals": 100, "seating": "rotations", "partners": "fixed", "line_ups": 0}
    assert run.limits == Limits()
    assert [bot.ref.name for bot in run.bots] == ["uniform", "other"]
    assert [bot.games for bot in run.bots] == [("kozyri-duel:2",)] * 2


def test_a_full_config_is_read_to_the_letter(folder: Path) -> None:
    run = read(
        folder,
        """
        name = "weekend"
        seed = 20261130
        game = "kozyri-duel"
        rules = { deck = "easy", repetition = 0 }
        format = { name = "round_robin", deals = 20, seating = "all" }
        limits = { cpu_ms = 200, bank_ms = 10_000, increment_ms = 0, memory_mb = 512, nodes = 9 }
        allow = ["numpy"]
        isolation = "none"
        executor = "ray"
        workers = 2
        [[bots]]
        name = "mine-3"
        path = "mine.py"
        options = { depth = 3 }
        [[bots]]
        bot = "uniform"
        """,
    )

    assert (run.name, run.seed, run.executor, run.workers, run.allow) == (
        "weekend",
        20261130,
        "ray",
        2,
        ("numpy",),
    )
    assert run.games == (GameEntry("kozyri-duel", '{"deck":"easy","repetition":0}'),)
    assert run.format_options == {"deals": 20, "seating": "all", "partners": "fixed", "line_ups": 0}
    assert run.limits == Limits(cpu_ms=200.0, bank_ms=10_000.0, memory_mb=512, nodes=9)
    mine = run.bots[0]
    assert (mine.ref.name, mine.ref.options) == ("mine-3", '{"depth":3}')
    assert mine.ref.version == mine.source.version
    assert mine.source.path == (folder / "mine.py").resolve()


def test_defaults_of_rules_that_are_spelt_out_change_nothing(folder: Path) -> None:
    assert read(folder, DUEL + 'rules = { deck = "standard" }\n' + TWO) == read(folder, DUEL + TWO)


def test_several_games_have_rules_of_their_own_and_bots_enter_those_that_they_play(folder: Path) -> None:
    run = read(
        folder,
        """
        [[games]]
        name = "kozyri-duel"
        [[games]]
        name = "seven-symbols"
        rules = { seats = 3 }
        [[bots]]
        path = "mine.py"
        [[bots]]
        bot = "uniform"
        [[bots]]
        name = "half"
        bot = "uniform"
        games = ["seven-symbols:3"]
        """,
    )

    assert [game.name for game in run.games] == ["kozyri-duel", "seven-symbols"]
    assert run.games[1].load().seats == 3
    assert [bot.games for bot in run.bots] == [
        ("kozyri-duel:2",), ("kozyri-duel:2", "seven-symbols:3"), ("seven-symbols:3",),
    ]  # fmt: skip


TEAMS_AND_THREE = """
[[games]]
name = "seven-symbols"
rules = { seats = 4 }
[[games]]
name = "seven-symbols"
rules = { seats = 3 }
"""


def test_claims_with_seats_tell_tables_of_one_game_apart(folder: Path) -> None:
    (folder / "mine.py").write_text(BOT.replace('"kozyri-duel"', '"seven-symbols:3-3"'))
    run = read(folder, TEAMS_AND_THREE + '[[bots]]\npath = "mine.py"\n' + TWO)

    assert [bot.games for bot in run.bots] == [
        ("seven-symbols:3",), ("seven-symbols:4", "seven-symbols:3"), ("seven-symbols:4", "seven-symbols:3"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (DUEL + TWO.replace("name", "nmae"), 'bots[1].nmae: unknown key, did you mean "name"? known: '),
        (DUEL + TWO + "optoins = {}", 'bots[1].optoins: unknown key, did you mean "options"? known: '),
        ("gmae = 'kozyri-duel'\n" + TWO, 'gmae: unknown key, did you mean "game"? known: '),
        (DUEL + "sede = 7\n" + TWO, 'sede: unknown key, did you mean "seed"? known: '),
        (DUEL + "format = { deels = 7 }\n" + TWO, 'format.deels: unknown option, did you mean "deals"? known: '),
        (DUEL + "format = { name = 'robin' }\n" + TWO, "format.name: unknown format 'robin', "),
        (DUEL + "format = { deals = 0 }\n" + TWO, "format.deals: expected a whole number from 1 on, got 0"),
        (DUEL + "format = 'round_robin'\n" + TWO, "format: expected a table, got 'round_robin'"),
        (DUEL + "limits = { cpu = 7 }\n" + TWO, 'limits.cpu: unknown key, did you mean "cpu_ms"? known: '),
        (DUEL + "limits = { cpu_ms = 0 }\n" + TWO, "limits.cpu_ms: expected a finite number above 0, got 0"),
        (DUEL + "limits = { cpu_ms = inf }\n" + TWO, "limits.cpu_ms: expected a finite number above 0, got inf"),
        (DUEL + "limits = { cpu_ms = true }\n" + TWO, "limits.cpu_ms: expected a number, got true"),
        (DUEL + "limits = { nodes = 1.5 }\n" + TWO, "limits.nodes: expected a whole number, got 1.5"),
        (DUEL + "limits = { increment_ms = 5 }\n" + TWO, "limits.increment_ms: is added to the bank; give bank_ms too"),
        (DUEL + "seed = '7'\n" + TWO, "seed: expected a whole number or 'random', got '7'"),
        (DUEL + "seed = -7\n" + TWO, "seed: expected a whole number from 0 to 9223372036854775807, got -7"),
        (DUEL + "workers = 0\n" + TWO, "workers: expected a whole number from 1 on, got 0"),
        (DUEL + "executor = 'dask'\n" + TWO, "executor: expected one of auto, local, ray, got 'dask'"),
        (DUEL + "isolation = 'high'\n" + TWO, "isolation: expected one of auto, none, "),
        (DUEL + "entrants = 'all'\n" + TWO, "entrants: expected 'submitted' (every submitted bot whose games fit), got 'all'"),
        (DUEL + "allow = ['a', 7]\n" + TWO, "allow[1]: expected a text, got 7"),
        (DUEL + "name = '../up'\n" + TWO, f"name: expected {NAME} (it becomes a folder), got '../up'"),
        (DUEL + 'name = "a\\nb"\n' + TWO, f"name: expected {NAME} (it becomes a folder), got 'a\\nb'"),
        (DUEL + f"name = '{'x' * 300}'\n" + TWO, f"name: expected {NAME} (it becomes a folder), got '{'x' * 20}'… of 300"),
        (DUEL + "game = 7\n" + TWO, "not valid TOML: game is there twice, the second time in line 2"),
        ("game = 7\n" + TWO, "game: expected a text, got 7"),
        (TWO, "game: is missing; known: "),
        ("game = 'kozyri-dule'\n" + TWO, "game: unknown game 'kozyri-dule', did you mean \"kozyri-duel\"? known: "),
        (DUEL + "rules = { dekc = 'easy' }\n" + TWO, 'rules.dekc: unknown option, did you mean "deck"? known: '),
        (DUEL + "rules = { deck = 'tiny' }\n" + TWO, "rules.deck: expected "),
        (DUEL + "rules = { repetition = '2' }\n" + TWO, 'rules.repetition: expected 0 or a whole number from 2 on, got "2"'),
        (DUEL + "[[games]]\nname = 'seven-symbols'\n" + TWO, "game: expected either `game` or [[games]] tables, got both"),
        ("rules = {seats = 3}\n[[games]]\nname='seven-symbols'\n" + TWO, "rules: belongs to `game`; a [[games]] table"),
        ("[[games]]\nname='seven'\n" + TWO, "games[0].name: unknown game 'seven', "),
        ("[[games]]\nname='seven-symbols'\nrules={seats=9}\n" + TWO, "games[0].rules.seats: expected 4 or 3, got 9"),
        ("[[games]]\nrules={}\n" + TWO, "games[0].name: is missing"),
        (TEAMS_AND_THREE.replace("4", "3") + TWO, "games[1]: is the same as games[0]"),
        (DUEL, "bots: expected at least two [[bots]] tables, got none"),
        (DUEL + "[bots]\nname = 'x'\n", "bots: expected a list, got {'name': 'x'}"),
        (DUEL + "[[bots]]\nbot = 'uniform'\n", "bots: kozyri-duel needs at least two bots that play it, got uniform"),
        (DUEL + TWO.replace("other", "uniform"), "bots[1].name: 'uniform' is also the name of bots[0]"),
        (DUEL + TWO.replace("other", "a/b"), "bots[1].name: expected at most 100 letters, digits and . _ + -"),
        (DUEL + TWO + "[[bots]]\nname = 'x'\n", "bots[2]: expected `bot` (a name), `path` (a file or folder) or `command` (a program), got none"),
        (DUEL + TWO + "bott = 'x'\n", 'bots[1].bott: unknown key, did you mean "bot"? known: bot, command, files, games, name, options, path'),
        (DUEL + TWO + "[[bots]]\nbto = 'x'\n", 'bots[2].bto: unknown key, did you mean "bot"? known: '),
        (DUEL + TWO + "path = 'mine.py'\n", "bots[1]: expected exactly one of `bot`, `path` and `command`, got bot and path"),
        (DUEL + TWO + "[[bots]]\ncommand = ['./x']\n", "bots[2].command: no such program: x"),
        (DUEL + TWO + "[[bots]]\nbot = 'unifrom'\n", "bots[2].bot: unknown bot 'unifrom', did you mean \"uniform\"? known: "),
        (DUEL + TWO + "[[bots]]\npath = 'none.py'\n", "bots[2].path: no such file or folder: none.py"),
        (DUEL + TWO + "options = { depth = 3 }\n", "bots[1].options: depth: Uniform takes no options"),
        (DUEL + TWO + "[[bots]]\npath='mine.py'\noptions={dept=3}\n", "bots[2].options: dept: unknown option of Mine, "),
        (DUEL + TWO + "games = ['hund']\n", "bots[1].games: 'hund' is not a game of this event, known: kozyri-duel"),
        (DUEL + TWO + "games = ['hund:']\n", "bots[1].games: expected 'hund', 'hund:4' or 'code777:3-5', got 'hund:'"),
        (
            "game = 'seven-symbols'\n" + TWO + "[[bots]]\npath = 'mine.py'\n",
            "bots[2].path: 'mine' plays kozyri-duel, which is none of seven-symbols:4",
        ),
        ("game = \n", "not valid TOML: "),
    ],
)  # fmt: skip
def test_a_mistake_gets_one_line_with_file_and_key(folder: Path, text: str, line: str) -> None:
    assert mistake(folder, text).startswith(f"cup.toml: {line}")


def test_a_byte_order_mark_is_no_mistake(folder: Path) -> None:
    assert read(folder, "\ufeff" + DUEL + TWO) == read(folder, DUEL + TWO)


def test_a_bot_that_is_no_text_is_told_by_its_line(folder: Path) -> None:
    (folder / "mine.py").write_bytes(b"\0\0")

    line = mistake(folder, DUEL + TWO + '[[bots]]\npath = "mine.py"\n')
    assert line == "cup.toml: bots[2].path: mine.py line 1: expected text, got a null byte"


def test_a_bot_with_a_syntax_error_is_told_with_its_line(folder: Path) -> None:
    (folder / "mine.py").write_text("x = 1\ny = = 2\n")

    line = mistake(folder, DUEL + TWO + '[[bots]]\npath = "mine.py"\n')
    assert line == "cup.toml: bots[2].path: mine.py line 2: invalid syntax"


def test_a_bot_that_cannot_be_imported_is_told(folder: Path) -> None:
    (folder / "mine.py").write_text("import nothing_like_it\n")

    line = mistake(folder, DUEL + TWO + '[[bots]]\npath = "mine.py"\n')
    assert line.endswith("mine.py cannot be imported: ModuleNotFoundError: No module named 'nothing_like_it'")


def test_a_bot_of_one_file_that_wants_another_is_told_about_folders(folder: Path) -> None:
    (folder / "mine.py").write_text("import cup\n")
    (folder / "cup.py").touch()

    with pytest.raises(ConfigError, match=r"put cup beside its bot\.py and give the folder$"):
        read(folder, DUEL + TWO + '[[bots]]\npath = "mine.py"\n')


def test_a_config_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"none\.toml: cannot be read: No such file or directory"):
        config.read(tmp_path / "none.toml")


FULL = """
name = "weekend"
seed = 7
executor = "ray"
workers = 2
allow = ["numpy"]
format = { deals = 3 }
limits = { nodes = 500, bank_ms = 10.5 }
[[games]]
name = "kozyri-duel"
rules = { deck = "easy" }
[[games]]
name = "seven-symbols"
rules = { seats = 3 }
[[bots]]
path = "mine.py"
options = { depth = 3 }
[[bots]]
bot = "uniform"
[[bots]]
name = "other"
bot = "uniform"
games = ["seven-symbols"]
"""


def test_what_is_dumped_reads_back_as_the_same_config(folder: Path) -> None:
    for text in (FULL, DUEL + TWO):
        run = read(folder, text)

        assert config.loads(config.dump(run)) == run
        assert config.dump(config.loads(config.dump(run))) == config.dump(run)


def test_a_dump_has_every_default_and_says_where_each_bot_was(folder: Path) -> None:
    data = tomllib.loads(config.dump(read(folder, FULL)))

    assert data["format"] == {
        "name": "round_robin",
        "deals": 3,
        "seating": "rotations",
        "partners": "fixed",
        "line_ups": 0,
    }
    assert data["games"][0]["rules"]["repetition"] == 3
    assert data["isolation"] == "auto"
    assert data["bots"][0]["path"] == str((folder / "mine.py").resolve())
    assert data["bots"][1]["bot"] == "uniform"
    assert all(len(bot["version"]) == 12 for bot in data["bots"])


@pytest.mark.parametrize("gone", [True, False])
def test_a_dump_is_read_from_the_runs_own_copy_where_the_original_is_gone_or_changed(
    folder: Path, tmp_path_factory: pytest.TempPathFactory, gone: bool
) -> None:
    run = read(folder, FULL)
    text = config.dump(run)
    version = run.bots[0].ref.version
    kept = tmp_path_factory.mktemp("run")
    (kept / "bots" / f"mine-{version}").mkdir(parents=True)
    (kept / "bots" / f"mine-{version}" / "mine.py").write_text(BOT)
    (folder / "mine.py").unlink() if gone else (folder / "mine.py").write_text(BOT + "# newer")

    again = config.loads(text, folder=kept)
    source = again.bots[0].source
    assert again.bots[0].ref == run.bots[0].ref
    assert source.path.is_relative_to(kept)
    assert bot_type(source).__name__ == "Mine"


def test_a_dump_reads_without_its_bots(folder: Path) -> None:
    run = read(folder, FULL)
    text = config.dump(run)
    (folder / "mine.py").unlink()

    again = config.loads(text)
    assert [bot.ref for bot in again.bots] == [bot.ref for bot in run.bots]
    assert again.bots[0].source.files == ()


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.name)
def test_every_config_that_ships_can_be_run(path: Path) -> None:
    assert len(config.read(path).bots) >= 2


def test_the_quick_start_is_four_bots_and_two_thousand_matches_over_both_games() -> None:
    (path,) = (path for path in CONFIGS if path.name == "quickstart.toml")
    run = config.read(path)
    plan = formats.plan(run)

    assert run.executor == "ray"
    assert {game.game.name for game in plan.games} == {"kozyri-duel", "seven-symbols"}
    assert all(len(game.bots) >= 4 for game in plan.games)
    assert plan.matches >= 2_000
