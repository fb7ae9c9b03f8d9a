"""The legal moves of Jump to the Center, and what follows from one."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.game import Action, Event, Site, Step
from companion.core.puzzle import SOLVER
from companion.games.jumping.position import MOVES, Position
from companion.games.jumping.words import path


def legal(position: Position) -> Iterator[Action]:
    """Yields each legal action once; none when the puzzle is solved."""
    if position.solved:
        return
    movers = (position.mover,) if position.mover else sorted(position.pawns)  # PZ-7
    for pawn in movers:
        yield from _moves(position, pawn)


def _moves(position: Position, pawn: Site) -> Iterator[Action]:
    pawns, across = position.pawns, position.net.across
    for near in across[pawn]:
        if near not in pawns:  # PZ-8
            yield f"{pawn}-{near}"
        else:  # PZ-9
            yield from (f"{pawn}x{near}-{far}" for far in across[near] if far not in pawns)


def play(position: Position, action: Action) -> Step[Position]:
    """Plays a legal action."""
    places = path(action)
    start, end, jumped = places[0], places[-1], places[1:-1]
    pawns = position.pawns - {start, *jumped} | {end}
    moves = (position.moves + 1) % MOVES
    after = Position(pawns, end if moves else "", moves, position.net)
    details = {"start": start, "end": end, "left": len(pawns)}
    if jumped:
        details["over"] = jumped[0]
    events = [Event("jumped" if jumped else "moved", SOLVER, places, details)]
    if not moves:
        events.append(Event("solved" if after.solved else "turn", SOLVER))
    return Step(after, tuple(events))
