"""Finds what is plugged in that can see a board: the installer's answer to which sources to begin with.

    python -m hardware.plugged_in

Prints the options for `companion run` on one line, as `--source picamera --source serial:`, and on standard
error a line for each thing that was found. With nothing plugged in the line is `--source virtual`.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from errno import EACCES
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import click
from serial.tools.list_ports import comports

from companion.core.board import Board, load_board
from companion.language import say
from companion.sensing.observation import Sighting
from companion.sensing.sources import argument_of
from firmware_bridge.eboards import chessnut
from firmware_bridge.eboards.eboard import OTHER_BOARD, squares_of
from firmware_bridge.eboards.source import listen
from firmware_bridge.line.conformance import Conversation
from firmware_bridge.line.link import REASONS, PortError, choose_port, lasting_name, serial_opener
from firmware_bridge.line.messages import Hello
from firmware_bridge.line.usb import usb_board
from firmware_bridge.line.wiring import WiringError, known_boards, wiring_of
from firmware_bridge.sensing.grid_source import misfit
from vision.sources.camera import BY_ID, camera_numbers, lasting_links

NO_SENSOR = "virtual"
"""The source for a computer without camera and grid."""
USB = "/usb"
"""What libcamera's names of cameras on USB have in them, and those of ribbon cameras have not."""
NO_ANSWER = say("neither a sensor grid nor an e-board answers there: is it on, and the firmware flashed?")


class PluggedSource(NamedTuple):
    """A source that is plugged in, what it is in words, and why it cannot be used now ('' where it can)."""

    source: str
    words: str
    trouble: str = ""


def _libcamera_cameras() -> Sequence[Mapping[str, Any]]:
    """Returns the cameras that Picamera2 lists; none where it is not installed."""
    try:
        picamera2 = import_module("picamera2")
    except ImportError:
        return []
    cameras: Sequence[Mapping[str, Any]] = picamera2.Picamera2.global_camera_info()
    return cameras


def _greet(device: str) -> Hello | None:
    """Returns what the grid at a port says of itself; None where none answers."""
    try:
        with closing(serial_opener(device)()) as port:
            return Conversation(port, [], time.monotonic).greet()
    except (PortError, OSError):
        return None


@dataclass(frozen=True)
class Plugs:
    """The means to find the devices at a computer: at this one, unless others are handed in."""

    ribbon: Callable[[], Sequence[Mapping[str, Any]]] = _libcamera_cameras
    """The cameras that libcamera knows."""
    numbers: Callable[[], list[int]] = camera_numbers
    """The cameras of V4L2."""
    by_id: Path = BY_ID
    ports: Callable[[], Sequence[Any]] = comports
    chessnuts: Callable[[], Sequence[str]] = chessnut.plugged_in
    hear: Callable[[str, Board], Sighting | None] = listen
    greet: Callable[[str], Hello | None] = _greet
    """Returns what the sensor grid at a port says of itself; None where none answers."""


HERE = Plugs()


def find_sources(plugs: Plugs = HERE) -> list[PluggedSource]:
    """Returns the sources to begin with: a camera, a sensor grid and e-boards; none where nothing is plugged
    in. Of several cameras the ribbon cable's is taken, else the first one."""
    cameras = [*_ribbon_cameras(plugs.ribbon), *_usb_cameras(plugs.numbers(), plugs.by_id)]
    known = plugs.ports()
    others = [port for port in known if is_adapter(port) and not plugs.greet(port.device)]
    grids = _grids(known, [port for port in known if port not in others])
    return [*cameras[:1], *grids, *find_eboards(others, plugs)]


def _ribbon_cameras(listed: Callable[[], Sequence[Mapping[str, Any]]]) -> Iterator[PluggedSource]:
    try:
        cameras = listed()
    except Exception:  # libcamera raises errors of many kinds where its devices cannot be opened
        return
    for camera in cameras:
        if USB not in str(camera.get("Id", "")):
            yield PluggedSource(
                "picamera", f"the camera on the ribbon cable ({camera.get('Model', 'unknown')})"
            )


def _usb_cameras(numbers: Sequence[int], by_id: Path) -> Iterator[PluggedSource]:
    """Yields USB cameras by their lasting names, since numbers change with the order of plugging in."""
    names = lasting_links(by_id)
    for number in numbers:
        link = names.get(f"video{number}")
        yield PluggedSource(
            f"camera:{link or number}", f"a USB camera ({link.name if link else f'video{number}'})"
        )


def _grids(ports: Sequence[Any], rest: Sequence[Any]) -> Iterator[PluggedSource]:
    """Yields the grid, of the ports that are left: what hangs on a mere adapter has to answer as one."""
    try:
        device = choose_port(rest)
    except PortError:
        # None, or several: with several the grid's port is for the owner to say.
        return
    name = "" if len(rest) == len(ports) else lasting_name(device)
    yield PluggedSource(f"serial:{name}", f"a controller for a sensor grid ({device})")


def find_eboards(ports: Sequence[Any], plugs: Plugs = HERE) -> list[PluggedSource]:
    """Returns the e-boards on USB, and those of Millennium that answer at these ports."""
    found = [
        PluggedSource(
            f"chessnut:{device}",
            say("a Chessnut board ({device})", device=device),
            "" if may_use(device) else chessnut.say_no_right(device),
        )
        for device in plugs.chessnuts()
    ]
    if len(found) == 1:
        found = [found[0]._replace(source="chessnut")]
    for port in ports:
        seen = plugs.hear(f"millennium:{port.device}", load_board("chess"))
        if seen is not None and seen.observation is not None:
            words = say("a Millennium board ({device})", device=port.device)
            found.append(PluggedSource(f"millennium:{lasting_name(port.device)}", words))
    return found


def find_boards(board: Board | None, used: Collection[str] = (), plugs: Plugs = HERE) -> list[PluggedSource]:
    """Returns the boards with sensors that are plugged in: e-boards, grids, and what answers as neither.

    Each says what keeps a game on `board` from being played on it; None is any game. What is read by one of
    the sources `used` is left alone, and left out: two cannot read one line.
    """
    known = list(plugs.ports())
    others = [port for port in known if usb_board(port) and not _is_used(port.device, used, known)]
    chessnuts = [one for one in plugs.chessnuts() if not _is_used(one, used)]
    eboards = find_eboards([], replace(plugs, chessnuts=lambda: chessnuts))
    grids = []
    for port in others:
        if not may_use(port.device):
            grids.append(PluggedSource("", port.device, REASONS[EACCES]))
        elif answering := find_eboards([port], replace(plugs, chessnuts=list)) if is_adapter(port) else []:
            eboards += answering
        elif hello := plugs.greet(port.device):
            words = say("a sensor grid ({device})", device=port.device)
            grids.append(
                PluggedSource(f"serial:{lasting_name(port.device)}", words, _grid_misfit(hello, board))
            )
        else:
            grids.append(PluggedSource("", port.device, NO_ANSWER))
    if board and not squares_of(board):
        eboards = [one._replace(trouble=one.trouble or OTHER_BOARD) for one in eboards]
    return [*eboards, *grids]


def _is_used(device: str, used: Collection[str], ports: Sequence[Any] = ()) -> bool:
    """Returns whether one of these sources reads a device; one that names none reads that which it finds."""
    named = [argument_of(text).partition("@")[0] for text in used]
    if "serial:" in used:
        with suppress(PortError):
            named.append(choose_port(ports))
    if "chessnut" in used and Path(device).name.startswith("hidraw"):
        return True
    return os.path.realpath(device) in {os.path.realpath(name) for name in named if name}


def _grid_misfit(hello: Hello, board: Board | None) -> str:
    try:
        wiring = wiring_of(hello, known_boards(board))
    except WiringError as error:
        return str(error)
    return misfit(wiring, board) if board else ""


def may_use(device: str) -> bool:
    """Returns whether a device of this computer may be read and written; one that is not there may."""
    return not os.path.exists(device) or os.access(device, os.R_OK | os.W_OK)


def is_adapter(port: Any) -> bool:
    board = usb_board(port)
    return board is not None and board.is_adapter


def main() -> int:
    found = find_sources()
    for one in found:
        click.echo(f"found {one.words}: --source {one.source}", err=True)
    sources = [one.source for one in found] or [NO_SENSOR]
    click.echo(" ".join(f"--source {source}" for source in sources))
    return 0


if __name__ == "__main__":
    sys.exit(main())
