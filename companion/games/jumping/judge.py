"""The rules of Jump to the Center that an action breaks, the places concerned, and what is wrong there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from companion.core.game import Breach, Site
from companion.games.jumping.position import MOVES, Position
from companion.games.reasons import say_occupied
from companion.language import Message, say, say_count

SPELLING = re.compile(r"([A-Za-z]\d+)(?:-|x([A-Za-z]\d+)-)([A-Za-z]\d+)")


def judge(position: Position, action: str) -> tuple[Breach, ...]:
    if position.solved:
        return (Breach("GEN-3"),)
    match = SPELLING.fullmatch(action)
    across = position.net.across
    if not match or any(place not in across for place in match.groups() if place):
        return (Breach("GEN-1"),)
    start, over, end = match.groups()
    found = _judge_jump(position, start, over, end) if over else _judge_step(position, start, end)
    return (*_judge_mover(position, start), *found)


def _judge_mover(position: Position, start: Site) -> Iterator[Breach]:
    if position.mover and start != position.mover:
        words = say_count(
            "The pawn on {place} has {n} move left.",
            "The pawn on {place} has {n} moves left.",
            MOVES - position.moves,
            place=position.mover,
        )
        yield Breach("PZ-7", (start, position.mover), words)
    elif start not in position.pawns:
        yield Breach("PZ-7", (start,), say("There is no pawn on {place}.", place=start))


def _judge_step(position: Position, start: Site, end: Site) -> Iterator[Breach]:
    if end not in position.net.across[start]:
        yield Breach("PZ-8", (start, end), _say_apart(start, end))
    if end in position.pawns:
        yield Breach("PZ-8", (end,), _say_end(start, end))


def _judge_jump(position: Position, start: Site, over: Site, end: Site) -> Iterator[Breach]:
    across = position.net.across
    if over not in position.pawns:
        yield Breach("PZ-9", (over,), say("There is no pawn on {place} to jump over.", place=over))
    for here, there in ((start, over), (over, end)):
        if there not in across[here]:
            yield Breach("PZ-9", (here, there), _say_apart(here, there))
    if end in position.pawns or end == start:
        yield Breach("PZ-9", (end,), _say_end(start, end))


def _say_apart(one: Site, other: Site) -> Message:
    return say("No line lies between {one} and {other} to be crossed.", one=one, other=other)


def _say_end(start: Site, end: Site) -> Message:
    return say("The jump ends where it began, on {place}.", place=end) if start == end else say_occupied(end)
