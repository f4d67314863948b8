"""Results that another version of Croupier wrote: told, and left as they are."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from harness.store.schema import VERSION_KEY
from tests.harness.cli_runs import call
from tests.harness.small_runs import RANDOM, write_config


@pytest.mark.parametrize("command", ["report", "verify", "repair", "replay", "export", "run"])
def test_results_in_another_version_of_their_format_are_left_alone_with_a_word(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    config = write_config(tmp_path, [RANDOM, RANDOM], deals=1)
    assert call("run", str(config), "--executor", "local", "--workers", "1").exit_code == 0
    run = tmp_path / "reports" / "small"
    for path in [*run.glob("matches/*.parquet"), *run.glob("seats/*.parquet")]:
        table = pq.read_table(path)
        pq.write_table(table.replace_schema_metadata({**table.schema.metadata, VERSION_KEY: b"99"}), path)
    before = {path: path.read_bytes() for path in run.rglob("*.parquet")}
    match = "000000-000000-00"
    words = {"replay": ["small", match], "export": ["small", "elsewhere"], "run": [str(config)]}
    done = call(command, *words.get(command, ["small"]))

    assert done.exit_code == 2, done.stderr
    assert "has results in version '99' of their format, and this Croupier knows version '1'" in done.stderr
    assert {path: path.read_bytes() for path in run.rglob("*.parquet")} == before
    assert not (tmp_path / "elsewhere").exists()
