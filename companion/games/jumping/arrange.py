"""An arbiter's correction of Jump to the Center."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.game import EMPTY, Look, Place, Player, PositionError
from companion.core.players import seat_of
from companion.core.puzzle import SOLVER
from companion.games.jumping.board import PAWNS
from companion.games.jumping.moves import legal
from companion.games.jumping.position import Position
from companion.language import say


def arrange(position: Position, looks: Mapping[Place, Look], turn: Player) -> Position:
    """Returns the position with these pawns; in the midst of a turn the same pawn goes on where it can."""
    seat_of(turn, (SOLVER,))
    pawns = frozenset(place for place, look in looks.items() if look != EMPTY)
    for place in pawns:
        if place not in position.net.across or looks[place] != SOLVER:
            raise PositionError(
                say("'{look}' cannot stand on '{place}' in this puzzle", look=looks[place], place=place)
            )
    if not 1 <= len(pawns) <= PAWNS:
        raise PositionError(say("this puzzle has 1 to {most} pawns", most=PAWNS))
    after = position._replace(pawns=pawns)
    if position.mover in pawns and any(legal(after)):
        return after
    return Position(pawns, "", 0, position.net)
