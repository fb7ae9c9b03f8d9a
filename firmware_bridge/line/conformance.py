"""Checks that a device keeps to docs/protocol.md: for those who write a firmware of their own.

A check talks over the line and yields what the device does wrong, a line each. The line must be nobody else's
meanwhile. Nothing is asked of the board: pieces may stand on it or not.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise, product
from typing import NamedTuple, TypeVar

from companion.core.board import Board
from firmware_bridge.line.frames import Damage, write_frame
from firmware_bridge.line.greeting import HELLO_S, Greeter
from firmware_bridge.line.link import Port
from firmware_bridge.line.messages import (
    TO_HOST,
    Ask,
    Done,
    Gap,
    Greet,
    Hello,
    Levels,
    Light,
    Message,
    MessageError,
    Mute,
    Peer,
    Ping,
    Pong,
    Read,
    Snapshot,
    Tune,
    unpack_states,
)
from firmware_bridge.line.wiring import WiringError, wiring_of

M = TypeVar("M", bound=Message)
ANSWER_S = 0.5
"""Seconds within which anything is answered."""
HEAR_S = 0.02
"""Seconds for which is listened between two looks whether to greet."""
ALIVE_S, WATCHED_S = 0.35, 1.5
"""Seconds between two signs of life at most, and for how long they are watched."""
UNKNOWN_KIND = 0x7E
NOISE = bytes(range(1, 91)) + b"\0"
"""More bytes than any frame has."""


class DeviceCheck(NamedTuple):
    """A check by its name, and what the device did wrong in it: nothing where it passed."""

    check: str
    faults: tuple[str, ...]


class Conversation:
    """The line to a device that is checked; `clock` tells seconds."""

    def __init__(self, port: Port, boards: Iterable[Board], clock: Callable[[], float]) -> None:
        self.boards = tuple(boards)
        self.hello: Hello | None = None
        self.broken: list[str] = []
        """Frames that were missed or damaged, in words."""
        self._port, self._clock, self._peer = port, clock, Peer(TO_HOST)
        self._greeter = Greeter(port, clock())

    @property
    def sites(self) -> int:
        return self.hello.sites if self.hello else 0

    def say(self, message: Message) -> int:
        """Sends a message, and returns the number of its frame."""
        sequence = self._peer.sequence
        self._port.write(self._peer.send(message))
        return sequence

    def write(self, data: bytes) -> None:
        self._port.write(data)

    def hear(self, seconds: float) -> Iterator[tuple[float, Message]]:
        """Yields the messages that come within so many seconds, each with its time."""
        end = self._clock() + seconds
        while (now := self._clock()) < end:
            for event in self._peer.events(self._port.read(1024)):
                if isinstance(event, Gap | Damage):
                    self.broken.append(_name_loss(event))
                else:
                    yield now, event

    def greet(self, seconds: float = HELLO_S) -> Hello | None:
        """Greets a device when it may be greeted; returns its first Hello, None where none comes in time."""
        end = self._clock() + seconds
        while (now := self._clock()) < end:
            if self._greeter.is_due(now):
                self.say(Greet())
            for _, message in self.hear(HEAR_S):
                self._greeter.hear(self._clock())
                if isinstance(message, Hello):
                    return message
        return None

    def answer(self, question: Message, kind: type[M], seconds: float = ANSWER_S) -> M | None:
        """Returns the next message of a kind after a question; None where none comes."""
        self.say(question)
        return next((m for _, m in self.hear(seconds) if isinstance(m, kind)), None)


def check_device(
    port: Port, boards: Iterable[Board], clock: Callable[[], float] = time.monotonic
) -> list[DeviceCheck]:
    """Returns what each check has found; only the first where the device does not answer at all."""
    line = Conversation(port, boards, clock)
    findings = [DeviceCheck("greeting", tuple(_greeting(line)))]
    if line.hello is None:
        return findings
    findings += [DeviceCheck(name, tuple(check(line))) for name, check in CHECKS.items()]
    return [*findings, DeviceCheck("frames in order", tuple(line.broken))]


def _greeting(line: Conversation) -> Iterator[str]:
    line.hello = line.greet() and line.answer(Greet(), Hello)
    line.broken.clear()  # what was on the line before is not the device's fault
    if line.hello is None:
        yield "no Hello answers a Greet: is it this port, and this speed?"
        return
    if line.hello.major != 1:
        yield f"Hello says version {line.hello.major} of the protocol, not 1"
    try:
        wiring = wiring_of(line.hello, line.boards)
    except WiringError as error:
        yield f"Hello fits no board: {error}"
        return
    if len(wiring.sites) != line.hello.sites:
        yield f"Hello says {line.hello.sites} sites, {wiring.board} has {len(wiring.sites)}"


def _snapshots(line: Conversation) -> Iterator[str]:
    snapshot = line.answer(Ask(), Snapshot)
    if snapshot is None:
        yield "no Snapshot answers an Ask"
        return
    try:
        unpack_states(snapshot.states, line.sites)
    except MessageError as error:
        yield f"a Snapshot with {error}"
    if len(snapshot.states) != (line.sites + 3) // 4:
        yield f"a Snapshot of {len(snapshot.states)} bytes for {line.sites} sites"


def _signs_of_life(line: Conversation) -> Iterator[str]:
    times = [now for now, message in line.hear(WATCHED_S) if isinstance(message, Snapshot)]
    longest = max((b - a for a, b in pairwise(times)), default=WATCHED_S)
    if longest > ALIVE_S:
        yield f"{longest:.2f} s without a Snapshot: one is due each 0.25 s"


def _pings(line: Conversation) -> Iterator[str]:
    for token in (1, 0, 0xFFFFFFFF):
        pong = line.answer(Ping(token), Pong)
        if pong is None or pong.token != token:
            yield f"a Ping with token {token} gets {pong or 'no Pong'}"


def _orders(line: Conversation) -> Iterator[str]:
    """Settings that change nothing: the usual thresholds, no silence, dark lamps."""
    for order in (Tune(0, 512, 60, 40), Mute(bytes((line.sites + 7) // 8)), Light(0, 1, bytes(3))):
        number = line.say(order)
        done = next((m for _, m in line.hear(ANSWER_S) if isinstance(m, Done)), None)
        if done is None or done.answered != number:
            yield f"frame {number}, a {type(order).__name__}, gets {done or 'no Done'}"


def _levels(line: Conversation) -> Iterator[str]:
    line.say(Read(2, 0))

    parts = [message for _, message in line.hear(2 * ANSWER_S) if isinstance(message, Levels)]
    told = [(p.left, p.first + n) for p in parts for n in range(len(p.levels))]
    if told != list(product((1, 0), range(line.sites))):
        yield f"a Read of 2 scans gets {len(told)} levels in {len(parts)} parts, not each site twice in order"


def _noise(line: Conversation) -> Iterator[str]:
    damaged = bytearray(write_frame(Ping.KIND, 0, bytes(4)))
    damaged[-2] ^= 0x55
    for words, data in {
        "noise": NOISE,
        "a damaged frame": bytes(damaged),
        "a frame of an unknown kind": write_frame(UNKNOWN_KIND, 0, b""),
        "a frame of the wrong size": write_frame(Ping.KIND, 0, b"1"),
    }.items():
        line.write(data)
        if any(isinstance(m, Pong | Hello | Done) for _, m in line.hear(ANSWER_S)):
            yield f"{words} is answered"
        if line.answer(Ping(7), Pong) is None:
            yield f"after {words} a Ping gets no Pong"


CHECKS: Mapping[str, Callable[[Conversation], Iterator[str]]] = {
    "snapshots": _snapshots,
    "signs of life": _signs_of_life,
    "pings": _pings,
    "orders are answered": _orders,
    "levels by credit": _levels,
    "noise is survived": _noise,
}


def _name_loss(event: Gap | Damage) -> str:
    if isinstance(event, Gap):
        return f"{event.missed} numbers of frames were left out"
    return f"a damaged frame ({event.reason})"
