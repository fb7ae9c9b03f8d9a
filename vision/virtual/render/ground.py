"""The empty board on its table: textures of wood and cloth, the board's drawing, and how they are seen.

Board and table are painted flat, from straight above, then every pixel of the picture looks up where its
ray meets them. Done at twice the size of the picture, and once for each view and light.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from math import ceil
from zlib import crc32

import cv2
import numpy as np
import numpy.typing as npt

from companion.core.board import Board, Point, Shape
from vision.arrays import Floats, Image, Singles
from vision.geometry.view import View, mapped
from vision.virtual.layout import Plank, plank, spacing
from vision.virtual.render.finish import CLOTHS, WOODS, Finish, Style
from vision.virtual.render.light import LightSource, paint

FINE = 2
"""Pixels of the drawing to one of the picture, each way."""
RASTER = 88
"""The most pixels of the board's texture to a distance of sites."""
WIDEST = 1000
"""The most pixels of the longer side of the board's texture."""
SHIFT = 4
"""Fractional bits of cv2's coordinates."""
MARKER, WHITE_EDGE = 0.74, 0.09
"""The side of a printed marker, and the white paper around it; distances of sites."""
GRAIN_SHOWS = 0.35
"""The share of the wood's grain that shows through a fill: the exponent of its brightness."""
LETTER = 0.0092
"""The size of cv2's font for a pixel of a step."""
NUMBER = 0.75
"""The size of a number in the corner of a square, as a share of other letters."""
DASHES = 5
"""Dashes on each side of a polygon; the gaps between them are as long."""
TABLE_SIDE, TABLE_SCALE = 1000, 0.42
"""Pixels of a side of the table's texture, and its scale beside the board's."""
OUTWARD = np.array([(0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0)])
"""The normals of the plank's sides: south, east, north, west."""
SIDE_LIGHT = 0.92
"""The brightness of the plank's sides, as a share of its face's in the same light."""
SHARP_SHADOW, SOFT_SHADOW = (5, 0.3), (25, 0.3)
"""The plank's shadow has two layers: how far each is blurred (pixels of the picture), and how dark it is."""
NODES = 8
"""Pixels between points at which rays are computed."""
TOWARDS_LAMP, VIGNETTE = 0.16, 0.07
"""The share by which the picture is lighter towards the lamp, and darker at the middle of its edges; 0…1."""


@lru_cache(maxsize=1)
def draw_ground(board: Board, view: View, light: LightSource, finish: Finish) -> Image:
    """Returns the picture (h, w, 3; BGR) of the empty board, without noise; it is drawn on by nobody."""
    wood, drop = plank(board), finish.thickness * spacing(board)
    picture = _table(board, view, finish, drop)
    picture *= (1 - _plank_shadow(view, light, wood, drop))[..., None]
    pale, dark = map(paint, WOODS[finish.board])
    _draw_sides(picture, view, light, wood, drop, (pale + dark) / 2)
    face = _rays(view, 0.0)
    _lay_plank(picture, face, wood, board_texture(board, finish))
    picture *= _glow(view, face, light)[..., None]
    small = cv2.resize(picture, view.size, interpolation=cv2.INTER_AREA)
    ground = np.clip(small, 0, 255).astype(np.uint8)
    ground.setflags(write=False)
    return ground


@lru_cache(maxsize=1)
def board_texture(board: Board, finish: Finish) -> Image:
    """Returns the board from straight above, north up."""
    wood = plank(board)
    scale = min(RASTER / spacing(board), WIDEST / max(wood.east - wood.west, wood.north - wood.south))
    size = ceil((wood.east - wood.west) * scale), ceil((wood.north - wood.south) * scale)
    texture = material(finish.board, size, crc32(board.name.encode()))
    pen = _Pen(texture, wood, scale, paint(finish.ink))
    for shape in board.shapes:
        pen.draw(shape, finish.style(board, shape.style))
    if finish.markers:
        unit = scale * spacing(board)
        _stick_markers(texture, round(MARKER * unit), round(WHITE_EDGE * unit))
    return texture


@lru_cache(maxsize=1)
def table_texture(finish: Finish) -> Image:
    """Returns what the board lies on."""
    return material(finish.table, (TABLE_SIDE, TABLE_SIDE), crc32(finish.table.encode()) ^ 7)


def material(name: str, size: tuple[int, int], seed: int) -> Image:
    """Returns a texture (h, w, 3) of a wood, with its grain from left to right, or of a cloth."""
    rng = np.random.default_rng(seed)
    light, dark = (paint(c) for c in WOODS[name])
    if name in CLOTHS:
        return _mixed(light, dark, 0.5 + 0.9 * _noise(rng, size, (2, 2)) + 0.4 * _noise(rng, size, (60, 60)))
    swirl = _noise(rng, size, (420, 46))
    rings = np.sin(swirl * 11 + _noise(rng, size, (900, 24)) * 5)
    fibres = _noise(rng, size, (70, 2)) + 0.6 * _noise(rng, size, (24, 1))
    tone = 0.45 + 0.26 * rings + 0.18 * _noise(rng, size, (600, 160)) + 0.17 * fibres
    return _mixed(light, dark, tone)


class _Pen:
    """Draws a board's shapes on its texture."""

    def __init__(self, texture: Image, wood: Plank, scale: float, ink: Floats) -> None:
        self.texture, self.wood, self.scale, self.ink = texture, wood, scale, ink

    def draw(self, shape: Shape, style: Style) -> None:
        if shape.kind == "text":
            self._write(shape, self._colour(style.line))
        else:
            self._fill(shape, style)
            if style.line:
                self._line(shape, style)

    def _colour(self, name: str) -> tuple[float, ...]:
        return tuple(float(v) for v in (self.ink if name == "ink" else paint(name)))

    def _pixels(self, points: tuple[Point, ...] | Floats) -> npt.NDArray[np.int32]:
        flat = (np.array(points) - (self.wood.west, self.wood.north)) * (self.scale, -self.scale)
        return np.round(flat * (1 << SHIFT)).astype(np.int32)

    def _outline(self, shape: Shape) -> npt.NDArray[np.int32]:
        if shape.kind != "circle":
            return self._pixels(shape.points)
        angles = np.linspace(0, 2 * np.pi, 72, endpoint=False)
        around = np.column_stack((np.cos(angles), np.sin(angles)))
        return self._pixels(shape.points[0] + shape.radius * around)

    def _fill(self, shape: Shape, style: Style) -> None:
        if not style.fill or shape.kind == "line":
            return
        outline = self._outline(shape)
        x, y = np.maximum(0, (outline.min(axis=0) >> SHIFT) - 1).tolist()
        w, h = ((outline.max(axis=0) >> SHIFT) + 2 - (x, y)).tolist()
        part = self.texture[y : y + h, x : x + w]
        mask = np.zeros(part.shape[:2], np.uint8)
        cv2.fillPoly(mask, [outline - (x << SHIFT, y << SHIFT)], 255, cv2.LINE_AA, SHIFT)
        cover = mask[..., None] / 255 * style.cover
        grain = (part.mean(axis=2, keepdims=True) / (part.mean() or 1.0)) ** GRAIN_SHOWS
        part[:] = np.clip(part * (1 - cover) + paint(style.fill) * grain * cover, 0, 255)

    def _line(self, shape: Shape, style: Style) -> None:
        width = max(1, round(style.width * self.scale))
        colour, points = self._colour(style.line), self._outline(shape)
        if shape.style == "dashed":
            for start, end in _dashes(points):
                cv2.line(self.texture, start, end, colour, width, cv2.LINE_AA, SHIFT)
        else:
            cv2.polylines(self.texture, [points], shape.kind != "line", colour, width, cv2.LINE_AA, SHIFT)

    def _write(self, shape: Shape, colour: tuple[float, ...]) -> None:
        font, is_number = cv2.FONT_HERSHEY_SIMPLEX, shape.style == "number"
        size, thick = LETTER * self.scale * (NUMBER if is_number else 1.0), 1 if is_number else 2
        (width, height), _ = cv2.getTextSize(shape.words, font, size, thick)
        x, y = self._pixels(shape.points)[0] / (1 << SHIFT)
        start = round(x - width / 2), round(y + height / 2)
        cv2.putText(self.texture, shape.words, start, font, size, colour, thick, cv2.LINE_AA)


def _noise(rng: np.random.Generator, size: tuple[int, int], grain: tuple[int, int]) -> Singles:
    """Returns smooth noise of standard deviation 1/2, with features of a size in pixels."""
    small = rng.normal(0, 0.5, (ceil(size[1] / grain[1]) + 3, ceil(size[0] / grain[0]) + 3))
    wide = small.shape[1] * grain[0], small.shape[0] * grain[1]
    large = cv2.resize(small.astype(np.float32), wide, interpolation=cv2.INTER_CUBIC)
    return np.asarray(large[: size[1], : size[0]], dtype=np.float32)


def _mixed(light: Floats, dark: Floats, tone: Singles) -> Image:
    """Returns the colours between light and dark; a tone below 0 or above 1 goes a little beyond them."""
    steps = np.linspace(-0.25, 1.25, 256)[:, None]
    table = np.clip(light * (1 - steps) + dark * steps, 0, 255).astype(np.uint8)[None]
    level = np.clip((tone + 0.25) * (255 / 1.5), 0, 255).astype(np.uint8)
    return np.asarray(cv2.LUT(cv2.merge([level, level, level]), table), dtype=np.uint8)


def _dashes(points: npt.NDArray[np.int32]) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Returns the sides of a polygon, each as five dashes."""
    ends = list(zip(points, np.roll(points, -1, axis=0), strict=True))
    parts = 2 * DASHES
    cuts = [
        (a + (b - a) * k / parts, a + (b - a) * (k + 1) / parts) for a, b in ends for k in range(0, parts, 2)
    ]
    return [((int(p[0]), int(p[1])), (int(q[0]), int(q[1]))) for p, q in cuts]


def _stick_markers(texture: Image, side: int, edge: int) -> None:
    """Prints ArUco markers on white paper: 0 at the north-west, 1 north-east, 2 south-east, 3 south-west."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    height, width = texture.shape[:2]
    paper, inset = side + 2 * edge, 2
    right, bottom = width - paper - inset, height - paper - inset
    for number, (x, y) in enumerate([(inset, inset), (right, inset), (right, bottom), (inset, bottom)]):
        texture[y : y + paper, x : x + paper] = (236, 240, 242)
        marker = cv2.aruco.generateImageMarker(dictionary, number, side)
        ink = 24 + 0.85 * marker[..., None]
        texture[y + edge : y + edge + side, x + edge : x + edge + side] = ink.astype(np.uint8)


def _rays(view: View, height: float) -> Singles:
    """Returns where the rays of all fine pixels meet a level plane; (h, w, 2) in steps.

    Computed at every eighth pixel and interpolated: between these the bend of lens and plane is tiny.
    """
    width, high = view.size
    xs = np.linspace(-0.5, width - 0.5, width // NODES + 1)
    ys = np.linspace(-0.5, high - 0.5, high // NODES + 1)
    grid = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
    flat = view.lens.undistort(grid) if view.lens else grid
    plane = view.projection[:, [0, 1, 3]].copy()
    plane[:, 2] += height * view.projection[:, 2]
    nodes = mapped(flat, np.linalg.inv(plane)).reshape(len(ys), len(xs), 2).astype(np.float32)
    across, down = _between(len(xs), FINE * width), _between(len(ys), FINE * high)
    return np.stack([down @ nodes[..., k] @ across.T for k in (0, 1)], axis=-1).astype(np.float32)


def _between(nodes: int, count: int) -> Singles:
    """Returns the matrix (count, nodes) of linear interpolation at the middles of `count` equal parts."""
    at = (np.arange(count) + 0.5) / count * (nodes - 1)
    return np.asarray(np.maximum(0, 1 - np.abs(at[:, None] - np.arange(nodes))), dtype=np.float32)


def _table(board: Board, view: View, finish: Finish, drop: float) -> Singles:
    """Returns the table alone, as if it had no end: its texture repeats, mirrored."""
    scale = TABLE_SCALE * RASTER / spacing(board)
    texture = table_texture(finish)
    at = _rays(view, -drop) * np.float32(scale) + np.float32(TABLE_SIDE / 2)
    seen = cv2.remap(texture, at[..., 0], -at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
    return np.asarray(seen, dtype=np.float32)


def _fine(view: View, points: Floats, heights: float | Floats) -> npt.NDArray[np.int32]:
    """Returns board points as cv2's coordinates in the fine picture."""
    pixels = (view.pixels(points, heights) + 0.5) * FINE - 0.5
    return np.round(np.clip(pixels, -9000, 9000) * (1 << SHIFT)).astype(np.int32)


def _plank_shadow(view: View, light: LightSource, wood: Plank, drop: float) -> Singles:
    corners = np.array(wood.corners)
    cast = np.vstack([corners, corners + np.array(light.slant) * drop])
    mask = np.zeros((FINE * view.size[1], FINE * view.size[0]), np.uint8)
    cv2.fillConvexPoly(mask, cv2.convexHull(_fine(view, cast, -drop)), 255, cv2.LINE_AA, SHIFT)
    (sharp, sharp_darkness), (soft, soft_darkness) = (
        (cv2.blur(mask, (size * FINE, size * FINE)), darkness / 255)
        for size, darkness in (SHARP_SHADOW, SOFT_SHADOW)
    )
    both = cv2.addWeighted(sharp, sharp_darkness, soft, soft_darkness, 0, dtype=cv2.CV_32F)
    return np.asarray(both, np.float32)


def _draw_sides(
    picture: Singles, view: View, light: LightSource, wood: Plank, drop: float, colour: Floats
) -> None:
    """Draws those sides of the plank that the camera sees."""
    ends = pairwise([*wood.corners, wood.corners[0]])
    for side, normal, shade in zip(ends, OUTWARD, light.shading(OUTWARD), strict=True):
        if np.dot(np.array(view.eye)[:2] - side[0], normal[:2]) > 0:
            quad = _fine(view, np.array(side)[[0, 1, 1, 0]], np.array([0, 0, -drop, -drop]))
            shaded = colour * shade * SIDE_LIGHT
            cv2.fillConvexPoly(picture, quad, shaded.tolist(), cv2.LINE_AA, SHIFT)


def _lay_plank(picture: Singles, at: Singles, wood: Plank, texture: Image) -> None:
    scale = texture.shape[1] / (wood.east - wood.west)
    across = (at[..., 0] - wood.west) * scale - 0.5
    down = (wood.north - at[..., 1]) * scale - 0.5
    seen = cv2.remap(texture, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    inside = (across > -0.5) & (down > -0.5) & (across < texture.shape[1]) & (down < texture.shape[0])
    np.copyto(picture, seen, where=inside[..., None])


def _glow(view: View, at: Singles, light: LightSource) -> Singles:
    """Returns the factor (h, w) of the light: stronger towards the lamp, and weaker at the lens's edge."""
    x0, y0, x1, y1 = view.extent
    towards, reach = light.direction[:2], max(x1 - x0, y1 - y0)
    along = ((at[..., 0] - (x0 + x1) / 2) * towards[0] + (at[..., 1] - (y0 + y1) / 2) * towards[1]) / reach
    height, width = at.shape[:2]
    x, y = (np.linspace(-1, 1, n, dtype=np.float32) ** 2 for n in (width, height))
    return np.asarray(
        (1 + TOWARDS_LAMP * np.tanh(along * 1.5)) * (1 - VIGNETTE * (x + y[:, None])), dtype=np.float32
    )
