"""The samples of a frame around each place, compared with the empty board in the same light."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from vision.arrays import Image, Indices, Singles
from vision.solids.evidence import ANYTHING, OPPONENT, STRAY
from vision.solids.sample import Sampler

SURELY_ODD = 8.0
"""The squared distance from the empty board's colour, halved, from which a sample is surely odd."""
SCALES = (0.25, 1.2)
"""The darkest shadow and the brightest glow on the board; full light is 1."""
SHADOW, GLOW = 0.3, 0.12
"""The usual depth of a shadow, and the usual strength of a glow."""
SPREAD_COUNTS = 0.3
"""The share of the reference's spread that counts as noise: the view may be a part of a pixel off."""
BUSY = 8.0
"""Odd samples from which something may stand at a place."""


@dataclass(frozen=True, eq=False)
class SampledFrame:
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

    def placed(self, blocks: Indices, total: int) -> SampledFrame:
        """Returns these samples as those of some among more blocks; in the others nothing is odd."""
        if len(blocks) == total:
            return self
        whole = [np.zeros((total, *of_some.shape[1:]), np.float32) for of_some in self._arrays]
        for filled, of_some in zip(whole, self._arrays, strict=True):
            filled[blocks] = of_some
        samples, away, ground = whole
        return replace(self, samples=samples, away=away, ground=ground)

    @property
    def _arrays(self) -> tuple[Singles, Singles, Singles]:
        return self.samples, self.away, self.ground

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
        """The certainty that each sample around each place is not of the empty board; 0…1."""
        odd = np.clip(self.away / (2 * SURELY_ODD), 0, 1).astype(np.float32)
        return np.asarray(odd[self.sampler.block_of])

    @cached_property
    def oddness(self) -> Singles:
        """The number of odd samples around each place."""
        odd = np.minimum(self.away, 2 * SURELY_ODD).reshape(len(self.away), -1).sum(axis=1) / (2 * SURELY_ODD)
        return np.asarray(odd[self.sampler.block_of], dtype=np.float32)

    @property
    def busy(self) -> Indices:
        """Places where something may stand."""
        return np.flatnonzero(self.oddness > BUSY)


def sample_frame(
    sampler: Sampler, colours: Singles, reference: Singles, spread: Singles, noise: float
) -> SampledFrame:
    """Compares samples with the empty board's colours.

    `colours` and `reference` are (blocks, levels, BLOCK, BLOCK, 3), 0…1; `spread` is how much the reference
    changes close by, `noise` that of the frame. A shadow or a glow scales the board's colours; both cost a
    little.
    """
    alike = np.einsum("...c,...c", colours, reference)
    power = np.maximum(np.einsum("...c,...c", reference, reference), 1e-3)
    scale = np.clip(alike / power, *SCALES)
    miss = colours - scale[..., None] * reference
    variance = (noise + SPREAD_COUNTS * spread) ** 2
    away = np.einsum("...c,...c", miss, miss) / variance
    away += np.where(scale < 1, (scale - 1) / SHADOW, (scale - 1) / GLOW) ** 2
    width = 1.5 * np.log(variance)
    board = np.maximum(-0.5 * away - width, STRAY + ANYTHING)
    return SampledFrame(colours @ OPPONENT.T, away, board.astype(np.float32), sampler)
