"""Changes of pictures at a table: the camera mounted otherwise, other light, a worse picture, a bump."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from math import ceil, exp
from random import Random

import cv2
import numpy as np
import numpy.typing as npt

from benchmarks.picture_sets.series import Frame, Size, through
from companion.core.board import Board
from companion.core.game import Place
from vision.arrays import Floats, Image
from vision.virtual.render.hand import draw_hand
from vision.virtual.render.light import LightSource
from vision.virtual.tabletop import HandColours

Point = tuple[float, float]
RADIATION = 0.014388
"""Second radiation constant, m K."""
WAVELENGTHS = (465e-9, 550e-9, 610e-9)
"""The wavelengths of a sensor's blue, green and red; m."""
BALANCED = 4000.0
"""The temperature (K) for which the camera's balance is set: in mired the middle of 2700 and 6500."""
GAMMA = 2.2
SHADE = 0.4
"""The part of the light that is left in a shadow."""
CLOSE, AROUND = 0.3, 0.5
"""Steps around the board in a picture cut close, and in a rectified one."""
STEP_MM = 40.0
"""The length of a step beside a hand."""
REACH = (0.2, 0.8)
"""Parts of the board's width and length to which fingertips reach."""
TINTS = (0.4, 1.25)
"""The difference of skin and sleeves from the drawn hand's in each colour."""
SHADOW_MM, SOFT_MM = 25.0, 8.0
"""The distance of a shadow from its arm, and the softness of its edge."""
HIDES = 0.8
"""Steps from what hides a place within which it may hide what stands there, or its head."""


@dataclass(frozen=True)
class Change:
    """A change of pictures; `apply` is given the pixel of the board's middle."""

    name: str
    apply: Callable[[Image, Point], Image]


@dataclass(frozen=True)
class Mounting:
    """Another place of the camera, another cut of its picture: the board is learned so, too."""

    name: str
    frame: Frame


def turned(size: Size, _: Floats, __: Board, turns: int) -> tuple[Floats, Size]:
    """Turns by quarters anticlockwise, as a camera turned clockwise shows it."""
    warp = np.eye(3)
    for _turn in range(turns):
        width, height = size
        warp, size = np.array([[0.0, 1, 0], [-1, 0, width - 1], [0, 0, 1]]) @ warp, (height, width)
    return warp, size


def resized(size: Size, _: Floats, __: Board, factor: float) -> tuple[Floats, Size]:
    shift = (factor - 1) / 2
    warp = np.array([[factor, 0, shift], [0, factor, shift], [0, 0, 1]])
    return warp, (round(size[0] * factor), round(size[1] * factor))


def cropped(_: Size, matrix: Floats, board: Board) -> tuple[Floats, Size]:
    """Cuts close to the board, so that its border and the heads of pieces at the far side are cut off."""
    pixels = through(matrix, board.outline)
    rim = CLOSE * step_pixels(matrix, board)
    low, high = np.floor(pixels.min(axis=0) - rim), np.ceil(pixels.max(axis=0) + rim)
    warp = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]])
    width, height = (high - low).astype(int) + 1
    return warp, (int(width), int(height))


def rectified(size: Size, matrix: Floats, board: Board) -> tuple[Floats, Size]:
    """Shows the board as if from straight above, north up, with steps about as long as they were."""
    step = step_pixels(matrix, board)
    outline = np.array(board.outline)
    (west, south), (east, north) = outline.min(axis=0) - AROUND, outline.max(axis=0) + AROUND
    raster = np.array([[step, 0, -west * step - 0.5], [0, -step, north * step - 0.5], [0, 0, 1]])
    return raster @ np.linalg.inv(matrix), (ceil((east - west) * step), ceil((north - south) * step))


def step_pixels(matrix: Floats, board: Board) -> float:
    """Returns the mean length of a step on the board, in pixels."""
    around = through(matrix, board.corners).astype(np.float32)
    flat = np.array(board.corners, np.float32)
    return float(np.sqrt(cv2.contourArea(around) / cv2.contourArea(flat)))


def reached_over(image: Image, matrix: Floats, board: Board, chance: Random) -> tuple[Image, Image]:
    """Returns the picture with an arm over the board, from a side and of colours that chance chooses, and the
    mask of what it hides."""
    scale = step_pixels(matrix, board) / STEP_MM
    low, high = np.min(board.outline, axis=0), np.max(board.outline, axis=0)
    tip = low + (high - low) * (chance.uniform(*REACH), chance.uniform(*REACH))
    (x, y) = through(matrix, tip[None])[0]
    drawn = draw_hand(chance.uniform(0, 360), scale, LightSource(), HandColours())
    tint = np.array([chance.uniform(*TINTS) for _ in range(3)])
    colour = _image(np.clip(drawn.colour * tint, 0, 255))
    hand = replace(drawn, x=round(x) + drawn.x, y=round(y) + drawn.y, colour=colour)
    mask = hand.mask((image.shape[1], image.shape[0]))
    aside = np.array([[1, 0, SHADOW_MM * scale], [0, 1, 0]], np.float32)
    fallen = cv2.warpAffine(mask, aside, mask.shape[::-1]).astype(np.float32) / 255
    shadow = cv2.GaussianBlur(fallen, (0, 0), SOFT_MM * scale)
    out = _image(image * (1 - (1 - SHADE ** (1 / GAMMA)) * shadow)[..., None])
    hand.paste(out)
    return out, _image(mask > 0)


def hidden(mask: Image, matrix: Floats, board: Board) -> frozenset[Place]:
    """Returns the places of which a mask hides something, or what may stand there."""
    reach = HIDES * step_pixels(matrix, board)
    away = cv2.distanceTransform(1 - mask, cv2.DIST_L2, 5)
    places = {**board.sites, **board.places}
    pixels = np.round(through(matrix, list(places.values()))).astype(int)
    inside = np.clip(pixels, 0, (mask.shape[1] - 1, mask.shape[0] - 1))
    return frozenset(p for p, (x, y) in zip(places, inside, strict=True) if away[y, x] <= reach)


def scaled(image: Image, factor: float) -> Image:
    how = cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
    return _image(cv2.resize(image, None, fx=factor, fy=factor, interpolation=how))


def brightened(image: Image, factor: float) -> Image:
    return _image(np.clip(image * np.float32(factor), 0, 255))


def lit(image: Image, kelvin: float) -> Image:
    """Shows the picture in the light of a black body, while the camera keeps its balance."""
    change = [exp(-RADIATION / w * (1 / kelvin - 1 / BALANCED)) for w in WAVELENGTHS]
    gains = (np.array(change) / change[1]) ** (1 / GAMMA)
    return _image(np.clip(image * gains.astype(np.float32), 0, 255))


def pressed(image: Image, quality: int) -> Image:
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return _image(cv2.imdecode(data, cv2.IMREAD_COLOR))


def blurred(image: Image, sigma: float) -> Image:
    return _image(cv2.GaussianBlur(image, (0, 0), sigma))


def shaded(image: Image, middle: Point, direction: float, softness: float) -> Image:
    """Returns a shadow over what lies in a direction (degrees, 0 to the right, 90 down) from a point; its
    edge has this softness in pixels."""
    y, x = np.indices(image.shape[:2], dtype=np.float32)
    across, down = np.cos(np.radians(direction)), np.sin(np.radians(direction))
    far = (x - np.float32(middle[0])) * across + (y - np.float32(middle[1])) * down
    light = 1 - (1 - SHADE) / (1 + np.exp(-far / softness))
    return _image(image * (light ** (1 / GAMMA))[..., None])


def shifted(image: Image, across: float, down: float) -> Image:
    """Shifts by parts of the picture's width and height; the border is repeated where nothing was seen."""
    height, width = image.shape[:2]
    motion = np.array([[1, 0, across * width], [0, 1, down * height]], np.float32)
    return _image(cv2.warpAffine(image, motion, (width, height), borderMode=cv2.BORDER_REPLICATE))


def _image(array: npt.ArrayLike | None) -> Image:
    return np.asarray(array, dtype=np.uint8)


def _everywhere(change: Callable[..., Image], amount: float) -> Callable[[Image, Point], Image]:
    """Returns a change of this amount that is the same wherever the board lies."""
    return lambda image, _: change(image, amount)


MOUNTED = (
    *(Mounting(f"turned by {90 * n}°", partial(turned, turns=n)) for n in (1, 2, 3)),
    *(Mounting(f"scaled by {f}", partial(resized, factor=f)) for f in (0.5, 2)),
    Mounting("cropped to the board", cropped),
    Mounting("rectified", rectified),
)
"""The camera mounted otherwise, and the board learned so."""
WORSE = (
    *(Change(f"frames scaled by {f}", _everywhere(scaled, f)) for f in (0.5, 2)),
    *(Change(f"exposure × {f}", _everywhere(brightened, f)) for f in (0.6, 1.5)),
    *(Change(f"light of {k} K", _everywhere(lit, k)) for k in (2700, 6500)),
    Change("JPEG quality 40", _everywhere(pressed, 40)),
    Change("blur of 2 px", _everywhere(blurred, 2)),
    Change("soft shadow, left half", lambda i, m: shaded(i, m, 180, 20)),
    Change("hard shadow, right half", lambda i, m: shaded(i, m, 0, 1.5)),
    Change("shadow aslant, near half", lambda i, m: shaded(i, m, 70, 8)),
)
"""Learned on plain pictures, and then this."""
BUMPS = (
    ("right", 0.05, 0.0),
    ("left", -0.05, 0.0),
    ("up", 0.0, -0.05),
    ("aslant", 0.04, 0.03),
    ("a little", 0.01, 0.006),
)
"""Parts of the picture's width and height by which the camera is shifted between two frames."""
