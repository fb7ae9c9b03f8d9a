"""The commands that read pictures: `companion camera check` looks how a camera stands, `companion calibrate`
makes a profile, `companion see` reads by one.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
import cv2

from companion.cli.output import check_writable, refusing, write_content
from companion.games.text import read_game, replay
from vision.arrays import Image
from vision.calibration.calibrate import calibrate as learn_profile
from vision.calibration.camera_check import check_placement
from vision.calibration.examples import read_example
from vision.calibration.profile import load_profile
from vision.finding.locate import facing, locate
from vision.light.quality import picture_trouble
from vision.reading.picture import chances, draw
from vision.reading.reader import FrameReading, Reader, fitted, likeliest
from vision.sources.files import read_picture
from vision.sources.source import open_source

WORTH_TELLING = 0.001
"""The least likelihood of another look that is told."""
SETTLING = 30
"""Frames of a live camera before the one that is looked at: its exposure settles first."""


@click.group()
def camera() -> None:
    """Check how a camera stands over the board."""


@camera.command()
@click.option("--game", required=True, help="the game whose board lies under the camera, as a game text")
@click.option("--source", help="the camera, as camera:0 or picamera; else give pictures")
@click.argument("files", nargs=-1, type=click.Path())
def check(game: str, source: str | None, files: tuple[str, ...]) -> int:
    """Says whether a camera is to be raised, lowered, aimed elsewhere, turned, or to look down more steeply.

    Looks at one picture of a camera, or at picture files. Exit status 1 when something is to be changed.
    """
    if bool(source) == bool(files):
        raise click.UsageError("give a camera (--source camera:0) or picture files")
    board = read_game(game).board
    pictures = [_settled_picture(source)] if source else [read_picture(Path(file)) for file in files]
    is_well = True
    for name, image in zip(files or [source], pictures, strict=True):
        view = facing(locate(image, board).candidates, "bottom")
        placement = check_placement(view, board)
        trouble = picture_trouble(image, view)
        advice = [one.words for one in placement.advice] + ([f"The picture is {trouble}."] if trouble else [])
        is_well = is_well and not advice
        for words in advice or ["The camera stands well."]:
            click.echo(f"{name}: {words}")
        click.echo(f"{name}: {placement.words}")
    return 0 if is_well else 1


def _settled_picture(text: str) -> Image:
    """Returns a picture of a source; of a device one that was taken once it has settled."""
    source = open_source(text)
    try:
        frame = source.read()
        for _ in range(SETTLING if source.live else 0):
            frame = source.read() or frame
    finally:
        source.close()
    if frame is None:
        raise click.ClickException(f"the source '{text}' has no picture")
    return frame.image


@click.command()
@click.option("--game", required=True, help="game text: GAME key=value… action…")
@click.option(
    "--image",
    "images",
    multiple=True,
    metavar="FILE[@N|=POSITION]",
    help="a picture of the position after all actions, after the first N, or of any: "
    "key=value… action… as in a game text, site:look,site:look,… or empty",
)
@click.option("--empty", "blanks", multiple=True, type=click.Path(), help="a picture of the empty board")
@click.option("--corners", help='pixels of the corners: "x,y x,y x,y x,y", south-west, south-east, …')
@click.option(
    "--south",
    type=click.Choice(["bottom", "left", "top", "right"]),
    help="the side of the picture at which south lies, where nothing else tells",
)
@click.option("-o", "output", required=True, type=click.Path(), help="the profile to write")
def calibrate(
    game: str,
    images: tuple[str, ...],
    blanks: tuple[str, ...],
    corners: str | None,
    south: str | None,
    output: str,
) -> None:
    """Learns where the board lies and how things look from pictures of known positions.

    --image and --empty can be given any number of times.
    """
    if not images and not blanks:
        raise click.UsageError("there is no picture to learn from: give --image FILE or --empty FILE")
    check_writable(Path(output))
    given = _corners(corners)
    examples = [read_example(image, game) for image in images]
    played, position, _ = replay(game)
    empties = [read_picture(Path(file)) for file in blanks]
    profile = learn_profile(
        played.board, played.head, played.rules.looks(position), examples, empties, given, south
    )
    with refusing(Path(output)):
        profile.save(output)
    click.echo(f"wrote {output}: {played.board.name}, {len(profile.examples)} pictures learned", err=True)


@click.command()
@click.option("--profile", required=True, type=click.Path(), help="what `companion calibrate` wrote")
@click.option("--game", help="refuse a profile of another game's board")
@click.option("--picture", type=click.Path(), help="write the board with the readings of the last file here")
@click.argument("files", nargs=-1, required=True, type=click.Path())
def see(profile: str, game: str | None, picture: str | None, files: tuple[str, ...]) -> None:
    """Tells what stands where in pictures: a JSON line for each."""
    if picture and not cv2.haveImageWriter(picture):
        raise click.UsageError(f"cannot write '{picture}': give a name that ends in .png or .jpg")
    reader = _reader(profile, game)
    for file in files:
        image = read_picture(Path(file))
        seen = reader.read_alone(image, file)
        click.echo(json.dumps({"file": file, **answer(seen)}))
        if picture:
            _write_picture(picture, reader, image, seen)


def answer(seen: FrameReading) -> dict[str, object]:
    """Returns what `see` says of a picture, ready for JSON; likelihoods are rounded to four places."""
    sites: dict[str, object] = {}
    readings = seen.sighting.observation.readings if seen.sighting.observation else {}
    for place, reading in readings.items():
        p, look = chances(reading), likeliest(reading)
        others = {name: round(v, 4) for name, v in p.items() if name != look and v > WORTH_TELLING}
        sites[place] = {"look": look, "p": round(p[look], 4), "alternatives": others}
    return {"sites": sites, "hand": seen.sighting.hand, "board": seen.board}


def _reader(path: str, game: str | None) -> Reader:
    """Returns a reader by a profile, for the board of a game text or of the profile's own."""
    profile = load_profile(path)
    board = read_game(game).board if game else read_game(profile.game).board
    return Reader(profile, board)


def _corners(text: str | None) -> list[tuple[float, float]] | None:
    """Returns the four points that `--corners` is given."""
    if text is None:
        return None
    try:
        points = [(float(x), float(y)) for x, y in (pair.split(",") for pair in text.split())]
    except ValueError:
        points = []
    if len(points) != 4:
        raise click.UsageError('--corners needs four points, "x,y x,y x,y x,y": SW, SE, NE, NW of the board')
    return points


def _write_picture(path: str, reader: Reader, image: Any, seen: FrameReading) -> None:
    observation = seen.sighting.observation
    out = draw(fitted(image, seen.view), seen.view, reader.board, observation.readings if observation else {})
    _, encoded = cv2.imencode(Path(path).suffix, out)
    write_content(encoded.tobytes(), Path(path))
