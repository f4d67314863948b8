# ruff: noqa: E501 - a mistake and its line are read side by side
"""Deals from a file of positions: what such a file may say, and a run that plays it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import engines
import harness
from bots.uniform import Uniform
from engines.core.errors import BadPosition
from harness import config, formats, tournament
from harness import report as reports
from harness.analysis import frames
from harness.analysis.replaying import WrongRecord, steps
from harness.cli.app import app
from harness.config_values import ConfigError
from harness.luck import bot_luck
from harness.positions import luck_of
from harness.run_folder import CannotContinue
from harness.store import find_match
from harness.store import open as open_run
from harness.store.verify import verify
from tests.harness.small_runs import RANDOM

RULES = {"cap": 40}
GAME = engines.load("kozyri-duel", **RULES)
CONFIG = """
name = "problems"
seed = 3
game = "kozyri-duel"
rules = { cap = 40 }
format = { name = "round_robin", deals = "puzzles.jsonl" }
[[bots]]
name = "one"
path = "player.py"
[[bots]]
name = "two"
path = "player.py"
[[bots]]
name = "three"
path = "player.py"
"""
LOCAL = ("--executor", "local", "--workers", "1")


def position(*hands: str, rules: dict[str, Any] = RULES, **more: Any) -> dict[str, Any]:
    """A lead of seat 0 in the duel."""
    state = {
        "hands": [hand.split() for hand in hands],
        "trumps": ["S", "H"],
        "seconds": ["C", "D"],
        "turn": 0,
        "phase": "LEAD",
    }
    return {"game": "kozyri-duel", "rules": rules, "state": {**state, **more}}


POSITIONS = [
    position("KC KH AH AD", "KD KS AS AC"),
    position("KS QC AC", "QS AS QH KH AH QD KD AD KC", luck=77),
    position("KS 7S", "9S 10H 9D", turn=1),
]


def lines(*positions: object) -> str:
    return "".join(json.dumps(one) + "\n" for one in positions)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a config, its bot and its positions."""
    (tmp_path / "player.py").write_text(RANDOM)
    (tmp_path / "cup.toml").write_text(CONFIG)
    (tmp_path / "puzzles.jsonl").write_text(lines(*POSITIONS))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def croupier(*words: str) -> Result:
    return CliRunner().invoke(app, list(words), prog_name="croupier")


def played(path: Path | str = "cup.toml", out: str = "run") -> tournament.RunResult:
    return tournament.run(config.read(Path(path)), out=Path(out), executor="local", workers=1)


def test_each_position_is_played_in_every_seating_of_every_line_up(folder: Path) -> None:
    settings = config.read(folder / "cup.toml")
    specs = [spec for block in formats.schedule(settings) for spec in block]
    digest = settings.positions.digest if settings.positions else ""

    assert formats.plan(settings).matches == len(specs) == 3 * 3 * 2
    for number, one in enumerate(POSITIONS):
        mine = [spec for spec in specs if spec.deal == f"kozyri-duel/{digest}/{number}"]
        assert {json.loads(spec.position) == one for spec in mine} == {True}
        assert {spec.luck for spec in mine} == {luck_of(one)}
        assert len({tuple(ref.name for ref in spec.seats) for spec in mine}) == 6


def test_a_match_begins_in_its_position_and_its_record_replays(folder: Path) -> None:
    played()
    records = list(open_run(Path("run")).records())

    assert len(records) == 18
    for record in records:
        begun = GAME.position(next(steps(record, GAME)).state)["state"]
        asked = POSITIONS[int(record.spec.deal[-1])]["state"]
        assert [set(hand) for hand in begun["hands"]] == [set(hand) for hand in asked["hands"]]
        assert (begun["turn"], begun["luck"]) == (asked["turn"], asked.get("luck", 0))
        assert list(steps(record, GAME))
        assert find_match(Path("run"), record.spec.id).spec == record.spec


def test_a_record_of_another_position_does_not_replay(folder: Path) -> None:
    played()
    record = find_match(Path("run"), "000001-000001-01")
    other = replace(record, spec=replace(record.spec, position=json.dumps(POSITIONS[2])))

    with pytest.raises(WrongRecord):
        list(steps(other, GAME))


@pytest.mark.slow
def test_the_digest_depends_on_what_the_positions_are_and_not_on_where_or_how_they_are_written(
    folder: Path,
) -> None:
    expected = played().digest
    elsewhere = folder / "sets" / "deep"
    elsewhere.mkdir(parents=True)
    spaced = [
        json.dumps(dict(reversed(one.items())), indent=None, separators=(" , ", " : ")) for one in POSITIONS
    ]
    (elsewhere / "mine.txt").write_text("\ufeff\n" + "\r\n\n  ".join(spaced), encoding="utf-8")
    (folder / "moved.toml").write_text(CONFIG.replace("puzzles.jsonl", "sets/deep/mine.txt"))
    (folder / "puzzles.jsonl").write_text(lines(*POSITIONS[:2], position("KS 8S", "9S 10H 9D", turn=1)))

    assert played("moved.toml", "moved").digest == expected
    assert played(out="other").digest != expected


def test_two_workers_play_what_one_does(folder: Path) -> None:
    alone = played()
    settings = config.read(folder / "cup.toml")
    pool = tournament.run(settings, out=Path("pool"), executor="local", workers=2)

    assert pool.digest == alone.digest


def test_the_command_line_plays_reports_verifies_and_replays_without_the_original(folder: Path) -> None:
    run = croupier("run", "cup.toml", *LOCAL)
    dry = croupier("run", "cup.toml", "--dry-run")
    (folder / "puzzles.jsonl").unlink()
    found = [
        croupier(*words)
        for words in (
            ("report", "problems"),
            ("verify", "problems"),
            ("replay", "problems", "000001-000004-02"),
        )
    ]

    assert (run.exit_code, dry.exit_code) == (0, 0), run.stderr
    assert "3 deals, all different; 9 deal sets, 18 matches" in dry.stdout
    assert [done.exit_code for done in found] == [0, 0, 0], [done.stderr for done in found]
    assert "deals = puzzles.jsonl" in found[0].stdout
    assert "The moves lead to the stored result." in found[2].stdout
    assert (folder / "reports" / "problems" / "positions.jsonl").read_text().count("\n") == 3


def test_a_run_is_continued_without_the_original(folder: Path) -> None:
    first = croupier("run", "cup.toml", *LOCAL)
    before = verify(folder / "reports" / "problems").digest
    for part in (folder / "reports" / "problems").glob("*/part-*.parquet"):
        part.unlink()
    (folder / "puzzles.jsonl").unlink()
    again = croupier("run", "cup.toml", *LOCAL)
    nowhere = croupier("run", "cup.toml", *LOCAL, "--out", "new")

    assert (first.exit_code, again.exit_code) == (0, 0), again.stderr
    assert verify(folder / "reports" / "problems").digest == before
    assert nowhere.exit_code == 2
    assert "cup.toml: format.deals: " in nowhere.stderr
    assert "puzzles.jsonl: cannot be read: No such file or directory" in nowhere.stderr
    assert not (folder / "new").exists()


@pytest.mark.parametrize(
    ("changed", "shown"),
    [
        (POSITIONS[:2], r'format\.deals  "3 positions, digest \w{12}" -> "2 positions, digest \w{12}"'),
        (POSITIONS[::-1], r'format\.deals  "3 positions, digest \w{12}" -> "3 positions, digest \w{12}"'),
    ],
)
def test_other_positions_do_not_continue_a_run(
    folder: Path, changed: list[dict[str, Any]], shown: str
) -> None:
    before = played().digest
    (folder / "puzzles.jsonl").write_text(lines(*changed))

    with pytest.raises(CannotContinue, match=shown):
        played()
    (folder / "cup.toml").write_text(CONFIG.replace('"puzzles.jsonl"', "3"))
    with pytest.raises(CannotContinue, match=r'format\.deals  "3 positions, digest \w{12}" -> 3\n'):
        played()
    assert verify(Path("run")).digest == before


def test_the_same_positions_under_another_name_continue_it(folder: Path) -> None:
    played()
    (folder / "puzzles.jsonl").rename(folder / "renamed.jsonl")
    (folder / "cup.toml").write_text(CONFIG.replace("puzzles.jsonl", "renamed.jsonl"))

    assert played().already_complete


def test_a_copy_that_was_tampered_with_is_found_out(folder: Path) -> None:
    played()
    (folder / "run" / "positions.jsonl").write_text(lines(*POSITIONS[:2]))
    found = verify(Path("run"))

    assert not found.ok
    assert any("positions.jsonl: was changed: expected positions of digest" in line for line in found.lines)
    with pytest.raises(ConfigError, match=r"positions\.jsonl: was changed"):
        find_match(Path("run"), "000001-000001-01")


def test_what_the_folder_says_is_the_config(folder: Path) -> None:
    settings = config.read(folder / "cup.toml")
    played()
    (folder / "puzzles.jsonl").unlink()

    assert config.loads((folder / "run" / "run.toml").read_text(), folder=folder / "run") == settings


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        ("", "puzzles.jsonl: is empty: expected a JSON position on every line"),
        ("\n  \n", "puzzles.jsonl: is empty: expected a JSON position on every line"),
        (
            "\n" + lines(POSITIONS[0]) + "{,",
            "puzzles.jsonl: line 3: not valid JSON: Expecting property name enclosed in double quotes at column 2",
        ),
        ("[" * 100_000, "puzzles.jsonl: line 1: not a position: nested too deeply"),
        ("7", "puzzles.jsonl: line 1: expected an object with game, rules and state, got 7"),
        (
            lines(POSITIONS[0]["state"]),
            "puzzles.jsonl: line 1: game: is missing; a position has game, rules and state",
        ),
        (
            lines(POSITIONS[0], POSITIONS[1], position("KS", "9S ZZ")),
            "puzzles.jsonl: line 3: hands[1][1]: ",
        ),
        (
            lines({**POSITIONS[0], "game": "seven-symbols"}),
            "puzzles.jsonl: line 1: game: expected 'kozyri-duel', got 'seven-symbols'",
        ),
        (
            lines(POSITIONS[0], position("KS", "9S", rules={"deck": "easy", "cap": 40})),
            "puzzles.jsonl: line 2: rules: expected those of this game, {'cap': 40}, got {'deck': 'easy', 'cap': 40}",
        ),
        (
            lines(position("KS", "9S", rules={})),
            "puzzles.jsonl: line 1: rules: expected those of this game, {'cap': 40}, got {}",
        ),
        (
            lines(position("KS", "", pile=["9S"], turn=None)),
            "puzzles.jsonl: line 1: turn: expected a seat to move, but the game is over here",
        ),
    ],
)
def test_a_mistake_in_the_file_is_one_line_and_nothing_is_written(
    folder: Path, text: str, mistake: str
) -> None:
    (folder / "puzzles.jsonl").write_text(text)
    before = sorted(folder.rglob("*"))
    done = croupier("run", "cup.toml", *LOCAL)

    assert done.exit_code == 2
    assert mistake in done.stderr
    assert done.stderr.count("\n") == 1
    assert sorted(folder.rglob("*")) == before


def test_a_file_that_cannot_be_read_is_named(folder: Path) -> None:
    (folder / "puzzles.jsonl").write_bytes(b"\xff\xfe")
    binary = croupier("run", "cup.toml")
    (folder / "puzzles.jsonl").unlink()
    (folder / "puzzles.jsonl").mkdir()
    directory = croupier("run", "cup.toml")

    assert (binary.exit_code, directory.exit_code) == (2, 2)
    assert "puzzles.jsonl: cannot be read: is not UTF-8 text" in binary.stderr
    assert "puzzles.jsonl: cannot be read: Is a directory" in directory.stderr


def test_an_event_of_two_games_takes_no_positions(folder: Path) -> None:
    both = '[[games]]\nname = "kozyri-duel"\n[[games]]\nname = "seven-symbols"\n'
    single = 'game = "kozyri-duel"\nrules = { cap = 40 }\n'
    body = CONFIG.replace(single, "").replace("[[bots]]", both + "[[bots]]", 1)
    (folder / "cup.toml").write_text(body)

    with pytest.raises(
        ConfigError, match=r"format\.deals: positions are of one game .* kozyri-duel, seven-symbols"
    ):
        config.read(folder / "cup.toml")


def test_a_format_that_plays_more_deals_starts_over_with_new_luck_for_the_bots(folder: Path) -> None:
    (folder / "cup.toml").write_text(CONFIG.replace("round_robin", "swiss"))
    settings = config.read(folder / "cup.toml")
    plan = formats.plan(settings)
    played()
    records = list(open_run(Path("run")).records())

    assert plan.games[0].extent.deals == 9
    assert any("9 deals of puzzles.jsonl's 3 positions: each comes again" in note for note in plan.notes)
    assert {int(record.spec.deal.rpartition("/")[2]) for record in records} == set(range(9))
    for record in records:
        number = int(record.spec.deal.rpartition("/")[2])
        assert json.loads(record.spec.position) == POSITIONS[number % 3]
        assert list(steps(record, GAME))
    lucks = {bot_luck(record.spec, 0) for record in records}
    assert len(lucks) == 9


def test_a_position_that_comes_again_is_the_same_deal_in_the_statistics(folder: Path) -> None:
    (folder / "cup.toml").write_text(CONFIG.replace("round_robin", "swiss"))
    played()
    found = reports.build(frames.open_run(Path("run")))

    (standings,) = found.standings
    assert standings.found.deals == 3
    assert {bot.statistics.score.clusters for bot in standings.found.bots} == {3}
    assert not [warning for warning in found.warnings if "different deals" in warning]


def test_python_plays_a_match_from_a_position() -> None:
    problem = position("KS 8S 7S", "9S 10H 9D JD", turn=1, luck=12)
    record = harness.play("kozyri-duel", [Uniform, Uniform], position=problem, seed=4)
    again = harness.play(GAME, [Uniform, Uniform], position=problem, seed=4)

    assert (record.move_seats[0], record.spec.luck) == (1, 12)
    assert record.spec.rules == '{"cap":40}', "expected the rules that the position names"
    assert list(steps(record, GAME))
    assert (again.spec, again.moves) == (record.spec, record.moves)


def test_python_is_told_what_is_wrong_with_a_position() -> None:
    over = position("KS", "", pile=["9S"], turn=None)
    two = [Uniform, Uniform]

    with pytest.raises(BadPosition, match="turn: expected a seat to move"):
        harness.play("kozyri-duel", two, position=over)
    with pytest.raises(BadPosition, match="rules: expected those of this game"):
        harness.play("kozyri-duel", two, position=POSITIONS[0], options={"deck": "easy"})
    with pytest.raises(ValueError, match="expected exactly one of luck and position"):
        harness.play("kozyri-duel", two, position=POSITIONS[0], luck=1)
    with pytest.raises(ValueError, match="expected exactly one of luck and position"):
        harness.play("kozyri-duel", two)
