"""The questions of the Ternion games: which way a pawn went, and whose pawns went where."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.game import Action, Asked
from companion.core.players import say_player
from companion.games.ternion.board import SITE
from companion.games.ternion.position import COLOUR, COLOURS, Position
from companion.games.ternion.words import label
from companion.language import Message, listed, say, sentences


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
            told.append(say("Then {what}.", what=label(action)))
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
