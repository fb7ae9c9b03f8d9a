"""Who may write and read which topics of a hall, and the same as an ACL file for Mosquitto."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from broker_bridge.topics import FROM_BOARD, HALL_ROOT, ROOT, TO_BOARD, BoardName, TopicError
from companion.language import say

DISCOVERY = "homeassistant/device"
"""Where Home Assistant looks for what there is."""
HALL, WALL = "hall", "wall"
"""The users that archive, desk and rounds, and that the wall, have at the broker."""

READ_ALL = (f"{ROOT}/#", f"{HALL_ROOT}/#")


@dataclass(frozen=True, slots=True)
class Rights:
    """The filters of the topics that a program may write to and read."""

    writes: tuple[str, ...] = ("#",)
    reads: tuple[str, ...] = ("#",)


def rights_of_board(board: BoardName) -> Rights:
    """Returns the rights of a board: to write what is its own, and to read what the hall has for it."""
    return Rights(tuple(map(board.topic, FROM_BOARD)), tuple(map(board.topic, TO_BOARD)))


def rights_of_hall() -> Rights:
    """Returns the rights of the hall: to read all, to write what it has for boards, and of itself."""
    return Rights((*(f"{ROOT}/+/+/{kind}" for kind in TO_BOARD), f"{HALL_ROOT}/#"), READ_ALL)


def rights_of_wall() -> Rights:
    return Rights((), READ_ALL)


def user_of(board: BoardName) -> str:
    """Returns the name of a board's user at the broker: a password file has no ':' in names.

    TopicError for a board whose name has one.
    """
    if ":" in str(board):
        raise TopicError(say("'{board}' has a ':', which no user of a broker may have", board=board))
    return str(board)


def write_acl(boards: Iterable[BoardName], discovery: bool = False) -> str:
    """Writes an ACL file for Mosquitto. Whoever is not named in it may do nothing.

    With `discovery` each board may also tell Home Assistant of itself.
    """
    parts = ["# Rights at the broker of a hall, made by 'companion hall acl'"]
    for board in boards:
        parts.append(_write(user_of(board), rights_of_board(board)))
        if discovery:
            parts[-1] += f"\ntopic write {discovery_topic(board)}"
    parts.append(_write(HALL, rights_of_hall()))
    parts.append(_write(WALL, rights_of_wall()))
    return "\n\n".join(parts) + "\n"


def discovery_topic(board: BoardName) -> str:
    """Returns the topic by which Home Assistant learns of a board."""
    return f"{DISCOVERY}/{discovery_id(board)}/config"


def discovery_id(board: BoardName) -> str:
    """Returns a board's name as Home Assistant takes one (letters, digits, _), another for each board."""
    name = "".join(sign if sign.isascii() and sign.isalnum() else f"_{ord(sign):x}_" for sign in str(board))
    return f"board_companion_{name}"


def _write(user: str, rights: Rights) -> str:
    lines = [f"user {user}"]
    lines += [f"topic write {topic}" for topic in rights.writes]
    lines += [f"topic read {topic}" for topic in rights.reads]
    return "\n".join(lines)
