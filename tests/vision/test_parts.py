"""Parts of a site: which of them can stand together, and whose corners a closed square's are."""

import cv2
import numpy as np
import pytest

from vision.geometry.view import View
from vision.reading.parts import Site, exclusions, find_seams, settle

KINDS = ("nw", "ne", "sw", "se")
SIDES = {"nw": (0, 2), "ne": (0, 3), "sw": (1, 2), "se": (1, 3)}
"""The two of four walls (north, south, west, east) that a part in each corner has."""


def covers() -> list[np.ndarray]:
    return [np.eye(4, dtype=np.float32)[list(SIDES[k])].sum(axis=0) for k in KINDS]


@pytest.fixture
def site() -> Site:
    return Site((0, 1, 2, 3), KINDS, exclusions(covers()))


def no_seams(place: int, corners: object) -> np.ndarray:
    return np.zeros(2)


def test_neighbouring_corners_exclude_each_other(site: Site) -> None:
    assert [(KINDS[a], KINDS[b]) for a, b in site.pairs()] == [("nw", "se"), ("ne", "sw")]


@pytest.mark.parametrize(
    ("scores", "standing"),
    [
        ((-20, -20, -20, -20), []),
        ((30, 4, 4, -25), ["nw"]),
        ((-5, 3, -9, 20), ["se"]),
        ((30, 12, 12, 30), ["nw", "se"]),
        ((11, 25, 26, 13), ["ne", "sw"]),
    ],
)
def test_parts_that_explain_a_site_best(site: Site, scores: tuple[float, ...], standing: list[str]) -> None:
    settled = settle(site, np.array(scores, float)[:, None], no_seams)
    assert [k for k, v in zip(KINDS, settled[:, 0], strict=True) if v > 0] == standing


def test_a_closed_square_without_seams_is_left_open(site: Site) -> None:
    settled = settle(site, np.full((4, 1), 20.0), no_seams)
    assert np.allclose(settled, 0)


def test_seams_tell_whose_corners_they_are(site: Site) -> None:
    def seams(place: int, corners: object) -> np.ndarray:
        return np.array([90.0 if c in ("ne", "sw") else 8.0 for c in corners])  # type: ignore[attr-defined]

    settled = settle(site, np.full((4, 1), 20.0), seams)[:, 0]
    assert settled[[0, 3]].min() > 5
    assert settled[[1, 2]].max() < -5


@pytest.mark.parametrize("open_corners", [("nw", "se"), ("ne", "sw")])
def test_seams_are_found_in_a_picture(open_corners: tuple[str, str]) -> None:
    view = View.of(np.array([[80.0, 0, 40], [0, -80.0, 200], [0, 0, 1]]), (240, 240), (0, 0, 2, 2))
    picture = np.full((240, 240, 3), (90, 50, 20), np.uint8)
    cv2.rectangle(picture, (88, 88), (152, 152), (60, 180, 220), 12)
    for corner in open_corners:
        x, y = (152 if corner[1] == "e" else 88), (88 if corner[0] == "n" else 152)
        dx, dy = (1 if corner[1] == "e" else -1), (-1 if corner[0] == "n" else 1)
        cv2.line(picture, (x - 10 * dx, y - 10 * dy), (x + 10 * dx, y + 10 * dy), (20, 30, 30), 2)
    found = dict(zip(KINDS, find_seams(picture, view, (1.0, 1.0), 1.0, 0.0, KINDS), strict=True))
    assert min(found[c] for c in open_corners) > 50
    assert max(found[c] for c in KINDS if c not in open_corners) < 20
