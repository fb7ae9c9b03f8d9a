"""What boards and hall tell each other, as JSON on one line; docs/hall.asyncapi.yaml describes the same.

Readers pass over members that they do not know, so that boards of a later version fit into an older hall.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from companion.core.errors import CompanionError

BEGIN = "begin"
"""The kind of a game's line 0: its text and its head. Later kinds are those of `companion.record.session`."""
LARGEST = 256 * 1024
"""The most bytes of a message."""
LARGEST_PACKET = LARGEST + 4096
"""The most bytes of a packet of MQTT: the topic stands beside the message."""
LARGEST_NUMBER = 1e300
"""Larger ones, which JSON may hold, are no numbers everywhere; neither is NaN."""


class MessageError(CompanionError):
    """Bytes that are no message of a board or a hall."""


@dataclass(frozen=True, slots=True, order=True)
class LineKey:
    """What tells a line from every other one of a hall: the companion's store, the game in it, the line."""

    companion: str
    game: int
    line: int


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of a game's log, with what it came to. Line 0 begins the game, entry n of the log is line n + 1.

    The members from `text` to `clock` are those of `companion.record.session.Entry`, whose certainty and
    clock may be unknown. The rest is what the board's rules make of it, so that nobody else needs them.
    """

    key: LineKey
    kind: str
    text: str = ""
    by: str = ""
    source: str = ""
    certainty: float | None = None
    time: float = 0.0
    """Seconds since 1970, by the board's clock."""
    clock: float | None = None
    """Seconds that the player had left."""
    head: Mapping[str, str] = field(default_factory=dict)
    """The names and tags of the game, on line 0, as they are when it is told: lines of the kind `head` change
    them."""
    player: str = ""
    """Whose action it is, or was to be."""
    written: str = ""
    """The action as players write it."""
    plies: int = 0
    """How many actions stand after this line."""
    rules: tuple[str, ...] = ()
    """The numbers of the rules that a refused action breaks."""
    winner: str | None = None
    """Who has won after this line; None for nobody, also in a draw."""
    reason: str = ""
    """Why the game is over after this line; '' while it goes on."""

    def to_bytes(self) -> bytes:
        values = asdict(self)
        return write_json({**values.pop("key"), **values})


def read_line(payload: bytes) -> LogLine:
    """Reads a line. MessageError for anything else."""
    values = read_json(payload)
    try:
        key = LineKey(str(values["companion"]), _count(values["game"]), _count(values["line"]))
        return LogLine(
            key=key,
            kind=_text(values["kind"]),
            text=_text(values.get("text", "")),
            by=_text(values.get("by", "")),
            source=_text(values.get("source", "")),
            certainty=_number(values.get("certainty")),
            time=_number(values.get("time")) or 0.0,
            clock=_number(values.get("clock")),
            head={_text(name): _text(value) for name, value in dict(values.get("head", {})).items()},
            player=_text(values.get("player", "")),
            written=_text(values.get("written", "")),
            plies=_count(values.get("plies", 0)),
            rules=tuple(map(_text, values.get("rules", ()))),
            winner=None if values.get("winner") is None else _text(values["winner"]),
            reason=_text(values.get("reason", "")),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise MessageError(f"this is no line of a log: {error}") from error


@dataclass(frozen=True, slots=True)
class Archived:
    """How many lines of each game an archive has without a gap, line 0 among them."""

    companion: str
    games: Mapping[int, int]

    def to_bytes(self) -> bytes:
        games = {str(number): lines for number, lines in self.games.items()}
        return write_json({"companion": self.companion, "games": games})


def read_archived(payload: bytes) -> Archived:
    """Reads a receipt. MessageError for anything else."""
    values = read_json(payload)
    try:
        games = {int(number): _count(lines) for number, lines in dict(values["games"]).items()}
        return Archived(_text(values["companion"]), games)
    except (KeyError, TypeError, ValueError) as error:
        raise MessageError(f"this is no receipt of an archive: {error}") from error


@dataclass(frozen=True, slots=True)
class Pairing:
    """Who plays at a board in a round. `players` are names by player, as in a game's head."""

    round: str
    players: Mapping[str, str]
    event: str = ""
    game: str = "chess"
    """The game text to begin with."""
    clock: str = ""
    """The time control, as a game's head has it."""
    id: str = ""
    """What tells this pairing from others: it ends with the game that was begun for it."""

    def to_bytes(self) -> bytes:
        return write_json(asdict(self))


def read_pairing(payload: bytes) -> Pairing:
    """Reads a pairing. MessageError for anything else."""
    values = read_json(payload)
    try:
        players = {_text(player): _text(name) for player, name in dict(values["players"]).items()}
        texts = {name: _text(values[name]) for name in ("event", "game", "clock", "id") if name in values}
        return Pairing(_text(values["round"]), players, **texts)
    except (KeyError, TypeError, ValueError) as error:
        raise MessageError(f"this is no pairing: {error}") from error


def write_json(values: Mapping[str, Any]) -> bytes:
    return json.dumps(values, separators=(",", ":"), ensure_ascii=False).encode()


def read_json(payload: bytes) -> dict[str, Any]:
    """Reads a JSON object. MessageError where it is none, too large, or holds half a character, which JSON's
    escapes can spell and nothing here can write."""
    if len(payload) > LARGEST:
        raise MessageError(f"a message has {LARGEST} bytes at most, not {len(payload)}")
    try:
        values = json.loads(payload)
        if b"\\u" in payload:
            json.dumps(values, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:  # an error of encoding is a ValueError too
        raise MessageError("this is no JSON") from error
    if not isinstance(values, dict):
        raise MessageError("this is no JSON object")
    return values


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is no text")
    return value


def _number(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < LARGEST_NUMBER:
        raise ValueError("a number is too large, or none")
    return float(value)


def _count(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**31:
        raise ValueError(f"{value!r} is no count")
    return value
