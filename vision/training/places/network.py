"""The network of places as it is trained, in PyTorch: from planes to vectors, and from vectors to
likelihoods."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import torch
from torch import nn

from companion.core.game import EMPTY, Look
from vision.arrays import Singles
from vision.reading.crops import HEIGHT, WIDTH
from vision.reading.network import VECTOR
from vision.training.places.episodes import composition

Tensor: TypeAlias = Any
"""A torch.Tensor: torch is not there where types are checked."""
PLANES = 7
FILTERS, HIDDEN = 32, 128
NATS = 8.0
"""The first factor of mean squares of distances."""
NEW_SCALE = 4.0
"""The factor by which the bias of what is new is learned faster than the rest."""


class Class(NamedTuple):
    """Examples (n, VECTOR) of a look, and whether they were put together from others."""

    name: Look
    vectors: Tensor
    composed: bool = False


class PlaceNetwork(nn.Module):
    """The network: from planes (n, 7, HEIGHT, WIDTH) to vectors (n, VECTOR) and two numbers (n): how much
    likelier than an empty place each is to hold a piece, and to be covered; nats."""

    def __init__(self) -> None:
        super().__init__()
        sides = _eighth(HEIGHT), _eighth(WIDTH)
        self.body = nn.Sequential(
            _block(PLANES, 24, 2),
            _block(24, 32, 2),
            _block(32, 48, 1),
            _block(48, 64, 2),
            _block(64, 64, 1),
            nn.Conv2d(64, FILTERS, 1),
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
        with torch.autocast("cpu", enabled=False):  # distances are differences: they need all digits
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

    def logits(self, seen: tuple[Tensor, Tensor, Tensor], classes: Sequence[Class]) -> Tensor:
        """Returns (n, classes + 2): log-likelihoods of each class, of something new, and of being covered."""
        vectors, piece, covered = seen
        columns = []
        for look in classes:
            near = -self.scale * torch.cdist(vectors, look.vectors) ** 2
            score = torch.logsumexp(near, 1) - np.log(len(look.vectors))
            if look.name != EMPTY:
                score = score + piece
            if look.composed:
                score = score + self.composed_bias
            columns.append(score)
        return torch.stack([*columns, piece + self.new_bias, covered + self.covered_bias], 1)


def of_file(path: Path, planes: Singles, composed: float) -> PlaceNetwork:
    """Returns a network with the weights of a file that `export` wrote, to be trained further.

    In the file batches are no longer normalised: they are made to be so again, by what the convolutions make
    of some `planes` (n, 7, HEIGHT, WIDTH). `composed` is the bias that is not in the file.
    """
    import onnx

    given = [
        torch.from_numpy(onnx.numpy_helper.to_array(part).copy())
        for part in _in_order(onnx.load(str(path)).graph)
    ]
    net = PlaceNetwork()
    with torch.no_grad():
        seen = torch.from_numpy(planes)
        for block in net.body:
            if isinstance(block, nn.Sequential):
                convolution, norm, _ = block
                weight, bias = given.pop(0), given.pop(0)
                convolution.weight.copy_(weight)
                raw = convolution(seen)
                mean, variance = raw.mean((0, 2, 3)), raw.var((0, 2, 3))
                norm.running_mean.copy_(mean)
                norm.running_var.copy_(variance)
                norm.weight.copy_((variance + norm.eps).sqrt())
                norm.bias.copy_(bias + mean)
                seen = torch.relu(raw + bias[:, None, None])
            elif isinstance(block, nn.Conv2d):
                block.weight.copy_(given.pop(0))
                block.bias.copy_(given.pop(0))
        net.fc.weight.copy_(given.pop(0))
        net.fc.bias.copy_(given.pop(0))
        weight, bias = given
        scale = net.scale.sqrt()
        net.out.weight.copy_(torch.cat((weight[:VECTOR] / scale, weight[[VECTOR, VECTOR + 2]])))
        net.out.bias.copy_(torch.cat((bias[:VECTOR] / scale, bias[[VECTOR, VECTOR + 2]])))
        net.b.copy_(torch.tensor([(bias[VECTOR + 1] - bias[VECTOR]) / NEW_SCALE, 0.0, composed]))
    return net


def _in_order(graph: Any) -> list[Any]:
    """Returns the weights of a graph as its layers take them: each layer's weight, then its bias."""
    held = {part.name: part for part in graph.initializer}
    return [held[name] for node in graph.node for name in node.input if name in held]


def classes_of(vectors: Tensor, names: Sequence[Look], unseen: Sequence[Look]) -> list[Class]:
    """Makes classes of examples (n, VECTOR) with these names, EMPTY first, and of unseen looks that can be
    composed."""
    shown = np.array(names)
    looks = [EMPTY, *dict.fromkeys(name for name in names if name != EMPTY)]
    classes = [Class(look, vectors[torch.from_numpy(shown == look)]) for look in looks]
    taken = shown != EMPTY
    for look in unseen:
        weights = composition(shown[taken].tolist(), look) if taken.any() else None
        if weights is not None:
            composed = torch.from_numpy(weights)[None] @ vectors[torch.from_numpy(taken)]
            classes.append(Class(look, composed, composed=True))
    return classes


def _block(channels: int, out: int, stride: int) -> nn.Sequential:
    """Returns a convolution, its output normalised over the batch."""
    convolution = nn.Conv2d(channels, out, 3, stride, 1, bias=False)
    return nn.Sequential(convolution, nn.BatchNorm2d(out), nn.ReLU())


def _eighth(side: int) -> int:
    """Returns a side of crops after three strides of two."""
    for _ in range(3):
        side = (side + 1) // 2
    return side
