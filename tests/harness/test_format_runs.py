"""Every format played for real: any number of workers, interrupted or not, the result is the same."""

from __future__ import annotations

import dataclasses
import re
import signal
from pathlib import Path
from typing import Any

import pytest

from harness import config, formats, tournament
from harness import report as reports
from harness.config import RunConfig
from harness.executors.base import BatchResult
from harness.store import open as open_run
from tests.harness.small_runs import LETHAL, RANDOM, Watch, digest_of, small_config

FIRST = """
from bots import Bot
class Player(Bot):
    def act(self, seen):
        return seen.moves[0]
"""

OPTIONS: dict[str, dict[str, Any]] = {
    "round_robin": {"deals": 3, "line_ups": 4},
    "gauntlet": {"deals": 3, "challengers": ["bot1", "bot2"]},
    "swiss": {"deals": 2},
    "knockout": {"deals": 2},
    "ladder": {"rounds": 4, "deals": 2},
    "adaptive": {"deals": 2, "budget": 30},
}
TITLES = {
    "swiss": "Swiss table after round 4 of 4",
    "knockout": "Knock-out won by bot",
    "ladder": "Ladder after round 4 of 4",
    "adaptive": "Order after",
}
"""Of the formats that have standings of their own."""


class Interrupter(Watch):
    """Presses Ctrl-C when the second batch is in."""

    batches = 0

    def advance(self, result: BatchResult) -> None:
        super().advance(result)
        self.batches += 1
        if self.batches == 2:
            signal.raise_signal(signal.SIGINT)


def of_format(name: str, settings: RunConfig) -> RunConfig:
    chosen = formats.load(name).Options.of(OPTIONS[name])
    return dataclasses.replace(settings, format=name, format_options=dataclasses.asdict(chosen))


@pytest.mark.parametrize("name", OPTIONS)
def test_interrupted_continued_or_spread_over_workers_the_digest_is_the_same(
    name: str, tmp_path: Path
) -> None:
    settings = of_format(name, small_config(tmp_path, [RANDOM, FIRST, RANDOM, RANDOM, FIRST]))
    whole = tournament.run(settings, out=tmp_path / "whole", executor="local", workers=1)
    assert whole.matches_played == whole.matches_total > 0

    cut = tmp_path / "cut"
    stopped = tournament.run(settings, out=cut, executor="local", workers=1, progress=Interrupter())
    rest = tournament.run(settings, out=cut, executor="local", workers=2)

    assert stopped.interrupted
    assert stopped.matches_played + rest.matches_played == whole.matches_total
    assert rest.digest == whole.digest == digest_of(cut)
    again = tournament.run(settings, out=cut, executor="local", workers=1)
    assert again.already_complete


@pytest.mark.parametrize("name", OPTIONS)
def test_a_report_shows_the_formats_own_standings_and_knows_when_a_run_is_over(
    name: str, tmp_path: Path
) -> None:
    settings = of_format(name, small_config(tmp_path, [RANDOM, FIRST, RANDOM, RANDOM, FIRST]))
    out = tmp_path / "run"
    result = tournament.run(settings, out=out, executor="local", workers=1)
    report = reports.write(out)

    assert report.complete
    assert report.planned == report.matches == result.matches_total
    summary = report.standings[0].summary
    assert (summary is not None) == (name in TITLES)
    if summary is not None:
        assert summary.title.startswith(TITLES[name])
        written = (out / "report.md").read_text(encoding="utf-8")
        assert f"### {summary.title}" in written
        assert all(re.search(rf"\b{row[1].split()[0]}\b", written) for row in summary.rows)


def test_a_run_that_could_go_on_is_not_complete(tmp_path: Path) -> None:
    settings = of_format("swiss", small_config(tmp_path, [RANDOM, FIRST, RANDOM, RANDOM]))
    out = tmp_path / "run"
    tournament.run(settings, out=out, executor="local", workers=1, progress=Interrupter())
    report = reports.write(out)

    assert not report.complete
    assert report.standings[0].summary is not None


@pytest.mark.slow
def test_a_round_with_an_open_set_is_not_gone_past(tmp_path: Path) -> None:
    """What comes after it depends on how it ends: the run stops there, and goes on when it can be played."""
    flag = tmp_path / "flag"
    options = f'{{ flag = "{flag}" }}'
    settings = of_format("swiss", small_config(tmp_path, [RANDOM, FIRST, RANDOM, LETHAL], options=options))
    calm = tournament.run(settings, out=tmp_path / "calm", executor="local", workers=2)
    flag.touch()
    struck = tournament.run(settings, out=tmp_path / "struck", executor="local", workers=2)

    assert struck.voids_open == 2
    assert {record.spec.round for record in open_run(tmp_path / "struck").records()} == {1}
    flag.unlink()
    mended = tournament.run(settings, out=tmp_path / "struck", executor="local", workers=2)
    assert mended.voids_open == 0
    assert mended.digest == calm.digest


def test_partners_that_change_are_rated_one_by_one(tmp_path: Path) -> None:
    path = tmp_path / "mixed.toml"
    bots = "".join(f'[[bots]]\nname = "bot{n}"\nbot = "uniform"\n' for n in range(5))
    path.write_text(
        'game = "seven-symbols"\nrules = { scoring = "simple" }\n'
        f'format = {{ name = "round_robin", deals = 2, partners = "mixed" }}\n{bots}',
        encoding="utf-8",
    )
    tournament.run(config.read(path), out=tmp_path / "run", executor="local", workers=1)
    report = reports.write(tmp_path / "run")

    # Nothing is said of bots that cannot be told apart; that the order of so few matches matters, is.
    assert all("depend on the order of matches" in warning for warning in report.warnings)
    assert [line.statistics.games for line in report.standings[0].lines] == [4 * 12 * 2] * 5
