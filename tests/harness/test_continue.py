"""Bots that join, change or leave continue a run: only what is missing is played, and nothing is lost."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from harness import config, tournament
from harness.durable import write_text
from harness.store import open as open_run
from harness.store.verify import verify
from harness.tournament import CannotContinue
from tests.harness.events import DEALS, SET, Event
from tests.harness.small_runs import RANDOM, SLOW, digest_of, started, wait_for_parts, write_config

BETTER = RANDOM + "# better\n"
CONSTANT = """
from bots import Bot
class Player(Bot):
    def act(self, seen):
        return seen.moves[0]
"""


@pytest.fixture
def event(tmp_path: Path) -> Event:
    return Event(tmp_path)


def test_a_bot_that_joins_in_the_middle_plays_its_matches_and_the_others_keep_theirs(event: Event) -> None:
    first = event.run()
    event.seated = [0, 3, 1, 2]
    again = event.run()
    assert (first.matches_total, again.matches_total) == (3 * DEALS * SET, 6 * DEALS * SET)
    assert (again.matches_taken, again.matches_played) == (3 * DEALS * SET, 3 * DEALS * SET)
    assert again.digest == digest_of(again.folder) == event.digest_of_fresh_run()


def test_the_rows_that_are_kept_are_the_ones_that_were_measured(event: Event) -> None:
    event.run()
    before = {
        (r.spec.deal, r.spec.seats): (r.started, r.wall_ms) for r in open_run(event.folder / "run").records()
    }
    event.seated = [3, 0, 1, 2]
    event.run()
    joined = event.seated[0]
    after = {
        (r.spec.deal, r.spec.seats): (r.started, r.wall_ms)
        for r in open_run(event.folder / "run").records()
        if f"bot{joined}" not in {ref.name for ref in r.spec.seats}
    }
    assert after == before


def test_a_new_version_of_a_bot_plays_again_and_the_old_ones_results_stay_readable(event: Event) -> None:
    first = event.run()
    (event.folder / "bot1.py").write_text(BETTER, encoding="utf-8")
    again = event.run()
    assert (again.matches_taken, again.matches_played) == (DEALS * SET, 2 * DEALS * SET)
    assert again.digest == digest_of(again.folder) == event.digest_of_fresh_run()
    earlier = verify(again.folder / "earlier" / "1")
    assert (earlier.ok, earlier.digest) == (True, first.digest)


def test_a_version_that_comes_back_finds_its_matches_again(event: Event) -> None:
    first = event.run()
    (event.folder / "bot1.py").write_text(BETTER, encoding="utf-8")
    event.run()
    (event.folder / "bot1.py").write_text(RANDOM, encoding="utf-8")
    again = event.run()
    assert (again.matches_played, again.digest) == (0, first.digest)


def test_a_bot_that_is_withdrawn_leaves_the_tables_and_nothing_is_played(event: Event) -> None:
    first = event.run()
    event.seated = [0, 2]
    again = event.run()
    assert (again.matches_taken, again.matches_played) == (DEALS * SET, 0)
    assert not again.already_complete
    assert again.digest == digest_of(again.folder) == event.digest_of_fresh_run()
    assert verify(again.folder / "earlier" / "1").digest == first.digest


def test_other_options_are_another_bot(tmp_path: Path) -> None:
    picky = "\nfrom bots import Bot\nclass Player(Bot):\n    def __init__(self, game, seat, rng, at=0):\n"
    picky += "        super().__init__(game, seat, rng)\n        self.at = at\n"
    picky += "    def act(self, seen):\n        return seen.moves[self.at]\n"
    for at in (0, -1):
        path = write_config(tmp_path, [RANDOM, picky, RANDOM], deals=DEALS)
        text = path.read_text(encoding="utf-8").replace(
            '"bot1.py"\n', f'"bot1.py"\noptions = {{ at = {at} }}\n'
        )
        path.write_text(text, encoding="utf-8")
        result = tournament.run(config.read(path), out=tmp_path / "run", executor="local", workers=1)
    assert (result.matches_taken, result.matches_played) == (DEALS * SET, 2 * DEALS * SET)
    fresh = tournament.run(config.read(path), out=tmp_path / "fresh", executor="local", workers=1)
    assert result.digest == fresh.digest


@pytest.mark.parametrize("form", ['name = "swiss", deals = 2', 'name = "ladder", rounds = 6, deals = 1'])
def test_formats_that_look_at_results_take_over_what_their_new_rounds_ask_for(
    tmp_path: Path, form: str
) -> None:
    event = Event(tmp_path, bots=4, form=form)
    event.run()
    event.seated = [0, 4, 1, 2, 3]
    again = event.run()
    assert again.matches_taken
    assert again.digest == digest_of(again.folder) == event.digest_of_fresh_run()


def test_the_two_plays_of_self_play_stay_two(tmp_path: Path) -> None:
    """Each was played; one that is taken over twice would prove nothing."""
    event = Event(tmp_path, head="self_play = 2\n")
    event.run()
    event.seated = [3, 0, 1, 2]
    event.run()
    event.seated = [4, 3, 0, 1, 2]
    again = event.run()
    starts = [r.started for r in open_run(again.folder).records() if r.spec.round == 0]
    assert len(starts) == len(set(starts)) == 5 * 2 * 2
    assert again.digest == event.digest_of_fresh_run()


def test_a_run_in_another_folder_takes_over_from_the_run_of_its_name(
    event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(event.folder)
    first = event.run(None)
    assert first.folder == Path("reports/small")
    (event.folder / "bot1.py").write_text(BETTER, encoding="utf-8")
    again = event.run("second")
    assert (again.matches_taken, again.matches_played) == (DEALS * SET, 2 * DEALS * SET)
    assert digest_of(first.folder) == first.digest
    for path in sorted(first.folder.rglob("*.parquet")):
        path.unlink()
    assert again.digest == event.digest_of_fresh_run()


@pytest.mark.parametrize("change", [("seed = 5", "seed = 6"), ("cap = 30", "cap = 31")])
def test_nothing_is_taken_over_from_a_run_with_other_seed_or_rules(
    event: Event, monkeypatch: pytest.MonkeyPatch, change: tuple[str, str]
) -> None:
    monkeypatch.chdir(event.folder)
    event.run(None)
    event.change(*change)
    again = event.run("second")
    assert (again.matches_taken, again.matches_played) == (0, 3 * DEALS * SET)


def test_a_config_without_any_of_the_runs_bots_is_another_run(event: Event) -> None:
    event.run()
    event.seated = [3, 4]
    with pytest.raises(CannotContinue, match=r'bots +"bot0, bot1, bot2" -> "bot3, bot4"'):
        event.run()
    assert not (event.folder / "run" / "earlier").exists()


def test_what_cannot_be_read_any_more_is_played_again(event: Event) -> None:
    event.run()
    event.seated = [0, 1, 2, 3]
    (event.folder / "run" / "earlier").mkdir()
    again = event.run()
    (part,) = (again.folder / "earlier" / "1" / "seats").glob("*.parquet")
    part.write_bytes(part.read_bytes()[:-50])
    event.seated = [4, 0, 1]
    third = event.run()
    assert third.digest == event.digest_of_fresh_run()


class PowerCut(BaseException):
    """Nothing after this happens."""


def cut_after(steps: int, real: Callable[..., object]) -> Callable[..., object]:
    """`real`, that many times."""
    left = [steps]

    def step(*arguments: object, **options: object) -> object:
        if not left[0]:
            raise PowerCut
        left[0] -= 1
        return real(*arguments, **options)

    return step


@pytest.mark.parametrize("steps", range(6))
def test_a_change_of_bots_cut_off_at_any_step_ends_the_same(
    event: Event, monkeypatch: pytest.MonkeyPatch, steps: int
) -> None:
    """The power goes at the n-th rename of a folder or of a small file."""
    event.run()
    event.seated = [0, 3, 1, 2]
    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", cut_after(steps, Path.rename))
        patch.setattr("harness.store.earlier.write_text", cut_after(steps, write_text))
        try:
            event.run()
        except PowerCut:
            pass
        else:
            assert steps >= 4, "expected to be cut off"
    again = event.run()
    assert again.matches_total == 6 * DEALS * SET
    assert again.digest == digest_of(again.folder) == event.digest_of_fresh_run()
    assert not list((again.folder / "earlier").glob(".*"))


@pytest.mark.slow
def test_a_change_of_bots_killed_at_random_moments_ends_the_same(tmp_path: Path) -> None:
    """SIGKILL while rows are taken over or the rest is played, twice."""
    event = Event(tmp_path, bots=3)
    (tmp_path / "bot3.py").write_text(SLOW, encoding="utf-8")
    event.change(f"deals = {DEALS}", "deals = 12")
    event.run(workers=2)
    event.seated = [3, 0, 1, 2]
    digest = event.run("fresh", workers=2).digest
    luck = random.Random(20261130)
    out = tmp_path / "run"
    for number in range(2):
        with started(event.path, out, "--executor", "local", "--workers", "2") as process:
            if number:
                wait_for_parts(out, number, process)
            time.sleep(luck.uniform(0, 1 if number == 0 else 0.3))
            process.kill()
    again = event.run(workers=2)
    assert (again.digest, digest_of(out)) == (digest, digest)
