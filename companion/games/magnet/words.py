"""Magnet in words: the vertex that an action names, sentences for events, labels, prompts and questions.

Whether a piece was promoted cannot be seen, nor where a magnet stood that is gone.

A set-up is spelled `=K222333444tT`, the magnet's placement `@d5`, a move `b7`, a move with promotion `b7+`.
`reveal:3` reveals a captured piece, `declare` declares victory.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from companion.core.game import Action, Asked, Place
from companion.games.magnet.moves import play
from companion.games.magnet.position import Position
from companion.language import NamedPhrases, listed, say

VERTEX = re.compile(r"@?([a-z]\d+)\+?(?:>([a-z]\d+))?")
PIECE_NAMES: NamedPhrases = {
    "K": "king",
    "2": "piece of value 2",
    "3": "piece of value 3",
    "4": "piece of value 4",
    "t": "trap of value 2",
    "T": "trap of value 3",
}
"""The name of each kind, by its letter."""
SENTENCES: NamedPhrases = {
    "ready": "{player} has set up.",
    "placed": "{player} puts the magnet on {sites}.",
    "moved": "{player}'s piece moves from {start} to {end}.",
    "captured": "{player} captures {piece:a} on {sites}.",
    "caught": "{player} captures a piece of rank {rank} on {sites}: its owner reveals it.",
    "destroyed": "A trap destroys {player}'s piece on {sites}.",
    "doubted": "If that was {player}'s king, {player} has lost and resigns.",
    "promoted": "{player} promotes the piece on {sites} to rank {rank}.",
    "won": "{player} wins: {reason}.",
    "drawn": "The game is drawn: {reason}.",
}
ACTION_KINDS: NamedPhrases = {
    "=.*": "set up",
    "@.*": "place the magnet",
    "declare": "declare victory",
    "reveal:.": "reveal",
    r".\d+": "move",
    r".\d+\+": "move, promote",
}
LABELS: NamedPhrases = {
    r"=\?": "set up",
    "declare": "declare victory",
    **{f"reveal:{letter}": name for letter, name in PIECE_NAMES.items()},
    r"(?P<place>.*)\+": "{place}, promoted",
    "@(?P<place>.*)": "magnet on {place}",
}


def path(action: Action) -> tuple[Place, ...]:
    """Returns the vertex that an action names, if any; of a piece that was put elsewhere both (`b7>d5`)."""
    match = VERTEX.fullmatch(action)
    return tuple(filter(None, match.groups())) if match else ()


def prompt(position: Position) -> str:
    if position.ready < 2:
        return say("set up your pieces")
    if position.capture:
        vertex, rank = position.capture.owed[0]
        place = position.net.names[vertex]
        return say("reveal the piece of rank {rank} that stood on {place}", rank=rank, place=place)
    return say("place the magnet") if position.magnet < 0 else say("move a piece that the magnet draws")


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
