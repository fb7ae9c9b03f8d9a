"""Jump to the Center in words. `B8-b8` is a step, `b8xC6-c7` a jump over C6."""

from __future__ import annotations

import re

from companion.core.game import Action, Place
from companion.games.jumping.position import MOVES, Position
from companion.language import NamedPhrases

SENTENCES = {
    "moved": "The pawn goes from {start} to {end}.",
    "jumped": "The pawn jumps from {start} over {over} to {end}: {left} left.",
    "turn": "The turn is over: any pawn may go on.",
    "solved": "Solved: the last pawn stands on the centre square.",
}
ACTION_KINDS: NamedPhrases = {".*x.*-.*": "jump", ".*-.*": "step"}


def path(action: Action) -> tuple[Place, ...]:
    """Returns the places that an action names."""
    return tuple(re.split("[-x]", action))


def label(action: Action) -> str:
    """Returns an action as a button names it."""
    start, *jumped, end = path(action)
    return f"jump from {start} over {jumped[0]} to {end}" if jumped else f"move from {start} to {end}"


def prompt(position: Position) -> str:
    """Returns what has to be done next."""
    if position.mover:
        return f"move the pawn on {position.mover}: {MOVES - position.moves} of {MOVES} moves left"
    return f"choose a pawn, and move it {MOVES} times"
