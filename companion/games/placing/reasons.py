"""The refusals of puzzles of placing in words: for each broken rule the one thing that is wrong here."""

from __future__ import annotations

from companion.core.game import Breach
from companion.games.placing.position import Position
from companion.games.reasons import say_occupied
from companion.language import Message, listed, say, say_count


def explain(position: Position, action: str, breach: Breach) -> Message:
    site = action[1:]
    if breach.rule == "PZ-1":
        return say_occupied(site) if action[0] == "+" else say("There is no piece on {place}.", place=site)
    if breach.rule == position.task.piece.number_rule:
        return say_count(
            "The {n} piece is placed already.", "All {n} pieces are placed already.", len(position.placed)
        )
    other, *contested = breach.sites[1:]
    if contested:
        places = listed(contested)
        return say(
            "The pawns on {place} and {other} would both own {places}.",
            place=site,
            other=other,
            places=places,
        )
    return say("{place} and {other} are in one line.", place=site, other=other)
