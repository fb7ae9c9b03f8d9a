"""Illumination: what light a frame is in, beside the light of the empty board that is known.

The gain is smooth over the board (`vision.light.gain`), fitted to a grid of points all over it, so that
most of them agree: pieces and hands are outliers.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry.samples import SampleMap
from vision.geometry.view import View
from vision.light.gain import fit_gain, terms
from vision.reading.layout import Layout
from vision.reading.reference import Reference

Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]
Image = npt.NDArray[np.uint8]
SOFT = 0.3
"""The side of the windows over which light is compared, in units."""
USUAL = 0.65
"""How light the light tone of a board is in a well exposed picture, 0…1."""
DARKEST = 80.0
"""Grey level that counts as full light at the least: below it noise would be blown up."""


class Illumination:
    """Compares frames of one view with the empty board."""

    def __init__(self, layout: Layout, view: View, reference: Reference) -> None:
        self._known, _ = reference.at(layout.field)
        self._map = SampleMap(view.pixels(layout.field))
        self._design = terms(layout.field, view.extent)
        self._places = terms(layout.points, view.extent)
        self._extent = view.extent
        x0, y0, x1, y1 = view.extent
        side = max(1, round(SOFT * layout.unit * view.step_pixels(((x0 + x1) / 2, (y0 + y1) / 2))))
        self._window = side, side
        self.full = brightness(self._known)
        """The grey level of the reference that counts as full light."""

    def fit(self, image: Image) -> Singles:
        """The gain's coefficients (6, 3) for a frame (`vision.light.gain`)."""
        smooth = np.asarray(cv2.blur(image, self._window), dtype=np.uint8)
        return fit_gain(self._map.read(smooth), self._known, self._design)

    def gains(self, light: Singles) -> Singles:
        """(places, 3): by how much brighter than the reference each place is in a light that was fitted."""
        return np.asarray(np.exp(self._places @ light), np.float32)

    def gains_at(self, light: Singles, points: Floats) -> Singles:
        """(…, 3): the same at board points (…, 2)."""
        return np.asarray(np.exp(terms(points, self._extent) @ light), np.float32)


def brightness(field: Singles) -> float:
    """The grey level that counts as full light on a board (n, 3): lower in a dark picture, where all colours
    lie close together."""
    return float(np.clip(np.quantile(field.mean(axis=1), 0.9) / USUAL, DARKEST, 255.0))
