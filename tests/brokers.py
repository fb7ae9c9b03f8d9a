"""Brokers for tests: a real Mosquitto on a port of its own, and the one in memory, behind one small face."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, ClassVar, Protocol

import pytest

from benchmarks.simulation.virtual_broker import VirtualBroker
from broker_bridge.address import Broker
from broker_bridge.link import BrokerLink, Client, Delivery, Membership
from broker_bridge.mqtt import MqttLink

PATIENCE_S = 60.0
"""Seconds after which what was waited for counts as missing."""
OPEN_TO_ALL = ("allow_anonymous true",)


class Listener:
    """A client that keeps what it hears, for tests that wait for it."""

    def __init__(self) -> None:
        self.news = threading.Condition()
        self.joins = 0
        self.words: list[str] = []
        self.numbers: list[int] = []
        self.deliveries: list[Delivery] = []

    def joined(self) -> None:
        with self.news:
            self.joins += 1
            self.news.notify_all()

    def parted(self, words: str) -> None:
        with self.news:
            self.words.append(words)
            self.news.notify_all()

    def sent(self, number: int) -> None:
        with self.news:
            self.numbers.append(number)
            self.news.notify_all()

    def received(self, delivery: Delivery) -> None:
        with self.news:
            self.deliveries.append(delivery)
            self.news.notify_all()

    @property
    def heard(self) -> list[tuple[str, bytes]]:
        with self.news:
            return [(delivery.topic, delivery.payload) for delivery in self.deliveries]


class TestBroker(Protocol):
    """A broker as tests need it."""

    __test__: ClassVar[bool] = False

    def link(self, membership: Membership, address: Broker | None = None) -> BrokerLink: ...
    def until(self, listener: Listener, is_so: Callable[[], bool]) -> None: ...
    def stop(self) -> None: ...
    def start(self) -> None: ...


class Virtual:
    """The broker in memory; `until` moves on all that waits."""

    def __init__(self) -> None:
        self.broker = VirtualBroker()
        self.stop, self.start = self.broker.stop, self.broker.start

    def link(self, membership: Membership, address: Broker | None = None) -> BrokerLink:
        return self.broker.link(membership)

    def until(self, listener: Listener, is_so: Callable[[], bool]) -> None:
        self.broker.settle()
        assert is_so(), (listener.joins, listener.words, listener.numbers, listener.heard)


def find_mosquitto() -> str:
    """Returns where Mosquitto is; skips the test where it is missing."""
    found = shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin")
    if not found:
        pytest.skip("needs Mosquitto: sudo apt install mosquitto")
    return found


def free_port() -> int:
    with socket.socket() as line:
        line.bind(("127.0.0.1", 0))
        return int(line.getsockname()[1])


@dataclass
class Mosquitto:
    """A real Mosquitto with a configuration of its own; use it as a context.

    `lines` are what the listener is given. Its disk, where it keeps what is retained and queued, is `folder`.
    """

    folder: Path
    lines: tuple[str, ...] = OPEN_TO_ALL
    port: int = field(default_factory=free_port)
    secure: Broker | None = None
    """Its address where it speaks by TLS."""
    process: subprocess.Popen[str] | None = None
    reader: threading.Thread = field(default_factory=threading.Thread)

    def __enter__(self) -> Mosquitto:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.process:
            self.stop()

    @property
    def plain(self) -> Broker:
        return Broker("127.0.0.1", self.port)

    @property
    def address(self) -> Broker:
        return self.secure or self.plain

    def link(self, membership: Membership, address: Broker | None = None) -> BrokerLink:
        return MqttLink(address or self.address, membership)

    def start(self) -> None:
        program = find_mosquitto()
        self.folder.mkdir(exist_ok=True)
        settings = (
            "user root" if self.folder.owner() == "root" else "",
            "persistence true",
            f"persistence_location {self.folder}/",
            f"listener {self.port} 127.0.0.1",
            *self.lines,
        )
        file = self.folder / "mosquitto.conf"
        file.write_text("\n".join(settings) + "\n")
        self.process = subprocess.Popen(
            [program, "-v", "-c", str(file)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stderr
        said = []
        for line in self.process.stderr:
            said.append(line)
            if line.rstrip().endswith("running"):
                break
        else:
            pytest.fail("Mosquitto does not start: " + "".join(said))
        self.reader = threading.Thread(target=self._drain, args=(self.process.stderr,), daemon=True)
        self.reader.start()

    @staticmethod
    def _drain(lines: IO[str]) -> None:
        """Reads what it says to the end: a pipe that is full would stop it."""
        with lines:
            for _ in lines:
                pass

    def stop(self) -> None:
        """Ends it in good order."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """Ends it at once: what its disk does not have is lost."""
        self._end(signal.SIGKILL)

    def _end(self, number: signal.Signals) -> None:
        assert self.process
        self.process.send_signal(number)
        self.process.wait(PATIENCE_S)
        self.reader.join()
        self.process = None

    def until(self, listener: Listener, is_so: Callable[[], bool]) -> None:
        with listener.news:
            found = listener.news.wait_for(is_so, PATIENCE_S)
        assert found, (listener.joins, listener.words, listener.numbers, listener.heard)


@contextmanager
def joined(
    broker: TestBroker, membership: Membership, address: Broker | None = None
) -> Iterator[tuple[BrokerLink, Listener]]:
    """Gives a link that has joined, and what it hears; closes it afterwards. `address` is a user's own."""
    link, listener = broker.link(membership, address), Listener()
    client: Client = listener
    link.open(client)
    try:
        broker.until(listener, lambda: listener.joins > 0)
        yield link, listener
    finally:
        link.close()
