"""`companion doctor`: what is there and works, a line each, and what to do about what does not.

A check is a function that looks at one thing and returns findings; what it looks with is handed in, so
that tests need no device. `missing` is what can be done without; `broken` is what cannot.
"""

from __future__ import annotations

import os
import platform
import shutil
import socket
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from functools import partial
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import click

from companion.config import ConfigError, data_folder
from companion.sources import SourceError
from firmware_bridge.cli import doctor_grid

NEEDED = ("click", "flask", "waitress", "numpy", "opencv-python-headless", "pyserial", "gpiozero", "segno",
          "pillow", "reportlab", "resvg-py")
OPTIONAL = {"chess": "chess is not offered", "ortools": "the puzzles give no hints and proofs"}
BUILT = datetime(2025, 1, 1, tzinfo=UTC).timestamp()
"""No clock that is right shows an earlier time."""
SCARCE, FULL = 1_000_000_000, 50_000_000
"""Bytes free on the disk: below the first a warning, below the second no place for games."""
DARK = 12.0
"""Mean brightness (0 to 255) below which a picture shows nothing."""
THROTTLED = Path("/sys/devices/platform/soc/soc:firmware/get_throttled")
"""Where a Pi's firmware tells of low voltage (bit 0 now, bit 16 since the start) and heat (bits 2, 18)."""
BOOKED = "another program uses it: stop 'companion run', or the service, and ask again"


class Finding(NamedTuple):
    """One line: `ok`, `warn`, `missing` (can be done without) or `broken`; of what, and words."""

    state: str
    what: str
    words: str


class Disk(Protocol):
    """What is used of `shutil.disk_usage`."""

    @property
    def free(self) -> int: ...


def check_versions(version: Callable[[str], str] = metadata.version) -> Iterator[Finding]:
    """Python and the libraries; a missing one is broken where the companion needs it."""
    yield Finding("ok", "system", f"Python {platform.python_version()}, {sys.platform} {platform.machine()}")
    found, lacking = [], []
    for name in NEEDED:
        try:
            found.append(f"{name} {version(name)}")
        except metadata.PackageNotFoundError:
            lacking.append(name)
    if lacking:
        words = f"not installed: {', '.join(lacking)}; run ./run or the installer again"
        yield Finding("broken", "libraries", words)
    else:
        yield Finding("ok", "libraries", ", ".join(found))
    for name, loss in OPTIONAL.items():
        try:
            version(name)
        except metadata.PackageNotFoundError:
            yield Finding("missing", name, f"{loss}: pip install {name}")


def check_disk(folder: Path, usage: Callable[[Path], Disk] = shutil.disk_usage) -> Iterator[Finding]:
    """Whether games can be written, and for how long."""
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"x")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        words = f"cannot write to '{folder}' ({error.strerror}): name another with --data"
        yield Finding("broken", "disk", words)
        return
    free = usage(folder).free
    state = "broken" if free < FULL else "warn" if free < SCARCE else "ok"
    advice = "" if state == "ok" else ": make room, games are kept there"
    yield Finding(state, "disk", f"{_size(free)} free for '{folder}'{advice}")


def check_games(folder: Path) -> Iterator[Finding]:
    """Whether the file of the stored games is whole."""
    path = folder / "games.sqlite"
    if not path.exists():
        yield Finding("ok", "games", "none stored yet")
        return
    try:
        db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        try:
            verdict = str(db.execute("PRAGMA quick_check").fetchone()[0])
            count = db.execute("SELECT count(*) FROM games").fetchone()[0]
        finally:
            db.close()
    except sqlite3.Error as error:
        yield Finding("broken", "games", f"'{path}' cannot be read ({error}): put a copy in its place")
        return
    if verdict == "ok":
        yield Finding("ok", "games", f"{count} stored, the file is whole")
    else:
        yield Finding("broken", "games", f"'{path}' is damaged ({verdict}): export what opens, begin anew")


def check_clock(folder: Path, now: float) -> Iterator[Finding]:
    """Whether the time can be right: a Pi without network starts where it stopped, or in 1970."""
    newest = max((file.stat().st_mtime for file in folder.glob("games.sqlite*")), default=0.0)
    told = datetime.fromtimestamp(now, UTC).strftime("%Y-%m-%d %H:%M UTC")
    if now < BUILT:
        words = f"{told} cannot be: connect a network once, or set it with 'sudo date -s'"
        yield Finding("warn", "clock", words)
    elif newest > now + 60:
        yield Finding("warn", "clock", f"{told} is earlier than the last stored game: set it right")
    else:
        yield Finding("ok", "clock", told)


def check_network(address: Callable[[], str | None]) -> Iterator[Finding]:
    """Where a tablet finds this machine."""
    found = address()
    if found is None:
        yield Finding("warn", "network", "no address: only a browser on this machine can open the page")
    else:
        yield Finding("ok", "network", f"with --host 0.0.0.0 a tablet opens http://{found}:8000/")


def check_power(path: Path = THROTTLED) -> Iterator[Finding]:
    """Low voltage and heat, where a Pi tells of them."""
    try:
        bits = int(path.read_text(encoding="ascii"), 16)
    except (OSError, ValueError):
        return
    if bits & 0x10001:
        yield Finding("warn", "power", "the voltage was too low: use the Pi's own supply and a short cable")
    elif bits & 0x40004:
        yield Finding("warn", "power", "the Pi slowed down because of heat: give it air")
    else:
        yield Finding("ok", "power", "voltage and heat are fine")


def check_cameras(numbers: Callable[[], list[int]], grab: Callable[[int], Any]) -> Iterator[Finding]:
    """Each USB camera: whether it gives a picture, and whether anything can be seen on it."""
    found = numbers()
    if not found:
        yield Finding("missing", "camera", "none on USB: plug one in, or play with --source virtual")
    for number in found:
        yield _check_picture(f"camera:{number}", partial(grab, number))


def check_picamera(installed: bool, grab: Callable[[], Any]) -> Iterator[Finding]:
    """The camera on the ribbon cable."""
    if not installed:
        words = "picamera2 is not there (it comes with 'sudo apt install python3-picamera2')"
        yield Finding("missing", "picamera", words)
    else:
        yield _check_picture("picamera", grab)


def _check_picture(name: str, grab: Callable[[], Any]) -> Finding:
    try:
        image = grab()
    except (SourceError, OSError, RuntimeError) as error:
        return Finding("warn", name, str(error))
    if image is None:
        return Finding("warn", name, f"gives no picture; {BOOKED}")
    height, width = image.shape[:2]
    if image.mean() < DARK:
        return Finding("warn", name, f"{width}×{height}, but black: take the cap off, or give it light")
    return Finding("ok", name, f"{width}×{height}")


def check_grid(port: Callable[[], str], test: Callable[[], tuple[dict[str, Any], int]]) -> Iterator[Finding]:
    """The sensor grid on a serial port: whether it answers, and its bad sensors."""
    try:
        name = port()
    except OSError as error:
        yield Finding("missing", "grid", str(error))
        return
    if Path(name).exists() and not os.access(name, os.R_OK | os.W_OK):
        words = f"no right to use {name}: 'sudo adduser $USER dialout', then log in again"
        yield Finding("warn", "grid", words)
        return
    try:
        bad, count = test()
    except (OSError, ValueError) as error:
        yield Finding("warn", "grid", f"{name}: {error}")
        return
    if bad:
        names = ", ".join(sorted(bad))
        yield Finding("warn", "grid", f"{name}: {len(bad)} of {count} sensors are bad: {names}")
    else:
        yield Finding("ok", "grid", f"{name}: {count} sensors")


def check_pins(factory: Callable[[], Any]) -> Iterator[Finding]:
    """The Pi's pins, for buttons and lamps."""
    try:
        found = factory()
    except OSError as error:
        yield Finding("missing", "pins", str(error))
        return
    yield Finding("ok", "pins", type(found).__name__)
    found.close()


def own_address() -> str | None:
    """This machine's address on its network; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return None


def grab_camera(number: int) -> Any:
    """A picture of a USB camera."""
    return _grab(f"camera:{number}")


def grab_picamera() -> Any:
    return _grab("picamera")


def _grab(text: str, count: int = 5) -> Any:
    """A source's picture, after a few that a camera needs to settle."""
    from vision.sources.source import open_source

    source = open_source(text)
    try:
        frames = [source.read() for _ in range(count)]
    finally:
        source.close()
    return frames[-1].image if frames[-1] else None


def _findings(folder: Path) -> Iterator[Finding]:
    """All checks, with this machine's devices."""
    yield from check_versions()
    yield from check_disk(folder)
    yield from check_games(folder)
    yield from check_clock(folder, time.time())
    yield from check_network(own_address)
    yield from check_power()
    yield from _devices(folder)


def _devices(folder: Path) -> Iterator[Finding]:
    from serial.tools.list_ports import comports

    from companion.board import bundled_boards, load_board
    from firmware_bridge.cli import check_grid as test_grid
    from firmware_bridge.link import choose_port
    from hardware.panel import FACTORIES, open_factory
    from vision.sources.camera import camera_numbers

    yield from check_cameras(camera_numbers, grab_camera)
    yield from check_picamera(find_spec("picamera2") is not None, grab_picamera)
    boards = [load_board(name) for name in bundled_boards()]
    yield from check_grid(
        lambda: choose_port(list(comports())), lambda: test_grid("serial:", boards, folder=folder)
    )
    yield from check_pins(lambda: open_factory([name for name in FACTORIES if name != "mock"]))


def _size(count: int) -> str:
    return f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{count / 1e6:.0f} MB"


def report(findings: Iterable[Finding]) -> int:
    """Prints the findings; the exit status: 1 when something needed does not work."""
    status = 0
    for finding in findings:
        click.echo(f"{finding.state:8} {finding.what:10} {finding.words}")
        status = max(status, finding.state == "broken")
    return status


@click.group(invoke_without_command=True)
@click.option("--data", type=click.Path(path_type=Path), help="the folder of games and profiles")
@click.pass_context
def doctor(context: click.Context, data: Path | None) -> int:
    """Camera, serial port, pins, disk, clock: what is there and works.

    Exit status 1 when something that is needed does not work.
    'ok' works; 'missing' is not there and can be done without; 'warn' works badly; 'broken' must be mended.
    """
    if context.invoked_subcommand:
        return 0
    try:
        folder = data_folder(data)
    except ConfigError as error:
        return report([Finding("broken", "disk", str(error)), *check_versions()])
    return report(_findings(folder))


doctor.add_command(doctor_grid, "grid")
