"""Weighs the parts of pieces that other pieces hide: where a piece stands before another, not before the
board.

A piece is told apart from the empty board. But where another piece stands behind it, the board would not be
seen without it either. Samples that the one behind explains as well speak for neither. Otherwise a small
piece before one of its own colour would be taken for a tall one, or the walls of two neighbours for those of
a third.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.arrays import Floats, Singles
from vision.solids.evidence import EVERY, LookOfPlace, evidence
from vision.solids.sample import Sampler
from vision.solids.sampled_frame import SampledFrame
from vision.solids.silhouette import SolidSilhouettes


class PiecesBehind:
    """The pieces that may stand behind others in one view."""

    def __init__(
        self,
        sampler: Sampler,
        silhouettes: SolidSilhouettes,
        appearances: Sequence[LookOfPlace],
        halves: Floats,
    ) -> None:
        """Takes where the samples of unique blocks are: `halves` (n, 2), in pixels of half the size."""
        self._sampler, self._silhouettes, self._appearances = sampler, silhouettes, appearances
        self._index = silhouettes.index(halves).reshape(len(sampler.unique), -1)[:, EVERY]

    def evidence(self, frame: SampledFrame, place: int, pieces: Sequence[tuple[int, int, int]]) -> Singles:
        """Returns by how much pieces (place, look, shift) explain the samples of another place better than
        the board.

        (weighed samples), nats; 0 where none of the pieces is.
        """
        block = self._sampler.block_of[place]
        colours, ground = frame.samples[block].reshape(-1, 3)[EVERY], frame.ground[block].reshape(-1)[EVERY]
        out = np.zeros(len(EVERY), np.float32)
        for piece in pieces:
            cover = self._silhouettes.covers(self._silhouettes.at(*piece), self._index[block])
            paints = self._appearances[piece[1]]
            for mean, sigma in zip(paints.mean, paints.sigma, strict=True):
                out[cover] = np.maximum(out[cover], evidence(colours[cover], ground[cover], mean, sigma))
        return out
