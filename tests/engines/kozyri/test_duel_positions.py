"""Positions and views of the duel as JSON: what is written, what is read, what is refused."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engines
from engines.core.errors import BadPosition, BadRules
from engines.core.playthrough import plain
from engines.kozyri.duel import DuelRules, KozyriDuel
from tests.engines.kozyri.scenario import DATA, legal, played
from tests.engines.kozyri.strategies import lucks, rules

LINES = (DATA / "playthroughs" / "kozyri-duel.jsonl").read_text(encoding="utf-8").splitlines()
KEYS = ["hands", "pile", "trumps", "seconds", "dealer", "turn", "phase", "actions", "repeats"]
HANDS = [["9D", "AS", "7C"], ["KD", "8C"]]
LEAD = {"hands": HANDS, "turn": 0, "phase": "LEAD"}
RESPOND = {"hands": HANDS, "pile": ["10D"], "turn": 1, "phase": "RESPOND"}
UNDEALT = {"hands": [[], []], "trumps": [None, None], "seconds": [None, None], "turn": 0, "phase": "TRUMP"}


def test_a_sample_game_is_followed_line_by_line() -> None:
    """Every state, legal move and view of a whole game that another program has written down."""
    heading, *lines = [json.loads(line) for line in LINES]
    game = engines.load(heading["game"], **heading["rules"])
    state = game.from_position(lines[0]["state"])
    for line in lines[:-1]:
        written = game.position(state)["state"]
        assert list(written) == [*KEYS, "luck"]
        assert {**written, **line["state"]} == written
        assert line["legal"] == legal(game, state)
        assert line["seat"] == state.seat
        for seat in (0, 1):
            view = game.view_position(game.view(state, seat))
            assert list(view) == [*KEYS, "sizes"]
            assert line["views"][seat] == view
        alone = game.from_position(line["state"])
        assert line["legal"] == legal(game, alone)
        assert {**game.position(alone)["state"], **line["state"]} == game.position(alone)["state"]
        played(game, state, [line["move"]])

    last = game.position(state)["state"]
    assert {**last, **lines[-1]["state"]} == last
    assert lines[-1]["outcome"] == {k: plain(v) for k, v in state.outcome()._asdict().items()}


@settings(max_examples=60, deadline=None)
@given(rules=rules, luck=lucks, seed=st.integers(0, 99))
def test_a_position_read_back_is_the_same_state(rules: DuelRules, luck: int, seed: int) -> None:
    game, rng = KozyriDuel(rules), Random(seed)
    state = game.deal(luck)
    while True:
        written = json.loads(json.dumps(game.position(state)))
        again = game.from_position(written)

        assert game.position(again) == written
        assert again.moves() == state.moves()
        for seat in (0, 1):
            assert game.view(again, seat) == game.view(state, seat)
            assert game.view(game.sample(game.view(state, seat), rng), seat) == game.view(state, seat)
        if state.seat < 0:
            assert again.outcome() == state.outcome()
            break
        for _ in range(rng.randrange(1, 9)):
            if state.seat >= 0:
                state.play(rng.choice(state.moves()))


def test_a_view_gives_cards() -> None:
    game = KozyriDuel(DuelRules())
    view = game.view(game.from_position(RESPOND), 1)

    assert [str(card) for card in view.hand] == ["KD", "8C"]
    assert [str(card) for card in view.opponent] == ["AS", "9D", "7C"]
    assert [str(card) for card in view.pile] == ["10D"]
    assert str(view.top) == "10D"
    assert (view.trump, view.opponent_trump) == ("H", "S")
    assert (view.sizes, view.turn, view.phase) == ((3, 2), 1, "RESPOND")
    assert game.view(game.from_position(LEAD), 0).top is None
    hash(view)


def test_what_has_a_default_may_be_left_out_and_hands_come_in_any_order() -> None:
    game = KozyriDuel(DuelRules())
    state = game.position(game.from_position(LEAD))["state"]

    assert state == {
        "hands": [["AS", "9D", "7C"], ["KD", "8C"]],
        "pile": [],
        "trumps": ["S", "H"],
        "seconds": ["C", "D"],
        "dealer": 0,
        "turn": 0,
        "phase": "LEAD",
        "actions": 0,
        "repeats": [[[["AS", "9D", "7C"], ["KD", "8C"]], 0, 1]],
        "luck": 0,
    }


@pytest.mark.parametrize(
    ("state", "turns", "scores", "reason"),
    [
        ({"hands": [["AS"], []], "pile": ["9D", "KD"]}, (None, 0, 1), (0.0, 1.0), "won"),
        ({"hands": HANDS, "pile": ["10D"], "actions": 4000}, (None, 0, 1), (0.5, 0.5), "cap"),
        ({"hands": HANDS, "repeats": [[HANDS, 0, 3]]}, (None, 0), (0.5, 0.5), "repetition"),
    ],
)
def test_in_a_finished_position_a_seat_to_move_is_read_as_nobody(
    state: dict[str, Any], turns: tuple[int | None, ...], scores: tuple[float, ...], reason: str
) -> None:
    game = KozyriDuel(DuelRules())
    for turn in turns:
        over = game.from_position({**state, "turn": turn, "phase": "LEAD"})

        assert (over.seat, over.moves()) == (-1, [])
        assert (over.outcome().scores, over.outcome().reason) == (scores, reason)
        assert game.position(over)["state"]["turn"] is None


def test_the_occurrences_of_leads_are_taken_from_the_position() -> None:
    """The next TAKE brings back a lead that was there twice before."""
    game = KozyriDuel(DuelRules())
    earlier = [["9D", "AS", "7C"], ["KD", "8C"]]
    state = game.from_position(
        {
            "hands": [["AS", "7C"], ["KD", "8C"]],
            "pile": ["9D"],
            "turn": 1,
            "phase": "RESPOND",
            "repeats": [[earlier, 0, 2], [[["AS", "7C"], ["9D", "8C", "KD"]], 0, 2]],
        }
    )
    played(game, state, ["TAKE"])

    assert state.outcome().reason == "repetition"


REFUSED: list[tuple[str, dict[str, Any], dict[str, Any], str]] = [
    # what is wrong, rules, state, how the message begins
    ("no hands", {}, {"turn": 0, "phase": "LEAD"}, "hands: is missing"),
    ("one hand", {}, LEAD | {"hands": [["9D"]]}, "hands: expected 2 entries, got 1"),
    ("a hand that is no list", {}, LEAD | {"hands": ["9D", ["8C"]]}, r"hands\[0\]: expected a list"),
    ("an unknown card", {}, LEAD | {"hands": [["9X"], ["8C"]]}, r"hands\[0\]\[0\]: expected a card"),
    (
        "a card not in the deck",
        {},
        LEAD | {"hands": [["2S"], ["8C"]]},
        r"hands\[0\]\[0\]: 2S is not in the deck",
    ),
    (
        "a card twice",
        {},
        LEAD | {"hands": [["9D"], ["8C", "9D"]]},
        r"hands\[1\]\[1\]: 9D is in hands\[0\]\[0\]",
    ),
    ("a card in hand and pile", {}, RESPOND | {"pile": ["KD"]}, r"pile\[0\]: KD is in hands\[1\]\[0\]"),
    ("both hands empty", {}, RESPOND | {"hands": [[], []]}, "hands: both are empty"),
    ("an empty hand but no pile", {}, LEAD | {"hands": [[], ["8C"]]}, "pile: seat 0 has no cards left"),
    ("nothing to beat", {}, RESPOND | {"pile": []}, "pile: is empty, but in RESPOND"),
    ("a lead on one card", {}, LEAD | {"pile": ["10D"]}, "pile: in LEAD it is empty, or"),
    ("a lead after no beat", {}, LEAD | {"pile": ["10D", "9C"]}, "pile: in LEAD it is empty, or"),
    ("an unknown suit", {}, LEAD | {"trumps": ["S", "X"]}, r"trumps\[1\]: expected a suit"),
    ("a suit that is not chosen", {}, LEAD | {"trumps": ["S", None]}, r"trumps\[1\]: expected a suit"),
    ("the same trumps", {}, LEAD | {"trumps": ["S", "S"]}, "trumps: expected different suits"),
    ("a second suit that is trumps", {}, LEAD | {"seconds": ["H", "D"]}, "seconds: expected the two suits"),
    ("a third seat", {}, LEAD | {"turn": 2}, "turn: expected a whole number from 0 to 1, got 2"),
    ("no turn", {}, {"hands": HANDS, "phase": "LEAD"}, "turn: is missing"),
    ("nobody to move", {}, LEAD | {"turn": None}, "turn: null, but no hand is empty"),
    ("a boolean seat", {}, LEAD | {"turn": True}, "turn: expected a whole number"),
    ("a third dealer", {}, LEAD | {"dealer": -1}, "dealer: expected a whole number"),
    ("an unknown phase", {}, LEAD | {"phase": "SECOND"}, "phase: expected one of LEAD, RESPOND, got"),
    ("no phase", {}, {"hands": HANDS, "turn": 0}, "phase: is missing"),
    ("negative actions", {}, LEAD | {"actions": -1}, "actions: expected a whole number from 0"),
    ("more actions than the cap", {"cap": 9}, LEAD | {"actions": 10}, "actions: expected .* to 9, got 10"),
    ("luck out of range", {}, LEAD | {"luck": 2**53}, "luck: expected a whole number"),
    ("an unknown key", {}, LEAD | {"piel": []}, 'piel: unknown key, did you mean "pile"'),
    (
        "repeats where none count",
        {"repetition": 0},
        LEAD | {"repeats": [[HANDS, 0, 1]]},
        r"repeats: expected \[\]",
    ),
    ("a short entry", {}, LEAD | {"repeats": [[HANDS, 0]]}, r"repeats\[0\]: expected 3 entries"),
    (
        "other cards",
        {},
        LEAD | {"repeats": [[[["9D"], ["8C"]], 0, 1]]},
        r"repeats\[0\]\[0\]: the hands are not",
    ),
    (
        "an empty hand in it",
        {},
        LEAD | {"repeats": [[[[], [*HANDS[0], *HANDS[1]]], 0, 1]]},
        r"repeats\[0\]\[0\]: a hand is empty",
    ),
    ("its seat", {}, LEAD | {"repeats": [[HANDS, 3, 1]]}, r"repeats\[0\]\[1\]: expected a whole number"),
    (
        "never",
        {},
        LEAD | {"repeats": [[HANDS, 0, 0]]},
        r"repeats\[0\]\[2\]: expected a whole number from 1 to 3",
    ),
    ("too often", {}, LEAD | {"repeats": [[HANDS, 0, 4]]}, r"repeats\[0\]\[2\]: expected a whole number"),
    ("twice", {}, LEAD | {"repeats": [[HANDS, 0, 1], [HANDS, 0, 1]]}, r"repeats\[1\]: is listed twice"),
    (
        "an end before this",
        {},
        RESPOND | {"repeats": [[[["AS", "9D", "7C", "10D"], ["KD", "8C"]], 0, 3]]},
        "repeats: a lead that was there 3 times",
    ),
    ("cards before the deal", {"suits": "chosen"}, UNDEALT | {"hands": HANDS}, "hands: nothing is dealt"),
    ("actions before the deal", {"suits": "chosen"}, UNDEALT | {"actions": 1}, "actions: nothing is dealt"),
    ("repeats before the deal", {"suits": "chosen"}, UNDEALT | {"repeats": [[HANDS, 0, 1]]}, "repeats: "),
    ("nobody chooses", {"suits": "chosen"}, UNDEALT | {"turn": None}, "turn: null"),
    ("the wrong one chooses", {"suits": "chosen"}, UNDEALT | {"dealer": 1}, "turn: expected seat 1"),
    ("SECOND before TRUMP", {"suits": "chosen"}, UNDEALT | {"phase": "SECOND"}, "trumps: the dealer's"),
    (
        "SECOND once more",
        {"suits": "chosen"},
        UNDEALT | {"phase": "SECOND", "trumps": ["S", None], "seconds": ["C", None]},
        "seconds: the dealer's",
    ),
    (
        "one suit twice",
        {"suits": "chosen"},
        UNDEALT | {"turn": 1, "trumps": ["S", None], "seconds": ["S", None]},
        "seconds: the dealer's second suit is its trump suit",
    ),
    ("half a choice", {"suits": "chosen"}, UNDEALT | {"trumps": ["S", None]}, "seconds: in TRUMP"),
    (
        "nothing left to choose",
        {"suits": "chosen"},
        UNDEALT | {"trumps": ["S", "H"], "seconds": ["C", "D"]},
        "phase: (TRUMP|SECOND), but every suit is chosen",
    ),
    ("the last first", {"suits": "chosen"}, UNDEALT | {"trumps": [None, "S"]}, "trumps: seat 1 chooses last"),
    ("the rest first", {"suits": "chosen"}, UNDEALT | {"seconds": [None, "S"]}, "seconds: seat 1 gets"),
    ("null in play", {"suits": "chosen"}, LEAD | {"trumps": ["S", None]}, "trumps: a suit is null only"),
    ("null beside", {"suits": "chosen"}, LEAD | {"seconds": ["C", None]}, "seconds: a suit is null only"),
]


@pytest.mark.parametrize(
    ("options", "state", "message"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED]
)
def test_a_position_that_cannot_be_is_refused_by_its_key(
    options: dict[str, Any], state: dict[str, Any], message: str
) -> None:
    with pytest.raises(BadPosition, match=f"^{message}"):
        KozyriDuel(DuelRules(**options)).from_position(state)


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_any_value_for_any_key_is_read_or_refused(data: st.DataObject) -> None:
    """A damaged position never breaks the reader in another way."""
    values: st.SearchStrategy[Any] = st.recursive(
        st.none() | st.booleans() | st.integers(-3, 5) | st.sampled_from(["9D", "S", "LEAD", "TRUMP", ""]),
        lambda inner: st.lists(inner, max_size=3),
    )
    rules = data.draw(st.sampled_from([DuelRules(), DuelRules(suits="chosen")]))
    state = data.draw(st.sampled_from([LEAD, RESPOND, UNDEALT]))
    damaged = {**state, data.draw(st.sampled_from([*KEYS, "luck", "more"])): data.draw(values)}
    game = KozyriDuel(rules)
    try:
        read = game.from_position(damaged)
    except BadPosition:
        return

    assert game.position(game.from_position(game.position(read))) == game.position(read)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"deck": "big"}, "deck: expected standard, easy, advanced, cambridge or a list of ranks"),
        ({"deck": []}, r"deck: expected .*, got \[\]"),
        ({"deck": ["A", "K"]}, r"deck: .*low to high.*, got \[A, K\]"),
        ({"deck": ["K", "K"]}, "deck: "),
        ({"deck": ["1", "K"]}, "deck: "),
        ({"deck": 7}, "deck: "),
        ({"suits": "free"}, "suits: expected fixed or chosen, got .free."),
        ({"first_leader": 1}, "first_leader: expected dealer or opponent"),
        ({"after_take": ""}, "after_take: expected leader or taker"),
        ({"repetition": 1}, "repetition: expected 0 or a whole number from 2 on, got 1"),
        ({"repetition": True}, "repetition: "),
        ({"cap": 0}, "cap: expected by deck or a whole number from 1 on, got 0"),
        ({"cap_result": "loss"}, "cap_result: expected draw or fewest_cards"),
        ({"cup": 3}, 'cup: unknown option, did you mean "cap"'),
    ],
)
def test_options_that_the_game_does_not_have_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(BadRules, match=message):
        engines.load("kozyri-duel", **options)


def test_rules_are_written_as_far_as_they_differ() -> None:
    game = KozyriDuel(DuelRules.of({"deck": ["K", "A"], "cap": 50, "suits": "fixed"}))

    assert game.position(game.deal(1))["rules"] == {"deck": ["K", "A"], "cap": 50}
    assert game.rules.ranks == ("K", "A")
