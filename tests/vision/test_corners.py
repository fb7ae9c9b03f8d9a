"""Corners of a square: neighbours exclude each other, opposite ones do not."""

from __future__ import annotations

import numpy as np
import pytest

from vision.reading.corners import joined, squares

KINDS = ("nw", "ne", "sw", "se")


@pytest.mark.parametrize(
    ("ratios", "standing"),
    [
        ((-3, -3, -3, -3), []),
        ((9, 4, 4, -3), ["nw"]),
        ((4, 9, -3, 4), ["ne"]),
        ((9, 4, 4, 8), ["nw", "se"]),
        ((4, 8, 9, 4), ["ne", "sw"]),
        ((-3, -3, 2, -3), ["sw"]),
    ],
)
def test_corners_that_explain_a_square_best(ratios: tuple[float, ...], standing: list[str]) -> None:
    out = joined(KINDS, np.array(ratios, float)[:, None])
    assert [kind for kind, ratio in zip(KINDS, out[:, 0], strict=True) if ratio > 0] == standing


def test_a_closed_square_without_a_seam_is_left_open() -> None:
    out = joined(KINDS, np.full((4, 1), 8.0))
    assert np.ptp(out) < 1e-9


def test_corners_that_hold_nothing_say_nothing_of_another() -> None:
    out = joined(KINDS, np.array([[9.0, 5.0], [-9, -9], [-9, -9], [-9, -9]]))
    assert out[0] == pytest.approx([9, 5], abs=0.01)


def test_squares_are_the_places_with_a_kind() -> None:
    assert squares(["", "nw", "se", "nw"], ["a1", "a1", "a1", "b2"]) == {"a1": [1, 2], "b2": [3]}


@pytest.mark.parametrize(("slant", "standing"), [(3.0, ["nw", "se"]), (-3.0, ["ne", "sw"])])
def test_seams_tell_which_two_pieces_close_a_square(slant: float, standing: list[str]) -> None:
    out = joined(KINDS, np.full((4, 1), 8.0), slant)
    assert [kind for kind, ratio in zip(KINDS, out[:, 0], strict=True) if ratio > 0] == standing


def test_seams_say_nothing_of_a_piece_alone() -> None:
    ratios = np.array([[9.0], [-9], [-9], [-9]])
    assert joined(KINDS, ratios, 3.0)[0, 0] == pytest.approx(9, abs=0.1)
