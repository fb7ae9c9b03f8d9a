"""The programs of a hall, each in a process of its own: broker, database, archivers, wall and boards."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchmarks.running.companion import COMMAND
from tests.brokers import OPEN_TO_ALL, Mosquitto
from tests.databases import Cluster, binaries

BROKER = (*OPEN_TO_ALL, "max_queued_messages 0", "max_inflight_messages 500", "set_tcp_nodelay true")
DURABLE = ("shared_buffers=64MB", "max_connections=60")
"""The settings of a database that loses nothing: those of PostgreSQL itself."""
STARTS_S = 90.0


class Program:
    """A process whose lines are read as it says them."""

    def __init__(self, command: Sequence[str | os.PathLike[str]], log: Path) -> None:
        self._log = open(log, "ab")  # noqa: SIM115 (it lives as long as the process)
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self._log, text=True)
        self._lines: queue.Queue[str] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def pid(self) -> int:
        return self.process.pid

    def line(self, of: Callable[[str], bool], patience: float = STARTS_S) -> str:
        """Waits for a line of its output, and returns it. TimeoutError where none comes."""
        until = time.monotonic() + patience
        while (left := until - time.monotonic()) > 0:
            try:
                found = self._lines.get(timeout=left)
            except queue.Empty:
                break
            if of(found):
                return found
        raise TimeoutError(f"{self.process.args!r} does not say what is waited for")

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def _end(self, number: signal.Signals) -> None:
        if self.process.poll() is None:
            self.process.send_signal(number)
        self.process.wait(60)
        self._reader.join()
        self._log.close()

    def _read(self) -> None:
        assert self.process.stdout
        with self.process.stdout as lines:
            for line in lines:
                self._lines.put(line.rstrip("\n"))


def companion_program(log: Path, *args: str) -> Program:
    """Starts a command of the companion."""
    return Program((*COMMAND, *args), log)


def publishers(log: Path, *args: str) -> Program:
    """Starts boards without cameras, and waits until they are there."""
    program = Program((sys.executable, "-m", "benchmarks.halls.publishers", *args), log)
    program.line(lambda line: line == "ready")
    return program


@contextmanager
def broker(folder: Path) -> Iterator[Mosquitto]:
    """Runs a Mosquitto as a hall has it."""
    with Mosquitto(folder / "mosquitto", BROKER) as found:
        yield found


@contextmanager
def database(folder: Path) -> Iterator[Cluster]:
    """Runs a PostgreSQL that keeps what it has committed. SystemExit where it is not installed."""
    programs = binaries()
    if programs is None:
        raise SystemExit("this needs PostgreSQL: sudo apt install postgresql")
    place = folder / "postgresql"
    place.mkdir()
    server = Cluster(programs, place, DURABLE)
    try:
        yield server
    finally:
        server.stop()
