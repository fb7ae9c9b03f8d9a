"""A link to a real broker by MQTT 5, with paho-mqtt.

One thread does all of it: it connects, reads, writes, and calls the client. Other threads only put letters
into its box and wake it, so that nobody who publishes ever waits for the network. Each connection has a paho
client of its own: what the last one had not sent is forgotten with it.
"""

from __future__ import annotations

import itertools
import logging
import select
import socket
import ssl
import threading
import time
from collections import deque
from collections.abc import Iterator
from random import Random
from typing import Any

from paho.mqtt.client import Client as PahoClient
from paho.mqtt.client import MQTTMessage, MQTTv5
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
TICK_S = 1.0
REMEMBERED_S = 7 * 24 * 3600
"""Seconds for which a broker remembers who is away."""
UNREAD = 500
"""The most sure letters that the broker sends before some are accepted."""
BAD_NAME, TAKEN_OVER = 0x86, 0x8E
"""Reason codes of MQTT 5."""


class MqttLink:
    """A link to a broker; see `broker_bridge.link.Link`. `rng` spreads the attempts of many links."""

    def __init__(self, broker: Broker, membership: Membership, rng: Random | None = None) -> None:
        self._broker, self._membership = broker, membership
        self._rng = rng or Random()
        self._tls = _tls_of(broker) if broker.is_secure else None
        self._lock = threading.Lock()
        self._numbers = itertools.count(1)
        self._box: deque[tuple[int, Letter]] = deque()
        """The letters that wait for the thread."""
        self._accepted: deque[int] = deque()
        self._is_joined = False
        self._closing = threading.Event()
        self._last: Letter | None = None
        self._thread: threading.Thread | None = None
        self._bell, self._ear = socket.socketpair()
        for end in (self._bell, self._ear):
            end.setblocking(False)

    def open(self, client: Client) -> None:
        self._thread = threading.Thread(target=self._run, args=(client,), name="broker", daemon=True)
        self._thread.start()

    def publish(self, letter: Letter) -> int:
        with self._lock:
            if not self._is_joined:
                return 0
            number = next(self._numbers)
            self._box.append((number, letter))
        self._ring()
        return number

    def accept(self, delivery: Delivery) -> None:
        if delivery.number:
            self._accepted.append(delivery.number)
            self._ring()

    def close(self, last: Letter | None = None) -> None:
        self._last = last
        self._closing.set()
        self._ring()
        if self._thread and self._thread is not threading.current_thread():
            self._thread.join(CLOSE_S + 1.0)

    def _ring(self) -> None:
        try:
            self._bell.send(b"!")
        except OSError:  # it rings already, or the thread has ended
            return

    def _run(self, client: Client) -> None:
        wait, most = WAITS_S
        while not self._closing.is_set():
            connection = _Connection(self._broker, self._membership, self._tls, client, self._numbers)
            try:
                words = self._talk(connection, client)
            except Exception:  # bytes that are no MQTT, or our own fault: neither may end the link
                log.exception("%s", self._broker)
                words = say("the connection to the broker broke")
            if self._closing.is_set():
                break
            log.info("%s: %s", self._broker, words)
            client.parted(words)
            wait = WAITS_S[0] if connection.was_joined else min(2 * wait, most)
            self._closing.wait(wait * self._rng.uniform(0.7, 1.3))
        self._bell.close()
        self._ear.close()

    def _talk(self, connection: _Connection, client: Client) -> str:
        """Connects, and carries letters until the connection ends; returns why it did."""
        words = connection.connect()
        try:
            until = time.monotonic() + CONNECT_S
            while not words and not self._closing.is_set():
                words = connection.turn(self._ear)
                if connection.is_subscribed and not connection.was_joined:
                    with self._lock:
                        self._is_joined = connection.was_joined = True
                    client.joined()
                    connection.hand_over()
                if not connection.was_joined and time.monotonic() > until:
                    return say("the broker at {broker} does not answer", broker=self._broker)
                self._carry(connection)
            if self._closing.is_set() and connection.was_joined:
                self._say_last(connection)
        finally:
            with self._lock:
                self._is_joined = False
                self._box.clear()
            self._accepted.clear()
            connection.end()
        return words

    def _carry(self, connection: _Connection) -> None:
        while self._accepted:
            connection.accept(self._accepted.popleft())
        while self._box:
            number, letter = self._box.popleft()
            connection.send(number, letter)

    def _say_last(self, connection: _Connection) -> None:
        self._carry(connection)
        if self._last:
            connection.send(next(self._numbers), self._last)
        until = time.monotonic() + CLOSE_S
        while connection.has_unsent and time.monotonic() < until and not connection.turn(self._ear):
            pass


class _Connection:
    """One connection, from its beginning to its end; used by one thread."""

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
        self.is_subscribed = self.was_joined = False
        self._trouble = ""
        self._sent: dict[int, int] = {}
        """The numbers of letters on their way, by paho's."""
        self._unread: dict[int, int] = {}
        """Paho's numbers of letters that were not accepted, by ours."""
        self._early: list[Delivery] = []
        """What a broker that remembers sends before it has answered the subscription."""
        self._paho = PahoClient(
            CallbackAPIVersion.VERSION2,
            client_id=membership.name,
            protocol=MQTTv5,
            reconnect_on_failure=False,
            manual_ack=True,
        )
        self._paho.connect_timeout = CONNECT_S
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

    @property
    def has_unsent(self) -> bool:
        return bool(self._sent) or self._paho.want_write()

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
        except OSError as error:
            return say("no broker answers at {broker} ({error})", broker=self._broker, error=_why(error))
        except ValueError as error:  # a host that no socket takes
            return say("no broker answers at {broker} ({error})", broker=self._broker, error=error)
        return ""

    def turn(self, ear: socket.socket) -> str:
        """Reads and writes what there is, or waits a moment; returns why the connection ended, '' else."""
        line = self._paho.socket()
        if line is None:
            return self._trouble or say("the broker closed the connection")
        is_pending = isinstance(line, ssl.SSLSocket) and line.pending() > 0
        writers = [line] if self._paho.want_write() else []
        try:
            readable, writable, _ = select.select([line, ear], writers, [], 0 if is_pending else TICK_S)
        except (OSError, ValueError):  # the socket was closed meanwhile
            return self._trouble or say("the broker closed the connection")
        if ear in readable:
            ear.recv(4096)
        result = self._paho.loop_misc()
        if result == MQTTErrorCode.MQTT_ERR_SUCCESS and writable:
            result = self._paho.loop_write()
        if result == MQTTErrorCode.MQTT_ERR_SUCCESS and (is_pending or line in readable):
            result = self._paho.loop_read()
        if result != MQTTErrorCode.MQTT_ERR_SUCCESS or self._trouble:
            return self._trouble or say("the connection to the broker broke")
        return ""

    def send(self, number: int, letter: Letter) -> None:
        info = self._paho.publish(letter.topic, letter.payload, int(letter.is_sure), letter.is_kept)
        if letter.is_sure:
            self._sent[info.mid] = number
        elif info.rc == MQTTErrorCode.MQTT_ERR_SUCCESS:
            self._client.sent(number)

    def accept(self, number: int) -> None:
        if (mid := self._unread.pop(number, None)) is not None:
            self._paho.ack(mid, 1)

    def hand_over(self) -> None:
        early, self._early = self._early, []
        for delivery in early:
            self._client.received(delivery)

    def end(self) -> None:
        """Takes leave in good order if there is still a connection, and closes it."""
        self._paho.on_disconnect = None
        if self._paho.socket() is not None and not self._trouble:
            self._paho.disconnect()
            self._paho.loop_write()
        if (line := self._paho.socket()) is not None:
            line.close()

    def _on_connect(
        self, paho: PahoClient, _: Any, flags: Any, reason: ReasonCode, properties: Properties | None
    ) -> None:
        if reason.is_failure:
            self._trouble = _refusal(reason)
        elif self._membership.topics:
            paho.subscribe([(topic, SubscribeOptions(qos=1)) for topic in self._membership.topics])
        else:
            self.is_subscribed = True

    def _on_subscribe(
        self, paho: PahoClient, _: Any, mid: int, reasons: list[ReasonCode], properties: Properties | None
    ) -> None:
        refused = [reason for reason in reasons if reason.is_failure]
        if refused:
            self._trouble = _refusal(refused[0])
        else:
            self.is_subscribed = True

    def _on_publish(
        self, paho: PahoClient, _: Any, mid: int, reason: ReasonCode, properties: Properties | None
    ) -> None:
        number = self._sent.pop(mid, None)
        if number is None:
            return  # one that was not sure
        if reason.is_failure:
            self._trouble = _refusal(reason)
        else:
            self._client.sent(number)

    def _on_message(self, paho: PahoClient, _: Any, message: MQTTMessage) -> None:
        number = 0
        if message.qos:
            number = next(self._numbers)
            self._unread[number] = message.mid
        delivery = Delivery(message.topic, bytes(message.payload), number, message.retain)
        if self.was_joined:
            self._client.received(delivery)
        else:
            self._early.append(delivery)

    def _on_disconnect(
        self, paho: PahoClient, _: Any, flags: Any, reason: ReasonCode, properties: Properties | None
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
    if reason.value == BAD_NAME:
        return say("the broker does not take this user name and password")
    return say("the broker refuses this: {reason}", reason=str(reason).lower())


def _why(error: OSError) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return error.verify_message
    return error.strerror or str(error) or type(error).__name__
