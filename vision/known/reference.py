"""The empty board: the picture that a camera would show if nothing stood there.

It is kept as one rectified picture of the board's plane, so that it serves any view. It comes from a picture
of the empty board, or is pieced together from places that calibration pictures show empty.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Floats, Image, Mask, Singles
from vision.geometry.samples import SampleMap
from vision.geometry.view import View
from vision.known.layout import PlaceLayout

Gains = Callable[[Floats], Singles]

PX_PER_STEP = 40
MARGIN = 2.0
FOLLOWS = 0.1
"""The share by which a lesson of the game moves the colours of the bare board."""
COARSE = 16
"""Pixels of the raster between points at which light is worked out: it changes smoothly."""
UNSEEN = 64
"""Grey levels of doubt where nothing is known of the board."""
STANDS = 0.5
"""Units from its site that a piece reaches."""


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

    def at(self, points: Floats) -> tuple[Singles, Singles]:
        """Returns the colours (…, 3) and the doubt (…) at board points (…, 2), 0…255."""
        where = SampleMap(self.origin.rectified(points.reshape(-1, 2), PX_PER_STEP, MARGIN))
        colours = where.read(self.raster).reshape(*points.shape[:-1], 3)
        if self.doubt is None:
            return colours, np.zeros(points.shape[:-1], np.float32)
        return colours, where.read(self.doubt).reshape(points.shape[:-1])

    def learned(self, image: Image, view: View, gains: Gains, bare: Mask) -> Reference:
        """Returns the reference as a frame shows it where the board is bare, in the light of the reference.

        Parts that were guessed are replaced, the rest moves a little. `gains` tells the frame's light at
        board points.
        """
        height, width = self.raster.shape[:2]
        x0, _, _, y1 = self.origin.extent
        across = x0 - MARGIN + (np.arange(0, width, COARSE) + 0.5) / PX_PER_STEP
        down = y1 + MARGIN - (np.arange(0, height, COARSE) + 0.5) / PX_PER_STEP
        light = cv2.resize(gains(np.stack(np.meshgrid(across, down), axis=-1)), (width, height))
        shown = np.full(image.shape[:2], 255, np.uint8)
        seen = bare & (view.rectify(shown, PX_PER_STEP, MARGIN) == 255)
        doubt = np.zeros((height, width), np.uint8) if self.doubt is None else self.doubt
        share = np.where(doubt > 0, 1.0, FOLLOWS).astype(np.float32) * seen
        raster = view.rectify(image, PX_PER_STEP, MARGIN) / np.maximum(light, 0.05)
        raster -= self.raster  # in place: the raster is large, and a lesson comes with every action
        raster *= share[..., None]
        raster += self.raster
        np.clip(np.rint(raster, out=raster), 0, 255, out=raster)
        return Reference(
            raster.astype(np.uint8),
            self.origin,
            None if self.doubt is None else np.where(seen, 0, doubt).astype(np.uint8),
        )

    def clear_of(self, layout: PlaceLayout, view: View, places: Sequence[int], height: float) -> Mask:
        """Returns the part of the raster (a mask) that pieces on these places, up to a height (steps), cannot
        hide in a view."""
        hidden = np.zeros(self.raster.shape[:2], np.uint8)
        around = np.linspace(0, 2 * np.pi, 12, endpoint=False)
        ring = STANDS * layout.unit * np.stack((np.cos(around), np.sin(around)), axis=1)
        for place in places:
            feet = layout.points[place] + ring
            heads = np.column_stack((feet, np.full(len(feet), height)))
            hull = np.concatenate((feet, view.behind(heads)))
            points = self.origin.rectified(hull, PX_PER_STEP, MARGIN)
            cv2.fillConvexPoly(hidden, cv2.convexHull(np.round(points).astype(np.int32)), 1)
        return np.asarray(hidden == 0)
