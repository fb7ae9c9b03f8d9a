"""The evidence for looks: scores how well each of them explains the samples around a place.

An appearance says which samples around a place a piece covers and in which of a few colours. A sample's
evidence for a colour is how much likelier it is there than the board's own; a look's score is the sum of
this over what the look covers, at the shift that fits best. A lineup holds all looks of one kind of place
in the form in which they are scored fast: colours that several looks share are weighed once, and all
shifts of all looks are one product of matrices.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from vision.arrays import Indices, Singles
from vision.solids.sample import BLOCK, LEVELS, SLACK, WIDTH

OPPONENT = np.array([[1 / 3, 1 / 3, 1 / 3], [-0.5, 0.0, 0.5], [-0.25, 0.5, -0.25]], np.float32)
"""The matrix from blue, green, red to opponent colours: lightness, red against blue, green against both."""
SHIFTS = tuple((dy, dx) for dy in range(2 * SLACK + 1) for dx in range(2 * SLACK + 1))
ANYTHING = float(-3 * np.log(0.45))
"""Log density of a colour of which nothing is known."""
STRAY = float(np.log(0.03))
"""Log share of samples that follow no model: glints, letters, dust."""
INDEPENDENT = 1 / 28
"""Samples lie close and agree with their neighbours: so much does each count."""
WORST, BEST = -5.0, 14.0
"""The most that one sample can say against or for a look; nats."""
LEAST = 0.1
"""The share of the smallest look's samples of which fewer are odd only where nothing stands."""
COLOURS = 3
EVERY = np.flatnonzero(np.indices((LEVELS, BLOCK, BLOCK)).sum(axis=0).ravel() % 2 == 0)
"""The samples of a block that are weighed: every other one, as on a chessboard, since neighbours agree."""
STILL = np.array([0.5 * ((dy - SLACK) ** 2 + (dx - SLACK) ** 2) for dy, dx in SHIFTS], np.float32)
"""The cost of each shift: pieces seldom stand far off their places; nats."""
AT_EDGE = np.where(
    [max(abs(dy - SLACK), abs(dx - SLACK)) > 1 for dy, dx in SHIFTS], np.float32(np.inf), STILL
)
"""The same of pieces along a site's edge: one that stood off by more than a wall's breadth would stand on the
next site, where another's wall may be."""


UNKNOWN = (np.array([0.5, 0.0, 0.0], np.float32), np.array([0.3, 0.15, 0.15], np.float32))
"""Mean and spread of a colour of which nothing is known."""
STRANGER = "?"
"""The look of what fits no known look."""
WARY = 6.0
"""Nats by which it must fit better than any known look."""


@dataclass(frozen=True, eq=False)
class LookOfPlace:
    """A look at one kind of place.

    `share` (slope buckets, COLOURS, levels, WIDTH, WIDTH): how surely each sample shows each colour;
    `mean` and `sigma` (COLOURS, 3), opponent.
    """

    look: str
    kind: str
    share: Singles
    mean: Singles
    sigma: Singles
    bias: float = 0.0

    @cached_property
    def shifted(self) -> Singles:
        """(slope buckets, COLOURS · samples of a block, shifts): the shares at every shift."""
        return moved(self.share).reshape(len(self.share), -1, len(SHIFTS))


def strangers(known: Sequence[LookOfPlace]) -> list[LookOfPlace]:
    """Returns how a piece of any colour would look at a site: as large as the known pieces usually are.

    Nothing where no piece is known.
    """
    plain = [a.share.sum(axis=1) for a in known if not a.kind and "+" not in a.look]
    if not plain:
        return []
    share = np.zeros((len(plain[0]), COLOURS, *plain[0].shape[1:]), np.float32)
    share[:, 0] = np.mean(plain, axis=0)
    mean, sigma = (np.repeat(x[None], COLOURS, axis=0) for x in UNKNOWN)
    return [LookOfPlace(STRANGER, "", share, mean, sigma, WARY)]


def moved(share: Singles) -> Singles:
    """Returns shares (…, WIDTH, WIDTH) at every shift within their block: (…, BLOCK, BLOCK, shifts)."""
    out = np.zeros((*share.shape[:-2], BLOCK, BLOCK, len(SHIFTS)), np.float32)
    for n, (dy, dx) in enumerate(SHIFTS):
        out[..., dy : dy + WIDTH, dx : dx + WIDTH, n] = share
    return out


def evidence(colours: Singles, board: Singles, mean: Singles, sigma: Singles) -> Singles:
    """Returns how much likelier samples are of one paint than of the board; nats, (…) from colours (…, 3)."""
    samples = features(colours.reshape(-1, 3))
    paint = weights(mean[None], sigma[None])
    return bounded(paint @ samples, board.reshape(-1)).reshape(board.shape)


def features(colours: Singles) -> Singles:
    """Returns (7, n) from colours (n, 3): what every paint's log density is a weighted sum of."""
    out = np.ones((7, len(colours)), np.float32)
    out[:3] = colours.T
    np.square(out[:3], out=out[3:6])
    return out


def weights(mean: Singles, sigma: Singles) -> Singles:
    """Returns (n, 7) for paints (n, 3): times the features they are the log densities."""
    narrow = 1 / sigma**2
    constant = -0.5 * (mean**2 * narrow).sum(axis=1) - np.log(sigma).sum(axis=1)
    return np.column_stack((mean * narrow, -0.5 * narrow, constant)).astype(np.float32)


def bounded(density: Singles, board: Singles) -> Singles:
    """Returns the evidence from log densities (…, n), which it overwrites, and those of the board (n)."""
    np.maximum(density, STRAY + ANYTHING, out=density)
    density -= board
    return np.clip(density, WORST, BEST, out=density)


class Lineup:
    """All looks of one kind of place; `appearances` are those of them all, `index` says which are these."""

    def __init__(self, appearances: Sequence[LookOfPlace], index: Sequence[int]) -> None:
        self.index = np.array(index, dtype=np.intp)
        self._looks = [appearances[k] for k in index]
        self._still = AT_EDGE if self._looks[0].kind else STILL
        self.bias = np.array([a.bias for a in self._looks], np.float32)
        cover = [float(a.share.sum(axis=(1, 2, 3, 4)).min()) for a in self._looks]
        self.least = LEAST * min(cover)
        self._uses, paints = _paints(self._looks)
        self._weights = weights(*paints)
        self._templates: dict[int, list[tuple[list[int], Singles]]] = {}

    def evidence(self, colours: Singles, board: Singles) -> Singles:
        """Returns (paints, places, samples) from colours (places, samples, 3) and board (places, samples)."""
        density = self._weights @ features(colours.reshape(-1, 3))
        return bounded(density, board.reshape(-1)).reshape(len(density), *board.shape)

    def score(self, weighed: Singles, buckets: Indices) -> tuple[Singles, Indices]:
        """Returns scores and best shifts (places, looks) from weighed evidence (paints, places, samples)."""
        best = np.empty((len(buckets), len(self._looks)), np.float32)
        shifts = np.empty(best.shape, np.intp)
        for bucket in np.unique(buckets):
            rows = np.flatnonzero(buckets == bucket)
            score = np.zeros((len(rows), len(self._looks), len(SHIFTS)), np.float32)
            for layer, (looks, template) in zip(weighed, self._of(int(bucket)), strict=True):
                score[:, looks] += (layer[rows] @ template).reshape(len(rows), len(looks), -1)
            score -= self._still
            shifts[rows] = score.argmax(axis=2)
            best[rows] = score.max(axis=2)
        return best - self.bias, shifts

    def _of(self, bucket: int) -> list[tuple[list[int], Singles]]:
        """Returns for each paint the looks that have it, and the matrix (samples, looks · shifts) of their
        shares."""
        if bucket not in self._templates:
            self._templates[bucket] = [([*uses], self._template(bucket, uses)) for uses in self._uses]
        return self._templates[bucket]

    def _template(self, bucket: int, uses: Mapping[int, Sequence[int]]) -> Singles:
        shares = [self._looks[n].share[bucket, colours].sum(axis=0) for n, colours in uses.items()]
        shifted = np.stack([moved(share) for share in shares], axis=-2)
        weight = np.float32(INDEPENDENT * LEVELS * BLOCK * BLOCK / len(EVERY))
        return np.ascontiguousarray(shifted.reshape(-1, len(uses) * len(SHIFTS))[EVERY] * weight)


def _paints(looks: Sequence[LookOfPlace]) -> tuple[list[dict[int, list[int]]], tuple[Singles, Singles]]:
    """Returns for each paint which looks have it, as which of their colours; and the paints' means and
    sigmas."""
    uses: dict[bytes, dict[int, list[int]]] = {}
    paints: dict[bytes, tuple[Singles, Singles]] = {}
    for n, look in enumerate(looks):
        for c in np.flatnonzero(look.share.any(axis=(0, 2, 3, 4))):
            key = look.mean[c].tobytes() + look.sigma[c].tobytes()
            paints[key] = look.mean[c], look.sigma[c]
            uses.setdefault(key, {}).setdefault(n, []).append(int(c))
    mean, sigma = (np.array([p[i] for p in paints.values()], np.float32).reshape(-1, 3) for i in (0, 1))
    return list(uses.values()), (mean, sigma)
