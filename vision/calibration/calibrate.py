"""Calibration: makes a profile of pictures of known positions.

It finds the board and which side of it is south, takes the empty board from a picture of it or estimates it
from what the pictures show empty, and learns the solids of pieces. Looks are learned by their pictures: the
profile holds these, and `vision.reading.reader` makes examples of them.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from companion.core.board import Board
from companion.core.errors import CompanionError
from companion.core.game import EMPTY, Look
from companion.language import say
from vision.arrays import Floats, Image
from vision.calibration.background_estimate import estimate_background
from vision.calibration.profile import Profile
from vision.finding.locate import LocatedBoard, check_light, facing, locate, locate_corners
from vision.finding.symmetry import towards
from vision.geometry.view import View
from vision.known.example import Example
from vision.known.layout import PlaceLayout
from vision.known.reference import Reference
from vision.solids.model import Model
from vision.solids.sample import LevelLayout
from vision.solids.solid_reader import learn_solids

LARGEST = 1000
"""The width at which frames are read at most: finer detail only costs time; pixels."""
TELLS = 1.15
"""The factor by which a position must agree better with one side as south than with the next, to tell it."""
SMOOTH = 2
"""The smoothing of pictures whose colours are compared with a position (standard deviation); pixels."""
PAINT_TELLS = 1.5
"""The factor by which paints in the right order of lightness make a side likelier, and less likely in the
wrong one."""


class CameraCalibrationError(CompanionError, ValueError):
    """Pictures from which nothing can be learned; one line, which says what to do."""


def calibrate(
    board: Board,
    game: str,
    looks: Sequence[Look],
    examples: Sequence[Example],
    empties: Sequence[Image] = (),
    corners: Sequence[tuple[float, float]] | None = None,
    south: str | None = None,
) -> Profile:
    """Makes a profile of pictures of known positions and of the empty board, whose first is the reference.

    `game` is the head of a game text and `looks` are all looks of that game: those that no picture shows are
    learned in play. `corners` are the board's in pixels of the first picture, south-west first, and `south`
    is the side of the picture at which south lies: both are found where they are not given.
    BoardNotFoundError when the board is not seen, CameraCalibrationError without any picture.
    """
    if not examples and not empties:
        raise CameraCalibrationError(
            say("no picture to learn from: give one of a known position or of the empty board")
        )
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
    """Returns a profile of what the pictures, all of the view's size, teach; `empty` shows the empty
    board."""
    parts = any(look != EMPTY and board.pieces.face(look).form == "port" for look in looks if look[0] != "+")
    layout = PlaceLayout.of(board, parts)
    if empty is not None:
        reference = Reference.of(empty, view)
    else:
        known = [{p: look for p, look in e.looks.items() if look != EMPTY} for e in examples]
        reference = estimate_background(
            layout, view, layout.height(looks), [e.image for e in examples], known
        )
    shown = tuple(examples) if examples or empty is None else (Example(empty, {}),)
    picture = empty if empty is not None else examples[0].image
    models: tuple[Model, ...] = ()
    if empty is not None:  # Solids are told by how they differ from the empty board.
        models = learn_solids(board, LevelLayout.of_profile(layout, looks), view, reference, looks, examples)
    return Profile(
        game, board.name, tuple(looks), view, parts, shown, reference.raster, picture, reference.doubt, models
    )


def scaled(image: Image, scale: float) -> Image:
    """Returns a picture scaled down; the picture itself where the scale is 1 or more."""
    if scale >= 1:
        return image
    return np.asarray(
        cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), dtype=np.uint8
    )


def resized(image: Image, size: tuple[int, int]) -> Image:
    """Returns a picture of a width and height; the picture itself where it has them."""
    if (image.shape[1], image.shape[0]) == size:
        return image
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _south(found: LocatedBoard, board: Board, examples: Sequence[Example], south: str | None) -> View:
    """Returns the view that markers, the user and the position tell; else the one with south at the
    bottom."""
    candidates = found.candidates if south is None else towards(found.candidates, south)
    if len(candidates) == 1:
        return candidates[0]
    scores = np.array([_agreement(view, board, examples) for view in candidates])
    order = np.argsort(-scores)
    if scores[order[0]] > TELLS * max(scores[order[1]], 1e-6):
        return candidates[int(order[0])]
    return facing(candidates, south or "bottom")


def _agreement(view: View, board: Board, examples: Sequence[Example]) -> float:
    """Returns how well pictures seen so agree with the known positions: how far apart the colours of
    different looks are, beside the spread within each look, and whether light paint is lighter."""
    total = 0.0
    for example in examples:
        colours, names = _patches(view, board, example)
        groups = [colours[names == name] for name in np.unique(names)]
        within = sum(float(((g - np.median(g, axis=0)) ** 2).sum()) for g in groups)
        whole = float(((colours - np.median(colours, axis=0)) ** 2).sum())
        total += whole / max(within, 1e-6) * _paint_agreement(board, colours, names)
    return total


def _patches(view: View, board: Board, example: Example) -> tuple[Floats, npt.NDArray[np.str_]]:
    """Returns the colours (sites, 3) around all sites, and the looks (sites) that stand there."""
    smooth = cv2.GaussianBlur(example.image, (0, 0), SMOOTH)
    sites = list(board.sites)
    pixels = np.round(view.pixels([board.sites[s] for s in sites])).astype(int)
    x = np.clip(pixels[:, 0], 0, smooth.shape[1] - 1)
    y = np.clip(pixels[:, 1], 0, smooth.shape[0] - 1)
    names = np.array([example.looks.get(s, EMPTY) for s in sites])
    return smooth[y, x].astype(float), names


def _paint_agreement(board: Board, colours: Floats, names: npt.NDArray[np.str_]) -> float:
    """Returns PAINT_TELLS where owners' paints are as light beside each other as the colours seen, one
    divided by it where they are the other way round, and 1 where fewer than two are seen."""
    seen, paint = [], []
    for name in np.unique(names):
        text = board.pieces.paint.get(str(name).partition("+")[0].partition("/")[0])
        if text:
            paint.append([int(text[i : i + 2], 16) for i in (5, 3, 1)])
            seen.append(np.median(colours[names == name], axis=0))
    if len(seen) < 2:
        return 1.0
    a, b = (np.array(v, dtype=float) - np.mean(v, axis=0) for v in (seen, paint))
    return float(PAINT_TELLS ** np.sign((a * b).sum()))
