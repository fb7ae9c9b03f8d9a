"""Keeps the serial line to the grid alive, in a thread of its own.

Only this module knows of serial ports. It opens the port, greets the device and carries messages both ways.
When the cable is pulled or the device falls silent, it says so at once, and tries again until the device is
back. `step` does one round of this, so that tests need neither thread nor clock.
"""

from __future__ import annotations

import errno
import logging
import re
import threading
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol, TypeAlias

from companion.core.errors import CompanionError
from companion.language import say
from firmware_bridge.line.frames import Damage
from firmware_bridge.line.greeting import HELLO_S, Greeter
from firmware_bridge.line.messages import ANSWERED, TO_HOST, Ask, Done, Gap, Greet, Hello, Message, Peer
from firmware_bridge.line.usb import PortInfo, is_reset_by_opening, likeliest, unfit, usb_board

LOG = logging.getLogger(__name__)
BAUD = 115200
READ_S = 0.02
"""Seconds that a read waits for bytes."""
RETRY_S = 0.25
"""Seconds between two attempts to open the port."""
PROMPT_S = 0.35
"""Seconds without a sign of life after which the device is asked for one. Once: if its button was pressed,
its boot loader has to be left in peace."""
WAIT_S = 0.8
"""Seconds after which it is told that the device is waited for."""
WAITING = say("the port is open: waiting for the sensor grid to answer, which may take ten seconds")
NO_ANSWER = say("no sensor grid answers on this port: is its firmware on it, and is it the right port?")
OTHER_VERSION = say(
    "the sensor grid speaks another version of the protocol: flash it, by 'companion grid flash'"
)
SILENCE_S = 0.9
"""Seconds without a sign of life after which the line is lost. The device gives one each 0.25 s."""
ANSWER_S = 0.25
"""Seconds after which a message that was not answered is sent again."""
TRIES = 4
"""Times that a message is sent before the line counts as lost."""
OUTBOX = 512
"""Messages that wait to be sent, at most."""
BY_ID = Path("/dev/serial/by-id")
ARGUMENT = re.compile(r"(?P<port>[^@]*)(?:@(?P<baud>[1-9][0-9]{0,6}))?")


class PortError(CompanionError):
    """A serial port that cannot be opened, or no sensor grid that answers on it."""


class Port(Protocol):
    """The part of `serial.Serial` that is used: a read waits a moment at most; OSError means a lost port.

    One whose board is not reset by its opening says so by a `may_reset` that is False.
    """

    def read(self, size: int = 1) -> bytes: ...
    def write(self, data: bytes, /) -> int | None: ...
    def close(self) -> None: ...


class Down(NamedTuple):
    """The device is not there, or has not answered yet, with words that say why."""

    words: str


LinkEvent: TypeAlias = Message | Gap | Damage | Down
"""What a line tells: a device is there, or there anew, with each `Hello`."""


@dataclass(slots=True)
class _Sent:
    """A message that was sent and waits for its `Done`."""

    message: Message
    sequence: int
    since: float
    tries: int = 1


class KeptLine(ABC):
    """A line to a device that is opened, and opened anew when it was lost, in a thread of its own.

    `device` is what people call it, in a sentence: `the sensor grid`.
    """

    def __init__(
        self, opener: Callable[[], Port], clock: Callable[[], float], name: str, device: str
    ) -> None:
        self._opener, self._clock, self._device = opener, clock, device
        self._port: Port | None = None
        self._fault = ""
        self._loss = ""
        """Why the device is not there, as it was told; '' while it is."""
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(2)
        self.close()

    def step(self) -> None:
        """Does one round: opens the port if it is closed, else reads for a moment and writes what is due."""
        try:
            if self._port is None:
                self._port = self._opener()
                self._begin(self._port)
            else:
                self._converse(self._port)
        except PortError as error:
            self._lose(str(error))
        except OSError as error:
            words = reason_of(error) if self._port is None else PULLED
            self._lose(say("{device} is not connected: {words}", device=self._device, words=words))

    def close(self) -> None:
        """Closes the port."""
        port, self._port = self._port, None
        if port is not None:
            with suppress(OSError):
                port.close()

    @abstractmethod
    def _begin(self, port: Port) -> None:
        """Begins to converse, at a port that was opened just now."""

    @abstractmethod
    def _converse(self, port: Port) -> None:
        """Reads for a moment, and writes what is due."""

    @abstractmethod
    def _report(self, words: str) -> None:
        """Tells why the device is not there."""

    def _lose(self, words: str) -> None:
        """Closes the port, and tells why the device is not there."""
        self.close()
        self._tell_loss(words)

    def _tell_loss(self, words: str) -> None:
        """Tells why the device is not there, once."""
        if words != self._loss:
            self._loss = words
            self._report(words)

    def _say_silent(self) -> str:
        """Says that a device has been there, and is silent now."""
        return say("{device} says nothing any more: check its cable and power", device=self._device)

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self.step()
            except Exception as error:
                self._fail(error)
            if self._port is None:
                self._stop.wait(RETRY_S)

    def _fail(self, error: Exception) -> None:
        """Reports a fault of the program, which must not end the thread unheard, and opens the line anew."""
        words = f"{type(error).__name__}: {error}"
        if words != self._fault:
            self._fault = words
            LOG.exception("the line of %s failed", self._thread.name)
        self._lose(say("the line to the board failed ({words}) and is tried again", words=words))


class DeviceLink(KeptLine):
    """Keeps a device on the line.

    It hands all that it hears to `deliver`, with the time, from its own thread.
    """

    def __init__(
        self,
        opener: Callable[[], Port],
        deliver: Callable[[LinkEvent, float], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(opener, clock, "grid", say("the sensor grid"))
        self._deliver = deliver
        self._outbox: deque[Message] = deque(maxlen=OUTBOX)
        self._peer = Peer(TO_HOST)
        self._waiting: _Sent | None = None
        self.up = False
        self._greeter = Greeter(None, 0.0)
        self._heard = self._asked = self._opened = 0.0
        self._other_version = False

    def send(self, message: Message) -> bool:
        """Puts a message into the outbox; returns False when no device is there, or the outbox is full."""
        if not self.up or len(self._outbox) == OUTBOX:
            return False
        self._outbox.append(message)
        return True

    def _begin(self, port: Port) -> None:
        self._peer = Peer(TO_HOST)
        self._outbox.clear()
        self._waiting = None
        self._heard = self._opened = self._clock()
        self._other_version = False
        self._greeter = Greeter(port, self._opened)
        self._call(port, self._opened)

    def _converse(self, port: Port) -> None:
        data = port.read(1024)
        now = self._clock()
        if data:
            self._heard = now
        for event in self._peer.events(data):
            self._take(event, now)
        if self.up:
            self._keep_up(port, now)
        else:
            self._call(port, now)

    def _keep_up(self, port: Port, now: float) -> None:
        self._write_due(port, now)
        if now - self._heard >= PROMPT_S and self._asked <= self._heard:
            self._asked = now
            port.write(self._peer.send(Ask()))
        if now - self._heard > SILENCE_S:
            raise PortError(self._say_silent())

    def _call(self, port: Port, now: float) -> None:
        """Greets the device until it answers, and reports how long that takes."""
        if self._greeter.is_due(now):
            port.write(self._peer.send(Greet()))
        if now - self._opened >= HELLO_S:
            self._tell_loss(OTHER_VERSION if self._other_version else NO_ANSWER)
        elif now - self._opened >= WAIT_S:
            self._tell_loss(WAITING)

    def _take(self, event: Message | Gap | Damage, now: float) -> None:
        if isinstance(event, Hello):
            self.up, self._loss = True, ""
        elif isinstance(event, Damage):
            self._other_version |= event.reason == "version"
        else:
            self._greeter.hear(now)
        if isinstance(event, Gap):
            self._outbox.appendleft(Ask())
        if isinstance(event, Done) and self._waiting and event.answered == self._waiting.sequence:
            self._waiting = None
        self._deliver(event, now)

    def _write_due(self, port: Port, now: float) -> None:
        """Writes what is due.

        Only one message that is to be answered is on its way at a time: the device's buffer is small.
        """
        sent = self._waiting
        if sent is not None:
            if now - sent.since >= ANSWER_S:
                self._resend(port, sent, now)
            return
        while self._outbox and self._waiting is None:
            message = self._outbox.popleft()
            if isinstance(message, ANSWERED):
                self._waiting = _Sent(message, self._peer.sequence, now)
            port.write(self._peer.send(message))

    def _resend(self, port: Port, sent: _Sent, now: float) -> None:
        if sent.tries == TRIES:
            raise PortError(say("the sensor grid does not answer"))
        self._waiting = _Sent(sent.message, self._peer.sequence, now, sent.tries + 1)
        port.write(self._peer.send(sent.message))

    def close(self) -> None:
        self.up = False
        super().close()

    def _report(self, words: str) -> None:
        self._deliver(Down(words), self._clock())


BOOKED = say("another program is using the port")
NO_PORT = say("there is no such port: is it plugged in? It may have another name now")
PULLED = say("the cable was pulled, or the power is off")
REASONS = {
    errno.ENOENT: NO_PORT,
    errno.ENODEV: NO_PORT,
    errno.EACCES: say("no right to use the port: 'sudo adduser $USER dialout', then log in again"),
    errno.EBUSY: BOOKED,
    errno.EAGAIN: BOOKED,
    errno.EIO: PULLED,
}


def reason_of(error: OSError) -> str:
    """Returns what an error of a port means, in words for a person."""
    return REASONS.get(error.errno or 0) or " ".join(str(error).split()) or type(error).__name__


def parse_argument(argument: str) -> tuple[str, int]:
    """Returns the port and speed of `PORT[@BAUD]`; '' for a port that is to be looked for."""
    match = ARGUMENT.fullmatch(argument)
    if match is None:
        raise PortError(
            say(
                "'{argument}' is no port: write serial:PORT[@BAUD], as serial:/dev/ttyACM0", argument=argument
            )
        )
    return match["port"], int(match["baud"] or BAUD)


def choose_port(ports: Sequence[PortInfo]) -> str:
    """Returns the device of the port that is most likely a grid. PortError when none is, or several are."""
    best = [device for device, _ in likeliest(ports)]
    if not best:
        raise PortError(_why_none(ports))
    if len(best) > 1:
        names = ", ".join(best)
        raise PortError(
            say(
                "several ports could be the sensor grid ({names}): say which, as serial:{best}",
                names=names,
                best=best[0],
            )
        )
    return best[0]


def _why_none(ports: Sequence[PortInfo]) -> str:
    found = [(port.device, board) for port in ports if (board := usb_board(port))]
    if not found:
        return say("no sensor grid on any USB port: plug it in, or name its port, as serial:/dev/ttyACM0")
    device, board = found[0]
    own = say(
        "If it speaks the protocol by a firmware of its own, name it, as serial:{device}", device=device
    )
    return say("{unfit}. {own}", unfit=unfit(device, board), own=own)


def lasting_name(device: str, folder: Path = BY_ID) -> str:
    """Returns the name under /dev/serial/by-id, which stays when ports are numbered anew.

    Where there is none, it is the device itself.
    """
    links: Iterable[Path] = sorted(folder.iterdir()) if folder.is_dir() else ()
    return next((str(link) for link in links if link.resolve() == Path(device).resolve()), device)


def serial_opener(argument: str) -> Callable[[], Port]:
    """Returns a function that opens the port of `PORT[@BAUD]`.

    `socket://HOST:PORT` and `rfc2217://HOST:PORT` are ports too. Where none is named, it looks for one
    each time.
    """
    name, baud = parse_argument(argument)

    def opens() -> Port:
        import serial
        from serial.tools.list_ports import comports

        device = name if name and name != "auto" else lasting_name(choose_port(list(comports())))
        is_local = "://" not in device
        can_time_out = not device.startswith("rfc2217://")  # pyserial has no timeout of writing there
        try:
            line = serial.serial_for_url(
                device,
                baud,
                timeout=READ_S,
                write_timeout=1 if can_time_out else None,
                exclusive=True if is_local else None,
            )
        except (ValueError, OverflowError) as error:
            raise PortError(
                say("{device} cannot be opened at {baud} baud: leave out '@{baud}'", device=device, baud=baud)
            ) from error
        line.may_reset = is_local and is_reset_by_opening(device, comports())
        port: Port = line
        return port

    return opens
