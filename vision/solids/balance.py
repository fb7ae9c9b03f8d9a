"""Balances looks against each other, so that the pictures that they were learned from are read rightly.

A look that was seen once may fit everything a little too well, and one of poor contrast nothing well enough.
Each look gets a bias that keeps it from taking the place of another, and another from taking its place, by a
margin. The bias is as small as it can be.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from vision.arrays import Floats, Indices
from vision.solids.classify import Explainer
from vision.solids.model import Geometry, Model, standing
from vision.solids.sampled_frame import SampledFrame

MARGIN = 3.0
"""The margin by which a look must win where it stands, and lose where it does not; nats."""
LARGEST = 14.0
"""The largest bias; nats."""
ROUNDS = 4
"""The number of times that all biases are set anew: they depend on each other."""
WINS_WRONGLY, LOSES_WRONGLY = 0.002, 0.03
"""The share of places that a bias does not count: other looks' places, and its own."""


def balance(
    geometry: Geometry,
    models: Sequence[Model],
    frames: Sequence[SampledFrame],
    looks: Sequence[Mapping[str, str]],
) -> list[Model]:
    """Returns the models with their biases; `looks` is what stands in each frame."""
    explainer = Explainer(frames[0].sampler, [geometry.appearance(m) for m in models])
    scores, truth = [], []
    for frame, stand in zip(frames, looks, strict=True):
        wanted = standing(models, geometry.layout, stand)
        scores.append(_scores(explainer, frame, wanted))
        truth.append(wanted)
    biases = _biases(np.concatenate(scores), np.concatenate(truth))
    return [replace(m, bias=float(b)) for m, b in zip(models, biases, strict=True)]


def _scores(explainer: Explainer, frame: SampledFrame, wanted: Indices) -> Floats:
    """Returns scores (places, looks) where it is known what hides what."""
    maps, taken = explainer.known(frame, wanted)
    totals, _ = explainer.score(maps, explainer.free(taken))
    return explainer.settled(totals, frame.image)


def _biases(scores: Floats, truth: Indices) -> Floats:
    """Returns the bias of each look, from scores (places, looks) and the looks that stand there (-1:
    none)."""
    count = scores.shape[1]
    biases = np.zeros(count)
    everything = np.column_stack((scores, np.zeros(len(scores))))  # the last is the empty board
    for _ in range(ROUNDS):
        for k in range(count):
            level = everything - np.append(biases, 0.0)
            own = level[np.arange(len(level)), truth]  # -1 is the last column
            rivals = np.delete(level, k, axis=1).max(axis=1)
            mine, others = truth == k, truth != k
            over = (
                np.quantile(everything[others, k] - own[others], 1 - WINS_WRONGLY)
                if others.any()
                else -LARGEST
            )
            lead = np.quantile(everything[mine, k] - rivals[mine], LOSES_WRONGLY) if mine.any() else np.inf
            biases[k] = _between(float(over) + MARGIN, float(lead) - MARGIN)
    return biases


def _between(low: float, high: float) -> float:
    """Returns the number from low to high that is nearest to 0, or their middle where they cross; bounded."""
    value = float(np.clip(0.0, low, high)) if low <= high else (low + high) / 2
    return float(np.clip(value, -LARGEST, LARGEST))
