"""The training: episodes of tables taken by chance, and steps that lower their loss."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from math import cos, pi
from time import monotonic
from typing import NamedTuple

import numpy as np
import torch
from torch import nn

from companion.core import Look
from vision.training.places.augment import augmented
from vision.training.places.episodes import Episode, episode
from vision.training.places.network import Class, Net, Tensor, classes_of
from vision.training.places.tables import COVERED, UNKNOWN, Table

Rng = np.random.Generator

RATE = 2e-3
"""The highest rate of learning."""
WARM_UP = 60
"""Steps in which the rate rises."""
DECAY = 1e-3
STEEPEST = 2.0
"""The longest gradient that is followed as it is."""
SMOOTHING = 0.005
"""Labels that may be wrong."""
EPISODES = 5
"""Episodes of a step."""
REPORT = 100
"""Steps from report to report."""
WEIGHTS = {"photo.ensiss-draughts10": 0.6, "photo.gobonline-go": 0.4, "drawn.chess": 1.5}
RENDERED = 1.5
"""How often a source is taken, times the root of how many tables it has: less where all are of one board."""


class Report(NamedTuple):
    """After how many steps what part of the time is over; the mean loss since the last report, and the share
    of questions that were answered rightly."""

    step: int
    done: float
    loss: float
    right: float


@dataclass(frozen=True, eq=False)
class Choice:
    """Takes tables by chance: first a source, then any of its tables."""

    sources: Sequence[Sequence[Table]]
    shares: Sequence[float]

    @classmethod
    def of(cls, tables: Sequence[Table]) -> Choice:
        by_source: dict[str, list[Table]] = {}
        for table in tables:
            by_source.setdefault(table.source, []).append(table)
        weights = np.array([len(some) ** 0.5 * weight(source) for source, some in by_source.items()])
        return cls([*by_source.values()], (weights / weights.sum()).tolist())

    def take(self, rng: Rng) -> Episode:
        """An episode of some table."""
        while True:
            some = self.sources[int(rng.choice(len(self.sources), p=self.shares))]
            if found := episode(some[int(rng.integers(len(some)))], rng):
                return found


def weight(source: str) -> float:
    """How often a source is taken beside others with as many tables."""
    return WEIGHTS.get(source, RENDERED if source.startswith("rendered.") else 1.0)


def for_steps(steps: int) -> Callable[[int], float]:
    """What part of so many steps is done."""
    return lambda step: step / steps


def for_minutes(minutes: float) -> Callable[[int], float]:
    """What part of so many minutes from now is over."""
    start = monotonic()
    return lambda _: (monotonic() - start) / 60 / minutes


def new_net(seed: int) -> Net:
    torch.manual_seed(seed)
    return Net()


def fit(
    net: Net, tables: Sequence[Table], seed: int, done: Callable[[int], float], rate: float = RATE
) -> Iterator[Report]:
    """Trains a network until all is `done`; after each report it can be used as it is."""
    rng, choice = np.random.default_rng(seed), Choice.of(tables)
    optimizer = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=DECAY)
    results: deque[tuple[float, float]] = deque(maxlen=REPORT)
    net.train()
    for step in count():
        part = done(step)
        if part >= 1 or (step and step % REPORT == 0):
            yield Report(step, part, *np.mean(results or [(0.0, 0.0)], axis=0).tolist())
        if part >= 1:
            return
        for group in optimizer.param_groups:
            group["lr"] = rate * min(1, (step + 1) / WARM_UP) * (0.5 * (1 + cos(pi * part)) + 0.01)
        loss, right = loss_of(net, [choice.take(rng) for _ in range(EPISODES)], tables, rng)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), STEEPEST)
        optimizer.step()
        results.append((loss.item(), right))


def loss_of(net: Net, episodes: Sequence[Episode], pool: Sequence[Table], rng: Rng) -> tuple[Tensor, float]:
    """The mean loss of episodes, each augmented anew, and the share of their questions answered rightly."""
    drawn = [augmented(e, pool, rng) for e in episodes]
    seen = net(torch.from_numpy(np.concatenate([planes for e in drawn for planes in e[:2]])))
    sizes = [len(planes) for e in drawn for planes in e[:2]]
    parts = list(zip(*(torch.split(values, sizes) for values in seen), strict=True))
    losses, rights = [], []
    for n, (e, (_, _, truths)) in enumerate(zip(episodes, drawn, strict=True)):
        (examples, _, _), questions = parts[2 * n], parts[2 * n + 1]
        classes = classes_of(examples, e.names, e.withheld)
        known = [i for i, truth in enumerate(truths) if truth != UNKNOWN]
        if not known:
            continue
        scores = net.logits(questions, classes)[known]
        wanted = torch.tensor([_column(truths[i], classes) for i in known])
        losses.append(nn.functional.cross_entropy(scores, wanted, label_smoothing=SMOOTHING))
        rights.append((scores.argmax(1) == wanted).float().mean().item())
    return torch.stack(losses).mean(), float(np.mean(rights))


def _column(truth: Look, classes: Sequence[Class]) -> int:
    """Where in the logits a truth stands."""
    names = [look.name for look in classes]
    if truth == COVERED:
        return len(names) + 1
    return names.index(truth) if truth in names else len(names)
