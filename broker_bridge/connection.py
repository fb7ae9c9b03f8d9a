"""Makes the link to a real broker, where its library is installed."""

from __future__ import annotations

import threading

from broker_bridge.address import Broker, BrokerError
from broker_bridge.link import Delivery, Link, Membership
from companion.language import say


def link_to(broker: Broker, membership: Membership) -> Link:
    """Returns a link to a broker, not yet open. BrokerError where the library or a certificate is missing."""
    try:
        from broker_bridge.mqtt import MqttLink
    except ImportError as error:
        raise BrokerError(
            say("a hall's broker needs a library: {command}", command="pip install 'board-companion[hall]'")
        ) from error
    return MqttLink(broker, membership)


def try_broker(broker: Broker, name: str, seconds: float = 6.0) -> str:
    """Joins a broker once, under a name; returns why that cannot be, '' if it can.

    BrokerError as `link_to`.
    """
    trial = _Trial()
    link = link_to(broker, Membership(name))
    link.open(trial)
    is_answered = trial.answered.wait(seconds)
    link.close()
    return trial.words if is_answered else say("the broker at {broker} does not answer", broker=broker)


class _Trial:
    """A client that waits for the first answer."""

    def __init__(self) -> None:
        self.answered = threading.Event()
        self.words = ""

    def joined(self) -> None:
        self.answered.set()

    def parted(self, words: str) -> None:
        self.words = self.words or words
        self.answered.set()

    def sent(self, number: int) -> None: ...

    def received(self, delivery: Delivery) -> None: ...
