"""Reads what arrives from boards: a line of a game, or an oddity, which is kept aside with the reason."""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import sha256

from broker_bridge.link import Delivery
from broker_bridge.topics import EVENT, PAIRING, BoardName, TopicError, read_topic
from companion.core.errors import CompanionError
from companion.record.record import is_moment
from companion.wire.codec import WireError, read
from companion.wire.hall import BEGIN, LogLine, Pairing

LONGEST_NAME = 128
"""The most characters of a companion's identity and of other words that are looked up."""
MOST_KEPT_BYTES = 64 * 1024
"""The most bytes that are kept of what is no line."""
TELLER = "@"
"""What stands before a board's name in a key that tells whose game it is. No board's own key has it."""
LONGEST_WHY = 200
"""The most characters of the reason why."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """A line, with the board that sent it and when it came, in seconds since 1970."""

    board: BoardName
    line: LogLine
    time: float
    delivery: Delivery
    """As it came, for the case that it has to be kept aside."""


@dataclass(frozen=True, slots=True)
class Given:
    """A pairing that the hall gave a board: nobody else may write these letters."""

    pairing: str
    board: BoardName
    time: float


@dataclass(frozen=True, slots=True)
class Oddity:
    """A message that cannot be kept as a line, and the reason."""

    topic: str
    payload: bytes
    why: str
    time: float

    @property
    def digest(self) -> str:
        """Returns what tells it from others: the same that comes again has the same one."""
        return sha256(self.topic.encode(errors="replace") + b"\0" + self.payload).hexdigest()


def read_arrival(delivery: Delivery, time: float) -> Arrival | Given | Oddity | None:
    """Reads what was delivered at a time; None for a pairing that is withdrawn, or has no identity."""
    try:
        board, kind = read_topic(delivery.topic)
        if kind == PAIRING:
            pairing = read(delivery.payload, Pairing).id if delivery.payload else ""
            return Given(pairing, board, time) if pairing and len(pairing) <= LONGEST_NAME else None
        if kind != EVENT:
            raise TopicError(f"'{delivery.topic}' is no topic of lines")
        line = read(delivery.payload, LogLine)
        _check(line)
    except CompanionError as error:
        return odd(delivery, str(error), time)
    return Arrival(board, line, time, delivery)


def odd(delivery: Delivery, why: str, time: float) -> Oddity:
    return Oddity(delivery.topic, delivery.payload[:MOST_KEPT_BYTES], why[:LONGEST_WHY], time)


def is_contradicted(line: LogLine, stored: LogLine) -> bool:
    """Returns whether two lines of one key tell of different things.

    What a board's rules make of a line may change with a later version of them; what the log holds may not.
    """
    return _of_the_log(line) != _of_the_log(stored)


def _of_the_log(line: LogLine) -> LogLine:
    """Returns a line without what rules make of it, and without the head: a board that sends line 0 again
    sends it with the head as it is then, and the changes are lines of their own."""
    return replace(line, head={}, player="", written="", plies=0, rules=(), winner=None, reason="")


def _check(line: LogLine) -> None:
    """Raises MessageError for values that no database holds, or that no board sends."""
    names = (line.companion, line.kind, line.by, line.player, line.winner or "", *line.rules)
    texts = (*names, line.text, line.source, line.written, line.reason, *line.head, *line.head.values())
    if TELLER in line.companion:
        raise WireError(f"the identity of no companion has a '{TELLER}'")
    if not line.companion or any(len(name) > LONGEST_NAME for name in names):
        raise WireError(f"a name in this line is empty, or longer than {LONGEST_NAME} characters")
    if not all(map(_is_storable, texts)):
        raise WireError("a text of this line holds characters that are none")
    if not is_moment(line.time):
        raise WireError(f"no calendar has the time of this line: {line.time}")
    if (line.kind == BEGIN) != (line.line == 0):
        raise WireError("line 0 begins a game, and no other line does")


def _is_storable(text: str) -> bool:
    return not any(character == "\0" or "\ud800" <= character <= "\udfff" for character in text)
