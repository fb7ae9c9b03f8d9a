"""Exports the parts that are printed as STL files, with the measures of a board, its sensors and its magnets.

`python -m hardware.openscad BOARD reed|digital|analogue FOLDER [--controller uno|mega|pico]
[--camera module|hq|webcam] [--magnet DxT] [--glass 14] [--only PART]` writes feet for each pole, the jigs
that hold sensors while they are glued, a case for the controller, one for the Pi's panel, and the joints of a
camera arm. OpenSCAD 2021.01 or later does the work. Lengths are in mm.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from math import ceil
from pathlib import Path
from typing import NamedTuple

from companion.core.board import Board, Point
from companion.core.errors import CompanionError
from firmware_bridge.line.messages import Sensor
from hardware.arguments import Parser
from hardware.bill import GridToBuild
from hardware.command_line import board_of
from hardware.cross_section import add_glass, glass_of, magnet_of
from hardware.discs import Disc
from hardware.magnets import advised, pitch_of
from hardware.mechanics import DRILLS, GLASS, HallSensorCase, Reed, foot_diameter, reed_of, sites_mm

FOLDER = Path(__file__).resolve().parent
BED = 180.0
"""The printer's bed: jigs are not larger; one serves every part of the board that has its pattern."""
MARGIN = 8.0
"""What a jig needs around its outer sites."""
CASES = ("uno", "mega", "pico")
CAMERAS = ("module", "hq", "webcam")
TIMEOUT_S = 300


class ExportError(CompanionError):
    """A part that cannot be exported."""


class Print(NamedTuple):
    """A part: the name of its file, its source, and the values of the source's variables."""

    name: str
    source: str
    values: Mapping[str, object]


def prints(
    board: Board, sensor: Sensor, controller: str, camera: str, magnet: Disc, glass: float = GLASS
) -> Iterator[Print]:
    """Yields all parts that are printed for a grid on a board, and for its camera."""
    foot = {
        "magnet_d": magnet.diameter,
        "magnet_t": magnet.thickness,
        "foot_d": round(foot_diameter(board), 2),
    }
    for north in ("up", "down"):
        yield Print(f"foot-north-{north}", "foot.scad", foot | {"north": north})
    for number, sites in enumerate(jigs(board), 1):
        yield Print(f"jig-{number}", "jig.scad", _jig(sites, sensor, pitch_of(board), reed_of(glass)))
    for part in ("tray", "lid"):
        yield Print(f"case-{part}", "case.scad", {"controller": controller, "part": part})
    yield Print("panel", "panel.scad", {})
    for part in ("flange", "elbow", "head", "plate"):
        yield Print(f"arm-{part}", "camera_arm.scad", {"part": part, "camera": camera})


def jigs(board: Board) -> list[list[Point]]:
    """Returns the sites of each jig that a board needs, as on the board from above."""
    kept: list[list[Point]] = []
    for field in fields(board):
        if not any(_is_same(field, other) for other in kept):
            kept.append(field)
    return kept


def fields(board: Board) -> list[list[Point]]:
    """Returns the sites of each part of a board that a jig holds at once: as many as the bed takes."""
    sites, step = list(sites_mm(board).values()), pitch_of(board)
    columns = _strips([x for x, _ in sites], step)
    rows = _strips([y for _, y in sites], step)
    found: dict[tuple[int, int], list[Point]] = {}
    for site, column, row in zip(sites, columns, rows, strict=True):
        found.setdefault((column, row), []).append(site)
    return list(found.values())


def _strips(values: Sequence[float], step: float) -> list[int]:
    """Returns for each value the number of its strip, of strips as few and as equal as the bed allows."""
    least, most = min(values), max(values)
    span, limit = most - least + step, BED - 2 * MARGIN
    for number in count(ceil(span / (limit + step))):
        strips = [int((value - least + 0.01) // (span / number)) for value in values]
        held = [[v for v, s in zip(values, strips, strict=True) if s == strip] for strip in set(strips)]
        if all(max(strip) - min(strip) <= limit for strip in held):
            break
    return strips


def _is_same(pattern: Sequence[Point], other: Sequence[Point]) -> bool:
    """Tells whether a pattern is another one, moved and not turned."""
    if len(pattern) != len(other):
        return False
    there = {(round(x, 1), round(y, 1)) for x, y in other}
    (x0, y0), (u0, v0) = min(pattern), min(other)
    return all(_near(x - x0 + u0, y - y0 + v0, there) for x, y in pattern)


def _near(x: float, y: float, there: set[Point]) -> bool:
    return any(
        (round(x + dx, 1), round(y + dy, 1)) in there for dx in (-0.1, 0, 0.1) for dy in (-0.1, 0, 0.1)
    )


def _jig(sites: Sequence[Point], sensor: Sensor, pitch: float, reed: Reed) -> Mapping[str, object]:
    x0, y0 = min(x for x, _ in sites), min(y for _, y in sites)
    mirrored = sensor is not Sensor.REED
    places = [[round(-(x - x0) if mirrored else x - x0, 3), round(y - y0, 3)] for x, y in sites]
    values: dict[str, object] = {"sites": places, "link": _link(places, pitch), "hole_d": DRILLS[sensor]}
    if mirrored:
        hall = HallSensorCase()
        return values | {"kind": "hall", "case": [hall.width, hall.length], "sunk": hall.sunk}
    return values | {
        "kind": "reed", "glass_d": reed.width, "leg_d": reed.leg, "bar": 8, "pillars": _pillars(places),
    }  # fmt: skip


def _link(places: Sequence[Sequence[float]], pitch: float) -> float:
    """Returns a distance that joins all sites of a jig into one piece: the pitch, or more where needed."""
    link = 1.05 * pitch
    while not _is_joined(places, link):
        link += pitch / 10
    return round(link, 2)


def _is_joined(places: Sequence[Sequence[float]], link: float) -> bool:
    reached, rest = [places[0]], list(places[1:])
    for x, y in reached:
        near = [p for p in rest if (p[0] - x) ** 2 + (p[1] - y) ** 2 <= link**2]
        reached += near
        rest = [p for p in rest if p not in near]
    return not rest


def _pillars(places: Sequence[Sequence[float]]) -> list[list[list[float]]]:
    """Returns four pairs of a site near a corner and the place of a pillar outside of it."""
    pairs = []
    for east, north in ((-1, -1), (1, -1), (-1, 1), (1, 1)):
        x, y = max(places, key=lambda at: east * at[0] + north * at[1])
        pairs.append([[x, y], [round(x + 7 * east, 3), round(y + 7 * north, 3)]])
    return pairs


def export(part: Print, folder: Path, openscad: str) -> Path:
    """Writes a part as STL. ExportError says why there is none."""
    file = folder / f"{part.name}.stl"
    values = [f"-D{name}={json.dumps(value)}" for name, value in part.values.items()]
    command = [
        openscad,
        "-q",
        "--export-format",
        "asciistl",
        "-o",
        str(file),
        *values,
        str(FOLDER / part.source),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)  # noqa: S603
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.startswith("ERROR")] or ["no reason given"]
        raise ExportError(f"{part.name}: OpenSCAD says '{lines[0].removeprefix('ERROR: ')}'")
    return file


def _export_all(args: Sequence[str]) -> Iterator[str]:
    parser = Parser("python -m hardware.openscad")
    parser.add_argument("board", metavar="BOARD")
    parser.add_argument("sensor", choices=[sensor.word for sensor in Sensor])
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--controller", choices=CASES)
    parser.add_argument("--camera", choices=CAMERAS, default="module")
    parser.add_argument("--magnet", type=magnet_of, metavar="DxT")
    add_glass(parser)
    parser.add_argument("--only", metavar="PART", help="the parts whose names begin so")
    words = parser.parse_args(args)
    board, sensor = board_of(words.board), Sensor[words.sensor.upper()]
    controller = words.controller or GridToBuild(board, sensor).controller.name
    magnet, glass = words.magnet or advised(board), glass_of(parser, words)
    parts = list(prints(board, sensor, controller, words.camera, magnet, glass))
    wanted = [part for part in parts if part.name.startswith(words.only or "")]
    if not wanted:
        parser.error(f"there is no part '{words.only}': there are {', '.join(part.name for part in parts)}")
    openscad = shutil.which("openscad")
    if openscad is None:
        raise ExportError("there is no openscad: 'sudo apt install openscad' brings it")
    try:
        words.folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ExportError(f"{words.folder}: {error.strerror}") from error
    for part in wanted:
        yield str(export(part, words.folder, openscad))


def main(args: list[str]) -> int:
    try:
        for line in _export_all(args):
            sys.stdout.write(f"{line}\n")
    except CompanionError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0
