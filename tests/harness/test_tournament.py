"""A run: complete, repeatable on any number of workers, and honest about what went wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness import config, tournament
from harness.config import RunConfig
from harness.executors.base import ExecutorError
from harness.store import open as open_run
from harness.store.verify import verify
from harness.submissions import BadBot
from harness.tournament import CannotContinue, Locked
from tests.harness.small_runs import (
    FATAL,
    LETHAL,
    MEDDLER,
    RANDOM,
    Watch,
    digest_of,
    small_config,
    write_config,
)

MATCHES = 10 * 3 * 2


@pytest.fixture
def settings(tmp_path: Path) -> RunConfig:
    return small_config(tmp_path)


def test_a_run_plays_its_whole_schedule_and_says_so(settings: RunConfig, tmp_path: Path) -> None:
    watch = Watch()
    out = tmp_path / "run"
    result = tournament.run(settings, out=out, executor="local", workers=1, progress=watch)
    assert (result.matches_played, result.matches_total, result.voids_open) == (MATCHES, MATCHES, 0)
    assert not result.interrupted
    assert not result.already_complete
    assert result.digest == digest_of(out)
    assert watch.info is not None
    assert (watch.info.seed, watch.info.matches, watch.info.sets, watch.info.stored) == (5, MATCHES, 30, 0)
    assert (watch.played, watch.stopped) == (MATCHES, True)
    assert verify(out).matches == MATCHES


def test_the_same_command_again_plays_nothing(settings: RunConfig, tmp_path: Path) -> None:
    first = tournament.run(settings, out=tmp_path / "run", executor="local", workers=1)
    again = tournament.run(settings, out=tmp_path / "run", executor="ray", workers=2)
    assert again.already_complete
    assert not again.executor, "expected no workers to be started for nothing"
    assert (again.matches_played, again.matches_total) == (0, MATCHES)
    assert again.digest == first.digest


def test_the_digest_does_not_depend_on_the_workers(settings: RunConfig, tmp_path: Path) -> None:
    """One process, two worker processes: one digest. Ray: test_ray.py."""
    digests = {
        tournament.run(settings, out=tmp_path / f"w{n}", executor="local", workers=n).digest for n in (1, 2)
    }
    assert len(digests) == 1


def test_another_seed_is_another_run(tmp_path: Path) -> None:
    digests = set()
    for seed in (5, 6):
        settings = config.read(write_config(tmp_path / str(seed), [RANDOM, RANDOM], seed=seed))
        out = tmp_path / f"run{seed}"
        digests.add(tournament.run(settings, out=out, executor="local", workers=1).digest)
    assert len(digests) == 2


def test_the_folder_says_what_was_played_and_by_whom(settings: RunConfig, tmp_path: Path) -> None:
    out = tmp_path / "run"
    tournament.run(settings, out=out, executor="local", workers=1)
    assert config.loads((out / "run.toml").read_text(encoding="utf-8"), folder=out).seed == 5
    origin = json.loads((out / "provenance.json").read_text(encoding="utf-8"))
    rules = {"cap": 30, "cap_result": "fewest_cards"}
    assert origin["games"] == [{"name": "kozyri-duel", "rules": rules, "version": 1}]
    assert [bot["version"] for bot in origin["bots"]] == [bot.ref.version for bot in settings.bots]
    assert origin["sessions"][0]["packages"]["pyarrow"]
    for bot in settings.bots:
        kept = out / "bots" / f"{bot.ref.name}-{bot.ref.version}" / f"{bot.ref.name}.py"
        assert kept.read_text(encoding="utf-8") == RANDOM


def test_a_bot_edited_meanwhile_is_played_as_it_was_at_the_start(tmp_path: Path) -> None:
    settings = config.read(write_config(tmp_path, [RANDOM, RANDOM]))

    class Editor(Watch):
        def start(self, info: object) -> None:
            (tmp_path / "bot1.py").write_text("broken", encoding="utf-8")

    out = tmp_path / "run"
    result = tournament.run(settings, out=out, executor="local", workers=2, progress=Editor())
    assert result.matches_played == 20
    assert {record.status for record in open_run(out).records()} == {"completed"}


def test_a_bot_edited_between_reading_and_starting_is_refused(tmp_path: Path) -> None:
    settings = config.read(write_config(tmp_path, [RANDOM, RANDOM]))
    (tmp_path / "bot1.py").write_text(RANDOM + "# edited", encoding="utf-8")
    with pytest.raises(BadBot, match=r"bot1\.py was changed just now"):
        tournament.run(settings, out=tmp_path / "run", executor="local", workers=1)


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        ("seed = 5", "seed = 6", "seed  5 -> 6"),
        ("cap = 30", "cap = 31", "games[0].rules.cap  30 -> 31"),
        ("deals = 10", "deals = 9", "format.deals  10 -> 9"),
        ('isolation = "none"', 'isolation = "auto"', 'isolation  "none" -> "auto"'),
        ("[[bots]]", "limits = { nodes = 5 }\n[[bots]]", "limits.nodes  (none) -> 5"),
    ],
)
def test_other_settings_do_not_continue_a_run_and_the_difference_is_shown(
    tmp_path: Path, before: str, after: str, shown: str
) -> None:
    path = write_config(tmp_path, [RANDOM, RANDOM])
    out = tmp_path / "run"
    tournament.run(config.read(path), out=out, executor="local", workers=1)
    digest = digest_of(out)
    path.write_text(path.read_text(encoding="utf-8").replace(before, after, 1), encoding="utf-8")
    with pytest.raises(CannotContinue) as refused:
        tournament.run(config.read(path), out=out, executor="local", workers=1)
    assert shown in str(refused.value)
    assert digest_of(out) == digest


def test_two_runs_on_one_folder_are_refused_and_nothing_is_touched(
    settings: RunConfig, tmp_path: Path
) -> None:
    out = tmp_path / "run"

    class Second(Watch):
        def advance(self, result: object) -> None:
            with pytest.raises(Locked, match="is being written by process"):
                tournament.run(settings, out=out, executor="local", workers=1)
            self.played += 1

    watch = Second()
    tournament.run(settings, out=out, executor="local", workers=1, progress=watch)
    assert watch.played
    assert verify(out).matches == MATCHES


def test_torn_parts_are_played_again(settings: RunConfig, tmp_path: Path) -> None:
    out = tmp_path / "run"
    first = tournament.run(settings, out=out, executor="local", workers=1)
    (part,) = (out / "seats").glob("*.parquet")
    part.write_bytes(part.read_bytes()[:-100])
    watch = Watch()
    again = tournament.run(settings, out=out, executor="local", workers=1, progress=watch)
    assert again.matches_played == MATCHES
    assert watch.info is not None
    assert any("played again" in note for note in watch.info.notes)
    assert again.digest == first.digest


def test_a_run_that_is_not_finished_says_how_many_matches_are_left(
    settings: RunConfig, tmp_path: Path
) -> None:
    """It simply goes on, so nothing is wrong with it."""
    out = tmp_path / "run"

    class Breaking(Watch):
        def advance(self, result: object) -> None:
            raise RuntimeError("power cut")

    with pytest.raises(RuntimeError):
        tournament.run(settings, out=out, executor="local", workers=1, progress=Breaking())
    found = verify(out)
    assert 0 < found.matches < MATCHES
    assert found.ok
    left = MATCHES - found.matches
    assert f"unfinished: {left} of {MATCHES} matches are not yet played; `croupier run CONFIG` continues" in (
        found.lines
    )


@pytest.mark.parametrize("tables", [("matches",), ("matches", "seats")])
def test_matches_that_a_finished_run_has_lost_are_noticed_and_played_again(
    settings: RunConfig, tmp_path: Path, tables: tuple[str, ...]
) -> None:
    out = tmp_path / "run"
    first = tournament.run(settings, out=out, executor="local", workers=1)
    for table in tables:
        for path in (out / table).glob("*.parquet"):
            path.unlink()
    found = verify(out)
    assert not found.ok
    assert any(line.startswith(f"lost: {MATCHES} of the {MATCHES} matches") for line in found.lines)
    assert tournament.run(settings, out=out, executor="local", workers=1).digest == first.digest
    assert verify(out).ok


def test_a_finished_run_whose_results_were_changed_is_noticed(settings: RunConfig, tmp_path: Path) -> None:
    """The files are whole, and so is each match, but the digest is not that of the run's end."""
    out = tmp_path / "run"
    other = config.read(write_config(tmp_path / "other", [RANDOM, RANDOM, RANDOM], seed=6))
    result = tournament.run(settings, out=out, executor="local", workers=1)
    tournament.run(other, out=tmp_path / "elsewhere", executor="local", workers=1)
    for table in ("matches", "seats"):
        for path in (tmp_path / "elsewhere" / table).glob("*.parquet"):
            path.replace(out / table / path.name)
    found = verify(out)
    assert not found.ok
    assert (
        f"changed: when the run ended, it had {MATCHES} matches and the digest {result.digest}" in found.lines
    )


@pytest.mark.parametrize("begun", [True, False], ids=["unfinished", "finished"])
def test_a_provenance_that_is_gone_is_written_anew(settings: RunConfig, tmp_path: Path, begun: bool) -> None:
    out = tmp_path / "run"
    first = tournament.run(settings, out=out, executor="local", workers=1)
    before = json.loads((out / "provenance.json").read_text(encoding="utf-8"))
    (out / "provenance.json").unlink()
    if begun:
        for table in ("matches", "seats"):
            for path in (out / table).glob("*.parquet"):
                path.unlink()
    again = tournament.run(settings, out=out, executor="local", workers=1)
    after = json.loads((out / "provenance.json").read_text(encoding="utf-8"))
    if not begun:
        del before["self_play"]  # that is looked at when something was played
    assert again.digest == first.digest
    assert {**after, "sessions": []} == {**before, "sessions": []}


@pytest.mark.parametrize("name", ["provenance.json", "run.toml"])
def test_a_file_of_the_run_that_is_spoilt_is_named(settings: RunConfig, tmp_path: Path, name: str) -> None:
    out = tmp_path / "run"
    tournament.run(settings, out=out, executor="local", workers=1)
    (out / name).write_text("{ [", encoding="utf-8")
    with pytest.raises(CannotContinue, match=name):
        tournament.run(settings, out=out, executor="local", workers=1)


def test_a_folder_of_something_else_is_refused_and_left_as_it_is(settings: RunConfig, tmp_path: Path) -> None:
    out = tmp_path / "photos"
    out.mkdir()
    (out / "me.jpg").write_bytes(b"")
    with pytest.raises(CannotContinue, match=r"is not empty and is no run's folder \(it has me\.jpg\)"):
        tournament.run(settings, out=out, executor="local", workers=1)
    assert [path.name for path in out.iterdir()] == ["me.jpg"]


def test_a_run_that_was_cut_off_before_its_first_match_goes_on(settings: RunConfig, tmp_path: Path) -> None:
    out = tmp_path / "run"
    for name in ("matches", "seats", "bots", "logs"):
        (out / name).mkdir(parents=True)
    (out / ".lock").touch()
    (out / ".provenance.json.tmp").touch()
    assert tournament.run(settings, out=out, executor="local", workers=1).matches_played == MATCHES


def test_an_address_contradicts_the_local_executor(settings: RunConfig, tmp_path: Path) -> None:
    with pytest.raises(ExecutorError, match="the executor is to be local"):
        tournament.run(settings, out=tmp_path / "run", executor="local", address="10.0.0.1:6379")
    assert not (tmp_path / "run").exists()


def test_bots_that_reseed_the_global_generator_change_nobodys_game(tmp_path: Path) -> None:
    """The meddler plays as `RANDOM` does: same moves wherever it sits, so the others' games are the same."""
    moves = []
    for name, other in (("plain", RANDOM), ("meddling", MEDDLER)):
        settings = small_config(tmp_path / name, [RANDOM, RANDOM, other])
        tournament.run(settings, out=tmp_path / name / "run", executor="local", workers=1)
        records = open_run(tmp_path / name / "run").records()
        third = settings.bots[2].ref
        moves.append([(r.spec.deal, r.moves) for r in records if third not in r.spec.seats])
    assert moves[0] == moves[1]
    assert moves[0]


def test_a_worker_that_dies_makes_void_tries_and_nothing_is_lost_or_doubled(tmp_path: Path) -> None:
    flag = tmp_path / "flag"
    settings = small_config(tmp_path, [RANDOM, RANDOM, FATAL], options=f'{{ flag = "{flag}" }}')
    calm = tournament.run(settings, out=tmp_path / "calm", executor="local", workers=2)
    flag.touch()
    watch = Watch()
    struck = tournament.run(settings, out=tmp_path / "struck", executor="local", workers=2, progress=watch)
    assert (struck.matches_played, struck.voids_open) == (MATCHES, 0)
    assert struck.digest == calm.digest == digest_of(tmp_path / "struck")
    tries = open_run(tmp_path / "struck").voids()
    assert tries
    assert {tried.why for tried in tries} == {"worker process died: signal SIGKILL"}
    assert any("void, to be played again" in note for note in watch.notes)
    again = {r.spec.id: r.attempt for r in open_run(tmp_path / "struck").records() if r.attempt > 1}
    assert again == {tried.match_id: 2 for tried in tries}


@pytest.mark.slow
def test_a_match_that_always_kills_its_worker_leaves_its_set_open(tmp_path: Path) -> None:
    flag = tmp_path / "flag"
    flag.touch()
    options = f'{{ flag = "{flag}" }}'
    settings = small_config(tmp_path, [RANDOM, RANDOM, LETHAL], deals=1, options=options)
    result = tournament.run(settings, out=tmp_path / "run", executor="local", workers=2)
    assert (result.matches_played, result.voids_open, result.interrupted) == (2, 2, False)
    assert result.open_sets == ("000001-000002", "000001-000003")
    assert len(open_run(tmp_path / "run").voids()) == 4 * 3
    flag.unlink()
    mended = tournament.run(settings, out=tmp_path / "run", executor="local", workers=2)
    assert (mended.matches_played, mended.voids_open, mended.already_complete) == (4, 0, False)
    assert verify(tmp_path / "run").ok


def test_a_match_that_cannot_be_played_at_all_stops_the_run_with_the_reason(
    settings: RunConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("the engine is broken")

    monkeypatch.setattr("engines.kozyri.duel.KozyriDuel.deal", broken)
    with pytest.raises(ExecutorError, match="no match can be played: RuntimeError: the engine is broken"):
        tournament.run(settings, out=tmp_path / "run", executor="local", workers=1)
