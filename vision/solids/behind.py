"""What stands behind a piece: what would be seen there otherwise.

A piece is told from the empty board; but where another stands behind it, the board would not be seen without
it either. What the one behind explains as well speaks for neither, lest a small piece before one of its own
colour be taken for a tall one, or the walls of two neighbours for a third's.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from vision.solids.evidence import EVERY, Appearance, evidence
from vision.solids.sample import Sampler
from vision.solids.scene import Scene
from vision.solids.silhouette import Silhouettes

Singles = npt.NDArray[np.float32]
Floats = npt.NDArray[np.float64]


class Background:
    """All that may stand behind pieces in one view."""

    def __init__(
        self, sampler: Sampler, silhouettes: Silhouettes, appearances: Sequence[Appearance], halves: Floats
    ) -> None:
        """`halves` (n, 2): where the samples of unique blocks are, in pixels of half the size."""
        self._sampler, self._silhouettes, self._appearances = sampler, silhouettes, appearances
        self._index = silhouettes.index(halves).reshape(len(sampler.unique), -1)[:, EVERY]

    def shown(self, scene: Scene, place: int, pieces: Sequence[tuple[int, int, int]]) -> Singles:
        """How much better than the board pieces (place, look, shift) explain the weighed samples of another
        place; nats."""
        block = self._sampler.block_of[place]
        colours, ground = scene.samples[block].reshape(-1, 3)[EVERY], scene.ground[block].reshape(-1)[EVERY]
        out = np.zeros(len(EVERY), np.float32)
        for piece in pieces:
            cover = self._silhouettes.covers(self._silhouettes.at(*piece), self._index[block])
            paints = self._appearances[piece[1]]
            for mean, sigma in zip(paints.mean, paints.sigma, strict=True):
                out[cover] = np.maximum(out[cover], evidence(colours[cover], ground[cover], mean, sigma))
        return out
