"""Picture quality: says what is wrong with the light or the focus on a board, before it is learned.

In go a picture and the view of the board in it; out come words for whoever sets the camera up.
`tests/vision/test_quality.py` holds the limits to frames that are made too dark, too bright or soft.
"""

from __future__ import annotations

import cv2
import numpy as np

from companion.language import say
from vision.arrays import Image
from vision.geometry.samples import greyed
from vision.geometry.view import View

DARK, LIGHTEST = 45, 95
"""The grey level below which the board is too dark, and the percentile of its lightness that must reach
it."""
BURNT, GLARE = 252, 0.12
"""The grey level from which a pixel is blank with light, and the share of the board that may be so."""
BLUR, BLUR_OF_STEP = 3.0, 0.09
"""The width of the sharpest edges (sigma) above which a picture is blurred: pixels, and steps if that is
more."""
FINE, COARSE = 1.0, 2.0
"""The smoothings (sigma, pixels) between which the fading of edges is measured; one is twice the other."""
SHARPEST = 98
"""The percentile of steepness that the sharpest edges have."""


def picture_trouble(image: Image, view: View) -> str:
    """Returns what is wrong with the light or the focus on the board, in words; "" where nothing is.

    The picture may be colour (h, w, 3) or grey (h, w), of the view's size.
    """
    grey = greyed(image)
    board = _board_part(grey, view)
    if float(np.percentile(board, LIGHTEST)) < DARK:
        return say("too dark: put a lamp on, or let the camera expose longer")
    if float((board >= BURNT).mean()) > GLARE:
        return say("glare: part of the board is blank with light; move the lamp or the camera")
    if _edge_width(board) > max(BLUR, BLUR_OF_STEP * view.step_pixels(view.middle)):
        return say("blurred: focus the camera on the board, or clean its lens")
    return ""


def _board_part(grey: Image, view: View) -> Image:
    """Returns the upright rectangle of the picture around the board; all of it where the board is outside."""
    corners = view.pixels(view.corners())
    (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
    part = grey[max(int(top), 0) : int(bottom) + 1, max(int(left), 0) : int(right) + 1]
    return part if part.size else grey


def _edge_width(grey: Image) -> float:
    """Returns the width of the sharpest edges (sigma, pixels): by how much they fade when smoothed more."""
    fine, coarse = (_steepness(grey, sigma) for sigma in (FINE, COARSE))
    fade = min((coarse / max(fine, 1e-6)) ** 2, 0.999)
    return float(np.sqrt(max(4 * fade - 1, 0.0) / (1 - fade)))


def _steepness(grey: Image, sigma: float) -> float:
    smooth = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), sigma)
    slope = np.hypot(cv2.Sobel(smooth, cv2.CV_32F, 1, 0), cv2.Sobel(smooth, cv2.CV_32F, 0, 1))
    return float(np.percentile(slope, SHARPEST))
