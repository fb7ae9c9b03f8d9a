"""Scenes: what a frame shows around each place, against the empty board's look in the same light."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from vision.solids.evidence import ANYTHING, OPPONENT, STRAY
from vision.solids.sample import Sampler

Singles = npt.NDArray[np.float32]
Indices = npt.NDArray[np.intp]
Image = npt.NDArray[np.uint8]

SURE = 8.0
BUSY = 8.0
"""Odd samples from which something may stand at a place."""


@dataclass(frozen=True, eq=False)
class Scene:
    """A frame's samples, in the reference's light, for each of the sampler's blocks.

    `samples` opponent (blocks, levels, BLOCK, BLOCK, 3), `away` how far each is from the empty board's
    (squared, in its noise), `ground` the log density if the board shows there.
    """

    samples: Singles
    away: Singles
    ground: Singles
    sampler: Sampler
    image: Image | None = None
    """The frame itself, for what samples are too coarse for."""

    @property
    def colours(self) -> Singles:
        """The samples around each place (places, levels, BLOCK, BLOCK, 3)."""
        return np.asarray(self.samples[self.sampler.block_of])

    @property
    def board(self) -> Singles:
        """The log density (places, levels, BLOCK, BLOCK) if the board shows there."""
        return np.asarray(self.ground[self.sampler.block_of])

    @cached_property
    def odd(self) -> Singles:
        """How surely each sample around each place is not of the empty board; 0…1."""
        odd = np.clip(self.away / (2 * SURE), 0, 1).astype(np.float32)
        return np.asarray(odd[self.sampler.block_of])

    @cached_property
    def oddness(self) -> Singles:
        """How many samples around each place are odd."""
        odd = np.minimum(self.away, 2 * SURE).reshape(len(self.away), -1).sum(axis=1) / (2 * SURE)
        return np.asarray(odd[self.sampler.block_of], dtype=np.float32)

    @property
    def busy(self) -> Indices:
        """Places where something may stand."""
        return np.flatnonzero(self.oddness > BUSY)


def make_scene(
    sampler: Sampler, colours: Singles, reference: Singles, spread: Singles, noise: float
) -> Scene:
    """From samples, reference and its spread, 0…1. A shadow or a glow scales the board's colours; both
    cost a little."""
    scale = np.einsum("...c,...c", colours, reference) / np.maximum(
        np.einsum("...c,...c", reference, reference), 1e-3
    )
    scale = np.clip(scale, 0.25, 1.2)
    miss = colours - scale[..., None] * reference
    variance = (noise + 0.3 * spread) ** 2
    away = np.einsum("...c,...c", miss, miss) / variance
    away += np.where(scale < 1, (scale - 1) / 0.3, (scale - 1) / 0.12) ** 2
    width = 1.5 * np.log(variance)
    board = np.maximum(-0.5 * away - width, STRAY + ANYTHING)
    return Scene(colours @ OPPONENT.T, away, board.astype(np.float32), sampler)
