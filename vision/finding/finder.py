"""Keeps the view: where the board lies, in frame after frame.

Every frame is checked cheaply. Where the board is not seen in its place, it is recognised elsewhere by what
is known of it, and, if that fails, located as at first, which takes as long as a dozen frames: so neither is
done again and again, and in between the frames say that the board was moved. A hand may hide it; but what
hides it and does not stir is no hand. Pictures without a time of their own are no stream, and are each
looked at as if they were the first.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from companion.board import Board
from vision.finding.locate import BoardNotFoundError
from vision.finding.presence import Presence, State, Watch, find_again, recognise
from vision.geometry.view import View
from vision.hands import MotionWatch, shrink

Floats = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]
PATIENCE = 0.4
"""Seconds for which a board may be out of sight before it is looked for."""
AGAIN = 1.0
"""Seconds between two searches."""
STILL = 0.8
"""Seconds after which what hides the board and does not stir is no hand."""
MOVED = "the board or the camera was moved"


class BoardHiddenError(BoardNotFoundError):
    """A hand hides too much of the board."""


class Finder:
    """Follows one board. `time` is seconds, and never goes back within a stream; `blur` is by how much softer
    frames are now than the first picture (sigma, pixels)."""

    def __init__(self, picture: Image, view: View, board: Board) -> None:
        self._board = board
        self._watch = Watch.of(picture, view, board)
        self._last = self._right = self._stirred = -np.inf
        self._searched = -np.inf
        self._motion = MotionWatch()
        self._why = ""
        self.blur = self._before = 0.0
        self.motion: Floats | None = None
        """How the picture of the last frame has moved, by less than a bump; 3x3, pixels."""

    @property
    def view(self) -> View:
        return self._watch.view

    def follow(self, frame: Image, time: float, hand: Callable[[], bool]) -> bool:
        """Whether the board lies elsewhere since this frame. BoardHiddenError while a hand hides it,
        BoardNotFoundError while nobody knows where it is."""
        presence = self._watch.check(frame)
        self.motion = presence.motion
        single, self._last = time <= self._last, time
        if presence.state is State.OK:
            self._right = self._stirred = time
            self.blur = float(np.hypot(self._before, presence.blur))
            return False
        hidden = presence.state is State.HIDDEN
        covered = hidden and self._is_covered(frame, time, single, hand)
        early = time - self._searched < AGAIN or (hidden and time - self._right < PATIENCE)
        if single or not early:
            self._searched = time
            view = self._find(frame, presence, covered)
            if view and not (covered and self._watch.nears(view)):
                self._right = self._stirred = time
                return self._settle(frame, view, hidden)
        if covered:
            raise BoardHiddenError("a hand hides the board")
        raise BoardNotFoundError(f"{MOVED}{self._why}")

    def pass_over(self, time: float, still: bool) -> None:
        """A frame that was not looked at: all in it is as in the last one that was, or something moves."""
        self._last = self._stirred = time
        if still:
            self._right = time

    def _is_covered(self, frame: Image, time: float, single: bool, hand: Callable[[], bool]) -> bool:
        """Whether it may be a hand that hides the board."""
        if not self._motion.still(shrink(frame)):
            self._stirred = time
        return (single or time - self._stirred < STILL) and hand()

    def _find(self, frame: Image, presence: Presence, covered: bool) -> View | None:
        """Where the board is, if it is found; behind a hand only by what is easily known again."""
        view = recognise(frame, self._watch, presence.view if presence.state is State.MOVED else None)
        if view or covered:
            return view
        try:
            return find_again(frame, self._watch)
        except BoardNotFoundError as error:
            self._why = f", and not found again: {error.reason}"
            return None

    def _settle(self, frame: Image, view: View, hidden: bool) -> bool:
        """Whether the view is another one. Where the board is found in its old place, only the light or what
        lies around it has changed."""
        moved = not (hidden and self._watch.nears(view))
        self._before = self.blur
        self._watch, self._why = Watch.of(frame, view if moved else self.view, self._board), ""
        return moved
