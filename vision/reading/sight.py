"""Sight: makes the network's input for each place.

It has seven planes for each crop: the frame's colours in the light of the reference (3), the reference's (3),
and whether the reference is guessed there (1). Colours count from 0 to about 1; doubt is 0, GUESSED or 1.
"""

from __future__ import annotations

import numpy as np

from vision.arrays import Image, Indices, Singles
from vision.geometry.view import View
from vision.known.layout import PlaceLayout
from vision.known.reference import UNSEEN, Reference
from vision.light.illumination import Illumination
from vision.reading.crops import Crops

BRIGHTEST = 1.35
"""The most that a colour counts: what a camera blanks is no brighter."""
GUESSED = 0.5
"""The doubt of a part of the board that is guessed; of a part of which nothing is known it is 1."""


class Sight:
    """One view of a board, and what of the board is known in it."""

    def __init__(
        self,
        layout: PlaceLayout,
        view: View,
        reference: Reference,
        margin: int = 0,
        crops: Crops | None = None,
    ) -> None:
        """Prepares a view; `crops` are those of the same view, where they are at hand."""
        self.crops = crops or Crops(layout, view, margin)
        self.illumination = Illumination(layout, view, reference)
        empty, doubt = self.crops.of_reference(reference)
        self.empty = np.minimum(empty / self.illumination.full, BRIGHTEST).astype(np.float32)
        """(places, height, width, 3): the empty board."""
        self.doubt = np.where(doubt >= UNSEEN, 1.0, np.where(doubt > 0, GUESSED, 0.0)).astype(np.float32)
        """(places, height, width)."""

    def colours(self, image: Image, rows: Indices | None = None, light: Singles | None = None) -> Singles:
        """Returns (places, height, width, 3): the crops of some places of a frame, or of all, in the light of
        the reference. `light` is that on the frame (`Illumination.fit`), where it is known."""
        rows = np.arange(len(self.empty)) if rows is None else rows
        light = self.illumination.fit(image) if light is None else light
        full = self.illumination.gains(light)[rows] * self.illumination.full
        even = self.crops.read(image, rows) / full[:, None, None, :]
        return np.minimum(even, BRIGHTEST, dtype=np.float32)

    def planes(self, colours: Singles, rows: Indices) -> Singles:
        """Returns (rows, 7, height, width): what the network is given of these places."""
        whole = (colours, self.empty[rows], self.doubt[rows][..., None])
        return np.ascontiguousarray(np.concatenate(whole, axis=3).transpose(0, 3, 1, 2), dtype=np.float32)
