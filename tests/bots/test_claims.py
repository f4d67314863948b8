"""What a bot may write in `games`."""

from __future__ import annotations

import pytest

from bots.core.claims import Claim, claims, plays


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("hund", Claim("hund")),
        ("seven-symbols:4", Claim("seven-symbols", 4, 4)),
        ("code777:3-5", Claim("code777", 3, 5)),
    ],
)
def test_a_claim_is_read(text: str, claim: Claim) -> None:
    assert Claim.parse(text) == claim


@pytest.mark.parametrize("text", ["", "Hund", "hund:", "hund:a", "hund:4-", "hund:4-3", "hund:0", "hund 4"])
def test_anything_else_is_told_with_what_was_expected(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected .* got "):
        Claim.parse(text)


def test_a_bare_text_is_not_a_list_of_claims() -> None:
    with pytest.raises(ValueError, match="expected a tuple of names such as"):
        claims("hund")


def test_a_bot_without_claims_plays_everything() -> None:
    assert plays((), "hund", 4)


def test_seats_are_part_of_a_claim() -> None:
    assert [seats for seats in range(2, 7) if plays(("hund", "code777:3-5"), "code777", seats)] == [3, 4, 5]
    assert not plays(("hund",), "code777", 3)
