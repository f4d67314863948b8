"""Positions and views of the classic game and Hund as JSON: what is written, read, refused."""

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
from engines.kozyri.classic import ClassicRules, KozyriClassic
from engines.kozyri.hund import Hund, HundRules
from tests.engines.kozyri.scenario import DATA, legal, played
from tests.engines.kozyri.tables import games, lucks, seeds, walk

CLASSIC_KEYS = ["hands", "pile", "trumps", "dealer", "turn", "phase", "free", "out", "known", "actions"]
HUND_KEYS = [key for key in CLASSIC_KEYS if key != "free"]

C_HANDS = [["7S", "9C"], ["8D", "9D"], ["6D", "KS"], ["KC"]]
C_TURN = {
    "hands": C_HANDS,
    "pile": ["JD", "QD"],
    "trumps": ["S", "H", "D", "C"],
    "dealer": 3,
    "turn": 0,
    "phase": "TURN",
}
C_SECOND = C_TURN | {"turn": 2, "phase": "SECOND", "pile": ["JD", "QD"]}
C_FREE = C_TURN | {"hands": [*C_HANDS[:3], []], "pile": ["JC", "QC"], "out": [3], "free": True}
UNDEALT = C_TURN | {
    "hands": [[]] * 4,
    "pile": [],
    "trumps": ["S", None, None, "H"],
    "turn": 1,
    "phase": "TRUMP",
}
CHOSEN = {"trumps": "chosen"}

H_HANDS = [["8H", "QC", "2D"], ["2H", "3S"], ["4S"], ["5S"]]
H_TURN = {"hands": H_HANDS, "pile": ["9H"], "trumps": None, "dealer": 0, "turn": 0, "phase": "TURN"}
H_START = H_TURN | {"hands": [["2C", "QC"], *H_HANDS[1:]], "pile": [], "phase": "START"}
H_QUEEN = H_TURN | {
    "hands": [["8H", "2D"], *H_HANDS[1:]],
    "pile": ["9H", "QC"],
    "trumps": ["C", "S", "H", "D"],
    "phase": "QUEEN",
}
H_SECOND = H_TURN | {"pile": ["9H", "10H"], "phase": "SECOND"}


@pytest.mark.parametrize(("name", "keys"), [("kozyri-classic", CLASSIC_KEYS), ("hund", HUND_KEYS)])
def test_a_sample_game_is_followed_line_by_line(name: str, keys: list[str]) -> None:
    """Every state, legal move and view of a whole game that another program has written down.

    That program writes `known` in views only.
    """
    text = (DATA / "playthroughs" / f"{name}.jsonl").read_text(encoding="utf-8")
    heading, *lines = [json.loads(line) for line in text.splitlines()]
    game = engines.load(heading["game"], **heading["rules"])
    state = game.from_position(lines[0]["state"])
    for line in lines[:-1]:
        written = game.position(state)["state"]
        assert list(written) == [*keys, "luck"]
        assert {**written, **line["state"]} == written
        assert line["legal"] == legal(game, state)
        assert line["seat"] == state.seat
        for seat in range(game.seats):
            view = game.view_position(game.view(state, seat))
            assert list(view) == [*keys, "sizes"]
            assert line["views"][seat] == view
        alone = game.from_position(line["state"])
        assert line["legal"] == legal(game, alone)
        assert {**game.position(alone)["state"], **line["state"]} == game.position(alone)["state"]
        played(game, state, [line["move"]])

    last = game.position(state)["state"]
    assert {**last, **lines[-1]["state"]} == last
    assert lines[-1]["outcome"] == {k: plain(v) for k, v in state.outcome()._asdict().items()}


@settings(max_examples=60, deadline=None)
@given(game=games, luck=lucks, seed=seeds)
def test_a_position_read_back_is_the_same_state(game: Any, luck: int, seed: int) -> None:
    rng = Random(seed)
    for state, move in walk(game, luck, seed):
        if move is not None and rng.random() < 0.8:
            continue
        written = json.loads(json.dumps(game.position(state)))
        again = game.from_position(written)

        assert game.position(again) == written
        assert again.moves() == state.moves()
        for seat in range(game.seats):
            assert game.view(again, seat) == game.view(state, seat)
        if move is None:
            assert again.outcome() == state.outcome()


def test_what_has_a_default_may_be_left_out_and_what_follows_is_added() -> None:
    """Everybody knows where a trump six is, and in Hund the two and the Queen of clubs once played."""
    classic = KozyriClassic(ClassicRules())
    hund = Hund(HundRules())

    read = classic.position(classic.from_position(C_TURN))["state"]
    assert read == C_TURN | {
        "hands": [["7S", "9C"], ["8D", "9D"], ["KS", "6D"], ["KC"]],
        "free": False,
        "out": [],
        "known": [[], [], ["6D"], []],
        "actions": 0,
        "luck": 0,
    }
    for state, known in (
        (H_TURN, [[], [], [], []]),
        (H_START, [["2C"], [], [], []]),
        (H_TURN | {"hands": [["2C"], *H_HANDS[1:]]}, [["2C"], [], [], []]),
        (H_TURN | {"trumps": ["S", "H", "D", "C"]}, [["QC"], [], [], []]),
    ):
        assert hund.position(hund.from_position(state))["state"]["known"] == known


def test_a_view_has_null_for_the_other_hands_and_all_that_is_known_of_them() -> None:
    game = Hund(HundRules())
    state = game.from_position(H_TURN | {"known": [["2D"], ["3S"], [], []]})

    assert game.view_position(game.view(state, 1)) == {
        "hands": [None, ["3S", "2H"], None, None],
        "pile": ["9H"],
        "trumps": None,
        "dealer": 0,
        "turn": 0,
        "phase": "TURN",
        "out": [],
        "known": [["2D"], ["3S", "2H"], [], []],
        "actions": 0,
        "sizes": [3, 2, 1, 1],
    }


@pytest.mark.parametrize(
    ("game", "state", "turns", "scores", "reason"),
    [
        (
            KozyriClassic(ClassicRules(seats=2)),
            {"hands": [[], ["AS", "AD"]], "trumps": ["S", "H"], "out": [0]},
            (None, 0, 1),
            (1.0, -1.0),
            "won",
        ),
        (
            KozyriClassic(ClassicRules(seats=2)),
            {"hands": [[], ["AD"]], "trumps": ["S", "H"], "out": [0]},
            (None, 0, 1),
            (0.0, 0.0),
            "draw",
        ),
        (
            KozyriClassic(ClassicRules(cap=9)),
            {"hands": C_HANDS, "pile": ["JD", "QD"], "trumps": ["S", "H", "D", "C"], "actions": 9},
            (None, 0, 3),
            (0.0,) * 4,
            "cap",
        ),
        (
            Hund(HundRules(payoff="order")),
            {"hands": [[], ["AH"], [], []], "trumps": ["C", "S", "H", "D"], "out": [2, 3, 0]},
            (None, 1),
            (1.0, 0.0, 3.0, 2.0),
            "won",
        ),
    ],
)
def test_in_a_finished_position_a_seat_to_move_is_read_as_nobody(
    game: Any,
    state: dict[str, Any],
    turns: tuple[int | None, ...],
    scores: tuple[float, ...],
    reason: str,
) -> None:
    for turn in turns:
        over = game.from_position({"pile": ["9D", "KD"], "dealer": 0, "phase": "TURN", **state, "turn": turn})

        assert (over.seat, over.moves()) == (-1, [])
        assert (over.outcome().scores, over.outcome().reason) == (scores, reason)
        assert game.position(over)["state"]["turn"] is None


REFUSED_BY_BOTH: list[tuple[str, dict[str, Any], str]] = [
    # what is wrong, what is put into a position of either game, how the message begins
    ("a hand that is no list", {"hands": ["9D", [], [], []]}, r"hands\[0\]: expected a list"),
    ("three hands", {"hands": [["9D"]] * 3}, "hands: expected 4 entries, got 3"),
    ("a card twice", {"hands": [["9D"], ["8C", "9D"], ["7S"], ["8S"]]}, r"hands\[1\]\[1\]: 9D is in hands"),
    ("a wrong card", {"pile": ["9H", "11H"]}, r"pile\[1\]: expected a card such as"),
    ("a stranger among the known", {"known": [["AD"], [], [], []]}, r"known\[0\]: AD is not in the hand"),
    ("too few known", {"known": [[]]}, "known: expected 4 entries"),
    ("a fifth seat", {"turn": 4}, "turn: expected a whole number from 0 to 3, got 4"),
    ("nobody to move", {"turn": None}, "turn: null, but more than one seat is in"),
    ("a fifth dealer", {"dealer": 4}, "dealer: expected a whole number from 0 to 3"),
    ("an unknown phase", {"phase": "RESPOND"}, "phase: expected one of"),
    ("an unknown suit", {"trumps": ["S", "X", "D", "C"]}, r"trumps\[1\]: expected a suit"),
    ("the same trumps", {"trumps": ["S", "C", "S", "D"]}, "trumps: expected different suits"),
    ("three trumps", {"trumps": ["S", "H", "C"]}, "trumps: expected 4 entries"),
    ("out with cards", {"out": [1]}, "out: seat 1 is out, but holds"),
    ("an unknown seat out", {"out": [7]}, "out: expected a whole number"),
    ("out twice", {"out": [1, 1]}, "out: a seat goes out once"),
    ("more actions than the cap", {"actions": 4001}, "actions: expected .* to 4000, got 4001"),
    ("luck out of range", {"luck": -1}, "luck: expected a whole number"),
    ("an unknown key", {"repeats": []}, "repeats: unknown key"),
]
REFUSED_CLASSIC: list[tuple[str, dict[str, Any], dict[str, Any], str]] = [
    ("no hands", {}, {k: v for k, v in C_TURN.items() if k != "hands"}, "hands: is missing"),
    ("no trumps", {}, {k: v for k, v in C_TURN.items() if k != "trumps"}, "trumps: is missing"),
    ("no dealer", {}, {k: v for k, v in C_TURN.items() if k != "dealer"}, "dealer: is missing"),
    ("no turn", {}, {k: v for k, v in C_TURN.items() if k != "turn"}, "turn: is missing"),
    ("a card below the six", {}, C_TURN | {"pile": ["5D"]}, r"pile\[0\]: 5D is not in the deck"),
    ("an empty hand", {}, C_TURN | {"hands": [*C_HANDS[:3], []]}, "out: seat 3 has no cards, but is not out"),
    ("a seat that is out to move", {}, C_FREE | {"free": False, "turn": 3}, "turn: seat 3 is out"),
    ("trumps not chosen", {}, C_TURN | {"trumps": ["S", None, "D", "C"]}, r"trumps\[1\]: expected a suit"),
    (
        "trumps not chosen in play",
        CHOSEN,
        C_TURN | {"trumps": ["S", None, "D", "C"]},
        "trumps: a suit is null",
    ),
    ("TRUMP with fixed trumps", {}, UNDEALT, "phase: expected one of TURN, SECOND"),
    ("SECOND on one card", {}, C_SECOND | {"pile": ["QD"]}, "pile: expected a card and on top of it"),
    ("SECOND after no beat", {}, C_SECOND | {"pile": ["QD", "JD"]}, "pile: expected a card and on top of it"),
    ("a free lead with all in", {}, C_TURN | {"free": True}, "free: true, but no seat has gone out"),
    ("a free second card", {}, C_FREE | {"phase": "SECOND"}, "free: true, but the phase is SECOND"),
    ("a free lead after no beat", {}, C_FREE | {"pile": ["QC", "JC"]}, "pile: expected a card and on top"),
    ("a free lead of the wrong seat", {}, C_FREE | {"turn": 1}, "turn: expected seat 0, which leads freely"),
    ("free as a number", {}, C_FREE | {"free": 1}, "free: expected true or false"),
    ("cards before the deal", CHOSEN, UNDEALT | {"hands": C_HANDS}, "hands: nothing is dealt"),
    ("a pile before the deal", CHOSEN, UNDEALT | {"pile": ["QD"]}, "pile: nothing is dealt"),
    ("actions before the deal", CHOSEN, UNDEALT | {"actions": 1}, "actions: nothing is dealt"),
    ("out before the deal", CHOSEN, UNDEALT | {"out": [0]}, "out: nothing is dealt"),
    ("free before the deal", CHOSEN, UNDEALT | {"free": True}, "free: nothing is dealt"),
    ("the wrong one chooses", CHOSEN, UNDEALT | {"turn": 2}, "turn: expected seat 1, who chooses now, got 2"),
    ("nobody chooses", CHOSEN, UNDEALT | {"turn": None}, "turn: expected seat 1"),
    ("all have chosen", CHOSEN, UNDEALT | {"trumps": ["S", "D", "C", "H"]}, "trumps: in TRUMP suits are"),
    ("out of order", CHOSEN, UNDEALT | {"trumps": [None, None, "D", "H"]}, "trumps: in TRUMP suits are"),
]
REFUSED_HUND: list[tuple[str, dict[str, Any], dict[str, Any], str]] = [
    ("no trumps", {}, {k: v for k, v in H_TURN.items() if k != "trumps"}, "trumps: is missing"),
    (
        "the Queen on the pile, no trumps",
        {},
        H_QUEEN | {"trumps": None},
        "trumps: null, but QC is on the pile",
    ),
    ("nobody's clubs", {}, H_TURN | {"trumps": [None, "S", "H", "D"]}, "trumps: expected C for the seat"),
    ("a gap", {}, H_TURN | {"trumps": ["C", "S", None, "H"]}, "trumps: null is for the seats that were out"),
    (
        "another order",
        {},
        H_TURN | {"trumps": ["C", "H", "S", "D"]},
        "trumps: expected S, H, D in this order",
    ),
    (
        "the first to go out has trumps, the second has none",
        {},
        H_TURN | {"hands": [["8H"], [], [], ["5S"]], "out": [1, 2], "trumps": ["C", "S", None, "H"]},
        "trumps: null is for the seats that were out",
    ),
    (
        "no suit for a seat that is out, which uses up its own",
        {"queen_trumps": "seats"},
        H_TURN | {"hands": [*H_HANDS[:3], []], "out": [3], "trumps": ["C", "S", "H", None]},
        "trumps: expected a suit for every seat",
    ),
    ("a pile at the start", {}, H_START | {"pile": ["9H"]}, r"pile: expected \[\] in START"),
    ("trumps at the start", {}, H_START | {"trumps": ["S", "H", "D", "C"]}, "trumps: expected null in START"),
    (
        "a seat out at the start",
        {},
        H_START | {"hands": [["2C", "QC"], *H_HANDS[1:3], []], "out": [3]},
        r"out: expected \[\] in START",
    ),
    ("actions at the start", {}, H_START | {"actions": 2}, "actions: expected 0 in START"),
    ("a starter without 2C", {}, H_START | {"turn": 1}, "hands: seat 1 is to start, but does not hold 2C"),
    ("SECOND on one card", {}, H_SECOND | {"pile": ["9H"]}, "pile: expected a card and on top of it"),
    ("SECOND after no beat", {}, H_SECOND | {"pile": ["9H", "8S"]}, "pile: expected a card and on top of it"),
    ("QUEEN without her", {}, H_QUEEN | {"pile": ["9H", "10H"]}, "pile: expected QC on top in QUEEN"),
    ("QUEEN of another", {}, H_QUEEN | {"turn": 1}, "trumps: expected C for seat 1, which has just"),
    (
        "QUEEN after a lead that nothing follows",
        {"queen_followup": "beat_only"},
        H_QUEEN | {"pile": ["QC"]},
        "phase: no card follows a Queen that was led",
    ),
    ("free in Hund", {}, H_TURN | {"free": False}, "free: unknown key"),
    (
        "an end without the last card",
        {},
        H_TURN | {"hands": [["8H"], [], [], []], "out": [1, 2, 3], "turn": None, "pile": []},
        "pile: expected the last card of seat 3 on it",
    ),
    (
        "more than 2C known at the start",
        {},
        H_START | {"known": [[], ["3S"], [], []]},
        r"known\[1\]: only 2C can be known",
    ),
    (
        "a Queen that was seen before it was played",
        {},
        H_TURN | {"trumps": None, "hands": [["8H", "QC"], *H_HANDS[1:]], "known": [["QC"], [], [], []]},
        r"known\[0\]: QC is seen when it is played",
    ),
]
REFUSED: list[tuple[str, Any, dict[str, Any], str]] = [
    *[(f"classic, {name}", KozyriClassic(ClassicRules()), C_TURN | d, m) for name, d, m in REFUSED_BY_BOTH],
    *[(f"hund, {name}", Hund(HundRules()), H_TURN | d, m) for name, d, m in REFUSED_BY_BOTH],
    *[(f"classic, {name}", KozyriClassic(ClassicRules(**o)), d, m) for name, o, d, m in REFUSED_CLASSIC],
    *[(f"hund, {name}", Hund(HundRules(**o)), d, m) for name, o, d, m in REFUSED_HUND],
]


@pytest.mark.parametrize(
    ("game", "state", "message"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED]
)
def test_a_position_that_cannot_be_is_refused_by_its_key(
    game: Any, state: dict[str, Any], message: str
) -> None:
    with pytest.raises(BadPosition, match=f"^{message}"):
        game.from_position(state)


WORDS = ["9D", "QC", "2C", "S", "C", "TURN", "TRUMP", "QUEEN", "SECOND", "START", ""]
LEAVES: st.SearchStrategy[Any] = st.none() | st.booleans() | st.integers(-3, 5) | st.sampled_from(WORDS)
DAMAGE = st.dictionaries(
    st.sampled_from([*CLASSIC_KEYS, "luck", "more"]),
    LEAVES | st.lists(LEAVES | st.lists(LEAVES, max_size=3), max_size=4),
    min_size=1,
    max_size=2,
)
WHOLE: list[tuple[Any, dict[str, Any]]] = [
    *[(KozyriClassic(ClassicRules()), state) for state in (C_TURN, C_FREE, C_SECOND)],
    (KozyriClassic(ClassicRules(trumps="chosen")), UNDEALT),
    *[(Hund(HundRules()), state) for state in (H_TURN, H_START, H_QUEEN, H_SECOND)],
]


@pytest.mark.parametrize(("game", "state"), WHOLE)
def test_the_positions_that_the_refused_ones_vary_are_read(game: Any, state: dict[str, Any]) -> None:
    assert game.from_position(state).seat == state["turn"]


@settings(max_examples=200, deadline=None)
@given(whole=st.sampled_from(WHOLE), damage=DAMAGE)
def test_any_value_for_any_key_is_read_or_refused(
    whole: tuple[Any, dict[str, Any]], damage: dict[str, Any]
) -> None:
    """A damaged position never breaks the reader in another way."""
    game, state = whole
    try:
        read = game.from_position({**state, **damage})
    except BadPosition:
        return

    assert game.position(game.from_position(game.position(read))) == game.position(read)


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("kozyri-classic", {"seats": 5}, "seats: expected 2, 3 or 4, got 5"),
        ("kozyri-classic", {"trumps": "free"}, "trumps: expected fixed or chosen, got .free."),
        ("kozyri-classic", {"second": True}, "second: expected may or must"),
        ("kozyri-classic", {"draw_requires_beat": 1}, "draw_requires_beat: expected true or false"),
        ("kozyri-classic", {"payoff": "points"}, "payoff: expected loser or order"),
        ("kozyri-classic", {"cap": 0}, "cap: expected a whole number from 1 on, got 0"),
        ("hund", {"seats": 4}, "seats: unknown option"),
        ("hund", {"second": "can"}, "second: expected may or must"),
        ("hund", {"queen_followup": "never"}, "queen_followup: expected opening, always or beat_only"),
        ("hund", {"queen_trumps": "all"}, "queen_trumps: expected active or seats"),
        ("hund", {"payoff": 1}, "payoff: expected loser or order"),
        ("hund", {"cap": "400"}, "cap: expected a whole number from 1 on"),
    ],
)
def test_options_that_the_game_does_not_have_are_refused(
    name: str, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(BadRules, match=message):
        engines.load(name, **options)
