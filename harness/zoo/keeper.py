"""The keeper: seats each bot of the zoo against an honest one, and looks at what it has done.

Three things are asked of every visit: nothing beyond the bot's own process was touched (the traps tell),
the match's fault is the offender's and no other's, and the next match in the same worker is clean.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple, Self

from harness import submissions
from harness.config_values import canonical_json
from harness.executors.base import Setup
from harness.players import levels
from harness.records import BotRef, Limits, MatchRecord, MatchSpec
from harness.worker import Worker
from harness.zoo.animals import Animal, animals
from harness.zoo.traps import Traps

GAME: Final = "kozyri-duel"
RULES: Final = {"deck": "easy", "cap": 40}
LIMITS: Final = Limits(cpu_ms=100, memory_mb=256, import_ms=400)
HONEST: Final = '''"""An honest bot; what it holds in its file is nobody else's affair: {marked}."""

from bots import Bot, Seen

import helper


class Honest(Bot):
    def act(self, seen: Seen) -> int:
        assert helper.OWNER == "rival"
        return seen.moves[0]
'''


class Visit(NamedTuple):
    """What came of one bot of the zoo."""

    animal: Animal
    level: str
    harm: tuple[str, ...]
    """What it did that it must not; empty where it was contained."""
    end: str
    """How its match ended, in words."""
    spared: bool = False
    """It was not played: at this level it would hurt the machine."""

    @property
    def expected(self) -> bool:
        """Whether this level is said not to contain it."""
        return levels.rank(self.level) < levels.rank(self.animal.contained_from)

    @property
    def surprising(self) -> bool:
        """Whether it did harm that this level is said to hold back."""
        return bool(self.harm) and not self.expected


def visits(level: str, chosen: Iterable[Animal] | None = None) -> Iterator[Visit]:
    """Play the chosen bots, or all, at `level`; yields each when it is done.

    Raises IsolationUnavailable where the level cannot be had. Needs Linux.
    """
    with Keeper(level) as keeper:
        for animal in animals() if chosen is None else chosen:
            yield keeper.visit(animal)


class Keeper:
    """One worker, as a run has it, and the traps; a context manager."""

    def __init__(self, level: str) -> None:
        self.level = level
        self.played = 0
        self._stack = contextlib.ExitStack()

    def __enter__(self) -> Self:
        self.traps = self._stack.enter_context(Traps())
        rival = self.traps.home / "rival"
        rival.mkdir()
        (rival / "helper.py").write_text('OWNER = "rival"\n', encoding="ascii")
        (rival / "bot.py").write_text(HONEST.format(marked=self.traps.marked), encoding="utf-8")
        source = submissions.at(rival)
        self.honest = BotRef("honest", source.version)
        sources = {(animal.name, animal.source.version): animal.source for animal in animals()}
        self.setup = Setup({**sources, ("honest", source.version): source}, self.level)
        self.worker = Worker(self.setup)
        self._stack.callback(lambda: self.worker.close())  # noqa: PLW0108 - of the worker that is there then
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def visit(self, animal: Animal) -> Visit:
        """Its match or two, what the traps say, and a clean match after it."""
        if levels.rank(self.level) < levels.rank(animal.spared_below):
            return Visit(animal, self.level, (), f"not played below {animal.spared_below}", spared=True)
        self.traps.reset()
        options = canonical_json(self.traps.options(self.traps.home / "rival" / "bot.py"))
        beast = BotRef(animal.name, animal.source.version, options)
        seats = (beast, beast) if animal.pair else (self.honest, beast)
        harm: list[str] = []
        end = "played on in vain"
        for _ in range(2 if animal.twice else 1):
            try:
                record = self.play(seats)
            except Exception as error:  # noqa: BLE001 - a try that is void: the worst that a bot can do
                harm.append(f"spoilt its match: {type(error).__name__}: {error}")
                self.replace_worker()
                continue
            faults = [fault for seat in record.seats if seat.bot == beast for fault in seat.faults]
            end = faults[0].detail.partition(") ")[2] if faults else end
            harm += misattributed(animal, record, beast)
            for seat in record.seats:
                harm += self.traps.sprung(dict(seat.metrics))
        harm += self.aftermath()
        return Visit(animal, self.level, tuple(dict.fromkeys(harm)), end)

    def play(self, seats: tuple[BotRef, ...]) -> MatchRecord:
        """One match of the worker."""
        self.played += 1
        spec = MatchSpec(
            id=f"zoo-{self.played:04}-0",
            game=GAME,
            rules=canonical_json(RULES),
            deal=f"{GAME}/{self.played % 5}",
            luck=self.played % 5,
            round=0,
            line_up=0,
            seating=0,
            seats=seats,
            limits=LIMITS,
        )
        return self.worker.play_one(spec)

    def aftermath(self) -> list[str]:
        """What is wrong with the next match, in which two honest bots meet."""
        try:
            record = self.play((self.honest, self.honest))
        except Exception as error:  # noqa: BLE001 - whatever it is, the bot before has done it
            self.replace_worker()
            return [f"spoilt the next match: {type(error).__name__}: {error}"]
        faults = [fault.detail for seat in record.seats for fault in seat.faults]
        return [f"spoilt the next match: {fault}" for fault in faults]

    def replace_worker(self) -> None:
        """Start afresh: what the old one had is gone, or not to be trusted."""
        self.worker.close()
        self.worker = Worker(self.setup)


def misattributed(animal: Animal, record: MatchRecord, beast: BotRef) -> list[str]:
    """What is wrong with the match's faults: another's, or not of the kinds that this bot ends with."""
    wrong: list[str] = []
    for seat in record.seats:
        for fault in seat.faults:
            if seat.bot != beast:
                wrong.append(f"made another forfeit: {fault.detail}")
            elif fault.kind not in animal.faults:
                wrong.append(f"ended otherwise than said ({fault.kind}): {fault.detail}")
    if animal.faults and record.status != "forfeit":
        wrong.append("got away without a fault")
    return wrong
