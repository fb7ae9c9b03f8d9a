"""Actions of TRID that a player may have meant by a change of the board that no legal action explains."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.game import EMPTY, Changes, Look, Place, Player
from companion.games.changes import departed, vacated
from companion.games.trid.moves import switch_name
from companion.games.trid.position import Position


def attempts(position: Position, changed: Changes) -> Iterator[str]:
    """Yields moves and captures, those of the mover's own pawns first, then a switch of two pawns."""
    gone = departed(changed)
    for start in sorted(gone, key=lambda place: not gone[place].startswith(position.turn)):
        yield from _moves(changed, start, _owner(gone[start]))
    if len(changed) == 2 and not vacated(changed):
        a, b = (position.net.index[place] for place in changed)
        yield switch_name(position.net, a, b)


def _moves(changed: Changes, start: Place, owner: Player) -> Iterator[str]:
    """Yields the moves of an owner's pawn from a field to each one on which such a pawn is seen."""
    for end, (was, now) in changed.items():
        if end != start and _owner(now) == owner:
            yield f"{start}{'-' if was == EMPTY else 'x'}{end}"


def _owner(look: Look) -> Player:
    return look.partition("/")[0]
