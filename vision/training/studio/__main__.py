"""The command `python -m vision.training.studio`: renders sets of pictures of tables made by chance.

Each set is a folder with an empty board, pictures of a game, and a `truth.json` in the form that
`vision.training.places.photographs` reads. It needs Blender as a module (pip install bpy).
"""

from __future__ import annotations

import json
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import click
import cv2
import numpy as np

from vision.arrays import Singles
from vision.training.command import NEW
from vision.training.studio import play
from vision.training.studio.camera import Straightening, StudioSensor
from vision.training.studio.shapes import chess_set, disc_set
from vision.training.studio.surfaces import Rgb, board_art, toned
from vision.training.truth import read_picture

FRAMES = 5
"""Pictures of a game, beside that of the empty board."""
SETS: tuple[tuple[Rgb, Rgb], ...] = (
    ((238, 225, 195), (45, 30, 25)),
    ((245, 243, 238), (25, 25, 27)),
    ((220, 180, 125), (75, 42, 28)),
    ((215, 175, 120), (30, 27, 26)),
    ((230, 205, 160), (110, 60, 35)),
    ((245, 235, 215), (140, 40, 35)),
    ((205, 160, 105), (95, 60, 40)),
)
"""White and black, as makers paint them."""


@click.command()
@click.argument("first", type=click.IntRange(0))
@click.argument("count", type=click.IntRange(1))
@click.argument("out", type=NEW)
@click.option("--moved", is_flag=True, help="Camera and lamps are elsewhere in each picture.")
def main(first: int, count: int, out: Path, moved: bool) -> None:
    """Renders COUNT sets into OUT, seeds FIRST and following; those that are there are kept."""
    if find_spec("bpy") is None:
        raise click.UsageError("rendering needs Blender as a module: pip install bpy")
    for seed in range(first, first + count):
        folder = out / f"{seed:05d}"
        if not (folder / "truth.json").exists():
            folder.mkdir(parents=True, exist_ok=True)
            render(seed, folder, moved)
            click.echo(f"{folder}: {FRAMES + 1} pictures")


def render(seed: int, folder: Path, moved: bool) -> None:
    """Renders one set; it is the same for each seed. Where it is `moved`, no two pictures show the board in
    one place."""
    from vision.training.studio.stage import SIZE, StudioStage

    chance, rng = Random(seed), np.random.default_rng(seed)
    flat = chance.random() < 0.2
    count = 10 if flat and chance.random() < 0.4 else 8
    sets = (disc_set if flat else chess_set)(chance)
    art = board_art(count, chance, rng)
    stage = StudioStage(count, art, {"white": sets, "black": sets}, _paint(chance), chance, rng)
    off = chance.choice([0.04, 0.1, 0.18, 0.28, 0.36])
    habit = play.Habit(count, [*sets], off, chance)
    straight = None
    if not moved and chance.random() < 0.2:
        straight = Straightening.of(stage.corners(), chance.choice([0.0, 0.03, 0.08, 0.15]), 400)
    corners = stage.corners() if straight is None else straight.pixels(stage.corners())
    sensor, entries = StudioSensor.by(chance), []
    with TemporaryDirectory() as temporary:
        rendered = Path(temporary) / "scene.png"
        most: Counter[tuple[str, str]] = Counter()
        for number, position in enumerate([{}, *play.positions(habit, FRAMES)]):
            now = Counter((piece.owner, piece.kind) for piece in position.values())
            captured = sorted((most - now).elements())
            most |= now
            stage.show(position, captured)
            if moved and number:
                stage.move()
                corners, sensor = stage.corners(), StudioSensor.by(chance)
            if moved or number == 0:
                stage.expose(chance.uniform(0.3, 0.58))
            stage.picture(rendered)
            image = sensor.later(chance).shot(read_picture(rendered), rng)
            if straight is not None:
                image = straight.picture(image)
            file = f"{number}.jpg"
            cv2.imwrite(str(folder / file), image, [cv2.IMWRITE_JPEG_QUALITY, 92])
            entries.append(
                {
                    "file": file,
                    "game": "chess" if count == 8 else "draughts10",
                    "size": [image.shape[1], image.shape[0]],
                    "corners": dict(zip(("SW", "SE", "NE", "NW"), corners, strict=True)),
                    "position": {place: piece.owner for place, piece in position.items()},
                }
            )
    tall = max(corner[2] for mesh in sets.values() for corner in mesh.corners)
    truth = {"set": "studio", "seed": seed, "rendered": SIZE, "tallest": tall, "pictures": entries}
    (folder / "truth.json").write_text(json.dumps(truth), encoding="utf-8")


def _paint(chance: Random) -> dict[str, Singles]:
    white, black = chance.choice(SETS)
    if chance.random() < 0.15:  # a set of any two colours
        white, black = (tuple(chance.randint(10, 245) for _ in range(3)) for _ in range(2))  # type: ignore[assignment]
    return {"white": toned(white, 18, chance), "black": toned(black, 14, chance)}


if __name__ == "__main__":
    main(prog_name="python -m vision.training.studio")
