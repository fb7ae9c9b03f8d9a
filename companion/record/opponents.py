"""Seats that nobody at this table plays, as a game's head spells them: `companion: black=3/10`.

That is Black by the companion itself, at level 3 of 6, in at most ten seconds a turn. A seat that is handed
over in the middle of a game changes the head then. `elsewhere: black` is Black at another table of the
same game.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from companion.core.game import GameError, Player
from companion.language import say

COMPANION = "companion"
"""The key of a head that names these seats, and the source of what the companion plays."""
ELSEWHERE = "elsewhere"
"""The key of a head that names the seats at another table, and the source of what is played there."""
PRACTICE = "practice"
"""The key of a head of a game that was begun as practice: hints are given."""
LEVELS = range(1, 7)
USUAL_SECONDS, LONGEST_TURN = 10, 60
SEAT = re.compile(r"(\w+)=([0-9])(?:/([0-9]{1,2}))?")


@dataclass(frozen=True, slots=True)
class Opponent:
    """The level at which the companion plays a seat, and the seconds that it may think about a turn."""

    level: int
    seconds: int = USUAL_SECONDS


def opponents_in(head: Mapping[str, str]) -> dict[Player, Opponent]:
    """Returns the seats that the companion plays in a game with this head."""
    return {
        match[1]: Opponent(int(match[2]), int(match[3] or USUAL_SECONDS))
        for match in map(SEAT.fullmatch, head.get(COMPANION, "").split())
        if match
    }


def seats_elsewhere(head: Mapping[str, str]) -> tuple[Player, ...]:
    """Returns the seats whose players sit at another table."""
    return tuple(head.get(ELSEWHERE, "").split())


def others_in(head: Mapping[str, str]) -> tuple[Player, ...]:
    """Returns the seats that nobody at this table plays: the companion's, and those at another table."""
    return (*opponents_in(head), *seats_elsewhere(head))


def write_opponents(opponents: Mapping[Player, Opponent]) -> str:
    return " ".join(f"{seat}={o.level}/{o.seconds}" for seat, o in opponents.items())


def parse_opponents(text: str, players: Collection[Player]) -> dict[Player, Opponent]:
    """Returns the seats that a person hands over: `black=3`, `red=1/30 blue=6`. GameError for others."""
    found = opponents_in({COMPANION: text})
    if len(players) == 1 and text.strip():
        raise GameError(say("a puzzle has no opponent"))
    if len(found) != len(text.split()):
        raise GameError(say("a seat for the companion is written {example}", example="black=3"))
    for seat, opponent in found.items():
        if seat not in players:
            raise GameError(say("there is no seat '{seat}'", seat=seat[:40]))
        if opponent.level not in LEVELS:
            raise GameError(say("the companion has levels from {first} to {last}", first=1, last=LEVELS[-1]))
        if not 1 <= opponent.seconds <= LONGEST_TURN:
            raise GameError(say("the companion thinks for 1 to {longest} seconds", longest=LONGEST_TURN))
    return found
