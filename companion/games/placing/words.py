"""Puzzles of placing in words. `+a1` puts a piece on a1, `-a1` takes it away."""

from __future__ import annotations

from companion.core.game import Action, Place
from companion.games.placing.position import PlacedKind
from companion.language import NamedPhrases, say

SENTENCES: NamedPhrases = {
    "placed": "There is {piece:a} on {sites} now: {count} on the board.",
    "taken": "The {piece} on {sites} is taken away: {count} on the board.",
    "solved": "Solved!",
}
ACTION_KINDS: NamedPhrases = {r"\+.*": "put", "-.*": "take away"}


def path(action: Action) -> tuple[Place, ...]:
    return (action[1:],)


def label(piece: PlacedKind, action: Action) -> str:
    if action[0] == "+":
        return say("put {piece:a} on {place}", piece=piece.name, place=action[1:])
    return say("take away {piece:the} on {place}", piece=piece.name, place=action[1:])


def prompt(piece: PlacedKind) -> str:
    return say("put {piece:a} on the board, or take one away", piece=piece.name)
