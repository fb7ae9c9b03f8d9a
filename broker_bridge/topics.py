"""The topics of a hall: `board-companion/<site>/<board>/<kind>`.

A board writes what it tells (`FROM_BOARD`), and reads what the hall has for it (`TO_BOARD`).
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.core.errors import CompanionError
from companion.language import say

ROOT = "board-companion"
HALL_ROOT = "board-companion-hall"
"""The first level of what the hall's programs tell of themselves: `…/archive/NAME/status`."""
STATUS = "status"
"""Whether the board is there: `online` or `offline`, retained; the broker says offline for one cut off."""
STATE = "state"
"""What spectators see now (JSON, retained)."""
EVENT = "event"
"""A line of a game's log (JSON, QoS 1)."""
CLOCK = "clock"
"""The players' clock (JSON, retained)."""
ARCHIVED = "archived"
"""How many lines of each game an archive has (JSON, retained): what it lacks the board sends again."""
PAIRING = "pairing"
"""Who plays here next, in which round (JSON, retained)."""
FROM_BOARD = (STATUS, STATE, EVENT, CLOCK)
TO_BOARD = (ARCHIVED, PAIRING)
KINDS = (*FROM_BOARD, *TO_BOARD)
ONLINE, OFFLINE = b"online", b"offline"
LONGEST = 64
"""The most characters of a site's or a board's name."""


class TopicError(CompanionError):
    """A name that no topic can hold."""


@dataclass(frozen=True, slots=True, order=True)
class BoardName:
    """A board of a hall: the site and the board's own name. Raises TopicError for what fits in no topic."""

    site: str
    board: str

    def __post_init__(self) -> None:
        for name in (self.site, self.board):
            is_good = 0 < len(name) <= LONGEST and name == name.strip() and name.isprintable()
            if not is_good or any(sign in name for sign in "/+#$"):
                raise _no_name(name)

    def __str__(self) -> str:
        return f"{self.site}/{self.board}"

    def topic(self, kind: str) -> str:
        return f"{ROOT}/{self.site}/{self.board}/{kind}"


def read_board_name(text: str) -> BoardName:
    """Reads `SITE/BOARD`. TopicError where it is none."""
    site, slash, board = text.partition("/")
    if not slash:
        raise _no_name(text)
    return BoardName(site.strip(), board.strip())


def _no_name(text: str) -> TopicError:
    return TopicError(
        say("a board is named SITE/BOARD, as in 'Hall A/7', without + # $: not '{name}'", name=text)
    )


def of_all(kind: str) -> str:
    """Returns the filter that matches one kind of topic of every board."""
    return f"{ROOT}/+/+/{kind}"


def read_topic(topic: str) -> tuple[BoardName, str]:
    """Returns whose topic this is, and its kind. TopicError for any other topic."""
    levels = topic.split("/")
    if len(levels) != 4 or levels[0] != ROOT or levels[3] not in KINDS:
        raise TopicError(say("'{topic}' is no topic of a board", topic=topic))
    return BoardName(levels[1], levels[2]), levels[3]
