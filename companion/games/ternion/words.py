"""The Ternion games in words: the sites of an action, sentences for events, labels, prompts and questions.

A placement is spelled `c4`, a step `c4-c5`, a jump `c4-c5-c6`, the choice of a ternion `T:c4,c5,d5`. `-c4`
removes a pawn, `+c4` adds one, and `~c4>d5` alters that at the review. `end` ends the turn, `out` drops out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from companion.core.game import Action, Asked, Event, Place
from companion.core.players import say_player
from companion.core.rules import say_spelled
from companion.games.ternion.board import SITE, spelling_order
from companion.games.ternion.moves import can_move
from companion.games.ternion.position import COLOUR, COLOURS, Phase, Position, additions
from companion.language import Message, NamedPhrases, listed, say, say_count, say_in, sentences

CHOICE = re.compile(rf"T:{SITE.pattern}(,{SITE.pattern})*")
LABELS: NamedPhrases = {
    "end": "end the turn",
    "out": "drop out",
    "T:(?P<one>.*),(?P<two>.*),(?P<three>.*)": "ternion {one}, {two}, {three}",
    "-(?P<place>.*)": "remove {place}",
    r"\+(?P<place>.*)": "add on {place}",
    "~(?P<place>.*)>(?P<other>.*)": "instead of {place}, {other}",
}
PIECE_NAMES: Mapping[str, str] = {
    "black": say_in("ternion", "black pawn"),
    "red": say_in("ternion", "red pawn"),
    "white": say_in("ternion", "white pawn"),
    "yellow": say_in("ternion", "yellow pawn"),
}
SENTENCES: NamedPhrases = {
    "placed": "{player} places a pawn on {sites}.",
    "moved": "{player} moves {piece:the} from {start} to {end}.",
    "jumped": "{player} jumps with {piece:the} from {start} over {over} to {end}.",
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
    return tuple(SITE.findall(action.removeprefix("T:")))


def read(text: str) -> Action:
    """Returns the canonical spelling of a choice, whose sites may be named in any order."""
    if not CHOICE.fullmatch(text):
        return text
    return "T:" + ",".join(sorted(text[2:].split(","), key=spelling_order))


def prompt(position: Position) -> str:
    if position.winner >= 0:
        return ""
    if position.phase is Phase.MOVE and not can_move(position):
        return say("no move is possible: drop out, or take moves back")
    return _PROMPTS[position.phase](position)


def details(event: Event) -> dict[str, object]:
    said = dict(event.details)
    if event.kind == "ternion":
        removals, additions = (int(str(said.pop(key))) for key in ("removals", "additions"))
        adding = say_count("{n} pawn to add", "{n} pawns to add", additions)
        removing = say_count("{n} pawn to remove", "{n} pawns to remove", removals)
        said["owed"] = listed([removing, adding]) if removals else adding
    if isinstance(over := said.get("over"), tuple):
        said["over"] = listed(over)
    if "piece" in said:
        said["piece"] = PIECE_NAMES[str(said["piece"])]
    return said


def _prompt_move(position: Position) -> str:
    return _more_moves(position) if position.markers else say("three moves with any pawns")


def _prompt_removal(position: Position) -> str:
    return say_count(
        "remove {n} pawn of the ternion, then add {additions}",
        "remove {n} pawns of the ternion, then add {additions}",
        position.owed,
        additions=additions(position, position.owed),
    )


def _prompt_addition(position: Position) -> str:
    then = _more_moves(position) if position.moves_left else say("the review")
    return say_count("add {n} pawn, then {then}", "add {n} pawns, then {then}", position.owed, then=then)


def _more_moves(position: Position) -> str:
    return say_count("{n} more move", "{n} more moves", position.moves_left)


def _prompt_review(position: Position) -> str:
    if not position.ternions:
        return say("end the turn")
    return say("change where pawns were added or removed, or end the turn")


_PROMPTS: Mapping[Phase, Callable[[Position], str]] = {
    Phase.PLACE: lambda position: say("place a pawn that has no neighbour"),
    Phase.MOVE: _prompt_move,
    Phase.CHOOSE: lambda position: say("choose which three pawns are the ternion"),
    Phase.REMOVE: _prompt_removal,
    Phase.ADD: _prompt_addition,
    Phase.REVIEW: _prompt_review,
}


def ask(position: Position, choices: Sequence[Sequence[Action]]) -> Asked:
    """Returns the question how the pawns went, with each choice in words, whose pawn each was.

    What followed the moves is told only where the moves alone do not tell the choices apart.
    """
    moves = tuple(_tell(position, [action for action in choice if _is_move(action)]) for choice in choices)
    are_distinct = len(set(moves)) == len(moves)
    told = moves if are_distinct else tuple(_tell(position, choice) for choice in choices)
    return Asked(say("How did the pawns go?"), told)


def _is_move(action: Action) -> bool:
    """Returns whether a pawn steps or jumps; one that is removed is written '-e4'."""
    return "-" in action[1:]


def _tell(position: Position, choice: Sequence[Action]) -> Message:
    owners = {
        site: COLOURS[(position.sites[number] & COLOUR) - 1]
        for site, number in position.setup.net.index.items()
        if position.sites[number] & COLOUR
    }
    told: list[str] = []
    for action in choice:
        path = SITE.findall(action)
        if _is_move(action) and path[0] in owners:
            owners[path[-1]] = owners.pop(path[0])
            told.append(_tell_move(path, owners[path[-1]]))
        elif action != "end":
            told.append(say("Then {what}.", what=say_spelled(LABELS, action) or action))
    return sentences(*told) if told else say("Nothing was played.")


def _tell_move(path: Sequence[str], owner: str) -> Message:
    """Says how a pawn went: 'Black stepped from g7 to h7.'"""
    player, start, end = say_player(owner), path[0], path[-1]
    if len(path) == 2:
        return say("{player}'s pawn stepped from {start} to {end}.", player=player, start=start, end=end)
    return say(
        "{player}'s pawn jumped from {start} over {over} to {end}.",
        player=player,
        start=start,
        over=listed(path[1:-1]),
        end=end,
    )
