"""The contract between a program of the hall and a broker.

A link calls its client from a thread of its own. `mqtt.py` keeps the contract with a real broker, and one in
memory, which benchmarks and tests use, passes the same tests.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Letter:
    """A message to be published. One that `is_sure` (QoS 1) arrives at least once, others at most once; the
    broker hands the last one that `is_kept` (retained) to everybody who comes later."""

    topic: str
    payload: bytes
    is_sure: bool = False
    is_kept: bool = False


@dataclass(frozen=True, slots=True)
class Delivery:
    """A message that has arrived. `number` is what `Link.accept` takes; one that `was_kept` was published
    before."""

    topic: str
    payload: bytes
    number: int = 0
    was_kept: bool = False


@dataclass(frozen=True, slots=True)
class Membership:
    """The identity of a program at the broker.

    `will` is published by the broker when the link breaks. With `is_remembered` the broker keeps what
    arrives for `name` while it is away, and sends again what it has not accepted.
    """

    name: str
    topics: tuple[str, ...] = ()
    """The filters whose letters are delivered, all with QoS 1."""
    will: Letter | None = None
    is_remembered: bool = False


class Client(Protocol):
    """The program at this end. A call must return soon: while it lasts, nothing else arrives."""

    def joined(self) -> None:
        """The broker is there, and the topics are subscribed to. Called again after each reconnect."""

    def parted(self, words: str) -> None:
        """The broker is not there, or refuses, with words that say why. The link tries again by itself."""

    def sent(self, number: int) -> None:
        """The broker has the letter that `publish` gave this number."""

    def received(self, delivery: Delivery) -> None:
        """A letter has arrived. A sure one counts as unread until the client accepts it."""


class BrokerLink(Protocol):
    """A link to a broker. What was published and not `sent` when it parts is forgotten, never sent later:
    the client knows best what to say after a reconnect."""

    def open(self, client: Client) -> None:
        """Begins to connect, and goes on trying until `close`."""

    def publish(self, letter: Letter) -> int:
        """Hands a letter over and returns its number at once; 0 where there is no broker now.

        `sent` may be called before this returns. A broker that refuses a sure letter ends the link: it parts,
        with words that say so.
        """

    def accept(self, delivery: Delivery) -> None:
        """Tells the broker that a sure letter was dealt with. Letters are accepted in the order they came."""

    def close(self, last: Letter | None = None) -> None:
        """Ends the link in good order, after a last letter; the will is not published then."""
