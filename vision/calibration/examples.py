"""Reads pictures of known positions as they are spelled for `companion calibrate`.

A spelling names a picture's file and the position that it shows:

    FILE            the position after all actions of --game's text
    FILE@N          the position after its first N actions
    FILE=POSITION   any position, told in one of these ways:
                    key=value… action…        as in a game text, --game's options before it: fen=…, e2e4
                    site:look,site:look,…     looks as `companion see` spells them; places left out are empty
                    empty                     nothing stands on the board

A file's name may hold `@` and `=`. A spelling that is a file as a whole is that file; else `@N` is cut off
where that leaves a file; else the longest part before a `=` that is a file is the file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from companion.core.board import Board
from companion.core.game import EMPTY, GameError, Look, Place
from companion.games import GAMES
from companion.games.text import Game, replay, split
from companion.sensing.sources import SourceError
from vision.known.example import Example
from vision.sources.files import read_picture

COUNTED = re.compile(r"(.+)@([0-9]{1,9})")
"""A spelling with a number of actions."""
LISTED = re.compile(r"[^\s=:]*:")
"""The beginning of a list of places. A game text begins with an option or an action, and no action that opens
a game has a colon."""
HOW = "write a position as in a game text (key=value… action…), or as site:look,site:look,…"


class Spelled(NamedTuple):
    """A picture's file and the position that it shows: after so many actions, or as told; else after all."""

    file: str
    actions: int | None = None
    position: str | None = None


def read_example(text: str, game: str) -> Example:
    """Returns the picture that `--image` names and the looks on the board in it, in the game of a game text.

    SourceError when the picture cannot be read, GameError when the position is none of this game.
    """
    spelled = read_spelling(text)
    looks = looks_shown(spelled, game)
    return Example(read_picture(Path(spelled.file)), looks)


def read_spelling(text: str) -> Spelled:
    """Returns the parts of what `--image` is given. SourceError when nothing before a `=` is a file."""
    if _is_file(text):
        return Spelled(text)
    counted = COUNTED.fullmatch(text)
    if counted and ("=" not in text or _is_file(counted[1])):
        return Spelled(counted[1], actions=int(counted[2]))
    file, equals, position = text.rpartition("=")
    if not equals:
        return Spelled(text)
    while equals and not _is_file(file):
        file, equals, more = file.rpartition("=")
        position = f"{more}={position}"
    if not equals:
        raise SourceError(f"cannot read picture '{text.partition('=')[0]}': there is no such file")
    return Spelled(file, position=position)


def looks_shown(spelled: Spelled, text: str) -> dict[Place, Look]:
    """Returns the looks on the board in a picture; places left out are empty. GameError says what is
    wrong."""
    game, actions = split(text)
    if spelled.position is not None:
        try:
            return _told(game, spelled.position.strip())
        except GameError as error:
            raise GameError(f"the position of '{spelled.file}': {error}; {HOW}") from error
    if spelled.actions is not None and spelled.actions > len(actions):
        raise GameError(f"'{spelled.file}@{spelled.actions}': the game text has only {len(actions)} actions")
    return _looks(game.text(actions[: spelled.actions]))


def _told(game: Game, position: str) -> dict[Place, Look]:
    """Returns the looks of a position that is told as a list, as a game text, or as empty."""
    if position == EMPTY:
        return {}
    if LISTED.match(position):
        looks = _listed(position)
        _check_places(looks, game.board)
        _check_looks(looks, game)
        _check_parts(looks, game)
    else:
        words = _words(game, position)
        said = {word.partition("=")[0] for word in words}  # options of the position stand for the game's
        head = [word for word in game.head.split() if word.partition("=")[0] not in said]
        looks = _looks(" ".join((*head, *words)))
        _check_looks(looks, game)
    return {place: look for place, look in looks.items() if look != EMPTY}


def _looks(text: str) -> dict[Place, Look]:
    """Returns the looks after all actions of a game text."""
    game, position, _ = replay(text)
    return dict(game.rules.look(position))


def _words(game: Game, position: str) -> list[str]:
    """Returns the options and actions of a position, without the game's name if that stands before them."""
    words = position.split()
    if not words:
        raise GameError("nothing stands after the '='")
    if words[0] in GAMES:
        if words[0] != game.rules.name:
            raise GameError(f"it is one of {words[0]}, but --game is {game.rules.name}")
        del words[0]
    if any(word.startswith("board=") for word in words):
        raise GameError("all pictures show one board: give board=… in --game alone")
    return words


def _listed(position: str) -> dict[Place, Look]:
    """Returns the looks of `site:look,site:look,…`."""
    looks: dict[Place, Look] = {}
    for pair in position.split(","):
        place, colon, look = (part.strip() for part in pair.partition(":"))
        if not (place and colon and look):
            raise GameError(f"'{pair.strip()}' is no site:look")
        if place in looks:
            raise GameError(f"'{place}' is named twice")
        looks[place] = look
    return looks


def _check_places(looks: Mapping[Place, Look], board: Board) -> None:
    wrong = next((place for place in looks if place not in board.sites and place not in board.places), None)
    if wrong is not None:
        first, second, *_, last = board.sites
        raise GameError(f"'{wrong}' is no site of the board '{board.name}' ({first}, {second} … {last})")


def _check_looks(looks: Mapping[Place, Look], game: Game) -> None:
    known = game.rules.looks(game.start())
    wrong = next((look for look in looks.values() if look not in known), None)
    if wrong is not None:
        raise GameError(f"'{wrong}' is no look of '{game.head}', which has {', '.join(known)}")


def _check_parts(looks: Mapping[Place, Look], game: Game) -> None:
    """Raises a GameError unless looks stand on sites or on parts of them (a Port's corner) as at the
    start."""
    board = game.board
    parted = {look for place, look in game.rules.look(game.start()).items() if place in board.places}
    for place, look in looks.items():
        if look != EMPTY and (look in parted) != (place in board.places):
            where = f"a part of a site, as {next(iter(board.places))}" if look in parted else "a whole site"
            raise GameError(f"'{look}' stands on {where}, not on '{place}'")


def _is_file(path: str) -> bool:
    return os.path.exists(path) and not os.path.isdir(path)
