"""The empty board without a picture of it, pieced together.

Where a picture shows the board, it is kept. Where a piece may hide it, the board shows what places of the
same tone show, in the light that falls there. That light is smooth, and is told by the tones of all the
places: whatever does not look like its tone in any such light is a piece, and is left out. Places where
the light has a colour of its own, as under a flare, are named, lest anything be learned from them.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence, Set
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from companion.core import EMPTY, Look, Place
from vision.geometry.view import View
from vision.light.gain import FLOOR, fit_gain, terms
from vision.reading.layout import Layout
from vision.reading.reference import MARGIN, PX_PER_STEP, UNSEEN, Reference

Image = npt.NDArray[np.uint8]
Singles = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]
Cell = tuple[slice, slice]

ROUNDS = 3
NEAR = 0.8
"""How far the light of a place tells that of its neighbours; units."""
ALIKE = 0.12
"""Log by which what is seen may differ from a tone in the light there, and count in full as that tone."""
TINT = 0.2
"""Log by which the colour of the light on a place may differ from that on the whole board; the gloss of
wood reaches half of it."""
SEEN = 16.0
"""The same in grey levels: channels that a saturated paint hardly has do not count."""
ENOUGH = 0.1
"""The share of a place that must be seen to tell the colour of its light."""
SHARED = 0.2
"""How much of a tint the places around must have for it to be the light's."""
GRAIN = 4.0
"""Grey levels by which places of one tone differ, where none is seen."""


def pieced(
    layout: Layout, view: View, height: float, images: Sequence[Image], looks: Sequence[Mapping[Place, Look]]
) -> Reference:
    """From pictures of known positions, with pieces of up to a height (steps)."""
    raster, known = _merged(layout, view, height, images, looks)
    taken = {p for stand in looks for p, look in stand.items() if look != EMPTY}
    quilt = Quilt(layout, view, raster, known, in_picture(images[0], view), taken)
    quilt.settle()
    return quilt.reference()


def _merged(
    layout: Layout, view: View, height: float, images: Sequence[Image], looks: Sequence[Mapping[Place, Look]]
) -> tuple[Image, Mask]:
    """What any of the pictures shows free, and where that is."""
    raster, known = np.empty(0, np.uint8), np.empty(0, bool)
    for image, stand in zip(images, looks, strict=True):
        seen = Reference.of(image, view)
        busy = [i for i, p in enumerate(layout.places) if stand.get(p, EMPTY) != EMPTY]
        clear = seen.clear_of(layout, view, busy, height) & in_picture(image, view)
        if not raster.size:
            raster, known = seen.raster.copy(), clear
        new = clear & ~known
        raster[new] = seen.raster[new]
        known |= clear
    return raster, known


def in_picture(image: Image, view: View) -> Mask:
    """Which of a raster's pixels the picture shows."""
    white = np.full(image.shape[:2], 255, np.uint8)
    return np.asarray(view.rectify(white, PX_PER_STEP, MARGIN) == 255)


class Quilt:
    """A raster of a board seen as places of a few tones in a light that changes smoothly."""

    def __init__(
        self, layout: Layout, view: View, raster: Image, known: Mask, shown: Mask, taken: Set[Place]
    ) -> None:
        self._layout, self._view = layout, view
        self._raster, self._known, self._shown, self._taken = raster, known, shown, taken
        self._seen = np.log(raster.astype(np.float32) + FLOOR)
        self._light = np.zeros(raster.shape, np.float32)
        self._pattern = np.zeros(raster.shape, np.float32)
        self._cells = self._find_cells()
        self.strange: frozenset[Place] = frozenset()

    def _find_cells(self) -> dict[Place, Cell]:
        """The part of the raster around each place that lies wholly in it."""
        half = round(0.5 * PX_PER_STEP * self._layout.unit)
        centres = np.round(self._view.rectified(self._layout.points, PX_PER_STEP, MARGIN)).astype(int)
        height, width = self._raster.shape[:2]
        return {
            place: (slice(y - half, y + half), slice(x - half, x + half))
            for place, (x, y) in zip(self._layout.places, centres, strict=True)
            if half <= x <= width - half and half <= y <= height - half
        }

    @cached_property
    def _groups(self) -> list[list[Cell]]:
        """Cells of one tone."""
        tones = dict(zip(self._layout.places, cell_tones(self._layout), strict=True))
        return [[c for p, c in self._cells.items() if tones[p] == t] for t in sorted(set(tones.values()))]

    @cached_property
    def _inside(self) -> Mask:
        inside = np.zeros(self._known.shape, bool)
        for cell in self._cells.values():
            inside[cell] = True
        return inside & self._shown

    @cached_property
    def _design(self) -> Singles:
        height, width = self._known.shape
        y, x = np.mgrid[0:height, 0:width]
        return terms(np.stack((x, y), axis=-1).astype(float), (0.0, 0.0, float(width), float(height)))

    def settle(self) -> None:
        """Tells tones and light from each other."""
        for _ in range(ROUNDS):
            self._lay_pattern()
            self._find_light()

    def _lay_pattern(self) -> None:
        """Every cell as the known ones of its tone usually are, in even light."""
        even = self._seen - self._light
        sure = even.copy()
        sure[~self._known] = np.nan
        for cell in (self._cells[place] for place in self.strange):
            sure[cell] = even[cell] = np.nan
        even[~self._shown] = np.nan
        for cells in self._groups:
            average = _usual([sure[c] for c in cells], [even[c] for c in cells])
            for cell in cells:
                self._pattern[cell] = average

    def _find_light(self) -> None:
        """A quadratic over the whole board, and what the neighbourhood adds to it."""
        some = self._inside & (np.indices(self._inside.shape) % 4 == 0).all(axis=0)
        frame, plain = (np.exp(v[some]) - FLOOR for v in (self._seen, self._pattern))
        broad = self._design @ fit_gain(frame, plain, self._design[some])
        self.strange = self._tinted(self._pattern + broad)
        light = broad
        for _ in range(2):
            miss = self._seen - self._pattern - light
            trust = 1 / (1 + (np.abs(miss).max(axis=2) / ALIKE) ** 2) ** 2 * self._inside
            for place in self.strange:
                trust[self._cells[place]] = 0
            light = light + self._spread(miss, trust.astype(np.float32))
        self._light = light.astype(np.float32)

    def _spread(self, miss: Singles, trust: Singles) -> Singles:
        """The average of what is trusted around each pixel; nought where there is little of it."""
        sigma = NEAR * PX_PER_STEP * self._layout.unit
        total = cv2.GaussianBlur(trust, (0, 0), sigma) + 0.02
        mean = cv2.GaussianBlur(miss * trust[..., None], (0, 0), sigma) / total[..., None]
        return np.asarray(mean, dtype=np.float32)

    def _tinted(self, expected: Singles) -> frozenset[Place]:
        """Places on which the light has a colour of its own, as under a flare. Where a piece stands it may
        be the piece that has it: there it is the light's if it reaches over from bare places."""
        tints = {
            place: tint(self._seen[cell], expected[cell], place in self._taken or self._known[cell])
            for place, cell in self._cells.items()
        }
        far = {
            place for place, (log, grey) in tints.items()
            if np.abs(log).max() > TINT and np.abs(grey).max() > SEEN
        }
        grey = {place: tints[place][1] for place in tints.keys() - self._taken}
        out = self._reached({p for p in far - self._taken if self._is_shared(p, grey)}, far & self._taken)
        out |= self._between(out)
        return frozenset(out) if len(out) < len(self._cells) / 2 else frozenset()

    def _is_shared(self, place: Place, tints: Mapping[Place, Singles]) -> bool:
        """Whether bare places around have the tint too: light does not stop at the edge of a paint."""
        mine = tints[place]
        around = [tints[p] for p in self._around(place) if p in tints]
        return bool(around) and float(np.mean(around, axis=0) @ mine) > SHARED * float(mine @ mine)

    def _around(self, place: Place) -> list[Place]:
        """The places beside and cornerwise of one."""
        points = self._layout.points
        apart = np.linalg.norm(points - points[self._layout.places.index(place)], axis=1)
        near = np.flatnonzero((apart > 0) & (apart < 1.5 * self._layout.unit))
        return [self._layout.places[n] for n in near]

    def _reached(self, tinted: set[Place], others: set[Place]) -> set[Place]:
        """The tinted places and those of the others that a chain of neighbours joins to them."""
        out = set(tinted)
        while more := {p for p in others - out if out.intersection(self._around(p))}:
            out |= more
        return out

    def _between(self, tinted: Set[Place]) -> set[Place]:
        """Places most of whose neighbours are tinted: the light on them is so too, though unseen."""
        mine = np.array([p in tinted for p in self._layout.places])
        return {
            p
            for p, near in zip(self._layout.places, self._beside, strict=True)
            if p in self._cells and 2 * mine[near].sum() > near.sum()
        }

    @cached_property
    def _beside(self) -> Mask:
        """(places, places): which are neighbours."""
        points = self._layout.points
        apart = np.linalg.norm(points[:, None] - points[None], axis=2)
        return np.asarray((apart > 0) & (apart < 1.1 * self._layout.unit))

    def reference(self) -> Reference:
        """The raster with what is hidden laid in, and strange light taken off."""
        laid = np.clip(np.exp(self._pattern + self._light) - FLOOR, 0, 255)
        hidden = self._hidden()
        raster = np.where(hidden[..., None], laid, self._unveiled(laid)).astype(np.uint8)
        doubt = np.where(hidden, np.maximum(self._grain(laid), 1.0), 0)
        doubt[~self._known & ~self._inside] = UNSEEN
        return Reference(raster, self._view, np.clip(doubt, 0, 255).astype(np.uint8))

    def _hidden(self) -> Mask:
        """What of the places is not seen. Where nothing stands, what looks like the board is it, and so is
        what no piece is near enough to hide: a logo, a number."""
        alike = np.abs(self._seen - self._pattern - self._light).max(axis=2) < ALIKE
        hidden = np.zeros(self._known.shape, bool)
        for place, cell in self._cells.items():
            unknown = ~self._known[cell]
            if place not in self._taken and place not in self.strange:
                near = any(p in self._taken for p in self._around(place))
                unknown = unknown & ~alike[cell] if near else np.zeros_like(unknown)
            hidden[cell] = unknown
        return hidden

    def _unveiled(self, laid: Singles) -> Singles:
        """The raster without the strange light: what it does to most of the places of a tone is undone."""
        out = self._raster.astype(np.float32)
        miss = self._seen - np.log(laid + FLOOR)
        for cells in self._groups:
            mine = [c for p, c in self._cells.items() if p in self.strange and c in cells]
            there = np.concatenate([miss[c][self._known[c]] for c in mine]) if mine else miss[:0, 0]
            if len(there):
                for cell in mine:
                    even = np.exp(self._seen[cell] - np.median(there, axis=0)) - FLOOR
                    out[cell] = np.clip(even, 0, 255)
        return out

    def _grain(self, laid: Singles) -> Singles:
        """Grey levels by which places of a tone usually differ from what is laid, but for being lighter or
        darker; half of it, since grain is finer than samples."""
        seen = self._raster.astype(np.float32)
        scale = (seen * laid).sum(axis=2) / np.maximum((laid * laid).sum(axis=2), 1)
        miss = np.abs(seen - scale[..., None] * laid).mean(axis=2)
        grain = np.zeros(miss.shape, np.float32)
        for cells in self._groups:
            plain = np.concatenate([miss[c][self._known[c]] for c in cells]) if cells else miss[:0]
            usual = float(np.median(plain)) if len(plain) else GRAIN
            for cell in cells:
                grain[cell] = usual
        return grain


def tint(seen: Singles, expected: Singles, which: Mask | bool) -> tuple[Singles, Singles]:
    """How the colour of what differs little from the board in lightness differs from it: as logarithms of
    the channels, and in grey levels; from logarithms (h, w, 3)."""
    miss = seen - expected
    alike = (np.abs(miss.mean(axis=2)) < 4 * ALIKE) & which
    if alike.mean() < ENOUGH:
        return np.zeros(3, np.float32), np.zeros(3, np.float32)
    log = np.median(miss[alike], axis=0)
    log = log - log.mean()
    level = np.exp(np.median(expected[alike], axis=0)) - FLOOR
    return log, level * (np.exp(log) - 1)


def _usual(sure: Sequence[Singles], shown: Sequence[Singles]) -> Singles:
    """The medians, pixel by pixel, of cells in which nan is what is not known; where that is all of them,
    of what they show; where they show nothing, the same everywhere."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # pixels that are nan in all cells
        best, second = (np.nanmedian(np.array(cells), axis=0) for cells in (sure, shown))
        out = np.where(np.isnan(best), second, best)
        out = np.where(np.isnan(out), np.nanmedian(out.reshape(-1, 3), axis=0), out)
    return np.asarray(np.nan_to_num(out), dtype=np.float32)


def cell_tones(layout: Layout) -> list[str]:
    """The style of the cell that each place lies in, as the board file draws it."""
    polygons = [s for s in layout.board.shapes if s.kind == "polygon"]
    tones = []
    for x, y in layout.points:
        style = ""
        for shape in polygons:
            outline = np.array(shape.points, np.float32)
            if cv2.pointPolygonTest(outline, (float(x), float(y)), measureDist=False) >= 0:
                style = shape.style
        tones.append(style)
    return tones
