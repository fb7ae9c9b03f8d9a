"""Corners of a square: neighbours exclude each other, opposite ones do not."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from vision.arrays import Floats
from vision.reading.corners import joined

KINDS = ("nw", "ne", "sw", "se")


def weighed(ratios: Sequence[object], recalled: Sequence[object] = (), slant: float = 0.0) -> Floats:
    """The ratios (corners, looks) of a square of which nothing is recalled, unless that is given."""
    own = np.array(ratios, float).reshape(4, -1)
    known = np.array(recalled, float).reshape(own.shape) if recalled else np.zeros_like(own)
    return joined(KINDS, own, known, slant)


def standing_in(out: Floats) -> list[str]:
    return [kind for kind, ratio in zip(KINDS, out[:, 0], strict=True) if ratio > 0]


@pytest.mark.parametrize(
    ("ratios", "standing"),
    [
        ((-3, -3, -3, -3), []),
        ((9, 4, 4, -3), ["nw"]),
        ((4, 9, -3, 4), ["ne"]),
        ((9, -4, -4, 8), ["nw", "se"]),
        ((-4, 8, 9, -4), ["ne", "sw"]),
        ((-3, -3, 2, -3), ["sw"]),
    ],
)
def test_corners_that_explain_a_square_best(ratios: tuple[float, ...], standing: list[str]) -> None:
    assert standing_in(weighed(ratios)) == standing


@pytest.mark.parametrize("ratios", [(8, 8, 8, 8), (9, 4, 5, 16), (18, 17, 10, 11)])
def test_a_closed_square_without_a_seam_is_left_open(ratios: tuple[float, ...]) -> None:
    assert np.ptp(weighed(ratios)) < 1e-3


@pytest.mark.parametrize(
    ("recalled", "standing"),
    [((0, 0, 2.5, 0), ["ne", "sw"]), ((2, 0, 0, 0), ["nw", "se"]), ((0, -3, 0, 0), ["nw", "se"])],
)
def test_a_piece_that_stood_in_a_closed_square_tells_where_both_stand(
    recalled: tuple[float, ...], standing: list[str]
) -> None:
    assert standing_in(weighed((18, 17, 10, 11), recalled)) == standing


def test_two_pieces_of_two_looks_are_told_by_their_corners() -> None:
    out = weighed([[9, -9], [-1, 2], [2, -1], [-9, 9]])
    assert (out[0, 0] > 0, out[3, 1] > 0) == (True, True)
    assert (out[1:3] < 0).all()


def test_corners_that_hold_nothing_say_nothing_of_another() -> None:
    out = weighed([[9.0, 5.0], [-9, -9], [-9, -9], [-9, -9]])
    assert out[0] == pytest.approx([9, 5], abs=0.01)


@pytest.mark.parametrize(("slant", "standing"), [(3.0, ["nw", "se"]), (-3.0, ["ne", "sw"])])
def test_seams_tell_which_two_pieces_close_a_square(slant: float, standing: list[str]) -> None:
    assert standing_in(weighed((8, 8, 8, 8), slant=slant)) == standing


def test_seams_speak_once_and_not_at_each_corner() -> None:
    nw, ne, sw, se = weighed((8, 8, 8, 8), slant=1.5)[:, 0].tolist()
    assert (nw + se, ne, sw) == (pytest.approx(2 * 1.5, abs=0.01), 0.0, 0.0)


def test_seams_say_nothing_of_a_piece_alone() -> None:
    assert weighed((9, -9, -9, -9), slant=3.0)[0, 0] == pytest.approx(9, abs=0.1)
