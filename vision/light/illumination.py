"""Illumination: the light of a frame beside the light in which the empty board was learned.

In goes a frame; out come gains, smooth over the board (`vision.light.gain`), by which `vision.reading` brings
crops into the light of the empty board. They are fitted to a grid of points all over the board, most of which
show it: pieces and hands are outliers.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Floats, Image, Singles
from vision.geometry.samples import SampleMap
from vision.geometry.view import View
from vision.known.layout import PlaceLayout
from vision.known.reference import Reference
from vision.light.gain import fit_gain, terms

SOFT = 0.3
"""The side of the windows over which light is compared; units (the distance between neighbouring places)."""
LIGHT_TONE = 0.9
"""The quantile of a board's lightness that its light tone has: some of a light field is dark by grain."""
USUAL = 0.65
"""The brightness of a board's light tone in a well exposed picture; a share of full light, 0…1."""
DARKEST = 80.0
"""The least grey level that counts as full light: below it noise would be blown up."""


class Illumination:
    """Compares frames of one view with the empty board."""

    def __init__(self, layout: PlaceLayout, view: View, reference: Reference) -> None:
        self._known, _ = reference.at(layout.field)
        self._map = SampleMap(view.pixels(layout.field))
        self._design = terms(layout.field, view.extent)
        self._places = terms(layout.points, view.extent)
        self._extent = view.extent
        side = max(1, round(SOFT * layout.unit * view.step_pixels(view.middle)))
        self._window = side, side
        self.full = brightness(self._known)
        """The grey level of the reference that counts as full light."""

    def fit(self, image: Image) -> Singles:
        """Returns the gain's coefficients (6, 3) for a frame (h, w, 3); see `vision.light.gain`."""
        smooth = np.asarray(cv2.blur(image, self._window), dtype=np.uint8)
        return fit_gain(self._map.read(smooth), self._known, self._design)

    def gains(self, light: Singles) -> Singles:
        """Returns factors (places, 3): how much brighter than the reference each place is in a fitted
        light."""
        return np.asarray(np.exp(self._places @ light), np.float32)

    def gains_at(self, light: Singles, points: Floats) -> Singles:
        """Returns the same factors (…, 3) at board points (…, 2)."""
        return np.asarray(np.exp(terms(points, self._extent) @ light), np.float32)


def brightness(field: Singles) -> float:
    """Returns the grey level that counts as full light on a board, of which `field` (n, 3) holds colours.

    It is lower in a dark picture, where all colours lie close together.
    """
    return float(np.clip(np.quantile(field.mean(axis=1), LIGHT_TONE) / USUAL, DARKEST, 255.0))
