"""Trains the occlusion network: steps that lower its loss."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from vision.training.occlusion.network import OcclusionNetwork
from vision.training.occlusion.store import ExampleStore

BATCH = 16
RATE, STEEPEST = 3e-3, 4e-3
"""The rate of learning, and the highest that the schedule takes it to."""
DECAY = 1e-3
WHOLE = 0.3
"""The weight of the agreement of whole masks."""
SOME = 20
"""Pixels added to both sides of that agreement: small masks then matter little."""
REPORT = 100
"""Steps from report to report."""


class OcclusionProgress(NamedTuple):
    """The progress of a training, and the mean loss since the last report."""

    step: int
    loss: float


def new_net(seed: int) -> OcclusionNetwork:
    """Returns a network that has learned nothing."""
    torch.manual_seed(seed)
    return OcclusionNetwork()


def load_net(weights: Path) -> OcclusionNetwork:
    """Returns a network with weights that were kept."""
    net = OcclusionNetwork()
    net.load_state_dict(torch.load(weights))
    return net


def loss_of(logits: Tensor, wanted: Tensor, weight: Tensor) -> Tensor:
    """Cross entropy by pixels, and by how far masks as a whole agree (Dice)."""
    entropy = functional.binary_cross_entropy_with_logits(logits, wanted, weight)
    shown = torch.sigmoid(logits) * weight
    both = (shown * wanted).sum((1, 2, 3))
    dice = 1 - (2 * both + SOME) / (shown.sum((1, 2, 3)) + (wanted * weight).sum((1, 2, 3)) + SOME)
    return entropy + WHOLE * dice.mean()


def fit(net: OcclusionNetwork, store: ExampleStore, steps: int, seed: int) -> Iterator[OcclusionProgress]:
    """Trains a network; it is ready when there is no further report."""
    rng = np.random.default_rng(seed)
    best = torch.optim.AdamW(net.parameters(), RATE, weight_decay=DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(best, STEEPEST, steps)
    total = 0.0
    for step in range(1, steps + 1):
        x, wanted, weight = store.batch(rng.choice(len(store.cells), BATCH, replace=False), rng)
        with torch.autocast("cpu", torch.bfloat16):
            logits = net(x)
        loss = loss_of(logits.float(), wanted, weight)
        best.zero_grad()
        loss.backward()
        best.step()
        schedule.step()
        total += loss.item()
        if step % REPORT == 0:
            yield OcclusionProgress(step, total / REPORT)
            total = 0.0
