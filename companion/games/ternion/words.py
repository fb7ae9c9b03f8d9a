"""The Ternion games in words: the sites that an action names, sentences for events, labels and prompts.

A placement is spelled `c4`, a step `c4-c5`, a jump `c4-c5-c6`, the choice of a ternion `T:c4,c5,d5`. `-c4`
removes a pawn, `+c4` adds one, and `~c4>d5` alters that at the review. `end` ends the turn, `out` drops out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from companion.core.game import Action, Place
from companion.games.ternion.board import SITE, spelling_order
from companion.games.ternion.moves import can_move
from companion.games.ternion.position import Phase, Position, additions
from companion.language import NamedPhrases

CHOICE = re.compile(rf"T:{SITE.pattern}(,{SITE.pattern})*")
NUMBERS = ("none", "one", "two", "three", "four", "five", "six")
LABELS_OF_WORDS = {"end": "end the turn", "out": "drop out"}
LABELS_OF_SIGNS = {"T:": "ternion {sites}", "-": "remove {0}", "+": "add on {0}", "~": "instead of {0}, {1}"}
SENTENCES = {
    "placed": "{player} places a pawn on {sites}.",
    "moved": "{player} moves the {pawn} pawn from {start} to {end}.",
    "jumped": "{player} jumps with the {pawn} pawn from {start} over {over} to {end}.",
    "choice": "{player} can make one of {sets} ternions with the pawn on {sites}, and chooses.",
    "ternion": "{player} makes a ternion with {sites}: {owed}.",
    "removed": "{player} removes the pawn on {sites}.",
    "added": "{player} adds a pawn on {sites}.",
    "relocated": "{player} puts the pawn added on {start} on {end} instead.",
    "exchanged": "{player} puts the pawn back on {start} and removes the one on {end} instead.",
    "ended": "{player} ends the turn.",
    "out": "{player} cannot go on and drops out; the board goes back to the start of the turn.",
    "won": "{player} wins: {reason}.",
}
ACTION_KINDS: NamedPhrases = {
    "end": "end the turn",
    "out": "drop out",
    "T:.*": "choose the ternion",
    "-.*": "remove",
    r"\+.*": "add",
    "~.*": "put elsewhere",
    "[^-]*": "place",
    "[^-]*-[^-]*": "step",
    ".*-.*-.*": "jump",
}


def path(action: Action) -> tuple[Place, ...]:
    """Returns the sites that an action names."""
    return tuple(SITE.findall(action.removeprefix("T:")))


def read(text: str) -> Action:
    """Returns the canonical spelling of a choice, whose sites may be named in any order."""
    if not CHOICE.fullmatch(text):
        return text
    return "T:" + ",".join(sorted(text[2:].split(","), key=spelling_order))


def label(action: Action) -> str:
    """Returns an action as a button names it."""
    if action in LABELS_OF_WORDS:
        return LABELS_OF_WORDS[action]
    sites = path(action)
    for sign, words in LABELS_OF_SIGNS.items():
        if action.startswith(sign):
            return words.format(*sites, sites=", ".join(sites))
    return action


def prompt(position: Position) -> str:
    """Returns what the player owes next."""
    if position.winner >= 0:
        return ""
    if position.phase is Phase.MOVE and not can_move(position):
        return "no move is possible: drop out, or take moves back"
    return _PROMPTS[position.phase](position)


def number_word(count: int) -> str:
    """Returns a number in words, as far as there are words."""
    return NUMBERS[count] if count < len(NUMBERS) else str(count)


def _prompt_move(position: Position) -> str:
    return _more_moves(position) if position.markers else "three moves with any pawns"


def _prompt_removal(position: Position) -> str:
    adding = number_word(additions(position, position.owed))
    return f"remove {_pawns(position.owed)} of the ternion, then add {adding}"


def _prompt_addition(position: Position) -> str:
    then = _more_moves(position) if position.moves_left else "the review"
    return f"add {_pawns(position.owed)}, then {then}"


def _more_moves(position: Position) -> str:
    left = position.moves_left
    return f"{number_word(left)} more move{'s' if left > 1 else ''}"


def _pawns(count: int) -> str:
    return f"{number_word(count)} pawn{'s' if count > 1 else ''}"


_PROMPTS: Mapping[Phase, Callable[[Position], str]] = {
    Phase.PLACE: lambda position: "place a pawn that has no neighbour",
    Phase.MOVE: _prompt_move,
    Phase.CHOOSE: lambda position: "choose which three pawns are the ternion",
    Phase.REMOVE: _prompt_removal,
    Phase.ADD: _prompt_addition,
    Phase.REVIEW: lambda position: "change where pawns were added or removed, or end the turn",
}
