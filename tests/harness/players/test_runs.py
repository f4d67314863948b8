"""Runs with strangers among the bots: the level is stored, faults are found out, results are the same."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from rich.console import Console

import harness
from benchmarks.holdings import descendants
from harness import config, tournament
from harness.players import levels
from harness.report import data, html, markdown, model, terminal
from tests.harness.players.seats import FIRST, best, bot
from tests.harness.players.test_levels import REFUSING, ROOT
from tests.harness.players.test_lifetime import parent_of
from tests.harness.small_runs import RANDOM, Watch, digest_of, small_config, write_config

EXITS = bot("import os\nif len(seen.history) > 4: os._exit(0)\nreturn seen.moves[0]")


def written(folder: Path, bots: list[str], isolation: str, deals: int = 3, more: str = "") -> Path:
    """A config with these bots at that level, with `uniform` among them."""
    path = write_config(folder, bots, deals=deals)
    text = path.read_text().replace('isolation = "none"', f'isolation = "{isolation}"\n{more}')
    path.write_text(text + '[[bots]]\nbot = "uniform"\n')
    return path


def levels_of(folder: Path) -> set[str]:
    return set(harness.open_run(folder).matches["isolation"])


def test_what_ships_plays_in_process_and_strangers_at_the_best_level_there_is(tmp_path: Path) -> None:
    settings = config.read(written(tmp_path, [RANDOM], "auto"))
    watch = Watch()
    tournament.run(settings, out=tmp_path / "out", executor="local", workers=1, progress=watch)
    assert levels_of(tmp_path / "out") == {best()}
    assert watch.info is not None
    assert watch.info.isolation.startswith(best())
    ours = settings.bots[-1:]
    path = tmp_path / "ours.toml"
    path.write_text(
        'game = "kozyri-duel"\nformat = { name = "round_robin", deals = 1 }\n'
        '[[bots]]\nbot = "uniform"\n[[bots]]\nname = "other"\nbot = "uniform"\n'
    )
    tournament.run(config.read(path), out=tmp_path / "ours", executor="local", workers=1)
    assert levels_of(tmp_path / "ours") == {"none"}
    assert ours[0].source.kind == "shipped"


def test_a_config_that_names_a_level_seats_everybody_at_it_with_the_same_results(tmp_path: Path) -> None:
    path = written(tmp_path, [RANDOM, FIRST], "none")
    digests = set()
    for level in ("none", "bounded", best()):
        out = tmp_path / level
        tournament.run(config.read(path, isolation=level), out=out, executor="local", workers=1)
        assert levels_of(out) == {level}
        digests.add(digest_of(out))
    assert len(digests) == 1


def test_two_workers_play_isolated_bots_as_one_does(tmp_path: Path) -> None:
    settings = config.read(written(tmp_path, [RANDOM, FIRST], "auto", deals=2))
    for workers in (1, 2):
        tournament.run(settings, out=tmp_path / str(workers), executor="local", workers=workers)
    assert digest_of(tmp_path / "1") == digest_of(tmp_path / "2")


def test_a_bot_that_ends_its_worker_is_found_out_at_the_second_try(tmp_path: Path) -> None:
    settings = small_config(tmp_path, [EXITS, RANDOM], deals=2)
    watch = Watch()
    result = tournament.run(settings, out=tmp_path / "out", executor="local", workers=2, progress=watch)
    assert result.voids_open == 0
    assert any("void" in note for note in watch.notes)
    seats = harness.open_run(tmp_path / "out").seats
    crashes = [fault["kind"] for faults in seats[seats["bot"] == "bot0"]["faults"] for fault in faults]
    assert crashes
    assert set(crashes) == {"crash"}
    assert not any(len(faults) for faults in seats[seats["bot"] == "bot1"]["faults"])


def test_a_zygote_that_is_killed_costs_nothing_but_time(tmp_path: Path) -> None:
    path = written(tmp_path, [RANDOM, FIRST], "auto", deals=12)
    tournament.run(config.read(path), out=tmp_path / "whole", executor="local", workers=1)
    program = [
        sys.executable,
        "-m",
        "harness",
        "run",
        str(path),
        "--out",
        str(tmp_path / "out"),
        "--workers",
        "1",
    ]
    run = subprocess.Popen([*program, "--executor", "local"], cwd=ROOT, stderr=subprocess.PIPE, text=True)
    killed = 0
    until = time.monotonic() + 100
    while run.poll() is None and killed < 2 and time.monotonic() < until:
        children = [p for p in descendants(run.pid) if parent_of(p) == run.pid]
        if (tmp_path / "out" / "run.toml").exists() and children:
            os.kill(children[0], signal.SIGKILL)
            killed += 1
        time.sleep(0.2)
    said = run.communicate(timeout=100)[1]
    assert run.returncode == 0, said
    assert digest_of(tmp_path / "out") == digest_of(tmp_path / "whole")


def test_no_run_starts_below_the_level_that_it_names(tmp_path: Path) -> None:
    if best() != "sealed":
        pytest.skip("this machine itself lacks some layer")
    path = written(tmp_path, [FIRST], "sealed")
    program = REFUSING.format(refused=[("unshare", 1)]) + (
        f"sys.argv = ['croupier', 'run', {str(path)!r}, '--out', {str(tmp_path / 'out')!r}]\n"
        "from harness.cli import main\nmain()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr == (
        "croupier: isolation: sealed cannot be had here: unshare: Operation not permitted. "
        "The best there is: --isolation locked\n"
    )
    assert not (tmp_path / "out").exists()


def test_reading_a_config_runs_no_code_of_strangers_here(tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    nosy = bot("return 0", f"open({str(marker)!r}, 'w').close()")
    with pytest.raises(config.ConfigError, match="Read-only file system"):
        config.read(written(tmp_path, [nosy], "auto"))
    assert not marker.exists()


def test_a_bot_that_does_not_even_come_to_its_class_stops_no_event(tmp_path: Path) -> None:
    gone = bot("return 0", "import os; os._exit(0)")
    settings = config.read(written(tmp_path, [gone, FIRST], "auto", deals=1))
    tournament.run(settings, out=tmp_path / "out", executor="local", workers=1)
    seats = harness.open_run(tmp_path / "out").seats
    assert {len(faults) for faults in seats[seats["bot"] == "bot0"]["faults"]} == {1}
    assert {len(faults) for faults in seats[seats["bot"] != "bot0"]["faults"]} == {0}


def test_what_strangers_print_is_kept_with_the_run(tmp_path: Path) -> None:
    loud = bot("print('seat', self.seat)\nreturn seen.moves[0]")
    settings = config.read(written(tmp_path, [loud], "auto", deals=1))
    tournament.run(settings, out=tmp_path / "out", executor="local", workers=1)
    ref = settings.bots[0].ref
    # Beside what it printed in the bots' check at the end, which is round 0.
    kept = sorted((tmp_path / "out" / "logs" / f"bot0-{ref.version}").glob("000001-*"))
    assert len(kept) == 2
    assert {path.read_text().splitlines()[0] for path in kept} == {"seat 0", "seat 1"}


def test_levels_are_ordered() -> None:
    assert levels.weakest(["sealed", "locked"]) == "locked"
    assert levels.weakest([]) == "none"


@pytest.mark.slow
def test_strangers_play_alike_inside_ray_workers(tmp_path: Path) -> None:
    settings = config.read(written(tmp_path, [RANDOM, FIRST], "auto", deals=2))
    tournament.run(settings, out=tmp_path / "here", executor="local", workers=1)
    result = tournament.run(settings, out=tmp_path / "ray", executor="ray", workers=2)
    assert (result.executor, result.voids_open) == ("ray", 0)
    assert digest_of(tmp_path / "here") == digest_of(tmp_path / "ray")
    assert levels_of(tmp_path / "ray") == {best()}


def test_bots_own_numbers_are_columns_of_every_report_and_nothing_in_their_names_is_obeyed(
    tmp_path: Path,
) -> None:
    names = ["nodes", "<b>|[red]", *(f"m{n}" for n in range(8))]
    notes = "\n".join(f"seen.metric({name!r}, {value})" for value, name in enumerate(names, start=1))
    settings = config.read(written(tmp_path, [bot(f"{notes}\nreturn seen.moves[0]"), FIRST], "auto", deals=1))
    tournament.run(settings, out=tmp_path / "out", executor="local", workers=1)
    run = harness.open_run(tmp_path / "out")
    found = model.build(run)
    (own,) = json.loads(data.json_text(found))["standings"][0]["own_numbers"]
    assert (own["bot"], own["means"]) == ("bot0", {name: n for n, name in enumerate(names, start=1)})
    assert r"| Bot  | \<b>\|\[red] | m0 " in markdown.text(found)
    shown = Console(file=io.StringIO(), record=True, width=160)
    terminal.show(found, shown)
    text = shown.export_text()
    assert "Bot   <b>|[red]  m0" in text
    assert "4 more are in the column metrics of the results." in text
    page = html.write(run, found).read_text(encoding="utf-8")
    assert "<b>|" not in page
    assert "&lt;b&gt;|[red]" in page


def test_a_bots_own_numbers_too_large_to_be_added_up_spoil_no_report(tmp_path: Path) -> None:
    huge = bot("if not seen.history: seen.metric('huge', 1.7e308)\nseen.metric('n', 1)\nreturn seen.moves[0]")
    settings = config.read(written(tmp_path, [huge, FIRST], "auto", deals=2))
    tournament.run(settings, out=tmp_path / "out", executor="local", workers=1)
    run = harness.open_run(tmp_path / "out")
    assert sum("huge" in dict(own) for own in run.seats["metrics"]) > 1
    (own,) = json.loads(data.json_text(model.build(run)))["standings"][0]["own_numbers"]
    assert (own["bot"], own["means"]) == ("bot0", {"n": 1.0})
