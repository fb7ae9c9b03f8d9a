"""Board files of an owner: boards of the product with other values, links, shapes, tables and pieces.

`companion board check` says what is wrong, or that the board is fine. On a board that is fine its games
begin. Every board on which a game begins can be drawn, and laid out for a camera.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

from benchmarks.fuzzing.command import companion, words
from benchmarks.fuzzing.mutation import mutated_json
from benchmarks.fuzzing.target import ACCEPTED, Outcome, demand, refused
from companion import games
from companion.core.board import board_text, bundled_boards
from companion.core.rules import Rules
from companion.games.board_file import games_on
from companion.games.text import read_game
from companion.record.record import Record
from vision.known.layout import PlaceLayout
from web.drawing.diagrams import draw_diagram
from web.routes.boards import describe

NUDGE = 0.2
"""Steps by which a point is moved at most."""
STYLES = ("dark", "wall", "red-zone", "no such style", "label", "", "line", 'a"b', "black-line")
FORMS = ("disc", "pawn", "block", "pole", "port", "pillar", "cross", "piece", "egg", "")
BADGES = ("ring", "dot", "stack", "tall", "K", "ab", "♞", "<", "")
COLOURS = ("#123456", "#123456", "#FFF", "#FFF", "red", "", "#12345g", "url(#x)")
SCALES = (0.01, 0.5, 2, 40, 1e6)


class Fuzzed:
    """Board files."""

    suffix = ".json"

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp())

    def make(self, chance: Random) -> bytes:
        board = json.loads(_text(chance.choice(bundled_boards())))
        for _ in range(chance.choice((1, 1, 1, 2, 3))):
            chance.choice(CHANGES)(board, chance)
        for _ in range(chance.choice((0, 0, 0, 0, 1, 2))):
            board = mutated_json(board, chance, (*STYLES, *FORMS, "a1", "h8", *board.get("sites", ())))
            if not isinstance(board, dict):
                break
        return json.dumps(board, ensure_ascii=chance.random() < 0.9).encode("utf-8", "replace")

    def attempt(self, content: bytes) -> Outcome:
        file = self._folder / "board.json"
        file.write_bytes(content)
        checked = companion("board", "check", file)
        name = _name_in(content)
        begun = [text for text in _texts(name, file) if _begins(text)]
        if checked.status == 0:
            demand(begun != [], "on a board that is fine a game begins")
        for game in begun:
            _check_drawn(game)
        if checked.status == 0:
            return ACCEPTED
        return refused(words(checked) if checked.status == 2 else checked.lines[0].removeprefix(f"{file}: "))

    def close(self) -> None:
        for file in self._folder.iterdir():
            file.unlink()
        self._folder.rmdir()


@cache
def _text(name: str) -> str:
    return board_text(name)


def _name_in(content: bytes) -> str:
    try:
        data = json.loads(content)
    except (ValueError, RecursionError):
        return ""
    name = data.get("name") if isinstance(data, dict) else None
    return name if isinstance(name, str) else ""


def _texts(name: str, file: Path) -> list[str]:
    """Returns the texts of all games that are played on a board of this name."""
    played = map(games.rules, games_on(name) if name else ())
    return [f"{rules.name}{words} board={file}" for rules in played for words in _options_on(rules, name)]


def _options_on(rules: Rules[Any], board: str) -> Iterator[str]:
    """Yields the options with which a game is played on a board: none, and one after the other."""
    usual = {option.name: option.default for option in rules.options}
    if rules.board_for(usual) == board:
        yield ""
    for name, value in ((option.name, value) for option in rules.options for value in option.values):
        if rules.board_for({**usual, name: value}) == board:
            yield f" {name}={value}"


def _begins(text: str) -> bool:
    """Returns whether a game begins on a board: the command then lists what can be played."""
    return companion("legal", text).status == 0


def _check_drawn(text: str) -> None:
    """Checks that a board is drawn as the page and a diagram show it, and is laid out for a camera."""
    game = read_game(text)
    described = describe(game)
    ElementTree.fromstring(described.svg)
    json.dumps(asdict(described), allow_nan=False)
    record = Record(game, ())
    picture = draw_diagram(record, record.session(), 0, side=200)
    demand(picture.startswith(b"\x89PNG"), "a diagram is a picture")
    layout = PlaceLayout.of(game.board, parts=False)
    layout.height(game.rules.looks(game.start()))


def _move_site(board: dict[str, Any], chance: Random) -> None:
    sites = board["sites"]
    x, y = sites[site := chance.choice(list(sites))]
    sites[site] = [x + chance.uniform(-NUDGE, NUDGE), y + chance.uniform(-NUDGE, NUDGE)]


def _scale(board: dict[str, Any], chance: Random) -> None:
    """Draws everything in another unit."""
    factor = chance.choice(SCALES)
    for key in ("sites", "places", "marks"):
        board[key] = {name: [factor * x, factor * y] for name, (x, y) in board.get(key, {}).items()}
    for key in ("corners", "outline"):
        board[key] = [[factor * x, factor * y] for x, y in board[key]]


def _change_link(board: dict[str, Any], chance: Random) -> None:
    links, sites = board.setdefault("links", []), list(board["sites"])
    if links and chance.random() < 0.5:
        links.pop(chance.randrange(len(links)))
    else:
        links.append(chance.sample(sites, 2))


def _add_shape(board: dict[str, Any], chance: Random) -> None:
    kind = chance.choice(("polygon", "line", "circle", "text"))
    points = [[chance.uniform(-2, 10), chance.uniform(-2, 10)] for _ in range(chance.choice((1, 3, 4, 5)))]
    shape: dict[str, Any] = {"kind": kind, "points": points, "style": chance.choice(STYLES)}
    if kind == "circle":
        shape["radius"] = chance.choice((0, 0.2, 3, 1e6))
    if kind == "text":
        shape["words"] = chance.choice(("A", "<&>", "", "two words", "𝄞"))
    board.setdefault("shapes", []).append(shape)


def _change_piece(board: dict[str, Any], chance: Random) -> None:
    pieces = board.setdefault("pieces", {})
    if chance.random() < 0.5 and pieces.get("paint"):
        pieces["paint"][chance.choice(list(pieces["paint"]))] = chance.choice(COLOURS)
    elif pieces.get("faces"):
        face = pieces["faces"][chance.choice(list(pieces["faces"]))]
        face["form"], face["badge"] = chance.choice(FORMS), chance.choice(BADGES)


def _change_area(board: dict[str, Any], chance: Random) -> None:
    areas, sites = board.setdefault("areas", {}), list(board["sites"])
    if areas:
        members = areas[chance.choice(list(areas))]
        if members and chance.random() < 0.5:
            members.pop(chance.randrange(len(members)))
        else:
            members.append(chance.choice(sites))


def _remove_site(board: dict[str, Any], chance: Random) -> None:
    """Takes a site away with all that speaks of it."""
    site = chance.choice(list(board["sites"]))
    del board["sites"][site]
    board["links"] = [link for link in board.get("links", ()) if site not in link]
    for name, members in board.get("areas", {}).items():
        board["areas"][name] = [member for member in members if member != site]


def _add_site(board: dict[str, Any], chance: Random) -> None:
    name = chance.choice(("z9", "a0", "middle", "a 1", "ß", "x" * 100))
    board["sites"][name] = [chance.uniform(-1, 9), chance.uniform(-1, 9)]
    board.setdefault("links", []).append([name, chance.choice(list(board["sites"]))])


def _change_outline(board: dict[str, Any], chance: Random) -> None:
    points = board[chance.choice(("outline", "corners"))]
    x, y = points[at := chance.randrange(len(points))]
    points[at] = [x + chance.uniform(-NUDGE, NUDGE), y + chance.uniform(-NUDGE, NUDGE)]


CHANGES = (
    _move_site, _move_site, _scale, _change_link, _add_shape, _add_shape, _change_piece, _change_piece,
    _change_area, _remove_site, _add_site, _change_outline,
)  # fmt: skip
