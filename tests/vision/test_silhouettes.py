"""What differs between two pictures is explained by as few pieces as will do, each cell counting once."""

from __future__ import annotations

from itertools import product

import cv2
import numpy as np
import pytest

from vision.arrays import Singles
from vision.geometry.view import View
from vision.reading.silhouettes import AT_ONCE, CHANGE, CIRCLE, SHADOW, Explained, Silhouettes

WHERE = np.array(list(product(range(8), range(8))), float)
REACH, HEIGHT = 0.34, 1.0
CORNERS = np.array([(-0.5, -0.5), (7.5, -0.5), (7.5, 7.5), (-0.5, 7.5)], np.float32)
SEEN_LOW = np.array([(20, 170), (300, 170), (230, 50), (90, 50)], np.float32)
SEEN_HIGH = np.array([(60, 190), (240, 190), (240, 10), (60, 10)], np.float32)


def camera(seen: Singles) -> View:
    """The view in which the board's corners are seen at these pixels."""
    matrix = np.asarray(cv2.getPerspectiveTransform(CORNERS, seen), float)
    return View.of(matrix, (320, 200), (-0.5, -0.5, 7.5, 7.5))


def silhouettes(view: View) -> Silhouettes:
    rows, columns = np.indices((200, 320))
    return Silhouettes(view, WHERE, np.full(64, REACH), 1.0, HEIGHT, rows, columns)


def drawn(view: View, solid: Silhouettes, *pieces: tuple[int, float]) -> Singles:
    """The cells that pieces (place, height) hide."""
    mask = np.zeros((200, 320), np.float32)
    for place, height in pieces:
        foot = WHERE[place] + REACH * CIRCLE
        head = WHERE[place] + 0.6 * REACH * CIRCLE
        outline = np.concatenate((view.pixels(foot), view.pixels(head, height)))
        cv2.fillConvexPoly(mask, cv2.convexHull(np.round(outline).astype(np.int32)), 1.0)
    count = np.bincount(solid.cell_of.ravel(), minlength=solid.cells)
    hidden = np.bincount(solid.cell_of.ravel(), mask.ravel()) / count
    return (hidden >= 0.5).astype(np.float32)


def explained(solid: Silhouettes, changed: Singles) -> Explained:
    nats = np.where(changed > 0, 1.2, -0.3).astype(np.float32)
    return solid.explain(nats, np.zeros_like(nats))


def told(found: Explained) -> set[int]:
    return set(np.flatnonzero(found.same < 0).tolist())


@pytest.mark.parametrize("seen", [SEEN_LOW, SEEN_HIGH], ids=["low", "high"])
@pytest.mark.parametrize("height", [0.2, 0.6, 1.0, 1.5])
@pytest.mark.parametrize("place", [0, 19, 28, 37, 63])
def test_a_piece_changes_its_own_place_and_none_that_it_hides(
    seen: Singles, height: float, place: int
) -> None:
    view = camera(seen)
    solid = silhouettes(view)
    assert told(explained(solid, drawn(view, solid, (place, height)))) == {place}


def test_of_a_place_that_is_hidden_nothing_is_known_but_that_few_change() -> None:
    view = camera(np.array([(20, 120), (300, 120), (230, 90), (90, 90)], np.float32))
    solid = silhouettes(view)
    found = explained(solid, drawn(view, solid, (24, 1.7)))
    assert told(found) == {24}
    assert found.behind[25]
    assert found.same[25] == pytest.approx(CHANGE, abs=2.0)


@pytest.mark.parametrize("both", [(27, 29), (27, 35), (27, 36)])
def test_neighbours_that_both_changed_are_both_told(both: tuple[int, int]) -> None:
    view = camera(SEEN_LOW)
    solid = silhouettes(view)
    found = explained(solid, drawn(view, solid, *((place, 1.0) for place in both)))
    assert told(found) == set(both)


def test_a_shadow_beside_a_piece_changes_no_place() -> None:
    view = camera(SEEN_HIGH)
    solid = silhouettes(view)
    piece, shadow = drawn(view, solid, (27, 0.6)), drawn(view, solid, (35, 0.0))
    nats = np.where(piece > 0, 1.2, np.where(shadow > 0, 0.3, -0.3)).astype(np.float32)
    assert told(solid.explain(nats, np.zeros_like(nats))) == {27, 35}
    shaded = np.where(shadow > 0, SHADOW * nats, np.float32(0)).astype(np.float32)
    assert told(solid.explain(nats, shaded)) == {27}


def test_where_more_differs_than_hands_change_each_place_is_told() -> None:
    view = camera(SEEN_HIGH)
    solid = silhouettes(view)
    many = set(range(0, 64, 5))
    assert len(many) > AT_ONCE
    assert told(explained(solid, drawn(view, solid, *((place, 0.5) for place in many)))) == many


def test_nothing_differs() -> None:
    solid = silhouettes(camera(SEEN_LOW))
    found = explained(solid, np.zeros(solid.cells, np.float32))
    assert found.same.min() > CHANGE
    assert not found.behind.any()
    assert not found.covered.any()
