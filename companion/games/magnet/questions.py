"""Magnet's questions: whether a piece was promoted cannot be seen, nor where a magnet stood that is gone."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.game import Action, Asked
from companion.games.magnet.moves import play
from companion.games.magnet.position import Position
from companion.language import listed, say


def ask(position: Position, choices: Sequence[Sequence[Action]]) -> Asked | None:
    """Returns the question for choices that part by one action, and then do the same; None for others."""
    if not all(choices):
        return None  # nothing was played, perhaps
    endings = {tuple(choice[1:]) for choice in choices}
    if len(endings) > 1:
        return _ask_promotions(position, choices)
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


def _ask_promotions(position: Position, choices: Sequence[Sequence[Action]]) -> Asked | None:
    """Asks at once about all pieces of a turn that may have been promoted; None for other choices."""
    moves = [*zip(*choices, strict=False)]
    open_moves = [n for n, actions in enumerate(moves) if len({*actions}) > 1]
    is_each = len({*map(tuple, choices)}) == len(choices) == 2 ** len(open_moves)
    bare = all(len({action.removesuffix("+") for action in actions}) == 1 for actions in moves)
    if not (is_each and bare and len({*map(len, choices)}) == 1):
        return None
    parts = []
    for n, action in enumerate(choices[0]):
        if n in open_moves:
            rank = position.pieces[position.net.index[action.removesuffix("+")]] & 7
            words = say("from {place}, to rank {rank}", place=action.removesuffix("+"), rank=rank + 1)
            parts.append((n, words))
        position = play(position, action).position
    told = tuple(
        _say_promoted([words for n, words in parts if choice[n].endswith("+")]) for choice in choices
    )
    return Asked(say("Tap the pieces that you promoted."), told, tuple(parts))


def _say_promoted(pieces: Sequence[str]) -> str:
    return listed(pieces) if pieces else say("none of them")
