"""The network of places as it is trained, in PyTorch: from planes to vectors, and from vectors to
likelihoods."""

from __future__ import annotations

from typing import Any, TypeAlias

import torch
from torch import nn

from vision.reading.crops import HEIGHT, WIDTH
from vision.reading.network import VECTOR
from vision.training.places.batches import NOTHING, Batch

Tensor: TypeAlias = Any
"""A torch.Tensor: torch is not there where types are checked."""
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
PLANES = 7
FILTERS, HIDDEN = 32, 128
NATS = 8.0
"""The first factor of mean squares of distances."""
NEVER = -1e9
"""A logit of what cannot be."""
NEW_SCALE = 4.0
"""The factor by which the bias of what is new is learned faster than the rest."""


class PlaceNetwork(nn.Module):
    """The network: from planes (n, 7, HEIGHT, WIDTH) to vectors (n, VECTOR) and two numbers (n): how much
    likelier than an empty place each is to hold a piece, and to be covered; nats."""

    def __init__(self) -> None:
        super().__init__()
        sides = _eighth(HEIGHT), _eighth(WIDTH)
        self.body = nn.Sequential(
            _block(PLANES, 32, 2),
            _block(32, 48, 2),
            Residual(48),
            _block(48, 80, 2),
            Residual(80),
            nn.Conv2d(80, FILTERS, 1),
            nn.ReLU(),
            nn.Flatten(),
        )
        self.fc = nn.Linear(FILTERS * sides[0] * sides[1], HIDDEN)
        self.out = nn.Linear(HIDDEN, VECTOR + 2)
        self.tau = nn.Parameter(torch.tensor(0.0))
        """Log of the scale of squared distances."""
        self.b = nn.Parameter(torch.tensor([-2.0, -3.0, -1.0]))
        """Biases: of what is new, covered, and composed."""

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        features = self.body(planes)
        with torch.autocast(DEVICE, enabled=False):  # distances are differences: they need all digits
            out = self.out(torch.relu(self.fc(features.float())))
        return out[:, :VECTOR], out[:, VECTOR], out[:, VECTOR + 1]

    @property
    def scale(self) -> Tensor:
        """The factor that makes nats of squared distances."""
        return NATS * torch.exp(self.tau) / VECTOR

    @property
    def new_bias(self) -> Tensor:
        return NEW_SCALE * self.b[0]

    @property
    def covered_bias(self) -> Tensor:
        return self.b[1]

    @property
    def composed_bias(self) -> Tensor:
        return self.b[2]

    def logits(self, seen: tuple[Tensor, Tensor, Tensor], batch: Batch) -> Tensor:
        """Returns (e, q, classes + 2): log-likelihoods of each class, of something new, and of being covered,
        of a batch's questions. `seen` is what the network makes of its crops."""
        classes, recipes, counts, shown, asked = (
            torch.from_numpy(values).to(DEVICE)
            for values in (batch.classes, batch.recipes, batch.counts, batch.shown, batch.asked)
        )
        vectors, piece, covered = (values.float()[asked] for values in seen)
        examples = seen[0].float()[shown]
        made = counts[:, None] + torch.arange(recipes.shape[1], device=DEVICE)
        is_made = recipes.abs().sum(2) > 0
        every = torch.cat((classes, torch.where(is_made, made, NOTHING)), 1)
        known = torch.cat((examples, recipes @ examples), 1)
        columns = torch.arange(int(every.max()) + 1, device=DEVICE)
        member = every[..., None] == columns
        squares = (vectors**2).sum(2)[:, :, None] + (known**2).sum(2)[:, None]
        near = -self.scale * (squares - 2 * vectors @ known.transpose(1, 2)).clamp(min=0)
        far = torch.where(member, 0.0, NEVER)[:, None]
        score = torch.logsumexp(near[..., None] + far, 2)
        score = score - member.sum(1).clamp(min=1).log()[:, None]
        score = score + piece[..., None] * (columns > 0)
        score = score + self.composed_bias * (columns >= counts[:, None])[:, None]
        ends = torch.stack((piece + self.new_bias, covered + self.covered_bias), 2)
        return torch.cat((score, ends), 2)


class Residual(nn.Module):
    """Two convolutions, and what went in added to what comes out."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = _block(channels, channels, 1)
        self.second = nn.Sequential(
            nn.Conv2d(channels, channels, 3, 1, 1, bias=False), nn.BatchNorm2d(channels)
        )

    def forward(self, seen: Tensor) -> Tensor:
        return torch.relu(seen + self.second(self.first(seen)))


def _block(channels: int, out: int, stride: int) -> nn.Sequential:
    """Returns a convolution, its output normalised over the batch."""
    convolution = nn.Conv2d(channels, out, 3, stride, 1, bias=False)
    return nn.Sequential(convolution, nn.BatchNorm2d(out), nn.ReLU())


def _eighth(side: int) -> int:
    """Returns a side of crops after three strides of two."""
    for _ in range(3):
        side = (side + 1) // 2
    return side
