"""An arbiter's correction of a puzzle of placing."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.game import EMPTY, Look, Place, Player, PositionError
from companion.core.puzzle import check_turn
from companion.games.placing.position import Position, Task


def arrange(position: Position, looks: Mapping[Place, Look], turn: Player) -> Position:
    """Returns the position with these pieces. PositionError where there is a conflict, or too many."""
    check_turn(turn)
    standing = {place: look for place, look in looks.items() if look != EMPTY}
    _check_pieces(position.task, standing)
    after = position._replace(placed=frozenset(standing))
    for place in sorted(standing):
        if others := after.conflicts(place):
            name = position.task.piece.name
            raise PositionError(f"the {name}s on {place} and {others[0]} are in conflict")
    return after


def _check_pieces(task: Task, standing: Mapping[Place, Look]) -> None:
    for place, look in standing.items():
        if place not in task.claims or look != task.piece.look:
            raise PositionError(f"'{look}' cannot stand on '{place}' in this puzzle")
    if task.limit and len(standing) > (task.pieces or 0):
        raise PositionError(f"there are {task.pieces} {task.piece.name}s in this puzzle")
