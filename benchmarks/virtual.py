"""Measures how rightly the virtual table is read and refereed.

    python -m benchmarks virtual [GAME…] [--plies N]

Random legal actions of each game are drawn, read by the camera's reader, compared with what stands there, and
given to a desk that has to record them. Prints a line for each game.
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import dataclass, field
from random import Random

import cv2

from benchmarks.simulation.players import choose, opening
from companion.core.game import Look
from companion.games import GAMES
from companion.record.session import Entry, Session
from companion.store.store import Store
from companion.table import messages
from companion.table.desk import Desk
from vision.reading.reader import Reader
from vision.sources.virtual import VirtualTable
from web.runtime.runtime import lay_virtual

SEED, PLIES = 7, 25
STEP, FRAMES = 0.3, 8
"""Seconds between frames, and how many are seen of each position: nobody's hand is, so that a change must
last for the grace time."""


@dataclass
class Tally:
    """Looks taken for others, and what the desk made of the actions."""

    places: int = 0
    frames: int = 0
    right: int = 0
    plies: int = 0
    recorded: int = 0
    asked: int = 0
    refused: int = 0
    taken_for: Counter[tuple[Look, Look]] = field(default_factory=Counter)

    def __str__(self) -> str:
        rate = 1000 * self.taken_for.total() / max(self.places, 1)
        common = ", ".join(f"{a} as {b} ×{n}" for (a, b), n in self.taken_for.most_common(3))
        return (
            f"{rate:5.1f} wrong in 1,000  {self.right}/{self.frames} frames right"
            f"  recorded {self.recorded}/{self.plies}  asked {self.asked}  refused {self.refused}  {common}"
        )


def main(args: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks virtual")
    parser.add_argument("games", nargs="*", help="heads of game texts; without any, every game")
    parser.add_argument("--plies", type=int, default=PLIES)
    options = parser.parse_args(args)
    cv2.setNumThreads(1)
    for head in options.games or sorted(GAMES):
        with Store(":memory:") as store:
            print(f"{head:16} {play(store, head, options.plies, Random(SEED))}", flush=True)
    return 0


def play(store: Store, head: str, plies: int, rng: Random) -> Tally:
    """Plays random actions on a virtual table in front of a desk; returns the tally."""
    truth, tally, desk = opening(head, rng), Tally(), Desk(store)
    table = VirtualTable(truth.game.board, Random(SEED))
    desk.handle(messages.NewGame(truth.text))
    reader, time = lay_virtual(table, truth), 0.0
    time = _show(table, reader, desk, truth, time, tally)
    for _ in range(plies):
        if truth.outcome:
            break
        action, before = choose(truth.rules, truth.position, rng), truth
        truth = truth.apply(Entry("action", action))
        if _unseen(before, truth):
            desk.handle(messages.NewGame(truth.text))
            continue
        time = _show(table, reader, desk, truth, time, tally)
        _compare(desk, truth, tally)
    return tally


def _show(
    table: VirtualTable, reader: Reader, desk: Desk, truth: Session, time: float, tally: Tally
) -> float:
    """Lays the true position and lets the desk see it for a while; the time then."""
    want = truth.rules.look(truth.position)
    table.become(want)
    for _ in range(FRAMES):
        time += STEP
        seen = reader.read(table.picture(), time)
        desk.handle(messages.Seen(seen.sighting))
    odd = [(p, want.get(p, "empty"), seen.looks.get(p, "empty")) for p in {*want, *seen.looks}]
    tally.taken_for.update((a, b) for _, a, b in odd if a != b)
    tally.places, tally.frames = tally.places + len(odd), tally.frames + 1
    tally.right += all(a == b for _, a, b in odd)
    return time


def _unseen(before: Session, after: Session) -> bool:
    """Returns whether an action leaves the board as it was: such a one is pressed on the tablet."""
    return before.rules.look(before.position) == after.rules.look(after.position)


def _compare(desk: Desk, truth: Session, tally: Tally) -> None:
    """Counts what became of the last action, and enters it where it was not recorded."""
    verdict = desk.snapshot.verdict
    told = desk.session
    alike = told.rules.look(told.position) == truth.rules.look(truth.position)
    right = alike and len(told.plies) == len(truth.plies)
    tally.plies += 1
    tally.recorded += right
    tally.asked += bool(desk.snapshot.questions)
    tally.refused += verdict is not None and verdict.kind == "refused"
    if not right:
        desk.handle(messages.NewGame(truth.text))
