"""Jump to the Center in words. `B8-b8` is a step, `b8xC6-c7` a jump over C6."""

from __future__ import annotations

import re

from companion.core.game import Action, Place
from companion.games.jumping.position import MOVES, Position
from companion.language import Message, NamedPhrases, say, say_count

SENTENCES: NamedPhrases = {
    "moved": "The pawn goes from {start} to {end}.",
    "jumped": "The pawn jumps from {start} over {over} to {end}: {left} left.",
    "turn": "The turn is over: any pawn may go on.",
    "solved": "Solved: the last pawn stands on the centre square.",
}
ACTION_KINDS: NamedPhrases = {".*x.*-.*": "jump", ".*-.*": "step"}
LABELS: NamedPhrases = {
    "(?P<start>.*)x(?P<over>.*)-(?P<end>.*)": "jump from {start} over {over} to {end}",
    "(?P<start>.*)-(?P<end>.*)": "move from {start} to {end}",
}


def path(action: Action) -> tuple[Place, ...]:
    return tuple(re.split("[-x]", action))


def advice(action: Action, count: int) -> Message:
    """Returns a hint: the next action of a plan of so many."""
    start, *jumped, end = path(action)
    if jumped:
        return say_count(
            "Jump from {start} over {over} to {end}: {n} move to go.",
            "Jump from {start} over {over} to {end}: {n} moves to go.",
            count,
            start=start,
            over=jumped[0],
            end=end,
        )
    return say_count(
        "Move from {start} to {end}: {n} move to go.",
        "Move from {start} to {end}: {n} moves to go.",
        count,
        start=start,
        end=end,
    )


def prompt(position: Position) -> str:
    if position.mover:
        left = MOVES - position.moves
        return say(
            "move the pawn on {place}: {left} of {all} moves left", place=position.mover, left=left, all=MOVES
        )
    return say("choose a pawn, and move it {all} times", all=MOVES)
