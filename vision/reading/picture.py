"""The picture of what was seen: the board from straight above, with each reading drawn on its place."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
import numpy.typing as npt

from companion.board import Board
from companion.core import EMPTY, Look, Place
from companion.observation import Observation, Reading
from vision.geometry.view import View
from vision.reading.reader import fitted

Image = npt.NDArray[np.uint8]
PX_PER_STEP = 64
MARGIN = 0.8
LIGHT = 60_000
SMALL = ((640, 80), (640, 55), (480, 55), (320, 50), (240, 40))
"""Pixels of a small picture's longer side, and its quality: the first that is light enough."""
INK, GOOD, DOUBT = (20, 20, 20), (80, 220, 80), (60, 120, 255)


def draw(image: Image, view: View, board: Board, readings: Mapping[Place, Reading]) -> Image:
    """The rectified board of an image of the view's size; doubtful readings in another colour."""
    out = view.rectify(image, PX_PER_STEP, MARGIN)
    places = [p for p in readings if p in board.sites or p in board.places]
    spots = view.rectified([board.where(p) for p in places], PX_PER_STEP, MARGIN)
    for place, spot in zip(places, spots, strict=True):
        look, p = chance(readings[place])
        if look == EMPTY and p > 0.9:
            cv2.circle(out, _at(spot), 2, GOOD, -1, cv2.LINE_AA)
        else:
            _label(out, _at(spot), look, GOOD if p > 0.9 else DOUBT)
    return out


def small_picture(image: Image, view: View, board: Board, seen: Observation | None) -> bytes:
    """What was seen on a frame, as a JPEG of at most `LIGHT` bytes: the busier it is, the smaller."""
    whole = draw(fitted(image, view), view, board, seen.readings if seen else {})
    data = b""
    for side, quality in SMALL:
        scale = min(1.0, side / max(whole.shape[:2]))
        small = cv2.resize(whole, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
        if len(data) <= LIGHT:
            break
    return data


def chance(reading: Reading) -> tuple[Look, float]:
    """The likeliest named look and its probability, all looks being as likely before."""
    p = chances(reading)
    look = max(reading.looks, key=lambda name: (p[name], name == EMPTY))
    return look, p[look]


def chances(reading: Reading) -> dict[Look, float]:
    """The probability of each named look; what is missing to 1 is that of looks not named."""
    top = max([*reading.looks.values(), reading.other])
    weights = {look: float(np.exp(v - top)) for look, v in reading.looks.items()}
    rest = float(np.exp(reading.other - top)) if np.isfinite(reading.other) else 0.0
    total = sum(weights.values()) + rest
    return {look: w / total for look, w in weights.items()}


def _at(spot: npt.NDArray[np.float64]) -> tuple[int, int]:
    return round(float(spot[0])), round(float(spot[1]))


def _label(out: Image, spot: tuple[int, int], look: Look, colour: tuple[int, int, int]) -> None:
    for thickness, ink in ((3, INK), (1, colour)):
        size, _ = cv2.getTextSize(look, cv2.FONT_HERSHEY_SIMPLEX, 0.36, 1)
        origin = spot[0] - size[0] // 2, spot[1] + size[1] // 2
        cv2.circle(out, spot, PX_PER_STEP // 3, ink, thickness, cv2.LINE_AA)
        cv2.putText(out, look, origin, cv2.FONT_HERSHEY_SIMPLEX, 0.36, ink, thickness, cv2.LINE_AA)
