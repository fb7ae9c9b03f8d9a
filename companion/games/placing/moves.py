"""The legal actions of a puzzle of placing, and what follows from one."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.game import Action, Event, Step
from companion.core.puzzle import SOLVER
from companion.games.placing.position import Position


def legal(position: Position) -> Iterator[Action]:
    """Yields each legal action once; none when the puzzle is solved."""
    if position.solved:
        return
    if not position.used_up:
        yield from (f"+{site}" for site in position.free)
    yield from (f"-{site}" for site in position.task.claims if site in position.placed)


def play(position: Position, action: Action) -> Step[Position]:
    """Plays a legal action."""
    kind = "placed" if action[0] == "+" else "taken"
    after = position._replace(placed=position.placed.symmetric_difference((action[1:],)))
    details = {"piece": position.task.piece.name, "count": len(after.placed)}
    events = [Event(kind, SOLVER, (action[1:],), details)]
    if after.solved:
        events.append(Event("solved", SOLVER))
    return Step(after, tuple(events))
