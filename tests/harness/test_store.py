"""Part files: whole or not there, found again, set aside when torn, put together safely."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.analysis import frames
from harness.durable import replace
from harness.luck import deal_luck
from harness.records import BotRef, Fault, Limits, MatchRecord, MatchSpec, SeatRecord, VoidTry
from harness.store import compact, find_match, reading, split_sets
from harness.store import open as open_run
from harness.store.parquet import Locked, ParquetStore
from harness.store.parts import Part, StoreError, fault, write_part
from harness.store.schema import MATCH_COLUMNS, MATCHES, SEAT_COLUMNS, SEATS
from harness.store.tables import tables_of
from harness.store.verify import run_digest, verify

A = BotRef("a", "a" * 12, '{"depth":2}')
B = BotRef("b", "b" * 12)
RUN_TOML = """
seed = 5
[limits]
nodes = 7
[[bots]]
name = "a"
options = { depth = 2 }
[[bots]]
name = "b"
"""


def spec(number: int, seating: int = 1, seats: tuple[BotRef, ...] = (A, B)) -> MatchSpec:
    return MatchSpec(
        id=f"000001-{number:06}-{seating:02}",
        game="toy",
        rules="{}",
        deal=f"toy/{number}",
        luck=deal_luck(5, "toy", number),
        round=1,
        line_up=1,
        seating=seating,
        seats=seats,
        seed=5,
        limits=Limits(nodes=7),
    )


def record(number: int, seating: int = 1, score: float = 1.0) -> MatchRecord:
    seats = tuple(
        SeatRecord(bot=ref, side=side, score=score if side == 0 else 0.0, place=1 + side)
        for side, ref in enumerate((A, B))
    )
    return MatchRecord(spec(number, seating), "completed", "won", (3, 1, 2), (0, 1, 0), seats)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "run.toml").write_text(RUN_TOML, encoding="utf-8")
    return tmp_path


def add(folder: Path, *batches: Sequence[MatchRecord]) -> None:
    """One part a batch."""
    with ParquetStore(folder) as store:
        for batch in batches:
            store.append(tables_of(batch))
            store.flush()


def names(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.glob("*/*.parquet"))


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
lines = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=20).map(
    lambda text: " ".join(text.split())
)
small_floats = st.floats(0, 1e6, width=32)


@st.composite
def seat_records(draw: st.DrawFn, ref: BotRef) -> SeatRecord:
    return SeatRecord(
        bot=ref,
        side=draw(st.integers(0, 4)),
        score=draw(st.floats(allow_nan=False)),
        place=draw(st.integers(1, 5)),
        faults=tuple(
            draw(
                st.lists(
                    st.builds(Fault, st.integers(-1, 9000), st.sampled_from(["illegal", "time"]), lines),
                    max_size=3,
                )
            )
        ),
        decisions=draw(st.integers(0, 9000)),
        cpu_ms=draw(st.floats(0, 1e9)),
        cpu_ms_max=draw(small_floats),
        metrics=tuple(draw(st.dictionaries(texts, st.floats(allow_nan=False), max_size=3)).items()),
    )


@st.composite
def match_records(draw: st.DrawFn, number: int) -> MatchRecord:
    refs = tuple(draw(st.lists(st.sampled_from([A, B]), min_size=1, max_size=5)))
    moves = draw(st.lists(st.tuples(st.integers(0, 2**15 - 1), st.integers(0, len(refs) - 1)), max_size=9))
    clocks = draw(st.one_of(st.just(()), st.tuples(*[st.integers(0, 2**32 - 1) for _ in moves])))
    started = draw(st.one_of(st.none(), st.integers(0, 2**50)))
    return MatchRecord(
        spec=spec(number, draw(st.integers(1, 99)), refs),
        status=draw(st.sampled_from(["completed", "forfeit"])),
        reason=draw(st.sampled_from(["won", "cap", None])),
        moves=tuple(move for move, _ in moves),
        move_seats=tuple(seat for _, seat in moves),
        seats=tuple(draw(seat_records(ref)) for ref in refs),
        move_cpu_us=clocks,
        attempt=draw(st.integers(1, 3)),
        started=None
        if started is None
        else datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=started),
        wall_ms=draw(small_floats),
        worker=draw(texts),
        isolation=draw(st.sampled_from(["none", "locked"])),
    )


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_a_record_comes_back_from_its_rows_as_it_was(data: st.DataObject) -> None:
    count = data.draw(st.integers(1, 6))
    records = [data.draw(match_records(number)) for number in range(count)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "run.toml").write_text(RUN_TOML, encoding="utf-8")
        cut = data.draw(st.integers(0, count))
        shuffled = data.draw(st.permutations(records))
        add(folder, *[batch for batch in (shuffled[:cut], shuffled[cut:]) if batch])
        assert list(open_run(folder).records()) == records
        assert find_match(folder, records[-1].spec.id) == records[-1]


def test_every_part_has_every_column_with_its_unit_and_the_schema_version(folder: Path) -> None:
    add(folder, [record(1)])
    for table, schema, columns in (("matches", MATCHES, MATCH_COLUMNS), ("seats", SEATS, SEAT_COLUMNS)):
        (path,) = (folder / table).glob("*.parquet")
        written = pq.read_schema(path)
        assert written.names == [column.name for column in columns]
        assert written.types == schema.types
        assert written.metadata[b"croupier.schema"] == b"1"
        for column in columns:
            assert column.doc
            unit = (written.field(column.name).metadata or {}).get(b"unit", b"").decode()
            assert unit == column.unit


def test_pandas_reads_a_table_of_several_parts_without_our_code(folder: Path) -> None:
    add(folder, [record(1), record(2)], [record(3, score=0.5)])
    means = pd.read_parquet(folder / "seats").groupby("bot", observed=True).score.mean()
    assert means.to_dict() == {"a": pytest.approx(2.5 / 3), "b": 0.0}


def test_parts_are_named_by_their_first_match_and_leave_nothing_else(folder: Path) -> None:
    add(folder, [record(2), record(1)], [record(3)])
    parts = ["part-000001-000001-01.parquet", "part-000001-000003-01.parquet"]
    assert names(folder) == [f"{table}/{part}" for table in ("matches", "seats") for part in parts]
    assert not list(folder.glob("*/.*"))


def test_a_match_is_never_written_over(folder: Path) -> None:
    add(folder, [record(1)])
    with pytest.raises(StoreError, match="is there already"):
        write_part(folder, tables_of([record(1)]), {})


def test_seats_without_their_matches_are_not_read_and_go_at_the_next_start(folder: Path) -> None:
    add(folder, [record(1)], [record(2)])
    (folder / "matches" / "part-000001-000002-01.parquet").unlink()
    (folder / "matches" / ".part-000001-000009-01.parquet.tmp").write_bytes(b"half")
    assert [r.spec.id for r in open_run(folder).records()] == ["000001-000001-01"]
    with ParquetStore(folder) as store:
        assert any("part-000001-000002-01.parquet: removed" in note for note in store.notes)
        assert len(store.known()) == 1
    assert names(folder) == [f"{t}/part-000001-000001-01.parquet" for t in ("matches", "seats")]
    assert not list(folder.glob("*/.*"))


@pytest.mark.parametrize("table", ["matches", "seats"])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.99])
def test_a_truncated_part_is_reported_set_aside_and_no_longer_known(
    folder: Path, table: str, share: float
) -> None:
    add(folder, [record(1)], [record(2)])
    path = folder / table / "part-000001-000002-01.parquet"
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * share)])
    assert any(f"{table}/part-000001-000002-01.parquet" in line for line in verify(folder).torn)
    with ParquetStore(folder) as store:
        (note,) = store.notes
        assert "played again" in note
        known = store.known()
        assert known.has(spec(1)) is True
        assert known.has(spec(2)) is False
    assert len(list((folder / "damaged").glob("*/part-000001-000002-01.parquet.*"))) == 2
    assert verify(folder).ok


def test_files_that_are_no_parts_are_left_alone_and_named(folder: Path) -> None:
    add(folder, [record(1)])
    others = [
        folder / "matches" / "notes.txt",
        folder / "matches" / ".DS_Store",
        folder / "seats" / "old.csv",
    ]
    for path in others:
        path.write_text("mine")
    with ParquetStore(folder) as store:
        assert store.notes == [f"{p}: left alone, it is none of the run's files" for p in others if p.suffix]
    assert all(path.read_text() == "mine" for path in others)
    found = verify(folder)
    assert found.ok
    assert "none of the run's files: matches/notes.txt" in found.lines


def test_a_part_with_other_columns_is_set_aside(folder: Path) -> None:
    add(folder, [record(1)])
    alien = pa.table({"match_id": ["x"]})
    for table in ("matches", "seats"):
        pq.write_table(alien, folder / table / "part-x.parquet")
    with ParquetStore(folder) as store:
        assert any("has other columns" in note for note in store.notes)
    assert verify(folder).ok


def test_damage_inside_a_part_is_found_by_its_checksum(folder: Path) -> None:
    add(folder, [record(1)], [record(2)])
    path = folder / "matches" / "part-000001-000002-01.parquet"
    content = bytearray(path.read_bytes())
    content[40] ^= 0xFF
    path.write_bytes(content)
    assert not verify(folder).ok
    with ParquetStore(folder) as store:
        assert store.known().has(spec(2)) is False
    assert verify(folder).ok


def test_two_runs_never_write_one_folder(folder: Path) -> None:
    with ParquetStore(folder), pytest.raises(Locked, match=r"is being written by process \d+ on "):
        ParquetStore(folder)
    with ParquetStore(folder):
        pass


def test_a_stored_match_is_known_by_its_whole_spec(folder: Path) -> None:
    add(folder, [record(1)])
    with ParquetStore(folder) as store:
        known = store.known()
    assert known.has(spec(1)) is True
    assert known.has(spec(2)) is False
    assert known.has(spec(1, seats=(B, A))) is None


def test_a_set_in_two_parts_is_open_until_all_of_it_is_there(folder: Path) -> None:
    with ParquetStore(folder) as store:
        store.append(tables_of([record(1, 1), record(2, 1), record(2, 2)]), {"000001-000001": 2})
    assert split_sets(folder) == {"000001-000001"}
    assert verify(folder).open_sets == ["000001-000001"]
    with ParquetStore(folder) as store:
        store.append(tables_of([record(1, 2)]), {"000001-000001": 2})
    assert split_sets(folder) == frozenset()
    with ParquetStore(folder) as store:
        store.compact()
    assert split_sets(folder) == frozenset()
    assert verify(folder).ok


def test_records_of_more_parts_than_a_process_may_open_files_are_read_in_order(folder: Path) -> None:
    resource = pytest.importorskip("resource")
    # Each part begins before the one before it ends, as parts do that are played side by side.
    add(folder, *[[record(2 * number), record(2 * number + 3)] for number in range(1, 41)])
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    used = len(list(Path("/dev/fd").iterdir()))
    resource.setrlimit(resource.RLIMIT_NOFILE, (used + 30, hard))
    try:
        found = [one.spec.id for one in open_run(folder).records()]
        some = [one.spec.id for one in open_run(folder).records("000001-000040", "000001-000041-99")]
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert found == sorted(found)
    assert len(found) == 80
    assert some == ["000001-000040-01", "000001-000041-01"]


def test_a_part_is_looked_into_once_and_again_only_when_it_is_another(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A schedule of many rounds asks for the records of the last one again and again."""
    add(folder, *[[record(number)] for number in range(1, 5)])
    looked: list[str] = []

    def look(part: Part) -> str | None:
        looked.append(part.name)
        return fault(part)

    monkeypatch.setattr(reading, "fault", look)
    run = open_run(folder)
    for _ in range(3):
        assert [one.spec.id for one in run.records("000001-000002")] == [spec(n).id for n in (2, 3, 4)]
    assert len(looked) == 4

    torn = run.parts()[1]
    torn.seats.write_bytes(torn.seats.read_bytes()[:-9])
    assert [one.spec.id for one in run.records()] == [spec(n).id for n in (1, 3, 4)]
    assert looked[4:] == [torn.name]


def test_void_tries_are_kept_over_starts(folder: Path) -> None:
    tried = VoidTry("000001-000001-01", 1, datetime(2026, 11, 30, tzinfo=UTC), "host:1", "signal SIGKILL")
    with ParquetStore(folder) as store:
        store.void([tried])
    with ParquetStore(folder) as store:
        store.void([tried._replace(attempt=2)])
    assert open_run(folder).voids() == [tried, tried._replace(attempt=2)]
    assert pd.read_parquet(folder / "voids.parquet").attempt.tolist() == [1, 2]


def test_compaction_leaves_one_part_with_the_same_matches(folder: Path) -> None:
    add(folder, [record(5)], [record(1), record(9)], [record(3)])
    before = run_digest(folder)
    with ParquetStore(folder) as store:
        store.compact()
    assert names(folder) == [f"{t}/part-000001-000001-01.parquet" for t in ("matches", "seats")]
    assert run_digest(folder) == before
    assert [r.spec.id for r in open_run(folder).records()] == [spec(n).id for n in (1, 3, 5, 9)]


def test_who_reads_while_parts_are_merged_gets_no_files_that_do_not_belong_together(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At every rename somebody opens parts that were listed before it, and somebody else lists them anew."""
    add(folder, [record(1), record(3)], [record(2)])
    everything = [spec(n).id for n in (1, 2, 3)]
    listed = open_run(folder).parts()
    refused = 0

    def look() -> None:
        nonlocal refused
        try:
            read = list(open_run(folder).tables(listed))
        except FileNotFoundError:
            refused += 1
        else:
            for matches, seats in read:
                assert set(seats["match_id"].to_pylist()) == set(matches["match_id"].to_pylist())
        assert open_run(folder).listing().torn == []
        assert [r.spec.id for r in open_run(folder).records()] == everything
        pieces = pd.concat(frames.open_run(folder).pieces("seats", ["match_id"]))
        assert sorted(pieces["match_id"]) == sorted(2 * everything)

    def step(source: Path, target: Path) -> None:
        look()
        replace(source, target)
        look()

    monkeypatch.setattr(compact, "replace", step)
    with ParquetStore(folder) as store:
        store.compact()
    assert refused


class PowerCut(BaseException):
    """Nothing after this happens."""


@pytest.mark.parametrize("steps", range(12))
def test_compaction_cut_off_anywhere_loses_and_doubles_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, steps: int
) -> None:
    """The power goes at the n-th rename or removal; readers and the next start see every match once."""
    add(folder, [record(5)], [record(1), record(9)], [record(3)])
    before = run_digest(folder)
    left = steps

    def cut(real: object) -> object:
        def step(self: Path, *arguments: object, **options: object) -> object:
            nonlocal left
            if left == 0:
                raise PowerCut
            left -= 1
            return real(self, *arguments, **options)  # type: ignore[operator]  # Path.replace or Path.unlink

        return step

    store = ParquetStore(folder)
    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", cut(Path.replace))
        patch.setattr(Path, "unlink", cut(Path.unlink))
        try:
            store.compact()
        except PowerCut:
            pass
        else:
            assert steps >= 8, "expected to be cut off"
    store.close()
    cut_off = verify(folder)
    assert (cut_off.digest, cut_off.matches, cut_off.duplicates) == (before, 4, [])
    with ParquetStore(folder) as again:
        assert len(again.known()) == 4
        again.compact()
    assert verify(folder).ok
    assert run_digest(folder) == before
    assert len(names(folder)) == 2
    assert not [p for p in folder.rglob(".*") if p.name != ".lock"]


def test_a_journal_is_readable_text(folder: Path) -> None:
    """What a person finds after a crash says what was going on."""
    add(folder, [record(1)], [record(2)])
    store = ParquetStore(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("harness.store.compact.finish", lambda folder: None)
        store.compact()
    store.close()
    journal = json.loads((folder / ".compaction.json").read_text(encoding="utf-8"))
    assert journal["old"] == ["part-000001-000002-01.parquet"]
    assert verify(folder).matches == 2
