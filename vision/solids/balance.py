"""Balance: looks are set against each other so that the pictures they were learned from are read rightly.

A look that was seen once may fit everything a little too well, one of poor contrast nothing well enough.
Each look gets a bias, as small as it can be, that keeps it a margin away from taking the place of another,
and another from taking its place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from vision.solids.classify import Explainer
from vision.solids.model import Geometry, Model, standing
from vision.solids.relief import Faces
from vision.solids.scene import Scene

Floats = npt.NDArray[np.float64]
MARGIN = 3.0
LARGEST = 14.0
"""The largest bias."""
ROUNDS = 4


def balance(
    geometry: Geometry,
    models: Sequence[Model],
    scenes: Sequence[Scene],
    looks: Sequence[Mapping[str, str]],
) -> list[Model]:
    """The models with their biases; `looks` is what stands in each scene."""
    explainer = Explainer(scenes[0].sampler, [geometry.appearance(m) for m in models])
    faces = Faces(scenes[0].sampler, geometry, models)
    scores, truth = [], []
    for scene, stand in zip(scenes, looks, strict=True):
        wanted = standing(models, geometry.layout, stand)
        scores.append(_scores(explainer, faces, scene, wanted))
        truth.append(wanted)
    biases = _biases(np.concatenate(scores), np.concatenate(truth))
    return [replace(m, bias=float(b)) for m, b in zip(models, biases, strict=True)]


def _scores(explainer: Explainer, faces: Faces, scene: Scene, wanted: npt.NDArray[np.intp]) -> Floats:
    """Scores (places, looks) where it is known what hides what."""
    maps, taken = explainer.known(scene, wanted)
    totals, shifts = explainer.score(maps, explainer.visible(taken))
    return faces.told(explainer.settled(totals, scene.image), shifts, scene.image)


def _biases(scores: Floats, truth: npt.NDArray[np.intp]) -> Floats:
    count = scores.shape[1]
    biases = np.zeros(count)
    everything = np.column_stack((scores, np.zeros(len(scores))))  # the last is the empty board
    for _ in range(ROUNDS):
        for k in range(count):
            level = everything - np.append(biases, 0.0)
            own = level[np.arange(len(level)), truth]  # -1 is the last column
            rivals = np.delete(level, k, axis=1).max(axis=1)
            mine, others = truth == k, truth != k
            over = np.quantile(everything[others, k] - own[others], 0.998) if others.any() else -LARGEST
            lead = np.quantile(everything[mine, k] - rivals[mine], 0.03) if mine.any() else np.inf
            biases[k] = _between(float(over) + MARGIN, float(lead) - MARGIN)
    return biases


def _between(low: float, high: float) -> float:
    """The number nearest to nought from low to high; between them where they cross."""
    value = float(np.clip(0.0, low, high)) if low <= high else (low + high) / 2
    return float(np.clip(value, -LARGEST, LARGEST))
