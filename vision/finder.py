"""Keeps the view: where the board lies, in frame after frame.

Every frame is checked cheaply. To look for a board anew takes as long as a dozen frames, so it is done
only when the board has moved, or has been out of sight for a while and not behind a hand, and never
again and again: in between the frames say that the board was moved. Pictures without a time of their
own are no stream, and are each looked at as if they were the first.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from companion.board import Board
from vision.locate import BoardNotFoundError
from vision.presence import State, Watch, find_again
from vision.view import View

Image = npt.NDArray[np.uint8]
PATIENCE = 0.4
"""Seconds for which a board may be out of sight before it is looked for."""
AGAIN = 1.0
"""Seconds between two searches."""
MOVED = "the board or the camera was moved"


class Finder:
    """Follows one board. `time` is seconds, and never goes back within a stream."""

    def __init__(self, picture: Image, view: View, board: Board) -> None:
        self._board = board
        self._watch = Watch.of(picture, view, board)
        self._last = self._right = -np.inf
        self._searched = -np.inf

    @property
    def view(self) -> View:
        return self._watch.view

    def follow(self, frame: Image, time: float, hand: Callable[[], bool]) -> bool:
        """Whether the board lies elsewhere since this frame. BoardNotFoundError while nobody knows where."""
        presence = self._watch.check(frame)
        if presence.state is State.OK or (presence.state is State.HIDDEN and hand()):
            self._last = self._right = time
            return False
        single, self._last = time <= self._last, time
        hidden = presence.state is State.HIDDEN
        if not single and (time - self._searched < AGAIN or (hidden and time - self._right < PATIENCE)):
            raise BoardNotFoundError(MOVED)
        self._searched = time
        view = find_again(frame, self._watch, None if hidden else presence.view)
        self._watch = Watch.of(frame, view, self._board)
        return True
