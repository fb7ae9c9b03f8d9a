"""Calibration: from pictures of known positions to a profile.

Finds the board, finds which side is south, takes the empty board from a picture of it or pieces it
together from what the pictures show empty, and learns how each look appears.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from companion.board import Board
from companion.core import EMPTY, Look
from vision.calibration.patchwork import pieced
from vision.calibration.profile import Example, Profile
from vision.finding.locate import Found, check_light, facing, locate, locate_corners
from vision.finding.symmetry import towards
from vision.geometry.view import View
from vision.reading.layout import Layout
from vision.reading.reference import Reference
from vision.solids.eye import teach
from vision.solids.model import Model
from vision.solids.sample import LevelLayout

Image = npt.NDArray[np.uint8]
LARGEST = 1000
"""Frames are read at most this many pixels wide: finer detail only costs time."""
TELLS = 1.15
"""How much likelier the position must make one side than the next for it to tell which is south."""


class CalibrationError(ValueError):
    """Pictures from which nothing can be learned: one line that says what to do."""


def calibrate(
    board: Board,
    game: str,
    looks: Sequence[Look],
    examples: Sequence[Example],
    empties: Sequence[Image] = (),
    corners: Sequence[tuple[float, float]] | None = None,
    south: str | None = None,
) -> Profile:
    """A profile, from pictures of known positions and of the empty board, whose first is the reference.

    Looks that no picture shows are learned in play. BoardNotFoundError when the board is not seen,
    CalibrationError without any picture.
    """
    if not examples and not empties:
        raise CalibrationError("no picture to learn from: give one of a known position or of the empty board")
    first = empties[0] if empties else examples[0].image
    for image in (*empties, *(e.image for e in examples)):
        check_light(image)
    scale = min(1.0, LARGEST / first.shape[1])
    given = (
        None if corners is None else [((x + 0.5) * scale - 0.5, (y + 0.5) * scale - 0.5) for x, y in corners]
    )
    first = scaled(first, scale)
    found = locate(first, board) if given is None else locate_corners(first, board, given)
    size = first.shape[1], first.shape[0]
    examples = [Example(resized(e.image, size), e.looks) for e in examples]
    view = _south(found, board, examples, south)
    shown = [*examples, *(Example(resized(image, size), {}) for image in empties[1:])]
    return _profile(board, game, looks, shown, view, first if empties else None)


def _profile(
    board: Board,
    game: str,
    looks: Sequence[Look],
    examples: Sequence[Example],
    view: View,
    empty: Image | None,
) -> Profile:
    """What the pictures, all of the view's size, teach: mainly themselves."""
    parts = any(look != EMPTY and board.pieces.face(look).form == "port" for look in looks if look[0] != "+")
    layout = Layout.of(board, parts)
    if empty is not None:
        reference = Reference.of(empty, view)
    else:
        known = [{p: look for p, look in e.looks.items() if look != EMPTY} for e in examples]
        reference = pieced(layout, view, layout.height(looks), [e.image for e in examples], known)
    shown = tuple(examples) if examples or empty is None else (Example(empty, {}),)
    picture = empty if empty is not None else examples[0].image
    models: tuple[Model, ...] = ()
    if empty is not None:  # solids are what differs from the empty board
        models = teach(board, LevelLayout.of_profile(layout, looks), view, reference, looks, examples)
    return Profile(
        game, board.name, tuple(looks), view, parts, shown, reference.raster, picture, reference.doubt, models
    )


def scaled(image: Image, scale: float) -> Image:
    if scale >= 1:
        return image
    return np.asarray(
        cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), dtype=np.uint8
    )


def resized(image: Image, size: tuple[int, int]) -> Image:
    if (image.shape[1], image.shape[0]) == size:
        return image
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _south(found: Found, board: Board, examples: Sequence[Example], south: str | None) -> View:
    """The candidate that markers, the user and the position tell; else the one with south at the bottom."""
    candidates = found.candidates if south is None else towards(found.candidates, south)
    if len(candidates) == 1:
        return candidates[0]
    scores = np.array([_agreement(view, board, examples) for view in candidates])
    order = np.argsort(-scores)
    if scores[order[0]] > TELLS * max(scores[order[1]], 1e-6):
        return candidates[int(order[0])]
    return facing(candidates, south or "bottom")


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


def _patches(
    view: View, board: Board, example: Example
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.str_]]:
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
            paint.append([int(text[i : i + 2], 16) for i in (5, 3, 1)])
            seen.append(np.median(colours[names == name], axis=0))
    if len(seen) < 2:
        return 1.0
    a, b = (np.array(v, dtype=float) - np.mean(v, axis=0) for v in (seen, paint))
    return float(1.5 ** np.sign((a * b).sum()))
