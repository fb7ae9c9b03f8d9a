"""TRID in words: sentences for events, labels, prompts, and the fields that an action names.

Actions are `c6-d8` (a move), `c6xd8` (a capture), `a6%c6` (a switch), `keep` and `pass`.
"""

from __future__ import annotations

from companion.core.game import Action, Place
from companion.games.trid.moves import SPELLING, is_stuck
from companion.games.trid.position import Position
from companion.language import NamedPhrases, say

PIECE_NAMES: NamedPhrases = {"master": "master", "glider": "glider", "jumper": "jumper"}
SENTENCES: NamedPhrases = {
    "moved": "{player} moves {piece:the} from {start} to {end}.",
    "taken": "{player} takes {owner}'s {piece} on {sites}.",
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
LABELS: NamedPhrases = {
    "keep": "keep the pawns",
    "(?P<one>.*)%(?P<other>.*)": "switch {one} and {other}",
}


def path(action: Action) -> tuple[Place, ...]:
    match = SPELLING.fullmatch(action)
    return (match[1], match[3]) if match else ()


def prompt(position: Position) -> str:
    if position.made:
        return say("switch two corners of the triangle, or keep them")
    return say("no pawn can move: pass") if is_stuck(position) else say("move one pawn")
