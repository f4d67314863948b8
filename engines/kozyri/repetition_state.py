"""The layer of a duel's state that knows how often play has come back: the rule of repetition; compiled.

What is counted is who leads on the empty pile with which hands (DU-11). Copies share the counts until one of
them counts on, since a search makes many copies that never see an empty pile.
"""

from __future__ import annotations

from typing import final

from mypy_extensions import i64

from engines.core.state import State
from engines.kozyri.laws import DuelLaw


class RepetitionState(State):
    """Hands and the leads that there have been. Masks are over the 52-card universe."""

    def __init__(self, law: DuelLaw, leads: dict[int, int]) -> None:
        self.law: DuelLaw = law
        self.seat = -1
        self.hand0: i64 = 0
        self.hand1: i64 = 0
        self.leads: dict[int, int] = leads
        """How often each empty-pile lead has occurred, by `lead_key`."""
        self.owns_leads: bool = True
        """False while another state may share `leads`."""
        self.listed: tuple[tuple[int, int], ...] | None = ()
        """What `lead_counts` gave last, None after a change."""

    @final
    def lead_key(self, seat: i64) -> int:
        """This empty-pile lead by `seat` as a number: hand of seat 0 * 2 + seat (the rest is hand 1)."""
        return self.hand0 * 2 + seat

    @final
    def count_lead(self) -> i64:
        """Count the present empty-pile lead (DU-11); returns how often it has occurred now."""
        if not self.law.repetition:
            return 0
        if not self.owns_leads:
            self.leads = self.leads.copy()
            self.owns_leads = True
        key = self.lead_key(self.seat)
        times = self.leads.get(key, 0) + 1
        self.leads[key] = times
        self.listed = None
        return times

    @final
    def lead_counts(self) -> tuple[tuple[int, int], ...]:
        """The repetition table as (key, times), oldest first."""
        if self.listed is None:
            self.listed = tuple(self.leads.items())
        return self.listed

    @final
    def repeated(self) -> bool:
        """Whether the present empty-pile lead (of either seat where none is to move) is the last allowed."""
        if not self.law.repetition:
            return False
        times: i64 = 0
        for seat in (0, 1):
            if self.seat == seat or self.seat < 0:
                count: i64 = self.leads.get(self.lead_key(seat), 0)
                times = max(times, count)
        return times >= self.law.repetition

    @final
    def copy_leads(self, twin: RepetitionState) -> None:
        """Let `twin`, made with these `leads`, have this layer's values and share the counts."""
        twin.seat = self.seat
        twin.hand0 = self.hand0
        twin.hand1 = self.hand1
        twin.listed = self.listed
        twin.owns_leads = False
        self.owns_leads = False
