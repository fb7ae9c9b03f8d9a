"""Locates the board in a picture: by four printed markers, by its own lines, or by given corners.

In go a picture and a board; out comes a `LocatedBoard`, or a BoardNotFoundError in words. Each way makes
guesses; every guess is fitted to the drawing and judged by it, and a view that the picture does not bear out
is refused. A view shifted by one cell would ruin a game silently, so the answer must also lead its shifted
neighbours. `python -m benchmarks locate` measures errors and times, on photographs and rendered scenes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.core.board import Board
from companion.language import say
from vision.arrays import Floats, Image
from vision.finding.check import (
    LEAD,
    SHIFT_ROUNDS,
    SURE_FOUND,
    WARPED,
    ScoredPose,
    doubt,
    holds,
    resolve_shift,
    score_pose,
    warp,
)
from vision.finding.drawing import Drawing, drawing_of
from vision.finding.fit import ROUNDS, Pose, final_view, fit, fit_within
from vision.finding.lines import Guess, guesses, guesses_amid, guesses_within
from vision.finding.located_board import BoardNotFoundError, LocatedBoard
from vision.finding.markers import CORNERS, MarkerPlane, agrees, at_working_size, find_markers, plane_of
from vision.finding.picture import WorkingPicture
from vision.finding.symmetry import facing, likeness
from vision.geometry.lens import Lens
from vision.geometry.samples import greyed
from vision.geometry.view import View, ViewError

__all__ = ["BoardNotFoundError", "LocatedBoard", "check_light", "facing", "locate", "locate_corners"]

LEAST_SIZE = 120
"""Pixels that a picture must have in each direction."""
DARK, LIGHTEST = 14, 95
"""The grey level below which a picture shows nothing, and the percentile of lightness that must reach it."""
BRIGHT, DARKEST = 252, 20
"""The grey level above which a picture shows nothing, and the percentile of lightness that must not reach
it."""
ROUGH, FINE = ROUNDS[:4], ROUNDS[3:]
"""The rounds of a rough and of a fine fit."""
CORNER_ROUNDS = (0.2, 0.16, *SHIFT_ROUNDS)
"""Steps that an edge may be off in each round of the fit to given corners."""
CORNER_SHIFT = 0.35
"""Steps that this fit may move a given corner: more, and the corners count as they are given."""
FARTHEST_CORNER = 1.0
"""The greatest distance of a given corner from the picture's middle, as a share of the picture's sides."""
SMALLEST = 5.0
"""Pixels of a step in which anything can be read."""
RACERS, FINALISTS = 6, 2
"""Guesses that are fitted roughly, and those of them that are fitted finely."""
UNLIKE_PLACE, UNLIKE_SIZE = 0.2, 0.03
"""Steps between the middles of two views, and the log of their sizes' ratio, from which they are two
views."""


def locate(image: Image, board: Board, *, lens: Lens | None = None) -> LocatedBoard:
    """Locates the board in a picture (h, w, 3; blue, green, red) or (h, w), of any size from about 300
    pixels.

    BoardNotFoundError when it is not there, hidden, or cannot be told for sure.
    """
    check_light(image)
    search = BoardSearch(WorkingPicture.of(image, lens), board, drawing_of(board), find_markers(image))
    return _by_markers(search) or _by_lines(search)


def locate_corners(image: Image, board: Board, corners: Sequence[tuple[float, float]]) -> LocatedBoard:
    """Locates the board by the pixels of its corners: south-west, south-east, north-east, north-west.

    They are moved to the drawing's lines where those are near, and kept as they are elsewhere.
    BoardNotFoundError when they enclose nothing, or no board that a camera could see.
    """
    given = np.array(corners, dtype=float)
    if given.shape != (4, 2) or not _turns_left(given):
        raise BoardNotFoundError(
            say("the four corners must go round the board: south-west, south-east, north-east, north-west")
        )
    if np.abs(given / (image.shape[1], image.shape[0]) - 0.5).max() > FARTHEST_CORNER:
        raise BoardNotFoundError(
            say("the four corners must lie in the picture or close by: pixels from its upper left")
        )
    check_light(image)
    picture, drawing = WorkingPicture.of(image), drawing_of(board)
    pixels = next(iter(at_working_size({0: given}, picture).values()))
    pose = Pose(_through(board.corners, pixels))
    moved = fit(picture, drawing, pose, CORNER_ROUNDS)
    shift = moved.view(picture, drawing).board(pixels) - np.array(board.corners)
    kept = score_pose(picture, drawing, moved)
    if kept.agreement < SURE_FOUND or np.linalg.norm(shift, axis=1).max() > CORNER_SHIFT:
        kept = score_pose(picture, drawing, pose)
    view = final_view(picture, drawing, kept.pose)
    try:
        view.check_sight()
    except ViewError as error:
        raise BoardNotFoundError(
            say("no board is seen so: give its corners as pixels from its upper left")
        ) from error
    if view.step_pixels(drawing.middle) < SMALLEST:
        raise BoardNotFoundError(say("the four corners lie too close together to show the pieces"))
    return LocatedBoard(view, "corners", max(kept.agreement, 0.0), (view,))


def check_light(image: Image) -> None:
    """Raises a BoardNotFoundError where a picture is too small, too dark or too bright to show anything."""
    if min(image.shape[:2]) < LEAST_SIZE:
        raise BoardNotFoundError(
            say("the picture is too small; it needs at least {least} pixels each way", least=LEAST_SIZE)
        )
    grey = greyed(image)
    if (grey >= DARK).mean() < 1 - LIGHTEST / 100:
        raise BoardNotFoundError(say("too dark: put a lamp on, or let the camera expose longer"))
    if (grey <= BRIGHT).mean() < DARKEST / 100:
        raise BoardNotFoundError(say("too bright: let the camera expose shorter"))


@dataclass(frozen=True, eq=False)
class BoardSearch:
    """The search for a board in a picture: its drawing, and the markers that are seen."""

    picture: WorkingPicture
    board: Board
    drawing: Drawing
    markers: Mapping[int, Floats]

    def segments(self) -> Iterator[Floats]:
        """Yields segments to look for the board in: the clear ones first, then the faint ones too."""
        yield self.picture.segments
        yield self.picture.faint_segments

    def race(self, found: Sequence[Guess]) -> tuple[ScoredPose, float] | None:
        """Returns the best of some guesses, fitted, and its lead over its shifted neighbours; None where none
        of them can be seen in the picture."""
        ranked = self._rank(found[:RACERS])
        if not ranked:
            return None
        finals = []
        for rough in self._unlike(ranked)[:FINALISTS]:
            fine = fit(self.picture, self.drawing, rough.pose, SHIFT_ROUNDS)
            finals.append(resolve_shift(self.picture, self.drawing, fine))
        return max(finals, key=lambda final: final[0].evidence)

    def _rank(self, found: Sequence[Guess]) -> list[ScoredPose]:
        """Returns guesses, fitted roughly, that have all sites in the picture, the best first."""
        poses = [fit(self.picture, self.drawing, Pose(guess.matrix), ROUGH) for guess in found]
        seen = [pose for pose in poses if holds(self.picture, self.drawing, pose)]
        return sorted((score_pose(self.picture, self.drawing, p) for p in seen), key=lambda p: -p.evidence)

    def doubt(self, best: ScoredPose, lead: float, amid: bool = False) -> str:
        """Returns what speaks against a view, in words; "" when nothing does."""
        if warp(final_view(self.picture, self.drawing, best.pose)) > WARPED:
            return say("the lines seen are not spaced as this board's")
        return doubt(self.drawing, best, lead, amid)

    def _unlike(self, ranked: Sequence[ScoredPose]) -> list[ScoredPose]:
        """Returns the best of each bunch of views that differ by no more than their turn."""
        kept: list[ScoredPose] = []
        forms: list[tuple[Floats, float]] = []
        for one in ranked:
            view = one.pose.view(self.picture, self.drawing)
            middle, step = view.pixels([self.drawing.middle])[0], view.step_pixels(self.drawing.middle)
            if all(
                np.hypot(*(middle - m)) > UNLIKE_PLACE * s or abs(np.log(step / s)) > UNLIKE_SIZE
                for m, s in forms
            ):
                kept.append(one)
                forms.append((middle, step))
        return kept

    def views(self, pose: Pose) -> list[View]:
        """Returns the views of all turns of a pose that its lines leave open, likeliest first; at the
        picture's own size."""
        poses = [Pose(pose.matrix @ turn, pose.bend) for turn in self.drawing.turns]
        poses.sort(key=lambda p: -likeness(self.picture, self.board, p.view(self.picture, self.drawing)))
        return [final_view(self.picture, self.drawing, p) for p in poses]


def _by_markers(search: BoardSearch) -> LocatedBoard | None:
    """Returns the board as markers tell it; None where too few are seen, or they and the lines do not
    agree."""
    plane = plane_of(at_working_size(search.markers, search.picture))
    if plane is None:
        return None
    amid = guesses_amid(search.picture, search.drawing, plane)
    if len(search.markers) > 2 and (found := _amid_markers(search, plane, amid)):
        return found
    for segments in search.segments():
        within = guesses_within(search.picture, search.drawing, segments, plane)
        best = search.race(sorted(within + amid, key=lambda g: -g.score))
        if best and not search.doubt(*best):
            return _marked(search, best[0])
    return None


def _amid_markers(search: BoardSearch, plane: MarkerPlane, amid: Sequence[Guess]) -> LocatedBoard | None:
    """Returns the board found by taking all but place and scale from three or four markers, for which few
    lines are enough. Where more lines are seen they have the last word; where they are seen, but do not tell
    which row is the first, four markers do."""
    fits = [fit_within(search.picture, search.drawing, Pose(g.matrix), plane.matrix) for g in amid]
    seen = [score_pose(search.picture, search.drawing, pose) for pose in fits]
    best = max(seen, key=lambda v: v.evidence, default=None)
    if best is None or search.doubt(best, LEAD, amid=True):
        return None
    settled, lead = resolve_shift(search.picture, search.drawing, best.pose)
    if len(search.markers) == len(CORNERS) and not search.doubt(best, LEAD):
        lead = LEAD  # it is seen clearly, and shifted by a row it would not lie in the middle of all four
    if settled.pose is not best.pose or search.doubt(best, lead, amid=True):
        return None
    fine = score_pose(search.picture, search.drawing, fit(search.picture, search.drawing, best.pose, FINE))
    return _marked(search, best if search.doubt(fine, lead) else fine)


def _marked(search: BoardSearch, best: ScoredPose) -> LocatedBoard | None:
    """Returns the board in a pose; None where the markers do not lie as they should in it."""
    view = final_view(search.picture, search.drawing, best.pose)
    return LocatedBoard(view, "markers", best.agreement, (view,)) if agrees(view, search.markers) else None


def _by_lines(search: BoardSearch) -> LocatedBoard:
    """Returns the board as its lines tell it. BoardNotFoundError says what speaks against the best view."""
    reason: str = say("no lines like its own are seen")
    for segments in search.segments():
        best = search.race(guesses(search.picture, search.drawing, segments))
        if best is None:
            continue
        reason = search.doubt(*best)
        if not reason:
            views = search.views(best[0].pose)
            marked = [view for view in views if agrees(view, search.markers)]
            views = marked or views
            return LocatedBoard(views[0], "lines", best[0].agreement, tuple(views))
    raise BoardNotFoundError(
        say("{reason}; show the whole board, without glare, or give its corners", reason=reason)
    )


def _turns_left(corners: Floats) -> bool:
    """Returns whether corners (4, 2) go round a convex quadrilateral, anticlockwise as seen (y downwards)."""
    sides = np.roll(corners, -1, axis=0) - corners
    after = np.roll(sides, -1, axis=0)
    return bool((sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0] < -1).all())


def _through(points: Sequence[tuple[float, float]], pixels: Floats) -> Floats:
    """Returns the homography (3, 3) that takes four points of the board to four pixels (4, 2)."""
    single = np.array(points, dtype=np.float32), pixels.astype(np.float32)
    return np.asarray(cv2.getPerspectiveTransform(*single), dtype=float)
