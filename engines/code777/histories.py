"""The law of the own racks that a seat was not shown, given its evidence; compiled.

The weight of an epoch (layer.py) depends on its hidden racks only by their sum and by the one that outlasts
it. So going forward it is enough to carry the weight of every multiset of own tiles out of play in this
epoch, and of every content of the rack that stands when it ends.
"""

from __future__ import annotations

from random import Random
from typing import final

from mypy_extensions import i64

from engines.code777.evidence import Evidence, fits
from engines.code777.layer import Layer, factorials, ways
from engines.code777.questions import counts_of


@final
class Histories:
    """All contents of the own rack that agree with a seat's evidence, with their weights."""

    def __init__(self, evidence: Evidence) -> None:
        self.codes: list[list[int]] = [
            era.candidates(evidence.colours, evidence.at_least) for era in evidence.eras
        ]
        """The candidates of each era."""
        self.layers: list[Layer] = []
        self.present: list[float] = []
        """The chance of each candidate of the rack that stands now; empty if its owner was shown it."""
        carried: list[float] = []
        number: i64 = 0
        count: i64 = len(evidence.epochs)
        while number < count:
            last: bool = number == count - 1
            next_pile: i64 = 0 if last else evidence.epochs[number + 1].pile
            layer = Layer(evidence.epochs[number], next_pile, last)
            self.layers.append(layer)
            self.pass_through(layer, carried)
            if layer.epoch.kept:
                carried = self.carry(layer)
            elif layer.own_split:
                carried = self.carry_split(layer, evidence.epochs[number + 1].eras[0])
            number += 1
        if self.layers[-1].epoch.kept:
            self.present = carried

    def pass_through(self, layer: Layer, carried: list[float]) -> None:
        """Collect what goes out of play as one era after another ends."""
        spent: dict[int, float] = {0: 1.0}
        for place, era in enumerate(layer.epoch.eras):
            codes = self.codes[era]
            if place == 0 and layer.epoch.carried:
                chances = carried
            else:
                chances = [1.0 / factorials(counts_of(code)) for code in codes]
            layer.chances.append(chances)
            layer.spent.append(spent)
            if place < layer.removed:
                spent = extended(spent, codes, chances, layer.unseen)
        layer.spent.append(spent)

    def carry(self, layer: Layer) -> list[float]:
        """The weight of every candidate of the era that outlasts the epoch."""
        codes = self.codes[layer.epoch.eras[-1]]
        spent = layer.spent[-1]
        chances = layer.chances[-1]
        total: list[float] = [0.0] * len(codes)
        for part, weight in layer.tails():
            rooms: list[int] = []
            scales: list[float] = []
            for gone, chance in spent.items():
                if fits(gone + part, layer.unseen):
                    rooms.append(layer.unseen - gone - part)
                    scales.append(weight * chance / factorials(rooms[-1]))
            place: i64 = 0
            while place < len(codes):
                code: i64 = codes[place]
                total[place] += chances[place] * layer.start_of_next(part, code) * ended(rooms, scales, code)
                place += 1
        return normalised(total)

    def carry_split(self, layer: Layer, era: i64) -> list[float]:
        """The weight of every candidate of an own rack that was refilled across the refresh."""
        ends: dict[int, float] = {}
        weights: list[float] = []
        for code in self.codes[era]:
            weight = 0.0
            for part, tail in layer.split_tails(code):
                if part not in ends:
                    ends[part] = self.ended_with(layer, part)
                weight += ends[part] * tail
            weights.append(weight)
        return normalised(weights)

    def ended_with(self, layer: Layer, part: i64) -> float:
        """The weight of all histories of an epoch at whose end `part` is drawn for the own rack."""
        total = 0.0
        for gone, chance in layer.spent[-1].items():
            total += chance * layer.end_weight(gone, part, 0)
        return total

    # --- one of them

    def draw(self, rng: Random, present: i64 = -1) -> list[int]:
        """The code of every era, drawn by the joint law: from the last epoch back to the first.

        With `present`, a place in the last of `codes`, that is the rack that stands now.
        """
        chosen: list[int] = [0] * len(self.codes)
        number: i64 = len(self.layers) - 1
        while number >= 0:
            layer = self.layers[number]
            epoch = layer.epoch
            code: i64 = 0
            if epoch.kept:
                era: i64 = epoch.eras[-1]
                if layer.last:
                    chosen[era] = self.codes[era][present if present >= 0 else pick(self.present, rng)]
                code = chosen[era]
            elif layer.own_split:
                code = chosen[self.layers[number + 1].epoch.eras[0]]
            gone: i64 = self.draw_spent(layer, code, rng)
            place: i64 = layer.removed - 1
            while place >= 0:
                gone -= self.draw_removed(layer, place, gone, chosen, rng)
                place -= 1
            number -= 1
        return chosen

    def draw_spent(self, layer: Layer, code: i64, rng: Random) -> int:
        """The own tiles out of play when an epoch ends, given the own rack that outlasts it."""
        gones: list[int] = []
        weights: list[float] = []
        tails = layer.split_tails(code) if layer.own_split else layer.tails()
        standing: i64 = code if layer.epoch.kept else 0
        for part, tail in tails:
            weight = tail * layer.start_of_next(part, standing) if standing else tail
            for gone, chance in layer.spent[-1].items():
                gones.append(gone)
                weights.append(weight * chance * layer.end_weight(gone, part, standing))
        return gones[pick(weights, rng)]

    def draw_removed(self, layer: Layer, place: i64, gone: i64, chosen: list[int], rng: Random) -> int:
        """The era at `place` of an epoch, given all own tiles out of play when it has ended; its counts."""
        era: i64 = layer.epoch.eras[place]
        codes = self.codes[era]
        chances = layer.chances[place]
        before = layer.spent[place]
        weights: list[float] = []
        index: i64 = 0
        while index < len(codes):
            counts: i64 = counts_of(codes[index])
            weight = 0.0
            if fits(counts, gone):
                weight = before.get(gone - counts, 0.0) * chances[index]
            weights.append(weight)
            index += 1
        chosen[era] = codes[pick(weights, rng)]
        return counts_of(chosen[era])


def extended(
    spent: dict[int, float], codes: list[int], chances: list[float], unseen: i64
) -> dict[int, float]:
    """Every multiset of own tiles out of play with one more rack added, as far as `unseen` has them."""
    sums: dict[int, float] = {}
    for gone, weight in spent.items():
        before: i64 = gone
        place: i64 = 0
        while place < len(codes):
            chance: float = chances[place]
            after: i64 = before + counts_of(codes[place])
            if chance > 0 and fits(after, unseen):
                sums[after] = sums.get(after, 0.0) + weight * chance
            place += 1
    return sums


def ended(rooms: list[int], scales: list[float], code: i64) -> float:
    """The summed weight of a rack that stands at the end, over all multisets of own tiles out of play."""
    total: float = 0.0
    place: i64 = 0
    while place < len(rooms):
        scale: float = scales[place]
        total += scale * float(ways(rooms[place], code))
        place += 1
    return total


def normalised(weights: list[float]) -> list[float]:
    """Weights that sum to 1; raises ValueError where nothing is possible."""
    total = sum(weights)
    if not total > 0:
        raise ValueError("no rack of this seat agrees with its view")
    return [weight / total for weight in weights]


def pick(weights: list[float], rng: Random) -> int:
    """A place with a chance in proportion to its weight."""
    left = rng.random() * sum(weights)
    last: i64 = 0
    place: i64 = 0
    while place < len(weights):
        weight: float = weights[place]
        if weight > 0:
            last = place
            left -= weight
            if left < 0:
                break
        place += 1
    return last
