"""The command `python -m vision.training.occlusion`: draws examples, trains on them, writes the network."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
import cv2

from vision.occlusion.network import WEIGHTS
from vision.training.command import FOLDER, NEW, files_needed, need_torch

if TYPE_CHECKING:
    from vision.training.occlusion.store import ExampleStore

REPORT = 200
"""Examples from report to report."""


@click.command()
@click.argument("sets", nargs=-1, type=FOLDER)
@click.option("--examples", default=4000, show_default=True, type=click.IntRange(16))
@click.option(
    "--steps",
    default=1200,
    show_default=True,
    type=click.IntRange(0),
    help="0 makes the stores of examples alone.",
)
@click.option("--seed", default=1, show_default=True)
@click.option(
    "--store",
    "stores",
    multiple=True,
    type=NEW,
    help="File of examples (.npz); made if missing. Can be given several times.",
)
@click.option("--weights", type=NEW, help="Begins with these where there are any, and keeps them.")
@click.option("--out", type=NEW, default=WEIGHTS, show_default="the product's")
def main(
    sets: Sequence[Path],
    examples: int,
    steps: int,
    seed: int,
    stores: Sequence[Path],
    weights: Path | None,
    out: Path,
) -> None:
    """Trains the occlusion network (docs/model.md).

    SETS are folders with truth.json: photographs and rendered sequences. Drawn tables and boards are added.
    """
    need_torch()
    import torch

    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    store = _examples(sets, examples, seed, stores)
    if steps:
        _train(store, steps, seed, weights, out)


def _examples(sets: Sequence[Path], count: int, seed: int, files: Sequence[Path]) -> ExampleStore:
    from vision.training.occlusion.store import ExampleStore

    for file in files:
        if not file.exists():
            _make(sets, count, seed).save(file)
    return ExampleStore.load(files) if files else _make(sets, count, seed)


def _make(sets: Sequence[Path], count: int, seed: int) -> ExampleStore:
    from vision.training.occlusion.examples import examples_of
    from vision.training.occlusion.store import CROP, ExampleStore

    with files_needed():
        examples, store = examples_of(sets, seed), ExampleStore(count)
    for n in range(count):
        store.put(n, examples.draw(CROP))
        if n % REPORT == 0:
            click.echo(f"{n} examples")
    return store


def _train(store: ExampleStore, steps: int, seed: int, weights: Path | None, out: Path) -> None:
    import torch

    from vision.training.occlusion.export import export
    from vision.training.occlusion.fit import fit, load_net, new_net

    net = load_net(weights) if weights and weights.exists() else new_net(seed)
    for report in fit(net, store, steps, seed):
        click.echo(f"step {report.step}: loss {report.loss:.4f}")
    if weights:
        torch.save(net.state_dict(), weights)
    export(net, out)
    click.echo(f"{out}: {out.stat().st_size} bytes")


if __name__ == "__main__":
    main(prog_name="python -m vision.training.occlusion")
