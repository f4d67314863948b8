"""Rules and luck of the duel for hypothesis, games kept short."""

from __future__ import annotations

from hypothesis import strategies as st

from engines.kozyri.duel import DuelRules

TWO = ("K", "A")
decks = st.sampled_from(["easy", "standard", ("A",), TWO, ("2", "9", "J")])
rules = st.builds(
    DuelRules,
    deck=decks,
    suits=st.sampled_from(["fixed", "chosen"]),
    first_leader=st.sampled_from(["dealer", "opponent"]),
    after_take=st.sampled_from(["leader", "taker"]),
    repetition=st.sampled_from([0, 2, 3]),
    cap=st.sampled_from([1, 7, 40, 300]),
    cap_result=st.sampled_from(["draw", "fewest_cards"]),
)
lucks = st.integers(0, 2**53 - 1)
