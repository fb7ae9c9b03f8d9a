"""Draws any board as SVG from its data.

A drawing's unit is a step of the board, and its y axis points down (the board's points up). Colours are
presentation attributes: a drawing is complete as a file, and a style sheet may still overrule it. Each look
has a symbol, `look_id(look)`. Empty layers take the pieces and marks that the page lays.
"""

from __future__ import annotations

import math
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import TypeAlias

from companion.core.board import Board, Point, Shape
from web.drawing.pieces import draw_look
from web.drawing.svg import Value, group, tag, text

MARGIN = 0.16
RING = 0.46
"""The radius of a mark on a site, in steps, where sites are not nearer to each other than that."""
LETTERS = {"label": 0.34, "number": 0.2}
"""The height of letters that are not as high as most are, in steps."""
LETTER = 0.24
"""The room of a coordinate from its middle, in steps."""
LEAST_DISTANCE = 0.6
"""The least distance of two coordinates at the edge."""
LABELS = Path(__file__).parent / "fonts" / "alegreya-sans-400-labels.woff2"
LAYERS = ("under", "pieces", "over", "hits")
Paint: TypeAlias = Mapping[str, Value]

STYLES: dict[str, Paint] = {
    "dark": {"fill": "#ae7f51"},
    "light": {"fill": "#ecd7af", "stroke": "#b08f5f", "stroke_width": 0.015},
    "grey": {"fill": "#cdbfa6", "stroke": "#b08f5f", "stroke_width": 0.015},
    "cell": {"fill": "#ecd9b4", "stroke": "#8d6a3f", "stroke_width": 0.03},
    "up": {"fill": "#d3d0c8", "stroke": "#8a857a", "stroke_width": 0.02},
    "down": {"fill": "#f6f2e7", "stroke": "#8a857a", "stroke_width": 0.02},
    "field": {"fill": "#f2e5c8", "stroke": "#8d6a3f", "stroke_width": 0.02},
    "line": {"stroke": "#6f5433", "stroke_width": 0.045},
    "thin": {"stroke": "#8d6a3f", "stroke_width": 0.02},
    "point": {"fill": "#6f5433"},
    "wall": {"fill": "#4a3a2b", "stroke": "#2e2419", "stroke_width": 0.06},
    "stop": {"fill": "#d8b25a", "stroke": "#7d5d16", "stroke_width": 0.03},
    "zone": {"fill": "#dcc390"},
    "target": {"stroke": "#8a5a2b", "stroke_width": 0.035},
    "centre": {"fill": "#d9b26a", "stroke": "#6f5433", "stroke_width": 0.04},
    "diamond": {"fill": "#dcc390", "stroke": "#8d6a3f", "stroke_width": 0.02},
    "pad": {"fill": "#dcc390", "stroke": "#8d6a3f", "stroke_width": 0.025},
    "stripes": {"stroke": "#8d6a3f", "stroke_width": 0.05},
    "stripe": {"stroke": "#8d6a3f", "stroke_width": 0.05},
    "arrow": {"stroke": "#8d6a3f", "stroke_width": 0.05},
    "border": {"stroke": "#4a3a2b", "stroke_width": 0.07},
    "dashed": {"stroke": "#4a3a2b", "stroke_width": 0.045, "stroke_dasharray": "0.12 0.09"},
    "out": {"fill": "#b99a68"},
    "star": {"fill": "#d9b26a", "stroke": "#8d6a3f", "stroke_width": 0.03},
    "outline": {"stroke": "#4a3a2b", "stroke_width": 0.06},
    "label": {"fill": "#4a3820"},
    "number": {"fill": "#4a3820"},
}
FALLBACK: dict[str, Paint] = {
    "polygon": {"stroke": "#8d6a3f", "stroke_width": 0.03},
    "line": {"stroke": "#6f5433", "stroke_width": 0.04},
    "circle": {"stroke": "#6f5433", "stroke_width": 0.035},
    "text": {"fill": "#4a3820"},
}
GROUND: Paint = {"fill": "#ecd9b4", "stroke": "#6f5433", "stroke_width": 0.06}
COLOURS = {"red": "#b1201c", "blue": "#1d4c9c", "green": "#2c7a3f", "yellow": "#c9971a", "black": "#2a211a"}


def draw_board(
    board: Board, looks: Iterable[str], pieces: Mapping[str, str] | None = None, **size: Value
) -> str:
    """Returns a board as an SVG document with a symbol for each look.

    With `pieces` (place: look) it is a diagram. `size` is the width and height of a file of its own, in
    pixels.
    """
    left, top, width, height = frame(board)
    labels = _turned_labels(board)
    ground = _draw_path(board.outline, "Z", class_="s-ground", **GROUND)
    laid = "".join(_lay(board, place, look) for place, look in (pieces or {}).items())
    return tag(
        "svg",
        tag("defs", "" if pieces is None else _face(), *(draw_symbol(board, look) for look in looks)),
        _edge(board),
        group(ground, *(_draw_shape(board, shape, labels) for shape in board.shapes), class_="wood"),
        *(group(laid if name == "pieces" else "", class_=name) for name in LAYERS),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"{left:g} {top:g} {width:g} {height:g}",
        class_="board",
        data_middle="{:g} {:g}".format(*_middle(board)),
        **size,
    )


@cache
def _face() -> str:
    """Returns the face of the letters on boards. A picture has to bring it: it sees nothing of the page's."""
    data = b64encode(LABELS.read_bytes()).decode()
    source = f"url(data:font/woff2;base64,{data})"
    return tag("style", f"@font-face{{font-family:'Alegreya Sans';src:{source}}}")


def draw_symbol(board: Board, look: str) -> str:
    """Returns the symbol of a look, with its middle at 0, 0."""
    return tag("symbol", draw_look(board.pieces, look), id=look_id(look), overflow="visible")


def draw_mark(board: Board) -> str:
    """Returns the mark of the last action, with its middle at 0, 0."""
    r = min(RING, spacing(board) / 2)
    return tag("circle", r=r, fill="#ffc928", fill_opacity=0.75, stroke="#6b4a00", stroke_width=0.05)


def look_id(look: str) -> str:
    """Returns the id of a look's symbol."""
    return "look-" + "".join(c if c.isalnum() else f"_{ord(c):x}_" for c in look)


def frame(board: Board) -> tuple[float, float, float, float]:
    """Returns the drawing's left, top, width and height in steps."""
    xs, ys = zip(*_extent(board), strict=True)
    left, right = min(xs) - MARGIN, max(xs) + MARGIN
    return left, -max(ys) - MARGIN, right - left, max(ys) - min(ys) + 2 * MARGIN


@lru_cache(maxsize=32)
def spacing(board: Board) -> float:
    """Returns the distance of the two nearest sites in steps: a finger has to tell them apart."""
    points = list(board.sites.values())
    pairs = ((a, b) for i, a in enumerate(points) for b in points[i + 1 :])
    return min((((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5 for a, b in pairs), default=1.0)


def turned(board: Board, place: str) -> float:
    """Returns by how many degrees, clockwise, a piece is turned. One in a corner of a site faces that corner.

    The north-western corner has 0 degrees, the north-eastern 90. A piece on a whole site is not turned.
    """
    if place not in board.places:
        return 0.0
    sites = [site for site in board.sites if place.startswith(site)]
    if not sites:
        return 0.0
    site_x, site_y = board.sites[max(sites, key=len)]
    x, y = board.places[place]
    is_east, is_north = x > site_x, y > site_y
    if is_north:
        return 90.0 if is_east else 0.0
    return 180.0 if is_east else 270.0


def _extent(board: Board) -> Iterator[Point]:
    yield from board.outline
    ring = min(RING, spacing(board) / 2) - MARGIN / 2
    for x, y in board.sites.values():
        yield x - ring, y - ring
        yield x + ring, y + ring
    middle_x, middle_y = _middle(board)
    for label in filter(None, _turned_labels(board).values()):
        x, y = map(float, label.split())
        yield 2 * middle_x - x - LETTER, y - 2 * middle_y - LETTER
        yield 2 * middle_x - x + LETTER, y - 2 * middle_y + LETTER
    for shape in board.shapes:
        room = LETTER if shape.kind == "text" else shape.radius
        for x, y in shape.points:
            yield x - room, y - room
            yield x + room, y + room


def _edge(board: Board) -> str:
    """Returns the wood around the board. It stays as it is when the board is turned round."""
    left, top, width, height = frame(board)
    return tag(
        "rect", x=left, y=top, width=width, height=height, rx=0.22, fill="#cdae7c", class_="wood s-frame"
    )


def _middle(board: Board) -> Point:
    """Returns the point around which the board is turned, in the drawing's coordinates."""
    xs, ys = zip(*board.outline, strict=True)
    return (min(xs) + max(xs)) / 2, -(min(ys) + max(ys)) / 2


def _turned_labels(board: Board) -> dict[Point, str]:
    """Returns for each coordinate at the edge where it stands when the board is turned round.

    That is the other end of its row or column, so that it is at the left or below again. Columns that would
    meet a row there stay where they are. Further inscriptions of an edge have no room ('').
    """
    middle_x, middle_y = _middle(board)
    labels = [shape.points[0] for shape in board.shapes if shape.style == "label"]
    rows = {(x, y): (2 * middle_x - x, -y) for x, y in labels if _is_row(board, x, y)}
    columns = {(x, y): (x, 2 * middle_y + y) for x, y in labels if (x, y) not in rows}
    if any(math.dist(row, column) < LEAST_DISTANCE for row in rows.values() for column in columns.values()):
        columns = {(x, y): (x, -y) for x, y in columns}
    others = [shape.points[0] for shape in board.shapes if shape.style == "edge-label"]
    return {point: f"{x:g} {y:g}" for point, (x, y) in (rows | columns).items()} | dict.fromkeys(others, "")


def _is_row(board: Board, x: float, y: float) -> bool:
    """Tells whether a label is beside a row; else it is above or below a column."""
    beside = min(board.sites.values(), key=lambda site: math.dist(site, (x, y)))
    if math.dist(beside, (x, y)) < 1:
        return abs(x - beside[0]) > abs(y - beside[1])
    xs = [outline_x for outline_x, _ in board.outline]
    return not min(xs) <= x <= max(xs)


def _draw_shape(board: Board, shape: Shape, labels: Mapping[Point, str]) -> str:
    paint: dict[str, Value] = {"class_": f"s-{shape.style}", "fill": "none", **_paint(board, shape)}
    x, y = shape.points[0][0], -shape.points[0][1]
    match shape.kind:
        case "text":
            if shape.points[0] in labels:
                paint["data_turned"] = labels[shape.points[0]]
            return text(shape.words, x, y, LETTERS.get(shape.style, 0.3), **paint)
        case "circle":
            return tag("circle", cx=x, cy=y, r=shape.radius, **paint)
        case kind:
            return _draw_path(shape.points, "Z" if kind == "polygon" else "", **paint)


def _draw_path(points: Iterable[Point], close: str, **paint: Value) -> str:
    line = "M" + "L".join(f"{x:g} {-y:g}" for x, y in points) + close
    return tag("path", d=line, stroke_linejoin="round", stroke_linecap="round", **paint)


def _paint(board: Board, shape: Shape) -> Paint:
    """Returns the colours of a shape's style.

    A style such as `red-zone` is that of `zone` in red. An unknown style takes the colours of its last word,
    or else of the shape's kind.
    """
    owner, _, rest = shape.style.partition("-")
    colour = board.pieces.paint.get(owner) or COLOURS.get(owner)
    last_word = rest if colour else shape.style.rpartition("-")[2]
    style = STYLES.get(shape.style) or STYLES.get(last_word)
    paint = dict(style or FALLBACK.get(shape.kind, FALLBACK["line"]))

    if shape.kind == "line":  # a line has no inside: what would fill it colours its stroke
        paint = {"stroke_width": 0.04, "stroke": paint.pop("fill", "#6f5433"), **paint}
    if colour and rest:
        if "stroke" in paint:
            paint["stroke"] = colour
        else:
            paint.update(fill=colour, fill_opacity=0.32)
    if shape.kind == "text" and "fill" not in paint:
        return {"fill": paint.get("stroke", "#4a3820")}
    return paint


def _lay(board: Board, place: str, look: str) -> str:
    x, y = board.where(place)
    turn = turned(board, place)
    at = f"translate({x:g} {-y:g})" + (f" rotate({turn:g})" if turn else "")
    return tag("use", href=f"#{look_id(look)}", transform=at)
