"""Board files of an owner: a new one is begun as a copy of a known board, and checked before play.

A check looks at the form first, then at the sense (corners in order, no two sites in one spot). At last it
starts each game that is played on this board, and plays some random actions.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from companion import games
from companion.core.board import (
    Board,
    BoardError,
    Point,
    board_text,
    bundled_boards,
    find_problems,
    read_form,
)
from companion.core.game import Action, GameError
from companion.core.json_text import parse_json
from companion.core.rules import Rules
from companion.core.whole_files import read_text
from companion.games.text import STRANGE, Game

TRIAL = 60
"""The number of actions of each game that are tried."""
NOTES = (
    'Keep "format" and "name": a game knows the boards it is played on by their name.',
    "Lengths are in steps, the distance of two neighbouring sites; x grows to the east, y to the north, as"
    " the south player sees the board. pitch_mm says how long a step is on the table.",
    "sites: where pieces stand. places: parts of sites that are seen apart. links: the sites that are joined."
    " areas and tables: what the rules read, such as where pieces start. All may be changed.",
    "corners: the four points by which a camera finds the board: south-west, south-east, north-east,"
    " north-west. outline, shapes and pieces: how the board and its pieces are drawn.",
    "provenance: where each part is known from: rulebook, deduced, or assumed.",
)


@dataclass(frozen=True)
class BoardCheck:
    """The result of a check: what is wrong, line by line, and the games that were played on the board."""

    problems: tuple[str, ...]
    games: tuple[str, ...] = ()


def new_board(like: str) -> str:
    """Returns the text of a new board file: a copy of a board, by its name or a game's, with notes.

    GameError for a name that is neither.
    """
    name = _board_name(like)
    data = json.loads(board_text(name))
    assumed = [key for key, value in data.get("provenance", {}).items() if value == "assumed"]
    notes = [f"A board for {', '.join(games_on(name)) or 'no game yet'}, begun as a copy.", *NOTES]
    if assumed:
        notes.append(f"On this board these were assumed, so compare them first: {', '.join(assumed)}.")
    head = {key: data.pop(key) for key in ("format", "name", "about") if key in data}
    return write_board({**head, "notes": notes, **data})


def _board_name(like: str) -> str:
    if like in bundled_boards():
        return like
    if like in games.known():
        return games.rules(like).board
    raise GameError(f"there is no board '{like}': choose one of {', '.join(bundled_boards())}")


def write_board(data: Mapping[str, Any]) -> str:
    """Returns a board file's text: one entry on each line, so that two versions compare well."""
    entries = (f" {json.dumps(key)}: {_entries(value)}" for key, value in data.items())
    return "{\n" + ",\n".join(entries) + "\n}\n"


def _entries(value: Any) -> str:
    line = json.dumps(value, ensure_ascii=False)
    if len(line) < 100 or not isinstance(value, dict | list):
        return line
    if isinstance(value, list):
        return "[\n" + ",\n".join(f"  {json.dumps(entry, ensure_ascii=False)}" for entry in value) + "\n ]"
    rows = (f"  {json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in value.items())
    return "{\n" + ",\n".join(rows) + "\n }"


def games_on(board: str) -> tuple[str, ...]:
    """Returns the games played on the board of that name."""
    return tuple(name for name in games.installed() if _is_played_on(games.rules(name), board))


def _is_played_on(rules: Rules[Any], board: str) -> bool:
    return next(_choices(rules, board), None) is not None


def _choices(rules: Rules[Any], board: str) -> Iterator[dict[str, str]]:
    """Yields the options with which a game is played on a board: the usual ones, or one of another value."""
    usual = {option.name: option.default for option in rules.options}
    changed = (usual | {option.name: value} for option in rules.options for value in option.values)
    return (options for options in (usual, *changed) if rules.board_for(options) == board)


def check_file(path: str) -> BoardCheck:
    """Returns what is wrong with a board file. OSError or GameError when it cannot be read."""
    try:
        return _check_file(path)
    except RecursionError as error:
        raise GameError(f"cannot read '{path}': it is nested too deep for a board file") from error


def _check_file(path: str) -> BoardCheck:
    try:
        data = parse_json(read_text(path))
    except ValueError as error:
        return BoardCheck((f"this is not JSON: {error}",))
    try:
        board = read_form(data)
    except BoardError as error:
        return BoardCheck((str(error),))
    problems = (*find_problems(board), *_check_sense(board))
    return BoardCheck(problems) if problems else _check_games(board)


def _check_sense(board: Board) -> Iterator[str]:
    if not board.sites:
        yield '"sites" is empty'
    yield from (f'"places": {name} is a site, too' for name in board.places if name in board.sites)
    if not _turns_left(board.corners):
        yield '"corners" need this order: south-west, south-east, north-east, north-west'


def _turns_left(corners: tuple[Point, Point, Point, Point]) -> bool:
    """Tells whether four points go around anticlockwise, beginning in the south-west."""
    area = sum(a * d - c * b for (a, b), (c, d) in zip(corners, corners[1:] + corners[:1], strict=True))
    (west, south), _, (east, north), _ = corners
    return area > 0 and west < east and south < north


def _check_games(board: Board) -> BoardCheck:
    played = games_on(board.name)
    if played:
        return BoardCheck(tuple(_try_games(played, board)), played)
    names = [name for name in bundled_boards() if games_on(name)]
    return BoardCheck((f'"name" is "{board.name}", but games look for one of: {", ".join(names)}',))


def _try_games(names: tuple[str, ...], board: Board) -> list[str]:
    """Returns what is wrong when these games are played; where nothing is, what their rules find besides."""
    problems = [problem for name in names for problem in _try_game(name, board)]
    return problems or [problem for name in names for problem in games.rules(name).check_board(board)]


def _try_game(name: str, board: Board) -> Iterator[str]:
    rules = games.rules(name)
    seats = next((option.values for option in rules.options if option.name == "players"), ("",))
    for seat in seats:
        options = next(_choices(rules, board.name))
        if seat:
            options["players"] = seat
        head = f"{name} players={seat}" if seat else name
        try:
            yield from (f"{head}: {problem}" for problem in _play_on(Game(rules, board, options, ())))
        except GameError as error:
            yield f"{head}: {error}"
        except STRANGE as error:
            yield f"{head}: the rules find no way about this board: {type(error).__name__}: {error}"


def _play_on(game: Game) -> Iterator[str]:
    """Plays at random; yields where that comes to a stop, or a piece to a place that is not on the board."""
    rules, position, chance = game.rules, game.start(), random.Random(0)
    known = {*game.board.sites, *game.board.places}
    for count in range(TRIAL):
        if strange := sorted(set(rules.look(position)) - known):
            yield f"after {count} actions a piece stands on {strange[0]}, which is neither a site nor a place"
            return
        if rules.outcome(position):
            return
        actions = list(rules.legal(position))
        if not actions:
            yield f"after {count} actions nothing can be played"
            return
        position = rules.after(position, _choose(game, position, actions, chance))


def _choose(game: Game, position: Any, actions: list[Action], chance: random.Random) -> Action:
    """Returns one of the actions; where there are too many to list, one that the game deals."""
    dealt = game.rules.deal(position, {**game.options, "setup": "random"}, chance)
    return dealt or chance.choice(actions)
