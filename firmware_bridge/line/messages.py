"""Defines the messages between the grid's microcontroller and the companion, and their form in a payload.

The classes below are the only description of the protocol: the annotations of their fields are the forms on
the wire, in the order of the fields, little-endian. The codec here reads them, and so does
`hardware.protocol_header`, which writes the firmware's header. `Peer` is one end of the line: it numbers the
frames that it sends, and tells which ones it missed.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Annotated, Any, ClassVar, NamedTuple, TypeAlias, dataclass_transform, get_type_hints

from firmware_bridge.line.frames import MAX_PAYLOAD, Damage, Frame, FrameCutter, write_frame

U8: TypeAlias = Annotated[int, "B"]
U16: TypeAlias = Annotated[int, "H"]
U32: TypeAlias = Annotated[int, "I"]
Bytes: TypeAlias = Annotated[bytes, "bytes"]
Words: TypeAlias = Annotated[tuple[int, ...], "words"]
Text: TypeAlias = Annotated[str, "text"]


def _pack_words(words: Sequence[int]) -> bytes:
    return struct.pack(f"<{len(words)}H", *words)


def _unpack_words(data: bytes) -> tuple[int, ...]:
    return struct.unpack(f"<{len(data) // 2}H", data)


class Tail(NamedTuple):
    """A form that takes the rest of the payload: the bytes of one of its units, and how it is written and
    read."""

    unit: int
    write: Callable[[Any], bytes]
    read: Callable[[bytes], object]


TAILS: Mapping[str, Tail] = {
    "bytes": Tail(1, bytes, bytes),
    "words": Tail(2, _pack_words, _unpack_words),
    "text": Tail(1, str.encode, lambda data: data.decode("utf-8", "replace")),
}
MAX_SITES = 4 * (MAX_PAYLOAD - 4)
LEVEL_MAX = 1023


class MessageError(ValueError):
    """A payload, or a value of a field, that its kind of message cannot have."""


class State(IntEnum):
    """The state of a sensor. A switch that is closed is `NORTH`: it has one polarity only."""

    OPEN = 0
    NORTH = 1
    SOUTH = 2


class Sensor(IntEnum):
    """The kind of sensors of a grid."""

    REED = 1
    DIGITAL = 2
    ANALOGUE = 3

    @property
    def word(self) -> str:
        """Returns the kind as commands, names of variants and files say it: `reed`."""
        return self.name.lower()


class Trouble(IntEnum):
    """The subject of a `Fault`."""

    EVENTS_LOST = 1
    INPUT_LOST = 2
    BAD_FRAMES = 3
    WATCHDOG = 4
    DIODE = 5


class Layout(NamedTuple):
    """The form of a kind of message: its fixed part, the forms of its fields, and the last one's if that is a
    tail."""

    fixed: struct.Struct
    names: tuple[str, ...]
    forms: tuple[str, ...]
    tail: Tail | None

    @property
    def unit(self) -> int:
        return self.tail.unit if self.tail else 0

    def fits(self, size: int) -> bool:
        """Returns whether a payload can have this many bytes."""
        rest = size - self.fixed.size
        return rest >= 0 and rest % self.unit == 0 if self.unit else rest == 0


@dataclass_transform(frozen_default=True)
class Message:
    """The base of all messages: each kind is a frozen dataclass, with its number on the wire and its form."""

    KIND: ClassVar[int]
    LAYOUT: ClassVar[Layout]

    def __init_subclass__(cls, kind: int) -> None:
        hints = get_type_hints(dataclass(frozen=True)(cls), include_extras=True)
        forms = {name: hint.__metadata__[0] for name, hint in hints.items() if hasattr(hint, "__metadata__")}
        fixed = "".join(form for form in forms.values() if form not in TAILS)
        tail = next((TAILS[form] for form in forms.values() if form in TAILS), None)
        cls.KIND = kind
        cls.LAYOUT = Layout(struct.Struct("<" + fixed), tuple(forms), tuple(forms.values()), tail)


class Greet(Message, kind=0x01):
    """Asks for a `Hello` and a `Snapshot`: the first message on a new line."""


class Ask(Message, kind=0x02):
    """Asks for a `Snapshot` now, once all changes before it have been sent."""


class Ping(Message, kind=0x03):
    """Asks for a `Pong` with the same token."""

    token: U32


class Read(Message, kind=0x04):
    """Asks for the levels of so many scans, one each `interval` milliseconds; 0 scans stop them.

    The number is a credit: when it is used up, the device sends no levels until the next `Read`.
    """

    scans: U8
    interval: U16


class Tune(Message, kind=0x05):
    """Sets a sensor's level at rest, and the distances from it at which a piece is there and is gone.

    `Done` answers it.
    """

    site: U8
    rest: U16
    press: U8
    release: U8


class Light(Message, kind=0x06):
    """Sets the colours of lamps from `first` on, red, green and blue of each, and shows all if `show` is not
    0.

    `Done` answers it, and the next one has to wait for that.
    """

    first: U8
    show: U8
    colours: Bytes


class Mute(Message, kind=0x07):
    """Silences sites, a bit each, whose sensors are known as bad. `Done` answers it."""

    sites: Bytes


FIRMWARE = (1, 1)
"""The version of the firmware in hardware/firmware: the first number is the protocol's, the second is raised
with each change of what its core does. 1.1 lets the clock of shift registers rest."""


class Hello(Message, kind=0x81):
    """Says what the device is, which board it is for, and what it can do.

    `major` and `minor` are its version (`FIRMWARE`). `board` is the CRC of the site names in their order,
    joined by commas; `period` the time of a scan (ms); `reset` the cause of the last start (bit 0 power,
    1 button, 2 low voltage, 3 it stood still; 0 where a boot loader hides it); `uptime` the time since then
    (ms); `name` that of the variant it was built as.
    """

    major: U8
    minor: U8
    sensor: U8
    sites: U8
    lamps: U8
    period: U8
    reset: U8
    board: U16
    uptime: U32
    name: Text


class Snapshot(Message, kind=0x82):
    """The states of all sites at a time (ms), two bits each, the first site in the lowest bits.

    It is sent when it is asked for, and four times a second besides: it is the sign of life, and heals every
    loss.
    """

    time: U32
    states: Bytes


class Change(Message, kind=0x83):
    """A site's new state, the time since which it holds (ms), and the level that was seen (0 to 1023)."""

    time: U32
    site: U8
    state: U8
    level: U16


class Levels(Message, kind=0x84):
    """A part of one scan's levels, of the sites from `first` on; `left` scans are still to come."""

    time: U32
    left: U8
    first: U8
    levels: Words


class Pong(Message, kind=0x85):
    """The answer to a `Ping`, with the device's time (ms)."""

    token: U32
    time: U32


class Fault(Message, kind=0x86):
    """Says that something is wrong: a `Trouble`, its site (255 for none), and how often it happened."""

    trouble: U8
    site: U8
    count: U16


class Done(Message, kind=0x87):
    """Says that the message of the frame with this sequence number was carried out."""

    answered: U8


TO_DEVICE: tuple[type[Message], ...] = (Greet, Ask, Ping, Read, Tune, Light, Mute)
ANSWERED = (Tune, Light, Mute)
"""The messages that the device answers by `Done`."""
TO_HOST: tuple[type[Message], ...] = (Hello, Snapshot, Change, Levels, Pong, Fault, Done)


def write_payload(message: Message) -> bytes:
    """Returns the payload of a message. MessageError when a value does not fit into its field."""
    form = message.LAYOUT
    values = [getattr(message, name) for name in form.names]
    try:
        tail = form.tail.write(values.pop()) if form.tail else b""
        return form.fixed.pack(*values) + tail
    except struct.error as error:
        raise MessageError(f"{message} cannot be sent: {error}") from error


def read_payload(kind: type[Message], payload: bytes) -> Message:
    """Returns the message of a payload. MessageError when the payload cannot be of this kind."""
    form = kind.LAYOUT
    if not form.fits(len(payload)):
        raise MessageError(f"a {kind.__name__} of {len(payload)} bytes")
    make: Callable[..., Message] = kind
    tail = (form.tail.read(payload[form.fixed.size :]),) if form.tail else ()
    return make(*form.fixed.unpack_from(payload), *tail)


def pack_states(states: Sequence[int]) -> bytes:
    """Packs states, two bits each, the first one in the lowest bits."""
    packed = bytearray((len(states) + 3) // 4)
    for i, state in enumerate(states):
        packed[i // 4] |= state << i % 4 * 2
    return bytes(packed)


def unpack_states(packed: bytes, count: int) -> tuple[State, ...]:
    """Returns the states of `count` sites. MessageError when there are fewer, or one is none of the three."""
    try:
        return tuple(State(packed[i // 4] >> i % 4 * 2 & 3) for i in range(count))
    except (IndexError, ValueError) as error:
        raise MessageError(f"not the states of {count} sites: {packed.hex(' ')}") from error


class Gap(NamedTuple):
    """The number of frames that did not arrive before the next message (modulo 256)."""

    missed: int


class Peer:
    """One end of the line, without the line: makes messages of bytes, and bytes of messages."""

    def __init__(self, hears: Iterable[type[Message]]) -> None:
        self._kinds = {kind.KIND: kind for kind in hears}
        self._reader = FrameCutter()
        self.sequence = 0
        """The number that the next message sent will have."""
        self._next_in: int | None = None

    @property
    def heard(self) -> int | None:
        """Returns the sequence number of the last frame that came; None before the first."""
        return None if self._next_in is None else (self._next_in - 1) % 256

    def send(self, message: Message) -> bytes:
        """Returns the frame of a message, which takes the next sequence number."""
        frame = write_frame(message.KIND, self.sequence, write_payload(message))
        self.sequence = (self.sequence + 1) % 256
        return frame

    def events(self, data: bytes) -> Iterator[Message | Gap | Damage]:
        """Yields the messages that `data` completes, a `Gap` before one where frames are missing, and
        `Damage` for bytes that are no good frame."""
        for frame in self._reader.frames(data):
            if isinstance(frame, Damage):
                yield frame
                continue
            missed = 0 if self._next_in is None else (frame.sequence - self._next_in) % 256
            self._next_in = (frame.sequence + 1) % 256
            if missed:
                yield Gap(missed)
            yield read_message(frame, self._kinds)


def read_message(frame: Frame, kinds: dict[int, type[Message]]) -> Message | Damage:
    """Returns a frame's message, or the damage: no known `kind`, or a `size` that its kind cannot have."""
    kind = kinds.get(frame.kind)
    if kind is None:
        return Damage("kind", len(frame.payload))
    try:
        return read_payload(kind, frame.payload)
    except MessageError:
        return Damage("size", len(frame.payload))
