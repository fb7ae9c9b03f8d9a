"""When the board is looked for anew, and when a frame only says that it was moved."""

import numpy as np
import pytest

import vision.finder
from vision.finder import AGAIN, PATIENCE, Finder
from vision.locate import BoardNotFoundError
from vision.presence import Presence, State
from vision.view import View

FRAME = np.zeros((120, 160, 3), np.uint8)
HERE = View.of(np.eye(3), (160, 120), (0, 0, 1, 1))


class Board:
    """A board whose state is told, and that is found whenever it is looked for."""

    state = State.OK
    searches = 0
    view = HERE

    def check(self, image: object) -> Presence:
        return Presence(self.state, 1.0, HERE)

    def find(self, *_: object) -> View:
        self.searches += 1
        return HERE


@pytest.fixture
def board(monkeypatch: pytest.MonkeyPatch) -> Board:
    told = Board()
    monkeypatch.setattr(vision.finder.Watch, "of", lambda *_: told)
    monkeypatch.setattr(vision.finder, "find_again", told.find)
    return told


def follow(finder: Finder, times: list[float], hand: bool = False) -> list[object]:
    """What each frame says: whether the view changed, or None where nobody knows where the board is."""
    said: list[object] = []
    for time in times:
        try:
            said.append(finder.follow(FRAME, time, lambda: hand))
        except BoardNotFoundError:
            said.append(None)
    return said


def finder() -> Finder:
    return Finder(FRAME, HERE, None)  # type: ignore[arg-type]


def test_a_board_in_its_place_is_not_looked_for(board: Board) -> None:
    assert follow(finder(), [0.0, 0.1, 0.2]) == [False] * 3
    assert board.searches == 0


def test_a_moved_board_is_looked_for_at_once_and_then_seldom(board: Board) -> None:
    eye = finder()
    follow(eye, [0.0])
    board.state = State.MOVED
    assert follow(eye, [0.1, 0.2, 0.1 + AGAIN / 2]) == [True, None, None]
    assert follow(eye, [0.11 + AGAIN]) == [True]


def test_a_hidden_board_is_waited_for(board: Board) -> None:
    eye = finder()
    follow(eye, [5.0])
    board.state = State.HIDDEN
    assert follow(eye, [5.1, 5.2, 5.01 + PATIENCE]) == [None, None, True]


def test_a_hand_may_hide_the_board_for_long(board: Board) -> None:
    eye = finder()
    board.state = State.HIDDEN
    assert follow(eye, [0.0, 5.0, 10.0], hand=True) == [False] * 3
    assert board.searches == 0


def test_pictures_that_are_no_stream_are_each_looked_at(board: Board) -> None:
    board.state = State.HIDDEN
    assert follow(finder(), [0.0, 0.0, 0.0]) == [True] * 3
