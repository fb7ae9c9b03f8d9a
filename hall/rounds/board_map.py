"""Which board of the hall is which number of a pairing program: `1-20=Hall A`, `21-40=Hall B/1`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from broker_bridge.topics import BoardName
from companion.language import say
from hall.rounds.pairs import RoundError

RANGE = re.compile(r"([1-9][0-9]{0,3})(?:-([1-9][0-9]{0,3}))?=([^/]+)(?:/(.+))?")


@dataclass(frozen=True, slots=True)
class BoardMap:
    """The boards of the hall by the numbers of a pairing program; `site` is that of all others."""

    boards: Mapping[int, BoardName]
    site: str = ""

    def board(self, number: int) -> BoardName:
        """Returns the board with a number. RoundError where it has no place."""
        if board := self.boards.get(number):
            return board
        if self.site:
            return BoardName(self.site, str(number))
        raise RoundError(
            say(
                "board {number} has no place in the hall: say where, as in --board-map '1-20=Hall A'",
                number=number,
            )
        )


def read_board_map(texts: Iterable[str], site: str = "") -> BoardMap:
    """Reads ranges of boards: `FIRST[-LAST]=SITE`, where boards have their own numbers, or
    `FIRST[-LAST]=SITE/NUMBER`, where the first one has that number. RoundError for anything else.
    """
    boards: dict[int, BoardName] = {}
    for text in texts:
        match = RANGE.fullmatch(text.strip())
        if not match:
            raise RoundError(
                say("boards are named as in '1-20=Hall A' or '21-40=Hall B/1', not '{text}'", text=text)
            )
        first, place, name = int(match[1]), match[3].strip(), (match[4] or match[1]).strip()
        last = int(match[2] or first)
        if not name.isdecimal() and first != last:
            raise RoundError(
                say("'{text}' names many boards: the name after / has to be a number", text=text)
            )
        for n in range(first, last + 1):
            boards[n] = BoardName(place, str(int(name) + n - first) if name.isdecimal() else name)
    if len(set(boards.values())) < len(boards):
        raise RoundError(say("two numbers have the same board in the hall"))
    return BoardMap(boards, site)
