"""Calibration: from pictures of known positions to a profile.

Finds the board, finds which side is south, takes the empty board from a picture of it or pieces it
together from what the pictures show empty, and learns how each look appears.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.board import Board
from companion.core import EMPTY, Look, Place
from vision.balance import balance
from vision.compose import complete
from vision.hands import shrink
from vision.learn import learn
from vision.locate import Found, facing, locate, locate_corners
from vision.model import Geometry
from vision.profile import Profile
from vision.reader import Eye
from vision.reference import MARGIN, PX_PER_STEP, Reference
from vision.sample import LEVELS, Layout, Sampler, read_places
from vision.view import View

Image = npt.NDArray[np.uint8]
LARGEST = 1000
"""Frames are read at most this many pixels wide: finer detail only costs time."""
STRANGE = 12.0
"""Grey levels by which the tint of a cell may differ from its like; more is a coloured light on it."""
TELLS = 1.15
"""How much likelier the position must make one side than the next for it to tell which is south."""


class CalibrationError(ValueError):
    """Pictures from which nothing can be learned: one line that says what to do."""


@dataclass(frozen=True, eq=False)
class Example:
    """A picture of a known position; places left out are empty."""

    image: Image
    looks: Mapping[Place, Look]


def calibrate(
    board: Board,
    game: str,
    looks: Sequence[Look],
    examples: Sequence[Example],
    empty: Image | None = None,
    corners: Sequence[tuple[float, float]] | None = None,
    south: str | None = None,
) -> Profile:
    """A profile. BoardNotFoundError when the board is not seen, CalibrationError when nothing stands
    on it."""
    if not any(look != EMPTY for e in examples for look in e.looks.values()):
        raise CalibrationError("no picture shows a piece: give at least one of a position with pieces")
    first = empty if empty is not None else examples[0].image
    scale = min(1.0, LARGEST / first.shape[1])
    given = None if corners is None else [((x + 0.5) * scale - 0.5, (y + 0.5) * scale - 0.5) for x, y in corners]
    first = scaled(first, scale)
    found = locate(first, board) if given is None else locate_corners(first, board, given)
    size = first.shape[1], first.shape[0]
    examples = [Example(resized(e.image, size), e.looks) for e in examples]
    view = _south(found, board, examples, south)
    return _profile(board, game, looks, examples, view, first if empty is not None else None)


def _profile(
    board: Board, game: str, looks: Sequence[Look], examples: Sequence[Example], view: View, empty: Image | None
) -> Profile:
    parts = any(p in board.places and p not in board.sites for e in examples for p in e.looks)
    layout = Layout(board, read_places(board, parts), levels(board, looks))
    reference = Reference.of(empty, view) if empty is not None else pieced(layout, view, examples)
    eye = Eye(layout, view, reference)
    known = [{p: look for p, look in e.looks.items() if look != EMPTY} for e in examples]
    scenes = [eye.scene(e.image) for e in examples]
    seen, caps = learn(scenes, known, sure=empty is not None)
    models = balance(Geometry.of(eye.sampler), complete(seen, caps, looks, board, layout.unit), scenes, known)
    picture = empty if empty is not None else examples[0].image
    frames = tuple(shrink(i) for i in ([picture] if empty is not None else []) + [e.image for e in examples])
    return Profile(
        game, board.name, tuple(looks), view, layout.levels, parts, tuple(models), reference.raster, picture, frames
    )


def levels(board: Board, looks: Sequence[Look]) -> tuple[float, ...]:
    """Heights at which places are sampled, from the board to the highest head; steps."""
    heights = [board.pieces.face(look).height for look in looks if look != EMPTY and not look.startswith("+")]
    top = max(heights, default=0.5) + (0.1 if any("+" in look for look in looks) else 0.0)
    return tuple(float(z) for z in np.linspace(0, top, LEVELS))


def scaled(image: Image, scale: float) -> Image:
    if scale >= 1:
        return image
    return np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def resized(image: Image, size: tuple[int, int]) -> Image:
    if (image.shape[1], image.shape[0]) == size:
        return image
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _south(found: Found, board: Board, examples: Sequence[Example], south: str | None) -> View:
    """The candidate that markers, the user or the position tells; else the one with south at the bottom."""
    if len(found.candidates) == 1:
        return found.view
    if south is not None:
        return facing(found.candidates, south)
    scores = np.array([_agreement(view, board, examples) for view in found.candidates])
    order = np.argsort(-scores)
    if scores[order[0]] > TELLS * max(scores[order[1]], 1e-6):
        return found.candidates[int(order[0])]
    return facing(found.candidates, "bottom")


def _agreement(view: View, board: Board, examples: Sequence[Example]) -> float:
    """How well pictures seen so agree with the known positions: how far apart the colours of different
    looks are, beside the spread within each, and whether light paint is lighter."""
    total = 0.0
    for example in examples:
        colours, names = _patches(view, board, example)
        groups = [colours[names == name] for name in np.unique(names)]
        within = sum(float(((g - np.median(g, axis=0)) ** 2).sum()) for g in groups)
        whole = float(((colours - np.median(colours, axis=0)) ** 2).sum())
        total += whole / max(within, 1e-6) * _paint_agreement(board, colours, names)
    return total


def _patches(view: View, board: Board, example: Example) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.str_]]:
    smooth = cv2.GaussianBlur(example.image, (0, 0), 2)
    sites = list(board.sites)
    pixels = np.round(view.pixels([board.sites[s] for s in sites])).astype(int)
    x = np.clip(pixels[:, 0], 0, smooth.shape[1] - 1)
    y = np.clip(pixels[:, 1], 0, smooth.shape[0] - 1)
    names = np.array([example.looks.get(s, EMPTY) for s in sites])
    return smooth[y, x].astype(float), names


def _paint_agreement(board: Board, colours: npt.NDArray[np.float64], names: npt.NDArray[np.str_]) -> float:
    """1.5 where the order of the owners' paints is that of the colours seen, 0.67 where it is the other."""
    seen, paint = [], []
    for name in np.unique(names):
        text = board.pieces.paint.get(str(name).partition("+")[0].partition("/")[0])
        if text:
            paint.append([int(text[i:i + 2], 16) for i in (5, 3, 1)])
            seen.append(np.median(colours[names == name], axis=0))
    if len(seen) < 2:
        return 1.0
    a, b = (np.array(v, dtype=float) - np.mean(v, axis=0) for v in (seen, paint))
    return float(1.5 ** np.sign((a * b).sum()))


def pieced(layout: Layout, view: View, examples: Sequence[Example]) -> Reference:
    """The empty board without a picture of it: what any picture shows free, and for the rest what the
    board shows at places of the same tone."""
    rasters = [view.rectify(e.image, PX_PER_STEP, MARGIN) for e in examples]
    sampler = Sampler(layout, view)
    plain = Reference(rasters[0], view)
    free = []
    for e in examples:
        busy = [i for i, p in enumerate(layout.places) if e.looks.get(p, EMPTY) != EMPTY]
        free.append(plain.clear_of(sampler, busy) > 0)
    raster, known = rasters[0].copy(), free[0].copy()
    for other, clear in zip(rasters[1:], free[1:], strict=True):
        new = clear & ~known
        raster[new] = other[new]
        known |= clear
    return Reference(_filled(layout, view, raster, known), view)


def _filled(layout: Layout, view: View, raster: Image, known: npt.NDArray[np.bool_]) -> Image:
    """Cells of which too little is known get the average of the known ones of the same tone."""
    half = round(0.5 * PX_PER_STEP * layout.unit)
    centres = np.round(view.rectified(layout.points, PX_PER_STEP, MARGIN)).astype(int)
    tones = _tones(layout)
    cells = [(slice(y - half, y + half), slice(x - half, x + half)) for x, y in centres]
    out = raster.copy()
    for tone in set(tones):
        mine = [c for c, t in zip(cells, tones, strict=True) if t == tone]
        weights = np.array([known[c] for c in mine], dtype=np.float32)[..., None]
        total = weights.sum(axis=0)
        if total.min() < 0.5:
            mine_all = np.array([raster[c] for c in mine])
            average = np.median(mine_all, axis=0)
        else:
            average = (weights * np.array([raster[c] for c in mine])).sum(axis=0) / total
        tint = _tint(average)
        for cell in mine:
            strange = np.abs(_tint(raster[cell]) - tint).max() > STRANGE
            hidden = ~known[cell] | strange
            out[cell][hidden] = average[hidden].astype(np.uint8)
    return out


def _tint(cell: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """The median colour of a cell without its lightness."""
    colour = np.median(cell.reshape(-1, 3), axis=0).astype(float)
    return np.asarray(colour - colour.mean())


def _tones(layout: Layout) -> list[str]:
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

