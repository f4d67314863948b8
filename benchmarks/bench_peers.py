"""Whole tournaments beside other people's: matches and decisions a second of random players, ratios.

    python benchmarks/bench_peers.py [--peers build/peers/bin/python] [--seconds 5]

Croupier plays a duel of at most 30 moves with two `uniform` bots, one process: schedule, play, Parquet files,
digest, report.
Axelrod plays its Tournament of two Random players, with as many decisions a match, and its results;
kaggle-environments evaluates two of its random agents at Connect X, without storing anything. They take
turns, three each; the median counts. A project that cannot be run here is left out, and it is said why.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from engines.core.bits import COMPILED
from harness import config as configs
from harness import report, tournament
from harness.analysis.frames import open_run

TURNS = 3
"""Each is measured so often, by turns, as the machine may be shared."""
PEERS = ("axelrod", "kaggle")
HERE = Path(__file__).parent
DUEL = """
game = "kozyri-duel"
rules = { cap = 30, cap_result = "fewest_cards" }
self_play = 0
format = { name = "round_robin", deals = DEALS }
[[bots]]
name = "one"
bot = "uniform"
[[bots]]
name = "two"
bot = "uniform"
"""


def ours(deals: int) -> dict[str, Any]:
    """One tournament of ours, from config to report."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run"
        text = DUEL.replace("DEALS", str(deals))
        config = configs.parse(text, file="bench", folder=Path(), name="bench")
        began = time.perf_counter()
        tournament.run(config, out=out, executor="local", workers=1)
        found = report.write(out)
        spent = time.perf_counter() - began
        decisions = int(open_run(out).seats["decisions"].sum())
    return {
        "version": "this tree",
        "game": "kozyri-duel, 30 moves at most",
        "matches": found.matches,
        "decisions": decisions,
        "seconds": spent,
    }


def theirs(python: Path, name: str, seconds: float, turns: int) -> dict[str, Any] | str:
    """One of their tournaments; the reason where it cannot be had."""
    if not python.exists():
        return f"no environment at {python} (`make bench` makes it)"
    command = [str(python), str(HERE / "peers.py"), name, str(seconds), str(turns)]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=300 + 10 * seconds, check=False
        )
    except subprocess.TimeoutExpired:
        return f"not finished after {300 + 10 * seconds:.0f} s"
    if done.returncode:
        return (done.stderr.strip().splitlines() or ["it failed without a word"])[-1]
    found: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=5.0, help="of each measurement")
    parser.add_argument("--peers", type=Path, default=Path("build/peers/bin/python"), help="their Python")
    arguments = parser.parse_args()
    print(f"whole tournaments of two random players, one process; engines {built()}")
    first = ours(50)
    turns = max(1, round(first["decisions"] / first["matches"] / 2))
    deals = max(50, int(50 * arguments.seconds / first["seconds"]))
    runs: dict[str, list[dict[str, Any]]] = {}
    left_out: dict[str, str] = {}
    for _ in range(TURNS):
        runs.setdefault("croupier", []).append(ours(deals))
        for name in PEERS:
            if name in left_out:
                continue
            found = theirs(arguments.peers, name, arguments.seconds, turns)
            if isinstance(found, str):
                left_out[name] = found
            else:
                runs.setdefault(name, []).append(found)
    show(runs)
    for name, why in left_out.items():
        print(f"{name}: left out: {why}")


def show(runs: dict[str, list[dict[str, Any]]]) -> None:
    """A line for each, and how many times as fast Croupier is."""
    print(
        f"{'':9} {'version':10} {'game':30} {'matches/s':>10} {'decisions/match':>15} {'decisions/s':>12}"
        "  croupier is"
    )
    base: tuple[float, float] = (1.0, 1.0)
    for name, found in runs.items():
        a_second = median(one["matches"] / one["seconds"] for one in found)
        each = sum(one["decisions"] for one in found) / sum(one["matches"] for one in found)
        if name == "croupier":
            base = (a_second, a_second * each)
        ratio = (
            ""
            if name == "croupier"
            else f"{base[0] / a_second:.3g} x by matches, {base[1] / (a_second * each):.3g} x by decisions"
        )
        print(
            f"{name:9} {found[0]['version']:10} {found[0]['game']:30} {a_second:10,.1f} {each:15.1f} "
            f"{a_second * each:12,.0f}  {ratio}"
        )


def built() -> str:
    """Whether the engines are machine code here."""
    return "compiled" if COMPILED else "in pure Python"


if __name__ == "__main__":
    main()
