"""Trains the network of places: episodes of tables taken by chance, and steps that lower their loss."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from itertools import chain, count
from math import cos, pi
from multiprocessing import get_context
from time import monotonic
from typing import NamedTuple

import cv2
import numpy as np
import torch
from torch import nn

from vision.training.places.augment import Pixels
from vision.training.places.batches import HIDDEN, NOTHING, NOVEL, Batch, PixelStore
from vision.training.places.episodes import Episode, episode
from vision.training.places.network import DEVICE, NEVER, PlaceNetwork, Tensor
from vision.training.places.tables import CropTable

Rng = np.random.Generator

BRIEF = DEVICE == "cuda" or torch.ops.mkldnn._is_mkldnn_bf16_supported()
"""Whether convolutions count in bfloat16, which is faster where it is built in."""
RATE = 3e-3
"""The highest rate of learning."""
RATE_AGAIN = 1e-3
"""The same for weights that were trained before."""
WARM_UP = 0.03
"""The share of the training in which the rate rises."""
DECAY = 1e-3
STEEPEST = 2.0
"""The longest gradient that is followed as it is."""
SMOOTHING = 0.005
"""Labels that may be wrong."""
EPISODES = 48
"""Episodes of a step: it takes a tenth of a second on a graphics card, half a minute on one core."""
AHEAD = 3
"""Batches that a worker may be ahead."""
REPORT = 100
"""Steps from report to report."""
WEIGHTS = {
    "photo.stonedetect-go": 0.5,
    "photo.goboard-go": 0.5,
    "photo.gobonline-go": 0.4,
    "photo.ensiss-draughts10": 0.6,
    "photo.chesssight-chess": 0.8,
    "photo.pedrobeemon-chess": 0.7,
    "photo.pedrohdea-chess": 0.7,
    "drawn.chess": 0.7,
    "studio.chess": 1.5,
    "studio.chess-moved": 1.2,
}
RENDERED = 1.5
"""The share in which a source is taken, times the root of how many tables it has: less where all are of one
board."""


class PlacesProgress(NamedTuple):
    """After how many steps what part of the time is over; the mean loss since the last report, and the share
    of questions that were answered rightly."""

    step: int
    done: float
    loss: float
    right: float


@dataclass(frozen=True, eq=False)
class TableChoice:
    """Takes tables by chance: first a source, then any of its tables."""

    tables: Sequence[CropTable]
    sources: Sequence[Sequence[int]]
    shares: Sequence[float]

    @classmethod
    def of(cls, tables: Sequence[CropTable]) -> TableChoice:
        by_source: dict[str, list[int]] = {}
        for number, table in enumerate(tables):
            by_source.setdefault(table.source, []).append(number)
        weights = np.array([len(some) ** 0.5 * weight(source) for source, some in by_source.items()])
        return cls(tables, [*by_source.values()], (weights / weights.sum()).tolist())

    def take(self, rng: Rng) -> tuple[int, Episode]:
        """Returns an episode of some table, and the number of that."""
        while True:
            some = self.sources[int(rng.choice(len(self.sources), p=self.shares))]
            number = some[int(rng.integers(len(some)))]
            if found := episode(self.tables[number], rng):
                return number, found


def weight(source: str) -> float:
    """Returns how often a source is taken beside others with as many tables."""
    return WEIGHTS.get(source, RENDERED if source.startswith(("rendered.", "drawn.")) else 1.0)


def for_steps(steps: int) -> Callable[[int], float]:
    """Returns a function that tells from the step which part of so many steps is done."""
    return lambda step: step / steps


def for_minutes(minutes: float) -> Callable[[int], float]:
    """Returns a function that tells which part of so many minutes from now is over."""
    start = monotonic()
    return lambda _: (monotonic() - start) / 60 / minutes


def new_net(seed: int) -> PlaceNetwork:
    """Returns a network that has learned nothing; the same one for each seed."""
    torch.manual_seed(seed)
    return PlaceNetwork()


def fit(
    net: PlaceNetwork,
    tables: Sequence[CropTable],
    seed: int,
    done: Callable[[int], float],
    rate: float = RATE,
    workers: int = 0,
    episodes: int = EPISODES,
) -> Iterator[PlacesProgress]:
    """Trains a network until all is `done`; after each report it can be used as it is. The same seed and
    steps give the same network on the same device, however many `workers` draw the episodes."""
    store = PixelStore.of(tables)
    with closing(_batches(Draw(store, TableChoice.of(tables), seed, episodes), workers)) as batches:
        first = next(batches)  # workers are forked before the device is used
        pixels = Pixels(store, seed)
        net.to(DEVICE, memory_format=torch.channels_last).train()
        optimizer = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=DECAY)
        results: list[tuple[Tensor, Tensor]] = []
        for step, batch in enumerate(chain([first], batches)):
            part = done(step)
            if part >= 1 or (step and step % REPORT == 0):
                means = torch.tensor(results or [(0.0, 0.0)]).mean(0).tolist()
                yield PlacesProgress(step, part, *means)
                results.clear()
            if part >= 1:
                return
            for group in optimizer.param_groups:
                group["lr"] = rate * (min(1, part / WARM_UP) * 0.5 * (1 + cos(pi * part)) + 0.01)
            loss, right = loss_of(net, pixels, batch)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), STEEPEST)
            optimizer.step()
            results.append((loss.detach(), right))


@dataclass(frozen=True, eq=False)
class Draw:
    """Draws the episodes of any step, each step's from a seed of its own."""

    store: PixelStore
    choice: TableChoice
    seed: int
    episodes: int

    def batch(self, step: int) -> Batch:
        rng = np.random.default_rng((self.seed, step))
        return Batch.of(self.store, [self.choice.take(rng) for _ in range(self.episodes)])


_draw: Draw
"""The source of a worker's batches: it was there before the worker was forked, so that no table is copied."""


def _batches(draw: Draw, workers: int) -> Generator[Batch]:
    """Yields the batches of all steps, some drawn ahead by other processes."""
    global _draw
    _draw = draw
    if not workers:
        yield from map(draw.batch, count())
        return
    cv2.setNumThreads(1)  # a pool of threads does not outlive a fork
    with ProcessPoolExecutor(workers, get_context("fork")) as pool:
        ahead = deque(pool.submit(_batch, step) for step in range(AHEAD * workers))
        try:
            for step in count(len(ahead)):
                ahead.append(pool.submit(_batch, step))
                yield ahead.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)


def _batch(step: int) -> Batch:
    return _draw.batch(step)


def loss_of(net: PlaceNetwork, pixels: Pixels, batch: Batch) -> tuple[Tensor, Tensor]:
    """Returns the mean loss of episodes and the share of their questions answered rightly."""
    planes, covered, unknown = pixels.planes(batch.crops)
    with torch.autocast(DEVICE, dtype=torch.bfloat16, enabled=BRIEF):
        seen = net(planes.to(memory_format=torch.channels_last))
    logits = net.logits(seen, batch)
    classes = logits.shape[2] - 2
    asked, given = (torch.from_numpy(values).to(DEVICE) for values in (batch.asked, batch.wanted))
    is_asked = (given != NOTHING) & ~unknown[asked]
    wanted = torch.where(covered[asked], HIDDEN, given)
    column = wanted.clamp(min=0)
    column = torch.where(wanted == NOVEL, classes, torch.where(wanted == HIDDEN, classes + 1, column))
    said = logits.log_softmax(2)
    possible = logits > NEVER / 2  # in some episodes of the batch there are fewer classes
    every = torch.where(possible, said, 0).sum(2) / possible.sum(2)
    losses = -torch.lerp(said.gather(2, column[..., None])[..., 0], every, SMOOTHING)
    each = (losses * is_asked).sum(1) / is_asked.sum(1).clamp(min=1)
    hits = ((logits.argmax(2) == column) & is_asked).sum() / is_asked.sum()
    return each.mean(), hits
