"""Augments the crops of a batch: shows the same places as other cameras, lamps, hands and calibrations would
have shown them.

All crops are changed at once, on a graphics card where there is one.
"""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import torch
from torch.nn import functional

from vision.arrays import Singles
from vision.reading.crops import FOOT, HEIGHT, WIDTH
from vision.reading.sight import BRIGHTEST, GUESSED
from vision.training.places.batches import CropRows, PixelStore
from vision.training.places.network import DEVICE, Tensor
from vision.training.places.tables import FULL, MARGIN

Rng = np.random.Generator

PRINTED = 0.16
"""The share of empty places that have something printed on them."""
PRINTS = 4000
"""Different prints."""
BLIND = 0.6
"""The share of episodes in which nothing is guessed of the empty board."""
OCCLUDED = 0.1
"""The share of the places asked about that something is laid over."""
MISLIT, FAR_OFF = 0.2, 2.5
"""The share of frames whose light is fitted badly, and so many times worse their light and contrast are."""
LOCAL = 0.04
"""Log by which the light of a single place is misjudged."""
WARPED, TURN, ZOOM = 0.5, 0.05, 0.07
"""The share of episodes whose crops are turned (radians) and scaled (log), and by how much; normal."""
MIDDLE, AROUND = np.s_[:, 14:46, 12:36], np.s_[:, 8:50, 6:42]
"""The parts of a crop in which a piece is, and in which what is beside it matters too."""
MOSTLY, HARDLY = 0.6, 0.08
"""The share of them from which a place is covered, and below which it is not hidden."""
INNER = np.s_[:, MARGIN : MARGIN + HEIGHT, MARGIN : MARGIN + WIDTH]
"""A crop without its MARGIN."""
SLEEVES = (
    (105, 145, 200),
    (80, 110, 160),
    (150, 185, 225),
    (50, 70, 105),
    (60, 60, 60),
    (215, 215, 215),
    (120, 80, 50),
    (60, 60, 140),
)
"""Blue, green and red of skins, sleeves and gloves; of 255."""


class Chance:
    """Numbers by chance, as tensors on the DEVICE."""

    def __init__(self, seed: int) -> None:
        self._generator = torch.Generator(DEVICE).manual_seed(seed)

    def uniform(self, low: float, high: float, *shape: int) -> Tensor:
        return low + (high - low) * torch.rand(*shape, device=DEVICE, generator=self._generator)

    def normal(self, spread: float, *shape: int) -> Tensor:
        return spread * torch.randn(*shape, device=DEVICE, generator=self._generator)

    def below(self, limit: int, *shape: int) -> Tensor:
        return torch.randint(limit, shape, device=DEVICE, generator=self._generator)

    def happens(self, share: float, *shape: int) -> Tensor:
        return self.uniform(0, 1, *shape) < share

    def one_of(self, values: tuple[float, ...], *shape: int) -> Tensor:
        return torch.tensor(values, device=DEVICE)[self.below(len(values), *shape)]


class Pixels:
    """The store's crops on the DEVICE, and how they are changed."""

    def __init__(self, store: PixelStore, seed: int) -> None:
        self._colours, self._empty, self._doubt, self._prints = (
            torch.from_numpy(part).to(DEVICE) for part in (store.colours, store.empty, store.doubt, _prints())
        )
        y, x = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)
        self._x, self._y = (torch.from_numpy(values).to(DEVICE) for values in (x, y))
        self._chance = Chance(seed)

    def planes(self, crops: CropRows) -> tuple[Tensor, Tensor, Tensor]:
        """Returns (n, 7, HEIGHT, WIDTH) of crops, changed by chance; and which are now covered, and which of
        them nobody can tell any more (n)."""
        to = {name: torch.from_numpy(values).to(DEVICE) for name, values in vars(crops).items()}
        episode, frame = to["episode"], to["frame"]
        n, chance = len(episode), self._chance
        episodes, frames = int(crops.episode.max()) + 1, int(crops.frame.max()) + 1

        # As the table's camera and board are in this episode.
        shift = chance.one_of((0.0, 1.0, 3.0, 5.0), episodes)[episode, None] * chance.uniform(-1, 1, n, 2)
        far = chance.one_of((0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4), frames)
        moved = (far[:, None] * chance.uniform(-1, 1, frames, 2))[frame]
        warped = chance.happens(WARPED, episodes)
        turn = (warped * chance.normal(TURN, episodes))[episode]
        zoom = torch.exp(warped * chance.normal(ZOOM, episodes))[episode]
        mirror = chance.happens(0.5, episodes)[episode]
        seen = self._sampled(
            self._colours[to["colours"]], (shift + moved).clamp(-MARGIN, MARGIN), turn, zoom, mirror
        )
        board = torch.cat((self._empty[to["empty"]], self._doubt[to["empty"], ..., None]), 3)
        board = self._sampled(board, shift, turn, zoom, mirror)
        colours, empty, doubt = seen / FULL, board[:, :3] / FULL, board[:, 3:] / 255
        blind = chance.happens(BLIND, episodes)[episode, None, None, None] & (doubt > 0)
        empty, doubt = torch.where(blind, 0, empty), torch.where(blind, 1.0, doubt)
        blurred = chance.happens(0.2, frames)[frame].nonzero()[:, 0]
        colours[blurred] = _blurred(colours[blurred], chance.uniform(0.4, 1.2, frames)[frame][blurred])
        colours, empty = self._tinted(colours, empty, episode)

        # As they are printed, lit and hidden in this frame.
        self._add_prints(colours, empty, doubt, to["is_empty"])
        far_off = torch.where(chance.happens(MISLIT, frames), FAR_OFF, 1.0)
        gain = torch.exp(far_off[:, None] * (chance.normal(0.07, frames, 1) + chance.normal(0.03, frames, 3)))
        contrast = chance.uniform(0.88, 1.14, frames) ** far_off
        colours = colours.clamp(1e-4) ** contrast[frame, None, None, None] * gain[frame, :, None, None]
        colours = self._lit(colours)
        colours, covered, unknown = self._occluded(colours, to["is_asked"])
        noise = chance.one_of((0.0, 0.01, 0.02, 0.035), frames)[frame, None, None, None]
        colours = (colours + noise * chance.normal(1, *colours.shape)).clamp(max=BRIGHTEST)
        return torch.cat((colours, empty, doubt), 1), covered, unknown

    def plain(self, crops: CropRows) -> Tensor:
        """Returns (n, 7, HEIGHT, WIDTH) of crops as they are."""
        colours, empty = (torch.from_numpy(rows).to(DEVICE) for rows in (crops.colours, crops.empty))
        full = torch.tensor([FULL] * 6 + [255], device=DEVICE)
        whole = torch.cat((self._colours[colours], self._board(empty)), 3)
        return (whole[INNER] / full).permute(0, 3, 1, 2).contiguous()

    def _board(self, rows: Tensor) -> Tensor:
        """Returns the crops of empty places and of their doubt (n, height, width, 4)."""
        return torch.cat((self._empty[rows], self._doubt[rows, ..., None]), 3)

    def _sampled(self, crops: Tensor, shift: Tensor, turn: Tensor, zoom: Tensor, mirror: Tensor) -> Tensor:
        """Returns (n, channels, HEIGHT, WIDTH) of crops (n, height, width, channels) with their MARGIN,
        shifted by pixels (n, 2), turned and zoomed about the foot, and mirrored."""
        height, width = crops.shape[1:3]
        x = torch.where(mirror[:, None, None], WIDTH - 1 - self._x, self._x) - FOOT[0]
        y = self._y - FOOT[1]
        along, across = (zoom * torch.cos(turn))[:, None, None], (zoom * torch.sin(turn))[:, None, None]
        u = along * x - across * y + FOOT[0] + MARGIN + shift[:, 0, None, None]
        v = across * x + along * y + FOOT[1] + MARGIN + shift[:, 1, None, None]
        grid = torch.stack(((2 * u + 1) / width - 1, (2 * v + 1) / height - 1), 3)
        pixels = crops.permute(0, 3, 1, 2).float()
        return functional.grid_sample(pixels, grid, padding_mode="border", align_corners=False)

    def _tinted(self, colours: Tensor, empty: Tensor, episode: Tensor) -> tuple[Tensor, Tensor]:
        """Mixes the colours of half of the episodes, and bends those of half by an exponent."""
        chance, episodes = self._chance, int(episode.max()) + 1
        eye = torch.eye(3, device=DEVICE)
        near = eye + chance.normal(0.12, episodes, 3, 3)
        near = near / near.sum(1, keepdim=True)
        order = chance.uniform(0, 1, episodes, 3).argsort(1)
        mix = torch.gather(near, 2, order[:, None].expand(-1, 3, -1))
        mix = torch.where(chance.happens(0.5, episodes)[:, None, None], mix, eye)
        gamma = torch.where(chance.happens(0.5, episodes), chance.uniform(0.8, 1.25, episodes), 1.0)
        bend = gamma[episode, None, None, None]
        mixed = (torch.einsum("nchw,ncd->ndhw", part, mix[episode]) for part in (colours, empty))
        colours, empty = (part.clamp(1e-4, BRIGHTEST) ** bend for part in mixed)
        return colours, empty

    def _add_prints(self, colours: Tensor, empty: Tensor, doubt: Tensor, is_empty: Tensor) -> None:
        """Prints a ring, a letter, lines or a patch on some empty places. Of some prints the reference knows;
        others lie where it is guessed."""
        chance = self._chance
        rows = (is_empty & chance.happens(PRINTED, len(is_empty))).nonzero()[:, 0]
        some = len(rows)
        mask = self._prints[chance.below(PRINTS, some)][:, None]
        strength = chance.uniform(0.4, 1, some, 1, 1, 1) * mask
        plain = chance.one_of((0.06, 0.15, 0.9), some, 1).expand(-1, 3)
        ink = torch.where(chance.happens(0.5, some, 1), chance.uniform(0.03, 1, some, 3), plain)[
            ..., None, None
        ]
        colours[rows] = torch.lerp(colours[rows], ink.expand_as(colours[rows]), strength)
        known = chance.happens(0.5, some)
        here, there = rows[known], rows[~known]
        empty[here] = torch.lerp(empty[here], ink[known].expand_as(empty[here]), strength[known])
        doubt[there] = doubt[there].clamp(min=GUESSED)

    def _lit(self, colours: Tensor) -> Tensor:
        """Returns colours in light that is sometimes uneven, sometimes behind the edge of a shadow."""
        n, chance = len(colours), self._chance
        slope = chance.normal(0.12, 2, n) * chance.happens(0.4, n)
        across = (self._x - WIDTH / 2) / (WIDTH / 2)
        down = (self._y - HEIGHT / 2) / (HEIGHT / 2)
        light = torch.exp(
            chance.normal(LOCAL, n)[:, None, None]
            + slope[0, :, None, None] * across
            + slope[1, :, None, None] * down
        )
        shaded = chance.happens(0.15, n).nonzero()[:, 0]
        _, apart = self._arm(len(shaded))
        edge = 0.5 - 0.5 * torch.tanh(apart / (2 * chance.uniform(0.5, 6, len(shaded), 1, 1)))
        light[shaded] *= 1 - chance.uniform(0.1, 0.5, len(shaded), 1, 1) * edge
        return colours * light[:, None]

    def _arm(self, n: int) -> tuple[Tensor, Tensor]:
        """Returns where n things that come in from outside lie (n, HEIGHT, WIDTH), and how far each pixel is
        from their middles or edges."""
        chance = self._chance
        angle = chance.uniform(0, 2 * np.pi, n, 1, 1)
        along, across = torch.cos(angle), torch.sin(angle)
        x = self._x - WIDTH * chance.uniform(0.1, 0.9, n, 1, 1)
        y = self._y - HEIGHT * chance.uniform(0.1, 0.9, n, 1, 1)
        phase = (self._x * across - self._y * along) / chance.uniform(4, 14, n, 1, 1)
        apart = x * along + y * across + 2.5 * torch.sin(phase + chance.uniform(0, 6, n, 1, 1))
        band = apart.abs() < chance.uniform(5, 26, n, 1, 1)
        return torch.where(chance.happens(0.5, n, 1, 1), apart < 0, band), apart

    def _occluded(self, colours: Tensor, is_asked: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Lays an arm, a sleeve or a crop of another table over some places that are asked about. Returns the
        colours, and which places are covered and which nobody can tell (n)."""
        n, chance = len(colours), self._chance
        rows = (is_asked & chance.happens(OCCLUDED, n)).nonzero()[:, 0]
        some = len(rows)
        mask, apart = self._arm(some)
        over = torch.where(chance.happens(0.6, some, 1, 1, 1), self._sleeves(apart), self._strange(some))
        soft = _blurred(mask[:, None].float(), chance.uniform(0.4, 1.2, some))
        out = torch.lerp(colours[rows], over, soft.expand_as(over))
        aside = self._rolled(soft, chance.below(16, some) - 8)
        casts = chance.happens(0.4, some, 1, 1, 1) & (soft <= 0.5)
        colours[rows] = torch.where(casts, out * (1 - 0.35 * aside), out)
        covered, unknown = torch.zeros(2, n, dtype=torch.bool, device=DEVICE)
        covered[rows], unknown[rows] = hidden(mask)
        return colours, covered, unknown

    def _sleeves(self, apart: Tensor) -> Tensor:
        """Returns rounded things of one colour with some grain (n, 3, HEIGHT, WIDTH)."""
        n, chance = len(apart), self._chance
        skins = torch.tensor(SLEEVES, device=DEVICE) / 255
        colour = skins[chance.below(len(SLEEVES), n)] + chance.normal(0.07, n, 3)
        round_ = 1 + 0.012 * apart[:, None] * chance.normal(1, n, 1, 1, 1)
        grain = chance.normal(0.016, n, 1, HEIGHT, WIDTH)
        return (colour[..., None, None] * round_ + grain).clamp(0, 1) * chance.uniform(0.5, 1.1, n, 1, 1, 1)

    def _strange(self, n: int) -> Tensor:
        """Returns any crops of any table, displaced and perhaps upside down (n, 3, HEIGHT, WIDTH)."""
        chance = self._chance
        crops = self._colours[chance.below(len(self._colours), n)]
        inner = crops[INNER].permute(0, 3, 1, 2) / FULL
        turned = torch.where(chance.happens(0.5, n, 1, 1, 1), inner.flip(2), inner)
        return self._rolled(turned, chance.below(40, n))

    def _rolled(self, pictures: Tensor, by: Tensor) -> Tensor:
        """Returns pictures (n, channels, HEIGHT, WIDTH) rolled sideways by pixels (n)."""
        columns = (torch.arange(WIDTH, device=DEVICE) - by[:, None]) % WIDTH
        return torch.gather(pictures, 3, columns[:, None, None].expand_as(pictures))


def hidden(mask: Tensor) -> tuple[Tensor, Tensor]:
    """Returns which places (n) masks (n, HEIGHT, WIDTH) hide, and of which they hide a part."""
    covered = mask[MIDDLE].float().mean((1, 2)) > MOSTLY
    return covered, (mask[AROUND].float().mean((1, 2)) >= HARDLY) & ~covered


def _blurred(pictures: Tensor, spread: Tensor) -> Tensor:
    """Returns pictures (n, channels, height, width) blurred, each by a spread of its own (n); pixels."""
    reach = 3
    at = torch.arange(-reach, reach + 1, device=pictures.device)
    weights = torch.exp(-0.5 * (at / spread[:, None]) ** 2)
    weights = (weights / weights.sum(1, keepdim=True))[:, :, None, None, None]
    height, width = pictures.shape[2:]
    wide = functional.pad(pictures, (reach, reach, 0, 0), mode="replicate")
    across = sum(weights[:, i] * wide[..., i : i + width] for i in range(2 * reach + 1))
    tall = functional.pad(across, (0, 0, reach, reach), mode="replicate")
    return sum(weights[:, i] * tall[..., i : i + height, :] for i in range(2 * reach + 1))


@cache
def _prints() -> Singles:
    """Returns (PRINTS, HEIGHT, WIDTH): things that may be printed on a place."""
    rng = np.random.default_rng(0)
    return np.stack([_print(rng) for _ in range(PRINTS)])


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
    soft = cv2.GaussianBlur(mask.astype(np.float32) / 255, (0, 0), 0.6)
    return np.asarray(soft, np.float32)
