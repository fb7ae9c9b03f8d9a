"""Measures what it costs a table to tell a hall what happens: `python -m benchmarks hall speaker [PLIES]`.

The same random game of chess is played three times on a real table and store, an action each 0.12 seconds:
without a hall, with a broker (Mosquitto, started for this), and with one that does not answer. An action's
time is from the entering to the reply, by the clock; the processor's time is that of the whole process.
"""

from __future__ import annotations

import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from statistics import median, quantiles

from broker_bridge.address import Broker
from broker_bridge.options import HallSettings
from broker_bridge.speaking import speaking
from broker_bridge.topics import BoardName
from companion.store.store import Store
from companion.table import messages as m
from companion.table.desk import Desk
from companion.table.table import Table

PLIES, PACE = 150, 0.12
MOSQUITTO = shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin")


def main(args: list[str]) -> int:
    if MOSQUITTO is None:
        print("this needs Mosquitto: sudo apt install mosquitto")
        return 1
    plies = int(args[0]) if args else PLIES
    print("| | an action, median | 95 % | processor, an action |")
    print("|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder, mosquitto(Path(folder)) as port:
        halls = {
            "without a hall": None,
            "with a broker": Broker("127.0.0.1", port),
            "with a broker that is away": Broker("127.0.0.1", free_port()),
        }
        for name, broker in halls.items():
            times, used = play(broker, plies)
            ms = [1000 * seconds for seconds in times]
            row = f"{median(ms):.1f} ms | {quantiles(ms, n=20)[-1]:.1f} ms | {1000 * used / plies:.1f} ms"
            print(f"| {name} | {row} |")
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


@contextmanager
def mosquitto(folder: Path) -> Iterator[int]:
    """Runs a broker, and gives its port."""
    port = free_port()
    file = folder / "mosquitto.conf"
    file.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\n")
    process = subprocess.Popen([str(MOSQUITTO), "-c", str(file)], stderr=subprocess.DEVNULL)
    try:
        yield port
    finally:
        process.terminate()
        process.wait()


def free_port() -> int:
    with socket.socket() as line:
        line.bind(("127.0.0.1", 0))
        return int(line.getsockname()[1])
