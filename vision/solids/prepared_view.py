"""Prepares a view of a board for solids: where its samples are, and what the empty board shows there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from vision.arrays import Image, Indices, Singles
from vision.geometry.view import View
from vision.known.reference import Reference
from vision.light.gain import fit_gain, terms
from vision.solids.classify import Explainer
from vision.solids.evidence import strangers
from vision.solids.model import Geometry, Model
from vision.solids.sample import LevelLayout, Sampler
from vision.solids.sampled_frame import SampledFrame, sample_frame

SOFT = 0.2
"""The reach by which pictures are softened before they are sampled, in distances of samples."""
LEAST_SOFT = 0.3
"""The least that they are softened; pixels."""
FULL = 255.0
"""The grey level that counts as full light."""
NOISE = 0.01, 0.04
"""The least and the most noise of a picture's samples; full light is 1."""


class PreparedView:
    """One view of a board, in which frames are sampled and compared with the empty board."""

    def __init__(self, layout: LevelLayout, view: View, reference: Reference) -> None:
        self.layout, self.view = layout, view
        self.sampler = Sampler(layout, view)
        self._field, _ = reference.at(layout.field)
        points = view.behind(self.sampler.blocks)[self.sampler.unique]
        self._blocks = reference.at(points)[0] / FULL
        self._spread = _spread(reference).at(points)[0][..., 0] / FULL
        self._design = terms(layout.field, view.extent)
        self._sites = terms(layout.points[self.sampler.unique], view.extent)
        middle = tuple(layout.points.mean(axis=0))
        self._soft = max(SOFT * layout.spacing * view.step_pixels(middle), LEAST_SOFT)

    def sample(self, image: Image, near: Indices | None = None) -> SampledFrame:
        """Returns the samples of an image of the view's size, compared with the empty board; of blocks that
        are `near` some places alone, where these are given: the others are as if nothing stood there."""
        blocks = np.arange(len(self.sampler.unique)) if near is None else self.sampler.blocks_near(near)
        colours, noise, white = self.samples(image, blocks)
        board = np.minimum(self._blocks[blocks], white)
        found = sample_frame(self.sampler, colours, board, self._spread[blocks], noise)
        return replace(found.placed(blocks, len(self.sampler.unique)), image=image)

    def samples(self, image: Image, blocks: Indices) -> tuple[Singles, float, Singles]:
        """Returns the samples of some blocks of an image in the reference's light, their noise, and how light
        a sample can be.

        All are 0…1. What is lighter than the picture can show counts as that light as it can show.
        """
        smooth = np.asarray(cv2.GaussianBlur(image, (0, 0), self._soft), dtype=np.uint8)
        field = self.sampler.field_of(smooth)
        gain = fit_gain(field, self._field, self._design)
        light = np.exp(self._sites[blocks] @ gain)[:, None, None, None]
        miss = np.abs(field / np.exp(self._design @ gain) - self._field)
        # Pieces may hide half of the board: a quarter of all points is half of those that are bare.
        noise = float(np.clip(2 * np.quantile(miss, 0.25) / FULL, *NOISE))
        return self.sampler.blocks_of(smooth, blocks) / (FULL * light), noise, 1 / light

    def explainer(self, models: Sequence[Model]) -> Explainer:
        """Returns what explains this view's frames by models, pieces of any other look among them."""
        geometry = Geometry.of(self.sampler)
        appearances = [geometry.appearance(m) for m in models]
        return Explainer(self.sampler, [*appearances, *strangers(appearances)])


def _spread(reference: Reference) -> Reference:
    """Returns how much a reference changes within a pixel or so: what a small misfit of the view can do."""
    grey = cv2.cvtColor(reference.raster, cv2.COLOR_BGR2GRAY)
    change = cv2.morphologyEx(grey, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)).astype(np.float32)
    whole = np.clip(change, 0, 255).astype(np.uint8)
    return Reference(np.repeat(whole[..., None], 3, axis=2), reference.origin)
