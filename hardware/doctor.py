"""`companion doctor`: one line for each thing that the companion needs, and what to do where it does not
work.

A check is a function that looks at one thing and yields lines. It is handed the functions that it looks with,
so that tests need no device. A thing that is `missing` can be done without; one that is `broken` cannot.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import click

from broker_bridge.options import SECTION, HallSettings, read_hall
from broker_bridge.visit import try_broker
from companion.cli.options import data_option
from companion.config import ConfigError, data_folder, read_settings
from companion.core.errors import CompanionError
from companion.sensing.observation import Sighting
from companion.store.connection import connect_to_read
from companion.store.rows import ROWS, read_summary
from firmware_bridge.cli import check_grid as test_grid
from firmware_bridge.cli import doctor_grid
from firmware_bridge.line.usb import USB
from firmware_bridge.setup.grid_setup import GridStatus
from hardware.machine import outward_address
from hardware.running import RunningSource, running_devices

OPTIONAL = {"chess": "chess is not offered", "paho-mqtt": "this board can join no hall"}
BUILT = datetime(2025, 1, 1, tzinfo=UTC).timestamp()
"""Seconds since 1970: no clock that is right shows an earlier time."""
SCARCE, FULL = 1_000_000_000, 50_000_000
"""Free bytes of the disk: with fewer than SCARCE a warning is given, with fewer than FULL no game fits."""
DARK = 12.0
"""Mean brightness (0 to 255) below which a picture shows nothing."""
SYSFS = Path("/sys")
THROTTLED = (
    "bus/platform/drivers/raspberrypi-firmware/*/get_throttled",
    "devices/platform/soc*/soc*:firmware/get_throttled",
)
"""The places of a Pi's file of low voltage (bit 0 now, bit 16 since the start) and heat (bits 2 and 18): the
name of the device in the path differs from one Pi to the next."""
TROUBLED = ("lost", "unlearned", "trouble")
"""The states of a running companion's sources that want something done."""
NO_BRLTTY = "'sudo apt remove brltty', unless you read Braille; then unplug the board, and plug it in"
BOOKED = "another program uses it: stop 'companion run', or the service, and ask again"


class Check(NamedTuple):
    """One line of the report: `ok`, `warn`, `missing` or `broken`; the thing concerned, and words."""

    state: str
    what: str
    words: str


def list_needed() -> list[str]:
    """Returns the libraries that the companion declares to need, but for those of its extras."""
    declared = metadata.requires("board-companion") or ()
    return [re.split(r"[^\w.-]", library)[0] for library in declared if "extra ==" not in library]


def check_versions(version: Callable[[str], str] = metadata.version) -> Iterator[Check]:
    """Checks Python and the libraries; one that is not installed is broken where the companion needs it."""
    yield Check("ok", "system", f"Python {platform.python_version()}, {sys.platform} {platform.machine()}")
    found, lacking = [], []
    for name in list_needed():
        try:
            found.append(f"{name} {version(name)}")
        except metadata.PackageNotFoundError:
            lacking.append(name)
    if lacking:
        words = f"not installed: {', '.join(lacking)}; run ./run or the installer again"
        yield Check("broken", "libraries", words)
    else:
        yield Check("ok", "libraries", ", ".join(found))
    for name, loss in OPTIONAL.items():
        try:
            version(name)
        except metadata.PackageNotFoundError:
            yield Check("missing", name, f"{loss}: pip install {name}")


def check_disk(folder: Path, usage: Callable[[Path], Any] = shutil.disk_usage) -> Iterator[Check]:
    """Checks whether games can be written, and for how long."""
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"x")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        words = f"cannot write to '{folder}' ({error.strerror}): name another with --data"
        yield Check("broken", "disk", words)
        return
    free = usage(folder).free
    state = "broken" if free < FULL else "warn" if free < SCARCE else "ok"
    advice = "" if state == "ok" else ": make room, games are kept there"
    yield Check(state, "disk", f"{_size(free)} free for '{folder}'{advice}")


def check_games(folder: Path) -> Iterator[Check]:
    """Checks whether the file of the stored games is whole."""
    path = folder / "games.sqlite"
    if not path.exists():
        yield Check("ok", "games", "none stored yet")
        return
    try:
        db = connect_to_read(str(path))
        try:
            verdict = str(db.execute("PRAGMA quick_check").fetchone()[0])
            count = db.execute("SELECT count(*) FROM games").fetchone()[0]
            bad = _damaged_games(db) if verdict == "ok" else []
        finally:
            db.close()
    except (sqlite3.Error, UnicodeDecodeError) as error:
        yield Check("broken", "games", f"'{path}' cannot be read ({error}): 'companion records repair'")
        return
    if verdict == "ok" and bad:
        named = ", ".join(map(str, bad))
        yield Check("broken", "games", f"damaged: game {named}; 'companion records check' replays all")
    elif verdict == "ok":
        yield Check("ok", "games", f"{count} stored, the file is whole")
    else:
        yield Check("broken", "games", f"'{path}' is damaged ({verdict}): 'companion records repair'")


def _damaged_games(db: sqlite3.Connection) -> list[int]:
    """Returns the numbers of the games whose row in the list is damaged."""
    summaries = map(read_summary, db.execute(ROWS).fetchall())
    return [summary.id for summary in summaries if summary.is_damaged]


def check_clock(folder: Path, now: float) -> Iterator[Check]:
    """Checks whether the time can be right: a Pi without network starts where it stopped, or in 1970."""
    newest = max((file.stat().st_mtime for file in folder.glob("games.sqlite*")), default=0.0)
    told = datetime.fromtimestamp(now, UTC).strftime("%Y-%m-%d %H:%M UTC")
    if now < BUILT:
        words = f"{told} cannot be: connect a network once, or set it with 'sudo date -s'"
        yield Check("warn", "clock", words)
    elif newest > now + 60:
        yield Check("warn", "clock", f"{told} is earlier than the last stored game: set it right")
    else:
        yield Check("ok", "clock", told)


def check_network(address: str) -> Iterator[Check]:
    """Says where a tablet finds this machine."""
    if not address:
        yield Check("warn", "network", "no address: only a browser on this machine can open the page")
    else:
        yield Check("ok", "network", f"with --host 0.0.0.0 a tablet opens http://{address}:8000/")


def check_hall(folder: Path, attempt: Callable[[HallSettings], str]) -> Iterator[Check]:
    """Joins the hall that the settings name; says nothing where they name none."""
    try:
        hall = read_hall({}, read_settings(folder).get(SECTION, {}))
        if hall is None:
            return
        words = attempt(hall)
    except CompanionError as error:
        yield Check("broken", "hall", str(error))
        return
    if words:
        yield Check("warn", "hall", f"{words}; what is played is told when it is there")
    else:
        yield Check("ok", "hall", f"{hall.board} at {hall.broker}")


def check_power(folder: Path = SYSFS) -> Iterator[Check]:
    """Checks for low voltage and heat, on a Pi; `folder` is that of sysfs."""
    found = [path for pattern in THROTTLED for path in folder.glob(pattern)]
    if not found:
        return
    try:
        bits = int(found[0].read_text(encoding="ascii"), 16)
    except (OSError, ValueError):
        return
    if bits & 0x10001:
        yield Check("warn", "power", "the voltage was too low: use the Pi's own supply and a short cable")
    elif bits & 0x40004:
        yield Check("warn", "power", "the Pi slowed down because of heat: give it air")
    else:
        yield Check("ok", "power", "voltage and heat are fine")


def check_adapters(folder: Path = SYSFS) -> Iterator[Check]:
    """Checks whether each adapter on USB has a port: brltty takes them for Braille displays."""
    for vendor in sorted(folder.glob("bus/usb/devices/*/idVendor")):
        device = vendor.parent
        try:
            numbers = [
                int((device / name).read_text(encoding="ascii"), 16) for name in ("idVendor", "idProduct")
            ]
        except (OSError, ValueError):
            continue
        board = USB.get((numbers[0], numbers[1]))
        if board and board.is_adapter and not any(device.glob("*:*/tty*")):
            words = f"{board.name} has no port, most likely because brltty takes it: {NO_BRLTTY}"
            yield Check("warn", "usb", words)


def check_cameras(numbers: Callable[[], list[int]], grab: Callable[[str], Any]) -> Iterator[Check]:
    """Checks whether each USB camera gives a picture, and whether anything can be seen on it."""
    found = numbers()
    if not found:
        yield Check("missing", "camera", "none on USB: plug one in, or play with --source virtual")
    for number in found:
        yield _check_picture(f"camera:{number}", grab)


def check_picamera(installed: bool, grab: Callable[[str], Any]) -> Iterator[Check]:
    """Checks the camera on the ribbon cable."""
    if not installed:
        words = "picamera2 is not there (it comes with 'sudo apt install python3-picamera2')"
        yield Check("missing", "picamera", words)
    else:
        yield _check_picture("picamera", grab)


def _check_picture(name: str, grab: Callable[[str], Any]) -> Check:
    try:
        image = grab(name)
    except (CompanionError, OSError, RuntimeError) as error:
        return Check("warn", name, str(error))
    if image is None:
        return Check("warn", name, f"gives no picture; {BOOKED}")
    height, width = image.shape[:2]
    if image.mean() < DARK:
        return Check("warn", name, f"{width}×{height}, but black: take the cap off, or give it light")
    return Check("ok", name, f"{width}×{height}")


def check_grid(port: Callable[[], str], test: Callable[[], GridStatus]) -> Iterator[Check]:
    """Checks whether a sensor grid answers on a serial port, and names its bad sensors."""
    try:
        name = port()
    except (CompanionError, OSError) as error:
        yield Check("missing", "grid", str(error))
        return
    if Path(name).exists() and not os.access(name, os.R_OK | os.W_OK):
        words = f"no right to use {name}: 'sudo adduser $USER dialout', then log in again"
        yield Check("warn", "grid", words)
        return
    try:
        found = test()
    except (CompanionError, OSError) as error:
        yield Check("warn", "grid", f"{name}: {error}")
        return
    count = len(found.spots)
    if found.bad:
        names = ", ".join(sorted(found.bad))
        yield Check("warn", "grid", f"{name}: {len(found.bad)} of {count} sensors are bad: {names}")
    else:
        yield Check("ok", "grid", f"{name}: {found.words}")


def check_eboards(sources: Iterable[str], listen: Callable[[str], Sighting | None]) -> Iterator[Check]:
    """Checks whether each e-board that is plugged in tells what stands on it."""
    for source in sources:
        seen = listen(source)
        if seen is None or seen.observation is None:
            words = seen.trouble if seen else "does not answer: is it switched on?"
            yield Check("warn", "e-board", f"{source}: {words}")
        else:
            count = len(seen.observation.kinds)
            yield Check("ok", "e-board", f"{source}: {count} pieces stand on it")


def check_pins(factory: Callable[[], Any]) -> Iterator[Check]:
    """Checks the Pi's pins, for buttons and lamps."""
    try:
        found = factory()
    except CompanionError as error:
        yield Check("missing", "pins", str(error))
        return
    yield Check("ok", "pins", type(found).__name__)
    found.close()


def _grab(text: str) -> Any:
    """Takes a picture of a source, after a few that a camera needs to settle."""
    from vision.sources.source import open_source

    source = open_source(text)
    try:
        frames = [source.read() for _ in range(5)]
    finally:
        source.close()
    return frames[-1].image if frames[-1] else None


def _all_checks(folder: Path) -> Iterator[Check]:
    """Carries out all checks, with this machine's devices."""
    yield from check_versions()
    yield from check_disk(folder)
    yield from check_games(folder)
    yield from check_clock(folder, time.time())
    yield from check_network(outward_address())
    yield from check_hall(folder, lambda hall: try_broker(hall.broker, f"{hall.board} doctor"))
    yield from check_power()
    yield from check_adapters()
    running = running_devices(folder)
    if running is None:
        yield from _devices(folder)
    else:
        yield from check_running(running)


def check_running(devices: Iterable[RunningSource]) -> Iterator[Check]:
    """Says what the companion that runs tells of its devices: to open them here would disturb its game."""
    yield Check("ok", "running", "a companion runs and uses the devices; this is what it says of them")
    for device in devices:
        state = "warn" if device.state in TROUBLED or device.words else "ok"
        yield Check(state, device.name, device.words or device.state)


def _devices(folder: Path) -> Iterator[Check]:
    from serial.tools.list_ports import comports

    from companion.core.board import load_board
    from firmware_bridge.eboards.source import listen
    from firmware_bridge.line.link import choose_port, lasting_name
    from firmware_bridge.line.wiring import known_boards
    from hardware.panel import FACTORIES, open_factory
    from hardware.plugged_in import find_eboards, is_adapter
    from vision.sources.camera import camera_numbers

    yield from check_cameras(camera_numbers, _grab)
    yield from check_picamera(find_spec("picamera2") is not None, _grab)
    ports = list(comports())
    eboards = [found.source for found in find_eboards([port for port in ports if is_adapter(port)])]
    yield from check_eboards(eboards, lambda text: listen(text, load_board("chess")))
    rest = [port for port in ports if f"millennium:{lasting_name(port.device)}" not in eboards]
    yield from check_grid(
        lambda: choose_port(rest),
        lambda: test_grid(f"serial:{choose_port(rest)}", known_boards(), folder=folder),
    )
    yield from check_pins(lambda: open_factory([name for name in FACTORIES if name != "mock"]))


def _size(count: int) -> str:
    return f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{count / 1e6:.0f} MB"


def report(checks: Iterable[Check]) -> int:
    """Prints the lines; returns the exit status, which is 1 when something that is needed does not work."""
    status = 0
    for check in checks:
        click.echo(f"{check.state:8} {check.what:10} {check.words}")
        status = max(status, check.state == "broken")
    return status


@click.group(invoke_without_command=True)
@data_option
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
        return report([Check("broken", "disk", str(error)), *check_versions()])
    return report(_all_checks(folder))


doctor.add_command(doctor_grid, "grid")
