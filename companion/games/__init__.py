"""The games by name: those of the product, and those of packages installed beside it.

A game is loaded when it is first asked for; one whose library is not installed says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pkgutil import resolve_name
from typing import Any

from companion.core.extensions import extension_games
from companion.core.game import GameError
from companion.core.rules import Rules
from companion.language import say

GAMES: dict[str, str] = {
    "triune": "companion.games.triune.rules:Triune",
    "escape": "companion.games.escape.rules:Escape",
    "ternion_factor": "companion.games.ternion.factor:TernionFactor",
    "ternion_spaces": "companion.games.ternion.spaces:TernionSpaces",
    "magnet": "companion.games.magnet.rules:Magnet",
    "trid": "companion.games.trid.rules:Trid",
    "chess": "companion.games.chess.rules:Chess",
    "draughts": "companion.games.draughts.rules:Draughts",
    "teleporters": "companion.games.teleporters.rules:Teleporters",
    "no_overlap": "companion.games.placing.no_overlap:NoOverlap",
    "jump_to_center": "companion.games.jumping.rules:JumpToCenter",
    "queens": "companion.games.placing.queens:Queens",
    "rooks": "companion.games.placing.rooks:Rooks",
}
"""The package and class of each game of the product; adding a game adds one line here."""


class UnknownGameError(GameError):
    """A name that no game has, or a game whose library is not installed."""


def known() -> Mapping[str, str]:
    """Returns all games by name, each as `package.module:Class`; a name of the product's counts first."""
    return {**GAMES, **{name: place for name, place in extension_games().items() if name not in GAMES}}


@cache
def rules(name: str) -> Rules[Any]:
    """Returns the rules of a game, by the first word of its text. UnknownGameError where there are none."""
    place = GAMES.get(name) or extension_games().get(name)
    if place is None:
        raise UnknownGameError(
            say("there is no game '{name}': choose one of {games}", name=name[:40], games=", ".join(known()))
        )
    try:
        found: Rules[Any] = resolve_name(place)()
    except ModuleNotFoundError as error:
        words = say("{game} needs the library '{library}'", game=name, library=error.name)
        if name in GAMES:
            words = say(
                "{problem}: {command}", problem=words, command=f"pip install 'board-companion[{name}]'"
            )
        raise UnknownGameError(words) from error
    return found


def installed() -> tuple[str, ...]:
    """Returns the names of the games that can be played here."""
    return tuple(name for name in known() if _is_installed(name))


def usual_board() -> str:
    """Returns the name of the board that is shown before a game is chosen: the first game's."""
    return rules(next(iter(GAMES))).board


def _is_installed(name: str) -> bool:
    try:
        rules(name)
    except UnknownGameError:
        return False
    return True
