"""The occlusion network as it is trained, in PyTorch."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.occlusion.network import COARSE, LIGHTNESS

FAINT = 0.03
"""Added to colours, 0…1, before a logarithm: below it noise rules."""
WINDOW = 7
"""Side of the windows in which grain and lines are compared; pixels."""
GRAIN = 0.015
"""Log by which noise changes colours from pixel to pixel."""


def convolution(inside: int, outside: int, stride: int = 1, dilation: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inside, outside, 3, stride, dilation, dilation, bias=False),
        nn.BatchNorm2d(outside),
        nn.ReLU(),
    )


class OcclusionNetwork(nn.Module):
    """A small U-net: logits (n, 1, h/COARSE, w/COARSE) of what was compared (n, 8, h, w), and of the
    logarithms of how far each colour is from what was expected: light changes all of them alike."""

    def __init__(self) -> None:
        super().__init__()
        self.first = convolution(11, 12, 2)
        self.second = nn.Sequential(convolution(14, 24, 2), convolution(24, 24))
        self.third = nn.Sequential(convolution(24, 32, 2), convolution(32, 32))
        self.fourth = nn.Sequential(convolution(32, 32, 2), convolution(32, 32), convolution(32, 32, 1, 2))
        self.up_third = convolution(64, 20)
        self.up_second = convolution(44, 12)
        self.up_first = convolution(24, 12)
        self.last = nn.Conv2d(12, 1, 1)

    def forward(self, x: Tensor) -> Tensor:
        light = torch.log(functional.relu(x[:, :6] + LIGHTNESS) + FAINT)
        a = self.first(torch.cat((x, 2 * (light[:, :3] - light[:, 3:])), 1))
        b = self.second(torch.cat((a, _alike(light[:, :3].mean(1, True), light[:, 3:].mean(1, True))), 1))
        c = self.third(b)
        d = self.fourth(c)
        c = self.up_third(torch.cat((c, _doubled(d)), 1))
        b = self.up_second(torch.cat((b, _doubled(c)), 1))
        return self.last(self.up_first(torch.cat((a, _doubled(b)), 1)))


def _alike(seen: Tensor, known: Tensor) -> Tensor:
    """Returns how far grain and lines are those that were expected (n, 2, h/COARSE, w/COARSE), in whatever
    light: the correlation of two pictures (n, 1, h, w) in a window around each pixel, and how strong it could
    be."""

    def mean(x: Tensor) -> Tensor:
        return functional.avg_pool2d(x, WINDOW, COARSE, WINDOW // 2)

    # what is slow in both pictures is light
    seen, known = (x - functional.avg_pool2d(x, WINDOW, 1, WINDOW // 2) for x in (seen, known))
    both, own, wanted = mean(seen * known), mean(seen * seen), mean(known * known)
    return torch.cat(
        (both / torch.sqrt((own + GRAIN**2) * (wanted + GRAIN**2)), torch.log(wanted + GRAIN**2) / 4 + 1), 1
    )


def _doubled(x: Tensor) -> Tensor:
    return functional.interpolate(x, scale_factor=2.0, mode="nearest")
