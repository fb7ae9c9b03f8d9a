"""A game as text: `GAME key=value… action…`, read, checked and replayed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from companion import games
from companion.core.board import Board, BoardError, load_board, read_board
from companion.core.game import EMPTY, Action, GameError, IllegalActionError, Option, OptionError
from companion.core.rules import Rules

OPTION = re.compile(r"([a-z][a-z_]*)=(.+)")
STRANGE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""Errors of rules that find on a board of the owner's what they do not expect there."""


@dataclass(frozen=True)
class Game:
    """A game ready to start: its rules, its board, and its options with their defaults filled in."""

    rules: Rules[Any]
    board: Board
    options: Mapping[str, str]
    given: tuple[str, ...]
    """The options as they were written, in their order: the head of the game text."""

    @property
    def head(self) -> str:
        return " ".join((self.rules.name, *self.given))

    def start(self) -> Any:
        """Returns the first position. GameError when the board lacks what the game needs."""
        try:
            position = self.rules.start(self.options, self.board)
            _check_drawable(self.board, self.rules, position)
        except GameError:
            raise
        except STRANGE as error:
            words = f"it has no {error}" if isinstance(error, KeyError) else error
            raise GameError(
                f"{self.rules.name} cannot be played on board '{self.board.name}': {words}"
            ) from error
        return position

    def text(self, actions: Iterable[Action]) -> str:
        return " ".join((self.head, *actions))


def read_game(head: str) -> Game:
    """Returns the game of a text's head, `GAME key=value…`. GameError or BoardError for what is not known."""
    game, actions = split(head)
    if actions:
        raise GameError(f"'{actions[0]}' is no option of {game.rules.name}: write options as key=value")
    return game


def title_of(head: str) -> str:
    """Returns the title of the game of a text's head; its name, where that game is not installed."""
    name = head.partition(" ")[0]
    try:
        return games.rules(name).title
    except GameError:
        return name


def variant_of(head: str) -> tuple[str, ...]:
    """Returns the options that a text's head names, each in a few words; none where it cannot be read."""
    try:
        game = read_game(head)
    except GameError:
        return ()
    words = {option.name: option.chosen or f"{option.name}: {{value}}" for option in game.rules.options}
    given = [word.partition("=") for word in game.given]
    return tuple(words[name].format(value=value) for name, _, value in given if name in words)


def write_option(option: Option, value: str) -> str:
    """Returns an option as a game text has it, `key=value`; '' for a free text that is empty.

    The blanks of a free text become `_`: a blank would begin another option.
    """
    written = value if option.values else "_".join(value.split())
    return f"{option.name}={written}" if written else ""


def split(text: str) -> tuple[Game, tuple[str, ...]]:
    """Returns a text's game, and its actions as they are written, unchecked."""
    words = text.removeprefix("\ufeff").split()  # a byte order mark is no word
    if not words:
        raise GameError("an empty game text: write GAME key=value… action…")
    rules = games.rules(words[0])
    count = 1
    while count < len(words) and OPTION.fullmatch(words[count]):
        count += 1
    return _game(rules, tuple(words[1:count])), tuple(words[count:])


def replay(text: str) -> tuple[Game, Any, tuple[Action, ...]]:
    """Returns a text's game, the position after all its actions, and these in canonical spelling.

    IllegalActionError names the first action that the rules refuse.
    """
    game, words = split(text)
    position, actions = game.start(), []
    for word in words:
        action = game.rules.read(position, word)
        breaches = game.rules.judge(position, action)
        if breaches:
            raise IllegalActionError(word, breaches)
        position = game.rules.play(position, action).position
        actions.append(action)
    return game, position, tuple(actions)


def _check_drawable(board: Board, rules: Rules[Any], position: Any) -> None:
    """Raises a BoardError unless the board has the places on which pieces stand, and a face for each."""
    strange = sorted({*rules.look(position)} - {*board.sites, *board.places})
    if strange:
        raise BoardError(f"a piece would stand on '{strange[0]}', which is neither a site nor a place")
    looks = [look.partition("+")[0] for look in rules.looks(position)]  # markers need no face
    faceless = [look for look in looks if look not in ("", EMPTY) and not board.pieces.has_face(look)]
    if faceless:
        raise BoardError(f"its pieces have no face for '{faceless[0]}'")


def _game(rules: Rules[Any], given: tuple[str, ...]) -> Game:
    options = {option.name: option.default for option in rules.options}
    board = None
    for word in given:
        key, _, value = word.partition("=")
        if key == "board":
            board = _read_board(value)
        else:
            options[key] = _check_option(rules, key, value)
    return Game(rules, board or load_board(rules.board_for(options)), options, given)


def _read_board(path: str) -> Board:
    try:
        return read_board(path)
    except BoardError as error:
        raise GameError(str(error)) from error


def _check_option(rules: Rules[Any], key: str, value: str) -> str:
    for option in rules.options:
        if option.name == key:
            if option.values and value not in option.values:
                raise OptionError(f"{rules.name}: {key}={value} is not one of {', '.join(option.values)}")
            return value
    names = ", ".join(f"{o.name}=…" for o in rules.options) or "none but board=FILE"
    raise OptionError(f"{rules.name} has no option '{key}'; its options: {names}")
