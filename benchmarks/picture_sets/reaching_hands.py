"""Hands cut out of photographs, to be laid over other pictures: with their arms, from the board's edge."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np

from benchmarks.picture_sets.series import picture
from vision.arrays import Floats, Image
from vision.geometry.view import View

STEP_MM = 57.0
"""The length of a chess board's step."""
FOLDER = "pedrobeemon-chess"
TAKEN = (
    "1701128368-5162122.jpg",
    "1701128370-0836105.jpg",
    "1701128406-1395252.jpg",
    "1701128407-6732004.jpg",
    "1701128446-312875.jpg",
    "1701128461-8409421.jpg",
    "1701128915-51749.jpg",
    "1701128971-1659956.jpg",
)
"""The pictures whose hands come out whole: chosen by eye."""
MM = 57 / 47
"""Millimetres of a pixel in the pictures of hands."""
DIFFERS = 38
"""Grey levels from which a pixel belongs to a hand."""
AREA = (0.015, 0.3)
"""The least and greatest share of a picture that a hand may fill to be taken."""
NEAR = 6
"""The pictures without a hand, nearest in time, from all of which a hand must differ."""
LIFT = 0.9
"""The height of a fingertip over the board; steps."""


@dataclass(frozen=True, eq=False)
class ReachingHand:
    """A hand with its arm, turned so that it reaches down: the tip is at the bottom in the middle.

    `colours` (h, w, 3) and `mask` (h, w; 0 to 1); `mm`: millimetres of its pixels.
    """

    name: str
    colours: Any
    mask: Any
    tip: Floats
    mm: float

    def over(
        self, image: Image, view: View, place: tuple[float, float], from_south: bool, chance: Random
    ) -> Image:
        """Returns the picture with this hand over a place (steps), its arm coming from the side of the player
        who sits south or north."""
        tip = view.pixels([place], LIFT)[0]
        away = np.add(place, (chance.uniform(-1.5, 1.5), -3 if from_south else 3))
        line = view.pixels(away[None], LIFT)[0] - tip
        line /= np.linalg.norm(line)
        across = np.array([-line[1], line[0]]) * chance.choice((-1, 1))
        scale = view.step_pixels(place) * 1.12 / STEP_MM * self.mm
        turn = np.column_stack((across, -line)) * scale
        h, w = image.shape[:2]
        x, y = np.meshgrid(np.arange(w, dtype=float), np.arange(h, dtype=float))
        back = np.linalg.inv(turn)
        u = (x - tip[0]) * back[0, 0] + (y - tip[1]) * back[0, 1] + self.tip[0]
        v = (x - tip[0]) * back[1, 0] + (y - tip[1]) * back[1, 1] + self.tip[1]
        v = np.maximum(v, 1.0)
        map_x, map_y = u.astype(np.float32), v.astype(np.float32)
        mask = cv2.remap(self.mask, map_x, map_y, cv2.INTER_LINEAR)
        colours = cv2.remap(self.colours, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        far = 0.35 * view.step_pixels(place)
        aside = np.array([[1, 0, far], [0, 1, far * 0.5]], np.float32)
        shadow = cv2.GaussianBlur(
            cv2.warpAffine(mask, aside, (w, h)), (0, 0), max(1.0, 0.15 * view.step_pixels(place))
        )
        out = image.astype(np.float32) * (1 - 0.35 * shadow[..., None])
        out += (colours * chance.uniform(0.8, 1.1) - out) * mask[..., None]
        return np.asarray(np.clip(out, 0, 255), np.uint8)


def reaching_hands(photos: Path) -> list[ReachingHand]:
    """Returns the hands of the set that shows some; none where it is not there."""
    folder = photos / FOLDER
    if not folder.is_dir():
        return []
    labels = json.loads((folder / "truth.json").read_text(encoding="utf-8"))["pictures"]
    plain = [(index, label["file"]) for index, label in enumerate(labels) if label["hands"] is False]
    hands = []
    for index, label in enumerate(labels):
        if label["file"] in TAKEN:
            near = [file for _, file in sorted(plain, key=lambda one: abs(one[0] - index))[:NEAR]]
            cut = _cut(picture(folder / label["file"]), [picture(folder / file) for file in near])
            if cut is not None:
                hands.append(ReachingHand(label["file"], *cut, MM))
    return hands


def _cut(image: Image, plain: Sequence[Image]) -> tuple[Any, Any, Floats] | None:
    """Returns the turned patch of a hand, its mask and its fingertip; None where it is not one clear arm from
    the picture's border."""
    soft = cv2.GaussianBlur(image, (0, 0), 1.5).astype(np.float32)
    off = np.min(
        [np.abs(soft - _matched(cv2.GaussianBlur(p, (0, 0), 1.5), soft)).max(axis=2) for p in plain], axis=0
    )
    red, green, blue = soft[..., 2], soft[..., 1], soft[..., 0]
    is_skin = (red > blue + 6) & (red > green - 4) | (soft.max(axis=2) < 70)
    mask = ((off > DIFFERS) & is_skin).astype(np.uint8)
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8), iterations=2)
    mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8), iterations=2)
    count, parts, stats, _ = cv2.connectedComponentsWithStats(mask)
    if count < 2:
        return None
    largest = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))
    h, w = mask.shape
    if not AREA[0] < stats[largest, cv2.CC_STAT_AREA] / (h * w) < AREA[1]:
        return None
    edges, _ = cv2.findContours((parts == largest).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    mask = cv2.drawContours(np.zeros_like(mask), edges, -1, 1, cv2.FILLED)
    points = np.column_stack(np.nonzero(mask)[::-1]).astype(float)
    at_border = (points < 2).any(axis=1) | (points > (w - 3, h - 3)).any(axis=1)
    if at_border.sum() < 15:
        return None
    end = points[at_border].mean(axis=0)
    tip = points[np.argmax(np.hypot(*(points - end).T))]
    line = end - tip
    length = float(np.hypot(*line))
    if length < 0.25 * h:
        return None
    line /= length
    along = (points[at_border] - tip) @ line
    cut = float(along.min()) - 2
    aside = (points - tip) @ np.array([-line[1], line[0]])
    breadth = int(np.abs(aside).max()) + 6
    if cut < 0.5 * length:
        return None
    turn = np.array([[-line[1], line[0]], [-line[0], -line[1]]])
    shift = np.array([breadth, cut]) - turn @ tip
    affine = np.column_stack((turn, shift))
    size = (2 * breadth + 1, int(cut) + 8)
    colours = cv2.warpAffine(image, affine, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    shape = cv2.erode(mask, np.ones((3, 3), np.uint8)).astype(np.float32)
    turned = cv2.GaussianBlur(cv2.warpAffine(shape, affine, size), (0, 0), 1.0)
    return colours.astype(np.float32), turned, np.array([breadth, cut], float)


def _matched(plain: Any, image: Any) -> Any:
    """Returns a picture without a hand in the exposure of one with it."""
    gain = np.median((image + 8) / (plain.astype(np.float32) + 8), axis=(0, 1))
    return plain.astype(np.float32) * gain
