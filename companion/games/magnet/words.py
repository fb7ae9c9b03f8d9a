"""Magnet in words: the vertex that an action names, sentences for events, labels and prompts.

A set-up is spelled `=K222333444tT`, the magnet's placement `@d5`, a move `b7`, a move with promotion `b7+`.
`reveal:3` reveals a captured piece, `declare` declares victory.
"""

from __future__ import annotations

import re

from companion.core.game import Action, Place
from companion.games.magnet.position import KINDS, Position
from companion.language import NamedPhrases

VERTEX = re.compile(r"@?([a-z]\d+)\+?(?:>([a-z]\d+))?")
KIND_WORDS = (
    "piece",
    "king",
    "piece of value 2",
    "piece of value 3",
    "piece of value 4",
    "trap of value 2",
    "trap of value 3",
)
"""The name of each kind."""
SENTENCES = {
    "ready": "{player} has set up.",
    "placed": "{player} puts the magnet on {sites}.",
    "moved": "{player}'s piece moves from {start} to {end}.",
    "captured": "{player} captures a {kind} on {sites}.",
    "caught": "{player} captures a piece of rank {rank} on {sites}: its owner reveals it.",
    "destroyed": "A trap destroys {player}'s piece on {sites}.",
    "doubted": "If that was {player}'s king, {player} has lost and resigns.",
    "promoted": "{player} promotes the piece on {sites} to rank {rank}.",
    "won": "{player} wins: {reason}.",
    "drawn": "The game is drawn: {reason}.",
}
ACTION_KINDS: NamedPhrases = {
    "=.*": "set up",
    "@.*": "magnet",
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
    """Returns an action as a button names it."""
    if action == "=?":
        return "set up"
    if action == "declare":
        return "declare victory"
    if action.startswith("reveal:"):
        return KIND_WORDS[KINDS.index(action[-1])]
    return f"{action[:-1]}, promoted" if action.endswith("+") else action.replace("@", "magnet on ")


def prompt(position: Position) -> str:
    """Returns what the player to act owes next."""
    if position.ready < 2:
        return "set up your pieces"
    if position.capture:
        vertex, rank = position.capture.owed[0]
        return f"reveal the piece of rank {rank} that stood on {position.net.names[vertex]}"
    return "place the magnet" if position.magnet < 0 else "move an affected piece"
