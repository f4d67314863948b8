"""`--time`: how much is played is chosen once, fits, and stays."""

from __future__ import annotations

import dataclasses
import time
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from harness import config as configs
from harness import formats, timing
from harness.cli import forecast
from harness.cli.app import app
from harness.config import RunConfig
from harness.executors.choice import open_executor
from harness.pilot import Trial, pilot, some
from tests.harness.format_configs import DUEL, config_for
from tests.harness.small_runs import RANDOM, SLOW, setup_of, small_config, write_config

LOCAL = ("--executor", "local", "--workers", "1")


def call(*words: object) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


def trials(config: RunConfig, seconds: float) -> list[Trial]:
    return [Trial(entry, seconds, 10, None, "") for entry in config.games]


@pytest.mark.parametrize(
    ("text", "seconds"), [("30s", 30), ("45m", 2_700), ("2h", 7_200), ("1h30m", 5_400), ("0.5h", 1_800)]
)
def test_times_are_written_as_people_write_them(text: str, seconds: float) -> None:
    assert timing.seconds_of(text) == seconds


@pytest.mark.parametrize("text", ["", "30", "5x", "0s", "m", "10m!", "-5m"])
def test_what_is_no_time_is_refused_with_examples(text: str) -> None:
    with pytest.raises(timing.CannotTime, match="expected a time such as 30s, 45m, 2h or 1h30m"):
        timing.seconds_of(text)


@pytest.mark.parametrize("name", formats.available())
def test_every_format_fills_the_time_and_no_more(name: str) -> None:
    """One more of what is chosen would be too much, by the plan that the format itself makes."""
    config = config_for(name, DUEL, 2 if name == "compare" else 5)
    option = timing.option_of(config)
    one = dataclasses.replace(config, format_options={**config.format_options, option: 10**4})
    left = 1.5 * formats.plan(timing.typical(one)).matches * 1e-2
    found = timing.chosen(config, trials(config, 0.01), 1, "1h", left)
    more = dataclasses.replace(
        found, format_options={**found.format_options, option: found.format_options[option] + 1}
    )
    spare = (1 - timing.RESERVE) * left

    def needed(what: RunConfig) -> float:
        matches = formats.plan(timing.typical(what)).matches
        return timing.playing(what, trials(config, 0.01), 1) + matches * timing.CLOSING

    assert found.timed is not None
    assert found.timed.number == found.format_options[option] > 10**4
    assert needed(found) <= spare < needed(more)


def test_too_little_time_says_what_one_deal_takes(tmp_path: Path) -> None:
    config = small_config(tmp_path)
    with pytest.raises(
        timing.CannotTime, match=r"--time 1s is too short: deals = 1 takes about .* s \(6 mat"
    ):
        timing.chosen(config, trials(config, 1.0), 1, "1s", 1.0)


def test_a_pilot_has_every_bot_in_it_and_few_line_ups(tmp_path: Path) -> None:
    config = small_config(tmp_path, [RANDOM] * 12)
    (table,) = formats.tables(config)
    first = list(next(formats.load("round_robin").rounds(table)))
    met = list({deal_set.line_up: deal_set for deal_set in first}.values())
    chosen = some(met)

    assert len(met) == 66
    assert {ref.name for deal_set in chosen for ref in deal_set.bots} == {ref.name for ref in table.bots}
    assert len(chosen) <= 24


@pytest.mark.parametrize("workers", [1, 2])
def test_a_pilot_measures_real_matches(tmp_path: Path, workers: int) -> None:
    """Each decision of one of the bots sleeps 2 ms."""
    config = small_config(tmp_path, [RANDOM, SLOW])
    executor = open_executor("local", setup_of(config, tmp_path), workers=workers)
    try:
        (found,) = pilot(config, executor, 0.3)
    finally:
        executor.close()

    assert found.lost == ""
    assert found.matches >= 2
    assert found.seconds > 0.002


def test_the_chosen_number_is_kept_and_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = write_config(tmp_path, [RANDOM, RANDOM])
    first = call("run", path, "--time", "5s", *LOCAL)
    kept = tomllib.loads(Path("reports/small/run.toml").read_text())
    number = kept["format"]["deals"]

    assert first.exit_code == 0, first.stderr
    assert f"--time 5s: deals = {number} in place of the config's 10" in first.stderr.replace(",", "")
    assert "keeps it" in first.stderr
    assert f"deals = {number} was chosen for --time 5s" in first.stderr.replace(",", "")
    assert kept["time"] == {"asked": "5s", "option": "deals", "number": number, "instead_of": 10}
    assert configs.loads(Path("reports/small/run.toml").read_text()).timed == configs.read(path).timed

    for words in ((), ("--time", "5s")):
        again = call("run", path, *words, *LOCAL)
        assert again.exit_code == 0, again.stderr
        assert f"is complete: all {2 * number:,} matches are there" in again.stderr

    other = call("run", path, "--time", "5m", *LOCAL)
    assert other.exit_code == 2
    assert f"has deals = {number:,} for --time 5s and goes on so; leave --time 5m out" in other.stderr

    path.write_text(path.read_text().replace("deals = 10", "deals = 1"))
    edited = call("run", path, *LOCAL)
    assert edited.exit_code == 2
    assert f"format.deals  {number} -> 1" in edited.stderr


@pytest.mark.slow
def test_what_was_spent_before_the_choice_is_part_of_the_time(tmp_path: Path) -> None:
    """With half of the time gone there are fewer deals, and with all of it there are none."""
    config = small_config(tmp_path, [RANDOM, SLOW])

    def chosen(spent: float) -> int:
        began = time.monotonic() - spent
        choice = forecast.choose(config, tmp_path / "run", "40s", "local", 1, None, began)
        assert choice.config.timed is not None
        return choice.config.timed.number

    assert chosen(25.0) < chosen(0.0)
    with pytest.raises(timing.CannotTime, match="--time 40s is too short"):
        chosen(39.5)


def test_a_run_without_a_time_does_not_take_one_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = write_config(tmp_path, [RANDOM, RANDOM])
    call("run", path, *LOCAL)
    later = call("run", path, "--time", "1m", *LOCAL)

    assert later.exit_code == 2
    assert later.stderr.startswith("croupier: reports/small was started without --time")


def test_a_dry_run_with_a_time_says_what_would_be_chosen_and_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = write_config(tmp_path, [RANDOM, RANDOM])
    dry = call("run", path, "--time", "1m", "--dry-run", *LOCAL)

    assert dry.exit_code == 0, dry.stderr
    assert "--time 1m: deals = " in dry.stdout
    assert "keeps it" not in dry.stdout
    assert "expected: mean scores ± " in dry.stdout
    assert not Path("reports").exists()


def test_positions_are_as_many_as_they_are() -> None:
    config = configs.read(Path(__file__).parents[2] / "configs" / "puzzles.toml")
    with pytest.raises(timing.CannotTime, match=r"the deals are the positions of puzzles\.jsonl"):
        timing.option_of(config)
