"""Weighs the parts of one square together: what stands in one corner rules out its neighbours.

Two pieces that stand in neighbouring corners would share a wall. So a square holds none, one, or two in
opposite corners. All these fillings are compared, and each corner gets what they say of it together.

Two pieces of one look wall a square in, whichever two corners they stand in: then all four look as if one
stood there. Their seams alone tell which do, and what is known of pieces that stood there before.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations, permutations

import numpy as np

from vision.arrays import Floats, Indices, Mask

OPPOSITE = {"nw": "se", "se": "nw", "ne": "sw", "sw": "ne"}


def joined(kinds: Sequence[str], ratios: Floats, recalled: Floats, slant: float = 0.0) -> Floats:
    """Returns log-likelihood ratios against an empty corner, (corners, looks), as the whole square allows
    them.

    `ratios` are those of each corner by its look, and `recalled` what is known of pieces that stood in it;
    `slant` is what is said of two pieces together: for those in `nw` and `se`, against those in the other two
    corners; nats.
    """
    sets, alike = _fillings(tuple(kinds), ratios.shape[1])
    own = np.where(sets, ratios, 0.0).sum(axis=(1, 2))
    # What speaks for pieces in the other two corners may be the walls of these.
    walls = np.where(sets, np.maximum(ratios, 0.0), 0.0).sum(axis=(1, 2))[alike]
    totals = np.minimum(own + walls, np.maximum(own, own[alike]))
    totals += np.where(sets, recalled, 0.0).sum(axis=(1, 2))
    if slant:
        held = np.asarray(sets.any(axis=2))
        northwest = held[:, [kind in ("nw", "se") for kind in kinds]].any(axis=1)
        totals += np.where(held.sum(axis=1) < 2, 0.0, np.where(northwest, slant, -slant))
    free = np.asarray(~sets.any(axis=2))
    out = np.empty_like(ratios)
    for corner, look in np.ndindex(*ratios.shape):
        with_it, without = totals[sets[:, corner, look]], totals[free[:, corner]]
        out[corner, look] = np.logaddexp.reduce(with_it) - np.logaddexp.reduce(without)
    best, next_best = totals.argsort()[:-3:-1]
    if next_best == alike[best]:  # which of the two it is counts once, and not at each of four corners
        out[sets[best]] = np.minimum(out[sets[best]], (totals[best] - totals[next_best]) / 2)
        out[sets[next_best]] = 0.0
    return out


@cache
def _fillings(kinds: tuple[str, ...], looks: int) -> tuple[Mask, Indices]:
    """Returns (fillings, corners, looks) all that a square may hold, and (fillings) the other filling that
    looks like each: of most it is itself."""
    shape = len(kinds), looks
    none = np.zeros((1, *shape), bool)
    alone = np.eye(len(kinds) * looks, dtype=bool).reshape(-1, *shape)
    pairs = [a | b for a, b in combinations([*alone], 2) if _fit(kinds, a, b)]
    fillings = np.concatenate((none, alone, np.array(pairs, bool).reshape(-1, *shape)))
    walled_in = [n for n, pair in enumerate(fillings) if (pair.sum(axis=0) == 2).any()]
    alike = np.arange(len(fillings))
    for n, m in permutations(walled_in, 2):
        if (fillings[n].any(axis=0) == fillings[m].any(axis=0)).all():
            alike[n] = m
    return fillings, alike


def _fit(kinds: Sequence[str], one: Mask, two: Mask) -> bool:
    """Returns whether two pieces, each (corners, looks), can stand on one square."""
    a, b = (kinds[int(np.argmax(piece.any(axis=1)))] for piece in (one, two))
    return OPPOSITE.get(a) == b
