"""Writes a trained network to the file that the product reads with OpenCV (`vision.occlusion.network`)."""

from __future__ import annotations

from pathlib import Path

import onnx
import torch

from vision.training.occlusion.network import OcclusionNetwork

OPSET = 12


def export(net: OcclusionNetwork, path: Path) -> None:
    """Writes the ONNX file, normalisation folded into the weights.

    It names one size, and is asked for any: OpenCV 4 cannot load one that leaves its size open.
    """
    torch.onnx.export(
        net.eval(),
        (torch.zeros(1, 8, 192, 240),),
        str(path),
        input_names=["frame"],
        output_names=["occlusion"],
        opset_version=OPSET,
        dynamo=False,  # OpenCV reads what the older exporter writes
    )
    model = onnx.load(str(path))
    for n, node in enumerate(model.graph.node):
        node.name = f"n{n}"  # long names only cost room
    onnx.checker.check_model(model)
    onnx.save(model, str(path))
