"""Calibration: from pictures of known positions to a profile.

Finds the board, finds which side is south, takes the empty board from a picture of it or pieces it
together from what the pictures show empty, and learns how each look appears.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.board import Board
from companion.core import EMPTY, Look, Place
from vision.calibration.balance import balance
from vision.calibration.caps import Cap, parts_of
from vision.calibration.compose import complete
from vision.calibration.learn import learn
from vision.calibration.patchwork import Patchwork, pieced
from vision.calibration.profile import Profile
from vision.finding.locate import Found, check_light, facing, locate, locate_corners
from vision.geometry.view import View
from vision.hands import shrink
from vision.reading.model import Geometry, Model
from vision.reading.reader import Eye
from vision.reading.reference import Reference
from vision.reading.relief import graded
from vision.reading.sample import LEVELS, Layout, read_places

Image = npt.NDArray[np.uint8]
LARGEST = 1000
"""Frames are read at most this many pixels wide: finer detail only costs time."""
WARY = 4.0
"""Pieces are learned only from what differs clearly from the board: its doubt, where it was pieced together,
counts so many times."""
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
    empties: Sequence[Image] = (),
    corners: Sequence[tuple[float, float]] | None = None,
    south: str | None = None,
) -> Profile:
    """A profile, from pictures of known positions and of the empty board, whose first is the reference.

    BoardNotFoundError when the board is not seen, CalibrationError when nothing stands on it.
    """
    if not any(look != EMPTY for e in examples for look in e.looks.values()):
        raise CalibrationError("no picture shows a piece: give at least one of a position with pieces")
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
    parts = any(p in board.places and p not in board.sites for e in examples for p in e.looks)
    layout = Layout(board, read_places(board, parts), levels(board, looks))
    known = [{p: look for p, look in e.looks.items() if look != EMPTY} for e in examples]
    work = _patchwork(layout, view, [e.image for e in examples], known, empty)
    reference, strange = work.reference, work.strange
    plain = [{p: look for p, look in stand.items() if p not in strange} for stand in known]
    wary = Eye(layout, view, reference.doubted(WARY))
    seen, caps = learn([wary.scene(e.image) for e in examples], plain, sure=empty is not None)
    made = complete(seen, caps, looks, board, layout.unit)
    eye = Eye(layout, view, reference)
    scenes = [eye.scene(e.image) for e in examples]
    geometry = Geometry.of(eye.sampler)
    models = graded(geometry, made, scenes, plain)
    models = balance(geometry, models, scenes, known, strange, sure=empty is not None)
    picture = empty if empty is not None else examples[0].image
    frames = tuple(shrink(i) for i in ([picture] if empty is not None else []) + [e.image for e in examples])
    return Profile(
        game,
        board.name,
        tuple(looks),
        view,
        layout.levels,
        parts,
        tuple(models),
        reference.raster,
        picture,
        frames,
        reference.doubt,
        tuple(sorted(strange)),
        known[0] if empty is None else {},
    )


def renew(profile: Profile, board: Board, view: View, image: Image) -> Profile:
    """The profile learned anew from a picture in plain light of the position that it was taught."""
    example = Example(resized(image, view.size), profile.taught)
    return _profile(board, profile.game, profile.looks, [example], view, None)


def met(
    profile: Profile, board: Board, eye: Eye, image: Image, looks: Mapping[Place, Look]
) -> tuple[Model, ...]:
    """The models anew, from a picture in which it is known what stands where: of looks that were never seen
    before, and of those put together from them. The profile's own where there is nothing to learn."""
    kinds = dict(zip(eye.layout.places, eye.layout.kinds, strict=True))
    known = {p: k for p, k in looks.items() if k != EMPTY and p in kinds and p not in profile.strange}
    old = {(m.look, m.kind): m for m in profile.models}
    sure = {key for key, m in old.items() if m.count >= 1}
    new = {(look, kinds[place]) for place, look in known.items()} - sure
    if not new:
        return profile.models
    scene = eye.scene(image)
    learned, caps = learn([scene], [known], sure=profile.doubt is None)
    taken = [*(old[key] for key in sure), *(m for m in learned if (m.look, m.kind) in new)]
    made = complete(taken, caps, profile.looks, board, eye.layout.unit)
    whole = {(m.look, m.kind): m for m in graded(Geometry.of(eye.sampler), made, [scene], [known])}
    fresh = {key: m for key, m in whole.items() if m.count >= 1 or _is_told(m, caps, board)}
    return tuple({**old, **fresh}.values())


def _is_told(model: Model, caps: Mapping[str, Cap], board: Board) -> bool:
    """Whether a look was put together of parts that were seen."""
    parts = parts_of(board, model.look)
    return parts is None or parts[1] in caps


def _patchwork(
    layout: Layout,
    view: View,
    images: Sequence[Image],
    looks: Sequence[Mapping[Place, Look]],
    empty: Image | None,
) -> Patchwork:
    if empty is not None:
        return Patchwork(Reference.of(empty, view), frozenset())
    return pieced(layout, view, images, looks)


def levels(board: Board, looks: Sequence[Look]) -> tuple[float, ...]:
    """Heights at which places are sampled, from the board to the highest head; steps."""
    heights = [board.pieces.face(look).height for look in looks if look != EMPTY and not look.startswith("+")]
    top = max(heights, default=0.5) + (0.1 if any("+" in look for look in looks) else 0.0)
    return tuple(float(z) for z in np.linspace(0, top, LEVELS))


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
