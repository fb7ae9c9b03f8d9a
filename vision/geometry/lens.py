"""The lens of a camera: how straight lines of the world bend in its picture.

It takes pixels of the undistorted picture to those of the real one and back, by a pinhole and the four
leading terms of OpenCV's distortion model (k1, k2 radial; p1, p2 tangential). It is estimated from the lines
of the board when that is located.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from companion.core.errors import CompanionError
from companion.core.json_value import JsonValue, JsonValueError
from companion.language import say
from vision.arrays import Floats

RANGES = {
    "fx": (1.0, 1e6),
    "fy": (1.0, 1e6),
    "cx": (-1e5, 1e5),
    "cy": (-1e5, 1e5),
    "k1": (-100.0, 100.0),
    "k2": (-100.0, 100.0),
    "p1": (-0.1, 0.1),
    "p2": (-0.1, 0.1),
}
"""The least and most that each value of a lens can be: pixels, then terms of the model. The tilt of a lens
(p1, p2) is below 0.05; at 0.2 the way back from a distortion would run away."""
USUAL_FOCAL = 0.85
"""The focal length of a camera of which nothing is known, as a share of the picture's longer side: a field of
view of about 61°, as webcams and phones have."""
INVERSIONS = 40
"""Steps of the fixed-point iteration that undoes a distortion, at most."""
SETTLED = 1e-8
"""The greatest change by such a step after which no other follows; rays."""
FOLD = 0.8
"""The share of the radius at which a barrel distortion would fold back, squared, up to which it is
followed."""


class LensError(CompanionError, ValueError):
    """Numbers that give no lens; one line that says why."""


@dataclass(frozen=True, slots=True)
class Lens:
    """The focal lengths and principal point of a camera in pixels, and its distortion in OpenCV's model."""

    fx: float
    fy: float
    cx: float
    cy: float
    k1: float = 0.0
    k2: float = 0.0
    p1: float = 0.0
    p2: float = 0.0

    @property
    def matrix(self) -> Floats:
        """The camera matrix (3, 3) of the pinhole."""
        return np.array([[self.fx, 0, self.cx], [0, self.fy, self.cy], [0, 0, 1]], dtype=float)

    @property
    def coefficients(self) -> Floats:
        """The distortion (4) in OpenCV's order."""
        return np.array([self.k1, self.k2, self.p1, self.p2])

    def distort(self, points: Floats) -> Floats:
        """Returns where points (n, 2) of the undistorted picture lie in the real one; pixels.

        Past the radius where a strong barrel would fold back the bend is held: such points lie far
        outside the picture, and must not come back into it.
        """
        x, y = self._rays(points)
        r2 = np.minimum(x * x + y * y, self._fold())
        radial = 1 + r2 * (self.k1 + r2 * self.k2)
        u = x * radial + 2 * self.p1 * x * y + self.p2 * (r2 + 2 * x * x)
        v = y * radial + self.p1 * (r2 + 2 * y * y) + 2 * self.p2 * x * y
        return self._pixels(u, v)

    def undistort(self, points: Floats) -> Floats:
        """Inverts `distort`, to a thousandth of a pixel within the picture."""
        u, v = self._rays(points)
        x, y = u, v
        with np.errstate(all="ignore"):  # far outside the picture the steps may grow beyond all numbers
            for _ in range(INVERSIONS):
                r2 = np.minimum(x * x + y * y, self._fold())
                radial = 1 + r2 * (self.k1 + r2 * self.k2)
                before = x, y
                x = (u - 2 * self.p1 * x * y - self.p2 * (r2 + 2 * x * x)) / radial
                y = (v - self.p1 * (r2 + 2 * y * y) - 2 * self.p2 * x * y) / radial
                if np.abs(np.subtract((x, y), before)).max(initial=0.0) < SETTLED:
                    break
        return self._pixels(x, y)

    def scaled(self, factor: float) -> Lens:
        """Returns the same lens for a picture scaled by `factor` (pixel middles at whole numbers)."""
        shift = (factor - 1) / 2
        cx, cy = self.cx * factor + shift, self.cy * factor + shift
        return replace(self, fx=self.fx * factor, fy=self.fy * factor, cx=cx, cy=cy)

    def to_json(self) -> dict[str, float]:
        """Returns the lens as a profile holds it."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Lens:
        """Returns the lens that a profile holds. LensError unless all values are numbers that a lens can
        have."""
        try:
            values = {name: entry.number(*RANGES[name]) for name, entry in JsonValue(data).pairs()}
            return cls(**values)
        except JsonValueError as error:
            raise LensError(say("not a lens: {problem}", problem=str(error))) from error
        except (KeyError, TypeError) as error:
            raise LensError(say("not a lens: it has {names}", names=", ".join(RANGES))) from error

    def _fold(self) -> float:
        """Returns the squared radius (of rays) up to which the radial part surely grows with the radius."""
        bend = 3 * min(self.k1, 0.0) + 5 * min(self.k2, 0.0)
        return FOLD / -bend if bend < 0 else np.inf

    def _rays(self, points: Floats) -> tuple[Floats, Floats]:
        return (points[:, 0] - self.cx) / self.fx, (points[:, 1] - self.cy) / self.fy

    def _pixels(self, x: Floats, y: Floats) -> Floats:
        return np.column_stack((x * self.fx + self.cx, y * self.fy + self.cy))


def usual_lens(size: tuple[int, int], focal: float | None = None) -> Lens:
    """Returns the lens to assume for a picture of `size` (width, height) of whose camera nothing is known."""
    width, height = size
    focal = focal or USUAL_FOCAL * max(width, height)
    return Lens(focal, focal, (width - 1) / 2, (height - 1) / 2)
