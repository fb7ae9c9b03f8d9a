"""The command `python -m vision.training.places`: makes tables, trains, scores and writes the network."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vision.training.command import FILE, FOLDER, NEW, files_needed, need_torch
from vision.training.places import drawn, photographs, sequences, staged
from vision.training.places.tables import CropTable, matches

if TYPE_CHECKING:
    from vision.training.places.network import PlaceNetwork

HELD_OUT = tuple(
    f"photo.{name}-chess" for name in ("epatha", "jialinding", "samryan", "robotvision", "youyexie")
)
"""Sets that no training sees, so that they can measure it."""

Command = Callable[..., None]


def _options(*some: Callable[[Command], Command]) -> Callable[[Command], Command]:
    def add(command: Command) -> Command:
        for option in reversed(some):
            command = option(command)
        return command

    return add


of_sources = _options(
    click.option("--photos", type=FOLDER, help="Folder of sets of photographs, each with a truth.json."),
    click.option("--sequences", type=FOLDER, help="Folder of rendered sequences, SEED/GAME/truth.json."),
    click.option("--studio", type=FOLDER, help="Folder of sets that `vision.training.studio` rendered."),
    click.option("--drawn", default=0, metavar="N", type=click.IntRange(0), help="How many tables to draw."),
)
of_fit = _options(
    click.option(
        "--without",
        multiple=True,
        default=HELD_OUT,
        show_default=True,
        metavar="SET",
        help="Tables not to train on: photo.SET, rendered.GAME.SEED, drawn.BOARD; * matches any.",
    ),
    click.option("--minutes", type=click.FloatRange(0, min_open=True), help="How long to train."),
    click.option("--steps", type=click.IntRange(1), help="Or for how many steps, which can be repeated."),
    click.option("--seed", default=0, show_default=True),
    click.option("--start", type=FILE, help="Weights to start from: what `fit` made."),
    click.option(
        "--workers",
        default=1,
        show_default=True,
        type=click.IntRange(0),
        help="Processes that draw examples ahead; the result is the same.",
    ),
)


@click.group()
def main() -> None:
    """Trains the network that compares places (docs/model.md)."""


@main.command()
@of_sources
@click.option("--out", type=NEW, required=True, help="Folder for the tables; those it has are kept.")
def make(photos: Path | None, sequences: Path | None, studio: Path | None, drawn: int, out: Path) -> None:
    """Makes tables from photographs, rendered sequences and by drawing."""
    _make(photos, sequences, studio, drawn, out)


@main.command()
@click.option("--data", type=FOLDER, required=True, help="Folder of tables.")
@of_fit
@click.option("--out", type=NEW, required=True, help="File for the weights.")
def fit(
    data: Path,
    without: Sequence[str],
    minutes: float | None,
    steps: int | None,
    seed: int,
    start: Path | None,
    workers: int,
    out: Path,
) -> None:
    """Trains a network on tables."""
    _fit(data, without, (minutes, steps), seed, start, workers, out)


@main.command()
@click.option("--data", type=FOLDER, required=True, help="Folder of tables.")
@click.option("--weights", type=FILE, required=True, help="What `fit` made.")
@click.option(
    "--only",
    multiple=True,
    default=HELD_OUT,
    show_default=True,
    metavar="SET",
    help="Tables to ask about, named as in `fit --without`.",
)
def score(data: Path, weights: Path, only: Sequence[str]) -> None:
    """Says how well a network reads tables."""
    _score(data, weights, only)


@main.command()
@click.option("--weights", type=FILE, required=True, help="What `fit` made.")
@click.option("--out", type=NEW, required=True, help="The product's is vision/reading/places.onnx.")
def export(weights: Path, out: Path) -> None:
    """Writes a network as the product reads it."""
    _export(weights, out)


@main.command("all")
@of_sources
@of_fit
@click.option("--out", type=NEW, required=True, help="Folder for tables/, places.pt and places.onnx.")
def everything(
    photos: Path | None,
    sequences: Path | None,
    studio: Path | None,
    drawn: int,
    without: Sequence[str],
    minutes: float | None,
    steps: int | None,
    seed: int,
    start: Path | None,
    workers: int,
    out: Path,
) -> None:
    """Makes tables, trains on them, writes the network, and scores it on what was left out."""
    need_torch()
    _make(photos, sequences, studio, drawn, out / "tables")
    _fit(out / "tables", without, (minutes, steps), seed, start, workers, out / "places.pt")
    _export(out / "places.pt", out / "places.onnx")
    _score(out / "tables", out / "places.pt", without)


def _make(photos: Path | None, rendered: Path | None, studio: Path | None, count: int, out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    for name, tables in _sources(photos, rendered, studio, count):
        if any(out.glob(f"{name}.*.npz")):
            continue
        with files_needed():
            made = list(tables())
        for table in made:
            table.save(out)
        click.echo(f"{made[0].source if made else name}: {len(made)} tables")


def _sources(
    photos: Path | None, rendered: Path | None, studio: Path | None, count: int
) -> Iterator[tuple[str, Callable[[], Iterable[CropTable]]]]:
    """Yields patterns of the names of tables that are to be made, and for each the function that makes
    them."""
    for truth in sorted(photos.glob("*/truth.json")) if photos else []:
        yield f"photo.{truth.parent.name}", partial(photographs.tables, truth.parent)
    for truth in sorted(rendered.glob("*/*/truth.json")) if rendered else []:
        scene = sequences.Rendered.load(truth.parent)
        yield scene.name, partial(sequences.tables, scene)
    for truth in sorted(studio.glob("*/truth.json")) if studio else []:
        yield f"studio.*.{truth.parent.name}", partial(staged.tables, truth.parent)
    for seed in range(count):
        yield f"drawn.*.{seed}", partial(drawn.tables, seed)


def _tables(data: Path, wanted: Callable[[str], bool]) -> list[CropTable]:
    tables = [CropTable.load(path) for path in sorted(data.glob("*.npz")) if wanted(path.stem)]
    if not tables:
        raise click.UsageError(
            f"{data} has no such tables: make some with `python -m vision.training.places make`"
        )
    return tables


def _fit(
    data: Path,
    without: Sequence[str],
    limit: tuple[float | None, int | None],
    seed: int,
    start: Path | None,
    workers: int,
    out: Path,
) -> None:
    need_torch()
    from vision.training.places import fit as training

    minutes, steps = limit
    if (minutes is None) == (steps is None):
        raise click.UsageError("say either --minutes or --steps")
    tables = _tables(data, lambda name: not any(matches(name, pattern) for pattern in without))
    rate = training.RATE
    if start is None:
        net = training.new_net(seed)
    else:
        net, rate = _load(start), training.RATE_AGAIN
    done = training.for_steps(steps) if steps else training.for_minutes(minutes or 0.0)
    click.echo(f"{len(tables)} tables, {sum(p.numel() for p in net.parameters())} weights")
    for report in training.fit(net, tables, seed, done, rate, workers):
        click.echo(f"step {report.step}, {report.done:.0%}: loss {report.loss:.4f}, right {report.right:.4f}")
        _save(net, out)


def _score(data: Path, weights: Path, only: Sequence[str]) -> None:
    need_torch()
    from vision.training.places.score import HEAD, scores

    tables = _tables(data, lambda name: any(matches(name, pattern) for pattern in only))
    click.echo(HEAD)
    for source, result in scores(_load(weights), tables).items():
        click.echo(f"| {source} | {result.row} |")


def _export(weights: Path, out: Path) -> None:
    need_torch()
    from vision.training.places import export as exporting

    net = _load(weights)
    exporting.export(net, out)
    bias = net.composed_bias.item()
    click.echo(f"{out}: {out.stat().st_size} bytes; COMPOSED in vision/reading/gallery.py is {bias:.2f}")


def _load(weights: Path) -> PlaceNetwork:
    import torch

    from vision.training.places.network import PlaceNetwork

    net = PlaceNetwork()
    net.load_state_dict(torch.load(weights))
    return net


def _save(net: PlaceNetwork, out: Path) -> None:
    import torch

    out.parent.mkdir(parents=True, exist_ok=True)
    torch.save(net.state_dict(), out)


if __name__ == "__main__":
    main(prog_name="python -m vision.training.places")
