"""Made games: what their scripts may show, and that pictures of them show it."""

from __future__ import annotations

from pathlib import Path
from random import Random

import chess
import cv2
import numpy as np
import pytest

from benchmarks.picture_sets.cutouts import (
    Label,
    Photo,
    PhotoSource,
    Table,
    column,
    fen_pieces,
    height,
    table,
)
from benchmarks.picture_sets.made_games import OFF, Script, pictures, script
from benchmarks.picture_sets.series import homography
from companion.core.board import load_board
from vision.geometry.view import View

BOARD = load_board("chess")
SIZE = (400, 360)
CORNERS = [(60.0, 320.0), (340.0, 320.0), (300.0, 80.0), (100.0, 80.0)]
VIEW = View.of(homography(BOARD.corners, CORNERS), SIZE, (-0.5, -0.5, 7.5, 7.5))
FEW = "k7/8/2p5/8/4P3/8/6N1/K7"


@pytest.fixture(scope="module", params=[(seed, wrong) for seed in (1, 2, 3) for wrong in (False, True)])
def told(request: pytest.FixtureRequest) -> Script:
    seed, with_mistakes = request.param
    return script(Random(seed), 40, with_mistakes)


def test_the_plies_of_a_script_are_legal(told: Script) -> None:
    board = chess.Board()
    for move in told.moves:
        board.push_uci(move)
    assert told.frames[-1].fen == board.board_fen()


def test_a_quiet_picture_shows_the_position_after_its_plies(told: Script) -> None:
    positions = [chess.Board()]
    for move in told.moves:
        after = positions[-1].copy()
        after.push_uci(move)
        positions.append(after)
    for frame in told.frames:
        if frame.reach is None and not frame.mistake and "to be taken back" not in frame.notes:
            assert frame.fen == positions[frame.plies].board_fen()


def test_a_piece_that_nobody_touches_stays_where_it_is(told: Script) -> None:
    for before, after in zip(told.frames, told.frames[1:], strict=False):
        moved = [p for p in before.standing if before.standing[p] != after.standing.get(p)]
        assert len(moved) <= 4 + 2 * ("two plies" in after.notes)


def test_pieces_stand_near_the_middles_of_their_squares(told: Script) -> None:
    for place, piece in told.frames[-1].standing.items():
        assert np.abs(np.subtract(piece.foot, BOARD.sites[place])).max() <= OFF


def test_the_same_seed_tells_the_same_game() -> None:
    assert script(Random(5), 30, True) == script(Random(5), 30, True)


def _drawn(fen: str, light: float) -> Photo:
    """A board of two greys with a plain column for each piece, blue or red."""
    image = np.full((SIZE[1], SIZE[0], 3), 90.0)
    for x, y in BOARD.sites.values():
        around = VIEW.pixels([(x - 0.5, y - 0.5), (x + 0.5, y - 0.5), (x + 0.5, y + 0.5), (x - 0.5, y + 0.5)])
        cv2.fillConvexPoly(image, np.round(around).astype(np.int32), (200.0 if (x + y) % 2 else 120.0,) * 3)
    pieces = fen_pieces(fen)
    for place, letter in sorted(pieces.items(), key=lambda one: -int(one[0][1])):
        tall = 0.8 * height(BOARD, letter)
        outline = cv2.convexHull(np.round(column(VIEW, BOARD.sites[place], tall, 0.22)).astype(np.int32))
        cv2.fillConvexPoly(image, outline, (200.0, 30, 30) if letter.isupper() else (30.0, 30, 200))
    return Photo(f"{fen} {light}", np.clip(image * light, 0, 255).astype(np.uint8), VIEW, pieces)


@pytest.fixture(scope="module")
def drawn() -> Table:
    fens = (
        FEW, "8/8/8/1k1p4/8/2K2P2/8/N7", "8/3k4/8/8/N7/8/2K2p2/5P2",
        "8/1q5n/8/3r4/8/5R2/1Q6/7B", "7b/1Q6/5R2/8/3r4/8/1q5n/8",
    )  # fmt: skip
    return Table(
        "drawn",
        [_drawn(fen, light) for fen, light in zip(fens, (1.0, 0.8, 1.1, 1.0, 1.0), strict=True)],
        _drawn(FEW, 1.0),
        BOARD,
    )


def test_all_pieces_are_taken_away_from_the_background(drawn: Table) -> None:
    plain = _drawn("8/8/8/8/8/8/8/8", 1.0).image
    assert np.abs(drawn.empty.astype(float) - plain).mean() < 1.5


def test_a_piece_is_set_onto_another_square(drawn: Table) -> None:
    out = drawn.draw([("N", (4.0, 2.0), 0), ("p", (2.0, 5.0), 1)])
    for foot, bright in (((4.0, 2.0), 0), ((2.0, 5.0), 2)):
        x, y = np.round(VIEW.pixels([foot], 0.3)[0]).astype(int)
        assert np.argmax(out[y, x]) == bright
        assert np.ptp(out[y, x].astype(int)) > 80
    x, y = np.round(VIEW.pixels([BOARD.sites["e4"]], 0.3)[0]).astype(int)
    assert np.ptp(out[y, x].astype(int)) < 12


@pytest.fixture(scope="module")
def photographed(shared: Path) -> Table:
    def is_taken(label: Label) -> bool:
        return str(label["file"]).startswith(("2024-04-10-150903", "2024-04-09-131526_1"))

    return table(shared / "photos", PhotoSource("chesssight-chess", is_taken, 16 / 9))


@pytest.mark.parametrize("pieces", ["drawn", pytest.param("photographed", marks=pytest.mark.soak)])
def test_a_made_game_changes_only_where_something_was_done(
    request: pytest.FixtureRequest, pieces: str
) -> None:
    source: Table = request.getfixturevalue(pieces)
    told = script(Random(4), 6)
    quiet = Script(told.moves, tuple(frame for frame in told.frames if frame.reach is None)[:3])
    taken = list(pictures(source, [], quiet, Random(1), pushed=False))
    shown = [source.draw((p.letter, p.foot, p.number) for p in f.standing.values()) for f in quiet.frames]
    for before, after, one in zip(shown, shown[1:], taken[1:], strict=False):
        off = np.abs(after.astype(int) - before).max(axis=2) > 20
        seen = {
            place
            for place, site in BOARD.sites.items()
            if off[tuple(np.round(source.view.pixels([site])[0]).astype(int)[::-1])]
        }
        assert one.changed
        assert seen <= one.changed
