"""Pulls the grid's cable in a game again and again: at rest, with a piece in the hand, or for a whole move.

Or its device falls silent with the cable in. Times are of the simulated clock.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from benchmarks.simulation.grid_games import Sitting, Tally, choose
from benchmarks.simulation.line_noise import LineNoise
from benchmarks.simulation.switch_hands import Carry
from companion.core.game import Action
from companion.store.store import Store
from companion.table.present import present
from companion.wire.state import SourceStatus

KINDS = ("at rest", "in a move", "before a move")
OUTCOMES = ("right", "asked", "wrong", "stuck", "lost")
OUT_S = (0.05, 4.0)
LOOK_S = 0.02
SLOW_S = 3.0


class Interrupted(Sitting):
    """A game whose grid is lost in every move, and comes back before the move is judged."""

    tells_flips = True
    kind = ""

    def __init__(self, store: Store, tally: Tally, head: str, rng: Random) -> None:
        super().__init__(store, tally, head, rng)
        self.told_after: list[float] = []
        self.back_after: list[float] = []

    def pull(self) -> None:
        """Pulls the cable, or lets the device hang, until the page says so."""
        if self.rng.random() < 0.5:
            self.stage.unplug()
        else:
            self.stage.device.line = LineNoise(drop=1.0)
        self.told_after.append(self.time_until(lambda: self.source().state == "lost"))
        if not self.source().words:
            self.tally.fail("silent", "the page does not say why")

    def plug(self) -> None:
        self.stage.plugged, self.stage.device.line = True, LineNoise()
        self.back_after.append(self.time_until(lambda: self.source().state != "lost"))

    def source(self) -> SourceStatus:
        """Returns the page's entry of the grid."""
        return present(self.desk.snapshot, None).sources[0]

    def time_until(self, happened: Callable[[], bool]) -> float:
        began = self.stage.now
        while not happened() and self.stage.now - began < SLOW_S:
            self.stage.wait(LOOK_S)
        return self.stage.now - began

    def act(self, action: Action) -> None:
        kind = self.rng.choice(KINDS)
        self.tally.counts[kind] += 1
        if kind == "in a move":
            self.kind = kind
            super().act(action)
            return
        self.pull()
        if kind == "at rest":
            self.stage.wait(self.rng.uniform(*OUT_S))
            self.plug()
        super().act(action)
        if kind == "before a move":
            self.stage.wait(self.rng.uniform(*OUT_S))
            self.plug()

    def move(self, todo: list[Carry]) -> None:
        """Moves, and loses the cable once the first piece is up."""
        if self.kind != "in a move":
            return super().move(todo)
        self.kind = ""
        contacts = self.contacts(todo)
        middle = self.rng.randrange(1, len(contacts)) if len(contacts) > 1 else 1
        self.stage.play(contacts[:middle], rest=0.0)
        self.pull()
        late = max(0.0, self.stage.now + 0.1 - contacts[middle].time) if middle < len(contacts) else 0.0
        self.stage.play([c._replace(time=c.time + late) for c in contacts[middle:]], rest=0.1)
        self.stage.wait(self.rng.uniform(*OUT_S))
        return self.plug()


@dataclass
class Record:
    """Outcomes of the games, and how long the page took to say that the grid is lost, and back (s)."""

    tally: Tally = field(default_factory=Tally)
    told: list[float] = field(default_factory=list)
    back: list[float] = field(default_factory=list)

    def __str__(self) -> str:
        counts = self.tally.counts
        kinds = ", ".join(f"{counts[name]} {name}" for name in KINDS)
        outcomes = "  ".join(f"{name} {counts[name]}" for name in OUTCOMES)
        lines = [f"lost {len(self.told)} times ({kinds}): actions {counts['actions']}  {outcomes}"]
        lines += [f"  told within {max(self.told):.2f} s, back within {max(self.back):.2f} s"]
        return "\n".join([*lines, *(f"  {line}" for line in self.tally.failures)])


def interrupt(head: str, times: int, rng: Random) -> Record:
    """Games in which the grid is lost so many times."""
    record = Record()
    while len(record.told) < times:
        left = times - len(record.told)
        with Store(":memory:") as store:
            game = Interrupted(store, record.tally, head, rng)
            while len(game.told_after) < left and not game.truth.outcome:
                game.act(choose(game.truth, rng))
                game.check(1)
        record.told += game.told_after
        record.back += game.back_after
    return record
