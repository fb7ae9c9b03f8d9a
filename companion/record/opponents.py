"""Seats that the companion itself plays: how a game's head names them, `companion: black=3/10`.

That is Black, at level 3 of 6, in at most ten seconds a turn. A seat that is handed over in the middle of a
game changes the head then.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from companion.core.game import Player

COMPANION = "companion"
"""The key of a head that names these seats, and the source of what the companion plays."""
PRACTICE = "practice"
"""The key of a head under which a game was begun as practice: hints are given."""
LEVELS = range(1, 7)
SECONDS = (2, 10, 30)
"""The times for a turn that are offered, in seconds; the second is the usual one."""
SEAT = re.compile(r"(\w+)=([1-6])/([0-9]{1,3})")


@dataclass(frozen=True, slots=True)
class Opponent:
    """How well the companion plays a seat, and how long it may think about a turn."""

    level: int
    seconds: int = SECONDS[1]


def opponents_in(head: Mapping[str, str]) -> dict[Player, Opponent]:
    """Returns the seats that the companion plays; what is spelled otherwise is none."""
    found = SEAT.finditer(head.get(COMPANION, ""))
    return {match[1]: Opponent(int(match[2]), int(match[3])) for match in found}


def write_opponents(opponents: Mapping[Player, Opponent]) -> str:
    """Returns these seats as a head has them."""
    return " ".join(f"{seat}={o.level}/{o.seconds}" for seat, o in opponents.items())
