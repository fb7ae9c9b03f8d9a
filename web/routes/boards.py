"""Boards for the page: the drawing, the points of the sites, and the paint of each owner."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from statistics import fmean
from typing import Annotated, Any, Literal

from flask import Response, abort, request
from werkzeug.exceptions import BadRequest

from companion import games
from companion.core.board import Board
from companion.core.game import EMPTY, GameError
from companion.games.text import Game, read_game, replay, write_option
from companion.language import say
from companion.record.session import Session
from companion.referee.verdict.guide import say_look
from companion.tutorials import known, tutorial
from companion.wire.codec import write
from companion.wire.values import Look, Place, Player, Wire
from web.drawing.board import draw_board, look_id, spacing, turned
from web.drawing.pieces import GLYPH_PATHS, glyph_of, readable_on
from web.server.languages import language
from web.server.made_once import MadeOnce, answer_kept
from web.server.subject import LONGEST, Subject, refused

blueprint = Subject("boards", __name__, url_prefix="/api/v1")
SVG = "image/svg+xml"


@blueprint.get("/boards/<name>")
@refused(GameError, BadRequest)
def show(name: str) -> Annotated[Response, BoardData]:
    """Describes the board that comes with a game."""
    return answer_board(_find_game(name))


@blueprint.get("/boards/<name>.svg")
@refused(GameError, BadRequest)
def show_start(name: str) -> Response:
    """Draws a game's start position."""
    game = _find_game(name)
    return answer_kept(_draw(game, game.start()), SVG)


@blueprint.get("/boards/<name>/in-play.svg")
def show_in_play(name: str) -> Response:
    """Draws a game that has gone on for a while; its start position where no such game is known."""
    if name not in games.installed():
        abort(404, say("there is no such game"))
    return answer_kept(_draw_in_play(name), SVG)


@cache
def _draw_in_play(name: str) -> str:
    game, position, _ = replay(tutorial(name).in_play if name in known() else name)
    return _draw(game, position)


def _draw(game: Game, position: Any) -> str:
    pieces = game.rules.pieces(position)
    return draw_board(game.board, sorted(set(pieces.values())), pieces)


def _find_game(name: str) -> Game:
    """Returns the game of that name, with the options of the query: known values, and free texts."""
    if name not in games.installed():
        abort(404, say("there is no such game"))
    offered = games.rules(name).options
    given = [(option, request.args.get(option.name, "")[:LONGEST]) for option in offered]
    words = [write_option(option, value) for option, value in given if value in (option.values or (value,))]
    return read_game(" ".join((name, *filter(None, words))))


def sits_north(session: Session, player: str) -> bool:
    """Returns whether a player's pieces begin farther north than those of the others: for that seat the board
    is turned round. On a board that is empty at first the areas of the players tell where they begin."""
    board, looks = session.game.board, session.rules.look(session.first)
    owners = {place: look.partition("/")[0] for place, look in looks.items() if look != EMPTY}
    if not owners:
        owners = {place: owner for owner in session.players for place in board.areas.get(owner, ())}
    heights = {place: board.where(place)[1] for place in owners}
    own = [y for place, y in heights.items() if owners[place] == player]
    return bool(own) and fmean(own) > fmean(heights.values())


class Owner(Wire):
    """A player's paint on this board, and the glyph drawn in it."""

    name: Player
    paint: str
    ink: str
    glyph: str
    path: str


class BoardData(Wire):
    """A board with its drawing, in the drawing's own units."""

    name: str
    svg: str
    spacing: float
    """The distance of neighbouring sites."""
    names: Mapping[Place, str]
    """What players call sites, where that is not as they are named here."""
    sites: Mapping[Place, tuple[float, float]]
    places: Mapping[Place, tuple[float, float, float]]
    """Sites and places beside the board: x, y and the degrees by which a piece is turned there."""
    symbols: Mapping[Look, str]
    """The id of each look's symbol in the drawing."""
    words: Mapping[Look, str]
    """Each look in words."""
    turns: Literal["port", "disc", ""]
    """What a double tap turns on the virtual table."""
    owners: tuple[Owner, ...]


def describe(game: Game) -> BoardData:
    """Returns a game's board as the page needs it."""
    board, looks = game.board, tuple(_looks(game))
    places = {**board.sites, **board.places}
    return BoardData(
        name=board.name,
        svg=draw_board(board, looks),
        spacing=spacing(board),
        names={site: board.called(site) for site in board.sites if board.names},
        sites={site: (x, -y) for site, (x, y) in board.sites.items()},
        places={place: (x, -y, turned(board, place)) for place, (x, y) in places.items()},
        symbols={look: look_id(look) for look in looks},
        words={look: say_look(board.pieces, look) for look in looks},
        turns=_turned_by_taps(board),
        owners=tuple(_owner(board, name, paint) for name, paint in board.pieces.paint.items()),
    )


def _owner(board: Board, name: Player, paint: str) -> Owner:
    glyph = glyph_of(board.pieces, name)
    return Owner(name, paint, readable_on(paint), glyph, GLYPH_PATHS[glyph])


def _turned_by_taps(board: Board) -> Literal["port", "disc", ""]:
    """Returns what a double tap turns on the virtual table: a `port`, a `disc`, or '' for nothing."""
    if any(face.form == "port" for face in board.pieces.faces.values()):
        return "port"
    return "disc" if len(board.pieces.sides) > 1 else ""


def _looks(game: Game) -> Iterator[str]:
    """Yields every look that may have to be drawn: those of the rules, and each face in each paint."""
    start = game.start()
    seen = dict.fromkeys((*game.rules.looks(start), *game.rules.palette(start)))
    seen.update(dict.fromkeys(game.rules.pieces(start).values()))
    faces = [face for face in game.board.pieces.faces if face and not face.startswith("+")]
    seen.update(dict.fromkeys(f"{owner}/{face}" for owner in game.board.pieces.paint for face in faces))
    seen.update(dict.fromkeys(_markers(game.board)))
    seen.pop(EMPTY, None)
    return iter(seen)


def _markers(board: Board) -> Iterator[str]:
    """Yields the looks of markers. A marker's paint is named by the letter or digit on it."""
    yield from (face for face in board.pieces.faces if face.startswith("+"))
    yield from (f"+{name}" for name in board.pieces.paint if len(name) == 1)


def answer_board(game: Game) -> Response:
    """Returns a game's board as JSON. The browser keeps it, and asks only whether it is still the same."""
    spoken = language()
    key = (game.rules, game.board, *game.options.items(), spoken)
    start = Game(game.rules, game.board, game.options, ())
    made = _BOARDS.find(key, lambda: write(describe(start), spoken))
    return made.answer("application/json", "no-cache")


_BOARDS = MadeOnce()
