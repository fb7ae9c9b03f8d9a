"""A short visit at a hall's broker: reads what it keeps, publishes, and leaves."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Mapping
from typing import Self

from broker_bridge.address import Broker, BrokerError
from broker_bridge.connection import link_to
from broker_bridge.link import BrokerLink, Delivery, Letter, Membership
from broker_bridge.topics import ARCHIVED, BoardName, of_all
from companion.language import say

ANSWER_WITHIN_S = 15.0
"""Seconds that the broker has for each answer."""
ECHO = BoardName("hall", "rounds").topic(ARCHIVED)
"""A topic of no board, which nobody else hears. What the broker keeps comes before what is published here."""


def membership(kinds: tuple[str, ...]) -> Membership:
    """Returns who a visitor is that reads these kinds of topics."""
    return Membership(f"visitor-{secrets.token_hex(8)}", (*map(of_all, kinds), ECHO))


class Visit:
    """A visit by a link that is not open yet; use it as a context. BrokerError where no broker answers."""

    def __init__(self, link: BrokerLink, patience: float = ANSWER_WITHIN_S) -> None:
        self._link, self._patience = link, patience
        self._news = threading.Condition()
        self._is_joined = False
        self._words = ""
        """Why the broker is not there, or refuses; '' while all is well."""
        self._kept: dict[str, bytes] = {}
        self._echoes: set[bytes] = set()
        self._sent: set[int] = set()

    def __enter__(self) -> Self:
        self._link.open(self)
        try:
            self._wait(lambda: self._is_joined)
        except BaseException:
            self._link.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._link.close()

    def kept(self) -> Mapping[str, bytes]:
        """Returns what the broker keeps, by topic."""
        nonce = secrets.token_bytes(16)
        self._link.publish(Letter(ECHO, nonce, is_sure=True))
        self._wait(lambda: nonce in self._echoes)
        with self._news:
            return {topic: payload for topic, payload in self._kept.items() if payload}

    def publish(self, topic: str, payload: bytes) -> None:
        """Publishes what the broker keeps from now on; b'' ends it. Returns once the broker has it."""
        number = self._link.publish(Letter(topic, payload, is_sure=True, is_kept=True))
        self._wait(lambda: number in self._sent)

    def joined(self) -> None:
        self._note(lambda: setattr(self, "_is_joined", True))

    def parted(self, words: str) -> None:
        self._note(lambda: setattr(self, "_words", words))

    def sent(self, number: int) -> None:
        self._note(lambda: self._sent.add(number))

    def received(self, delivery: Delivery) -> None:
        self._link.accept(delivery)
        if delivery.topic == ECHO:
            self._note(lambda: self._echoes.add(delivery.payload))
        else:
            self._note(lambda: self._kept.__setitem__(delivery.topic, delivery.payload))

    def _note(self, change: Callable[[], None]) -> None:
        with self._news:
            change()
            self._news.notify_all()

    def _wait(self, is_so: Callable[[], bool]) -> None:
        with self._news:
            self._news.wait_for(lambda: is_so() or self._words, self._patience)
            if not is_so():
                raise BrokerError(self._words or say("the broker does not answer"))


def try_broker(broker: Broker, name: str, seconds: float = 6.0) -> str:
    """Joins a broker once, under a name; returns why that cannot be, or ''. BrokerError as `link_to`."""
    link = link_to(broker, Membership(name))
    try:
        with Visit(link, seconds):
            return ""
    except BrokerError as error:
        return str(error)
