"""What happens to pictures at a table: the camera mounted otherwise, other light, a worse picture, a bump."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import exp

import cv2
import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
Point = tuple[float, float]
RADIATION = 0.014388
"""Second radiation constant, m K."""
WAVELENGTHS = (465e-9, 550e-9, 610e-9)
"""Of a sensor's blue, green and red."""
BALANCED = 4000.0
"""The temperature (K) for which the camera's balance is set: in mired the middle of 2700 and 6500."""
GAMMA = 2.2
SHADE = 0.4
"""The part of the light that is left in a shadow."""


@dataclass(frozen=True)
class Change:
    """A change of pictures; `apply` is given the pixel of the board's middle."""

    name: str
    apply: Callable[[Image, Point], Image]
    learned: bool = False
    """Whether it was so when the board was learned."""
    turns: int = 0
    """Quarters by which the camera is turned."""


def scaled(image: Image, factor: float) -> Image:
    how = cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
    return _image(cv2.resize(image, None, fx=factor, fy=factor, interpolation=how))


def turned(image: Image, turns: int) -> Image:
    """By quarters anticlockwise, as a camera turned clockwise shows it."""
    return np.ascontiguousarray(np.rot90(image, turns))


def brightened(image: Image, factor: float) -> Image:
    return _image(np.clip(image * np.float32(factor), 0, 255))


def lit(image: Image, kelvin: float) -> Image:
    """In the light of a black body, while the camera keeps its balance."""
    change = [exp(-RADIATION / w * (1 / kelvin - 1 / BALANCED)) for w in WAVELENGTHS]
    gains = (np.array(change) / change[1]) ** (1 / GAMMA)
    return _image(np.clip(image * gains.astype(np.float32), 0, 255))


def pressed(image: Image, quality: int) -> Image:
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return _image(cv2.imdecode(data, cv2.IMREAD_COLOR))


def blurred(image: Image, sigma: float) -> Image:
    return _image(cv2.GaussianBlur(image, (0, 0), sigma))


def shaded(image: Image, middle: Point, direction: float, softness: float) -> Image:
    """A shadow over what lies in a direction (degrees, 0 to the right, 90 down) from a point; its edge has
    this softness in pixels."""
    y, x = np.indices(image.shape[:2], dtype=np.float32)
    across, down = np.cos(np.radians(direction)), np.sin(np.radians(direction))
    far = (x - np.float32(middle[0])) * across + (y - np.float32(middle[1])) * down
    light = 1 - (1 - SHADE) / (1 + np.exp(-far / softness))
    return _image(image * (light ** (1 / GAMMA))[..., None])


def shifted(image: Image, across: float, down: float) -> Image:
    """By parts of the picture's width and height; what comes in is as the border was."""
    height, width = image.shape[:2]
    motion = np.array([[1, 0, across * width], [0, 1, down * height]], np.float32)
    return _image(cv2.warpAffine(image, motion, (width, height), borderMode=cv2.BORDER_REPLICATE))


def _image(array: npt.NDArray[np.generic]) -> Image:
    return np.asarray(array, dtype=np.uint8)


MOUNTED = (
    *(Change(f"turned by {90 * n}°", lambda i, _, n=n: turned(i, n), True, n) for n in (1, 2, 3)),
    *(Change(f"scaled by {f}", lambda i, _, f=f: scaled(i, f), True) for f in (0.5, 2)),
)
"""The camera mounted otherwise, and the board learned so."""
WORSE = (
    *(Change(f"frames scaled by {f}", lambda i, _, f=f: scaled(i, f)) for f in (0.5, 2)),
    *(Change(f"brightness × {f}", lambda i, _, f=f: brightened(i, f)) for f in (0.6, 1.4)),
    *(Change(f"light of {k} K", lambda i, _, k=k: lit(i, k)) for k in (2700, 6500)),
    Change("JPEG quality 40", lambda i, _: pressed(i, 40)),
    Change("blur of 2 px", lambda i, _: blurred(i, 2)),
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
