"""A puzzle from a game, as a game's head keeps it: `puzzle: 1f3a90c2 14 e4xd5`.

That is its name, the actions that lead to the position, and the turn that is looked for. It is played on the
board like any game, but for other turns, which are put back. The turn is known by the position that it ends
in, so its actions may come in another order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal
from zlib import crc32

from companion.core.game import Action, GameError
from companion.games.text import split
from companion.language import say
from companion.record.session import PUZZLE, Session

TASK = PUZZLE
"""The key of a head that holds the puzzle."""
WRONG = say("This is not the turn that is looked for: put it back, and try another one.")
WRONG_ENTERED = say("This is not the turn that is looked for: try another one.")


@dataclass(frozen=True, slots=True)
class Task:
    """A position after so many actions of a game, in which one turn is best."""

    name: str
    begun: int
    solution: tuple[Action, ...]

    def write(self) -> str:
        return " ".join((self.name, str(self.begun), *self.solution))


def make_task(text: str, solution: Iterable[Action]) -> Task:
    """Returns the puzzle of what is best after a game text. GameError for a text that is none."""
    solution = tuple(solution)
    name = crc32(" ".join((text, *solution)).encode())
    return Task(f"{name:08x}", len(split(text)[1]), solution)


def task_in(head: Mapping[str, str]) -> Task | None:
    """Returns the puzzle that a head holds; None where it holds none."""
    name, begun, solution = (*head.get(TASK, "").split(maxsplit=2), "", "", "")[:3]
    return Task(name, int(begun), tuple(solution.split())) if begun.isdecimal() and solution else None


def progress(task: Task, session: Session) -> Literal["open", "solved", "wrong"]:
    """Tells how a puzzle stands in its game: whether a turn was played, and whether it was the one."""
    positions = session.positions()
    if len(positions) <= task.begun + 1:
        return "open"
    rules, before = session.rules, positions[task.begun]
    ended = next((at for at in positions[task.begun + 1 :] if is_over(rules, before, at)), None)
    if ended is None:
        return "open"
    return "solved" if rules.future(ended) == rules.future(after(rules, before, task.solution)) else "wrong"


def may_take_back(task: Task | None, session: Session, count: int = 1) -> bool:
    """Tells whether so many actions may go: in a puzzle those of its turn, until it is solved."""
    return task is None or (len(session.plies) - count >= task.begun and progress(task, session) == "open")


def left_of(task: Task, session: Session) -> tuple[Action, ...]:
    """Returns what is left to play of the turn that is looked for; () where something else was begun."""
    played = session.actions[task.begun :]
    return task.solution[len(played) :] if task.solution[: len(played)] == played else ()


def is_over(rules: Any, before: Any, at: Any) -> bool:
    """Returns whether the turn that was on `before` is over."""
    return bool(at.turn != before.turn or at.to_act != before.to_act or rules.outcome(at))


def after(rules: Any, position: Any, actions: Iterable[Action]) -> Any:
    """Returns the position after actions. GameError where one of them is not legal."""
    for action in actions:
        if rules.judge(position, action):
            raise GameError(say("'{action}' is not legal here", action=action))
        position = rules.after(position, action)
    return position
