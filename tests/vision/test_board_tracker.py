"""When the board is looked for anew, and when a frame only says that it was moved, or a hand hides it."""

import numpy as np
import pytest

import vision.finding.board_tracker
from vision.finding.board_motion import BoardInFrame, BoardMotion
from vision.finding.board_tracker import (
    LASTING,
    MOVED,
    PATIENCE,
    SEARCH_EVERY_S,
    STILL,
    BoardHiddenError,
    BoardTracker,
)
from vision.finding.locate import BoardNotFoundError
from vision.geometry.view import View

HERE = View.of(np.eye(3), (160, 120), (0, 0, 1, 1))
THERE = View.of(np.array([[1, 0, 40], [0, 1, 0], [0, 0, 1.0]]), (160, 120), (0, 0, 1, 1))
BEYOND = View.of(np.array([[1, 0, 80], [0, 1, 0], [0, 0, 1.0]]), (160, 120), (0, 0, 1, 1))


class Board:
    """A board whose state is told. It is at `place`, which patches tell if `told`, where it is known again if
    `known`, and located, if `located`, whenever it is looked for."""

    state = BoardInFrame.OK
    view = HERE
    place = HERE
    told = False
    known = True
    located = True
    searches = 0
    locations = 0

    def __init__(self) -> None:
        self.hints: list[View] = []

    def check(self, image: object) -> BoardMotion:
        seen = self.place if self.state is BoardInFrame.MOVED else self.view
        return BoardMotion(self.state, 1.0, seen, motion=np.eye(3) if self.told else None)

    def are_alike(self, one: View, two: View) -> bool:
        return one == two

    def nears(self, view: View) -> bool:
        return view == self.view

    def recognise(self, _image: object, _watch: object, hint: View) -> View | None:
        self.searches += 1
        self.hints.append(hint)
        return self.place if self.known else None

    def locate(self, *_: object) -> View:
        self.locations += 1
        if not self.located:
            raise BoardNotFoundError("its lines are not seen")
        return self.place


@pytest.fixture
def board(monkeypatch: pytest.MonkeyPatch) -> Board:
    told = Board()

    def watch(frame: object, view: View, *_: object) -> Board:
        told.view = view
        return told

    monkeypatch.setattr(vision.finding.board_tracker.BoardWatch, "of", watch)
    monkeypatch.setattr(vision.finding.board_tracker, "recognise", told.recognise)
    monkeypatch.setattr(vision.finding.board_tracker, "find_again", told.locate)
    return told


def frame(level: int = 0) -> np.ndarray:
    return np.full((120, 160, 3), level, np.uint8) + np.eye(120, 160, dtype=np.uint8)[..., None] * level


def follow(tracker: BoardTracker, times: list[float], hand: bool = False, stirs: bool = True) -> list[object]:
    """What each frame says: whether the view changed, 'hidden', or why nobody knows where the board is."""
    said: list[object] = []
    for number, time in enumerate(times):
        image = np.roll(frame(100), 30 * number if stirs else 0, axis=1)
        try:
            said.append(tracker.follow(image, time, lambda: hand))
        except BoardHiddenError:
            said.append("hidden")
        except BoardNotFoundError as error:
            said.append(error.reason)
    return said


def board_tracker() -> BoardTracker:
    return BoardTracker(frame(), HERE, None)  # type: ignore[arg-type]


def test_a_board_in_its_place_is_not_looked_for(board: Board) -> None:
    assert follow(board_tracker(), [0.0, 0.1, 0.2]) == [False] * 3
    assert board.searches == 0


def test_a_moved_board_is_looked_for_at_once_and_then_seldom(board: Board) -> None:
    tracker = board_tracker()
    follow(tracker, [0.0])
    board.state, board.place = BoardInFrame.MOVED, THERE
    assert follow(tracker, [0.1, 0.2, 0.1 + SEARCH_EVERY_S / 2]) == [True, MOVED, MOVED]
    assert follow(tracker, [0.11 + SEARCH_EVERY_S]) == [True]
    assert tracker.view == THERE


def test_a_board_that_shakes_is_put_back(board: Board) -> None:
    tracker, board.told, board.state = board_tracker(), True, BoardInFrame.MOVED
    for number in range(20):
        board.place = (THERE, BEYOND)[number % 2]
        assert follow(tracker, [0.3 * number]) == [False]
        assert tracker.motion is not None
    assert (tracker.view, board.searches) == (HERE, 0)


def test_a_board_that_comes_back_in_between_only_shakes(board: Board) -> None:
    tracker, board.told, board.place = board_tracker(), True, THERE
    for number in range(20):
        board.state = (BoardInFrame.MOVED, BoardInFrame.OK)[number % 2]
        assert follow(tracker, [0.3 * number]) == [False]
    assert board.searches == 0


def test_a_board_that_stays_elsewhere_was_moved(board: Board) -> None:
    tracker, board.told = board_tracker(), True
    follow(tracker, [5.0])
    board.state, board.place = BoardInFrame.MOVED, THERE
    assert follow(tracker, [5.1, 5.5, 5.11 + LASTING]) == [False, False, True]
    assert (tracker.view, tracker.motion, board.hints) == (THERE, None, [THERE])


def test_a_board_that_stays_elsewhere_and_is_not_known_again_is_put_back(board: Board) -> None:
    tracker, board.told, board.known, board.located = board_tracker(), True, False, False
    follow(tracker, [5.0])
    board.state, board.place = BoardInFrame.MOVED, THERE
    assert follow(tracker, [5.1 + 0.5 * number for number in range(10)]) == [False] * 10
    assert board.locations == 0


def test_a_hidden_board_is_waited_for(board: Board) -> None:
    tracker = board_tracker()
    follow(tracker, [5.0])
    board.state, board.place = BoardInFrame.HIDDEN, THERE
    assert follow(tracker, [5.1, 5.2, 5.01 + PATIENCE]) == [MOVED, MOVED, True]
    assert follow(tracker, [5.9, 6.0 + PATIENCE]) == [MOVED, MOVED]
    assert board.searches == 1


def test_a_board_found_in_its_old_place_has_not_moved(board: Board) -> None:
    tracker = board_tracker()
    follow(tracker, [5.0])
    board.state = BoardInFrame.HIDDEN
    assert follow(tracker, [5.01 + PATIENCE]) == [False]


def test_a_hand_that_stirs_may_hide_the_board_for_long(board: Board) -> None:
    tracker = board_tracker()
    follow(tracker, [0.0])
    board.state, board.known = BoardInFrame.HIDDEN, False
    assert follow(tracker, [0.1 * n for n in range(1, 100)], hand=True) == ["hidden"] * 99
    assert board.locations == 0


def test_a_hand_before_a_board_in_its_place_hides_it(board: Board) -> None:
    tracker = board_tracker()
    follow(tracker, [0.0])
    board.state = BoardInFrame.HIDDEN
    assert follow(tracker, [0.1, 0.5, 2.0], hand=True) == ["hidden"] * 3


def test_what_looks_like_a_hand_and_does_not_stir_is_a_board_that_moved(board: Board) -> None:
    tracker = board_tracker()
    follow(tracker, [0.0])
    board.state, board.known, board.located = BoardInFrame.HIDDEN, False, False
    said = follow(tracker, [0.1, 0.5, STILL + 0.3, SEARCH_EVERY_S + 0.6], hand=True, stirs=False)
    assert said[:2] == ["hidden", "hidden"]
    assert said[2] == MOVED
    assert said[3] == f"{MOVED}, and not found again: its lines are not seen"


def test_a_board_that_moved_behind_a_hand_is_known_again(board: Board) -> None:
    tracker = board_tracker()
    follow(tracker, [0.0])
    board.state, board.place = BoardInFrame.HIDDEN, THERE
    assert follow(tracker, [0.1, 0.1 + PATIENCE], hand=True) == ["hidden", True]


def test_pictures_that_are_no_stream_are_each_looked_at(board: Board) -> None:
    board.state, board.place, board.known = BoardInFrame.HIDDEN, THERE, False
    assert follow(board_tracker(), [0.0, 0.0, 0.0]) == [True, False, False]
    assert board.locations == 3


def test_a_picture_that_is_no_stream_is_read_where_the_board_is_known_under_a_hand(board: Board) -> None:
    board.state = BoardInFrame.HIDDEN
    assert follow(board_tracker(), [0.0, 0.0], hand=True) == [False, False]


def test_a_board_is_looked_for_where_it_was_before_it_is_elsewhere(board: Board) -> None:
    """In light in which no patch looks as it did, lines still do: turned views fit as well elsewhere."""
    board.state = BoardInFrame.HIDDEN
    follow(board_tracker(), [0.0])
    assert board.hints == [HERE]
