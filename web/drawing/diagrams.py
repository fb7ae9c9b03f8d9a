"""Draws a game: any step as an SVG or PNG diagram, and the whole game as a moving picture."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Sequence

from PIL import Image, ImageDraw, ImageFont

from companion.core.comments import tidy_line
from companion.core.players import say_player
from companion.language import ENGLISH, translated
from companion.record.record import Record
from companion.record.review import numbered, numbers
from companion.record.session import Session
from companion.table.present import ply_words
from web.drawing.board import draw_board
from web.drawing.raster_board import PAPER, RasterBoard, fonts, pixels, size_of
from web.drawing.svg import Value

SIDE = 1000
"""The length of a diagram's longer side in pixels."""
WIDTH, NARROWEST, MANY = 480, 200, 200
"""The width of a moving picture in pixels.

One of more than `MANY` steps is narrower, so that its file is small.
"""
STEP_MS, LAST_MS = 1200, 4000
COLUMNS, LINES, LINE = 48, 3, 0.045
"""The words below the board: letters in a line, lines, and a line's height as a part of the width."""
INK = "#211d18"


def svg(record: Record, step: int) -> bytes:
    """Returns the board after so many steps as SVG."""
    return _draw(record, record.session(), step).encode()


def png(record: Record, step: int) -> bytes:
    """Returns the board after so many steps as PNG."""
    return draw_diagram(record, record.session(), step)


def gif(record: Record, language: str = ENGLISH) -> bytes:
    """Returns the game from start to end as a GIF that repeats, with its words in a language."""
    return _animate(record, language, "GIF", optimize=True)


def webp(record: Record, language: str = ENGLISH) -> bytes:
    """Returns the same as `gif`, as WebP: fewer bytes."""
    return _animate(record, language, "WEBP", lossless=True, quality=50, method=2)


def draw_diagram(record: Record, session: Session, step: int, side: int = SIDE) -> bytes:
    """Returns a step as PNG, with this many pixels on its longer side."""
    return pixels(_draw(record, session, step, **size_of(record.game.board, side)))


def _draw(record: Record, session: Session, step: int, **size: Value) -> str:
    pieces = dict(session.rules.pieces(session.positions()[step]))
    return draw_board(record.game.board, sorted(set(pieces.values())), pieces, **size)


def _animate(record: Record, language: str, kind: str, **options: bool | int) -> bytes:
    session = record.session()
    count = len(session.plies)
    film = _Film(
        record, session, language, max(NARROWEST, round(WIDTH * min(1.0, (MANY / (count + 1)) ** 0.5)))
    )
    palette = _palette([film.scene(step) for step in {0, count // 2, count}])
    first, *rest = (
        film.scene(step).quantize(palette=palette, dither=Image.Dither.NONE) for step in range(count + 1)
    )
    out = io.BytesIO()
    times = [STEP_MS] * count + [LAST_MS]
    first.save(out, kind, save_all=True, append_images=rest, duration=times, loop=0, **options)
    return out.getvalue()


def _palette(scenes: Sequence[Image.Image]) -> Image.Image:
    """Returns an image with the colours of all these scenes."""
    width, height = scenes[0].size
    sheet = Image.new("RGB", (width, height * len(scenes)))
    for n, scene in enumerate(scenes):
        sheet.paste(scene, (0, n * height))
    return sheet.quantize(128)


class _Film:
    """Draws the scenes of a game: the board with the last action marked, and its words below."""

    def __init__(self, record: Record, session: Session, language: str, width: int) -> None:
        self._record, self._session, self._language = record, session, language
        self._positions = session.positions()
        self._numbers = numbers(session)
        self._stage = RasterBoard(record.game.board, width)
        self._line = LINE * width
        self._letters = round(self._line * 0.78)

    def scene(self, step: int) -> Image.Image:
        """Returns the board after so many steps, with the words of the last action."""
        width, height = self._stage.size
        scene = Image.new("RGB", (width, height + round((LINES + 0.6) * self._line)), PAPER)
        pieces = self._session.rules.pieces(self._positions[step])
        scene.paste(self._stage.show(pieces, self._find_marked(step)), (0, 0))
        pen = ImageDraw.Draw(scene)
        for n, words in enumerate(self._words(step)):
            at = width / 2, height + (n + 0.8) * self._line
            font = ImageFont.truetype(str(fonts(words)[0]), self._letters)
            pen.text(at, tidy_line(words), fill=INK, font=font, anchor="mm")
        return scene

    def _find_marked(self, step: int) -> list[str]:
        ply = self._session.plies[step - 1] if step else None
        named = self._session.rules.path(ply.action) if ply and ply.entry.kind == "action" else ()
        return [place for place in named if place in self._record.game.board.sites]

    def _say(self, words: str) -> str:
        return str(translated(words, self._language))

    def _words(self, step: int) -> list[str]:
        if not step:
            names = " – ".join(
                self._record.head.get(seat) or self._say(say_player(seat)) for seat in self._session.players
            )
            return [self._say(self._session.rules.title), *textwrap.wrap(names, COLUMNS)[: LINES - 1]]
        ply = self._session.plies[step - 1]
        number = numbered(self._session, ply, self._numbers[step - 1])
        said = map(self._say, ply_words(self._session, ply))
        told = " ".join((number, ply.written, *said))
        return textwrap.wrap(told, COLUMNS, max_lines=LINES, placeholder=" …")
