"""Exports the printed parts of all boards: each shape once, whatever boards and sensors it is for."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

from companion.core.board import load_board
from firmware_bridge.line.messages import Sensor
from firmware_bridge.line.wiring import WiringError
from hardware.bill import GridToBuild
from hardware.magnets import advised
from hardware.openscad.export import CAMERAS, CASES, ExportError, Print, export, prints


def export_all(folder: Path, boards: Iterable[str]) -> Iterator[Path]:
    openscad = shutil.which("openscad")
    if openscad is None:
        raise ExportError("there is no openscad: 'sudo apt install openscad' brings it")
    folder.mkdir(parents=True, exist_ok=True)
    for part in shapes(boards):
        yield export(part, folder, openscad)


def shapes(boards: Iterable[str]) -> Iterator[Print]:
    """Yields each shape once, named by what it was met for first: `chess-reed-jig-1`, `case-uno-lid`."""
    met = set()
    for part in _all(boards):
        shape = part.source, json.dumps(part.values, sort_keys=True)
        if shape not in met:
            met.add(shape)
            yield part


def _all(boards: Iterable[str]) -> Iterator[Print]:
    for board in boards:
        for sensor in Sensor:
            played = load_board(board)
            try:
                controller = GridToBuild(played, sensor).controller.name
            except WiringError:
                continue
            for part in prints(played, sensor, controller, CAMERAS[0], advised(played)):
                if part.name.startswith(("foot", "jig")):
                    yield part._replace(name=f"{board}-{sensor.name.lower()}-{part.name}")
    chess = load_board("chess")
    for controller, camera in zip(CASES, CAMERAS, strict=True):
        for part in prints(chess, Sensor.REED, controller, camera, advised(chess)):
            kind, _, rest = part.name.partition("-")
            if kind in ("case", "arm", "panel"):
                which = {"case": f"{controller}-", "arm": f"{camera}-", "panel": ""}[kind]
                yield part._replace(name=f"{kind}-{which}{rest}".rstrip("-"))
