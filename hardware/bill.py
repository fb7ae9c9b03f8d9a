"""Counts the parts of a sensor grid for one board: numbers, currents, supply, wire and estimated prices.

Parts come from `parts.toml`, and their numbers from the board's file. Currents decide on the supply and
the fuse; lengths of wire follow from the distance of the sites.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Any, NamedTuple

from companion.core.board import Board
from companion.core.errors import CompanionError
from firmware_bridge.line.messages import Sensor
from firmware_bridge.line.wiring import MEGA, PICO, UNO, Controller, wire
from hardware.kicad.bill import bill as tile_bill
from hardware.kicad.layout import tile_for
from hardware.kicad.tile import RANKS, Tile, TileError
from hardware.magnets import advised, pitch_of, size_of

FOLDER = Path(__file__).resolve().parent
PARTS: Mapping[str, Any] = tomllib.loads((FOLDER / "parts.toml").read_text(encoding="utf-8"))
USES = ("grid", "reed", "digital", "analogue", "lamps", "panel")
TILE_FILES = {"tile": 8, "strips": 2}
"""How many files of the board one printed board has."""
PIN_MA = 8
"""The milliamps that a pin of the Pi may give, by its usual setting."""
LEAD = 0.4
"""The metres of wire from the edge of the board to the controller."""
POCKET = 0.2
"""The mm by which the hole in a foot is deeper than its magnet is thick."""
WASTE = 1.2
"""The share of wire that is needed with what is cut off."""


class PartsError(CompanionError):
    """A table of parts from which something would be built that breaks."""


class BillLine(NamedTuple):
    """A line of the bill: `ma` and `euro` are those of the whole `quantity`."""

    use: str
    part: str
    number: str
    equal: str
    quantity: float
    unit: str
    ma: float
    euro: float


@dataclass(frozen=True)
class GridToBuild:
    """A grid to be built: a board with a kind of sensor, and what it has besides."""

    board: Board
    sensor: Sensor
    extras: frozenset[str] = frozenset()
    chosen: Controller | None = None

    @property
    def controller(self) -> Controller:
        """The controller that was chosen; else the one that the guide recommends: the cheapest that serves.

        Linear sensors are simplest at the 5 V of an Arduino.
        """
        if self.chosen is not None:
            return self.chosen
        usual = (UNO, MEGA) if self.sensor is Sensor.ANALOGUE else (PICO, MEGA)
        return next((c for c in usual if len(self.board.sites) <= c.capacity(self.sensor)), MEGA)

    @property
    def uses(self) -> tuple[str, ...]:
        wanted = {"grid", *self.extras} | (set() if self.files else {self.sensor.word})
        return tuple(use for use in USES if use in wanted)

    @property
    def files(self) -> int:
        """The number of the board's files that one printed board has; 0 where the grid is wired."""
        return max((TILE_FILES.get(extra, 0) for extra in self.extras), default=0)

    @property
    def tile(self) -> Tile | None:
        """The printed board, where there is one. TileError for a board or sensor that none is made for."""
        if self.files and self.sensor is not Sensor.DIGITAL:
            raise TileError(f"printed boards are made for digital sensors, not for {self.sensor.word}")
        return tile_for(self.board, self.files) if self.files else None


def check_parts(parts: Sequence[Mapping[str, Any]]) -> None:
    """Raises PartsError for a part that would overload a pin of the Pi, or a buzzer that would not sound."""
    roles = {part["role"] for part in parts if "role" in part}
    for part in parts:
        needs = set(part.get("needs", ()))
        _check_pin(part, needs)
        _check_drive(part)
        if lacking := ", ".join(sorted(needs - roles)):
            raise PartsError(f"{part['part']}: there is no {lacking} among the parts")


def _check_pin(part: Mapping[str, Any], needs: set[str]) -> None:
    current = part.get("pin_ma", 0)
    if current > PIN_MA and "transistor" not in needs:
        raise PartsError(f"{part['part']}: {current} mA from a pin need a transistor")


def _check_drive(part: Mapping[str, Any]) -> None:
    if part.get("drive", "active") != "active":
        raise PartsError(f"{part['part']}: the panel gives direct current, on which it does not sound")


def bill(grid: GridToBuild) -> list[BillLine]:
    """Returns all lines of a grid's bill, with wire, supply and fuse.

    WiringError for a board too large, TileError for one that no printed board is made for, PartsError for
    parts that do not go together.
    """
    if "lamps" in grid.extras and not grid.controller.lights:
        raise PartsError(
            f"the firmware of the {grid.controller.title} lights no lamps yet: use another controller"
        )
    wire(grid.board, grid.sensor, grid.controller)
    parts = [part for part in PARTS["parts"] if part["use"] in grid.uses and _is_for(part, grid)]
    check_parts(parts)
    lines = [*_count_printed(grid), *(_line(part, grid) for part in parts)]
    return [*lines, *_wires(grid), *_supply(lines)]


def _is_for(part: Mapping[str, Any], grid: GridToBuild) -> bool:
    if part.get("wired" if grid.files else "tile"):
        return False
    mine = grid.controller
    return bool(
        part.get("controller", mine.name) == mine.name and part.get("volts", mine.volts) == mine.volts
    )


def _count_printed(grid: GridToBuild) -> Iterator[BillLine]:
    """Yields the printed boards, as many as are sold at least, and what stands on those that are needed."""
    tile = grid.tile
    if tile is None:
        return
    box, needed = tile.outline, _each("tile", grid)
    wide, high = box.right - box.left, box.bottom - box.top
    count = max(needed, PARTS["printed"]["least"])
    euro = count * wide * high / 1e4 * PARTS["printed"]["euro_dm2"]
    words = f"printed board, {wide:.1f} × {high:.1f} mm, two layers; {needed} of them needed"
    yield BillLine("grid", words, f"{tile.name}-gerbers.zip", "any maker of boards", count, "", 0, euro)
    for line in tile_bill(tile):
        if line.use in grid.uses:
            count = needed * line.quantity
            ma, euro = needed * line.ma, needed * line.euro
            yield BillLine(line.use, line.part, line.number, line.equal, count, "", ma, euro)


def _line(part: Mapping[str, Any], grid: GridToBuild) -> BillLine:
    count = part.get("count", 1) * _each(part["per"], grid)
    ma, euro = count * part.get("ma", 0), count * part["euro"]
    words, named = part["part"], part["number"]
    if part.get("advised"):
        magnet = advised(grid.board)
        size = {"diameter": magnet.diameter, "thickness": magnet.thickness, "deep": magnet.thickness + POCKET}
        words, named = words.format(size=size_of(magnet), **size), named.format(**size)
    return BillLine(part["use"], words, named, part["equal"], count, "", ma, euro)


def _each(per: str, grid: GridToBuild) -> int:
    """Returns how many times the thing is there for which a part is needed once."""
    if per == "grid":
        return 1
    if per == "tile":
        return len(grid.board.sites) // (RANKS * grid.files)
    if per == "hole":
        return _each("tile", grid) * len(grid.tile.holes if grid.tile else ())
    if per == "piece":
        return int(PARTS["sets"].get(grid.board.name, len(grid.board.sites)))
    sites = int(per.split()[0]) if per[0].isdigit() else 1
    return ceil(len(grid.board.sites) / sites)


def _wires(grid: GridToBuild) -> Iterator[BillLine]:
    """Yields the wire: two rails past every site, and signal wires to the middle of an edge."""
    sites, pitch = list(grid.board.sites.values()), pitch_of(grid.board) / 1000
    across = grid.board.pitch_mm / 1000 * (max(x for x, _ in sites) - min(x for x, _ in sites))
    if grid.files:
        return
    rails = 2 * pitch * len(sites)
    # The wires of a matrix run along rows and columns, and each of the others from its sensor to the edge.
    # From there on there is one for each row and column, or for each chip and for what all chips share.
    wiring = wire(grid.board, grid.sensor, grid.controller)
    reed = grid.sensor is Sensor.REED
    signals = 0.0 if reed else len(sites) * across / 2
    leads = LEAD * (wiring.height + (wiring.width if reed else 6))
    metres = ceil(WASTE * (rails + signals + leads))
    yield BillLine("grid", "stranded wire, 0.14 mm²", "LiY 0.14", "AWG 26", metres, "m", 0, 0.1 * metres)
    if "lamps" in grid.extras:
        metres = ceil(WASTE * rails)
        words = "stranded wire, 0.5 mm², for the lamps' supply"
        yield BillLine("lamps", words, "LiY 0.5", "AWG 20", metres, "m", 0, 0.2 * metres)


def _supply(lines: Sequence[BillLine]) -> Iterator[BillLine]:
    """Yields the smallest supply that bears the current of all parts, and the fuse of the sensors' rail."""
    current = sum(line.ma for line in lines)
    supply = next((s for s in PARTS["supplies"] if s["gives"] >= current), None)
    if supply is None:
        raise PartsError(f"the parts draw {current / 1000:.1f} A: no supply among the parts gives that")
    yield BillLine(
        "grid", supply["part"], supply["number"], "any that gives as much", 1, "", 0, supply["euro"]
    )
    if is_own(supply):
        rail = sum(line.ma for line in lines if line.use != "lamps")
        fuse = next((f for f in PARTS["fuses"] if f["bears"] >= rail and f["trips"] <= supply["most"]), None)
        if fuse is not None:
            words = f"fuse, resettable, {fuse['bears'] / 1000:g} A, in the sensors' rail"
            yield BillLine("grid", words, fuse["number"], "any that bears as much", 1, "", 0, 0.5)
        for part in PARTS["feeding"]:
            count = part["count"]
            euro = count * part["euro"]
            yield BillLine("grid", part["part"], part["number"], part["equal"], count, "", 0, euro)


def is_own(supply: Mapping[str, Any]) -> bool:
    """Returns whether a grid's supply is one of its own, and not a port that feeds it too."""
    return bool(supply["euro"])


def supply_of(lines: Sequence[BillLine]) -> Mapping[str, Any]:
    """Returns the supply that a bill lists, as parts.toml has it."""
    listed = {line.part for line in lines}
    return next(supply for supply in PARTS["supplies"] if supply["part"] in listed)
