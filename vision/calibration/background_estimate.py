"""Estimates the empty board from pictures with pieces on it, where no picture shows it empty.

In go pictures of known positions; out comes a `Reference`, the empty board from straight above, with the
grain by which it may be wrong. Where a picture shows the board it is kept. Where a piece may hide it, the
board shows what places of the same tone show, in the light that falls there. That light is smooth, and all
places tell it by their tones: what does not look like its tone in any such light is a piece, and is left out.
Places where the light has a colour of its own, as under a flare, are told apart, and nothing is learned from
them. `python -m benchmarks eyes` reads sets of pictures by such estimates beside those by pictures of the
empty board.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence, Set
from functools import cached_property

import cv2
import numpy as np

from companion.core.game import EMPTY, Look, Place
from vision.arrays import Image, Mask, Singles
from vision.geometry.view import View
from vision.light.gain import FLOOR, fit_gain, terms
from vision.reading.layout import PlaceLayout
from vision.reading.reference import MARGIN, PX_PER_STEP, UNSEEN, Reference

Cell = tuple[slice, slice]
"""The part of a raster around a place: rows and columns."""

ROUNDS, LIGHT_ROUNDS = 3, 2
"""Rounds in which tones and light are told from each other, and in each the rounds in which the light is
refined."""
SPARSE = 4
"""Pixels of the raster from one sample of the light to the next, in each direction."""
NEAR = 0.8
"""The reach within which the light of a place tells that of its neighbours (standard deviation); units."""
UNSURE = 0.02
"""The weight of no difference of light beside the trust in what is seen around a pixel, 0…1."""
ALIKE = 0.12
"""Logarithm by which a colour may differ from its tone in the light there and still count in full as it."""
TINT = 0.2
"""Logarithm by which the colour of the light on a place may differ from that on the whole board: the gloss of
wood reaches half of it."""
TINT_ALIKE = 4 * ALIKE
"""Logarithm by which the lightness of a pixel may differ from its tone and still tell the colour of the
light."""
SEEN = 16.0
"""The same as TINT in grey levels: channels that a saturated paint hardly has do not count."""
ENOUGH = 0.1
"""The share of a place that must be seen to tell the colour of its light."""
SHARED = 0.2
"""The share of a tint that the places around must have for it to be the light's."""
CORNERWISE, BESIDE = 1.5, 1.1
"""Units within which places are beside or cornerwise of each other, and within which they are beside."""
GRAIN = 4.0
"""Grey levels by which places of one tone differ, where none is seen."""


def estimate_background(
    layout: PlaceLayout,
    view: View,
    height: float,
    images: Sequence[Image],
    looks: Sequence[Mapping[Place, Look]],
) -> Reference:
    """Estimates the empty board from pictures (h, w, 3), all of one view, and the looks that stand in each.

    `height` is that of the tallest piece in steps. What several pictures show is taken from the first of
    them.
    """
    raster, known = _merged(layout, view, height, images, looks)
    taken = {p for stand in looks for p, look in stand.items() if look != EMPTY}
    estimate = BackgroundEstimate(layout, view, raster, known, in_picture(images[0], view), taken)
    estimate.refine()
    return estimate.reference()


def _merged(
    layout: PlaceLayout,
    view: View,
    height: float,
    images: Sequence[Image],
    looks: Sequence[Mapping[Place, Look]],
) -> tuple[Image, Mask]:
    """Returns a raster (h, w, 3) of what any of the pictures shows free of pieces, and where that is (h,
    w)."""
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
    """Returns which of a raster's pixels (h, w) a picture shows."""
    white = np.full(image.shape[:2], 255, np.uint8)
    return np.asarray(view.rectify(white, PX_PER_STEP, MARGIN) == 255)


class BackgroundEstimate:
    """A raster of a board, taken for places of a few tones in a light that changes smoothly.

    `raster` (h, w, 3) is the board from straight above, `known` (h, w) where it is free of pieces, `shown`
    (h, w) where the picture shows it, and `taken` are the places on which something stands. In logarithms,
    what is seen is a pattern, alike in all places of a tone, and a light.
    """

    def __init__(
        self, layout: PlaceLayout, view: View, raster: Image, known: Mask, shown: Mask, taken: Set[Place]
    ) -> None:
        self._layout, self._view = layout, view
        self._raster, self._known, self._shown, self._taken = raster, known, shown, taken
        self._seen = np.log(raster.astype(np.float32) + FLOOR)
        self._light = np.zeros(raster.shape, np.float32)
        self._pattern = np.zeros(raster.shape, np.float32)
        self._cells = self._find_cells()
        self.strange: frozenset[Place] = frozenset()

    def _find_cells(self) -> dict[Place, Cell]:
        """Returns the cell of each place whose cell lies wholly in the raster."""
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
        """The cells of each tone."""
        tones = dict(zip(self._layout.places, cell_tones(self._layout), strict=True))
        return [[c for p, c in self._cells.items() if tones[p] == t] for t in sorted(set(tones.values()))]

    @cached_property
    def _inside(self) -> Mask:
        """The pixels (h, w) of all cells that the picture shows."""
        inside = np.zeros(self._known.shape, bool)
        for cell in self._cells.values():
            inside[cell] = True
        return inside & self._shown

    @cached_property
    def _design(self) -> Singles:
        """The terms (h, w, 6) of a smooth change of light over the raster."""
        height, width = self._known.shape
        y, x = np.mgrid[0:height, 0:width]
        return terms(np.stack((x, y), axis=-1).astype(float), (0.0, 0.0, float(width), float(height)))

    def refine(self) -> None:
        """Tells pattern and light from each other, each by the other, in a few rounds."""
        for _ in range(ROUNDS):
            self._lay_pattern()
            self._find_light()

    def _lay_pattern(self) -> None:
        """Gives every cell the pattern that the known cells of its tone usually have in even light."""
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
        """Finds the light: a quadratic over the whole board, and what the neighbourhood adds to it."""
        some = self._inside & (np.indices(self._inside.shape) % SPARSE == 0).all(axis=0)
        frame, plain = (np.exp(v[some]) - FLOOR for v in (self._seen, self._pattern))
        broad = self._design @ fit_gain(frame, plain, self._design[some])
        self.strange = self._tinted(self._pattern + broad)
        light = broad
        for _ in range(LIGHT_ROUNDS):
            miss = self._seen - self._pattern - light
            trust = 1 / (1 + (np.abs(miss).max(axis=2) / ALIKE) ** 2) ** 2 * self._inside
            for place in self.strange:
                trust[self._cells[place]] = 0
            light = light + self._spread(miss, trust.astype(np.float32))
        self._light = light.astype(np.float32)

    def _spread(self, miss: Singles, trust: Singles) -> Singles:
        """Returns the average (h, w, 3) of trusted differences around each pixel; 0 where there are few."""
        sigma = NEAR * PX_PER_STEP * self._layout.unit
        total = cv2.GaussianBlur(trust, (0, 0), sigma) + UNSURE
        mean = cv2.GaussianBlur(miss * trust[..., None], (0, 0), sigma) / total[..., None]
        return np.asarray(mean, dtype=np.float32)

    def _tinted(self, expected: Singles) -> frozenset[Place]:
        """Returns the places on which the light has a colour of its own, as under a flare.

        Where a piece stands the colour may be the piece's: it is the light's if it reaches over from bare
        places.
        """
        tints = {
            place: tint(self._seen[cell], expected[cell], place in self._taken or self._known[cell])
            for place, cell in self._cells.items()
        }
        far = {
            place
            for place, (log, grey) in tints.items()
            if np.abs(log).max() > TINT and np.abs(grey).max() > SEEN
        }
        grey = {place: tints[place][1] for place in tints.keys() - self._taken}
        out = self._reached({p for p in far - self._taken if self._is_shared(p, grey)}, far & self._taken)
        out |= self._between(out)
        return frozenset(out) if len(out) < len(self._cells) / 2 else frozenset()

    def _is_shared(self, place: Place, tints: Mapping[Place, Singles]) -> bool:
        """Returns whether bare places around have the tint too: light does not stop at the edge of a
        paint."""
        mine = tints[place]
        around = [tints[p] for p in self._around(place) if p in tints]
        return bool(around) and float(np.mean(around, axis=0) @ mine) > SHARED * float(mine @ mine)

    def _around(self, place: Place) -> list[Place]:
        """Returns the places beside and cornerwise of one."""
        points = self._layout.points
        apart = np.linalg.norm(points - points[self._layout.places.index(place)], axis=1)
        near = np.flatnonzero((apart > 0) & (apart < CORNERWISE * self._layout.unit))
        return [self._layout.places[n] for n in near]

    def _reached(self, tinted: set[Place], others: set[Place]) -> set[Place]:
        """Returns the tinted places and those of the others that a chain of neighbours joins to them."""
        out = set(tinted)
        while more := {p for p in others - out if out.intersection(self._around(p))}:
            out |= more
        return out

    def _between(self, tinted: Set[Place]) -> set[Place]:
        """Returns the places most of whose neighbours are tinted: the light on them is so too, though
        unseen."""
        mine = np.array([p in tinted for p in self._layout.places])
        return {
            p
            for p, near in zip(self._layout.places, self._beside, strict=True)
            if p in self._cells and 2 * mine[near].sum() > near.sum()
        }

    @cached_property
    def _beside(self) -> Mask:
        """The neighbours of each place (places, places)."""
        points = self._layout.points
        apart = np.linalg.norm(points[:, None] - points[None], axis=2)
        return np.asarray((apart > 0) & (apart < BESIDE * self._layout.unit))

    def reference(self) -> Reference:
        """Returns the raster with hidden parts filled in and strange light taken off, and by how many grey
        levels the filled-in parts may be wrong."""
        laid = np.clip(np.exp(self._pattern + self._light) - FLOOR, 0, 255)
        hidden = self._hidden()
        raster = np.where(hidden[..., None], laid, self._unveiled(laid)).astype(np.uint8)
        doubt = np.where(hidden, np.maximum(self._grain(laid), 1.0), 0)
        doubt[~self._known & ~self._inside] = UNSEEN
        return Reference(raster, self._view, np.clip(doubt, 0, 255).astype(np.uint8))

    def _hidden(self) -> Mask:
        """Returns the pixels (h, w) of cells that are not seen.

        Where nothing stands, what looks like the board is the board, and so is what no piece is near enough
        to hide: a logo, a number.
        """
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
        """Returns the raster without strange light: what it does to most places of a tone is undone."""
        out = self._raster.astype(np.float32)
        miss = self._seen - np.log(laid + FLOOR)
        strange_cells = [self._cells[place] for place in self._cells if place in self.strange]
        for cells in self._groups:
            mine = [cell for cell in strange_cells if cell in cells]
            if not any(self._known[cell].any() for cell in mine):
                continue
            there = np.concatenate([miss[cell][self._known[cell]] for cell in mine])
            tint_of_light = np.median(there, axis=0)
            for cell in mine:
                even = np.exp(self._seen[cell] - tint_of_light) - FLOOR
                out[cell] = np.clip(even, 0, 255)
        return out

    def _grain(self, laid: Singles) -> Singles:
        """Returns the grey levels (h, w) by which places of a tone usually differ from what is laid in, but
        for being lighter or darker."""
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
    """Returns by how much the colour of a light differs from white (3): as logarithms, and in grey levels.

    `seen` and `expected` are logarithms of colours (h, w, 3); of the pixels in `which`, those count that
    differ little in lightness.
    """
    miss = seen - expected
    alike = (np.abs(miss.mean(axis=2)) < TINT_ALIKE) & which
    if alike.mean() < ENOUGH:
        return np.zeros(3, np.float32), np.zeros(3, np.float32)
    log = np.median(miss[alike], axis=0)
    log = log - log.mean()
    level = np.exp(np.median(expected[alike], axis=0)) - FLOOR
    return log, level * (np.exp(log) - 1)


def _usual(sure: Sequence[Singles], shown: Sequence[Singles]) -> Singles:
    """Returns the medians (h, w, 3), pixel by pixel, of cells in which nan marks what is not known.

    Where no cell is known there, it is the median of what they show; where they show nothing, that of all
    pixels.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of pixels that are nan in all cells
        best, second = (np.nanmedian(np.array(cells), axis=0) for cells in (sure, shown))
        out = np.where(np.isnan(best), second, best)
        out = np.where(np.isnan(out), np.nanmedian(out.reshape(-1, 3), axis=0), out)
    return np.asarray(np.nan_to_num(out), dtype=np.float32)


def cell_tones(layout: PlaceLayout) -> list[str]:
    """Returns the style of the cell in which each place lies, as the board file draws it; "" for none."""
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
