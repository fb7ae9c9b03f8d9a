"""TRID in words: sentences for events, labels, prompts, and the fields that an action names.

Actions are `c6-d8` (a move), `c6xd8` (a capture), `a6%c6` (a switch), `keep` and `pass`.
"""

from __future__ import annotations

from companion.core.game import Action, Place
from companion.games.trid.moves import SPELLING, is_stuck
from companion.games.trid.position import Position
from companion.language import NamedPhrases

SENTENCES = {
    "moved": "{player} moves the {kind} from {start} to {end}.",
    "taken": "{player} takes {owner}'s {kind} on {sites}.",
    "made": "{player} makes a controlling triangle with {sites}.",
    "switched": "{player} switches the pawns on {one} and {other}.",
    "kept": "{player} keeps the triangle's pawns where they are.",
    "passed": "{player} cannot move and passes.",
    "out": "{player} has lost the master and is out of the game.",
    "won": "{player} wins: {reason}.",
}
ACTION_KINDS: NamedPhrases = {
    ".*-.*": "move",
    ".*x.*": "capture",
    ".*%.*": "switch",
    "keep": "keep",
    "pass": "pass",
}


def path(action: Action) -> tuple[Place, ...]:
    """Returns the fields that an action names."""
    match = SPELLING.fullmatch(action)
    return (match[1], match[3]) if match else ()


def label(action: Action) -> str:
    """Returns an action as a button names it."""
    if action == "keep":
        return "keep the pawns"
    return f"switch {action.replace('%', ' and ')}" if "%" in action else action


def prompt(position: Position) -> str:
    """Returns what is owed next."""
    if position.made:
        return "switch two corners of the triangle, or keep them"
    return "move one pawn" if not is_stuck(position) else "no pawn can move: pass"
