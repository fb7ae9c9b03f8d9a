"""The actions of Escape! that a player may have meant by a change of the board that no legal one explains."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.bits import members
from companion.core.game import Changes, Place
from companion.games.changes import arrived, departed
from companion.games.escape.moves import jump_ends, sneak_ends
from companion.games.escape.position import PLAYERS, Position


def attempts(position: Position, changed: Changes) -> Iterator[str]:
    net = position.net
    gone, come = departed(changed), arrived(changed)
    for start, owner in gone.items():
        for end, look in come.items():
            if owner == look:
                yield from _carried(position, start, end)
        if not come and owner in PLAYERS:
            target = net.home[1 - PLAYERS.index(owner)]
            yield from (f"{start}>{net.names[site]}" for site in members(target))


def _carried(position: Position, start: Place, end: Place) -> Iterator[str]:
    """Yields the ways of a pawn to another place: a sneak along its line, jumps, or back into bounds."""
    net, number = position.net, position.net.index[start]
    is_in_line = any(net.index[end] in line for line in net.rays[number])
    yield from (f"{start}{sign}{end}" for sign in ("~>" if is_in_line else ">~"))
    ends = {">": jump_ends(position, number), "~": sneak_ends(position, number)}
    for sign, reached in ends.items():
        yield from (f"{start}{sign}{net.names[site]}={end}" for site in members(reached & net.outside))
