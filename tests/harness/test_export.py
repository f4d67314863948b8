"""`export`: a copy that is whole, of one moment, and checked."""

from __future__ import annotations

from pathlib import Path

import pyarrow.fs
import pytest

from harness import config, tournament
from harness.store.export import CannotExport, export, export_to
from harness.store.parquet import ParquetStore
from harness.store.verify import verify
from tests.harness.small_runs import RANDOM, Watch, digest_of, write_config


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """A finished run."""
    settings = config.read(write_config(tmp_path, [RANDOM] * 3, deals=6))
    tournament.run(settings, out=tmp_path / "run", executor="local", workers=1)
    return tmp_path / "run"


def visible(folder: Path) -> dict[str, bytes]:
    """All files that are not hidden, by name."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.startswith(".")
    }


def test_the_copy_is_a_run_like_the_original(out: Path, tmp_path: Path) -> None:
    target = tmp_path / "far away" / "copy"
    done = export(out, target.as_uri())
    assert (done.matches, done.digest) == (36, digest_of(out))
    assert verify(target).ok
    assert digest_of(target) == digest_of(out)
    assert visible(target) == visible(out)
    assert not list(target.rglob(".*"))


def test_a_second_export_copies_what_is_new_only(out: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy"
    first = export(out, str(target))
    again = export(out, str(target))
    assert again.copied < first.copied
    assert again.digest == first.digest


def test_any_file_system_that_arrow_knows_will_do(out: Path) -> None:
    """One that is not ours, with paths of its own: Arrow's in-process one."""
    target, path = pyarrow.fs.FileSystem.from_uri("mock:///runs/small")
    done = export_to(out, target, path)
    infos = target.get_file_info(pyarrow.fs.FileSelector(path, recursive=True))
    names = {info.path.removeprefix(path).lstrip("/") for info in infos if info.is_file}
    assert names == set(visible(out))
    assert done.digest == digest_of(out)


@pytest.mark.parametrize("other", ["photos", "run"])
def test_a_place_with_something_else_is_refused_and_left_alone(out: Path, tmp_path: Path, other: str) -> None:
    target = tmp_path / "there"
    if other == "run":
        settings = config.read(write_config(tmp_path / "b", [RANDOM] * 3, deals=2, seed=6))
        tournament.run(settings, out=target, executor="local", workers=1)
    else:
        target.mkdir()
        (target / "me.jpg").write_bytes(b"me")
    before = visible(target)
    with pytest.raises(CannotExport, match="is not empty and has no copy of this run"):
        export(out, str(target))
    assert visible(target) == before


def test_a_place_that_cannot_be_reached_is_one_line(out: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for uri in ("nowhere://x/y", str(tmp_path / "file"), str(tmp_path / "file" / "below")):
        with pytest.raises(CannotExport) as refused:
            export(out, uri)
        assert "\n" not in str(refused.value)


def test_a_run_is_exported_while_it_goes_on_and_again_when_it_has_ended(tmp_path: Path) -> None:
    """Every copy is whole; in the end it has what the run has, though parts were put together since."""
    settings = config.read(write_config(tmp_path, [RANDOM] * 3, deals=8))
    out, target = tmp_path / "run", tmp_path / "copy"
    counts = []

    class Exporting(Watch):
        def advance(self, result: object) -> None:
            counts.append(export(out, str(target)).matches)
            assert verify(target).ok or not counts[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("harness.store.parquet.FLUSH_SECONDS", (0.0, 0.0))
        tournament.run(settings, out=out, executor="local", workers=1, progress=Exporting())
    assert len(list((target / "matches").iterdir())) > 1
    assert len(set(counts)) > 2
    done = export(out, str(target))
    assert (done.matches, done.digest) == (48, digest_of(out))
    assert {k: v for k, v in visible(target).items() if "part-" in k} == {
        k: v for k, v in visible(out).items() if "part-" in k
    }


def test_parts_that_become_one_under_the_export_are_looked_for_again(
    out: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compaction in the middle of the copy: the real one, at the worst moment."""
    settings = config.read(write_config(tmp_path, [RANDOM] * 3, deals=6))
    many = tmp_path / "many"
    with monkeypatch.context() as patch:
        patch.setattr("harness.store.parquet.FLUSH_SECONDS", (0.0, 0.0))
        patch.setattr("harness.store.parquet.compaction.compact", lambda folder: 0)
        tournament.run(settings, out=many, executor="local", workers=1)
    assert len(list((many / "matches").iterdir())) > 3
    from harness.store import export as module

    real = module._Copy.file
    seen = []

    def file(self: module._Copy, path: Path) -> None:
        real(self, path)
        seen.append(path)
        if len(seen) == 5:
            with ParquetStore(many) as store:
                store.compact()

    monkeypatch.setattr(module._Copy, "file", file)
    target = tmp_path / "copy"
    done = export(many, str(target))
    assert (done.parts, done.digest) == (1, digest_of(out))
    assert digest_of(target) == digest_of(out)
    assert len(list((target / "matches").iterdir())) == 1
