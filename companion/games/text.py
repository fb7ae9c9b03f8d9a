"""A game as text: `GAME key=value… action…`, read, checked and replayed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from companion import games
from companion.core.board import Board, BoardError, load_board, read_board
from companion.core.game import EMPTY, Action, GameError, IllegalActionError, Option, OptionError
from companion.core.players import COLOURS, say_player
from companion.core.rules import Rules
from companion.games.portable import DASHES
from companion.games.reasons import explained
from companion.language import NamedPhrases, say

OPTION = re.compile(r"([a-z][a-z_]*)=(.+)")
BESIDES = re.compile(r"^\d+\.+|[,;]+$")
"""What lists of moves have around an action: a round's number before it, a comma behind it."""
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
        except STRANGE as error:
            if isinstance(error, GameError) and not isinstance(error, BoardError):
                raise
            words = say("it has no {part}", part=error) if isinstance(error, KeyError) else error
            raise GameError(
                say(
                    "{game} cannot be played on board '{board}': {problem}",
                    game=self.rules.name,
                    board=self.board.name,
                    problem=words,
                )
            ) from error
        return position

    def text(self, actions: Iterable[Action]) -> str:
        return " ".join((self.head, *actions))


def read_game(head: str) -> Game:
    """Returns the game of a text's head, `GAME key=value…`. GameError for what is not known."""
    game, actions = split(head)
    if actions:
        raise GameError(
            say(
                "'{text}' is no option of {game}: write options as key=value",
                text=actions[0],
                game=game.rules.name,
            )
        )
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
    return tuple(say(words[name], value=_say_value(value)) for name, _, value in given if name in words)


def say_label(option: Option, value: str) -> str:
    """Returns what a value of an option means, as a form names it."""
    if option.labels:
        return say(option.labels[option.values.index(value)])
    return _say_value(value)


VALUES: NamedPhrases = {
    "arbiter": "arbiter",
    "claimed": "only when claimed",
    "connected": "connected",
    "declared": "declared",
    "ended": "end the game",
    "english": "English",
    "entered": "entered",
    "hub": "hub",
    "international": "international",
    "line": "line",
    "neighbour": "neighbour",
    "random": "random",
    "strict": "strict",
}
"""The values of options that are words, but for players."""


def _say_value(value: str) -> str:
    if value in VALUES:
        return say(VALUES[value])
    return say_player(value) if value in COLOURS else value


def write_option(option: Option, value: str) -> str:
    """Returns an option as a game text has it, `key=value`; '' for a free text that is empty.

    The blanks of a free text become `_`: a blank would begin another option.
    """
    written = value if option.values else "_".join(value.split())
    return f"{option.name}={written}" if written else ""


def split(text: str) -> tuple[Game, tuple[str, ...]]:
    """Returns a text's game, and its actions, unchecked: as they are written, but for signs around them."""
    words = text.removeprefix("\ufeff").split()  # a byte order mark is no word
    if not words:
        raise GameError(say("an empty game text: write GAME key=value… action…"))
    rules = games.rules(words[0].lower())  # telephones begin a line with a capital
    count = 1
    while count < len(words) and OPTION.fullmatch(words[count]):
        count += 1
    actions = (BESIDES.sub("", word.translate(DASHES)) for word in words[count:])
    return _game(rules, tuple(words[1:count])), tuple(filter(None, actions))


def replay(text: str) -> tuple[Game, Any, tuple[Action, ...]]:
    """Returns a text's game, the position after all its actions, and these in canonical spelling.

    IllegalActionError names the first action that the rules refuse.
    """
    game, words = split(text)
    position, actions = game.start(), []
    for step, word in enumerate(words, 1):
        action = game.rules.read(position, word)
        breaches = game.rules.judge(position, action)
        if breaches:
            raise IllegalActionError(word, explained(game.rules, position, action, breaches), step)
        position = game.rules.after(position, action)
        actions.append(action)
    return game, position, tuple(actions)


def _check_drawable(board: Board, rules: Rules[Any], position: Any) -> None:
    """Raises a BoardError unless the board has the places on which pieces stand, and a face for each."""
    strange = sorted({*rules.look(position)} - {*board.sites, *board.places})
    if strange:
        raise BoardError(
            say("a piece would stand on '{place}', which is neither a site nor a place", place=strange[0])
        )
    looks = [look.partition("+")[0] for look in rules.looks(position)]  # markers need no face
    faceless = [look for look in looks if look not in ("", EMPTY) and not board.pieces.has_face(look)]
    if faceless:
        raise BoardError(say("its pieces have no face for '{look}'", look=faceless[0]))


def _game(rules: Rules[Any], given: tuple[str, ...]) -> Game:
    options = {option.name: option.default for option in rules.options}
    board = None
    for word in given:
        key, _, value = word.partition("=")
        if sum(other.startswith(f"{key}=") for other in given) > 1:
            raise OptionError(say("{game}: {key}= is given twice", game=rules.name, key=key))
        if key == "board":
            board = read_board(value)
        else:
            options[key] = _check_option(rules, key, value)
    return Game(rules, board or load_board(rules.board_for(options)), options, given)


def _check_option(rules: Rules[Any], key: str, value: str) -> str:
    for option in rules.options:
        if option.name == key:
            if option.values and value not in option.values:
                raise OptionError(
                    say(
                        "{game}: {key}={value} is not one of {values}",
                        game=rules.name,
                        key=key,
                        value=value,
                        values=", ".join(option.values),
                    )
                )
            return value
    names = ", ".join(f"{o.name}=…" for o in rules.options) or say("none but board=FILE")
    raise OptionError(
        say("{game} has no option '{key}'; its options: {names}", game=rules.name, key=key, names=names)
    )
