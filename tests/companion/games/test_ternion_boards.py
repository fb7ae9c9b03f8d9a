"""The boards of the Ternion games and Escape! agree with the tables beside the checkout."""

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from companion.core.bits import members
from companion.core.board import load_board
from companion.games.ternion.board import borders
from companion.games.text import read_game


@pytest.fixture(scope="module")
def table(shared: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((shared / "boards" / "ternion.json").read_text())
    return data


def pairs(links: Any) -> set[frozenset[str]]:
    return {frozenset(link[:2]) for link in links}


@pytest.mark.parametrize("name", ["ternion", "escape"])
def test_intersections_and_lines(table: dict[str, Any], name: str) -> None:
    board = load_board(name)
    assert {site: list(point) for site, point in board.sites.items()} == table["intersections"]
    assert pairs(board.links) == pairs(table["lines"])


def test_play_areas(table: dict[str, Any]) -> None:
    factor, spaces = load_board("ternion"), load_board("ternion_spaces")
    for n in "234":
        assert set(factor.areas[f"play area {n}"]) == set(table["play_area"][n])
        inside = {*table["play_area_spaces"][n], *table["play_area_diamonds"][n]}
        assert set(spaces.areas[f"play area {n}"]) == inside


def test_spaces_diamonds_and_where_they_meet(table: dict[str, Any]) -> None:
    board = load_board("ternion_spaces")
    corners = table["spaces"] | table["diamonds"]
    assert {site: sorted(c) for site, c in board.tables["corners"].items()} == {
        site: sorted(c) for site, c in corners.items()
    }
    meets = {(frozenset(m[:2]), "-".join(sorted(m[2]))) for m in table["meets"]}
    assert {(frozenset((a, b)), gate) for a, b, gate in borders(board)} == meets
    assert pairs(board.links) == pairs(table["meets"])


def test_pawns_stand_in_the_middle_of_their_space() -> None:
    board = load_board("ternion_spaces")
    points = board.tables["intersections"]
    for site, corners in board.tables["corners"].items():
        middle = [sum(points[c][i] for c in corners) / len(corners) for i in (0, 1)]
        assert board.sites[site] == pytest.approx(middle, abs=1e-4)


def test_escape_areas(table: dict[str, Any]) -> None:
    net, areas = read_game("escape").start().net, load_board("escape").areas
    for seat, player in enumerate(("south", "north")):
        assert {net.names[s] for s in members(net.start[seat])} == set(table["escape"]["start"][player])
        assert set(areas[f"{player} home"]) == set(table["escape"]["zone"][player])
    assert set(areas["out of bounds"]) == set(table["escape"]["out_of_bounds"])


def test_red_and_blue_lines_enclose_the_play_areas() -> None:
    board = load_board("ternion")
    for style, area in (("red-line", "play area 2"), ("blue-line", "play area 3")):
        rim = next(shape.points for shape in board.shapes if shape.style == style)
        assert {s for s, point in board.sites.items() if _inside(rim, point)} == set(board.areas[area])


def _inside(rim: tuple[tuple[float, float], ...], point: tuple[float, float]) -> bool:
    """Returns whether a point lies within a convex outline, walked with its inside on the left."""
    sides = zip(rim, (*rim[1:], rim[0]), strict=True)
    return all((bx - ax) * (point[1] - ay) > (by - ay) * (point[0] - ax) for (ax, ay), (bx, by) in sides)


def test_corners_are_intersections_of_one_square() -> None:
    board = load_board("ternion")
    at = {point: site for site, point in board.sites.items()}
    assert [at[corner] for corner in board.corners] == ["c3", "j3", "j10", "c10"]
    assert all(load_board(name).corners == board.corners for name in ("escape", "ternion_spaces"))
    assert len({frozenset(p) for p in combinations(board.corners, 2)}) == 6
