"""Where the board lies in a picture: by four printed markers, by its own lines, or by given corners.

Each way makes guesses; every guess is fitted to the drawing and judged by it, and a view that the
picture does not bear out is refused in words. A view shifted by one cell is the mistake that would ruin
a game silently, so the answer must also lead its shifted neighbours.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.board import Board
from vision.finding.check import LEAD, SETTLE, SURE, WARPED, Verdict, doubt, holds, settle, verdict, warp
from vision.finding.drawing import Drawing, drawing_of
from vision.finding.fit import ROUNDS, Pose, final_view, fit, fit_within
from vision.finding.found import BoardNotFoundError, Found
from vision.finding.lines import Guess, guesses, guesses_amid, guesses_within
from vision.finding.markers import Frame, agrees, at_working_size, find_markers, frame_of
from vision.finding.picture import Picture
from vision.finding.symmetry import facing, likeness
from vision.geometry.lens import Lens
from vision.geometry.view import Floats, Image, View, ViewError

__all__ = ["BoardNotFoundError", "Found", "check_light", "facing", "locate", "locate_corners"]

DARK = 14  # grey levels: a picture whose lightest twentieth is darker shows nothing
ROUGH, FINE = ROUNDS[:4], ROUNDS[3:]
FAR = 1.0  # of the picture's sides: how far from its middle a corner may lie
OF_THE_PICTURE = "pixels from its upper left"
SMALLEST = 5.0  # pixels of a step in which anything can be read
RACERS = 6  # guesses that are fitted roughly; the two best of them are fitted finely


def locate(image: Image, board: Board, *, lens: Lens | None = None) -> Found:
    """The view of the board in a picture (colour BGR, or grey; any size from about 300 pixels).

    BoardNotFoundError when it is not there, hidden, or cannot be told for sure.
    """
    check_light(image)
    scene = Scene(Picture.of(image, lens), board, drawing_of(board), find_markers(image))
    return _by_markers(scene) or _by_lines(scene)


def locate_corners(
    image: Image, board: Board, corners: Sequence[tuple[float, float]], *, lens: Lens | None = None
) -> Found:
    """The view for given pixels of the board's corners: south-west, south-east, north-east, north-west.

    They are moved to the drawing's lines where those agree within a fifth of a step, and kept as they
    are elsewhere. BoardNotFoundError when they enclose nothing, or no board that a camera could see.
    """
    given = np.array(corners, dtype=float)
    if given.shape != (4, 2) or not _turns_left(given):
        raise BoardNotFoundError(
            "the four corners must go round the board: south-west, south-east, north-east, north-west"
        )
    if np.abs(given / (image.shape[1], image.shape[0]) - 0.5).max() > FAR:
        raise BoardNotFoundError(f"the four corners must lie in the picture or close by: {OF_THE_PICTURE}")
    check_light(image)
    picture, drawing = Picture.of(image, lens), drawing_of(board)
    pixels = next(iter(at_working_size({0: given}, picture).values()))
    pose = Pose(_through(board.corners, pixels))
    moved = fit(picture, drawing, pose, (0.2, 0.16, *SETTLE))
    shift = moved.view(picture, drawing).board(pixels) - np.array(board.corners)
    kept = verdict(picture, drawing, moved)
    if kept.agreement < SURE or np.linalg.norm(shift, axis=1).max() > 0.35:
        kept = verdict(picture, drawing, pose)
    view = final_view(picture, drawing, kept.pose)
    try:
        view.check_sight()
    except ViewError as error:
        raise BoardNotFoundError(f"no board is seen so: give its corners as {OF_THE_PICTURE}") from error
    if view.step_pixels(drawing.middle) < SMALLEST:
        raise BoardNotFoundError("the four corners lie too close together to show the pieces")
    return Found(view, "corners", max(kept.agreement, 0.0), (view,))


def check_light(image: Image) -> None:
    """BoardNotFoundError where a picture is too small, too dark or too bright to show anything."""
    if min(image.shape[:2]) < 120:
        raise BoardNotFoundError("the picture is too small; it needs at least 120 pixels each way")
    grey = image if image.ndim == 2 else np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))
    if np.percentile(grey, 95) < DARK:
        raise BoardNotFoundError("too dark: put a lamp on, or let the camera expose longer")
    if np.percentile(grey, 20) > 252:
        raise BoardNotFoundError("too bright: let the camera expose shorter")


@dataclass(frozen=True, eq=False)
class Scene:
    """A picture and what is looked for in it."""

    picture: Picture
    board: Board
    drawing: Drawing
    markers: Mapping[int, Floats]

    def sights(self) -> Iterator[Floats]:
        """Segments to look for the board in: the clear ones first, then the faint ones too."""
        yield self.picture.segments
        yield self.picture.faint_segments

    def race(self, found: Sequence[Guess]) -> tuple[Verdict, float] | None:
        """The best of some guesses, fitted, and its lead over its shifted neighbours."""
        poses = [fit(self.picture, self.drawing, Pose(guess.matrix), ROUGH) for guess in found[:RACERS]]
        seen = [pose for pose in poses if holds(self.picture, self.drawing, pose)]
        ranked = sorted((verdict(self.picture, self.drawing, p) for p in seen), key=lambda v: -v.evidence)
        if not ranked:
            return None
        fine = [fit(self.picture, self.drawing, v.pose, SETTLE) for v in self._unlike(ranked)[:2]]
        settled = [settle(self.picture, self.drawing, pose) for pose in fine]
        return max(settled, key=lambda s: s[0].evidence)

    def doubt(self, best: Verdict, lead: float, amid: bool = False) -> str:
        """What speaks against a view, in words; "" when nothing does."""
        if warp(final_view(self.picture, self.drawing, best.pose)) > WARPED:
            return "the lines seen are not spaced as this board's"
        return doubt(self.drawing, best, lead, amid)

    def _unlike(self, ranked: Sequence[Verdict]) -> list[Verdict]:
        """Verdicts on views that differ by more than their turn: the best of each."""
        kept: list[Verdict] = []
        forms: list[tuple[Floats, float]] = []
        for one in ranked:
            view = one.pose.view(self.picture, self.drawing)
            middle, step = view.pixels([self.drawing.middle])[0], view.step_pixels(self.drawing.middle)
            if all(np.hypot(*(middle - m)) > 0.2 * s or abs(np.log(step / s)) > 0.03 for m, s in forms):
                kept.append(one)
                forms.append((middle, step))
        return kept

    def views(self, pose: Pose) -> list[View]:
        """All turns of a pose that its lines leave open, likeliest first; at the picture's own size."""
        poses = [Pose(pose.matrix @ turn, pose.bend) for turn in self.drawing.turns]
        poses.sort(key=lambda p: -likeness(self.picture, self.board, p.view(self.picture, self.drawing)))
        return [final_view(self.picture, self.drawing, p) for p in poses]


def _by_markers(scene: Scene) -> Found | None:
    frame = frame_of(at_working_size(scene.markers, scene.picture))
    if frame is None:
        return None
    amid = guesses_amid(scene.picture, scene.drawing, frame)
    if len(scene.markers) > 2 and (found := _amid_markers(scene, frame, amid)):
        return found
    for segments in scene.sights():
        within = guesses_within(scene.picture, scene.drawing, segments, frame)
        best = scene.race(sorted(within + amid, key=lambda g: -g.score))
        if best and not scene.doubt(*best):
            return _marked(scene, best[0])
    return None


def _amid_markers(scene: Scene, frame: Frame, amid: Sequence[Guess]) -> Found | None:
    """Found by taking all but place and scale from three or four markers: few lines do. Where more are
    seen, these have the last word."""
    fits = [fit_within(scene.picture, scene.drawing, Pose(g.matrix), frame.matrix) for g in amid]
    seen = [verdict(scene.picture, scene.drawing, pose) for pose in fits]
    best = max(seen, key=lambda v: v.evidence, default=None)
    if best is None or scene.doubt(best, LEAD, amid=True):
        return None
    settled, lead = settle(scene.picture, scene.drawing, best.pose)
    if settled.pose is not best.pose or scene.doubt(best, lead, amid=True):
        return None
    fine = verdict(scene.picture, scene.drawing, fit(scene.picture, scene.drawing, best.pose, FINE))
    return _marked(scene, best if scene.doubt(fine, lead) else fine)


def _marked(scene: Scene, best: Verdict) -> Found | None:
    view = final_view(scene.picture, scene.drawing, best.pose)
    return Found(view, "markers", best.agreement, (view,)) if agrees(view, scene.markers) else None


def _by_lines(scene: Scene) -> Found:
    reason = "no lines like its own are seen"
    for segments in scene.sights():
        best = scene.race(guesses(scene.picture, scene.drawing, segments))
        reason = scene.doubt(*best) if best else reason
        if best and not reason:
            views = scene.views(best[0].pose)
            views = [view for view in views if agrees(view, scene.markers)] or views
            return Found(views[0], "lines", best[0].agreement, tuple(views))
    raise BoardNotFoundError(f"{reason}; show the whole board, without glare, or give its corners")


def _turns_left(corners: Floats) -> bool:
    """Whether the corners go round a convex quadrilateral anticlockwise as seen (y downwards)."""
    sides = np.roll(corners, -1, axis=0) - corners
    after = np.roll(sides, -1, axis=0)
    return bool((sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0] < -1).all())


def _through(points: Sequence[tuple[float, float]], pixels: Floats) -> Floats:
    single = np.array(points, dtype=np.float32), pixels.astype(np.float32)
    return np.asarray(cv2.getPerspectiveTransform(*single), dtype=float)
