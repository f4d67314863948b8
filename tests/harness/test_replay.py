"""Films of stored matches: every position, what each seat knew, faults, and patches that keep them small."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
import os
import pty
import re
import select
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import harness
from bots import Bot, Seen
from bots.uniform import Uniform
from engines.core.game import Move, View
from engines.core.play import replayed
from harness.analysis.replaying import game_of
from harness.cli import stepping
from harness.inprocess import Seat
from harness.luck import deal_luck
from harness.players import output
from harness.records import MatchRecord
from harness.replay import page, screen
from harness.replay.film import film
from harness.replay.patches import diff
from harness.store.parquet import ParquetStore
from harness.store.tables import tables_of
from harness.store.verify import run_digest

FAULTY = """
from bots import Bot
class Player(Bot):
    def act(self, seen):
        return 9999 if self.rng.random() < 0.03 else seen.moves[0]
"""


class Cheat(Bot[View[Move]]):
    """Plays a move that is not there, the fifth time it is asked."""

    asked = 0

    def act(self, seen: Seen[View[Move]]) -> int:
        self.asked += 1
        return 9999 if self.asked == 5 else seen.moves[0]


TABLES: dict[str, tuple[dict[str, Any], list[Seat]]] = {
    "kozyri-duel": ({"deck": "easy", "cap": 40}, [Uniform, Uniform]),
    "kozyri-classic": ({"cap": 30}, [Uniform] * 4),
    "hund": ({"cap": 30}, [Uniform] * 4),
    "code777": ({"max_questions": 4}, [Uniform] * 4),
    "seven-symbols": ({"deals": 1}, [Uniform, Cheat, Uniform, Uniform]),
}


@functools.cache
def of_table(game: str) -> MatchRecord:
    """A short match of a game; in the last one a bot fails."""
    options, seats = TABLES[game]
    return harness.play(game, seats, luck=3, options=options)


@pytest.mark.parametrize("game", TABLES)
def test_a_film_has_the_position_after_every_number_of_moves(game: str) -> None:
    record = of_table(game)
    rules = game_of(record)
    shown = film(record, rules)

    assert len(shown.frames) == len(record.moves) + 1
    assert not shown.wrong
    for n in (0, 1, len(record.moves)):
        state = replayed(rules, record.spec.luck, record.moves[:n])
        position = {k: v for k, v in rules.position(state)["state"].items() if k != "repeats"}
        assert shown.frames[n].state == position
        assert shown.frames[n].seat == state.seat


def test_moves_that_others_may_not_see_are_marked() -> None:
    shown = film(of_table("seven-symbols"), game_of(of_table("seven-symbols")))
    gift = next(made for made in shown.moves if made.name.startswith("GIVE"))

    assert not gift.public
    assert screen.name_of(gift, (gift.seat + 1) % 4) == "a sealed choice"
    assert screen.name_of(gift, gift.seat) == gift.name


def test_moves_of_a_substitute_are_marked_from_the_fault_on() -> None:
    record = harness.play("hund", [Cheat, Uniform, Uniform, Uniform], luck=1, options={"cap": 60})
    shown = film(record, game_of(record))
    (ply,) = [fault.ply for fault in record.seats[0].faults]

    own = [(n, made.substitute) for n, made in enumerate(shown.moves) if made.seat == 0]
    assert all(substitute == (n >= ply) for n, substitute in own)
    assert any(substitute for _, substitute in own)
    assert shown.faults(ply)[0][:2] == (0, "illegal")


@pytest.mark.parametrize("at", [0, 7])
def test_a_record_that_does_not_play_is_shown_as_far_as_it_does(at: int) -> None:
    record = of_table("kozyri-duel")
    moves = (*record.moves[:at], record.moves[-1] + 1 if at else record.moves[-1], *record.moves[at + 1 :])
    shown = film(dataclasses.replace(record, moves=moves), game_of(record))

    assert shown.wrong
    assert len(shown.frames) == len(shown.moves) + 1
    assert len(shown.moves) <= len(record.moves)


def test_a_wrong_result_is_told_and_all_moves_are_shown() -> None:
    record = of_table("kozyri-duel")
    shown = film(dataclasses.replace(record, reason="won by magic"), game_of(record))

    assert shown.wrong.startswith("reason: stored won by magic")
    assert len(shown.moves) == len(record.moves)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["", "7S", "QH"]),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=12,
)


@given(JSON, JSON)
def test_a_patch_makes_the_one_value_of_the_other(before: Any, after: Any) -> None:
    patch = json.loads(json.dumps(diff(before, after)))

    made = patched(before, patch)

    assert json.dumps(made, sort_keys=True) == json.dumps(after, sort_keys=True)


def patched(value: Any, patch: Any) -> Any:
    """What page.js does."""
    if patch is None:
        return value
    if "v" in patch:
        return patch["v"]
    if "s" in patch:
        at, gone, items = patch["s"]
        return [*value[:at], *items, *value[at + gone :]]
    if "e" in patch:
        return [patched(item, patch["e"].get(str(n))) for n, item in enumerate(value)]
    kept = {k: v for k, v in value.items() if k not in patch.get("x", [])}
    return {**kept, **{k: patched(value.get(k), p) for k, p in patch.get("d", {}).items()}}


def test_what_all_may_see_stands_in_a_page_once() -> None:
    """The pile is in the position; a view has only what differs from it."""
    record = of_table("kozyri-classic")
    patches = page.values(film(record, game_of(record)), page.Origin("x"))["patches"]

    assert sum("pile" in patch["d"].get("state", {}).get("d", {}) for patch in patches if patch) > 5
    assert not any('"pile"' in json.dumps(patch["d"].get("views", {})) for patch in patches if patch)


def test_a_page_tells_digest_and_rules_from_the_stored_row(tmp_path: Path) -> None:
    (tmp_path / "run.toml").write_text('name = "weekend"\nseed = 0\n', encoding="utf-8")
    record = of_table("kozyri-duel")
    with ParquetStore(tmp_path) as store:
        store.append(tables_of([record]))
    shown = film(record, game_of(record))

    text = page.text(shown, page.origin(tmp_path, record.spec.id))

    assert "deck = &#34;easy&#34;, cap = 40" in text or "cap = 40, deck = &#34;easy&#34;" in text
    # A run's digest is that of its matches' digests; the page of the only match has the latter.
    (match_digest,) = set(re.findall(r"<code>([0-9a-f]{32})</code>", text))
    assert hashlib.blake2b(bytes.fromhex(match_digest), digest_size=16).hexdigest() == run_digest(tmp_path)


def test_a_bots_words_cannot_become_part_of_a_page() -> None:
    record = of_table("seven-symbols")
    evil = "</script><script>alert(1)</script>"
    seats = [
        dataclasses.replace(s, faults=tuple(f._replace(detail=evil) for f in s.faults)) for s in record.seats
    ]
    text = page.text(film(dataclasses.replace(record, seats=tuple(seats)), game_of(record)), page.Origin("x"))

    assert "<script>alert" not in text
    assert text.count("</script>") == 2


@pytest.mark.parametrize(
    ("action", "to"), [("next", 4), ("back", 2), ("first", 0), ("last", 23), ("ten on", 13), ("ten back", 0)]
)
def test_keys_move_within_the_match(action: str, to: int) -> None:
    shown = film(of_table("seven-symbols"), game_of(of_table("seven-symbols")))
    end = 23

    assert stepping.moved(shown, 3, end, action) == to
    assert stepping.moved(shown, 0, end, "back") == 0
    assert stepping.moved(shown, end, end, "next") == end


def test_a_terminal_is_stepped_through_with_keys(tmp_path: Path) -> None:
    """A real pseudo-terminal; the screen is read until what is waited for is there."""
    (tmp_path / "run.toml").write_text('name = "weekend"\nseed = 0\n', encoding="utf-8")
    record = of_table("kozyri-duel")
    spec = dataclasses.replace(record.spec, deal="kozyri-duel/3")
    played = harness.play(
        "kozyri-duel", [Uniform, Uniform], luck=deal_luck(0, "kozyri-duel", 3), options={"deck": "easy"}
    )
    stored = dataclasses.replace(
        played, spec=dataclasses.replace(spec, luck=played.spec.luck, rules=played.spec.rules)
    )
    with ParquetStore(tmp_path) as store:
        store.append(tables_of([stored]))
    said = "\n".join(["\x1b[2Jhello", *(f"line {n}" for n in range(90))])
    output.keep(tmp_path / "logs", stored.spec.seats[1], stored.spec.id, 1, said)
    command = [sys.executable, "-m", "harness", "replay", str(tmp_path), stored.spec.id]
    child, handle = pty.fork()
    if child == 0:
        os.execvp(command[0], command)
    end = f"{len(stored.moves)} of {len(stored.moves)} moves"
    try:
        for wanted, key in (
            ("0 of ", b"\x1b[C"),
            ("1 of ", b"\x1b[F"),
            (end, b"o"),
            ("| �[2Jhello", b" "),
            ("| line 40", b"x"),
            (end, b"1"),
            ("seen by seat 1", b"q"),
        ):
            read_until(handle, wanted)
            os.write(handle, key)
        _, status = os.waitpid(child, 0)
        child = 0
    finally:
        if child:
            os.kill(child, 9)
            os.waitpid(child, 0)
        os.close(handle)

    assert os.waitstatus_to_exitcode(status) == 0


def read_until(handle: int, wanted: str) -> None:
    """Read a terminal until a text is on it."""
    text = b""
    until = time.monotonic() + 60
    while wanted.encode() not in text:
        assert time.monotonic() < until, f"expected {wanted!r} on the screen, got {text.decode()!r}"
        if select.select([handle], [], [], 1.0)[0]:
            text += os.read(handle, 65536)
