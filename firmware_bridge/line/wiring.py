"""Says which wire goes to which site: the one table that the firmware, the drawings and the grid share.

A sensor has an address of two numbers: row and column of a matrix, multiplexer and input, or shift register
and input. Sensors are numbered as the board's file lists its sites, and addresses are dealt out in that
order; for a board that is wired otherwise, other addresses are handed in.
"""

from __future__ import annotations

from binascii import crc_hqx
from cmath import rect
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations, product
from math import dist, radians
from typing import NamedTuple

from companion.core.board import Board, bundled_boards, load_board
from companion.core.comments import tidy_line
from companion.core.errors import CompanionError
from companion.core.game import Site
from companion.language import say
from firmware_bridge.line.frames import CRC_START
from firmware_bridge.line.messages import Hello, Sensor


class WiringError(CompanionError):
    """A board that a controller has not enough pins for, or that no device here is built for."""


class Pin(NamedTuple):
    """A pin: the name that is printed beside it, and the port and bit that the firmware drives.

    Chips whose pins are numbered have no ports: `bit` is then the number.
    """

    label: str
    port: str
    bit: int


class Address(NamedTuple):
    """The address of a sensor: row and column, multiplexer and input, or register and input."""

    row: int
    column: int


@dataclass(frozen=True, slots=True)
class Controller:
    """A microcontroller board: its chip, the sites that it can read (`limit`), and the use of its pins."""

    name: str
    title: str
    chip: str
    limit: int
    columns: tuple[Pin, ...]
    rows: tuple[Pin, ...]
    """The rows of a matrix. They are read too, with pull-ups, so none is the pin that a Nano's lamp holds low
    (D13)."""
    select: tuple[Pin, ...]
    analogue: tuple[Pin, ...]
    shift: tuple[Pin, Pin, Pin]
    """The load, clock and data lines of the shift registers."""
    lamps: Pin
    enable: tuple[Pin, ...] = ()
    """The lines to EN of the multiplexers, on a chip with too few analogue inputs. All outputs then go to its
    first input."""
    volts: float = 5.0
    """The supply of the chip, and of all that is wired to it."""
    lights: bool = True
    """Whether its firmware can light lamps."""

    def capacity(self, sensor: Sensor) -> int:
        """Returns how many sites it reads with a kind of sensor."""
        if sensor is Sensor.REED:
            return min(self.limit, len(self.rows) * len(self.columns))
        if sensor is Sensor.ANALOGUE:
            return min(self.limit, len(self.enable or self.analogue) * MUX_INPUTS)
        return self.limit


def _pins(labels: str, ports: str) -> tuple[Pin, ...]:
    pairs = zip(labels.split(), ports.split(), strict=True)
    return tuple(Pin(label, port[0], int(port[1])) for label, port in pairs)


def _number_pins(prefix: str, *numbers: int) -> tuple[Pin, ...]:
    return tuple(Pin(f"{prefix}{number}", "", number) for number in numbers)


MEGA = Controller(
    "mega",
    "Arduino Mega 2560",
    "atmega2560",
    160,
    columns=_pins(
        "D22 D23 D24 D25 D26 D27 D28 D29 D30 D31 D32 D33 D34 D35 D36 D37",
        "A0 A1 A2 A3 A4 A5 A6 A7 C7 C6 C5 C4 C3 C2 C1 C0",
    ),
    rows=_pins("D49 D48 D47 D46 D45 D44 D43 D42 D41 D40", "L0 L1 L2 L3 L4 L5 L6 L7 G0 G1"),
    select=_pins("D22 D23 D24 D25", "A0 A1 A2 A3"),
    analogue=_pins("A0 A1 A2 A3 A4 A5 A6 A7 A8 A9", "F0 F1 F2 F3 F4 F5 F6 F7 K0 K1"),
    shift=(Pin("D22", "A", 0), Pin("D23", "A", 1), Pin("D24", "A", 2)),
    lamps=Pin("D12", "B", 6),
)
UNO = Controller(
    "uno",
    "Arduino Uno or Nano",
    "atmega328p",
    64,
    columns=_pins("D2 D3 D4 D5 D6 D7 D8 D9", "D2 D3 D4 D5 D6 D7 B0 B1"),
    rows=_pins("D10 D11 D12 A5 A0 A1 A2 A3", "B2 B3 B4 C5 C0 C1 C2 C3"),
    select=_pins("D2 D3 D4 D5", "D2 D3 D4 D5"),
    analogue=_pins("A0 A1 A2 A3", "C0 C1 C2 C3"),
    shift=(Pin("D2", "D", 2), Pin("D3", "D", 3), Pin("D4", "D", 4)),
    lamps=Pin("A4", "C", 4),
)
PICO = Controller(
    "pico",
    "Raspberry Pi Pico",
    "rp2040",
    150,
    columns=_number_pins("GP", *range(15)),
    rows=_number_pins("GP", *range(15, 23), 26, 27),
    select=_number_pins("GP", 0, 1, 2, 3),
    analogue=_number_pins("GP", 26),
    shift=(Pin("GP0", "", 0), Pin("GP1", "", 1), Pin("GP2", "", 2)),
    lamps=Pin("GP28", "", 28),
    enable=_number_pins("GP", *range(4, 14)),
    volts=3.3,
)
ESP32S3 = Controller(
    "esp32s3",
    "ESP32-S3-DevKitC-1",
    "esp32s3",
    160,
    # Not used: the pins that choose how it starts (0, 45, 46), USB (19, 20), flash and PSRAM (26 to
    # 37), the serial port (43, 44), and the lamp on the board (38 or 48). GPIO3 chooses nothing on a
    # chip as sold; only a tenth multiplexer uses it.
    columns=_number_pins("GPIO", *range(4, 17)),
    rows=_number_pins("GPIO", 17, 18, 21, 39, 40, 41, 42, 47, 1, 2),
    select=_number_pins("GPIO", 11, 12, 13, 14),
    analogue=_number_pins("GPIO", 1, 2, *range(4, 11), 3),
    shift=(Pin("GPIO11", "", 11), Pin("GPIO12", "", 12), Pin("GPIO13", "", 13)),
    lamps=Pin("GPIO48", "", 48),
    volts=3.3,
    lights=False,
)
CONTROLLERS: Mapping[str, Controller] = {c.name: c for c in (MEGA, UNO, PICO, ESP32S3)}
ANGLES = (0, 60, 90, 120, 180, 240, 270, 300)
"""The degrees by which a board of squares or hexagons can lie turned."""
NEAR = 0.01
"""The distance at which two points are one, as a share of the board's width."""
MUX_INPUTS = 16
REGISTER_INPUTS = 8


@dataclass(frozen=True, slots=True)
class Wiring:
    """The addresses of a board's sites on a controller, for a kind of sensor."""

    board: str
    sites: tuple[Site, ...]
    addresses: tuple[Address, ...]
    sensor: Sensor
    controller: Controller
    spots: tuple[tuple[float, float], ...] = ()
    """The points of the sites, in the board's own unit."""
    soldered: tuple[Site, ...] = ()
    """The sites at which the sensors lie, by the device's numbers; () where that is the order of `sites`."""

    @property
    def numbered(self) -> tuple[Site, ...]:
        """Returns the sites in the order in which the device numbers their sensors."""
        return self.soldered or self.sites

    @property
    def name(self) -> str:
        return f"{self.board}-{self.sensor.word}-{self.controller.name}"

    @property
    def check(self) -> int:
        return board_check(self.sites)

    @property
    def width(self) -> int:
        return 1 + max(a.column for a in self.addresses)

    @property
    def height(self) -> int:
        return 1 + max(a.row for a in self.addresses)


def neighbours(wiring: Wiring) -> dict[Site, frozenset[Site]]:
    """Returns the sites beside each: no farther than one and a half times the nearest two of the board."""
    at = dict(zip(wiring.sites, wiring.spots, strict=True))
    near = 1.5 * min((dist(a, b) for a, b in combinations(wiring.spots, 2)), default=0.0)
    return {s: frozenset(n for n in at if n != s and dist(at[s], at[n]) <= near) for s in at}


def board_check(sites: tuple[Site, ...]) -> int:
    """Returns what tells boards apart on the wire: the CRC of the site names in order, joined by commas."""
    return crc_hqx(",".join(sites).encode(), CRC_START)


def wire(board: Board, sensor: Sensor, controller: Controller) -> Wiring:
    """Returns the board's wiring. WiringError when the controller is too small for it."""
    sites = tuple(board.sites)
    width = _width(len(sites), sensor, controller)
    if len(sites) > controller.capacity(sensor):
        raise WiringError(
            f"{board.name} has {len(sites)} sites, {controller.title} takes {controller.capacity(sensor)}: "
            f"use {MEGA.title}"
            if len(sites) <= MEGA.limit
            else f"{board.name} has {len(sites)} sites: no controller here takes more than {MEGA.limit}"
        )
    addresses = tuple(Address(*divmod(i, width)) for i in range(len(sites)))
    spots = tuple((float(x), float(y)) for x, y in board.sites.values())
    return Wiring(board.name, sites, addresses, sensor, controller, spots)


def rewire(wiring: Wiring, wires: Mapping[Site, Site]) -> Wiring:
    """Returns the wiring where wires end otherwise than in the table: that of a key at its value's sensor.

    WiringError when that is no exchange of this board's wires.
    """
    check_exchange(wires, wiring.sites)
    at = dict(zip(wiring.sites, wiring.addresses, strict=True))
    dealt = [at[site] for site in wiring.numbered]
    ends = tuple(wires.get(site, site) for site in wiring.sites)
    at = dict(zip(ends, dealt, strict=True))
    soldered = () if ends == wiring.sites else ends
    return replace(wiring, soldered=soldered, addresses=tuple(at[site] for site in wiring.sites))


def check_exchange(wires: Mapping[Site, Site], sites: Collection[Site]) -> None:
    """Raises WiringError unless each wire ends at another sensor, and each sensor has one wire."""
    if stray := sorted({*wires, *wires.values()} - set(sites)):
        raise WiringError(f"the map of the wires names '{stray[0]:.40}', which is no site of the board")
    if sorted(wires) != sorted(wires.values()):
        raise WiringError("the map of the wires is no exchange: two wires end at one sensor")


class Turn(NamedTuple):
    """A grid that lies turned by an angle under its board, or is wired in the mirror."""

    angle: int
    is_mirrored: bool
    wires: Mapping[Site, Site | None]
    """The wire that each site has then, by the site that it is meant for; None where none is there."""
    agreeing: tuple[Site, ...]
    """The sites that were heard so, of which there are more than half."""


def find_turn(wiring: Wiring, heard: Mapping[Site, Site]) -> Turn | None:
    """Returns how a grid lies otherwise than in the table, by the wire that each site has; None where it
    does not."""
    points = {site: complex(*spot) for site, spot in zip(wiring.sites, wiring.spots, strict=True)}
    middle = sum(points.values()) / len(points)
    points = {site: point - middle for site, point in points.items()}
    near = NEAR * max(map(abs, points.values()))
    for is_mirrored, angle in product((False, True), ANGLES):
        turn = rect(1, radians(angle))
        ends = {s: turn * (p.conjugate() if is_mirrored else p) for s, p in points.items()}
        agreeing = [s for s, wire in heard.items() if s != wire and abs(points[wire] - ends[s]) <= near]
        if len(agreeing) > len(points) / 2:
            wires = {
                s: next((t for t, p in points.items() if abs(p - end) <= near), None)
                for s, end in ends.items()
            }
            return Turn(min(angle, 360 - angle), is_mirrored, wires, tuple(agreeing))
    return None


def lamp_sites(wiring: Wiring) -> tuple[Site, ...]:
    """Returns the sites of the lamps in the order of their chain: they lie as the grid does, turned or not.

    A wire that ends at another sensor, alone or because all are wired in the mirror, moves no lamp.
    """
    turn = find_turn(wiring, dict(zip(wiring.numbered, wiring.sites, strict=True)))
    if turn is None or turn.is_mirrored or None in turn.wires.values():
        return wiring.sites
    places = {wire: site for site, wire in turn.wires.items()}
    return tuple(places[site] for site in wiring.sites)


def known_boards(played: Board | None = None) -> tuple[Board, ...]:
    """Returns the boards that a grid may be built for: that of the game first, then those of the product."""
    bundled = tuple(load_board(name) for name in bundled_boards())
    return bundled if played is None else (played, *(board for board in bundled if board is not played))


def wiring_of(hello: Hello, boards: Iterable[Board]) -> Wiring:
    """Returns the wiring of a device, by what it says of itself. WiringError when it is for none of these
    boards.

    The device's name begins with that of its board, which matters where several have the same sites, and ends
    with that of the controller, which matters only for the addresses.
    """
    fitting = [board for board in boards if board_check(tuple(board.sites)) == hello.board]
    named = [board for board in fitting if hello.name.startswith(f"{board.name}-")]
    board = next(iter(named or fitting), None)
    if board is None or hello.sensor not in frozenset(Sensor):
        raise WiringError(
            say(
                "the sensor grid is built for another board ({board}): flash it for this one",
                board=tidy_line(hello.name),
            )
        )
    return wire(board, Sensor(hello.sensor), CONTROLLERS.get(hello.name.rpartition("-")[2], MEGA))


def _width(count: int, sensor: Sensor, controller: Controller) -> int:
    """Returns the columns in use: for a matrix as few as its rows allow, and eight where eight will do."""
    if sensor is Sensor.ANALOGUE:
        return MUX_INPUTS
    if sensor is Sensor.DIGITAL:
        return REGISTER_INPUTS
    return min(len(controller.columns), max(8, -(-count // min(8, len(controller.rows)))))
