"""Bad light and bad focus are told in words."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from tests.vision.truth import scene
from vision.light.quality import picture_trouble


def test_the_light_is_judged_in_words(shared: Path) -> None:
    truth = scene(shared / "scenes" / "escape")
    frame, view = truth.picture(1), truth.view(1)
    assert picture_trouble(frame, view) == ""
    assert picture_trouble((frame * 0.12).astype(np.uint8), view).startswith("too dark")
    assert picture_trouble(np.clip(frame * 3.5, 0, 255).astype(np.uint8), view).startswith("glare")
    soft = np.asarray(cv2.GaussianBlur(frame, (0, 0), 6), dtype=np.uint8)
    assert picture_trouble(soft, view).startswith("blurred")
