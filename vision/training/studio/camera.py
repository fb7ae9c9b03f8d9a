"""Takes pictures of a scene as cameras do: with blur, light that changes by itself, noise and JPEG.

Also puts pictures straight, as somebody did afterwards in some sets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

import cv2
import numpy as np

from vision.arrays import Floats, Image

Pixels = Sequence[tuple[float, float]]


@dataclass(frozen=True)
class StudioSensor:
    """`exposure` and `tint` (blue, green, red) multiply light, `contrast` bends it, `blur` is in pixels,
    `noise` in grey levels, `sharpening` a share, `quality` that of a JPEG file."""

    exposure: float
    tint: tuple[float, float, float]
    contrast: float
    blur: float
    noise: float
    sharpening: float
    quality: int

    @classmethod
    def by(cls, chance: Random) -> StudioSensor:
        return cls(
            chance.uniform(0.7, 1.3),
            (chance.uniform(0.85, 1.12), 1.0, chance.uniform(0.85, 1.12)),
            chance.uniform(0.8, 1.3),
            chance.choice([0, 0.4, 0.6, 0.9, 1.3]),
            chance.uniform(0.5, 5),
            chance.choice([0, 0, 0.4, 0.9]),
            chance.randint(35, 95),
        )

    def later(self, chance: Random) -> StudioSensor:
        """Returns the same after the camera has adjusted itself, more or less."""
        much = chance.choice([0.0, 0.03, 0.12])
        tint = tuple(c * (1 + chance.uniform(-much, much) / 2) for c in self.tint)
        exposure = self.exposure * (1 + chance.uniform(-1.5 * much, 1.5 * much))
        return replace(self, exposure=exposure, tint=(tint[0], tint[1], tint[2]))

    def shot(self, scene: Image, rng: np.random.Generator) -> Image:
        """Returns a scene (h, w, 3; BGR) as this camera shows it."""
        light = (scene.astype(np.float32) / 255) ** 2.2 * (self.exposure * np.array(self.tint, np.float32))
        tones = np.clip(light, 0, 1.2) ** (self.contrast / 2.2) * 255
        if self.blur:
            tones = np.asarray(cv2.GaussianBlur(tones, (0, 0), self.blur), np.float32)
        tones = tones + rng.normal(0, self.noise, tones.shape)
        if self.sharpening:
            tones = tones + self.sharpening * (tones - cv2.GaussianBlur(tones, (0, 0), 1.2))
        coded = cv2.imencode(".jpg", np.clip(tones, 0, 255), [cv2.IMWRITE_JPEG_QUALITY, self.quality])[1]
        return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)


@dataclass(frozen=True, eq=False)
class Straightening:
    """Puts pictures straight: the board becomes a square, as in recordings that somebody rectified."""

    matrix: Floats
    side: int

    @classmethod
    def of(cls, corners: Pixels, margin: float, side: int) -> Straightening:
        """Puts the corners SW, SE, NE, NW on a square; `margin` is the part of the side that is kept beside
        the board."""
        low, high = margin * side, (1 - margin) * side
        square = [(low, high), (high, high), (high, low), (low, low)]
        matrix = cv2.getPerspectiveTransform(np.array(corners, np.float32), np.array(square, np.float32))
        return cls(np.asarray(matrix, float), side)

    def picture(self, image: Image) -> Image:
        return np.asarray(cv2.warpPerspective(image, self.matrix, (self.side, self.side)), np.uint8)

    def pixels(self, points: Pixels) -> list[tuple[float, float]]:
        moved = np.column_stack((points, np.ones(len(points)))) @ self.matrix.T
        return [(float(x / w), float(y / w)) for x, y, w in moved]
