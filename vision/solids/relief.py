"""Tells faces of pieces apart by their relief: how uneven they are, whatever gloss or shade lies on them.

A mark that is printed or burnt into a face is finer than the samples, and gloss changes the colour of a face
more than a mark does. So faces of one build and paint are told apart by their relief, where they differ in
it: what is left of a face's picture when its smooth part is taken off, as a share of its brightness.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np

from companion.core.board import Board
from vision.arrays import Floats, Image, Indices, Singles
from vision.light.gain import FLOOR
from vision.solids.classify import Explainer
from vision.solids.evidence import SHIFTS
from vision.solids.model import Geometry, Model, standing
from vision.solids.piece_markers import top_slab
from vision.solids.sample import SLACK, Sampler
from vision.solids.sampled_frame import SampledFrame
from vision.solids.synthesis import owner

GRID = 24
"""Points along a side of a face's picture."""
INNER = 0.75
"""The part of a face's radius that is looked at: pieces stand a little beside where they are found."""
USUAL = 0.3
"""The usual difference between reliefs of one face; logarithm."""
APART = 0.9
"""The least difference in relief by which faces are told apart; logarithm."""
GRAIN = 2.0
"""Grey levels of relief that noise makes of any face."""
MOST, LEAST = 16.0, 5.0
"""The most that relief says for one face against another, and what is left for colours then; nats."""


@dataclass(frozen=True, eq=False)
class Faces:
    """The faces of a lineup of models that are told apart by relief, in one view."""

    sampler: Sampler
    geometry: Geometry
    models: Sequence[Model]

    @cached_property
    def families(self) -> list[list[int]]:
        """Models of one owner and build of which some two differ in relief."""
        groups: dict[object, list[int]] = {}
        for k, model in enumerate(self.models):
            if model.relief is not None:
                groups.setdefault((owner(model.look), model.radii), []).append(k)
        return [group for group in groups.values() if self._is_apart(group)]

    def _is_apart(self, group: Sequence[int]) -> bool:
        reliefs = [self._relief(k) for k in group]
        return max(reliefs) - min(reliefs) > APART

    def _relief(self, model: int) -> float:
        relief = self.models[model].relief
        assert relief is not None
        return relief

    def reweigh(self, totals: Floats, shifts: Indices, image: Image | None) -> Floats:
        """Returns the scores (places, looks), those of faces that differ in relief by their relief."""
        if image is None or not self.families:
            return totals
        named = totals[:, : len(self.models)]  # the look that is not known comes after them
        out, best = totals.copy(), named.argmax(axis=1)
        for family in self.families:
            at = np.flatnonzero(np.isin(best, family) & (named.max(axis=1) > 0))
            if len(at):
                seen = self.measure(image, at, best[at], shifts[at, best[at]])
                for place, relief in zip(at, seen, strict=True):
                    out[place, family] = self._weighed(totals[place, family], family, relief)
        return out

    def _weighed(self, scores: Floats, family: Sequence[int], relief: float) -> Floats:
        """Returns scores of one family's faces at a place where this relief is seen."""
        off = np.array([relief - self._relief(k) for k in family]) / USUAL
        fits = np.maximum(-0.5 * off**2, -MOST)
        colours = np.maximum(scores - scores.max(), -LEAST)
        both = fits + colours
        return np.asarray(scores.max() + both - both.max())

    def measure(self, image: Image, places: Indices, models: Indices, shifts: Indices) -> Singles:
        """Returns the relief (n) of the faces of pieces that stand at places; logarithm."""
        if not len(places):
            return np.empty(0, np.float32)
        pixels = self._pixels(places, models, shifts).astype(np.float32)
        flat = pixels.reshape(len(places), -1, 2)
        seen = cv2.remap(image, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        faces = seen.astype(np.float32)
        rough = faces - _SMOOTH @ (_SMOOTH.T @ faces)
        deviation = np.sqrt((rough**2).mean(axis=(1, 2)))
        bright = faces.mean(axis=(1, 2)) + FLOOR
        return np.asarray(np.log((deviation + GRAIN) / bright), dtype=np.float32)

    def _pixels(self, places: Indices, models: Indices, shifts: Indices) -> Floats:
        """Returns where the points of faces are in the picture (n, points, 2)."""
        layout = self.sampler.layout
        moved = np.array([SHIFTS[s] for s in shifts], float)[:, ::-1] - SLACK  # across, along
        middles = layout.points[places] + layout.spacing * np.einsum(
            "ni,nij->nj", moved, self.sampler.axes[places]
        )
        tops = np.array([_top(self.models[m], self.geometry.heights) for m in models])
        points = middles[:, None] + INNER * tops[:, None, :1] * _DISC
        heights = np.repeat(tops[:, 1], len(_DISC))
        return self.sampler.view.pixels(points.reshape(-1, 2), heights).reshape(len(places), -1, 2)


def _disc() -> Floats:
    """Returns points of a disc of radius 1, on a grid."""
    axis = np.linspace(-1, 1, GRID)
    grid = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    return np.asarray(grid[(grid**2).sum(axis=1) <= 1])


def _smoothing(points: Floats) -> Singles:
    """Returns an orthonormal basis (points, 6) of the quadratics."""
    x, y = points.T
    basis, _ = np.linalg.qr(np.stack((np.ones_like(x), x, y, x * x, x * y, y * y), axis=1))
    return np.asarray(basis, dtype=np.float32)


_DISC = _disc()
_SMOOTH = _smoothing(_DISC)


def _top(model: Model, heights: Sequence[float]) -> tuple[float, float]:
    """Returns radius and height of a solid's uppermost face; steps."""
    top = top_slab(model)
    return model.radii[top], heights[top] + (heights[1] - heights[0]) / 2


def face_of(model: Model) -> str:
    """Returns the name of a model's face, without its owner."""
    return model.look.partition("/")[2]


def _has_face(model: Model, board: Board) -> bool:
    """Returns whether it is a disc: only what is flat shows nothing but what is printed on it."""
    if model.kind or "+" in model.look or not any(r > 0 for r in model.radii):
        return False
    return board.pieces.face(model.look).form == "disc"


def with_reliefs(
    geometry: Geometry,
    models: Sequence[Model],
    frames: Sequence[SampledFrame],
    looks: Sequence[Mapping[str, str]],
) -> list[Model]:
    """Returns the models with the relief that their faces show in frames of which it is known what stands
    where; of a look that was only put together, that of the same face in another paint."""
    sampler = frames[0].sampler
    if not any(_has_face(m, sampler.layout.board) for m in models):
        return list(models)
    faces = Faces(sampler, geometry, models)
    explainer = Explainer(sampler, [geometry.appearance(m) for m in models])
    found: dict[int, list[float]] = {}
    for frame, stand in zip(frames, looks, strict=True):
        for model, reliefs in _seen(faces, explainer, frame, stand).items():
            found.setdefault(model, []).extend(reliefs)
    known = {k: float(np.median(reliefs)) for k, reliefs in found.items()}
    return [replace(m, relief=known.get(k, _borrowed(m, known, models))) for k, m in enumerate(models)]


def _seen(
    faces: Faces, explainer: Explainer, frame: SampledFrame, stand: Mapping[str, str]
) -> dict[int, list[float]]:
    """Returns the reliefs of each model's pieces in one frame."""
    if frame.image is None:
        return {}
    layout = frame.sampler.layout
    wanted = standing(faces.models, layout, stand)
    shifts = explainer.found(frame, wanted)
    flat = [_has_face(m, layout.board) for m in faces.models]
    at = np.array([i for i in np.flatnonzero(wanted >= 0) if flat[wanted[i]]], np.intp)
    reliefs = faces.measure(frame.image, at, wanted[at], shifts[at, wanted[at]])
    out: dict[int, list[float]] = {}
    for place, relief in zip(at, reliefs, strict=True):
        out.setdefault(int(wanted[place]), []).append(float(relief))
    return out


def _borrowed(model: Model, known: Mapping[int, float], models: Sequence[Model]) -> float | None:
    """Returns the relief that it has, or else that of the same face in another paint; None where none is
    known."""
    same = [known[k] for k in known if face_of(models[k]) == face_of(model) and not model.kind]
    return float(np.mean(same)) if model.relief is None and same else model.relief
