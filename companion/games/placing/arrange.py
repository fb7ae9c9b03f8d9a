"""An arbiter's correction of a puzzle of placing."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.game import EMPTY, Look, Place, Player, PositionError
from companion.core.players import seat_of
from companion.core.puzzle import SOLVER
from companion.games.placing.position import PlacingTask, Position
from companion.language import say


def arrange(position: Position, looks: Mapping[Place, Look], turn: Player) -> Position:
    seat_of(turn, (SOLVER,))
    standing = {place: look for place, look in looks.items() if look != EMPTY}
    _check_pieces(position.task, standing)
    after = position._replace(placed=frozenset(standing))
    for place in sorted(standing):
        if others := after.conflicts(place):
            raise PositionError(
                say(
                    "the {pieces} on {place} and {other} are in conflict",
                    pieces=position.task.piece.many,
                    place=place,
                    other=others[0],
                )
            )
    return after


def _check_pieces(task: PlacingTask, standing: Mapping[Place, Look]) -> None:
    for place, look in standing.items():
        if place not in task.claims or look != task.piece.look:
            raise PositionError(
                say("'{look}' cannot stand on '{place}' in this puzzle", look=look, place=place)
            )
    if task.limit and len(standing) > (task.pieces or 0):
        raise PositionError(
            say("there are {n} {pieces} in this puzzle", n=task.pieces, pieces=task.piece.many)
        )
