"""The games: a module for each, found here by name. A game whose library is not installed says so."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from companion.core import GameError, Rules

GAMES: dict[str, tuple[str, str]] = {
    "triune": ("companion.games.triune", "Triune"),
    "escape": ("companion.games.escape.rules", "Escape"),
    "ternion_factor": ("companion.games.ternion.factor", "TernionFactor"),
    "ternion_spaces": ("companion.games.ternion.spaces", "TernionSpaces"),
    "magnet": ("companion.games.magnet", "Magnet"),
    "trid": ("companion.games.trid", "Trid"),
    "chess": ("companion.games.chess", "Chess"),
    "draughts": ("companion.games.draughts", "Draughts"),
    "teleporters": ("companion.games.teleporters", "Teleporters"),
    "no_overlap": ("companion.games.puzzles", "NoOverlap"),
    "jump_to_center": ("companion.games.puzzles", "JumpToCenter"),
    "queens": ("companion.games.puzzles", "Queens"),
    "rooks": ("companion.games.puzzles", "Rooks"),
}
"""Each game's module and class, loaded when it is first asked for."""


class UnknownGameError(GameError):
    """A name that no game has, or a game whose library is not installed."""


@cache
def rules(name: str) -> Rules[Any]:
    """The rules of a game, by the first word of its text."""
    if name not in GAMES:
        raise UnknownGameError(f"there is no game '{name}': choose one of {', '.join(GAMES)}")
    module, kind = GAMES[name]
    try:
        found: Rules[Any] = getattr(import_module(module), kind)()
    except ModuleNotFoundError as error:
        raise UnknownGameError(
            f"{name} needs the library '{error.name}': pip install 'board-companion[{name}]'"
        ) from error
    return found


def installed() -> tuple[str, ...]:
    """The names of the games that can be played here."""
    return tuple(name for name in GAMES if _is_installed(name))


def _is_installed(name: str) -> bool:
    try:
        rules(name)
    except UnknownGameError:
        return False
    return True
