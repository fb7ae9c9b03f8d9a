"""One thing as the camera sees it: a small picture with an edge of part pixels, and its shadow's outline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, sin
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Floats, Image, Singles
from vision.geometry.view import View
from vision.virtual.render.light import LightSource
from vision.virtual.render.solids import Facets

FINE = 4
"""Pixels of the drawing to one of the sprite, each way."""
SHIFT = 4
"""Fractional bits of cv2's coordinates."""
GLOSS = 170
"""Grey levels of the brightest highlight."""
FOOT_HEIGHT, FOOT_LIGHT, MORE_LIGHT = 0.12, 0.8, 0.2
"""A body is darker at its foot: up to this height (steps); how light it is there, and how much lighter
above."""
PAGE = 96
"""Pixels of the page on which a marker's letter is written."""
LETTER_SIZE, LETTER_WIDTH = 2.6, 9
"""The size of a letter on that page, of cv2's font, and the width of its lines; pixels."""
BRIGHT = 150
"""The mean grey level from which a marker gets a dark letter."""
DARK_INK, LIGHT_INK = (30, 26, 26), (240, 244, 246)
"""The colours of letters: blue, green, red."""
NEAR_SHADOW, FAR_SHADOW = (2, 0.6), (6, 0.55)
"""A shadow is blurred twice: by so many times its softness, and with this share of its darkness."""


@dataclass(frozen=True, eq=False)
class Sprite:
    """A picture (h, w, 3) to be laid at pixel x, y, how much of each pixel it covers (h, w; 0 to 1), and
    the outlines on the picture of the shadows that it casts."""

    x: int
    y: int
    colour: Image
    cover: Singles
    shadows: tuple[Floats, ...]

    def paste(self, picture: Image) -> None:
        """Lays the sprite over a picture, in place; what lies outside is cut off."""
        there, own = self._overlap(picture.shape[1], picture.shape[0])
        part, cover = picture[there], np.ascontiguousarray(self.cover[own])
        if part.size:
            part[:] = cv2.blendLinear(np.ascontiguousarray(self.colour[own]), part.copy(), cover, 1 - cover)

    def mask(self, size: tuple[int, int]) -> Image:
        """Returns how much of each pixel of a picture it covers (h, w; 0 to 255)."""
        mask = np.zeros((size[1], size[0]), np.uint8)
        there, own = self._overlap(*size)
        mask[there] = self.cover[own] * 255
        return mask

    def _overlap(self, width: int, height: int) -> tuple[tuple[slice, slice], tuple[slice, slice]]:
        """Returns the part of a picture that the sprite covers, and the part of the sprite that lies in
        it."""
        x0, y0 = min(width, max(0, self.x)), min(height, max(0, self.y))
        x1 = max(x0, min(width, self.x + self.cover.shape[1]))
        y1 = max(y0, min(height, self.y + self.cover.shape[0]))
        own = np.s_[y0 - self.y : y1 - self.y, x0 - self.x : x1 - self.x]
        return np.s_[y0:y1, x0:x1], own


@dataclass(frozen=True, slots=True)
class Stance:
    """The stance of a body: its foot (x, y, z in steps) and its heading (radians)."""

    x: float
    y: float
    z: float
    turn: float

    def points(self, local: Floats) -> Floats:
        """Returns points of the body (…, 3) in the board's coordinates."""
        c, s = cos(self.turn), sin(self.turn)
        rotation = np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])
        return np.asarray(local @ rotation + (self.x, self.y, self.z))

    def directions(self, local: Floats) -> Floats:
        return self.points(local) - (self.x, self.y, self.z)


def draw_sprite(body: Facets, stance: Stance, view: View, light: LightSource, floor_height: float) -> Sprite:
    """Returns a body as the view shows it. `floor_height`: the plane that its shadow falls on, in steps."""
    facets = stance.points(body.facets)
    pixels = _project(view, facets)
    low = np.floor(pixels.reshape(-1, 2).min(axis=0)).astype(int) - 2
    size = np.ceil(pixels.reshape(-1, 2).max(axis=0)).astype(int) + 3 - low
    canvas = np.zeros((size[1] * FINE, size[0] * FINE, 4), np.uint8)
    colours = _colours(body, facets, stance, view, light)
    fine = np.round(((pixels - low + 0.5) * FINE - 0.5) * (1 << SHIFT)).astype(np.int32)
    for n in _order(body, facets, stance, view):
        cv2.fillConvexPoly(canvas, fine[n], colours[n], cv2.LINE_8, SHIFT)
    if body.letter:
        _write(canvas, body.letter, stance, _Patch(view, low))
    colour, cover = _reduced(canvas, (int(size[0]), int(size[1])))
    return Sprite(int(low[0]), int(low[1]), colour, cover, _shadows(body, facets, view, light, floor_height))


def _project(view: View, points: Floats) -> Floats:
    flat = points.reshape(-1, 3)
    return view.pixels(flat[:, :2], flat[:, 2]).reshape(*points.shape[:-1], 2)


def _colours(body: Facets, facets: Floats, stance: Stance, view: View, light: LightSource) -> list[Any]:
    normals = stance.directions(body.normals)
    eyes = np.array(view.eye) - facets.mean(axis=1)
    eyes /= np.linalg.norm(eyes, axis=1, keepdims=True)
    shade = light.shading(normals)[:, None]
    # Light that the board throws back brightens what faces down, and a foot lies in its own shadow.
    near = np.clip((facets[..., 2].mean(axis=1) - stance.z) / FOOT_HEIGHT, 0, 1)[:, None]
    shine = (body.gloss * light.gloss(normals, eyes))[:, None] * GLOSS
    lit = body.colours * shade * (FOOT_LIGHT + MORE_LIGHT * near) + shine
    return [(b, g, r, 255) for b, g, r in np.clip(lit, 0, 255).tolist()]


def _order(body: Facets, facets: Floats, stance: Stance, view: View) -> list[int]:
    """Returns the facets that face the camera: layer by layer, the farthest first."""
    middles, eye = facets.mean(axis=1), np.array(view.eye)
    towards = np.sum(stance.directions(body.normals) * (eye - middles), axis=1) > 0
    away = np.linalg.norm(middles - eye, axis=1)
    return [int(n) for n in np.lexsort((-away, body.layers)) if towards[n]]


class _Patch:
    """The part of the picture in which a sprite's fine drawing lies."""

    def __init__(self, view: View, low: npt.NDArray[np.int_]) -> None:
        self.view, self.low = view, low

    def fine(self, points: Floats) -> Singles:
        return np.asarray((_project(self.view, points) - self.low + 0.5) * FINE - 0.5, dtype=np.float32)


def _write(canvas: Image, letter: tuple[str, float, float], stance: Stance, patch: _Patch) -> None:
    """Writes a letter on the top of a marker, upright for the south player."""
    words, height, radius = letter
    page = np.zeros((PAGE, PAGE), np.uint8)
    font, size = cv2.FONT_HERSHEY_DUPLEX, LETTER_SIZE / max(1, len(words)) ** 0.5
    (width, high), _ = cv2.getTextSize(words, font, size, LETTER_WIDTH)
    start = (PAGE - width) // 2, (PAGE + high) // 2
    cv2.putText(page, words, start, font, size, 255, LETTER_WIDTH, cv2.LINE_AA)
    top = stance.z + height
    square = np.array(
        [
            [stance.x + dx * radius, stance.y + dy * radius, top]
            for dx, dy in ((-1, 1), (1, 1), (1, -1), (-1, -1))
        ]
    )
    corners = np.array([[0, 0], [PAGE, 0], [PAGE, PAGE], [0, PAGE]], np.float32)
    onto = cv2.getPerspectiveTransform(corners, patch.fine(square))
    ink = cv2.warpPerspective(page, onto, (canvas.shape[1], canvas.shape[0]))[..., None] / 255.0
    bright = canvas[canvas[..., 3] > 0][:, :3].mean() > BRIGHT
    colour = np.array(DARK_INK if bright else LIGHT_INK)
    canvas[..., :3] = (canvas[..., :3] * (1 - ink) + colour * ink).astype(np.uint8)


def _reduced(canvas: Image, size: tuple[int, int]) -> tuple[Image, Singles]:
    """Returns colour and cover at the picture's size; the colour at the edge is that of the covered part."""
    small = cv2.resize(canvas, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    cover = small[..., 3] / np.float32(255)
    colour = small[..., :3] / np.maximum(cover, 1 / 255)[..., None]
    return np.clip(colour, 0, 255).astype(np.uint8), cover


def _shadows(
    body: Facets, facets: Floats, view: View, light: LightSource, floor_height: float
) -> tuple[Floats, ...]:
    east, north = light.slant
    found = []
    for part in body.parts:
        points = facets[part].reshape(-1, 3)
        height = points[:, 2] - floor_height
        cast = np.column_stack((points[:, 0] + east * height, points[:, 1] + north * height))
        pixels = view.pixels(cast, floor_height).astype(np.float32)
        found.append(cv2.convexHull(pixels)[:, 0].astype(float))
    return tuple(found)


def shade(picture: Image, mask: Image, darkness: float) -> None:
    """Darkens a picture (in place) where the mask (h, w; 0 to 255) says."""
    factor = 255 - (mask * np.float32(darkness)).astype(np.uint8)
    picture[:] = cv2.multiply(picture, cv2.merge([factor, factor, factor]), scale=1 / 255)


def cast_shadows(picture: Image, sprites: Sequence[Sprite], spread: float, darkness: float) -> None:
    """Darkens a picture (in place) where the sprites' shadows fall, with an edge of `spread` pixels and a
    wider, fainter one around it."""
    outlines = [np.clip(outline, -999, 9999) for sprite in sprites for outline in sprite.shadows]
    if not outlines:
        return
    border, points = int(FAR_SHADOW[0] * spread) + 2, np.concatenate(outlines)
    low = np.maximum(0, np.floor(points.min(axis=0)).astype(int) - border)
    high = np.ceil(points.max(axis=0)).astype(int) + border
    part = picture[low[1] : max(low[1], high[1]), low[0] : max(low[0], high[0])]
    if not part.size:
        return
    mask = np.zeros(part.shape[:2], np.uint8)
    for outline in outlines:
        cv2.fillConvexPoly(
            mask, np.round((outline - low) * (1 << SHIFT)).astype(np.int32), 255, cv2.LINE_AA, SHIFT
        )
    (near, near_share), (far, far_share) = (
        (_blurred_twice(mask, times * spread), share) for times, share in (NEAR_SHADOW, FAR_SHADOW)
    )
    both = cv2.addWeighted(near, near_share, far, far_share, 0)
    shade(part, np.asarray(both, dtype=np.uint8), darkness)


def _blurred_twice(mask: Image, size: float) -> Image:
    """Returns a mask blurred with an odd window of about this size, twice: the edge is nearly a
    Gaussian's."""
    side = 2 * round(size / 2) + 1
    return np.asarray(cv2.blur(cv2.blur(mask, (side, side)), (side, side)), dtype=np.uint8)
