"""Puzzles of placing in words. `+a1` puts a piece on a1, `-a1` takes it away."""

from __future__ import annotations

from companion.core.game import Action, Place
from companion.games.placing.position import Piece
from companion.language import NamedPhrases

SENTENCES = {
    "placed": "A {piece} is put on {sites}: {count} on the board.",
    "taken": "The {piece} on {sites} is taken away: {count} on the board.",
    "solved": "Solved!",
}
ACTION_KINDS: NamedPhrases = {r"\+.*": "put", "-.*": "take away"}


def path(action: Action) -> tuple[Place, ...]:
    """Returns the site that an action names."""
    return (action[1:],)


def label(piece: Piece, action: Action) -> str:
    """Returns an action as a button names it."""
    verb = "put a {} on" if action[0] == "+" else "take away the {} on"
    return f"{verb.format(piece.name)} {action[1:]}"


def prompt(piece: Piece) -> str:
    """Returns what may be done next."""
    return f"put a {piece.name} on the board, or take one away"
