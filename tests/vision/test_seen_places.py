"""Seen places: where what is drawn over a frame lies, also through a lens and in frames of another size."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.test_view import views
from vision.geometry.seen_places import SeenPlace, seen_places
from vision.geometry.view import View

POINTS = {f"{x}{y}": (float(x), float(y)) for x in range(8) for y in range(8)}


def drawn(place: SeenPlace, east: float, south: float) -> tuple[float, float]:
    """The pixel at which something is drawn that lies beside the middle of a place (steps)."""
    x, y, east_x, east_y, south_x, south_y = place
    return x + east * east_x + south * south_x, y + east * east_y + south * south_y


@given(views(), st.floats(-0.4, 0.4), st.floats(-0.4, 0.4))
@settings(max_examples=60, deadline=None)
def test_what_is_drawn_lies_where_the_board_has_it(view: View, east: float, south: float) -> None:
    places = seen_places(view, POINTS, view.size)
    pixels = view.pixels([(x + east, y - south) for x, y in POINTS.values()]) + 0.5
    off = np.array([drawn(places[name], east, south) for name in POINTS]) - pixels
    steps = np.array([view.step_pixels(point) for point in POINTS.values()])
    assert (np.linalg.norm(off, axis=1) < 0.05 * steps + 0.01).all()


@given(views())
@settings(max_examples=10, deadline=None)
def test_a_frame_of_another_size_is_scaled(view: View) -> None:
    width, height = view.size
    places = seen_places(view, POINTS, view.size)
    twice = seen_places(view, POINTS, (2 * width, 2 * height))
    for name, place in places.items():
        assert twice[name] == pytest.approx([2 * number for number in place])
