"""A hand with a sleeve, reaching over the board: rounded limbs seen from above, each shaded as a swell.

Drawn flat in millimetres with the fingertips at the origin and the arm towards positive x, then turned to
the side that it comes from. A hand drawn for an angle and a scale is kept: as it moves it changes slowly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import cos, radians, sin
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Floats, Image, Singles
from vision.virtual.render.light import LightSource, paint
from vision.virtual.render.sprites import Sprite
from vision.virtual.tabletop import HandColours

SHIFT = 4
"""Fractional bits of cv2's coordinates."""
SIZES = 14
"""Hands are drawn for scales that differ by a factor of exp(1 / SIZES)."""
ANGLE = 6
"""Hands are drawn for every sixth degree."""
LENGTH = 600.0
"""The length of arm and sleeve, out of every picture; mm."""
AMBIENT, LAMP = 0.30, 0.68
"""The brightness of a limb where no lamp shines, and that which a lamp adds."""


class Ball(NamedTuple):
    """The thickness of a limb at one point: x away from the fingertips, y across, radius; mm."""

    x: float
    y: float
    radius: float


@dataclass(frozen=True, slots=True)
class Limb:
    """A chain of balls and what lies between them; `part` names its colour (`HandColours`)."""

    balls: tuple[Ball, ...]
    part: str


LIMBS = (
    Limb((Ball(238, 2, 43), Ball(300, 0, 48), Ball(LENGTH, -10, 62)), "sleeve"),
    Limb((Ball(226, 2, 47), Ball(238, 2, 47)), "cuff"),
    Limb((Ball(74, -30, 11), Ball(96, -24, 17)), "skin"),
    Limb((Ball(48, -33, 9), Ball(62, -32, 10.5), Ball(96, -18, 20)), "skin"),
    Limb((Ball(20, 17, 8.5), Ball(42, 30, 10.5), Ball(76, 33, 14), Ball(118, 14, 24)), "skin"),
    Limb((Ball(86, -13, 24), Ball(86, 6, 25), Ball(124, 2, 30), Ball(160, 2, 27), Ball(240, 2, 34)), "skin"),
    Limb((Ball(22, -19, 8.5), Ball(48, -24, 10.5), Ball(88, -16, 14), Ball(108, -10, 13)), "skin"),
    Limb((Ball(9, -8, 8), Ball(34, -10, 9.5), Ball(58, -6, 11), Ball(92, 4, 14), Ball(112, 4, 12)), "skin"),
    Limb((Ball(6, -7.5, 4.6), Ball(11, -8, 4.8)), "nails"),
    Limb((Ball(18, 17.5, 4.6), Ball(24, 19.5, 5.0)), "nails"),
)
"""Sleeve and cuff, little and ring finger, thumb, back of the hand and forearm, middle and index finger,
two nails: in the order in which they are drawn."""


def draw_hand(angle: float, scale: float, light: LightSource, colours: HandColours) -> Sprite:
    """Returns the hand whose arm leaves the fingertips at an angle (degrees, anticlockwise from the picture's
    right), `scale` pixels to a millimetre; its x and y are those of fingertips at (0, 0)."""
    return _drawn(round(angle / ANGLE) * ANGLE, round(float(np.log(scale)) * SIZES), light.cast, colours)


@lru_cache(maxsize=96)
def _drawn(angle: int, size: int, cast: tuple[float, float, float], colours: HandColours) -> Sprite:
    light, scale = LightSource(*cast), float(np.exp(size / SIZES))
    limbs = [_placed(limb, radians(angle), scale) for limb in LIMBS]
    low, high = _bounds(limbs)
    canvas = np.zeros((*(high - low)[::-1], 4), np.float32)
    for limb, balls in zip(LIMBS, limbs, strict=True):
        _swell(canvas, balls - (*low, 0), paint(getattr(colours, limb.part)), light)
    cover = canvas[..., 3].copy()
    colour = np.clip(canvas[..., :3] / np.maximum(cover, 1e-3)[..., None], 0, 255).astype(np.uint8)
    return Sprite(int(low[0]), int(low[1]), colour, cover, ())


def _placed(limb: Limb, angle: float, scale: float) -> Floats:
    """Returns the balls (n, 3) in pixels: y downwards."""
    along, across = np.array([cos(angle), -sin(angle)]), np.array([sin(angle), cos(angle)])
    return np.array([[*(scale * (b.x * along + b.y * across)), scale * b.radius] for b in limb.balls])


def _bounds(limbs: Sequence[Floats]) -> tuple[npt.NDArray[np.int_], npt.NDArray[np.int_]]:
    balls = np.concatenate(limbs)
    low = np.floor((balls[:, :2] - balls[:, 2:]).min(axis=0)).astype(int) - 1
    return low, np.ceil((balls[:, :2] + balls[:, 2:]).max(axis=0)).astype(int) + 2


def _swell(canvas: Singles, balls: Floats, colour: Floats, light: LightSource) -> None:
    """Paints a limb on the canvas (colour times cover, and cover), rounded towards its edges."""
    low = np.maximum(0, np.floor((balls[:, :2] - balls[:, 2:]).min(axis=0)).astype(int) - 2)
    high = np.ceil((balls[:, :2] + balls[:, 2:]).max(axis=0)).astype(int) + 3
    part = canvas[low[1] : high[1], low[0] : high[0]]
    mask = _limb_mask(part.shape[:2], balls - (*low, 0))
    cover = mask.astype(np.float32)[..., None] / 255
    shade = _rounded(mask, float(balls[:, 2].max()), light)
    lit = colour.astype(np.float32) * (AMBIENT + LAMP * shade)[..., None]
    part[..., :3] += (lit - part[..., :3]) * cover
    part[..., 3:] += (1 - part[..., 3:]) * cover


def _rounded(mask: Image, thick: float, light: LightSource) -> Singles:
    """Returns how light falls on a limb as thick as this (pixels); a thick one is computed at half its
    size."""
    coarse = 2 if thick > 12 else 1
    width, height = mask.shape[1], mask.shape[0]
    small = mask[::coarse, ::coarse]
    inside = np.minimum(cv2.distanceTransform(small, cv2.DIST_L2, 5) * (coarse / thick), 1)
    swell = thick / coarse * np.sqrt(np.maximum(0, 1 - (1 - inside) ** 2))
    soft = 2 * round(0.14 * thick / coarse) + 1
    swell = cv2.blur(cv2.blur(swell, (soft, soft)), (soft, soft))
    west, north = (cv2.Sobel(swell, cv2.CV_32F, x, 1 - x, scale=1 / 8) for x in (1, 0))
    length = np.sqrt(west * west + north * north + 1)
    shade = light.shading(np.stack([-west / length, north / length, 1 / length], axis=-1))
    return np.asarray(cv2.resize(shade.astype(np.float32), (width, height)), dtype=np.float32)


def _limb_mask(shape: tuple[int, ...], balls: Floats) -> Image:
    mask = np.zeros(shape, np.uint8)
    for a, b in pairwise(balls):
        around = np.linspace(0, 2 * np.pi, 40, endpoint=False)
        circle = np.column_stack((np.cos(around), np.sin(around)))
        both = np.vstack([a[:2] + a[2] * circle, b[:2] + b[2] * circle]).astype(np.float32)
        hull = np.round(cv2.convexHull(both) * (1 << SHIFT)).astype(np.int32)
        cv2.fillConvexPoly(mask, hull, 255, cv2.LINE_AA, SHIFT)
    return mask
