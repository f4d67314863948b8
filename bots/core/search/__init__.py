"""Search over sampled worlds, for any game: the parts that `pimc`, `ismcts` and your own bot are made of."""

from bots.core.search.advised import AdvisedBot
from bots.core.search.budget import Budget
from bots.core.search.paired import race
from bots.core.search.player import SearchBot
from bots.core.search.rollout import Payoff, Rollout, Uniform
from bots.core.search.tree import Node, Tree

__all__ = ["AdvisedBot", "Budget", "Node", "Payoff", "Rollout", "SearchBot", "Tree", "Uniform", "race"]
