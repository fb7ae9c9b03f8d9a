"""Paints surfaces: pictures of woods, cloths and boards, as floats (h, w, 3) of red, green and blue, 0…1."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import cv2
import numpy as np

from vision.arrays import Image, Singles

Rgb = tuple[int, int, int]

DETAIL = 56
"""Pixels of a board's picture to a square."""
LIGHT: tuple[Rgb, ...] = (
    (222, 190, 145),
    (240, 230, 205),
    (245, 245, 240),
    (200, 165, 120),
    (235, 235, 215),
    (180, 150, 115),
)
DARK: tuple[Rgb, ...] = (
    (120, 75, 45),
    (60, 110, 70),
    (30, 30, 32),
    (85, 55, 40),
    (45, 75, 130),
    (150, 100, 60),
    (120, 125, 130),
    (150, 50, 45),
    (95, 120, 60),
)
TABLES: tuple[Rgb, ...] = (
    (120, 85, 60),
    (200, 170, 130),
    (235, 235, 232),
    (90, 95, 100),
    (45, 50, 55),
    (40, 90, 60),
    (60, 70, 120),
    (160, 140, 125),
)


@dataclass(frozen=True)
class BoardArt:
    """The look of a board: `side` is its width and height in squares, with the rim."""

    picture: Singles
    side: float


def toned(colour: Rgb, spread: float, chance: Random) -> Singles:
    """Returns a colour like another, each channel up to `spread` away (0…255)."""
    return np.array([np.clip(c + chance.uniform(-spread, spread), 3, 252) / 255 for c in colour], np.float32)


def noise(height: int, width: int, coarse: tuple[int, int], rng: np.random.Generator) -> Singles:
    """Returns smooth noise of deviation about 1 with so many bumps down and across."""
    small = rng.standard_normal((max(2, coarse[0]), max(2, coarse[1]))).astype(np.float32)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC), np.float32)


def grained(colour: Singles, height: int, width: int, strength: float, rng: np.random.Generator) -> Singles:
    """Paints wood: streaks along the width, some broad, some fine."""
    streaks = noise(height, width, (height // 3, 4), rng) + noise(height, width, (height // 14, 3), rng)
    rings = np.sin(noise(height, width, (7, 3), rng) * rng.uniform(4, 14))
    shade = 1 + strength * (0.06 * streaks + 0.07 * rings)
    return np.asarray(np.clip(colour * shade[..., None], 0, 1), np.float32)


def even(colour: Singles, height: int, width: int, strength: float, rng: np.random.Generator) -> Singles:
    """Paints cloth, vinyl or paint: fine grain and some unevenness."""
    fine = rng.standard_normal((height, width)).astype(np.float32)
    shade = 1 + strength * (0.03 * fine + 0.03 * noise(height, width, (6, 6), rng))
    return np.asarray(np.clip(colour * shade[..., None], 0, 1), np.float32)


def board_art(count: int, chance: Random, rng: np.random.Generator) -> BoardArt:
    """Returns a chequered board of count × count squares, of wood, vinyl or print; with lines, letters, a
    logo."""
    rim = chance.choice([0.15, 0.4, 0.6, 1.0, 1.3])
    side = count + 2 * rim
    size = round(side * DETAIL)
    wooden = chance.random() < 0.6
    surface, strength = (grained if wooden else even), chance.uniform(0.2, 1.6)
    light, dark = toned(chance.choice(LIGHT), 18, chance), toned(chance.choice(DARK), 22, chance)
    if chance.random() < 0.2:  # two tones that are hardly apart
        dark = light * chance.uniform(0.55, 0.8)
    edge = chance.choice([light, dark, dark * 0.6, toned(chance.choice(DARK), 20, chance)])
    picture = surface(edge, size, size, strength, rng)
    first = round(rim * DETAIL)
    for row in range(count):
        for column in range(count):
            colour = dark if (count - 1 - row + column) % 2 == 0 else light
            square = surface(colour * chance.uniform(0.95, 1.05), DETAIL, DETAIL, strength, rng)
            if chance.random() < 0.5:
                square = square.transpose(1, 0, 2)
            top, left = first + row * DETAIL, first + column * DETAIL
            picture[top : top + DETAIL, left : left + DETAIL] = square
    drawing = np.round(255 * picture).clip(0, 255).astype(np.uint8)  # OpenCV writes letters on bytes only
    _draw_lines(drawing, first, count, chance)
    _draw_letters(drawing, first, count, chance)
    if chance.random() < 0.35:
        _draw_logo(drawing, first, count, chance)
    return BoardArt((drawing / 255).astype(np.float32), side)


def _ink(colours: tuple[Rgb, ...], chance: Random) -> list[float]:
    return [float(255 * c) for c in toned(chance.choice(colours), 15, chance)]


def _draw_lines(drawing: Image, first: int, count: int, chance: Random) -> None:
    end = first + count * DETAIL
    ink = _ink(DARK, chance)
    if chance.random() < 0.5:
        cv2.rectangle(drawing, (first, first), (end, end), ink, chance.randint(1, 4))
    if chance.random() < 0.25:
        for n in range(count + 1):
            at = first + n * DETAIL
            cv2.line(drawing, (first, at), (end, at), ink, chance.randint(1, 2))
            cv2.line(drawing, (at, first), (at, end), ink, 1)


def _draw_letters(drawing: Image, first: int, count: int, chance: Random) -> None:
    if chance.random() < 0.3:
        return
    inside = first < 0.3 * DETAIL or chance.random() < 0.25
    scale = chance.uniform(0.35, 0.6) if inside else min(1.0, first / DETAIL) * chance.uniform(0.5, 1.0)
    ink = _ink((*DARK, (245, 240, 220)), chance)
    for n in range(count):
        low = first + (n if inside else n + 0.35) * DETAIL
        down = first + count * DETAIL - (4 if inside else -0.75 * first)
        across = first + 3 if inside else 0.3 * first
        for text, x, y in (
            (chr(97 + n), low + (0.75 * DETAIL if inside else 0), down),
            (str(count - n), across, low + (0.3 if inside else 0.35) * DETAIL),
        ):
            cv2.putText(drawing, text, (int(x), int(y)), cv2.FONT_HERSHEY_DUPLEX, scale, ink, 1, cv2.LINE_AA)


def _draw_logo(drawing: Image, first: int, count: int, chance: Random) -> None:
    """Draws something printed on a square, or over two."""
    x = first + chance.uniform(0.3, count - 0.3) * DETAIL
    y = first + chance.uniform(0.3, count - 0.3) * DETAIL
    size, ink = chance.uniform(0.15, 0.5) * DETAIL, _ink((*DARK, *LIGHT), chance)
    if chance.random() < 0.5:
        cv2.circle(drawing, (int(x), int(y)), int(size), ink, chance.choice([-1, 2, 4]), cv2.LINE_AA)
    word = "".join(chance.choice("ABCDEFGHKLMNRSTU") for _ in range(chance.randint(1, 7)))
    at = int(x - size), int(y + 0.3 * size)
    cv2.putText(
        drawing, word, at, cv2.FONT_HERSHEY_SIMPLEX, size / 30, ink, chance.randint(1, 3), cv2.LINE_AA
    )
