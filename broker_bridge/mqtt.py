"""A link to a real broker by MQTT 5, with paho-mqtt.

One thread connects, reads, writes, and calls the client. Other threads only put letters into paho's queue,
which wakes it, so that nobody who publishes ever waits for the network. Each connection has a paho client of
its own: what the last one had not sent is forgotten with it.
"""

from __future__ import annotations

import itertools
import logging
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any

from paho.mqtt.client import Client as PahoClient
from paho.mqtt.client import MQTTMessage, MQTTMessageInfo, MQTTv5
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from broker_bridge.address import Broker, BrokerError
from broker_bridge.link import Client, Delivery, Letter, Membership
from companion.language import say
from companion.wire.codec import LARGEST_PACKET

log = logging.getLogger(__name__)
KEEPALIVE_S = 10
"""Seconds: a link that has been silent for one and a half times as long counts as broken at the broker."""
CONNECT_S = 5.0
"""Seconds that an attempt to connect takes at most, and what follows until the topics are subscribed to."""
WAITS_S = (0.5, 30.0)
"""Seconds before the first attempt after a break, and the most: each wait is twice the one before."""
CLOSE_S = 2.0
"""Seconds that a last letter may take."""
TICK_S = 0.5
"""Seconds after which the thread looks up where no byte comes or goes."""
REMEMBERED_S = 7 * 24 * 3600
"""Seconds for which a broker remembers who is away."""
UNREAD = 500
"""The most sure letters that the broker sends before some are accepted."""
BAD_NAME, NOT_AUTHORIZED, TAKEN_OVER = 0x86, 0x87, 0x8E
"""Reason codes of MQTT 5."""


class MqttLink:
    """A link to a broker; see `broker_bridge.link.Link`."""

    def __init__(self, broker: Broker, membership: Membership) -> None:
        self._broker, self._membership = broker, membership
        self._tls = _tls_of(broker) if broker.is_secure else None
        self._numbers = itertools.count(1)
        self._joined: _Connection | None = None
        """The connection by which the topics are subscribed to."""
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None

    def open(self, client: Client) -> None:
        self._thread = threading.Thread(target=self._run, args=(client,), name="broker", daemon=True)
        self._thread.start()

    def publish(self, letter: Letter) -> int:
        connection = self._joined
        return connection.send(letter).mid if connection else 0

    def accept(self, delivery: Delivery) -> None:
        if connection := self._joined:
            connection.accept(delivery)

    def close(self, last: Letter | None = None) -> None:
        self._closing.set()
        if connection := self._joined:
            connection.leave(last)
        if self._thread:
            self._thread.join(CLOSE_S + 1.0)

    def _run(self, client: Client) -> None:
        wait, most = WAITS_S
        chance = Random()  # many links shall not come back at one moment
        while not self._closing.is_set():
            connection = _Connection(self._broker, self._membership, self._tls, client, self._numbers)
            try:
                words = self._talk(connection, client)
            except Exception:  # bytes that are no MQTT, or our own fault: neither may end the link
                log.exception("%s", self._broker)
                words = say("the connection to the broker broke")
            finally:
                self._joined = None
                connection.end()
            if self._closing.is_set():
                return
            log.info("%s: %s", self._broker, words)
            client.parted(words)
            wait = WAITS_S[0] if connection.is_subscribed else min(2 * wait, most)
            self._closing.wait(wait * chance.uniform(0.7, 1.3))

    def _talk(self, connection: _Connection, client: Client) -> str:
        """Connects, and carries letters until the connection ends; returns why it did."""
        words, until = connection.connect(), time.monotonic() + CONNECT_S
        while not words and (self._joined or not self._closing.is_set()):
            words = connection.turn()
            if connection.is_subscribed and not self._joined:
                self._joined = connection
                client.joined()
                connection.hand_over()
            if not self._joined and time.monotonic() > until:
                return say("the broker at {broker} does not answer", broker=self._broker)
        return words


class _Connection:
    """One connection, from its beginning to its end. Any thread may `send`, `accept` and `leave`."""

    def __init__(
        self,
        broker: Broker,
        membership: Membership,
        tls: ssl.SSLContext | None,
        client: Client,
        numbers: Iterator[int],
    ) -> None:
        self._broker, self._membership, self._client = broker, membership, client
        self._numbers = numbers
        self.is_subscribed = False
        self._trouble = ""
        self._unread: dict[int, int] = {}
        """Paho's numbers of letters that were not accepted, by ours: paho counts each connection anew."""
        self._early: list[Delivery] | None = []
        """What comes before the client knows that it has joined; None from then on."""
        self._paho = PahoClient(
            CallbackAPIVersion.VERSION2,
            client_id=membership.name,
            protocol=MQTTv5,
            reconnect_on_failure=False,
            manual_ack=True,
        )
        self._paho.connect_timeout = CONNECT_S
        # With a loop of our own paho leaves all writing to it.
        self._paho.on_socket_register_write = lambda *_: None
        self._paho.on_connect = self._on_connect
        self._paho.on_subscribe = self._on_subscribe
        self._paho.on_publish = self._on_publish
        self._paho.on_message = self._on_message
        self._paho.on_disconnect = self._on_disconnect
        if broker.user:
            self._paho.username_pw_set(broker.user, broker.password or None)
        if tls:
            self._paho.tls_set_context(tls)
        if will := membership.will:
            self._paho.will_set(will.topic, will.payload, int(will.is_sure), will.is_kept)

    def connect(self) -> str:
        """Connects; returns why that failed, '' if it did not."""
        properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        properties.SessionExpiryInterval = REMEMBERED_S if self._membership.is_remembered else 0
        properties.ReceiveMaximum = UNREAD
        properties.MaximumPacketSize = LARGEST_PACKET
        try:
            self._paho.connect(
                self._broker.host,
                self._broker.port,
                KEEPALIVE_S,
                clean_start=not self._membership.is_remembered,
                properties=properties,
            )
        except (OSError, ValueError) as error:  # ValueError: a host that no socket takes
            return say("no broker answers at {broker} ({error})", broker=self._broker, error=_why(error))
        return ""

    def turn(self) -> str:
        """Reads and writes what there is, or waits a moment; returns why the connection ended, '' else."""
        if self._paho.loop(TICK_S) != MQTTErrorCode.MQTT_ERR_SUCCESS or self._trouble:
            return self._trouble or say("the connection to the broker broke")
        return ""

    def send(self, letter: Letter) -> MQTTMessageInfo:
        return self._paho.publish(letter.topic, letter.payload, int(letter.is_sure), letter.is_kept)

    def accept(self, delivery: Delivery) -> None:
        if (mid := self._unread.pop(delivery.number, None)) is not None:
            self._paho.ack(mid, 1)

    def hand_over(self) -> None:
        early, self._early = self._early or [], None
        for delivery in early:
            self._client.received(delivery)

    def leave(self, last: Letter | None) -> None:
        """Takes leave in good order, after a last letter."""
        with suppress(RuntimeError, ValueError):  # the connection broke meanwhile
            if last:
                self.send(last).wait_for_publish(CLOSE_S)
        self._paho.disconnect()

    def end(self) -> None:
        self._paho.on_disconnect = None
        if not self._trouble:
            self._paho.disconnect()
            self._paho.loop(0)
        if (line := self._paho.socket()) is not None:
            line.close()

    def _on_connect(self, paho: PahoClient, _: Any, flags: Any, reason: ReasonCode, properties: Any) -> None:
        if reason.value in (BAD_NAME, NOT_AUTHORIZED):  # the second one of whom has no name
            self._trouble = say("the broker does not take this user name and password")
        elif reason.is_failure:
            self._trouble = _refusal(reason)
        elif self._membership.topics:
            paho.subscribe([(topic, SubscribeOptions(qos=1)) for topic in self._membership.topics])
        else:
            self.is_subscribed = True

    def _on_subscribe(
        self, paho: PahoClient, _: Any, mid: int, reasons: list[ReasonCode], properties: Any
    ) -> None:
        refused = [reason for reason in reasons if reason.is_failure]
        if refused:
            self._trouble = _refusal(refused[0])
        else:
            self.is_subscribed = True

    def _on_publish(self, paho: PahoClient, _: Any, mid: int, reason: ReasonCode, properties: Any) -> None:
        if reason.is_failure:
            self._trouble = _refusal(reason)
        else:
            self._client.sent(mid)

    def _on_message(self, paho: PahoClient, _: Any, message: MQTTMessage) -> None:
        number = 0
        if message.qos:
            number = next(self._numbers)
            self._unread[number] = message.mid
        delivery = Delivery(message.topic, bytes(message.payload), number, message.retain)
        if self._early is None:
            self._client.received(delivery)
        else:
            self._early.append(delivery)

    def _on_disconnect(
        self, paho: PahoClient, _: Any, flags: Any, reason: ReasonCode, properties: Any
    ) -> None:
        if self._trouble:
            return
        if reason.value == TAKEN_OVER:
            self._trouble = say(
                "another program has come to the broker under the name '{name}': each board needs its own",
                name=self._membership.name,
            )
        elif reason.is_failure and flags.is_disconnect_packet_from_server:
            self._trouble = _refusal(reason)


def _tls_of(broker: Broker) -> ssl.SSLContext:
    try:
        context = ssl.create_default_context(cafile=broker.authority)
        if broker.certificate:
            context.load_cert_chain(broker.certificate, broker.key)
    except OSError as error:
        raise BrokerError(
            say("the certificates for {broker} cannot be used: {error}", broker=broker, error=_why(error))
        ) from error
    return context


def _refusal(reason: ReasonCode) -> str:
    return say("the broker refuses this: {reason}", reason=str(reason).lower())


def _why(error: Exception) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return error.verify_message
    return getattr(error, "strerror", None) or str(error) or type(error).__name__
