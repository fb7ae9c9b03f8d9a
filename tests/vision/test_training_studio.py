"""The studio's shapes, boards, positions and cameras; Blender itself is not asked."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest

from vision.training.places import staged
from vision.training.places.tables import CropTable
from vision.training.studio.camera import Straightening, StudioSensor
from vision.training.studio.play import Habit, positions
from vision.training.studio.shapes import KINDS, Mesh, chess_set, disc_set
from vision.training.studio.surfaces import board_art

SEEDS = range(5)


def edges(mesh: Mesh) -> Counter[tuple[int, int]]:
    return Counter(edge for face in mesh.faces for edge in pairwise((*face, face[0])) if edge[0] != edge[1])


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("make", [chess_set, disc_set])
def test_faces_turn_the_same_way_and_leave_no_hole_above_the_foot(make, seed: int) -> None:  # type: ignore[no-untyped-def]
    for mesh in make(Random(seed)).values():
        found = edges(mesh)
        assert max(found.values()) == 1  # two faces never run along an edge the same way
        open_ends = {a for a, b in found if (b, a) not in found}
        assert all(mesh.corners[n][2] == 0 for n in open_ends)


@pytest.mark.parametrize("seed", SEEDS)
def test_kings_are_the_tallest_or_nearly(seed: int) -> None:
    heights = {kind: max(z for *_, z in mesh.corners) for kind, mesh in chess_set(Random(seed)).items()}
    assert set(heights) == set(KINDS)
    assert heights["pawn"] < heights["bishop"] < 1.1 * heights["king"]


@pytest.mark.parametrize("count", [8, 10])
@pytest.mark.parametrize("seed", SEEDS)
def test_squares_of_the_first_corner_are_darker(count: int, seed: int) -> None:
    art = board_art(count, Random(seed), np.random.default_rng(seed))
    pixels = art.picture.shape[0] / art.side
    rim = (art.side - count) / 2

    def tone(column: int, row: int) -> float:
        x, y = ((rim + column + 0.3) * pixels, (rim + count - 1 - row + 0.3) * pixels)
        return float(art.picture[int(y) : int(y + 0.4 * pixels), int(x) : int(x + 0.4 * pixels)].mean())

    cells = [(i, j) for i in range(count) for j in range(count)]
    dark, light = (np.median([tone(i, j) for i, j in cells if (i + j) % 2 == odd]) for odd in (0, 1))
    assert dark < light


@pytest.mark.parametrize("seed", SEEDS)
def test_every_position_shows_both_colours_on_places_of_their_own(seed: int) -> None:
    habit = Habit(8, KINDS, 0.3, Random(seed))
    for position in positions(habit, 6):
        for place, piece in position.items():
            middle = "abcdefgh".index(place[0]) + 0.5, int(place[1]) - 0.5
            assert np.hypot(piece.at[0] - middle[0], piece.at[1] - middle[1]) <= 0.3
    first = next(positions(habit, 1))
    assert {piece.owner for piece in first.values()} == {"white", "black"}


@pytest.mark.parametrize("seed", SEEDS)
def test_a_camera_keeps_the_size_and_what_is_bright(seed: int) -> None:
    scene = np.full((60, 80, 3), 60, np.uint8)
    scene[:, 40:] = 190
    shot = StudioSensor.by(Random(seed)).shot(scene, np.random.default_rng(seed))
    assert shot.shape == scene.shape
    assert shot[:, 50:].mean() > shot[:, :30].mean() + 30


def test_a_picture_put_straight_has_the_board_as_a_square() -> None:
    corners = [(20.0, 90.0), (110.0, 80.0), (90.0, 20.0), (30.0, 30.0)]
    straight = Straightening.of(corners, 0.1, 100)
    assert np.allclose(straight.pixels(corners), [(10, 90), (90, 90), (90, 10), (10, 10)], atol=1e-3)


def test_a_set_becomes_tables_with_and_without_the_empty_board(tmp_path: Path) -> None:
    folder = tmp_path / "00007"
    folder.mkdir()
    art = board_art(8, Random(1), np.random.default_rng(1))
    board = np.ascontiguousarray(np.round(255 * art.picture[..., ::-1]).astype(np.uint8))
    rim, side = (art.side - 8) / 2 / art.side * len(board), len(board)
    corners = {
        "SW": (rim, side - rim),
        "SE": (side - rim, side - rim),
        "NE": (side - rim, rim),
        "NW": (rim, rim),
    }
    entries = []
    for n, position in enumerate([{}, {"a1": "white", "h8": "black"}, {"a2": "white", "h8": "black"}]):
        file = f"{n}.png"
        cv2.imwrite(str(folder / file), board)
        entry = {
            "file": file,
            "game": "chess",
            "size": [side, side],
            "corners": corners,
            "position": position,
        }
        entries.append(entry)
    (folder / "truth.json").write_text(json.dumps({"pictures": entries}), encoding="utf-8")
    known, guessed = staged.tables(folder)
    assert (known.name, guessed.name) == ("studio.chess.00007.0", "studio.chess.00007.1")
    assert _shown(known) == _shown(guessed) == [{"white": 1, "black": 1}] * 2
    assert known.doubt.max() == 0 < guessed.doubt.max()


def _shown(table: CropTable) -> list[dict[str, int]]:
    return [{str(k): v for k, v in Counter(frame.tolist()).items() if k != "empty"} for frame in table.looks]
