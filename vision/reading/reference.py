"""The empty board: what the picture would show if nothing stood there.

Kept as one rectified picture of the board's plane, so that it serves any view. It comes from a picture
of the empty board, or is pieced together from the places that calibration pictures show empty.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry.view import View
from vision.reading.sample import SampleMap, Sampler

Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]
Image = npt.NDArray[np.uint8]

PX_PER_STEP = 40
MARGIN = 2.0
MISFIT = 0.3
"""How much of the change around a sample counts as its noise."""


@dataclass(frozen=True, eq=False)
class Reference:
    """The empty board from straight above, and `origin`: the view that places points in the raster.

    `doubt`, where the board was pieced together: grey levels (h, w) by which its grain may differ.
    """

    raster: Image
    origin: View
    doubt: Image | None = None

    @classmethod
    def of(cls, image: Image, view: View) -> Reference:
        return cls(view.rectify(image, PX_PER_STEP, MARGIN), view)

    def doubted(self, times: float) -> Reference:
        """The same with its doubt so many times as large."""
        if self.doubt is None:
            return self
        return replace(self, doubt=np.clip(self.doubt * times, 0, 255).astype(np.uint8))

    @cached_property
    def spread(self) -> Image:
        """How much the raster changes within a pixel or so, what a small misfit of the view can do; and
        the doubt, as a change that would do as much."""
        kernel = np.ones((3, 3), np.uint8)
        grey = cv2.cvtColor(self.raster, cv2.COLOR_BGR2GRAY)
        change = np.asarray(cv2.morphologyEx(grey, cv2.MORPH_GRADIENT, kernel), dtype=np.uint8)
        if self.doubt is None:
            return change
        return np.asarray(np.clip(change + self.doubt / MISFIT, 0, 255), dtype=np.uint8)

    def at(self, points: Floats) -> tuple[Singles, Singles]:
        """Colours (…, 3) and spread (…) at board points (…, 2), 0…255."""
        where = SampleMap(self.origin.rectified(points.reshape(-1, 2), PX_PER_STEP, MARGIN))
        colours = where.read(self.raster).reshape(*points.shape[:-1], 3)
        return colours, where.read(self.spread).reshape(points.shape[:-1])

    def blocks(self, sampler: Sampler) -> tuple[Singles, Singles]:
        """What the sampler's blocks would show of the empty board, and its spread."""
        return self.at(sampler.shadows(sampler.blocks))

    def field(self, sampler: Sampler) -> tuple[Singles, Singles]:
        return self.at(sampler.layout.field)

    def clear_of(self, sampler: Sampler, places: list[int]) -> Singles:
        """Raster mask: 0 where pieces on these places may stand before the board, else 1."""
        mask = np.ones(self.raster.shape[:2], np.float32)
        shadows = sampler.shadows(sampler.blocks)
        for place in places:
            points = self.origin.rectified(shadows[place].reshape(-1, 2), PX_PER_STEP, MARGIN)
            cv2.fillConvexPoly(mask, cv2.convexHull(np.round(points).astype(np.int32)), 0)
        return mask
