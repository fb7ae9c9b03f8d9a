"""Puts the picture together: the empty board, shadows, things from far to near, a hand, the sensor's noise.

What was drawn is kept: the empty board for its view and light, each thing where it stands, and by a painter
the table as it lies until something is moved. A painter belongs to one thread.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import atan2, cos, degrees, hypot, radians, sin

import cv2
import numpy as np
import numpy.typing as npt

from companion.core.board import Board, Point
from vision.arrays import Image
from vision.geometry.view import View
from vision.virtual.layout import plank, spacing
from vision.virtual.render.finish import Finish, finish_of
from vision.virtual.render.ground import draw_ground
from vision.virtual.render.hand import draw_hand
from vision.virtual.render.light import LightSource
from vision.virtual.render.solids import Facets, solid
from vision.virtual.render.sprites import Sprite, Stance, cast_shadows, draw_sprite, shade
from vision.virtual.tabletop import Hand, Item, Tabletop, handle

KEPT_SPRITES = 600
"""Sprites that are kept."""
LIFT = 0.45
"""The height above the board at which a hand holds a piece; distances of sites."""
ARM = 3.0
"""The distance towards its side at which a hand's direction is taken; steps."""
STANDING_EDGE, STANDING_DARKNESS = 0.05, 0.42
"""The softness of the shadows of things that stand, in distances of sites, and how dark they are; 0…1."""
HELD_EDGE, HELD_DARKNESS = 0.1, 0.35
"""The same of the shadow of a thing that a hand holds."""
PALM = 0.6
"""The height above the fingertips of the part of a hand that casts its shadow; steps."""
HAND_EDGE, HAND_DARKNESS = 21, 0.4
"""The softness of a hand's shadow, in pixels, and how dark it is; 0…1."""
NOISE_TILE = 64
"""Pixels by which the pattern of noise is shifted at the most, from frame to frame."""
SHADE_EDGE = 0.02
"""The softness of the edge of a shadow across half of the picture, in widths of the picture."""
KNEE, HEADROOM, BEND = 230, 25, 60
"""A sensor's answer near white bends from this grey level on; to so many more; and how softly."""
DAYLIGHT = LightSource()


@dataclass(frozen=True, slots=True)
class ImageSensor:
    """The faults of a camera: noise (standard deviation, grey levels) and blur (of the lens, pixels)."""

    noise: float = 1.6
    blur: float = 0.0


def draw(
    table: Tabletop,
    view: View,
    light: LightSource = DAYLIGHT,
    rng: np.random.Generator | None = None,
    *,
    finish: Finish | None = None,
    sensor: ImageSensor | None = None,
) -> Image:
    """Returns one picture (h, w, 3; BGR) of a table. Without chance (`rng` None) it has no noise."""
    return Painter(table.board, view, light, finish, sensor).draw(table, rng)


class Painter:
    """Draws pictures of one board in one view, light and finish."""

    def __init__(
        self,
        board: Board,
        view: View,
        light: LightSource = DAYLIGHT,
        finish: Finish | None = None,
        sensor: ImageSensor | None = None,
    ) -> None:
        self.board, self.view, self.light = board, view, light
        self.finish, self.sensor = finish or finish_of(board), sensor or ImageSensor()
        self._still: tuple[tuple[Item, ...], Image] | None = None

    def under(self, light: LightSource) -> Painter:
        """Returns the painter for another light: this one, where shadows fall as before."""
        if light.cast != self.light.cast:
            return Painter(self.board, self.view, light, self.finish, self.sensor)
        self.light = light
        self.__dict__.pop("_half_shade", None)
        return self

    def draw(self, table: Tabletop, rng: np.random.Generator | None = None) -> Image:
        """Returns a picture (h, w, 3; BGR); `rng` makes its noise."""
        picture = self._table(table.items).copy()
        if table.hand:
            self._lay_hand(picture, table.hand)
        if self.sensor.blur:
            picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), self.sensor.blur), dtype=np.uint8)
        return self._exposed(picture, rng)

    @cached_property
    def ground(self) -> Image:
        """The empty board in this light at full brightness, without noise."""
        return draw_ground(self.board, self.view, self.light, self.finish)

    def sprite(self, item: Item, lift: float = 0.0) -> Sprite:
        """Returns a thing as it is seen where it stands, or held `lift` above it."""
        return _sprite(self.board, self.view, LightSource(*self.light.cast), self.finish, item, lift)

    def _solid(self, item: Item) -> Facets:
        return solid(self.board, item.look, item.corner, self.finish.carving)

    def _table(self, items: tuple[Item, ...]) -> Image:
        if self._still is None or self._still[0] != items:
            sprites = [self.sprite(item) for item in self._far_to_near(items)]
            picture = self.ground.copy()
            cast_shadows(picture, sprites, STANDING_EDGE * self._step(self._middle), STANDING_DARKNESS)
            for sprite in sprites:
                sprite.paste(picture)
            self._still = items, picture
            return picture
        return self._still[1]

    def _far_to_near(self, items: tuple[Item, ...]) -> list[Item]:
        x, y, _ = self.view.eye
        return sorted(items, key=lambda i: -hypot(handle(i)[0] - x, handle(i)[1] - y))

    def _lay_hand(self, picture: Image, hand: Hand) -> None:
        lift = LIFT * spacing(self.board)
        held = self.sprite(hand.item, lift) if hand.item else None
        if held:
            cast_shadows(picture, [held], HELD_EDGE * self._step(self._middle), HELD_DARKNESS)
        tips = lift + (self._solid(hand.item).height if hand.item else 0.0)
        at = handle(hand.item) if hand.item else hand.at
        fingers = self._hand(hand, at, tips)
        self._hand_shadow(picture, fingers, at, tips)
        if held:
            held.paste(picture)
        fingers.paste(picture)

    def _hand(self, hand: Hand, at: Point, height: float) -> Sprite:
        """Returns the hand's sprite with its fingertips above a point."""
        side = radians(hand.side)
        away = at[0] + ARM * cos(side), at[1] + ARM * sin(side)
        (x, y), (u, v) = self.view.pixels([at, away], [height, height])
        x0, y0, x1, y1 = self.view.extent
        inside = min(max(at[0], x0), x1), min(max(at[1], y0), y1)
        scale = self.view.step_pixels(inside) / self.board.pitch_mm
        sprite = draw_hand(degrees(atan2(y - v, u - x)), scale, self.light, hand.colours)
        return replace(sprite, x=round(x) + sprite.x, y=round(y) + sprite.y)

    def _hand_shadow(self, picture: Image, hand: Sprite, at: Point, height: float) -> None:
        east, north = self.light.slant
        high = height + PALM
        ends = self.view.pixels([at, (at[0] + east * high, at[1] + north * high)], [height, 0.0])
        shift = np.round(ends[1] - ends[0]).astype(int)
        moved = replace(hand, x=hand.x + int(shift[0]), y=hand.y + int(shift[1]))
        mask = cv2.blur(moved.mask(self.view.size), (HAND_EDGE, HAND_EDGE))
        shade(picture, np.asarray(mask, dtype=np.uint8), HAND_DARKNESS)

    @cached_property
    def _middle(self) -> Point:
        x0, y0, x1, y1 = self.view.extent
        return (x0 + x1) / 2, (y0 + y1) / 2

    def _step(self, at: Point) -> float:
        """Returns how many pixels long a distance of sites is at a point."""
        return self.view.step_pixels(at) * spacing(self.board)

    def _exposed(self, picture: Image, rng: np.random.Generator | None) -> Image:
        """Returns the picture at the light's brightness, colour and shade, with the sensor's noise."""
        if self.light.gains != (1.0, 1.0, 1.0):
            picture = np.asarray(cv2.LUT(picture, _curves(self.light.gains)), dtype=np.uint8)
        if self.light.shade:
            picture = np.asarray(cv2.multiply(picture, self._half_shade, scale=1 / 255), dtype=np.uint8)
        if rng is None or not self.sensor.noise:
            return picture
        tile, (width, height) = self._noise, self.view.size
        y, x = (int(n) for n in rng.integers(0, NOISE_TILE, 2))
        noisy = cv2.add(picture, tile[y : y + height, x : x + width], dtype=cv2.CV_8U)
        return np.asarray(noisy, dtype=np.uint8)

    @cached_property
    def _noise(self) -> npt.NDArray[np.int16]:
        width, height = self.view.size
        rng = np.random.default_rng(5)
        grain = rng.normal(0, self.sensor.noise, (height + NOISE_TILE, width + NOISE_TILE, 3))
        return np.round(cv2.blur(grain, (2, 2)) * 1.2 + 0.6 * grain).astype(np.int16)

    @cached_property
    def _half_shade(self) -> Image:
        width, height = self.view.size
        edge = 1 / (1 + np.exp(-(np.arange(width) - 0.5 * width) / (SHADE_EDGE * width)))
        row = (255 * (1 - self.light.shade * (1 - edge))).astype(np.uint8)
        return np.ascontiguousarray(np.broadcast_to(row[None, :, None], (height, width, 3)))


@lru_cache(maxsize=KEPT_SPRITES)
def _sprite(board: Board, view: View, cast: LightSource, finish: Finish, item: Item, lift: float) -> Sprite:
    """Returns a thing where it stands, or held `lift` above it, where light and shadow fall as in `cast`."""
    below = finish.thickness * spacing(board)
    stands = 0.0 if plank(board).holds(handle(item)) else -below
    stance = Stance(*item.at, stands + lift, item.turn)
    body = solid(board, item.look, item.corner, finish.carving)
    return draw_sprite(body, stance, view, cast, stands)


def _curves(gains: tuple[float, float, float]) -> Image:
    """Returns a table (1, 256, 3) that multiplies, and bends near white as a sensor does."""
    values = np.arange(256)[:, None] * np.array(gains)
    knee = np.where(values > KNEE, KNEE + HEADROOM * np.tanh((values - KNEE) / BEND), values)
    curves = np.clip(np.where(np.array(gains) <= 1, values, knee), 0, 255)
    return np.asarray(curves[None], dtype=np.uint8)
