"""Sets of pictures, photographs or rendered sequences: folders whose `truth.json` says what they show."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
Entry = Mapping[str, Any]

CORNERS = ("SW", "SE", "NE", "NW")
"""The corners of a board, in the order in which views take them."""


def truth_of(folder: Path) -> Entry:
    """What the truth.json of a set says."""
    truth: Entry = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    return truth


def corners_of(entry: Entry) -> list[tuple[float, float]]:
    """Where CORNERS are in a photograph, pixels; nowhere where that is not known."""
    corners = entry["corners"]
    return [(float(x), float(y)) for x, y in (corners[name] for name in CORNERS)] if corners else []


def read_picture(file: Path) -> Image:
    """A picture (h, w, 3; BGR). Raises FileNotFoundError where there is none."""
    image = cv2.imread(str(file))
    if image is None:
        raise FileNotFoundError(f"{file} is not a picture that can be read")
    return np.asarray(image, np.uint8)
