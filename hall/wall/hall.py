"""The hall as the wall knows it: one immutable value, folded from what the broker delivers.

Times are seconds since 1970 by the wall's clock. The clocks of boards may be wrong, so how far the wall's
is ahead of each is taken from letters that have just been sent. For a letter that the broker had kept, and
whose board has said nothing since, the two are taken to agree.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from broker_bridge import topics
from broker_bridge.link import Delivery
from broker_bridge.topics import BoardName, TopicError, read_topic
from companion.wire.codec import WireError, read
from companion.wire.hall import BoardClock, BoardState, LogLine, Pairing
from hall.wall.needs import Need, going_on, waits_of

NOTHING_TOLD = BoardState()
MOST_BOARDS = 1000
"""The most boards of a hall: others are passed over."""
KINDS = (topics.STATUS, topics.STATE, topics.CLOCK, topics.EVENT, topics.PAIRING)
"""The kinds of topics that the wall reads."""
LONGEST_SILENCE = 100.0
"""The seconds without a letter after which a board counts as silent: each says every half minute that it is
there."""
ACTION = "action"
"""The kind of line by which an action is played."""
NO_CLOCK = (b"", b"null")
"""What a board says that has no clock."""
Status = Literal["online", "offline", ""]
STATUSES: Mapping[bytes, Status] = {topics.ONLINE: "online", topics.OFFLINE: "offline"}


@dataclass(frozen=True, slots=True)
class HallBoard:
    """A board of the hall."""

    name: BoardName
    status: Status = ""
    """`online`, `offline`, or '' as long as none was told."""
    status_at: float = 0.0
    """Since when it is so."""
    told: BoardState = NOTHING_TOLD
    clock: BoardClock | None = None
    pairing: Pairing | None = None
    moves: tuple[LogLine, ...] = ()
    """The actions of the game that is on, as far as their lines have come by."""
    ahead: float = 0.0
    """The seconds by which the wall's clock is ahead of the board's."""
    is_measured: bool = False
    """Whether a letter that had just been sent told `ahead`."""
    needs: tuple[Need, ...] = ()
    heard_at: float = 0.0
    """When the last letter came."""
    mute_since: float = 0.0
    """When the last letter came, where that is too long ago; else 0."""
    version: int = 0
    """The hall's version in which anything but `heard_at` changed last."""

    @property
    def clock_since(self) -> float:
        """The moment at which the players had what the clock says."""
        return self.clock.at + self.ahead if self.clock else 0.0


@dataclass(frozen=True, slots=True)
class Hall:
    """All boards by their names. `version` counts the changes."""

    boards: Mapping[BoardName, HallBoard] = field(default_factory=dict)
    version: int = 0


def fold(hall: Hall, delivery: Delivery, now: float) -> Hall:
    """Returns the hall after a letter has come at `now`. What is no letter of a board changes nothing."""
    try:
        name, kind = read_topic(delivery.topic)
        before = hall.boards.get(name) or HallBoard(name)
        if kind == topics.STATUS and not delivery.payload:
            return _without(hall, name)
        changed = _take(before, kind, delivery, now)
    except (TopicError, WireError):
        return hall
    if name not in hall.boards and len(hall.boards) >= MOST_BOARDS:
        return hall
    return _with(hall, before, replace(changed, mute_since=0.0), now)


def age(hall: Hall, now: float) -> Hall:
    """Returns the hall as it is without a letter until `now`: boards of which none came for long are mute."""
    found = [
        board
        for board in hall.boards.values()
        if not board.mute_since and now - board.heard_at > LONGEST_SILENCE
    ]
    for board in found:
        mute = replace(board, mute_since=board.heard_at)
        hall = _with(hall, board, mute, board.heard_at)
    return hall


def heard(hall: Hall, now: float) -> Hall:
    """Returns the hall as it is when the broker has come back: no board could be heard before `now`."""
    return replace(hall, boards={name: replace(board, heard_at=now) for name, board in hall.boards.items()})


def _take(board: HallBoard, kind: str, delivery: Delivery, now: float) -> HallBoard:
    """Returns a board after one of its letters. MessageError where it is none."""
    payload = delivery.payload
    if kind == topics.STATUS:
        return _take_status(board, payload, now)
    if kind == topics.STATE:
        told = read(payload, BoardState)
        moves = board.moves if _is_same_game(board.told, told) else ()
        return _measure(replace(board, told=told, moves=moves), told.at, delivery, now)
    if kind == topics.CLOCK:
        clock = read(payload, BoardClock) if payload.strip() not in NO_CLOCK else None
        return _measure(replace(board, clock=clock), clock.at if clock else 0.0, delivery, now)
    if kind == topics.EVENT:
        return replace(board, moves=_note(board, read(payload, LogLine)))
    if kind == topics.PAIRING:
        return replace(board, pairing=read(payload, Pairing) if payload else None)
    return board


def _take_status(board: HallBoard, payload: bytes, now: float) -> HallBoard:
    if payload not in STATUSES:
        raise WireError("a status is 'online' or 'offline'")
    status = STATUSES[payload]
    return board if status == board.status else replace(board, status=status, status_at=now)


def _measure(board: HallBoard, told_at: float, delivery: Delivery, now: float) -> HallBoard:
    """Returns the board with how far the wall's clock is ahead of its own."""
    if not told_at:
        return board
    if not delivery.was_kept:
        return replace(board, ahead=now - told_at, is_measured=True)
    if board.is_measured:
        return board
    return replace(board, ahead=min(0.0, now - told_at))  # a letter was never sent later than now


def _is_same_game(before: BoardState, now: BoardState) -> bool:
    return (before.companion, before.number) == (now.companion, now.number)


def _note(board: HallBoard, line: LogLine) -> tuple[LogLine, ...]:
    """Returns the actions that stand after a line of the log; those of another game are passed over."""
    if (line.companion, line.game) != (board.told.companion, board.told.number):
        return board.moves
    if board.moves and line.line <= board.moves[-1].line:
        return board.moves
    if line.kind == ACTION:
        return (*(move for move in board.moves if move.plies < line.plies), line)
    return tuple(move for move in board.moves if move.plies <= line.plies)


def _without(hall: Hall, name: BoardName) -> Hall:
    """Returns the hall without a board: its kept status was cleared, so it is no longer one."""
    if name not in hall.boards:
        return hall
    return Hall({other: board for other, board in hall.boards.items() if other != name}, hall.version + 1)


def _with(hall: Hall, before: HallBoard, board: HallBoard, heard_at: float) -> Hall:
    """Returns the hall with a board that changed, by a letter that came at `heard_at` or by none."""
    waits = waits_of(board.status, board.status_at, board.mute_since, board.told, board.clock)
    is_new_measure = board.is_measured and not before.is_measured
    needs = going_on(() if is_new_measure else before.needs, waits, board.ahead, heard_at)
    board = replace(board, needs=needs, heard_at=heard_at)
    is_news = before.name not in hall.boards or _keep_shown(before) != _keep_shown(board)
    version = hall.version + is_news
    board = replace(board, version=version if is_news else before.version)
    return Hall({**hall.boards, board.name: board}, version)


def _keep_shown(board: HallBoard) -> HallBoard:
    """Returns a board without what changes with each letter, and shows nothing by itself."""
    clock = board.clock and replace(board.clock, at=round(board.clock_since, 1))
    told = replace(board.told, at=0.0)
    return replace(board, told=told, clock=clock, ahead=0.0, is_measured=False, heard_at=0.0, version=0)
