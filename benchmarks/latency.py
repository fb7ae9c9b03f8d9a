"""Measures the time from the first still frame after a move to the verdict on the page.

    python -m benchmarks latency [MOVES] [thinking]

The chosen holding time is not counted. A virtual camera sends 20 frames a second of a Triune board; a move is
made between two frames without a hand, legal ones and illegal ones in turn, and a client of the live stream
notes when its verdict arrives. Legal moves are held for `Policy.hold`. Refusals are held for
`Policy.grace`, and so is a flip, which changes one place that no hand was seen near. Prints percentiles in
milliseconds. With `thinking` a mind thinks all the while, in a process of its own as at a table, and each
move is measured in turn with and without it.
"""

from __future__ import annotations

import random
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks.running.browser import states
from benchmarks.running.figures import spread
from companion.core.game import Look, Place
from companion.record.session import Session
from companion.referee.evidence.looks import changes
from companion.store.store import Store
from companion.table import messages
from companion.table.desk import Desk
from companion.table.policy import POLICY
from companion.table.table import Table
from opponent.mind import Question
from opponent.thinker import Thinker
from web import Services, Settings, create_app
from web.runtime.runtime import Runtime
from web.server.server import Server

MOVES = 20
TOLD_S = 30.0
"""Seconds after which what the page has to be told of comes no more."""


def main(args: list[str]) -> int:
    count = next((int(arg) for arg in args if arg.isdecimal()), MOVES)
    mind = Mind() if "thinking" in args else None
    with tempfile.TemporaryDirectory() as folder:
        delays: dict[str, list[float]] = defaultdict(list)
        for n, (kind, seconds) in enumerate(measure(Path(folder), count * (2 if mind else 1))):
            delays[f"{kind}, thinking" if mind and mind.is_busy else kind].append(seconds)
            if mind and n % 8 == 7:  # some moves of each kind, with and without it
                mind.toggle()
    if mind:
        mind.stop()
    print(f"verdict on the page after the first still frame, besides the holding time; {count} moves each")
    for kind, found in sorted(delays.items()):
        print(f"{kind:17} {spread(found)}")
    return 0


class Mind:
    """Thinks on and on about a game, in a process of its own, while it is busy."""

    def __init__(self) -> None:
        self.is_busy = False
        self._thinker = Thinker(lambda question, choice: self._think())

    def toggle(self) -> None:
        self.is_busy = not self.is_busy
        if self.is_busy:
            self._think()
        else:
            self._thinker.cancel()

    def stop(self) -> None:
        self._thinker.close()

    def _think(self) -> None:
        if self.is_busy:
            self._thinker.start(Question("chess", "white", nodes=10**9, seconds=60))


def measure(folder: Path, count: int) -> Iterator[tuple[str, float]]:
    """Yields each move's kind, and the seconds besides the holding time until a display was told."""
    rng = random.Random(1)
    with Store(folder / "games.sqlite") as store, Table(Desk(store)) as table:
        table.ask(messages.NewGame("triune"))
        runtime = Runtime(table, ("virtual",), folder, rng)
        server = Server(
            create_app(
                table, Settings(port=0), Services(virtual_table=runtime.virtual, newest_frame=runtime.newest)
            )
        )
        threading.Thread(target=server.run, daemon=True).start()
        with runtime:
            display = Display(server.port)
            display.until(lambda state: state["sources"] and state["sources"][0]["state"] == "ok")
            for _ in range(count):
                yield "legal", play_legal(table, runtime, display, rng)
                yield "illegal", play_illegal(table, runtime, display, rng)
        server.close()


def play_legal(table: Table, runtime: Runtime, display: Display, rng: random.Random) -> float:
    session = table.snapshot.session
    assert session is not None
    assert runtime.virtual is not None
    action = rng.choice(list(session.rules.legal(session.position)))
    done = len(session.plies) + 1
    before = session.rules.look(session.position)
    after = session.rules.look(session.rules.play(session.position, action).position)
    hold = POLICY.grace if len(changes(before, after)) == 1 else POLICY.hold
    began = show(runtime, after)
    return display.until(lambda state: len(state["moves"]) >= done) - began - hold


def play_illegal(table: Table, runtime: Runtime, display: Display, rng: random.Random) -> float:
    session = table.snapshot.session
    assert session is not None
    looks = dict(session.rules.look(session.position))
    began = show(runtime, misplaced(session, looks, rng))
    told = display.until(lambda state: state["verdict"] is not None)
    show(runtime, looks)
    display.until(lambda state: state["verdict"] is None)
    return told - began - POLICY.grace


def misplaced(session: Session, looks: Mapping[Place, Look], rng: random.Random) -> dict[Place, Look]:
    """Returns the board with one piece on a free site, such as no legal action leaves it."""
    rules, position = session.rules, session.position
    legal = [dict(rules.look(rules.play(position, action).position)) for action in rules.legal(position)]
    free = sorted(set(session.game.board.sites) - set(looks))
    while True:
        wrong = dict(looks)
        wrong[rng.choice(free)] = wrong.pop(rng.choice(sorted(looks)))
        if wrong not in legal:
            return wrong


def show(runtime: Runtime, looks: object) -> float:
    """Puts looks on the virtual board; when the first frame of them was taken."""
    assert runtime.virtual is not None
    runtime.virtual.become(looks)  # type: ignore[arg-type]
    return time.monotonic() + 0.05


class Display:
    """A client of the live stream."""

    def __init__(self, port: int) -> None:
        self._states = states(port)

    def until(self, holds: Callable[[Any], bool]) -> float:
        """Reads on until a state fulfils the condition; when it came."""
        end = time.monotonic() + TOLD_S
        for state in self._states:
            if holds(state):
                return time.monotonic()
            if time.monotonic() > end:
                break
        raise TimeoutError("the display was not told")
