"""Photographs of real boards: what stands there is read from what was learned from the picture itself."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import pytest

from companion.core.board import Board, PieceSet, load_board
from companion.games.text import replay
from tests.samples import first_few
from vision.calibration.calibrate import calibrate
from vision.calibration.profile import load_profile
from vision.known.example import Example
from vision.reading.reader import Reader

CHESS = ("empty", "white", "black")
DRAUGHTS = ("empty", "white", "black", "white/king", "black/king")
START_POSITIONS = ("003", "005", "006", "007", "012", "013")


@pytest.mark.parametrize("number", first_few(2, START_POSITIONS))
def test_a_start_position_is_read_wholly_right(shared: Path, tmp_path: Path, number: str) -> None:
    game, position, _ = replay("chess")
    start, board = dict(game.rules.look(position)), load_board("chess")
    image = cv2.imread(str(shared / "photos" / "webcam-chess" / f"chessBoard{number}.jpg"))
    calibrate(board, "chess", CHESS, [Example(image, start)]).save(tmp_path / "profile.json")
    seen = Reader(load_profile(tmp_path / "profile.json"), board).read(image)
    assert seen.board == "ok"
    assert {p: look for p, look in seen.looks.items() if look != "empty"} == start


@pytest.mark.parametrize(
    ("name", "alike"),
    first_few(1, [("board-v2.jpg", 1), ("full-board-v2.jpg", 0), ("full-board.jpg", 0)]),
)
def test_draughts_are_found_in_their_colours(shared: Path, name: str, alike: int) -> None:
    """`alike`: how many bare fields show nothing but the top of the only white piece, before them."""
    board, pieces = draughts(), labelled(shared / "photos" / "checkers-aruco" / "labels.json", name)
    image = cv2.imread(str(shared / "photos" / "checkers-aruco" / name))
    seen = Reader(calibrate(board, "chess", DRAUGHTS, [Example(image, pieces)]), board).read(image)
    colours = {p: look.partition("/")[0] for p, look in seen.looks.items() if look != "empty"}
    wanted = {p: look.partition("/")[0] for p, look in pieces.items()}
    assert wanted.items() <= colours.items()
    assert len(colours) - len(wanted) <= alike


def draughts() -> Board:
    """The board of chess with low discs; a king is two of them."""
    board = load_board("chess")
    disc = replace(board.pieces.face("white"), form="disc", radius=0.38, height=0.25)
    faces = {"": disc, "king": replace(disc, height=0.5)}
    return replace(board, pieces=PieceSet(board.pieces.paint, faces))


def labelled(path: Path, name: str) -> dict[str, str]:
    """Rows are A to H from the south, columns 1 to 8 from the west: the other way round than in chess."""
    labels = json.loads(path.read_text(encoding="utf-8"))["labels"][name]
    owners = {"b": "black", "w": "white"}
    return {
        "abcdefgh"[int(field[1]) - 1] + str("ABCDEFGH".index(field[0]) + 1): owners[colour] + suffix
        for kind, suffix in (("man", ""), ("king", "/king"))
        for colour, fields in labels[kind].items()
        for field in fields
    }
