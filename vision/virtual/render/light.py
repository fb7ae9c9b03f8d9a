"""Light on the table: where it comes from, how bright and how warm it is, and how it shades a face."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, exp, radians, sin
from typing import Any

import numpy as np
import numpy.typing as npt

from vision.arrays import Floats

RADIATION = 0.014388
"""The second radiation constant (CODATA); m K."""
WAVELENGTHS = (465e-9, 550e-9, 610e-9)
"""The wavelengths of a sensor's blue, green and red; m."""
SHARPNESS = 24.0
"""How small a highlight is."""
NEUTRAL = 5000.0
"""The colour temperature of light that is white; K."""


@dataclass(frozen=True, slots=True)
class LightSource:
    """A lamp or window at `azimuth` and `elevation` (degrees; azimuth 0 is the east, 90 the north), the
    part of the light that comes from all around, the brightness (1 is a well exposed picture), the
    colour temperature in kelvin, and how dark a shadow across the west half is (0 to 1).
    """

    azimuth: float = 130.0
    elevation: float = 52.0
    ambient: float = 0.5
    brightness: float = 1.0
    kelvin: float = NEUTRAL
    shade: float = 0.0

    @property
    def direction(self) -> Floats:
        """The unit vector towards the light: east, north, up."""
        a, e = radians(self.azimuth), radians(self.elevation)
        return np.array([cos(e) * cos(a), cos(e) * sin(a), sin(e)])

    @property
    def slant(self) -> tuple[float, float]:
        """The shift of the shadow of a point one step up from the point's foot; steps east and north."""
        x, y, z = self.direction
        return float(-x / z), float(-y / z)

    @property
    def cast(self) -> tuple[float, float, float]:
        """The values that decide where light and shadow fall: what is drawn with them can be kept while they
        hold."""
        return self.azimuth, self.elevation, self.ambient

    @property
    def gains(self) -> tuple[float, float, float]:
        """Blue, green and red times this: brightness, and half of the colour of the light (a camera's
        white balance makes up for the rest)."""
        power = [exp(-RADIATION / w * (1 / self.kelvin - 1 / NEUTRAL) / 2) for w in WAVELENGTHS]
        blue, green, red = (self.brightness * p / power[1] for p in power)
        return blue, green, red

    def shading(self, normals: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Returns how bright faces with these normals (…, 3) are, the level board being 1."""
        towards = self.direction
        level = self.ambient + (1 - self.ambient) * towards[2]
        sky = self.ambient / level * (0.72 + 0.28 * normals[..., 2])
        lamp = np.maximum(0.0, normals @ ((1 - self.ambient) / level * towards).astype(normals.dtype))
        return np.asarray(sky + lamp)

    def gloss(self, normals: Floats, eyes: Floats) -> Floats:
        """Returns the highlight on faces with these normals, seen from these unit directions (0 to 1)."""
        half = eyes + self.direction
        half /= np.linalg.norm(half, axis=1, keepdims=True)
        return np.asarray(np.maximum(0.0, np.sum(normals * half, axis=1)) ** SHARPNESS)


def paint(colour: str) -> Floats:
    """Returns blue, green and red (0 to 255) of `#rrggbb`."""
    value = int(colour.lstrip("#"), 16)
    return np.array([value & 255, value >> 8 & 255, value >> 16], dtype=float)
