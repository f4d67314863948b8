"""Void tries over many starts of a run: counted on, and always numbers that their column holds."""

from __future__ import annotations

from datetime import UTC, datetime

from harness.executors.base import Loss
from harness.records import BotRef, MatchSpec, VoidTry
from harness.store.tables import void_table, void_tries
from harness.tries import TRIES, Tries

SPEC = MatchSpec(
    id="000001-000001-01",
    game="toy",
    rules="{}",
    deal="toy/0",
    luck=0,
    round=1,
    line_up=1,
    seating=1,
    seats=(BotRef("a", "a" * 12),),
)


def test_a_match_that_never_can_be_played_stays_on_record_however_often_the_run_is_started() -> None:
    before: list[VoidTry] = []
    for _ in range(50):
        tries = Tries(before)
        tries.retry(SPEC)
        while tries.again:
            before += tries.void(tries.again.popleft(), [Loss(SPEC, "here", "it died")])
        assert tries.open_sets == {SPEC.set_id}

    assert len(before) == 50 * TRIES
    assert [one.attempt for one in before[:3]] == [1, 2, 3]
    kept = void_tries(void_table(before))
    assert [one.attempt for one in kept] == [one.attempt for one in before]
    assert before[0].when <= datetime.now(UTC)
