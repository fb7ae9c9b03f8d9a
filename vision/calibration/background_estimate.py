"""Estimates the empty board from pictures with pieces on it, where no picture shows it empty.

In go pictures of known positions; out comes a `Reference`, the empty board from straight above, and which of
it is guessed. Where a picture shows the board it is kept. Where a piece may hide it, the board is taken to
show what bare places of the same tone show there, in the light that falls over the whole board.
`python -m benchmarks eyes` reads sets of pictures by such estimates beside those by pictures of the empty
board.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from companion.core.game import EMPTY, Look, Place
from vision.arrays import Image, Mask, Singles
from vision.geometry.view import View
from vision.known.layout import PlaceLayout
from vision.known.reference import MARGIN, PX_PER_STEP, UNSEEN, Reference
from vision.light.gain import fit_gain, terms

Cell = tuple[slice, slice]
"""The part of a raster around a place: rows and columns."""

SPARSE = 4
"""Pixels of the raster from one sample of the light to the next, in each direction."""
GUESSED = 1
"""Grey levels of doubt where the board is guessed."""


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
    groups = _cells(layout, view, known.shape)
    pattern, inside = _pattern(raster.astype(np.float32), known, groups)
    light = _light(raster, pattern, known & inside)
    pattern, _ = _pattern(np.asarray(raster / light, np.float32), known, groups)
    laid = np.clip(pattern * light, 0, 255).astype(np.uint8)
    doubt = np.where(known, 0, np.where(inside, GUESSED, UNSEEN)).astype(np.uint8)
    return Reference(np.where((~known & inside)[..., None], laid, raster), view, doubt)


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


def _cells(layout: PlaceLayout, view: View, shape: tuple[int, ...]) -> list[list[Cell]]:
    """Returns the cells that lie wholly in a raster, those of each tone together."""
    half = round(0.5 * PX_PER_STEP * layout.unit)
    centres = np.round(view.rectified(layout.points, PX_PER_STEP, MARGIN)).astype(int)
    groups: dict[str, list[Cell]] = {}
    for tone, (x, y) in zip(cell_tones(layout), centres, strict=True):
        if half <= x <= shape[1] - half and half <= y <= shape[0] - half:
            groups.setdefault(tone, []).append((slice(y - half, y + half), slice(x - half, x + half)))
    return [*groups.values()]


def _pattern(colours: Singles, known: Mask, groups: Sequence[Sequence[Cell]]) -> tuple[Singles, Mask]:
    """Returns what bare cells of each tone usually show (h, w, 3), and the pixels of all cells (h, w).

    A pixel that no cell of a tone shows bare is as all of them usually are; if none is bare, as they are.
    """
    out, inside = colours.copy(), np.zeros(known.shape, bool)
    for cells in groups:
        seen = np.stack([colours[cell] for cell in cells])
        bare = np.stack([known[cell] for cell in cells])
        sure = np.where(bare[..., None], seen, np.nan) if bare.any() else seen
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # of pixels that are nan in all cells
            usual = np.nanmedian(sure, axis=0)
        usual = np.where(np.isnan(usual), np.nanmedian(sure.reshape(-1, 3), axis=0), usual)
        for cell in cells:
            out[cell], inside[cell] = usual, True
    return out, inside


def _light(raster: Image, pattern: Singles, bare: Mask) -> Singles:
    """Returns factors (h, w, 3): the light over the board that makes a pattern what the bare board shows."""
    height, width = bare.shape
    some = bare[::SPARSE, ::SPARSE]
    y, x = np.mgrid[0:height, 0:width]
    design = terms(np.stack((x, y), axis=-1).astype(float), (0.0, 0.0, float(width), float(height)))
    if not some.any():
        return np.ones(pattern.shape, np.float32)
    shown = np.asarray(raster[::SPARSE, ::SPARSE][some], np.float32)
    usual = np.asarray(pattern[::SPARSE, ::SPARSE][some], np.float32)
    fitted = fit_gain(shown, usual, design[::SPARSE, ::SPARSE][some])
    return np.asarray(np.exp(design @ fitted), np.float32)


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
