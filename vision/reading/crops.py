"""Crops: the small picture around each place that the network sees.

A crop lies in the camera's picture, not on the board's plane: what stands up looks in it as it stands. It is
scaled so that the distance of neighbouring sites is always the same, and turned by quarters so that heads of
pieces point up. The crop of a part of a site (a Port's corner) is turned so that the part is at the top.
"""

from __future__ import annotations

from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Floats, Image, Indices, Singles
from vision.geometry.view import View
from vision.known.layout import PlaceLayout
from vision.known.reference import Reference

WIDTH, HEIGHT = 48, 64
"""Pixels of a crop."""
SCALE = 24.0
"""Pixels of a crop to the distance of neighbouring sites."""
FOOT = (23.5, 33.5)
"""The point of a crop at which its place lies: heads are seen above it, and below it the feet of those that
stand in front, whose heads may reach into this place."""
LEANS = 0.15
"""Units by which a piece of one unit's height must lean in the picture for its head to tell what is up."""


class Crops:
    """The crops of all places of a layout, laid out in pictures of one view.

    `margin` pixels are added on each side (for training, which shifts crops).
    """

    def __init__(self, layout: PlaceLayout, view: View, margin: int = 0) -> None:
        self.layout, self.view = layout, view
        self.size = WIDTH + 2 * margin, HEIGHT + 2 * margin
        width, height = self.size
        x, y = np.meshgrid(np.arange(width) - margin - FOOT[0], np.arange(height) - margin - FOOT[1])
        offsets = np.stack((x, y), axis=-1) / SCALE
        turned = np.einsum("nij,hwj->nhwi", self._axes, offsets)
        self.pixels = turned + view.pixels(layout.points)[:, None, None, :]
        """(places, height, width, 2): the picture's pixels that the crops show."""
        lines = self.pixels.reshape(-1, width, 2).astype(np.float32)
        map_x, map_y = cv2.convertMaps(lines[..., 0], lines[..., 1], cv2.CV_16SC2)
        self._map_x, self._map_y = map_x.reshape(-1, height, width, 2), map_y.reshape(-1, height, width)
        self._soft = 0.4 * float(np.median(self._lengths)) / SCALE

    def read(self, image: Image, rows: Indices | None = None) -> Image:
        """Returns the crops of some places, or of all, of a picture of the view's size: (places, height,
        width, 3)."""
        width, height = self.size
        rows = np.arange(len(self.pixels)) if rows is None else rows
        if not len(rows):
            return np.empty((0, height, width, 3), np.uint8)
        map_x, map_y = self._map_x[rows].reshape(-1, width, 2), self._map_y[rows].reshape(-1, width)
        if self._soft > 0.5:  # a finer picture than the crops: what is lost must not turn into grain
            image = self._softened(image, map_x)
        seen = cv2.remap(image, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(seen, dtype=np.uint8).reshape(len(rows), height, width, 3)

    def _softened(self, image: Image, pixels: npt.NDArray[np.int16]) -> Image:
        """Returns a picture that is softened where some pixels (…, 2) lie; elsewhere it may show
        anything."""
        last = image.shape[1] - 1, image.shape[0] - 1
        within = np.clip(pixels.reshape(-1, 2), 0, last)
        beyond = 2 + round(4 * self._soft)
        left, top = np.maximum(within.min(axis=0) - beyond, 0).tolist()
        right, bottom = (within.max(axis=0) + beyond).tolist()
        out, part = np.empty_like(image), (slice(top, bottom), slice(left, right))
        out[part] = cv2.GaussianBlur(image[part], (0, 0), self._soft)
        return out

    def of_reference(self, reference: Reference) -> tuple[Singles, Singles]:
        """Returns the empty board's crops, (places, height, width, 3), and how much it is guessed there,
        (places, height, width); 0…255."""
        return reference.at(self._shown)

    @cached_property
    def _shown(self) -> Floats:
        """(places, height, width, 2): the points of the board's plane that the crops show. A lens makes them
        dear, and each lesson asks for them."""
        return self.view.board(self.pixels.reshape(-1, 2)).reshape(self.pixels.shape)

    @cached_property
    def _lengths(self) -> Floats:
        """(places): pixels to the distance of neighbouring sites, along the longer way."""
        points, unit = self.layout.points, self.layout.unit
        half = 0.25 * unit
        east, north = (self.view.pixels(points + d) - self.view.pixels(points - d) for d in half * np.eye(2))
        jacobian = np.stack((east, north), axis=-1) / (2 * half)
        return np.asarray(np.linalg.svd(jacobian, compute_uv=False)[:, 0] * unit)

    @cached_property
    def _axes(self) -> Floats:
        """(places, 2, 2): the pixels of the picture that a unit across and down a crop measures."""
        up = np.repeat(self._up[None], len(self.layout.points), axis=0)
        parts = np.array([bool(kind) for kind in self.layout.kinds])
        if parts.any():
            middles = self.view.pixels(self.layout.points[parts])
            up[parts] = self.view.pixels(self.layout.where[parts]) - middles
            up[parts] /= np.linalg.norm(up[parts], axis=1, keepdims=True)
        across = np.stack((-up[:, 1], up[:, 0]), axis=1)
        return np.asarray(np.stack((across, -up), axis=2) * self._lengths[:, None, None])

    @cached_property
    def _up(self) -> Floats:
        """The direction in the picture, by quarters, in which pieces on the board's middle stand up."""
        middle, unit = self.layout.points.mean(axis=0)[None], self.layout.unit
        lean = (self.view.pixels(middle, unit) - self.view.pixels(middle))[0]
        if np.linalg.norm(lean) < LEANS * np.median(self._lengths):
            return np.array([0.0, -1.0])
        along = int(np.abs(lean).argmax())
        return np.asarray(np.sign(lean[along]) * np.eye(2)[along])
