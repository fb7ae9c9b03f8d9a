"""Trains the occlusion network and writes it as an ONNX file.

    python -m vision.training.occlusion SETS… [--examples N] [--steps N] [--out FILE]

SETS are folders with truth.json: photographs and rendered tables. Random drawn tables and boards are added.
Needs the extra `train`.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import cv2
import numpy as np
import onnx
import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.occlusion.network import COARSE, LIGHTNESS, WEIGHTS
from vision.training.occlusion_data import Examples, Table, painted, photographed, rendered, wooden

CROP = (176, 176)
"""Height and width of the examples."""
PART = 144
"""Height and width of the parts of them that each step sees."""
PAINTED, WOODEN = 10, 60
BATCH = 16
FAINT = 0.03
"""Added to colours, 0…1, before a logarithm: below it noise rules."""
WINDOW = 7
"""Side of the windows in which grain and lines are compared; pixels."""
GRAIN = 0.015
"""Log by which noise changes colours from pixel to pixel."""
LEVELS = 120.0
"""Levels of a byte to 1, in the stored examples."""


def convolution(inside: int, outside: int, stride: int = 1, dilation: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inside, outside, 3, stride, dilation, dilation, bias=False),
        nn.BatchNorm2d(outside),
        nn.ReLU(),
    )


class Occlusion(nn.Module):
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
    """How far grain and lines are those that were expected (n, 2, h/COARSE, w/COARSE), in whatever light: the
    correlation of two pictures (n, 1, h, w) in a window around each pixel, and how strong it could be."""

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


def load_tables(folders: list[Path], rng: np.random.Generator) -> list[Table]:
    tables = []
    for folder in folders:
        tables += rendered(folder) if (folder / "000.jpg").exists() else photographed(folder)
    return [*tables, *painted(rng, PAINTED), *(wooden(rng) for _ in range(WOODEN))]


class Store:
    """Examples as bytes."""

    def __init__(self, count: int) -> None:
        small = CROP[0] // COARSE, CROP[1] // COARSE
        self.pictures = np.zeros((count, 7, *CROP), np.uint8)
        self.cells = np.zeros(count, np.float32)
        self.answers = np.zeros((count, 2, *small), np.uint8)

    def save(self, path: Path) -> None:
        np.savez(path, pictures=self.pictures, cells=self.cells, answers=self.answers)

    @classmethod
    def load(cls, paths: list[Path]) -> Store:
        """All examples of some files."""
        store, kept = cls(0), [np.load(path) for path in paths]
        store.pictures, store.cells, store.answers = (
            np.concatenate([k[name] for k in kept]) for name in ("pictures", "cells", "answers")
        )
        return store

    def put(self, n: int, x: np.ndarray, y: np.ndarray, weight: np.ndarray) -> None:
        self.pictures[n, :6] = np.clip((x[:6] + 0.5) * LEVELS, 0, 255)
        self.pictures[n, 6] = x[6]
        self.cells[n] = x[7, 0, 0]
        self.answers[n] = np.clip(np.stack((y, weight)) * 255, 0, 255)

    def batch(self, some: np.ndarray, rng: np.random.Generator) -> tuple[Tensor, Tensor, Tensor]:
        """Parts of some examples: what is compared, what hides the board, and how much each pixel counts."""
        top, left = (2 * int(rng.integers((side - PART) // 2 + 1)) for side in CROP)
        rows, columns = slice(top, top + PART), slice(left, left + PART)
        x = torch.from_numpy(self.pictures[some, :, rows, columns]).float()
        x[:, :6] = x[:, :6] / LEVELS - 0.5
        cells = torch.from_numpy(self.cells[some])[:, None, None, None].expand(-1, 1, PART, PART)
        rows, columns = (slice(s.start // COARSE, s.stop // COARSE) for s in (rows, columns))
        answers = torch.from_numpy(self.answers[some, :, rows, columns]).float() / 255
        turn = int(rng.integers(4))
        parts = torch.cat((x, cells), 1), answers[:, :1], answers[:, 1:]
        return tuple(torch.rot90(part, turn, (2, 3)).contiguous() for part in parts)


def make_store(folders: list[Path], count: int, seed: int) -> Store:
    rng = np.random.default_rng(seed)
    examples, store = Examples(load_tables(folders, rng), seed), Store(count)
    start = time.time()
    for n in range(count):
        store.put(n, *examples.draw(CROP))
        if n % 200 == 0:
            print(f"{n} examples, {time.time() - start:.0f} s", flush=True)
    return store


def loss_of(logits: Tensor, wanted: Tensor, weight: Tensor) -> Tensor:
    """Cross entropy by pixels, and by how far masks as a whole agree (Dice)."""
    entropy = functional.binary_cross_entropy_with_logits(logits, wanted, weight)
    shown = torch.sigmoid(logits) * weight
    both = (shown * wanted).sum((1, 2, 3))
    dice = 1 - (2 * both + 20) / (shown.sum((1, 2, 3)) + (wanted * weight).sum((1, 2, 3)) + 20)
    return entropy + 0.3 * dice.mean()


def train(store: Store, steps: int, seed: int, kept: Path | None = None) -> Occlusion:
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    network = Occlusion()
    if kept and kept.exists():
        network.load_state_dict(torch.load(kept))
    best = torch.optim.AdamW(network.parameters(), 3e-3, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(best, 4e-3, steps)
    start, total = time.time(), 0.0
    for step in range(steps):
        x, wanted, weight = store.batch(rng.choice(len(store.cells), BATCH, replace=False), rng)
        with torch.autocast("cpu", torch.bfloat16):
            logits = network(x)
        loss = loss_of(logits.float(), wanted, weight)
        best.zero_grad()
        loss.backward()
        best.step()
        schedule.step()
        total += loss.item()
        if step % 100 == 99:
            print(f"step {step + 1}: loss {total / 100:.4f}, {time.time() - start:.0f} s", flush=True)
            total = 0.0
    if kept:
        torch.save(network.state_dict(), kept)
    return network.eval()


def export(network: Occlusion, path: Path) -> None:
    """Writes the network, normalisation folded into the weights, for pictures of any size."""
    axes = {"frame": {2: "height", 3: "width"}, "occlusion": {2: "coarse_height", 3: "coarse_width"}}
    torch.onnx.export(
        network,
        (torch.zeros(1, 8, 192, 240),),
        str(path),
        input_names=["frame"],
        output_names=["occlusion"],
        dynamic_axes=axes,
        opset_version=12,
        dynamo=False,
    )
    model = onnx.load(str(path))
    for n, node in enumerate(model.graph.node):
        node.name = f"n{n}"  # long names only cost room
    onnx.checker.check_model(model)
    onnx.save(model, str(path))
    print(f"{path}: {path.stat().st_size} bytes")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m vision.training.occlusion")
    parser.add_argument("sets", nargs="*", type=Path)
    parser.add_argument("--examples", type=int, default=4000)
    parser.add_argument("--steps", type=int, default=1200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    parser.add_argument(
        "--store", type=Path, nargs="*", default=[], help="files of examples; made if missing"
    )
    parser.add_argument("--weights", type=Path, help="begins with these where there are any, and keeps them")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    for path in options.store:
        if not path.exists():
            make_store(options.sets, options.examples, options.seed).save(path)
    store = (
        Store.load(options.store)
        if options.store
        else make_store(options.sets, options.examples, options.seed)
    )
    if not options.steps:
        return
    export(train(store, options.steps, options.seed, options.weights), options.out)


if __name__ == "__main__":
    main()
