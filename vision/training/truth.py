"""Reads sets of pictures, photographs or rendered sequences: folders whose `truth.json` says what they
show."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.core.board import Board
from companion.core.game import Look, Place
from vision.arrays import Image
from vision.geometry.lens import Lens
from vision.geometry.view import View

Entry = Mapping[str, Any]

FACED = ("triune", "trid")
"""Games of rendered sequences in which the faces of pieces are told apart."""
CORNERS = ("SW", "SE", "NE", "NW")
"""The corners of a board, in the order in which views take them."""


def truth_of(folder: Path) -> Entry:
    """Returns the contents of a set's truth.json."""
    truth: Entry = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    return truth


def corners_of(entry: Entry) -> list[tuple[float, float]]:
    """Returns where CORNERS are in a photograph, pixels; nowhere where that is not known."""
    corners = entry["corners"]
    return [(float(x), float(y)) for x, y in (corners[name] for name in CORNERS)] if corners else []


def read_picture(file: Path) -> Image:
    """Returns a picture (h, w, 3; BGR). Raises FileNotFoundError where there is none."""
    image = cv2.imread(str(file))
    if image is None:
        raise FileNotFoundError(f"{file} is not a picture that can be read")
    return np.asarray(image, np.uint8)


def rendered_looks(truth: Entry, entry: Entry) -> dict[Place, Look]:
    """Returns what stands on each place that is not empty in a rendered picture, as its game spells it."""
    out: dict[Place, Look] = {}
    for site, held in entry["sites"].items():
        if truth["game"] == "teleporters":
            out |= _ports(site, held)
            continue
        look = held.get("colour") or ""
        if look and truth["game"] in FACED:
            look += f"/{held['kind']}"
        if held.get("marker"):
            look += f"+{held['marker']}"
        if look or held.get("magnet"):
            out[site] = look or "magnet"
    return out


def _ports(site: str, held: Entry) -> dict[Place, Look]:
    pole = held.get("pole")
    owner = pole["colour"] if isinstance(pole, dict) else pole[0] if isinstance(pole, list) else pole
    out = {site: f"{owner}/pole"} if pole else {}
    return out | {site + corner: f"{colour}/port" for colour, corner in held.get("ports", [])}


def rendered_view(truth: Entry, seen: Entry, board: Board) -> View:
    """Returns the true view of a rendered sequence, of which `seen` is one of its `views`."""
    camera, pitch = truth["camera"], truth["pitch_mm"]
    lens = Lens(camera["fx"], camera["fy"], camera["cx"], camera["cy"], *camera["distortion"])
    rotation, move = np.array(seen["rotation"]), np.array(seen["translation_mm"])
    outline = np.array(board.outline)
    (x0, y0), (x1, y1) = outline.min(axis=0), outline.max(axis=0)
    east, north = rotation[:, 0] * pitch, rotation[:, 1] * pitch
    origin = move - east * (x0 + x1) / 2 - north * (y0 + y1) / 2
    matrix = lens.matrix @ np.column_stack((east, north, origin))
    return View.of(matrix, (truth["width"], truth["height"]), (x0, y0, x1, y1), lens)
