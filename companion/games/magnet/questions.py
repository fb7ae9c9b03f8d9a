"""Magnet's questions: whether a piece was promoted cannot be seen, nor where a magnet stood that is gone."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.game import Action, Asked
from companion.games.magnet.position import Position
from companion.language import say


def ask(position: Position, choices: Sequence[Sequence[Action]]) -> Asked | None:
    """Returns the question for choices that part by one action, and then do the same; None for others."""
    if not all(choices):
        return None  # nothing was played, perhaps
    endings = {tuple(choice[1:]) for choice in choices}
    if len(endings) > 1:
        return None
    actions = [choice[0] for choice in choices]
    if all(action.startswith("@") for action in actions):
        return Asked(say("Where was the magnet?"), tuple(action[1:] for action in actions))
    moved = {action.removesuffix("+") for action in actions}
    return _ask_promotion(position, actions, moved.pop()) if len(moved) == 1 else None


def _ask_promotion(position: Position, actions: Sequence[Action], place: str) -> Asked | None:
    if place not in position.net.index:
        return None
    rank = position.pieces[position.net.index[place]] & 7
    yes, no = say("yes, to rank {rank}", rank=rank + 1), say("no")
    words = say("Was the piece from {place} promoted?", place=place)
    return Asked(words, tuple(yes if action.endswith("+") else no for action in actions))
