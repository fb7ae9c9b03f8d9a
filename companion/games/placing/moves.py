"""The legal actions of a puzzle of placing, and what follows from one."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.game import Action, Event, Step
from companion.core.puzzle import SOLVER
from companion.games.placing.position import Position


def legal(position: Position) -> Iterator[Action]:
    if position.solved:
        return iter(())
    placed, claims = position.placed, position.task.claims
    found = [] if position.used_up else [f"+{site}" for site in position.free]
    return iter([*found, *[f"-{site}" for site in claims if site in placed]])


def play(position: Position, action: Action) -> Step[Position]:
    following = after(position, action)
    kind = "placed" if action[0] == "+" else "taken"
    details = {"piece": position.task.piece.name, "count": len(following.placed)}
    events = [Event(kind, SOLVER, (action[1:],), details)]
    if following.solved:
        events.append(Event("solved", SOLVER))
    return Step(following, tuple(events))


def after(position: Position, action: Action) -> Position:
    return Position(position.placed ^ {action[1:]}, position.task)
