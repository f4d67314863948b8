"""`croupier report`, `verify` and `replay`: a run that is over, looked at."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pandas as pd
import pytest

from harness import store
from harness.players import output
from tests.harness.cli_runs import call


def test_a_report_is_the_same_by_name_and_by_folder(work: Path) -> None:
    by_name, by_folder = call("report", "small"), call("report", "reports/small/")

    assert by_name.exit_code == 0
    assert by_name.stdout == by_folder.stdout


@pytest.mark.parametrize("style", ["markdown", "csv", "json"])
def test_a_report_comes_in_other_formats(work: Path, style: str) -> None:
    done = call("report", "small", "--format", style)

    assert done.exit_code == 0
    assert "one" in done.stdout
    assert done.stderr == ""


def test_the_digest_is_the_same_in_the_report_and_in_verify(work: Path) -> None:
    data = json.loads(call("report", "small", "--format", "json").stdout)
    verified = call("verify", "small")

    assert verified.exit_code == 0
    assert f"digest {data['digest']}" in verified.stdout
    assert data["complete"] is True


def test_a_damaged_file_fails_verify_and_is_named(work: Path) -> None:
    (part,) = Path("reports/small/matches").glob("*.parquet")
    part.write_bytes(part.read_bytes()[:-20])
    done = call("verify", "small")

    assert done.exit_code == 1
    assert f"torn: matches/{part.name}" in done.stdout


def test_an_unknown_run_answers_with_those_that_are_there(work: Path) -> None:
    done = call("report", "smal")

    assert done.exit_code == 2
    assert done.stderr == (
        "croupier: smal: no such folder, and no run of that name in reports/: "
        'did you mean "small"? known: small\n'
    )


def first_match() -> str:
    return str(pd.read_parquet("reports/small/matches")["match_id"].min())


def test_a_replay_tells_every_move_and_checks_the_result(work: Path) -> None:
    matches = pd.read_parquet("reports/small/matches")
    done = call("replay", "small", first_match())
    lines = done.stdout.splitlines()

    assert done.exit_code == 0
    assert lines[0].startswith('kozyri-duel, deck = "easy": match ')
    assert sum(" seat " in line and line[:4].strip().isdigit() for line in lines) == matches["plies"][0]
    assert lines[-1] == "The moves lead to the stored result."


def test_a_replay_shows_what_bots_printed_in_that_match_and_a_terminal_obeys_none_of_it(work: Path) -> None:
    record = store.find_match(Path("reports/small"), first_match())
    output.keep(
        Path("reports/small/logs"), record.spec.seats[1], first_match(), 1, "deep\n\x1b[2J\tin thought\n"
    )
    done = call("replay", "small", first_match())

    assert done.exit_code == 0
    assert done.stdout.splitlines()[-3:] == [
        f"Printed by seat 1 ({record.spec.seats[1].name}):",
        "  | deep",
        "  | �[2J\tin thought",
    ]


def test_a_replay_is_written_as_a_page_and_its_place_is_printed(work: Path) -> None:
    done = call("replay", "small", first_match(), "--html")
    path = Path(done.stdout.strip())

    assert done.exit_code == 0
    assert path == Path("reports/small/replays") / f"{first_match()}.html"
    assert f"match <code>{first_match()}</code>" in path.read_text(encoding="utf-8")


def test_the_page_of_a_replay_shows_what_bots_printed_and_a_browser_obeys_none_of_it(work: Path) -> None:
    record = store.find_match(Path("reports/small"), first_match())
    said = "deep\n</pre><script>alert(1)</script>\n\x1b[2J"
    output.keep(Path("reports/small/logs"), record.spec.seats[1], first_match(), 1, said)
    path = Path(call("replay", "small", first_match(), "--html").stdout.strip())
    page = path.read_text(encoding="utf-8")

    shown = re.findall(r'<details class="printed"><summary>(.*?)</summary><pre>(.*?)</pre>', page, re.DOTALL)
    escaped = "deep\n&lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt;\n�[2J"
    assert shown == [(f"seat 1: {record.spec.seats[1].name}", escaped)]
    path.unlink()
    call("report", "small", "--html")  # which others read
    assert not [page for page in path.parent.glob("*.html") if "alert(1)" in page.read_text(encoding="utf-8")]


def test_a_replay_goes_where_it_is_told_to(work: Path) -> None:
    done = call("replay", "small", first_match(), "--out", "shown/one.html")

    assert (done.exit_code, done.stdout) == (0, "shown/one.html\n")
    assert Path("shown/one.html").is_file()


def test_a_page_of_a_changed_result_is_written_and_says_so(work: Path) -> None:
    (part,) = Path("reports/small/seats").glob("*.parquet")
    swap_scores(part)
    done = call("replay", "small", first_match(), "--html")

    assert done.exit_code == 1
    assert "Not what its moves lead to." in Path(done.stdout.strip()).read_text(encoding="utf-8")


def test_a_report_is_written_as_a_page_and_its_place_is_printed(work: Path) -> None:
    done = call("report", "small", "--html")

    assert (done.exit_code, done.stdout) == (0, "reports/small/report.html\n")
    text = Path("reports/small/report.html").read_text(encoding="utf-8")
    assert "http:" not in text.replace("http://www.w3.org", "")
    assert "https:" not in text


def test_a_replay_of_a_changed_result_fails(work: Path) -> None:
    (part,) = Path("reports/small/seats").glob("*.parquet")
    swap_scores(part)
    done = call("replay", "small", first_match())

    assert done.exit_code == 1
    assert "is not what its moves lead to: scores: stored" in done.stderr


def swap_scores(part: Path) -> None:
    import pyarrow.parquet as pq

    table = pq.read_table(part, partitioning=None)
    scores = [1.0 - float(score or 0.0) for score in table.column("score").to_pylist()]
    column = table.schema.get_field_index("score")
    changed = table.set_column(column, table.schema.field(column), [scores])
    pq.write_table(changed, part, row_group_size=table.num_rows)


def test_a_replay_of_an_unknown_match_says_so(work: Path) -> None:
    done = call("replay", "small", "nope")

    there = "there is 000001-000001-01, and the column match_id has all"
    assert (done.exit_code, done.stderr) == (2, f"croupier: reports/small has no match 'nope'; {there}\n")


@pytest.mark.parametrize("place", ["", "reports/small", "reports/small/copy", "{here}/reports/small/a/b"])
def test_a_run_is_not_exported_to_nowhere_or_into_itself(work: Path, place: str) -> None:
    before = sorted(Path("reports/small").rglob("*"))
    done = call("export", "small", place.format(here=work.as_uri()))

    assert done.exit_code == 2
    assert done.stderr.startswith("croupier: ")
    assert len(done.stderr.splitlines()) == 1
    assert sorted(Path("reports/small").rglob("*")) == before
