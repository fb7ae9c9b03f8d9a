"""Tracks the board: keeps the view in which it lies, from frame to frame.

In go the frames of a stream; `BoardTracker.view` is the view that holds. Every frame is checked cheaply.
Where it lies elsewhere in reach of its patches they tell the motion, by which the frame is put back: a
camera may shake. What lasts is a new view. Where too few patches are seen the board is recognised elsewhere
by what is known of it; if that fails it is located as at first, which takes as long as a dozen frames. So
neither is done on every frame, and in between the frames say that the board was moved. A hand may hide the
board; but a thing that hides it and does not stir is no hand. Pictures without a time of their own are no
stream: each is looked at as if it were the first. `python -m benchmarks robustness` bumps the camera in the
middle of games.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from companion.core.board import Board
from companion.language import say
from vision.arrays import Floats, Image
from vision.finding.board_motion import BoardInFrame, BoardMotion, BoardWatch, find_again, recognise
from vision.finding.locate import BoardNotFoundError
from vision.geometry.view import View
from vision.hands import MotionWatch, shrink

PATIENCE = 0.4
"""Seconds for which a board may be out of sight before it is looked for."""
SEARCH_EVERY_S = 1.0
"""Seconds between two searches."""
LASTING = 0.7
"""Seconds after which a board that lies elsewhere, in reach of its patches, was moved: a camera that shakes
shows it there for less."""
STILL = 0.8
"""Seconds after which a thing that hides the board and does not stir is no hand."""
MOVED = say("the board or the camera was moved")
"""The words for a board that is not where it was, as they are shown."""


class BoardHiddenError(BoardNotFoundError):
    """A hand that hides too much of the board."""


class BoardTracker:
    """Follows one board, from a `picture` in which it lies as `view` says.

    Times are in seconds and never go back within a stream. `blur` is by how much softer frames are now than
    the first picture (sigma, pixels).
    """

    def __init__(self, picture: Image, view: View, board: Board) -> None:
        self._board = board
        self._watch = BoardWatch.of(picture, view, board)
        # The times of the last frame, of the last one that showed the board in its place, of the last that
        # moved, and of the last search.
        self._last = self._right = self._stirred = self._searched = -np.inf
        self._motion = MotionWatch()
        self._why = ""
        self.blur = self._before = 0.0
        self._seen_in, self._since = view, np.inf
        """The view in which patches showed the board last, and since when."""
        self.motion: Floats | None = None
        """The motion (3, 3; pixels) of the last frame's picture; None where the patches do not tell it."""

    @property
    def view(self) -> View:
        return self._watch.view

    def follow(self, frame: Image, time: float, hand: Callable[[], bool]) -> bool:
        """Returns whether the board lies elsewhere since this frame (h, w, 3), taken at a `time`.

        `hand` says whether a hand is over the board; it is asked only where that matters. BoardHiddenError
        while a hand hides the board, BoardNotFoundError while it is not known where it lies.
        """
        found = self._watch.check(frame)
        self.motion = found.motion
        single, self._last = time <= self._last, time
        lasts = single or self._lasts(found.view, time)
        if found.state is BoardInFrame.OK or (found.motion is not None and not lasts):
            self._right = self._stirred = time
            self.blur = float(np.hypot(self._before, found.blur))
            return False
        hidden = found.state is BoardInFrame.HIDDEN
        covered = hidden and self._is_covered(frame, time, single, hand)
        early = time - self._searched < SEARCH_EVERY_S or (hidden and time - self._right < PATIENCE)
        if single or not early:
            self._searched = time
            view = self._find(frame, found, covered)
            if view and (single or not (covered and self._watch.nears(view))):
                self._right = self._stirred = time
                return self._adopt(frame, view, hidden)
        if found.motion is not None:
            return False
        if covered:
            raise BoardHiddenError(say("a hand hides the board"))
        raise BoardNotFoundError(self._why or MOVED)

    def pass_over(self, time: float, still: bool) -> None:
        """Notes a frame that was not looked at: nothing in it has changed (`still`), or something moves."""
        self._last = self._stirred = time
        if still:
            self._right = time

    def _lasts(self, view: View, time: float) -> bool:
        """Returns whether the board has lain for long in the view in which a frame shows it."""
        if not self._watch.are_alike(view, self._seen_in):
            self._seen_in, self._since = view, time
        return time - self._since >= LASTING

    def _is_covered(self, frame: Image, time: float, single: bool, hand: Callable[[], bool]) -> bool:
        """Returns whether it may be a hand that hides the board."""
        if not self._motion.still(shrink(frame)):
            self._stirred = time
        return (single or time - self._stirred < STILL) and hand()

    def _find(self, frame: Image, found: BoardMotion, covered: bool) -> View | None:
        """Returns where the board is, if it is found; behind a hand, or where patches tell it, only by what
        is easily known again."""
        view = recognise(frame, self._watch, found.view)
        if view or covered or found.motion is not None:
            return view
        try:
            return find_again(frame, self._watch)
        except BoardNotFoundError as error:
            self._why = say("{moved}, and not found again: {reason}", moved=MOVED, reason=error.reason)
            return None

    def _adopt(self, frame: Image, view: View, hidden: bool) -> bool:
        """Watches the board as this frame shows it from now on; returns whether the view is another one.

        Where a hidden board is found in its old place, only the light or what lies around it has changed.
        """
        moved = not (hidden and self._watch.nears(view))
        self._before, self.motion = self.blur, None
        self._watch, self._why = BoardWatch.of(frame, view if moved else self.view, self._board), ""
        return moved
