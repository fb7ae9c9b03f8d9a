"""The refusals of Jump to the Center in words: for each broken rule the one thing that is wrong here."""

from __future__ import annotations

from companion.core.game import Breach
from companion.games.jumping.judge import SPELLING
from companion.games.jumping.position import MOVES, Position
from companion.games.reasons import say_occupied
from companion.language import Message, say, say_count


def explain(position: Position, action: str, breach: Breach) -> Message:
    match = SPELLING.fullmatch(action)
    assert match
    start, end = match[1], match[3]
    if breach.rule == "PZ-7":
        return _say_pawn(position, start)
    if len(breach.sites) == 2:
        one, other = breach.sites
        return say("No line lies between {one} and {other} to be crossed.", one=one, other=other)
    if breach.sites[0] == match[2]:
        return say("There is no pawn on {place} to jump over.", place=breach.sites[0])
    if start == end:
        return say("The jump ends where it began, on {place}.", place=start)
    return say_occupied(end)


def _say_pawn(position: Position, start: str) -> Message:
    if position.mover and start != position.mover:
        return say_count(
            "The pawn on {place} has {n} move left.",
            "The pawn on {place} has {n} moves left.",
            MOVES - position.moves,
            place=position.mover,
        )
    return say("There is no pawn on {place}.", place=start)
