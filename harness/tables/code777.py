"""Code 777: everybody's rack but the own one, the questions and their answers."""

from __future__ import annotations

from harness.tables.sight import HIDDEN, Sight, View, count, wrapped

HINTS = (
    "You see every rack but your own. Find out which three numbers stand on yours.",
    "There are 28 tiles: one 1, two 2s, three 3s, and so on to seven 7s, four of each of seven colours:",
    "1G, 2Y 2Y, 3K 3K 3K, 4B x4, 5R x4 5K, 6P x3 6G x3, 7C x4 7Y 7Y 7P (G green, Y yellow, K black,",
    "B brown, R red, P pink, C blue).",
    "The reader answers each question by the racks that the reader sees: all but the reader's own.",
    "Then all may ANNOUNCE (numbers from low to high, as in ANNOUNCE 5-6-7) or PASS. A right",
    "announcement is a point; right or wrong, your rack is refilled. Three points win.",
)
SHOWN = 10
"""Entries of the log that are shown."""
WORDS = {"LEFT": "the first", "EQUAL": "as many", "RIGHT": "the second"}


def drawn(view: View, sight: Sight) -> list[str]:
    """Racks and scores, what has been heard, the open question."""
    lines = []
    for rack, tiles in enumerate(view["racks"]):
        shown = " ".join(tiles) if tiles else " ".join([HIDDEN] * 3)
        if rack < len(sight.names):
            lines += sight.row(sight.who(rack), f"{shown}   {count(view['scores'][rack], 'point')}")
        else:
            lines += sight.row(f"rack {rack}", f"{shown}   nobody's")
    lines += sight.row("tiles", f"{view['draw']} in the pile, {view['away']} out of play")
    log = view["log"][-SHOWN:]
    if len(view["log"]) > SHOWN:
        lines.append(f"  … {len(view['log']) - SHOWN} entries before these")
    for entry in log:
        lines += wrapped("  - ", _told(entry, sight), sight.width)
    if view["phase"] == "RACK":
        lines += sight.row("", "choose which ownerless rack is emptied")
    return lines


def _told(entry: View, sight: Sight) -> str:
    """One entry of the log in words."""
    if "q" in entry:
        text = sight.questions[entry["q"]] if entry["q"] < len(sight.questions) else f"question {entry['q']}"
        answer = WORDS.get(entry["answer"], entry["answer"])
        return f"{text} {sight.who(entry['reader'])}: {answer}"
    if "announce" in entry:
        said = "-".join(map(str, entry["announce"]))
        return f"{sight.who(entry['seat'])} announced {said}: {'right' if entry['right'] else 'wrong'}"
    rack = sight.who(entry["refill"]) if entry["refill"] < len(sight.names) else f"rack {entry['refill']}"
    gone = f"; out went {' '.join(entry['out'])}" if entry["out"] else ""
    fresh = ", after all tiles out of play were shuffled back" if entry["refresh"] else ""
    return f"new tiles for {rack}{gone}{fresh}"
