"""Magnet in words: the vertex that an action names, sentences for events, labels and prompts.

A set-up is spelled `=K222333444tT`, the magnet's placement `@d5`, a move `b7`, a move with promotion `b7+`.
`reveal:3` reveals a captured piece, `declare` declares victory.
"""

from __future__ import annotations

import re

from companion.core.game import Action, Place
from companion.games.magnet.position import Position
from companion.language import NamedPhrases, say

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


def path(action: Action) -> tuple[Place, ...]:
    """Returns the vertex that an action names, if any; of a piece that was put elsewhere both (`b7>d5`)."""
    match = VERTEX.fullmatch(action)
    return tuple(filter(None, match.groups())) if match else ()


def label(action: Action) -> str:
    if action == "=?":
        return say("set up")
    if action == "declare":
        return say("declare victory")
    if action.startswith("reveal:"):
        return say(PIECE_NAMES[action[-1]])
    if action.endswith("+"):
        return say("{place}, promoted", place=action[:-1])
    return say("magnet on {place}", place=action[1:]) if action.startswith("@") else action


def prompt(position: Position) -> str:
    if position.ready < 2:
        return say("set up your pieces")
    if position.capture:
        vertex, rank = position.capture.owed[0]
        place = position.net.names[vertex]
        return say("reveal the piece of rank {rank} that stood on {place}", rank=rank, place=place)
    return say("place the magnet") if position.magnet < 0 else say("move a piece that the magnet draws")
