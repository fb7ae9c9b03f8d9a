"""Boards without a camera, many in one process, that play recorded games and tell a hall's broker of them.

    python -m benchmarks.halls.publishers --broker URL --first 21 --count 20 --folder FOLDER --pace 6

Each board is a whole table with a store on disk and a speaker: only sensors and page are missing. It plays an
action every `pace` seconds on average, until the process is ended. What the store has, it goes on from; so
the process may be killed at any time. At its end it prints how long actions took, in milliseconds.
"""

from __future__ import annotations

import argparse
import heapq
import json
import os
import signal
import sys
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from types import FrameType

from benchmarks.simulation.players import opening, play_on
from broker_bridge.address import read_broker
from broker_bridge.connection import link_to
from broker_bridge.outbox_file import NAME, OutboxFile
from broker_bridge.speaker import Speaker, membership_of
from broker_bridge.topics import BoardName
from companion.core.game import Action
from companion.store.store import Store
from companion.table.desk import Desk
from companion.table.messages import NewGame, OpenGame, Submit
from companion.table.table import Table

SITE = "Hall"
GAMES = ("chess", "draughts", "triune", "escape", "ternion_factor", "trid")
PLIES = 60
"""Actions after which a recorded game ends, where it has not ended before."""
STORE = "games.sqlite"


@dataclass
class Board:
    """A board of the hall and the recorded game that it plays."""

    table: Table
    game: str
    rng: Random
    record: tuple[Action, ...] = ()
    took: list[float] = field(default_factory=list)
    """Seconds that each action took until it was stored."""

    def act(self) -> None:
        """Plays the next action of the record, or begins the next game."""
        session = self.table.snapshot.session
        if session is None or session.outcome or len(session.plies) >= len(self.record):
            self._begin()
            return
        action = self.record[len(session.plies)]
        if session.actions != self.record[: len(session.plies)]:  # a game from before this process
            self._begin()
            return
        begun = time.perf_counter()
        self.table.ask(Submit(action, session.position.to_act))
        self.took.append(time.perf_counter() - begun)

    def _begin(self) -> None:
        session = opening(self.game, self.rng)
        self.record = play_on(session, PLIES, self.rng).actions
        head = {player: f"{player.title()} {self.rng.randrange(1000)}" for player in session.players}
        clock = {"clock": "90:00+30"} if len(session.players) == 2 else {}
        self.table.ask(NewGame(session.game.head, {**head, **clock}))


def folder_of(folder: Path, number: int) -> Path:
    """Returns where a board has its games."""
    return folder / f"board-{number}"


def main(args: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.halls.publishers")
    parser.add_argument("--broker", help="without one, the boards tell nobody")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--pace", type=float, default=6.0)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(args)
    ends: list[int] = []

    def end(number: int, _frame: FrameType | None) -> None:
        ends.append(number)

    signal.signal(signal.SIGTERM, end)
    with ExitStack() as stack:
        boards = [_open(stack, given, number) for number in range(given.first, given.first + given.count)]
        print("ready", flush=True)
        rng = Random(f"{given.seed} {os.getpid()}")
        due = [(time.monotonic() + rng.random() * given.pace, n) for n in range(len(boards))]
        heapq.heapify(due)
        while not ends:
            at, n = due[0]
            wait = at - time.monotonic()
            if wait > 0:
                time.sleep(min(wait, 0.2))
                continue
            boards[n].act()
            heapq.heapreplace(due, (at + rng.expovariate(1 / given.pace), n))
        print(
            json.dumps(sorted(round(1000 * took, 2) for board in boards for took in board.took)), flush=True
        )
    return 0


def _open(stack: ExitStack, given: argparse.Namespace, number: int) -> Board:
    folder = folder_of(given.folder, number)
    folder.mkdir(parents=True, exist_ok=True)
    store = stack.enter_context(Store(folder / STORE))
    table = stack.enter_context(Table(Desk(store)))
    if latest := store.latest():
        table.ask(OpenGame(latest))
    if given.broker:
        name = BoardName(SITE, str(number))
        link = link_to(read_broker(given.broker), membership_of(name))
        file = OutboxFile(folder / NAME)
        stack.callback(file.close)
        stack.enter_context(Speaker(name, link, table, stack.enter_context(Store(folder / STORE)), file))
    return Board(table, GAMES[number % len(GAMES)], Random(f"{given.seed} {number}"))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
