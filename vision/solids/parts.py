"""Weighs the parts of one site together, by what they hide of each other and by the seams between pieces.

Pieces on parts of one site may overlap (two Ports in neighbouring corners would share a wall) and then
exclude each other. A part's score is set against the best that the whole site allows without it. Two Ports in
opposite corners close the square, and so do two in the other corners. Only the seams tell which they are,
where one Port ends and the other begins: through a seam a way leads from the inside to the outside that is
unlike the walls; through a corner of one piece there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np

from vision.arrays import Floats, Image, Mask, Singles
from vision.geometry.view import View

OVERLAP = 0.35
"""The share of the smaller one's cover from which two parts exclude each other."""
SIDE = 56
"""Pixels of the rectified picture of a site."""
REACH = 0.7
"""The distance that it reaches from the site's middle; units."""
RING = (0.36, 0.46)
"""The distances of the walls around a square from its middle; units."""
TOPS = 5
"""Heights that are tried for the walls' upper faces."""
LEVELS = 8.0
"""Grey levels of a seam that make it one nat likelier."""
MOST_SAID = 8.0
"""The most that seams say; nats."""
Seams = Callable[[int, Sequence[str]], Floats]
"""For a site (its place's number) and corners, how much unlike the walls the best way through each is."""


@dataclass(frozen=True)
class Site:
    """The parts of one site: their numbers among the places, and for each which others it excludes."""

    places: tuple[int, ...]
    kinds: tuple[str, ...]
    excluded: Mask

    def pairs(self) -> list[tuple[int, int]]:
        """Returns the pairs of parts that can both carry a piece."""
        return [(a, b) for a, b in combinations(range(len(self.places)), 2) if not self.excluded[a, b]]


def exclusions(covers: Sequence[Singles]) -> Mask:
    """Returns which of some parts (by the samples they cover, 0…1) exclude each other."""
    n = len(covers)
    out = np.zeros((n, n), bool)
    for a, b in combinations(range(n), 2):
        shared = float(np.minimum(covers[a], covers[b]).sum())
        out[a, b] = out[b, a] = shared > OVERLAP * min(float(covers[a].sum()), float(covers[b].sum()))
    return out


def weigh_site(site: Site, totals: Floats, seams: Seams) -> Floats:
    """Returns the scores (parts, looks) of a site's parts, each against the best filling without that
    part."""
    best = totals.max(axis=1)
    if best.max() <= 0:
        return totals
    pairs = {pair: float(best[list(pair)].sum()) for pair in site.pairs()}
    closed = _closed(site, pairs, best)
    if closed:
        for pair, more in zip(closed, _seam_evidence(site, closed, seams), strict=True):
            pairs[pair] += more
    out = totals.copy()
    for n in range(len(best)):
        with_it = max([best[n], *(value for pair, value in pairs.items() if n in pair)])
        others = [best[k] for k in range(len(best)) if k != n]
        without = max([0.0, *others, *(value for pair, value in pairs.items() if n not in pair)])
        out[n] += with_it - best[n] - without
    return out


def seen_slant(site: Site, totals: Floats, seams: Seams) -> float:
    """Returns how much likelier the pieces of a closed square stand in `nw` and `se` than in the other two
    corners; 0 where the scores (parts, looks) say that it is not closed."""
    best = totals.max(axis=1)
    closed = _closed(site, {pair: float(best[list(pair)].sum()) for pair in site.pairs()}, best)
    if closed is None:
        return 0.0
    first, _ = _seam_evidence(site, closed, seams)
    return first if "nw" in {site.kinds[n] for n in closed[0]} else -first


def _closed(
    site: Site, pairs: Mapping[tuple[int, int], float], best: Floats
) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Returns the two pairs that both explain a closed square, if there are two."""
    ranked = sorted(pairs, key=lambda pair: -pairs[pair])[:2]
    if len(ranked) < 2 or set(ranked[0]) & set(ranked[1]):
        return None
    return (ranked[0], ranked[1]) if all(best[list(pair)].min() > 0 for pair in ranked) else None


def _seam_evidence(
    site: Site, closed: tuple[tuple[int, int], tuple[int, int]], seams: Seams
) -> tuple[float, float]:
    """Returns the evidence of seams for each of two pairs: the seams of a pair are at the other pair's
    corners."""
    levels = seams(site.places[0], [site.kinds[n] for pair in closed for n in pair])
    first, second = levels[:2].sum(), levels[2:].sum()
    more = float(np.clip((second - first) / LEVELS, -MOST_SAID, MOST_SAID))
    return more, -more


def find_seams(
    image: Image, view: View, middle: tuple[float, float], unit: float, top: float, corners: Sequence[str]
) -> Floats:
    """Returns by how many grey levels the best way through each corner of a closed square differs from its
    walls.

    `corners` are named `nw` and so on; `top` is the greatest height (steps) that the walls may have.
    """
    unlike = _unlike_walls(image, view, middle, unit, top)
    return np.array([_gap(_quadrant(unlike, corner)) for corner in corners])


def _unlike_walls(image: Image, view: View, middle: tuple[float, float], unit: float, top: float) -> Singles:
    """Returns how far each pixel of the rectified site is from its walls' colour, at the height at which they
    are most of one colour."""
    away = np.abs((np.indices((SIDE, SIDE)) + 0.5) / SIDE * 2 - 1).max(axis=0) * REACH
    ring = (away > RING[0]) & (away < RING[1])
    tries = []
    for height in np.linspace(0, top, TOPS):
        patch = _rectified(image, view, middle, unit, float(height))
        walls = np.median(patch[ring], axis=0)
        tries.append(np.abs(patch - walls).max(axis=2))
    return min(tries, key=lambda unlike: float(np.median(unlike[ring])))


def _rectified(image: Image, view: View, middle: tuple[float, float], unit: float, height: float) -> Singles:
    """Returns the site's surroundings from above, north up, at a height (steps)."""
    x, y = middle
    r = REACH * unit
    square = [(x - r, y + r), (x + r, y + r), (x + r, y - r), (x - r, y - r)]
    corners = view.pixels(square, np.full(4, height))
    plane = np.array([(0, 0), (SIDE, 0), (SIDE, SIDE), (0, SIDE)], np.float32)
    matrix = cv2.getPerspectiveTransform(np.asarray(corners, np.float32), plane)
    return np.asarray(cv2.warpPerspective(image, matrix, (SIDE, SIDE)), np.float32)


def _quadrant(picture: Singles, corner: str) -> Singles:
    """Returns a corner's quarter of a site's picture, turned so that the site's middle is at its start."""
    half = SIDE // 2
    rows = picture[:half][::-1] if corner[0] == "n" else picture[half:]
    return rows[:, half:] if corner[1] == "e" else rows[:, :half][:, ::-1]


def _gap(unlike: Singles) -> float:
    """Returns the greatest level at which a way leads from the inner to the outer edge."""
    low, high = 0.0, float(unlike.max())
    while high - low > 1:
        level = (low + high) / 2
        _, parts = cv2.connectedComponents((unlike > level).astype(np.uint8))
        outer = np.concatenate((parts[-2:].ravel(), parts[:, -2:].ravel()))
        crossed = np.intersect1d(parts[:4, :4], outer).max(initial=0) > 0
        low, high = (level, high) if crossed else (low, level)
    return low
