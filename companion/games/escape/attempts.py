"""What a player may have meant by a change of the board that no legal action explains."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core import EMPTY, Changes, Place
from companion.games.escape.actions import PLAYERS, Position
from companion.games.escape.course import Course, members


def attempts(position: Position, changed: Changes) -> Iterator[str]:
    """Spellings for what left a place and what came to one, likeliest first."""
    course = position.course
    gone = [(p, was) for p, (was, now) in changed.items() if was != EMPTY and now != was]
    come = [(p, now) for p, (was, now) in changed.items() if now != EMPTY and now != was]
    for start, owner in gone:
        for end, look in come:
            if owner == look:
                yield from _carried(course, start, end)
        if not come and owner in PLAYERS:
            home = course.home[1 - PLAYERS.index(owner)]
            yield from (f"{start}>{course.names[s]}" for s in members(home))


def _carried(course: Course, start: Place, end: Place) -> Iterator[str]:
    """A pawn went from one place to another: by a sneak along its line, by jumps, or back into bounds."""
    along = course.index[end] in {s for ray in course.rays[course.index[start]] for s in ray}
    yield from (f"{start}{mark}{end}" for mark in ("~>" if along else ">~"))
    for site in members(course.outside):
        yield from (f"{start}{mark}{course.names[site]}={end}" for mark in ">~")
