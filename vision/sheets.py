"""Sheets to print, to scale: four markers for a board's corners, and a ChArUco board for the lens.

A sheet is a PDF of A4 paper, written here: its drawing is black rectangles and a line of text, for
which the format needs a page of code and no library.
"""

from __future__ import annotations

from functools import cache

import cv2

MARKER_DICTIONARY = cv2.aruco.DICT_4X4_50
MARKER_CORNERS = ("north-west", "north-east", "south-east", "south-west")
CHARUCO_SQUARES = (7, 10)
CHARUCO_SQUARE_MM, CHARUCO_MARKER_MM = 25.0, 18.0
CHARUCO_DICTIONARY = cv2.aruco.DICT_5X5_100
A4_MM = (210.0, 297.0)

Rectangle = tuple[float, float, float, float]
Label = tuple[float, float, str]


@cache
def charuco_board() -> cv2.aruco.CharucoBoard:
    """The ChArUco board of the sheet; lengths in mm."""
    dictionary = cv2.aruco.getPredefinedDictionary(CHARUCO_DICTIONARY)
    return cv2.aruco.CharucoBoard(CHARUCO_SQUARES, CHARUCO_SQUARE_MM, CHARUCO_MARKER_MM, dictionary)
