"""The laws of the search tree, by a small game and by games as they are."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

import engines
from bots.core.search import Node, Payoff, Rollout, Tree, Uniform
from engines.core.game import Outcome
from engines.core.state import State

from .small import Heap, HeapGame

HUNDRED = 100


def grown(worlds: Iterator[State], count: int, *, luck: int = 7, rollout: Rollout | None = None) -> Tree:
    tree = Tree(rollout or Uniform(Payoff(HeapGame())), luck)
    for _ in range(count):
        tree.grow(next(worlds))
    return tree


def heaps(*sizes: int) -> Iterator[State]:
    """These heaps in turn, for ever."""
    while True:
        for size in sizes:
            yield Heap(size)


def everything(node: Node) -> list[tuple[int, int, int, int, float]]:
    """A tree as a list, to compare."""
    found = [(node.move, node.seat, node.visits, node.available, node.total)]
    for child in node.children():
        found += everything(child)
    return found


def nodes(node: Node) -> Iterator[Node]:
    yield node
    for child in node.children():
        yield from nodes(child)


@pytest.mark.parametrize("heap", [5, 6, 7, 9, 10, 11])
def test_a_forced_win_is_found(heap: int) -> None:
    tree = grown(heaps(heap), 600)

    best = max(tree.root.children(), key=lambda child: child.visits)
    assert (heap - best.move - 1) % 4 == 0
    assert best.mean() > 0.8


def test_every_iteration_adds_one_visit_and_one_node_where_the_game_goes_on_below() -> None:
    tree = grown(heaps(60), HUNDRED)

    assert tree.root.visits == HUNDRED
    assert sum(child.visits for child in tree.root.children()) == HUNDRED
    assert len(list(nodes(tree.root))) == HUNDRED + 1


def test_visits_below_a_node_are_its_own_less_the_one_that_made_it() -> None:
    tree = grown(heaps(60), HUNDRED)

    for node in nodes(tree.root):
        if node.children() and node is not tree.root:
            assert sum(child.visits for child in node.children()) == node.visits - 1


def test_a_move_is_counted_as_available_only_in_worlds_that_have_it() -> None:
    tree = grown(heaps(2, 9), HUNDRED)

    one, two, three = tree.root.children()
    assert one.available <= HUNDRED
    assert three.available <= HUNDRED // 2
    assert two.available > HUNDRED // 2
    assert all(child.visits <= child.available for child in (one, two, three))


def test_the_tree_is_a_function_of_its_luck_and_of_the_worlds() -> None:
    first = everything(grown(heaps(11), HUNDRED).root)

    assert everything(grown(heaps(11), HUNDRED).root) == first
    assert everything(grown(heaps(11), HUNDRED, luck=8).root) != first


def test_with_one_world_it_is_plain_uct() -> None:
    tree = grown(heaps(11), HUNDRED)

    for node in nodes(tree.root):
        children = node.children()
        if len(children) == 3:
            last_tried = [child.available for child in children]
            assert max(last_tried) - min(last_tried) <= 2  # all were available all the time since tried


def test_rewards_go_to_the_seat_that_moved() -> None:
    class Sure(Rollout):
        def value(self, state: State, luck: int) -> list[float]:
            return [1.0, 0.25]

    tree = grown(heaps(11), HUNDRED, rollout=Sure())

    for node in nodes(tree.root):
        if node is not tree.root:
            assert node.mean() == (1.0 if node.seat == 0 else 0.25)


def test_a_search_stops_where_the_rollout_says_so() -> None:
    class Shallow(Rollout):
        def ended(self, state: State) -> bool:
            return state.seat != 0

        def value(self, state: State, luck: int) -> list[float]:
            return [0.5, 0.5]

    tree = grown(heaps(11), HUNDRED, rollout=Shallow())

    assert [len(child.children()) for child in tree.root.children()] == [0, 0, 0]


def test_following_the_moves_made_keeps_what_lies_below_them() -> None:
    tree = grown(heaps(11), 300)
    wanted = tree.root.find(0, 2)
    assert wanted is not None
    below = wanted.find(1, 1)
    assert below is not None
    kept = everything(below)

    assert tree.follow([(0, 2), (1, 1)])
    assert everything(tree.root) == kept
    visits = tree.root.visits
    tree.grow(Heap(6))
    assert tree.root.visits == visits + 1


def test_a_line_that_the_tree_does_not_have_is_not_followed() -> None:
    tree = grown(heaps(11), HUNDRED)
    root = tree.root

    assert not tree.follow([(1, 0)])
    assert not tree.follow([(0, 0), (1, 0), (0, 0), (1, 0), (0, 0), (1, 0), (0, 0), (1, 0), (0, 0), (1, 0)])
    assert tree.root is root


@pytest.mark.parametrize("name", engines.available())
def test_the_worlds_of_real_games_are_searched(name: str) -> None:
    game = engines.load(name)
    state, rng = game.deal(3), Random(3)
    view = game.view(state, int(state.seat))

    class Even(Rollout):
        def value(self, state: State, luck: int) -> list[float]:
            return [0.5] * game.seats

    tree = Tree(Even(), 3)
    for _ in range(30):
        tree.grow(game.sample(view, rng))

    assert {child.move for child in tree.root.children()} <= set(state.moves())
    assert sum(child.visits for child in tree.root.children()) == 30


def test_payoffs_are_shares_of_places_and_scores() -> None:
    duel, seven = Payoff(engines.load("kozyri-duel")), Payoff(engines.load("seven-symbols"))

    assert duel.rewards(Outcome((1.0, 0.0), (1, 2), (0, 1), "won")) == [1.0, 0.0]
    assert duel.rewards(Outcome((0.5, 0.5), (1, 1), (0, 1), "draw")) == [0.5, 0.5]
    team = seven.rewards(Outcome((8.0, 3.0, 8.0, 3.0), (1, 2, 1, 2), (0, 1, 0, 1), "won"))
    assert team[0] == team[2] > team[1] == team[3] > 0


def test_a_tie_with_some_and_a_win_over_others_count_by_sides() -> None:
    payoff = Payoff(engines.load("code777"), winning=1.0)

    found = payoff.rewards(Outcome((2.0, 2.0, 1.0, 0.0), (1, 1, 3, 4), (0, 1, 2, 3), "cap"))
    assert found == pytest.approx([2.5 / 3, 2.5 / 3, 1 / 3, 0.0])
