"""Silhouettes: which places changed, so that all that differs between two pictures is explained together.

A piece that came or went shows at its foot, before the places behind it that it hides, and by its shadow
beside it. Whoever asks each place by itself takes these places for changed too. So what differs is explained
by the silhouettes of as few pieces as will do: each part of the picture counts once, whatever silhouettes it
lies in. For each place it is told how much worse the picture is explained the other way, all other places
being chosen anew.
"""

from __future__ import annotations

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


class Explained(NamedTuple):
    """The explanation of a picture. `same` (places): by how much it is better if a place did not change
    (nats); `behind` (places): whether a place is hidden by what did; `covered` (cells): 1 where a silhouette
    hides a cell."""

    same: Singles
    behind: Mask
    covered: Singles


class Silhouettes:
    """The silhouettes and shadows of pieces on the places of a board, in the small pictures of a view.

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
        self._outlines = _Outlines.of(columns_of, halos, self.cells)

    def explain(self, changed: Singles, shaded: Singles, wanted: Mask | None = None) -> Explained:
        """Explains a picture. For each cell: by how much likelier what differs there is by a change than by
        noise (nats), and what of that a shadow explains.

        Where the answer is `wanted` of some places alone (a mask), so is what lies near them.
        """
        per = len(TALL)
        alone, near = self._columns.sums(changed), self._halos.sums(shaded)
        reach = self._columns.sums(np.maximum(changed, 0)) + near
        may_be = reach.reshape(-1, per).max(axis=1) > CHANGE
        if wanted is not None:
            may_be &= self._outlines.meeting[wanted].any(axis=0)
        asked = np.flatnonzero(may_be)
        part = _Part(self._outlines.among(asked), np.append(changed, 0), np.append(shaded, 0))
        chosen = part.improved(_Choice.of_none((alone + near).reshape(-1, per)[asked], self.cells))
        others = np.flatnonzero(alone.reshape(-1, per)[asked].max(axis=1) > CHANGE).tolist()
        """The places that would be taken for changed if each were the only one."""
        is_much = len(chosen.found) > AT_ONCE
        otherwise: dict[int, float] = {}
        while not is_much:
            tried = {n: part.improved(chosen, kept=n) for n in others if part.may_replace(chosen, n)}
            otherwise = {n: chosen.score - one.score for n, one in tried.items()}
            better = max(tried.values(), key=lambda one: one.score, default=chosen)
            if better.score <= chosen.score + LITTLE:
                break
            chosen = better
        covered, around = chosen.hidden[:-1], chosen.near[:-1]
        open_cells = 1 - covered
        gains = self._columns.sums(open_cells * (changed - around * shaded))
        gains += self._halos.sums(open_cells * (1 - around) * shaded)
        same = CHANGE - gains.reshape(-1, per).max(axis=1)
        for n, nats in otherwise.items():
            same[asked[n]] = nats
        for n in chosen.found:
            same[asked[n]] = (
                part.cost_without(chosen, n)
                if is_much
                else part.improved(chosen, left_out=n).score - chosen.score
            )
        low, whole = (self._columns.sums(cells)[::per] for cells in (covered, np.ones_like(covered)))
        behind = 2 * low > whole
        behind[asked[list(chosen.found)]] = False
        return Explained(same.astype(np.float32), behind, covered)

    def hidden_by(self, places: Mask) -> Mask:
        """Returns which pixels that are compared, (places, points), a tall piece hides on some places other
        than the pixel's own."""
        asked = np.flatnonzero(places).tolist()
        tallest = [self._columns.row((n + 1) * len(TALL) - 1) for n in asked]
        count = np.zeros(self.cells, int)
        for cells in tallest:
            count[cells] += 1
        hiding = count[self.cell_of]
        for n, cells in zip(asked, tallest, strict=True):
            hiding[n] -= np.isin(self.cell_of[n], cells)
        return np.asarray(hiding > 0)

    def _inside(self, outline: Floats) -> Mask:
        """Returns the cells, one after the other, of which most lies within the hull of points (pixels)."""
        hull = cv2.convexHull(np.round(outline).astype(np.int32))
        size = np.array(self._shape[::-1])
        low = np.clip(hull.min(axis=(0, 1)) // CELL, 0, size - 1)
        high = np.clip(hull.max(axis=(0, 1)) // CELL + 1, low + 1, size)
        (x0, y0), (x1, y1) = low.tolist(), high.tolist()
        mask = np.zeros(((y1 - y0) * CELL, (x1 - x0) * CELL), np.float32)
        cv2.fillConvexPoly(mask, hull - low * CELL, 1.0)
        inside = np.zeros(self._shape, bool)
        inside[y0:y1, x0:x1] = cv2.resize(mask, (x1 - x0, y1 - y0), interpolation=cv2.INTER_AREA) >= 0.5
        return inside.ravel()


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

    def row(self, number: int) -> Indices:
        """Returns the columns of one row."""
        return np.asarray(self.columns[self.row_of == number])

    def sums(self, values: Singles) -> Singles:
        """Returns the sum of values over each row."""
        return np.bincount(self.row_of, values[self.columns], self.height).astype(np.float32)


@dataclass(frozen=True, eq=False)
class _Outlines:
    """The cells of the silhouettes of some places (`columns`), and of their shadows (`halos`).

    Both are zeros and ones, (places, heights, n), each for the `cells` (places, n) that are near a place; one
    that has fewer is filled up with a cell after the last. `meeting` (places, places): they share cells, so
    that what is said of the one counts for the other.
    """

    cells: Indices
    columns: Singles
    halos: Singles
    meeting: Mask

    @classmethod
    def of(cls, columns: list[Indices], halos: list[Indices], total: int) -> _Outlines:
        """Takes the cells of each silhouette, those of one place after the other, and how many there are."""
        per = len(TALL)
        near = [
            np.unique(np.concatenate((*columns[n : n + per], *halos[n : n + per])))
            for n in range(0, len(columns), per)
        ]
        cells = np.full((len(near), max(len(one) for one in near)), total)
        meeting = np.zeros((len(near), total), np.float32)
        for n, one in enumerate(near):
            cells[n, : len(one)] = one
            meeting[n, one] = 1
        shape = len(near), per, cells.shape[1]
        hidden, shaded = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
        is_in = np.zeros(total + 1, np.float32)
        for filled, rows in ((hidden, columns), (shaded, halos)):
            for n, row in enumerate(rows):
                is_in[row] = 1
                filled[n // per, n % per] = is_in[cells[n // per]]
                is_in[row] = 0
        return cls(cells, hidden, shaded, meeting @ meeting.T > 0)

    def among(self, places: Indices) -> _Outlines:
        """Returns those of some places."""
        meeting = self.meeting[np.ix_(places, places)]
        return _Outlines(self.cells[places], self.columns[places], self.halos[places], meeting)


@dataclass(eq=False)
class _Choice:
    """Silhouettes that explain a picture: `found` has for each place that changed the number of a height.

    `hiding` and `shading` (cells, and one more): how many of them hide a cell, and how many may throw a
    shadow there. `gains` (places, heights): by how much each silhouette explains the picture better beside
    them; where that is `outdated` (places), another was chosen nearby since. `is_stale` (places) says the
    same of what was last found best for a place. `score`: how well they explain the picture; nats.
    """

    found: dict[int, int]
    hiding: Singles
    shading: Singles
    gains: Singles
    outdated: Mask
    is_stale: Mask
    score: float = 0.0

    @classmethod
    def of_none(cls, gains: Singles, cells: int) -> _Choice:
        """Returns the choice of no silhouette."""
        nothing, nowhere = np.zeros(cells + 1, np.float32), np.zeros(len(gains), bool)
        return cls({}, nothing, nothing, gains, nowhere, nowhere)

    def copy(self) -> _Choice:
        """Returns another one that can be changed."""
        counts = self.hiding.copy(), self.shading.copy()
        flags = self.outdated.copy(), self.is_stale.copy()
        return _Choice(dict(self.found), *counts, self.gains.copy(), *flags)

    def count(self, outlines: _Outlines, place: int, height: int, times: int) -> None:
        """Counts a silhouette, or (-1) counts it no longer."""
        at = outlines.cells[place]
        self.hiding[at] += times * outlines.columns[place, height]
        self.shading[at] += times * outlines.halos[place, height]

    def choose(self, outlines: _Outlines, place: int, height: int | None) -> None:
        """Chooses another silhouette for a place; None: that it did not change."""
        was = self.found.get(place)
        if was == height:
            return
        if was is not None:
            self.count(outlines, place, was, -1)
        if height is None:
            del self.found[place]
        else:
            self.count(outlines, place, height, 1)
            self.found[place] = height
        self.outdated |= outlines.meeting[place]
        self.is_stale |= outlines.meeting[place]

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
    """The silhouettes of those places of a picture that may have changed.

    `changed` and `shaded` (cells, and one more of 0) are as `Silhouettes.explain` says.
    """

    outlines: _Outlines
    changed: Singles
    shaded: Singles

    def gains(self, choice: _Choice, places: Indices) -> Singles:
        """Returns (places, heights): by how much each silhouette of some places explains the picture better,
        beside those chosen."""
        near = choice.near
        open_cells = 1 - choice.hidden
        hides = open_cells * (self.changed - near * self.shaded)
        shades = open_cells * (1 - near) * self.shaded
        at = self.outlines.cells[places]
        gains = self.outlines.columns[places] @ hides[at][..., None]
        return np.asarray((gains + self.outlines.halos[places] @ shades[at][..., None])[..., 0], np.float32)

    def cost_without(self, choice: _Choice, place: int) -> float:
        """Returns by how much an explanation is better without one silhouette, all others being kept;
        nats."""
        height = choice.found[place]
        choice.count(self.outlines, place, height, -1)
        gain = self.gains(choice, np.array([place]))[0, height]
        choice.count(self.outlines, place, height, 1)
        return CHANGE - float(gain)

    def may_replace(self, choice: _Choice, place: int) -> bool:
        """Returns whether a place may have changed in place of others, which meet it. Beside those that do
        not, it is known by how much it explains the picture worse."""
        is_met = self.outlines.meeting[place, [*choice.found]]
        return place not in choice.found and bool(is_met.any())

    def improved(self, chosen: _Choice, kept: int = -1, left_out: int = -1) -> _Choice:
        """Returns an explanation made better until nothing is gained by a silhouette more, less, or of
        another height. A place can be `kept` in it, or `left_out`."""
        now = chosen.copy()
        if left_out >= 0:
            now.choose(self.outlines, left_out, None)
        if kept >= 0:
            now.choose(self.outlines, kept, 0)
        for _ in range(ROUNDS):
            before = dict(now.found)
            for n in before:
                if now.is_stale[n]:
                    self._choose_anew(now, n, must_stay=n == kept)
            self._update(now)
            gains = now.gains.copy()
            gains[[*now.found, *([left_out] if left_out >= 0 else [])]] = -np.inf
            best = int(gains.argmax()) if gains.size else -1
            if best >= 0 and gains.flat[best] > CHANGE:
                now.choose(self.outlines, *divmod(best, len(TALL)))
            if now.found == before:
                break
        if kept >= 0:
            now.is_stale[kept] = True
        hidden, near = now.hidden, now.near
        explained = hidden @ self.changed + (near * (1 - hidden)) @ self.shaded
        now.score = float(explained) - CHANGE * len(now.found)
        return now

    def _choose_anew(self, choice: _Choice, place: int, must_stay: bool) -> None:
        """Chooses the best silhouette of a place that has one, or none."""
        choice.is_stale[place] = False
        choice.count(self.outlines, place, choice.found[place], -1)
        gains = self.gains(choice, np.array([place]))[0]
        choice.count(self.outlines, place, choice.found[place], 1)
        best = int(gains.argmax())
        choice.choose(self.outlines, place, best if must_stay or gains[best] >= CHANGE else None)

    def _update(self, choice: _Choice) -> None:
        """Works out what is outdated of a choice."""
        places = np.flatnonzero(choice.outdated)
        if len(places):
            choice.gains[places] = self.gains(choice, places)
            choice.outdated[:] = False
