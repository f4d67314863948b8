"""`repair`: whatever happened to a run's files, the run ends as it would have, and nothing is deleted."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from harness import config, tournament
from harness.cli.app import app
from harness.config import RunConfig
from harness.store.compact import compact
from harness.store.parquet import Locked, ParquetStore
from harness.store.repair import Repaired, repair
from harness.store.verify import verify
from tests.harness.small_runs import RANDOM, Watch, digest_of, write_config

DEALS = 6
MATCHES = 3 * DEALS * 2


class Run:
    """A finished run of several parts, whose files tests spoil."""

    def __init__(self, folder: Path) -> None:
        self.settings: RunConfig = config.read(write_config(folder, [RANDOM] * 3, deals=DEALS))
        self.out = folder / "run"
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("harness.store.parquet.FLUSH_SECONDS", (0.0, 0.0))
            patch.setattr("harness.store.parquet.compaction.compact", lambda folder: 0)
            self.digest = self.play()

    def play(self) -> str:
        return tournament.run(self.settings, out=self.out, executor="local", workers=1).digest

    def parts(self, table: str = "matches") -> list[Path]:
        return sorted((self.out / table).glob("part-*.parquet"))

    def files(self) -> set[bytes]:
        """The content of every part file, wherever it is."""
        return {path.read_bytes() for path in self.out.rglob("*part-*") if path.is_file()}


@pytest.fixture
def run(tmp_path: Path) -> Run:
    found = Run(tmp_path)
    assert len(found.parts()) > 3
    return found


def mended(run: Run) -> Repaired:
    """Repair it; then `verify` is clean, nothing is deleted, and playing on ends the same."""
    before = run.files()
    done = repair(run.out)
    assert before <= run.files()
    found = verify(run.out)
    assert (found.ok, found.orphans, found.alien) == (True, [], []), found.lines
    assert run.play() == run.digest == digest_of(run.out)
    assert verify(run.out).matches == MATCHES
    return done


def truncate(run: Run) -> None:
    path = run.parts()[1]
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def flip(run: Run) -> None:
    path = run.parts("seats")[1]
    content = bytearray(path.read_bytes())
    content[40] ^= 0xFF
    path.write_bytes(content)


def double(run: Run) -> None:
    for table in ("matches", "seats"):
        shutil.copy(run.parts(table)[1], run.out / table / "part-copy.parquet")


def lose_matches(run: Run) -> None:
    run.parts()[1].unlink()


def lose_seats(run: Run) -> None:
    run.parts("seats")[1].unlink()


def other_columns(run: Run) -> None:
    for table in ("matches", "seats"):
        pq.write_table(pa.table({"match_id": ["x"]}), run.out / table / "part-x.parquet")


def leftovers(run: Run) -> None:
    (run.out / "matches" / ".part-000009-000001-01.parquet.tmp").write_bytes(b"half")
    (run.out / "seats" / "notes.txt").write_text("mine")


def voids(run: Run) -> None:
    (run.out / "voids.parquet").write_bytes(b"PAR1")


def foreign(run: Run) -> None:
    """Parts of a run with another bot, under ids that this run has as well."""
    other = write_config(run.out.parent / "other", [RANDOM, RANDOM, RANDOM + "# other\n"], deals=DEALS)
    there = run.out.parent / "elsewhere"
    tournament.run(config.read(other), out=there, executor="local", workers=1)
    for table in ("matches", "seats"):
        (path,) = (there / table).glob("*.parquet")
        path.replace(run.out / table / "part-foreign.parquet")


@pytest.mark.parametrize(
    ("spoil", "why", "lost"),
    [
        (truncate, "is no whole Parquet file", True),
        (flip, "is damaged", True),
        (double, "has matches that are there already", False),
        (lose_matches, "left over from a write that was cut off", True),
        (lose_seats, "is missing", True),
        (other_columns, "has other columns", False),
        (leftovers, "is none of the run's files", False),
        (voids, "cannot be read", False),
        (foreign, "is another run's: bot2", False),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_cannot_be_used_is_put_aside_and_the_run_ends_the_same(
    run: Run, spoil: Callable[[Run], None], why: str, lost: bool
) -> None:
    spoil(run)
    done = mended(run)
    assert any(why in aside.why for aside in done.aside), done.aside
    assert bool(done.missing) == lost


def test_matches_that_are_there_in_two_versions_are_played_again(run: Run) -> None:
    """Nobody knows which is right: both go."""
    with ParquetStore(run.out) as store:
        tables = next(store.reading.tables())
        at = tables.matches.schema.get_field_index("plies")
        wrong = tables.matches.set_column(
            at, tables.matches.schema.field(at), pa.array([1] * tables.matches.num_rows, pa.int32())
        )
        pq.write_table(wrong, run.out / "matches" / "part-wrong.parquet")
        pq.write_table(tables.seats, run.out / "seats" / "part-wrong.parquet")
    done = mended(run)
    assert [aside.why.split(" ", 1)[1] for aside in done.aside] == [
        "has matches that are there twice and not the same"
    ] * 2


def test_a_run_in_order_is_left_as_it_is(run: Run) -> None:
    before = {path: path.stat().st_mtime_ns for path in run.out.rglob("*") if path.is_file()}
    done = repair(run.out)
    assert (done.aside, done.missing) == ([], [])
    after = {path: path.stat().st_mtime_ns for path in run.out.rglob("*") if path.is_file()}
    assert {**after, run.out / ".lock": 0} == {**before, run.out / ".lock": 0}


def test_a_run_that_is_being_played_is_not_repaired(tmp_path: Path) -> None:
    settings = config.read(write_config(tmp_path, [RANDOM] * 3, deals=DEALS))
    out = tmp_path / "run"

    class Mending(Watch):
        def advance(self, result: object) -> None:
            with pytest.raises(Locked, match="is being written by process"):
                repair(out)
            self.played += 1

    watch = Mending()
    tournament.run(settings, out=out, executor="local", workers=1, progress=watch)
    assert watch.played


@pytest.mark.parametrize("seed", range(4))
def test_parts_truncated_anywhere_are_found_by_the_next_start_too(run: Run, seed: int) -> None:
    """Without `repair`: the same command puts them aside and plays what they had."""
    luck = random.Random(seed)
    for path in luck.sample([*run.parts(), *run.parts("seats")], 3):
        path.write_bytes(path.read_bytes()[: luck.randrange(path.stat().st_size)])
    if seed % 2:
        compacted = run.out / ".compaction.json"
        assert not compacted.exists()
    assert not verify(run.out).ok
    assert run.play() == run.digest == digest_of(run.out)


@pytest.mark.parametrize("out", ["--out elsewhere", "--out=elsewhere"])
def test_of_a_copy_the_command_that_goes_on_names_the_copy(run: Run, out: str) -> None:
    truncate(run)
    path = run.out / "provenance.json"
    origin = json.loads(path.read_text(encoding="utf-8"))
    origin["sessions"][-1]["command"] = f"croupier run a.toml {out} --workers 2"
    path.write_text(json.dumps(origin), encoding="utf-8")

    aimed = out.replace("elsewhere", str(run.out))
    assert repair(run.out).command == f"croupier run a.toml {aimed} --workers 2"


def test_the_command_says_what_it_did_and_which_command_goes_on(run: Run) -> None:
    truncate(run)
    result = CliRunner().invoke(app, ["repair", str(run.out)])
    assert result.exit_code == 0, result.output
    said = result.output.splitlines()
    name = run.parts()[1].name
    assert any(line.startswith("put aside: matches/") and "is no whole Parquet file" in line for line in said)
    assert name
    left = MATCHES - verify(run.out).matches
    assert any(line.startswith(f"missing: {left} matches: 000001-") for line in said)
    assert said[-1] == f"this plays them: croupier run CONFIG --out {run.out}"
    again = CliRunner().invoke(app, ["verify", str(run.out)])
    assert again.exit_code == 0, again.output


def test_after_repair_small_parts_are_put_together_as_ever(run: Run) -> None:
    double(run)
    repair(run.out)
    assert compact(run.out) > 0
    assert digest_of(run.out) == run.digest
