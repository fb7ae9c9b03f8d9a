"""What a player may have meant by a change of the board that no legal action explains."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from companion.core import Changes, Look, Place
from companion.games.teleporters.arrangement import LOOKS

POLES, PORTS = LOOKS[:2], LOOKS[2:]


def attempts(changed: Changes) -> Iterator[str]:
    """Spellings for each way to pair what has gone with what has come, whole Teleports first."""
    for look in PORTS:
        yield from _unit_moves(*_gone_and_come(changed, look))
        yield from _port_moves(*_gone_and_come(changed, look))
    for look in POLES:
        gone, come = _gone_and_come(changed, look)
        for start, end in product(gone, come):
            yield from (f"{start}-{end}", f"{start}*{end}", f"={start}*{end}")
        yield from (f"pole:{end}" for end in come)


def _gone_and_come(changed: Changes, look: Look) -> tuple[list[Place], list[Place]]:
    gone = [place for place, (was, now) in changed.items() if was == look != now]
    come = [place for place, (was, now) in changed.items() if now == look != was]
    return gone, come


def _unit_moves(gone: list[Place], come: list[Place]) -> Iterator[str]:
    for start, end in product(_pairs(gone), _pairs(come)):
        yield f"={start}@" if start == end else f"={start}-{end}"


def _pairs(places: list[Place]) -> list[Place]:
    """The quadrants of which two corners are among the places."""
    quadrants = [place[:2] for place in places]
    return sorted({quadrant for quadrant in quadrants if quadrants.count(quadrant) > 1})


def _port_moves(gone: list[Place], come: list[Place]) -> Iterator[str]:
    for old, new in product(gone, come):
        turned = "" if old[2:] == new[2:] else f"@{new[2:]}"
        yield f"{old}{turned}" if old[:2] == new[:2] else f"{old}-{new[:2]}{turned}"
    yield from (f"port:{new[:2]}" for new in come)
