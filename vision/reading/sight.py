"""Sight: what the network is given of each place.

Seven planes for each crop: the frame's colours in the light of the reference (3), the reference's (3), and
whether the reference is guessed there (1). Colours count from 0 to about 1, doubt is 0, GUESSED or 1.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.geometry.view import View
from vision.light.illumination import Illumination
from vision.reading.crops import Crops
from vision.reading.layout import Layout
from vision.reading.reference import UNSEEN, Reference

Singles = npt.NDArray[np.float32]
Image = npt.NDArray[np.uint8]
BRIGHTEST = 1.35
"""The most that a colour counts: what a camera blanks is no brighter."""
GUESSED = 0.5
"""What a guessed part of the board counts in the plane of doubt; what nothing is known of counts 1."""


class Sight:
    """One view of a board, and what of the board is known in it."""

    def __init__(self, layout: Layout, view: View, reference: Reference, margin: int = 0) -> None:
        self.crops = Crops(layout, view, margin)
        self.illumination = Illumination(layout, view, reference)
        empty, doubt = self.crops.of_reference(reference)
        self.empty = np.minimum(empty / self.illumination.full, BRIGHTEST).astype(np.float32)
        """(places, height, width, 3): the empty board."""
        self.doubt = np.where(doubt >= UNSEEN, 1.0, np.where(doubt > 0, GUESSED, 0.0)).astype(np.float32)
        """(places, height, width)."""

    def colours(self, image: Image, light: Singles | None = None) -> Singles:
        """(places, height, width, 3): the frame's crops in the light of the reference. `light` is that on the
        frame (`Illumination.fit`), where it is known."""
        light = self.illumination.fit(image) if light is None else light
        full = self.illumination.gains(light) * self.illumination.full
        even = self.crops.read(image) / full[:, None, None, :]
        return np.minimum(even, BRIGHTEST, dtype=np.float32)

    def planes(self, colours: Singles, rows: npt.NDArray[np.intp] | None = None) -> Singles:
        """(places, 7, height, width): what the network is given, of all places or of some."""
        which = slice(None) if rows is None else rows
        whole = (colours[which], self.empty[which], self.doubt[which][..., None])
        return np.ascontiguousarray(np.concatenate(whole, axis=3).transpose(0, 3, 1, 2), dtype=np.float32)
