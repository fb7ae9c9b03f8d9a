"""Silhouettes: which places changed, so that all that differs between two pictures is explained together.

A piece that came or went shows at its foot, before the places behind it that it hides, and by its shadow
beside it. Whoever asks each place by itself takes these places for changed too. So what differs is explained
by the silhouettes of as few pieces as will do: each part of the picture counts once, whatever silhouettes it
lies in. For each place it is told how much worse the picture is explained the other way, all other places
being chosen anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np

from vision.arrays import Floats, Indices, Mask, Singles
from vision.geometry.view import View

CELL = 3
"""The side of a cell, the part of a small picture that counts once; pixels."""
TALL = (0.5, 0.9, 1.35, 1.75)
"""How tall a piece may be, by the height that its look tells: the looks of chess tell its colour alone."""
SLIM = 0.6
"""The radius of a silhouette at its head, by that at its foot."""
SHADOW_REACH = 1.3
"""Units around its foot in which a piece may throw a shadow."""
SHADOW = 0.7
"""How much of what may be a shadow is explained by a piece nearby."""
CHANGE = 2.5
"""What it costs to say that a place changed; nats: about one in twelve does."""
LITTLE = 1e-4
"""Nats by which an explanation must be better to be taken in place of another."""
AT_ONCE = 8
"""Places that hands change from one board to the next: where more differ, none is chosen anew for another."""
ROUNDS = 30
"""The most steps in which an explanation is made better."""
CIRCLE = np.column_stack((np.cos(a := np.arange(14) * 2 * np.pi / 14), np.sin(a)))

Chosen = Mapping[int, int]
"""The silhouettes that explain a picture: for each place that changed the row of one of them."""


class Explained(NamedTuple):
    """What each place tells, (places): by how much the picture is explained better if it did not change
    (nats), and whether it is hidden by what did; and of each cell whether a silhouette hides it."""

    same: Singles
    behind: Mask
    covered: Singles


class Silhouettes:
    """What pieces on the places of a board may hide, in the small pictures of a view.

    `where` (places, 2) and `reach` (places) are their middles and radii, `unit` the distance of neighbours
    and `height` that of the tallest piece; steps. `rows` and `columns` are the pixels that are compared, of
    any shape.
    """

    def __init__(
        self,
        view: View,
        where: Floats,
        reach: Floats,
        unit: float,
        height: float,
        rows: Indices,
        columns: Indices,
    ) -> None:
        width, tall = view.size
        self._shape = -(-tall // CELL), -(-width // CELL)
        cells = (rows // CELL) * self._shape[1] + columns // CELL
        known, cell_of = np.unique(cells, return_inverse=True)
        self.cell_of: Indices = cell_of.reshape(cells.shape)
        """The cell in which each pixel lies."""
        self.cells = len(known)
        columns_of, halos = [], []
        for foot, radius in zip(where, reach, strict=True):
            around = self._inside(view.pixels(foot + SHADOW_REACH * unit * CIRCLE))[known]
            for share in TALL:
                head = view.pixels(foot + SLIM * radius * CIRCLE, share * height)
                column = self._inside(np.concatenate((view.pixels(foot + radius * CIRCLE), head)))[known]
                columns_of.append(np.flatnonzero(column))
                halos.append(np.flatnonzero(around & ~column))
        self._columns, self._halos = _Sparse.of(columns_of), _Sparse.of(halos)
        everything = np.arange(self._columns.height)
        near = self._columns.dense(everything, self.cells) + self._halos.dense(everything, self.cells)
        near = near.reshape(-1, len(TALL), self.cells).max(axis=1)
        self._meeting: Mask = near @ near.T > 0

    def explain(self, changed: Singles, shaded: Singles) -> Explained:
        """Explains a picture. For each cell: by how much likelier what differs there is by a change than by
        noise (nats), and what of that a shadow explains."""
        per = len(TALL)
        places = self._columns.height // per
        reach = self._columns.sums(np.maximum(changed, 0)) + self._halos.sums(shaded)
        asked = np.flatnonzero(reach.reshape(places, per).max(axis=1) > CHANGE)
        rows = (asked[:, None] * per + np.arange(per)).ravel()
        columns, halos = (matrix.dense(rows, self.cells) for matrix in (self._columns, self._halos))
        here = np.flatnonzero(columns.any(axis=0) | halos.any(axis=0))
        meeting = self._meeting[np.ix_(asked, asked)]
        part = _Part(columns[:, here], halos[:, here], changed[here], shaded[here], meeting)
        chosen, told = part.improved({})
        is_much = len(chosen) > AT_ONCE
        otherwise: dict[int, float] = {}
        while not is_much:
            others = [n for n in part.alone() if n not in chosen]
            tried = {n: part.improved(chosen, kept=n) for n in others}
            otherwise = {n: told - score for n, (_, score) in tried.items()}
            better = max(tried.values(), key=lambda one: one[1], default=(chosen, told))
            if better[1] <= told + LITTLE:
                break
            chosen, told = better
        covered, around = np.zeros(self.cells, np.float32), np.zeros(self.cells, np.float32)
        cover = part.cover(chosen)
        covered[here], around[here] = cover.hidden, cover.near
        open_cells = 1 - covered
        gains = self._columns.sums(open_cells * (changed - around * shaded))
        gains += self._halos.sums(open_cells * (1 - around) * shaded)
        same = CHANGE - gains.reshape(places, per).max(axis=1)
        for n, nats in otherwise.items():
            same[asked[n]] = nats
        for n, row in chosen.items():
            same[asked[n]] = (
                part.cost_without(cover, row) if is_much else part.improved(chosen, left_out=n)[1] - told
            )
        low, whole = (self._columns.sums(cells)[::per] for cells in (covered, np.ones_like(covered)))
        behind = 2 * low > whole
        behind[asked[list(chosen)]] = False
        return Explained(same.astype(np.float32), behind, covered)

    def _inside(self, outline: Floats) -> Mask:
        """Returns the cells, one after the other, of which most lies within the hull of points (pixels)."""
        tall, width = self._shape
        mask = np.zeros((tall * CELL, width * CELL), np.float32)
        cv2.fillConvexPoly(mask, cv2.convexHull(np.round(outline).astype(np.int32)), 1.0)
        return np.asarray(cv2.resize(mask, (width, tall), interpolation=cv2.INTER_AREA) >= 0.5).ravel()


@dataclass(frozen=True, eq=False)
class _Sparse:
    """A matrix of zeros and ones: the columns of each row, one row after the other."""

    columns: Indices
    row_of: Indices
    height: int

    @classmethod
    def of(cls, rows: list[Indices]) -> _Sparse:
        row_of = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
        return cls(np.concatenate(rows), row_of, len(rows))

    def sums(self, values: Singles) -> Singles:
        """Returns the sum of values over each row."""
        return np.bincount(self.row_of, values[self.columns], self.height).astype(np.float32)

    def dense(self, rows: Indices, width: int) -> Singles:
        """Returns some rows as a matrix (rows, width)."""
        at = np.full(self.height, -1)
        at[rows] = np.arange(len(rows))
        found = np.zeros((len(rows), width), np.float32)
        kept = at[self.row_of] >= 0
        found[at[self.row_of[kept]], self.columns[kept]] = 1
        return found


@dataclass(eq=False)
class _Cover:
    """How many of the chosen silhouettes hide each cell, and how many may throw a shadow there."""

    hiding: Singles
    shading: Singles

    def put(self, part: _Part, row: int) -> None:
        """Counts one more silhouette."""
        self.hiding += part.columns[row]
        self.shading += part.halos[row]

    def take(self, part: _Part, row: int) -> None:
        """Counts a silhouette no longer."""
        self.hiding -= part.columns[row]
        self.shading -= part.halos[row]

    @property
    def hidden(self) -> Singles:
        """1 for each cell that a silhouette hides, else 0."""
        return (self.hiding > 0).astype(np.float32)

    @property
    def near(self) -> Singles:
        """1 for each cell that a silhouette hides, or is near to, else 0."""
        return (self.hiding + self.shading > 0).astype(np.float32)


@dataclass(frozen=True, eq=False)
class _Part:
    """The cells of a picture, and the silhouettes, of those places that may have changed.

    `columns` and `halos` (silhouettes, cells) say what they hide, and where their shadows may lie; `changed`
    and `shaded` are as `Silhouettes.explain` says. `meeting` (places, places): they share cells, so that what
    is said of the one counts for the other.
    """

    columns: Singles
    halos: Singles
    changed: Singles
    shaded: Singles
    meeting: Mask

    def cover(self, chosen: Chosen) -> _Cover:
        """Returns what chosen silhouettes hide."""
        rows = list(chosen.values())
        return _Cover(self.columns[rows].sum(axis=0), self.halos[rows].sum(axis=0))

    def gains(self, cover: _Cover, among: slice) -> Singles:
        """Returns by how much each of some silhouettes explains the picture better, beside those chosen."""
        hidden, near = cover.hidden, cover.near
        open_cells = 1 - hidden
        gains = self.columns[among] @ (open_cells * (self.changed - near * self.shaded))
        return np.asarray(gains + self.halos[among] @ (open_cells * (1 - near) * self.shaded), np.float32)

    def alone(self) -> list[int]:
        """Returns the places that would be taken for changed if each were the only one."""
        gains = (self.columns @ self.changed).reshape(-1, len(TALL))
        return np.flatnonzero(gains.max(axis=1, initial=-np.inf) > CHANGE).tolist()

    def cost_without(self, cover: _Cover, row: int) -> float:
        """Returns by how much an explanation is better without one silhouette, all others being kept;
        nats."""
        cover.take(self, row)
        gain = self.gains(cover, slice(row, row + 1))[0]
        cover.put(self, row)
        return CHANGE - float(gain)

    def improved(self, chosen: Chosen, kept: int = -1, left_out: int = -1) -> tuple[Chosen, float]:
        """Returns an explanation made better until nothing is gained by a silhouette more, less, or of
        another height; and how well it explains the picture (nats). A place can be `kept` in it, or
        `left_out`."""
        per = len(TALL)
        found = {n: row for n, row in chosen.items() if n != left_out}
        if kept >= 0:
            found.setdefault(kept, kept * per)
        cover = self.cover(found)
        is_stale = np.ones(len(self.meeting), bool)
        """Places beside which another was chosen since they were."""
        for _ in range(ROUNDS):
            before = dict(found)
            for n in before:
                if not is_stale[n]:
                    continue
                is_stale[n] = False
                row = found[n]
                cover.take(self, row)
                gains = self.gains(cover, slice(n * per, (n + 1) * per))
                best = int(gains.argmax())
                if n == kept or gains[best] >= CHANGE:
                    found[n] = n * per + best
                    cover.put(self, found[n])
                else:
                    del found[n]
                if found.get(n) != row:
                    is_stale |= self.meeting[n]
            gains = self.gains(cover, slice(None))
            for n in (*found, *([left_out] if left_out >= 0 else [])):
                gains[n * per : (n + 1) * per] = -np.inf
            best = int(gains.argmax()) if len(gains) else -1
            if best >= 0 and gains[best] > CHANGE:
                found[best // per] = best
                cover.put(self, best)
                is_stale |= self.meeting[best // per]
            if found == before:
                break
        hidden, near = cover.hidden, cover.near
        score = hidden @ self.changed + (near * (1 - hidden)) @ self.shaded - CHANGE * len(found)
        return found, float(score)
