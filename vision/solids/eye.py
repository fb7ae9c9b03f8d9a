"""Reads the looks of pieces by solids: forms, colours and prints that were fitted to pictures of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from companion.board import Board
from companion.core import EMPTY, Look
from vision.calibration.profile import Example
from vision.geometry.view import View
from vision.light.gain import fit_gain, terms
from vision.reading.reference import Reference
from vision.solids.balance import balance
from vision.solids.classify import Explainer, Explanation
from vision.solids.compose import complete
from vision.solids.evidence import strangers
from vision.solids.learn import learn
from vision.solids.model import Geometry, Model
from vision.solids.relief import Faces, graded
from vision.solids.sample import LevelLayout, Sampler
from vision.solids.scene import Scene, make_scene

Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]
SOFT = 0.2
"""How far pictures are softened before they are sampled, in distances of samples."""
FULL = 255.0
"""The grey level that counts as full light."""
NOISE = 0.01, 0.04
"""The least and the most noise of a picture's samples; full light is 1."""


class Eye:
    """One view of a board, prepared: samples, reference and appearances."""

    def __init__(self, layout: LevelLayout, view: View, reference: Reference) -> None:
        self.layout, self.view = layout, view
        self.sampler = Sampler(layout, view)
        self._field, _ = reference.at(layout.field)
        points = self.sampler.shadows(self.sampler.blocks)[self.sampler.unique]
        self._blocks = reference.at(points)[0] / FULL
        self._spread = _spread(reference).at(points)[0][..., 0] / FULL
        self._design = terms(layout.field, view.extent)
        self._sites = terms(layout.points[self.sampler.unique], view.extent)
        middle = tuple(layout.points.mean(axis=0))
        self._soft = max(SOFT * layout.spacing * view.step_pixels(middle), 0.3)

    def scene(self, image: Image) -> Scene:
        """What an image of the view's size shows."""
        colours, noise, white = self.samples(image)
        board = np.minimum(self._blocks, white)
        scene = make_scene(self.sampler, colours, board, self._spread, noise)
        return replace(scene, image=image)

    def samples(self, image: Image) -> tuple[Singles, float, Singles]:
        """The samples in the reference's light, 0…1, their noise, and what the picture shows of all that is
        lighter than it can show."""
        smooth = np.asarray(cv2.GaussianBlur(image, (0, 0), self._soft), dtype=np.uint8)
        field = self.sampler.field_of(smooth)
        gain = fit_gain(field, self._field, self._design)
        light = np.exp(self._sites @ gain)[:, None, None, None]
        miss = np.abs(field / np.exp(self._design @ gain) - self._field)
        # Pieces may hide half of the board.
        noise = float(np.clip(2 * np.quantile(miss, 0.25) / FULL, *NOISE))
        return self.sampler.blocks_of(smooth) / (FULL * light), noise, 1 / light

    def explainer(self, models: Sequence[Model]) -> Explainer:
        geometry = Geometry.of(self.sampler)
        appearances = [geometry.appearance(m) for m in models]
        return Explainer(
            self.sampler,
            [*appearances, *strangers(appearances)],
            Faces(self.sampler, geometry, models).told,
        )


class SolidReader:
    """Reads the frames of one view by models."""

    def __init__(
        self, layout: LevelLayout, view: View, reference: Reference, models: Sequence[Model]
    ) -> None:
        self._eye = Eye(layout, view, reference)
        self._explainer = self._eye.explainer(models)

    def explain(self, frame: Image) -> Explanation:
        return self._explainer.explain(self._eye.scene(frame))


def teach(
    board: Board,
    layout: LevelLayout,
    view: View,
    reference: Reference,
    looks: Sequence[Look],
    examples: Sequence[Example],
) -> tuple[Model, ...]:
    """The models of all looks, from pictures of the view's size; none where no picture shows a piece."""
    known = [{p: look for p, look in e.looks.items() if look != EMPTY} for e in examples]
    if not any(known):
        return ()
    eye = Eye(layout, view, reference)
    scenes = [eye.scene(e.image) for e in examples]
    seen, caps = learn(scenes, known)
    made = complete(seen, caps, looks, board, layout.unit)
    geometry = Geometry.of(eye.sampler)
    models = graded(geometry, made, scenes, known)
    return tuple(balance(geometry, models, scenes, known))


def _spread(reference: Reference) -> Reference:
    """How much a reference changes within a pixel or so: what a small misfit of the view can do."""
    grey = cv2.cvtColor(reference.raster, cv2.COLOR_BGR2GRAY)
    change = cv2.morphologyEx(grey, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)).astype(np.float32)
    whole = np.clip(change, 0, 255).astype(np.uint8)
    return Reference(np.repeat(whole[..., None], 3, axis=2), reference.origin)
