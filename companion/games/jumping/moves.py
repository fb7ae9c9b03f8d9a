"""The legal moves of Jump to the Center, and what follows from one."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.game import Action, Event, Step
from companion.core.puzzle import SOLVER
from companion.games.jumping.position import MOVES, Position
from companion.games.jumping.words import path


def legal(position: Position) -> Iterator[Action]:
    found: list[Action] = []
    if not position.solved:
        pawns, leaps = position.pawns, position.net.leaps
        for pawn in (position.mover,) if position.mover else sorted(pawns):  # PZ-7
            for near, step, jumps in leaps[pawn]:
                if near not in pawns:  # PZ-8
                    found.append(step)
                else:  # PZ-9
                    found += [jump for far, jump in jumps if far not in pawns]
    return iter(found)


def play(position: Position, action: Action) -> Step[Position]:
    following, places = after(position, action), path(action)
    jumped = places[1:-1]
    details = {"start": places[0], "end": places[-1], "left": len(following.pawns)}
    if jumped:
        details["over"] = jumped[0]
    events = [Event("jumped" if jumped else "moved", SOLVER, places, details)]
    if not following.moves:
        events.append(Event("solved" if following.solved else "turn", SOLVER))
    return Step(following, tuple(events))


def after(position: Position, action: Action) -> Position:
    *gone, end = path(action)
    moves = (position.moves + 1) % MOVES
    return Position(position.pawns.difference(gone) | {end}, end if moves else "", moves, position.net)
