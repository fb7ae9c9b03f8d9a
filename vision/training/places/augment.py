"""Augments crops: shows the same places as other cameras, lamps, hands and calibrations would have shown
them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.core.game import EMPTY, Look
from vision.arrays import Image, Mask, Singles
from vision.reading.crops import FOOT, HEIGHT, WIDTH
from vision.reading.sight import BRIGHTEST, GUESSED
from vision.training.places.episodes import Episode, Pick
from vision.training.places.tables import COVERED, FULL, MARGIN, UNKNOWN, CropTable

Rng = np.random.Generator

PRINTED = 0.16
"""The share of empty places that have something printed on them."""
BLIND = 0.6
"""The share of episodes in which nothing is guessed of the empty board."""
OCCLUDED = 0.1
"""The share of the places asked about that something is laid over."""
MISLIT, FAR_OFF = 0.2, 2.5
"""The share of frames whose light is fitted badly, and so many times worse their light and contrast are."""
LOCAL = 0.04
"""Log by which the light of a single place is misjudged."""
MIDDLE, AROUND = np.s_[14:46, 12:36], np.s_[8:50, 6:42]
"""The parts of a crop in which a piece is, and in which what is beside it matters too."""
MOSTLY, HARDLY = 0.6, 0.08
"""The share of them from which a place is COVERED, and below which it is not hidden."""
SLEEVES = (
    np.array(
        [
            [105, 145, 200],
            [80, 110, 160],
            [150, 185, 225],
            [50, 70, 105],
            [60, 60, 60],
            [215, 215, 215],
            [120, 80, 50],
            [60, 60, 140],
        ],
        np.float32,
    )
    / 255
)
"""Blue, green and red of skins, sleeves and gloves."""


@dataclass(frozen=True, eq=False)
class CropChange:
    """The changes of all crops of an episode: colours are mixed (3, 3; None for not) and bent by an exponent,
    crops mirrored, and each shifted by up to `shift` pixels. Where it is `blind` nothing is guessed of the
    empty board: what is not known of it is black and in doubt."""

    mix: Singles | None
    gamma: float
    mirror: bool
    shift: int
    blind: bool

    @classmethod
    def drawn(cls, rng: Rng) -> CropChange:
        mix = None
        if rng.random() < 0.5:
            near = np.eye(3) + rng.normal(0, 0.12, (3, 3))
            mix = (near / near.sum(axis=0))[:, rng.permutation(3)].astype(np.float32)
        gamma = rng.uniform(0.8, 1.25) if rng.random() < 0.5 else 1.0
        mirror, shift = bool(rng.random() < 0.5), int(rng.choice([0, 1, 3, 5]))
        return cls(mix, gamma, mirror, shift, bool(rng.random() < BLIND))

    def of(self, colours: Singles) -> Singles:
        """Returns colours (…, 3) as they are in this episode."""
        if self.mix is not None:
            colours = np.clip(colours @ self.mix, 0, BRIGHTEST, dtype=np.float32)
        return np.asarray(colours**self.gamma, np.float32)


@dataclass(frozen=True, eq=False)
class Exposure:
    """The changes of a frame beside the empty board: its gain (3) and contrast, blur (pixels), noise, and by
    how many pixels it was moved (2)."""

    gain: Singles
    contrast: float
    blur: float
    noise: float
    moved: tuple[int, int]

    @classmethod
    def drawn(cls, rng: Rng) -> Exposure:
        far_off = FAR_OFF if rng.random() < MISLIT else 1.0
        gain = np.exp(far_off * (rng.normal(0, 0.07) + rng.normal(0, 0.03, 3))).astype(np.float32)
        blur = rng.uniform(0.4, 1.2) if rng.random() < 0.2 else 0.0
        far = int(rng.choice([0, 1, 2, 4], p=[0.45, 0.25, 0.2, 0.1]))
        moved = rng.integers(-far, far + 1, 2)
        across, down = moved.tolist()
        noise = float(rng.choice([0, 0.01, 0.02, 0.035]))
        contrast = rng.uniform(0.88, 1.14) ** far_off
        return cls(gain, contrast, blur, noise, (across, down))


def planes(table: CropTable, picks: Sequence[Pick]) -> Singles:
    """Returns (n, 7, HEIGHT, WIDTH): what the network is given of places, unchanged
    (`vision.reading.sight`)."""
    frames, places = np.array(picks, np.intp).reshape(-1, 2).T
    colours, empty = _cut(table.colours[frames, places], FULL), _cut(table.empty[places], FULL)
    return _stacked(np.concatenate((colours, empty, _cut(table.doubt[places][..., None], 255)), axis=3))


def samples(tables: Sequence[CropTable], each: int = 2) -> Singles:
    """Returns the planes of some places of each table; the same ones each time."""
    rng = np.random.default_rng(0)
    return np.concatenate(
        [
            planes(t, [Pick(*(int(rng.integers(n)) for n in t.looks.shape)) for _ in range(each)])
            for t in tables
        ]
    )


def augmented(episode: Episode, pool: Sequence[CropTable], rng: Rng) -> tuple[Singles, Singles, list[Look]]:
    """Returns the planes of an episode's examples and of its questions, and the truths of these, of which
    some are now COVERED or UNKNOWN: something was laid over them, perhaps seen on a table of the pool."""
    change = CropChange.drawn(rng)
    covers = [truth != COVERED and rng.random() < OCCLUDED for truth in episode.truths]
    shown, _ = _changed(episode.table, episode.examples, [False] * len(episode.examples), change, pool, rng)
    asked, marks = _changed(episode.table, episode.questions, covers, change, pool, rng)
    return shown, asked, [mark or truth for mark, truth in zip(marks, episode.truths, strict=True)]


def _changed(
    table: CropTable,
    picks: Sequence[Pick],
    covers: Sequence[bool],
    change: CropChange,
    pool: Sequence[CropTable],
    rng: Rng,
) -> tuple[Singles, list[str]]:
    """Returns the planes of places, and what `occluded` says of those that are to be covered; '' for
    others."""
    exposures = {frame: Exposure.drawn(rng) for frame in sorted({pick.frame for pick in picks})}
    out, marks = np.empty((len(picks), HEIGHT, WIDTH, 7), np.float32), []
    for crop, pick, cover in zip(out, picks, covers, strict=True):
        crop[:] = _crop(table, pick, exposures[pick.frame], change, rng)
        if table.looks[pick.frame, pick.place] == EMPTY and rng.random() < PRINTED:
            crop[:] = printed(crop, rng)
        colours, mark = _lit(crop[..., :3], exposures[pick.frame], rng), ""
        if cover:
            colours, mark = occluded(colours, pool, rng)
        if noise := exposures[pick.frame].noise:
            colours = colours + noise * rng.standard_normal(colours.shape, np.float32)
        crop[..., :3] = np.minimum(colours, BRIGHTEST)
        marks.append(mark)
    return _stacked(out), marks


def _crop(table: CropTable, pick: Pick, exposure: Exposure, change: CropChange, rng: Rng) -> Singles:
    """Returns (HEIGHT, WIDTH, 7): a place with the colours of its episode, shifted and blurred."""
    across, down = rng.integers(-change.shift, change.shift + 1, 2).tolist()
    moved = np.add((across, down), exposure.moved)
    shift = np.clip(moved, -MARGIN, MARGIN).tolist()
    colours = _cut(table.colours[pick.frame, pick.place], FULL, *shift)
    empty = _cut(table.empty[pick.place], FULL, across, down)
    doubt = _cut(table.doubt[pick.place][..., None], 255, across, down)
    if change.blind:
        empty, doubt = np.where(doubt > 0, 0, empty), np.asarray(doubt > 0, np.float32)
    if exposure.blur:
        colours = np.asarray(cv2.GaussianBlur(colours, (0, 0), exposure.blur), np.float32)
    whole = np.concatenate((change.of(colours), change.of(empty), doubt), axis=2)
    return whole[:, ::-1] if change.mirror else whole


def printed(crop: Singles, rng: Rng) -> Singles:
    """Returns a crop (HEIGHT, WIDTH, 7) of an empty place with something printed on it: a ring, a letter,
    lines, a patch. Of some prints the reference knows; others lie where it is guessed."""
    mask = _print(rng)
    strength = rng.uniform(0.4, 1) * cv2.GaussianBlur(mask, (0, 0), 0.6)[..., None]
    ink = rng.uniform(0.03, 1.0, 3) if rng.random() < 0.5 else np.full(3, rng.choice([0.06, 0.15, 0.9]))
    out = crop.copy()
    out[..., :3] += strength * (ink - out[..., :3])
    if rng.random() < 0.5:
        out[..., 3:6] += strength * (ink - out[..., 3:6])
    else:
        out[..., 6] = np.maximum(out[..., 6], GUESSED)
    return out


def _print(rng: Rng) -> Singles:
    """Returns (HEIGHT, WIDTH): something drawn around the foot of a place, 0…1."""
    mask = np.zeros((HEIGHT, WIDTH), np.uint8)
    x, y = (int(rng.normal(at, 4)) for at in FOOT)
    size, flat = int(rng.integers(4, 11)), rng.uniform(0.45, 1)
    kind = rng.choice(["ring", "letter", "lines", "patch"])
    if kind == "ring":
        axes, width = (size, max(2, int(size * flat))), int(rng.choice([1, 2, -1]))
        cv2.ellipse(mask, (x, y), axes, 0, 0, 360, 255, width)
    elif kind == "letter":
        letter, at = chr(int(rng.integers(65, 91))), (x - size // 2, y + size // 2)
        cv2.putText(mask, letter, at, cv2.FONT_HERSHEY_SIMPLEX, size / 16, 255, int(rng.integers(1, 3)))
    else:
        points = (np.array([x, y]) + rng.integers(-size, size + 1, (4, 2)) * [1, flat]).astype(np.int32)
        if kind == "patch":
            cv2.fillConvexPoly(mask, cv2.convexHull(points), 255)
        else:
            cv2.polylines(mask, [points], False, 255, int(rng.integers(1, 3)))
    return np.asarray(mask.astype(np.float32) / 255, np.float32)


def _lit(colours: Singles, exposure: Exposure, rng: Rng) -> Singles:
    """Returns colours in the light of their frame, sometimes uneven, sometimes behind the edge of a
    shadow."""
    colours = colours**exposure.contrast * (exposure.gain * np.float32(np.exp(rng.normal(0, LOCAL))))
    if rng.random() < 0.4:
        y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
        across, down = rng.normal(0, 0.12, 2)
        slope = across * (x - WIDTH / 2) / (WIDTH / 2) + down * (y - HEIGHT / 2) / (HEIGHT / 2)
        colours = colours * np.exp(slope)[..., None]
    if rng.random() < 0.15:
        _, apart = arm((HEIGHT, WIDTH), rng)
        edge = 0.5 - 0.5 * np.tanh(apart / (2 * rng.uniform(0.5, 6)))
        colours = colours * (1 - rng.uniform(0.1, 0.5) * edge[..., None])
    return np.asarray(colours, np.float32)


def arm(shape: tuple[int, int], rng: Rng) -> tuple[Mask, Singles]:
    """Returns where something that comes in from outside lies, and how far each pixel is from its middle or
    edge."""
    height, width = shape
    y, x = np.mgrid[0:height, 0:width]
    angle = rng.uniform(0, 2 * np.pi)
    along, across = np.cos(angle), np.sin(angle)
    middle = rng.uniform(0.1, 0.9) * width, rng.uniform(0.1, 0.9) * height
    waves = np.sin((x * across - y * along) / rng.uniform(4, 14) + rng.uniform(0, 6))
    apart = ((x - middle[0]) * along + (y - middle[1]) * across + 2.5 * waves).astype(np.float32)
    mask = apart < 0 if rng.random() < 0.5 else np.abs(apart) < rng.uniform(5, 26)
    return mask, apart


def occluded(colours: Singles, pool: Sequence[CropTable], rng: Rng) -> tuple[Singles, str]:
    """Returns colours with an arm, a sleeve or a piece of another table over them, and how far that hides the
    place."""
    mask, apart = arm((HEIGHT, WIDTH), rng)
    over = _sleeve(apart, rng) if rng.random() < 0.6 else _strange(pool, rng)
    soft = cv2.GaussianBlur(mask.astype(np.float32), (0, 0), rng.uniform(0.4, 1.2))[..., None]
    out = colours * (1 - soft) + over * soft
    if rng.random() < 0.4:
        shadow = np.roll(soft, int(rng.integers(-8, 8)), axis=1)
        out = np.where(soft > 0.5, out, out * (1 - 0.35 * shadow))
    return out.astype(np.float32), hidden(mask)


def hidden(mask: Mask) -> str:
    """Returns COVERED where a mask (HEIGHT, WIDTH) hides a place, UNKNOWN where it hides a part, else ''."""
    if mask[MIDDLE].mean() > MOSTLY:
        return COVERED
    return UNKNOWN if mask[AROUND].mean() >= HARDLY else ""


def _sleeve(apart: Singles, rng: Rng) -> Singles:
    """Returns a rounded thing of one colour with some grain."""
    colour = SLEEVES[rng.integers(len(SLEEVES))] + rng.normal(0, 0.07, 3)
    round_ = 1 + 0.012 * apart[..., None] * rng.normal()
    grain = rng.normal(0, 0.016, (*apart.shape, 1))
    return np.asarray(np.clip(colour * round_ + grain, 0, 1) * rng.uniform(0.5, 1.1), np.float32)


def _strange(pool: Sequence[CropTable], rng: Rng) -> Singles:
    """Returns any crop of any table, displaced."""
    table = pool[int(rng.integers(len(pool)))]
    frame, place = int(rng.integers(len(table.looks))), int(rng.integers(len(table.points)))
    turned = _cut(table.colours[frame, place], FULL)[:: int(rng.choice([1, -1]))]
    return np.roll(turned, int(rng.integers(0, 40)), axis=1)


def _cut(crops: Image, full: float, across: int = 0, down: int = 0) -> Singles:
    """Returns crops (…, height, width, channels) of bytes that count `full` for 1, shifted, without their
    MARGIN."""
    left, top = MARGIN + across, MARGIN + down
    return crops[..., top : top + HEIGHT, left : left + WIDTH, :].astype(np.float32) / np.float32(full)


def _stacked(crops: Singles) -> Singles:
    return np.ascontiguousarray(crops.transpose(0, 3, 1, 2), dtype=np.float32)
