"""Measures what it costs a table to tell a hall what happens: `python -m benchmarks hall speaker [PLIES]`.

The same random game of chess is played three times on a real table and store, an action each 0.12 seconds:
without a hall, with a broker (Mosquitto, started for this), and with one that does not answer. An action's
time is from the entering to the reply, by the clock; the processor's time is that of the whole process.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from random import Random

from benchmarks.running.figures import spread
from broker_bridge.address import Broker
from broker_bridge.options import HallSettings
from broker_bridge.speaking import speaking
from broker_bridge.topics import BoardName
from companion.store.store import Store
from companion.table import messages as m
from companion.table.desk import Desk
from companion.table.table import Table
from tests.brokers import Mosquitto, free_port

PLIES, PACE = 150, 0.12


def main(args: list[str]) -> int:
    plies = int(args[0]) if args else PLIES
    with tempfile.TemporaryDirectory() as folder, Mosquitto(Path(folder)) as broker:
        halls = {
            "without a hall": None,
            "with a broker": broker.plain,
            "with a broker that is away": Broker("127.0.0.1", free_port()),
        }
        for name, told in halls.items():
            times, used = play(told, plies)
            print(f"{name}: an action {spread(times)}; of the processor {1000 * used / plies:.1f} ms")
    return 0


def play(broker: Broker | None, plies: int) -> tuple[list[float], float]:
    """Plays a game; returns the seconds of each action, and what the process used of the processor."""
    hall = HallSettings(broker, BoardName("Hall A", "7")) if broker else None
    chance = Random(7)
    with (
        tempfile.TemporaryDirectory() as folder,
        Store(Path(folder) / "games.sqlite") as store,
        Table(Desk(store)) as table,
        speaking(hall, table, Path(folder), ""),
    ):
        table.ask(m.NewGame("chess"))
        time.sleep(2)  # the broker has answered by then
        begun, times = time.process_time(), []
        for _ in range(plies):
            times.append(act(table, chance))
            time.sleep(PACE)
        return times, time.process_time() - begun


def act(table: Table, chance: Random) -> float:
    """Plays a random action, and returns its seconds; a game that is over is followed by another."""
    session = table.snapshot.session
    assert session
    if session.outcome:
        table.ask(m.NewGame("chess"))
        session = table.snapshot.session
        assert session
    action = chance.choice(sorted(session.rules.legal(session.position)))
    begun = time.perf_counter()
    assert table.ask(m.Submit(action, session.position.to_act)).ok
    return time.perf_counter() - begun
