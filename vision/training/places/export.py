"""Writes a trained network to the file that the product reads with OpenCV (`vision.reading.network`)."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import nn

from vision.reading.crops import HEIGHT, WIDTH
from vision.reading.network import VECTOR
from vision.training.places.network import HIDDEN, PLANES, PlaceNetwork, Tensor

OPSET = 13


class Folded(nn.Module):
    """A network with all that it learned of likelihoods in its last layer: (n, VECTOR + 3), vectors whose
    squared distances are nats, then piece, new and covered."""

    def __init__(self, net: PlaceNetwork) -> None:
        super().__init__()
        self.body, self.fc = net.body, net.fc
        self.out = nn.Linear(HIDDEN, VECTOR + 3)
        vectors, rest = net.out.weight[:VECTOR], net.out.weight[VECTOR:]
        biases, others = net.out.bias[:VECTOR], net.out.bias[VECTOR:]
        scale = net.scale.sqrt()
        ends = torch.stack((others[0], others[0] + net.new_bias, others[1] + net.covered_bias))
        self.out.weight = nn.Parameter(torch.cat((vectors * scale, rest[[0, 0, 1]])).detach())
        self.out.bias = nn.Parameter(torch.cat((biases * scale, ends)).detach())

    def forward(self, planes: Tensor) -> Tensor:
        return self.out(torch.relu(self.fc(self.body(planes))))


def export(net: PlaceNetwork, path: Path) -> None:
    """Writes the ONNX file, for any number of places at once."""
    folded = Folded(net).eval()
    torch.onnx.export(
        folded,
        torch.zeros(2, PLANES, HEIGHT, WIDTH),
        str(path),
        input_names=["planes"],
        output_names=["out"],
        dynamic_axes={"planes": {0: "n"}, "out": {0: "n"}},
        opset_version=OPSET,
        dynamo=False,  # OpenCV reads what the older exporter writes
    )
