"""Trains the network of places: episodes of tables taken by chance, and steps that lower their loss."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from itertools import count
from math import cos, pi
from multiprocessing import get_context
from time import monotonic
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from companion.core.game import Look
from vision.training.places.augment import augmented
from vision.training.places.episodes import Episode, episode
from vision.training.places.network import Class, PlaceNetwork, Tensor, classes_of
from vision.training.places.tables import COVERED, UNKNOWN, CropTable

Rng = np.random.Generator
Halves = npt.NDArray[np.float16]

BRIEF = torch.ops.mkldnn._is_mkldnn_bf16_supported()
"""Whether convolutions count in bfloat16: three times as fast on a processor that has it."""
RATE = 2e-3
"""The highest rate of learning."""
RATE_AGAIN = 1e-3
"""The same for weights that were trained before."""
WARM_UP = 60
"""Steps in which the rate rises."""
DECAY = 1e-3
STEEPEST = 2.0
"""The longest gradient that is followed as it is."""
SMOOTHING = 0.005
"""Labels that may be wrong."""
EPISODES = 6
"""Episodes of a step."""
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

    sources: Sequence[Sequence[CropTable]]
    shares: Sequence[float]

    @classmethod
    def of(cls, tables: Sequence[CropTable]) -> TableChoice:
        by_source: dict[str, list[CropTable]] = {}
        for table in tables:
            by_source.setdefault(table.source, []).append(table)
        weights = np.array([len(some) ** 0.5 * weight(source) for source, some in by_source.items()])
        return cls([*by_source.values()], (weights / weights.sum()).tolist())

    def take(self, rng: Rng) -> Episode:
        """Returns an episode of some table."""
        while True:
            some = self.sources[int(rng.choice(len(self.sources), p=self.shares))]
            if found := episode(some[int(rng.integers(len(some)))], rng):
                return found


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
) -> Iterator[PlacesProgress]:
    """Trains a network until all is `done`; after each report it can be used as it is. The same seed and
    steps give the same network, however many `workers` draw the episodes."""
    net.to(memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=DECAY)
    results: deque[tuple[float, float]] = deque(maxlen=REPORT)
    net.train()
    with closing(_batches(tables, seed, workers)) as batches:
        for step, batch in enumerate(batches):
            part = done(step)
            if part >= 1 or (step and step % REPORT == 0):
                yield PlacesProgress(step, part, *np.mean(results or [(0.0, 0.0)], axis=0).tolist())
            if part >= 1:
                return
            for group in optimizer.param_groups:
                group["lr"] = rate * min(1, (step + 1) / WARM_UP) * (0.5 * (1 + cos(pi * part)) + 0.01)
            loss, right = loss_of(net, batch)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), STEEPEST)
            optimizer.step()
            results.append((loss.item(), right))


class Drawn(NamedTuple):
    """An episode and its planes, augmented: those of its examples, and of its questions with their truths."""

    names: Sequence[Look]
    withheld: Sequence[Look]
    examples: Halves
    questions: Halves
    truths: Sequence[Look]


@dataclass(frozen=True, eq=False)
class Draw:
    """Draws the episodes of any step, each step's from a seed of its own."""

    tables: Sequence[CropTable]
    choice: TableChoice
    seed: int

    def batch(self, step: int) -> list[Drawn]:
        rng = np.random.default_rng((self.seed, step))
        return [self._drawn(self.choice.take(rng), rng) for _ in range(EPISODES)]

    def _drawn(self, taken: Episode, rng: Rng) -> Drawn:
        shown, asked, truths = augmented(taken, self.tables, rng)
        return Drawn(taken.names, taken.withheld, shown.astype(np.float16), asked.astype(np.float16), truths)


_draw: Draw
"""The source of a worker's batches: it was there before the worker was forked, so that no table is copied."""


def _batches(tables: Sequence[CropTable], seed: int, workers: int) -> Generator[list[Drawn]]:
    """Yields the batches of all steps, some drawn ahead by other processes."""
    global _draw
    _draw = Draw(tables, TableChoice.of(tables), seed)
    if not workers:
        yield from map(_draw.batch, count())
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


def _batch(step: int) -> list[Drawn]:
    return _draw.batch(step)


def loss_of(net: PlaceNetwork, batch: Sequence[Drawn]) -> tuple[Tensor, float]:
    """Returns the mean loss of episodes and the share of their questions answered rightly."""
    planes = [half for drawn in batch for half in (drawn.examples, drawn.questions)]
    kind = torch.bfloat16 if BRIEF else torch.float32
    whole = torch.from_numpy(np.concatenate(planes)).to(kind, memory_format=torch.channels_last)
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=BRIEF):
        seen = net(whole)
    parts = list(
        zip(*(torch.split(values.float(), [len(half) for half in planes]) for values in seen), strict=True)
    )
    losses, rights = [], []
    for n, drawn in enumerate(batch):
        (examples, _, _), questions = parts[2 * n], parts[2 * n + 1]
        classes = classes_of(examples, drawn.names, drawn.withheld)
        known = [i for i, truth in enumerate(drawn.truths) if truth != UNKNOWN]
        if not known:
            continue
        scores = net.logits(questions, classes)[known]
        wanted = torch.tensor([_column(drawn.truths[i], classes) for i in known])
        losses.append(nn.functional.cross_entropy(scores, wanted, label_smoothing=SMOOTHING))
        rights.append((scores.argmax(1) == wanted).float().mean().item())
    return torch.stack(losses).mean(), float(np.mean(rights))


def _column(truth: Look, classes: Sequence[Class]) -> int:
    """Returns where in the logits a truth stands."""
    names = [look.name for look in classes]
    if truth == COVERED:
        return len(names) + 1
    return names.index(truth) if truth in names else len(names)
