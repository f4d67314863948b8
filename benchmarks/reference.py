"""The reference tournament on this machine, beside the result in docs/reference.md: `make reference`.

    python benchmarks/reference.py           plays it anew, says whether the results are the same
    python benchmarks/reference.py --write   puts this machine's result into the document

All budgets are nodes, so equal bots on equal engines give equal matches, compiled or not, and one digest
tells. Exit code 0: the same; 1: not, with the games in which scores differ.
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path
from time import monotonic

import harness
from engines.core.bits import COMPILED
from harness import report
from harness.store.verify import verify

ROOT = Path(__file__).parent.parent
CONFIG, PAGE = ROOT / "configs" / "reference.toml", ROOT / "docs" / "reference.md"
BEGIN, END = "<!-- result: make reference -->", "<!-- end of result -->"
DIGEST = re.compile(r"\b[0-9a-f]{32}\b")


def played(folder: Path) -> tuple[str, str]:
    """Play the tournament into a new folder: its digest, and its tables as Markdown."""
    shutil.rmtree(folder, ignore_errors=True)
    started = monotonic()
    harness.run(CONFIG, out=folder, executor="local")
    how = "compiled" if COMPILED else "not compiled"
    print(f"played in {monotonic() - started:.0f} s, bots and engines {how}", file=sys.stderr)
    checked = verify(folder)
    found = DIGEST.search(" ".join(checked.lines))
    if not checked.ok or found is None:
        sys.exit("reference: the run is not whole:\n" + "\n".join(checked.lines))
    opened = harness.open_run(folder)
    return found[0], tables(report.render(report.build(opened, "trueskill"), "markdown"))


def tables(markdown: str) -> str:
    """Headings and tables of a report, one level down, without the last column where it is CPU time."""
    kept: list[str] = []
    timed = False
    for line in markdown.splitlines():
        if line.startswith("|"):
            timed = timed or "CPU ms" in line
            kept.append(f"{line.rsplit('|', 2)[0]}|" if timed else line)
        else:
            timed = False
            kept += [f"#{line}"] if line.startswith("## ") else [""] if not line else []
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip()


def main() -> None:
    """Play, then compare or write."""
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(BEGIN)
    expected, after = rest.split(END)
    digest, result = played(ROOT / "build" / "reference")
    if "--write" in sys.argv[1:]:
        text = f"{before}{BEGIN}\n\nDigest of the run: `{digest}`\n\n{result}\n\n{END}{after}"
        PAGE.write_text(text, encoding="utf-8")
        print(f"written: {digest}")
        return
    if (wanted := DIGEST.search(expected)) and wanted[0] == digest:
        print(f"This machine's result agrees with docs/reference.md, match by match: {digest}")
        return
    print(f"This machine's result does not agree with docs/reference.md: digest {digest}")
    ours, theirs = result.splitlines(), set(expected.splitlines())
    print("\n".join(line for line in ours if line not in theirs))
    print("Other versions of bots or games give other results; so may another C library's logarithm.")
    sys.exit(1)


if __name__ == "__main__":
    main()
