"""Draws the picture of a reading: the board from straight above, with the look that was read on each
place."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np

from companion.core.board import Board
from companion.core.game import EMPTY, Look, Place
from companion.sensing.observation import Reading
from vision.arrays import Image
from vision.geometry.view import View

PX_PER_STEP = 64
"""Pixels of the picture to a step of the board."""
MARGIN = 0.8
"""Steps that are shown around the board."""
DRAWN_SURE = 0.9
"""The probability from which a reading is drawn as certain."""
INK, GOOD, DOUBT = (20, 20, 20), (80, 220, 80), (60, 120, 255)
"""Colours (blue, green, red) of outlines, and of readings that are sure or not."""


def draw(image: Image, view: View, board: Board, readings: Mapping[Place, Reading]) -> Image:
    """Returns the rectified board of an image of the view's size; doubtful readings in another colour.

    What lies around the board and beyond the edge of the image is left out.
    """
    out = view.rectify(image, PX_PER_STEP, MARGIN)
    places = [place for place in readings if place in board.sites or place in board.places]
    spots = view.rectified([board.where(place) for place in places], PX_PER_STEP, MARGIN)
    for place, spot in zip(places, spots, strict=True):
        _draw_reading(out, (round(float(spot[0])), round(float(spot[1]))), readings[place])
    return out[_within(image, view)]


def _within(image: Image, view: View) -> tuple[slice, slice]:
    """Returns the rows and columns of the rectified board that begin and end within the image: the margin's
    other ones are black."""
    seen = view.rectify(np.full_like(image, 255), PX_PER_STEP, MARGIN)[..., 0] == 255
    edge = round(MARGIN * PX_PER_STEP)
    rows, columns = seen[:, edge:-edge].all(axis=1), seen[edge:-edge].all(axis=0)
    top, bottom, left, right = (
        int(np.argmax([*line[:edge], True])) for line in (rows, rows[::-1], columns, columns[::-1])
    )
    return slice(top, len(rows) - bottom), slice(left, len(columns) - right)


def _draw_reading(out: Image, spot: tuple[int, int], reading: Reading) -> None:
    """Draws one reading at a pixel: a dot where the place is surely empty, else the likeliest look."""
    look, probability = chance(reading)
    is_sure = probability > DRAWN_SURE
    if look == EMPTY and is_sure:
        cv2.circle(out, spot, 2, GOOD, -1, cv2.LINE_AA)
    else:
        _label(out, spot, look, GOOD if is_sure else DOUBT)


def chance(reading: Reading) -> tuple[Look, float]:
    """Returns the likeliest named look and its probability, all looks being as likely before."""
    p = chances(reading)
    look = max(reading.looks, key=lambda name: (p[name], name == EMPTY))
    return look, p[look]


def chances(reading: Reading) -> dict[Look, float]:
    """Returns the probability of each named look; what is missing to 1 is that of looks not named."""
    top = max([*reading.looks.values(), reading.other])
    weights = {look: float(np.exp(v - top)) for look, v in reading.looks.items()}
    rest = float(np.exp(reading.other - top)) if np.isfinite(reading.other) else 0.0
    total = sum(weights.values()) + rest
    return {look: w / total for look, w in weights.items()}


def _label(out: Image, spot: tuple[int, int], look: Look, colour: tuple[int, int, int]) -> None:
    for thickness, ink in ((3, INK), (1, colour)):
        size, _ = cv2.getTextSize(look, cv2.FONT_HERSHEY_SIMPLEX, 0.36, 1)
        origin = spot[0] - size[0] // 2, spot[1] + size[1] // 2
        cv2.circle(out, spot, PX_PER_STEP // 3, ink, thickness, cv2.LINE_AA)
        cv2.putText(out, look, origin, cv2.FONT_HERSHEY_SIMPLEX, 0.36, ink, thickness, cv2.LINE_AA)
