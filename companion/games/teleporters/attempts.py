"""Actions of Teleporters that a player may have meant by a change that no legal action explains."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from companion.core.game import Changes, Look, Place
from companion.games.changes import arrived, departed
from companion.games.teleporters.board import HOMES, INDEX, PLAYERS
from companion.games.teleporters.position import LOOKS, Position, is_teleport

POLES, PORTS = LOOKS[:2], LOOKS[2:]


def attempts(position: Position, changed: Changes) -> Iterator[str]:
    """Yields spellings for each way to pair what has gone with what has come, whole Teleports first."""
    gone, come = departed(changed), arrived(changed)
    for look in PORTS:
        starts, ends = _places(gone, look), _places(come, look)
        yield from _unit_moves(starts, ends)
        yield from _port_moves(starts, ends)
    for look in POLES:
        # A Pole on the corner of a square is misread: only Ports stand there.
        starts, ends = ([place for place in _places(looks, look) if place in INDEX] for looks in (gone, come))
        for start, end in product(starts, ends):
            yield from _pole_moves(position, look, start, end)
        yield from (f"pole:{end}" for end in ends)


def _pole_moves(position: Position, look: Look, start: Place, end: Place) -> Iterator[str]:
    """Yields the ways of a Pole: it teleports between places for that, and walks anywhere."""
    side = PLAYERS.index(look.partition("/")[0])
    if _is_teleport(position, side, start):
        yield f"={start}*{end}"
    if _is_telepad(position, side, end) and (_is_telepad(position, side, start) or not _is_near(start, end)):
        yield f"{start}*{end}"
    yield f"{start}-{end}"


def _is_telepad(position: Position, side: int, place: Place) -> bool:
    """Tells whether Poles of this side teleport from or to this place."""
    return any(INDEX[place] in home for home in HOMES) or _is_teleport(position, side, place)


def _is_teleport(position: Position, side: int, place: Place) -> bool:
    return is_teleport(position.squares[INDEX[place]], side)


def _is_near(start: Place, end: Place) -> bool:
    """Tells whether a Pole could walk there, were nothing in its way."""
    files, ranks = abs(ord(start[0]) - ord(end[0])), abs(int(start[1]) - int(end[1]))
    return min(files, 8 - files) + ranks <= 2


def _places(looks: dict[Place, Look], wanted: Look) -> list[Place]:
    return [place for place, look in looks.items() if look == wanted]


def _unit_moves(gone: list[Place], come: list[Place]) -> Iterator[str]:
    for start, end in product(_pairs(gone), _pairs(come)):
        yield f"={start}@" if start == end else f"={start}-{end}"


def _pairs(places: list[Place]) -> list[Place]:
    """Returns the quadrants of which two corners are among the places."""
    quadrants = [place[:2] for place in places]
    return sorted({quadrant for quadrant in quadrants if quadrants.count(quadrant) > 1})


def _port_moves(gone: list[Place], come: list[Place]) -> Iterator[str]:
    for old, new in product(gone, come):
        turned = "" if new[2:] in ("", old[2:]) else f"@{new[2:]}"  # where no Port stands are no corners
        yield f"{old}{turned}" if old[:2] == new[:2] else f"{old}-{new[:2]}{turned}"
    yield from (f"port:{new[:2]}" for new in come)
