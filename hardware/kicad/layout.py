"""Lays out a tile of digital Hall switches, on a chain of shift registers with one for each file.

A sensor lies in the middle of its site, and its lamp north of it, beside the widest piece. Along each file
run, on the front: ground (x = -7), the sensors' supply (4.6), the lamps' supply (6), the lamps' data (-8.5
from lamp to lamp, -10 back to the first rank), and a lane from each sensor straight to its pin of the
register, which lies between the fourth and the fifth rank.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.board import Board
from companion.core.game import Site
from firmware_bridge.line.messages import Sensor
from firmware_bridge.line.wiring import MEGA, UNO, Address, Wiring, wire
from hardware.kicad.tile import (
    BACK,
    FRONT,
    GND,
    LAMP_SUPPLY,
    POWER_WIDTH,
    RANKS,
    SUPPLY,
    TRUNK_WIDTH,
    Label,
    Part,
    Point,
    Tile,
    TileError,
    begin,
    names_of,
    part,
    two_pins,
)
from hardware.magnets import pitch_of
from hardware.mechanics import LAMP_HOLE, RIM, reach_of

X_GND, X_SUPPLY, X_LAMP_SUPPLY = -7.0, 4.6, 6.0
X_LAMP_DATA, X_LAMP_RETURN, X_DATA = -8.5, -10.0, -12.0
X_REGISTER = 11.6
INPUTS = "ABCDEFGH"
CHAIN_PINS = ("LOAD", "CLK", "GND", "DATA", "+5V", "LAMP")
"""The pins of the two connectors between tiles, from 1 on."""
Y_PIN_1, PIN_STEP = -4.25, -2.5
CONNECTOR_INSET, HOLE_INSET, EDGE_LANE = 3.75, 4.0, 1.8
"""From the edge of the outer squares to a connector's pins, to the middle of a hole, and to a track."""
Y_LATTICE = -8.0
"""Where ground crosses the files, beside each rank: with the trunks it makes a lattice."""
Y_CHAIN = 7.6
LAMP_ROOMS = ((1.5, 3.6), (8.8, 10.5))
"""How far a lamp may be from the line between two ranks: lines across the files leave these rooms."""


def tile_for(board: Board, files: int = RANKS) -> Tile:
    """Returns the tile for a board, with that many of its files. The errors are those of `lay_out`."""
    controller = next((c for c in (UNO, MEGA) if len(board.sites) <= c.limit), MEGA)
    pitch = pitch_of(board)
    return lay_out(wire(board, Sensor.DIGITAL, controller), pitch, files, lamp_distance(board, pitch))


def lamp_distance(board: Board, pitch: float) -> float:
    """Returns how far north of its site a lamp lies: beside the widest piece, and within its own field.

    Where pieces fill their fields it lies as near to the field's edge as it can.
    """
    widest = max(reach_of(face) for face in board.pieces.faces.values()) * board.pitch_mm
    room = pitch / 2 - (widest + RIM + LAMP_HOLE / 2)
    rooms = (min(room, most) for least, most in reversed(LAMP_ROOMS) if room >= least)
    return round(pitch / 2 - next(rooms, LAMP_ROOMS[0][0]), 2)


def lay_out(wiring: Wiring, pitch: float, files: int, lamp: float) -> Tile:
    """Returns the tile for the first `files` files of a wiring's board.

    Sites are `pitch` mm apart, and lamps lie `lamp` mm north of theirs (`lamp_distance`). TileError for other
    sensors than digital ones, for a board that is not made of files with eight ranks, and for a pitch that is
    too small.
    """
    if wiring.sensor is not Sensor.DIGITAL:
        raise TileError(f"tiles are made for digital sensors: wire {wiring.sensor.word} after the drawing")
    tile = begin(wiring, pitch, files, lamp)
    for index, site in enumerate(tile.sites):
        _add_site(tile, index, site, wiring.addresses[index])
    for file in range(files):
        _add_register(tile, file)
        _lay_trunks(tile, file)
        _lay_lamp_data(tile, file)
    _join_registers(tile)
    _add_connectors(tile)
    _join_connectors(tile)
    _add_lamp_supply(tile)
    _drill(tile)
    _mark(tile)
    _print_words(tile, wiring)
    return tile


def sensor_net(site: Site) -> str:
    """Returns the net from a sensor to its register's input."""
    return f"S_{site}"


def lamp_net(index: int) -> str:
    """Returns the net that brings the lamp of that number its data."""
    return "LAMP" if index == 0 else f"LAMP{index}"


def chain_net(register: int) -> str:
    """Returns the net of the output of the register of that number, counted from the controller."""
    return "DATA" if register == 0 else f"DATA{register}"


def _sheet(file: int) -> str:
    return f"file {file + 1}"


def _add_site(tile: Tile, index: int, site: Site, address: Address) -> None:
    """Adds what is at one site, and its lane to the register."""
    file, rank = divmod(index, RANKS)
    if address != Address(file, rank):
        raise TileError(f"{site} is at register {address.row}, input {address.column}: no tile is made so")
    (x, y), sheet, out = tile.spot(file, rank), _sheet(file), sensor_net(site)
    number = index + 1
    power = {"VCC": SUPPLY, "GND": GND, "OUT": out}
    lamp = {"VDD": LAMP_SUPPLY, "GND": GND, "DIN": lamp_net(index), "DOUT": lamp_net(index + 1)}
    for made in (
        part(f"U{number}", "hall switch", power, (x, y), 180, sheet=sheet, site=site),
        two_pins(f"C{number}", "capacitor 100n", (SUPPLY, GND), (x, y - 2.75), 180, sheet=sheet, site=site),
        two_pins(
            f"R{number}", "resistor 10k", (SUPPLY, out), (x + 3.4, y - 0.95), 180, sheet=sheet, site=site
        ),
        part(f"D{number}", "lamp", lamp, (x, y - tile.lamp), sheet=sheet, site=site),
        two_pins(
            f"C{100 + number}",
            "capacitor 100n",
            (LAMP_SUPPLY, GND),
            (x + 2.6, y - tile.lamp + 0.275),
            270,
            sheet=sheet,
            site=site,
        ),
    ):
        tile.add(made)
    _lay_site(tile, x, y, out)
    lane = x + X_REGISTER + _input_offset(rank)
    end = tile.middle + (2.475 if rank < 4 else -2.475)
    tile.across(out, y + 0.05, x + 2.575, lane)
    tile.run(out, FRONT, (lane, y + 0.05), (lane, end))


def _lay_site(tile: Tile, x: float, y: float, out: str) -> None:
    """Lays the short tracks around a site: power from the trunks, and the sensor to its pull-up."""
    power, lamp = {"width": POWER_WIDTH}, y - tile.lamp
    tile.run(SUPPLY, FRONT, (x + 1.05, y + 0.95), (x + X_SUPPLY, y + 0.95), **power)
    tile.run(SUPPLY, FRONT, (x + 0.825, y - 2.75), (x + X_SUPPLY, y - 2.75), **power)
    tile.run(SUPPLY, FRONT, (x + 4.225, y - 0.95), (x + X_SUPPLY, y - 0.95), **power)
    tile.run(GND, FRONT, (x - 1.05, y), (x + X_GND, y), **power)
    tile.run(GND, FRONT, (x - 0.825, y - 2.75), (x + X_GND, y - 2.75), **power)
    tile.run(GND, FRONT, (x - 0.915, lamp + 0.55), (x + X_GND, lamp + 0.55), **power)
    tile.run(GND, FRONT, (x + 2.6, lamp + 1.1), (x + 2.6, lamp + 2.8), (x + X_GND, lamp + 2.8), **power)
    tile.run(LAMP_SUPPLY, FRONT, (x + 0.915, lamp - 0.55), (x + 3.6, lamp - 0.55), **power)
    tile.across(LAMP_SUPPLY, lamp - 0.55, x + 3.6, x + X_LAMP_SUPPLY, **power)
    tile.run(out, FRONT, (x + 1.05, y - 0.95), (x + 2.575, y - 0.95), (x + 2.575, y + 0.05))


def _input_offset(rank: int) -> float:
    """Returns where a rank's input lies, from the middle of the register: A to D, then H to E."""
    step = rank if rank < 4 else 7 - rank
    return -1.905 + 1.27 * step


def _add_register(tile: Tile, file: int) -> None:
    x, y = file * tile.pitch + X_REGISTER, tile.middle
    nets: dict[str, str | None] = {
        INPUTS[rank]: sensor_net(tile.sites[file * RANKS + rank]) for rank in range(RANKS)
    }
    nets |= {"VCC": SUPPLY, "GND": GND, "INH": GND, "~{QH}": None, "SH/~{LD}": "LOAD", "CLK": "CLK"}
    nets |= {"QH": chain_net(file), "SER": chain_net(file + 1)}
    chip = tile.add(part(f"U{101 + file}", "shift register", nets, (x, y), 270, sheet=_sheet(file)))
    capacitor = two_pins(
        f"C{201 + file}", "capacitor 100n", (SUPPLY, GND), (x + 4.45, y + 5.25), 270, sheet=_sheet(file)
    )
    tile.add(capacitor)
    _lay_register(tile, chip, file * tile.pitch)


def _lay_register(tile: Tile, chip: Part, x: float) -> None:
    """Lays a register's power and control lines; the inputs' lanes end at its pads."""
    y = tile.middle
    power = {"width": POWER_WIDTH}
    vcc, inhibit, gnd = chip.pin("VCC"), chip.pin("INH"), chip.pin("GND")
    right = vcc.x + 1.25
    tile.run(SUPPLY, FRONT, vcc, (vcc.x, y + 4.425), (right, y + 4.425), **power)
    tile.across(SUPPLY, y + 4.425, right, x + X_SUPPLY, **power)
    tile.run(GND, FRONT, inhibit, (inhibit.x, y + 6.075), (right, y + 6.075))
    tile.across(GND, y + 6.075, right, x + X_GND, **power)
    tile.run(GND, FRONT, gnd, (gnd.x, y + _pin_y("GND")))
    tile.via(GND, gnd.x, y + _pin_y("GND"))
    connector = (tile.files - 0.5) * tile.pitch - CONNECTOR_INSET
    for name, net in (("SH/~{LD}", "LOAD"), ("CLK", "CLK")):
        pin, line = chip.pin(name), y + _pin_y(net)
        tile.run(net, FRONT, pin, (pin.x, line))
        if abs(connector - pin.x) < 1.5:  # a via would be too near the connector's hole, which serves as one
            tile.run(net, FRONT, (pin.x, line), (connector, line))
        else:
            tile.via(net, pin.x, line)


def _pin_y(net: str) -> float:
    """Returns the y of a line between the connectors, from the middle."""
    return Y_PIN_1 + PIN_STEP * CHAIN_PINS.index(net)


def _lay_trunks(tile: Tile, file: int) -> None:
    """Lays the power of a file along it, and joins it to the lines that cross all files."""
    x, top = file * tile.pitch, -(RANKS - 1) * tile.pitch
    south = tile.pitch / 2 - 4.2  # where the lamps' supply comes in
    for net, at, first, last in (
        (GND, X_GND, top - tile.lamp + 0.55, 11.5 if file else south),
        (SUPPLY, X_SUPPLY, top - 2.75, 0.95),
        (LAMP_SUPPLY, X_LAMP_SUPPLY, top - tile.lamp - 0.55, 8.0 if file else south),
    ):
        tile.run(net, FRONT, (x + at, first), (x + at, last), width=TRUNK_WIDTH)
    tile.via(GND, x + X_GND, tile.middle + _pin_y("GND"))
    tile.via(SUPPLY, x + X_SUPPLY, tile.middle + _pin_y("+5V"))
    if tile.files > 1:
        for rank in range(RANKS):
            tile.via(GND, x + X_GND, -rank * tile.pitch + Y_LATTICE)
    for dx in (-0.4, 0.4):
        tile.via(LAMP_SUPPLY, x + X_LAMP_SUPPLY + dx, 8)
        tile.via(GND, x + X_GND + dx, 11.5)


def _lay_lamp_data(tile: Tile, file: int) -> None:
    """Lays the lamps' data from lamp to lamp up a file, and from its last lamp to the next file's first."""
    x = file * tile.pitch
    for rank in range(RANKS):
        index = file * RANKS + rank
        y = -rank * tile.pitch - tile.lamp
        arriving, leaving = lamp_net(index), lamp_net(index + 1)
        tile.run(arriving, FRONT, (x + 0.915, y + 0.55), (x + 0.915, y + 1.7))
        tile.across(arriving, y + 1.7, x + 0.915, x + (X_LAMP_DATA if rank else X_LAMP_RETURN))
        tile.run(leaving, FRONT, (x - 0.915, y - 0.55), (x - 2, y - 0.55))
        if rank + 1 < RANKS:
            tile.across(leaving, y - 0.55, x - 2, x + X_LAMP_DATA)
            tile.run(leaving, FRONT, (x + X_LAMP_DATA, y - 0.55), (x + X_LAMP_DATA, y - tile.pitch + 1.7))
    _lead_lamp_data_on(tile, file)


def _lead_lamp_data_on(tile: Tile, file: int) -> None:
    """Lays the lamps' data on from the last lamp of a file: to the next file, or to the connector."""
    x, y = file * tile.pitch, -(RANKS - 1) * tile.pitch - tile.lamp
    net = lamp_net((file + 1) * RANKS)
    is_last = file + 1 == tile.files
    back = x + tile.pitch + X_LAMP_RETURN if not is_last else x + tile.pitch / 2 - EDGE_LANE
    tile.via(net, x - 2, y - 0.55)
    tile.run(net, BACK, (x - 2, y - 0.55), (x - 2, y + 0.6), (back, y + 0.6))
    tile.via(net, back, y + 0.6)
    if is_last:
        pin = tile.middle + _pin_y("LAMP")
        connector = x + tile.pitch / 2 - CONNECTOR_INSET
        tile.run(net, FRONT, (back, y + 0.6), (back, pin), (connector, pin))
    else:
        tile.run(net, FRONT, (back, y + 0.6), (back, 1.7 - tile.lamp))


def _join_registers(tile: Tile) -> None:
    """Lays each register's output to the one before it, and the two ends of the chain to the connectors."""
    y = tile.middle + Y_CHAIN
    chips = {p.reference: p for p in tile.parts if p.kind.key == "shift register"}
    for file in range(tile.files):
        chip, net, after = chips[f"U{101 + file}"], chain_net(file), chain_net(file + 1)
        out, into = chip.pin("QH"), chip.pin("SER")
        tile.run(net, FRONT, out, (out.x, y))
        tile.run(after, FRONT, into, (into.x, y))
        before = chips[f"U{100 + file}"].pin("SER").x if file else X_DATA
        tile.across(net, y, before, out.x)
    pin = tile.middle + _pin_y("DATA")
    tile.run("DATA", FRONT, (X_DATA, y), (X_DATA, pin))
    tile.run("DATA", BACK, (X_DATA, pin), (-tile.pitch / 2 + CONNECTOR_INSET, pin))
    tile.via("DATA", X_DATA, pin)
    _end_chain(tile, chips[f"U{100 + tile.files}"].pin("SER"), y, pin)


def _end_chain(tile: Tile, into: Point, y: float, pin: float) -> None:
    """Lays the last register's input to the connector, and a resistor that holds it high."""
    net, last = chain_net(tile.files), (tile.files - 1) * tile.pitch
    edge = last + tile.pitch / 2
    lane, connector = edge - EDGE_LANE, edge - CONNECTOR_INSET
    tile.across(net, y, into.x, lane)
    tile.run(net, FRONT, (lane, y + 2), (lane, pin), (connector, pin))
    at = last + X_REGISTER + 3.9
    tile.add(two_pins("R101", "resistor 10k", (SUPPLY, net), (at, y + 2)))
    tile.run(net, FRONT, (at + 0.825, y + 2), (lane, y + 2))
    tile.run(SUPPLY, FRONT, (at - 0.825, y + 2), (at - 0.825, y + 3.1))
    tile.across(SUPPLY, y + 3.1, at - 0.825, last + X_SUPPLY)


def _add_connectors(tile: Tile) -> None:
    """Adds the connectors to the controller or the tile before (J1), and to the tile after it (J2)."""
    ends: tuple[tuple[str, float, Mapping[str, str]], ...] = (
        ("J1", -tile.pitch / 2 + CONNECTOR_INSET, {"DATA": chain_net(0), "LAMP": lamp_net(0)}),
        (
            "J2",
            (tile.files - 0.5) * tile.pitch - CONNECTOR_INSET,
            {"DATA": chain_net(tile.files), "LAMP": lamp_net(len(tile.sites))},
        ),
    )
    for reference, x, own in ends:
        nets = {name: own.get(name, name) for name in CHAIN_PINS}
        at = (x, tile.middle + Y_PIN_1)
        tile.add(part(reference, "chain connector", nets, at, 90, on_front=False))


def _join_connectors(tile: Tile) -> None:
    """Lays the lines that go through the tile, and the lamps' data to and from its connectors."""
    left, right = (connector.at.x for connector in tile.parts if connector.kind.key == "chain connector")
    for net in ("LOAD", "CLK", GND, SUPPLY):
        y, width = tile.middle + _pin_y(net), TRUNK_WIDTH if net in (GND, SUPPLY) else 0.25
        tile.run(net, BACK, (left, y), (right, y), width=width)
    if tile.files > 1:
        for rank in range(RANKS):
            y = -rank * tile.pitch + Y_LATTICE
            tile.run(GND, BACK, (X_GND, y), ((tile.files - 1) * tile.pitch + X_GND, y), width=TRUNK_WIDTH)
    lamp = tile.middle + _pin_y("LAMP")
    tile.run("LAMP", BACK, (left, lamp), (X_LAMP_RETURN, lamp))
    tile.via("LAMP", X_LAMP_RETURN, lamp)
    tile.run("LAMP", FRONT, (X_LAMP_RETURN, lamp), (X_LAMP_RETURN, 1.7 - tile.lamp))
    at = (2.5, tile.middle - 12)
    tile.add(two_pins("C301", "capacitor 22u", (SUPPLY, GND), at, 180))
    tile.run(SUPPLY, FRONT, (at[0] + 1.475, at[1]), (X_SUPPLY, at[1]), width=TRUNK_WIDTH)
    tile.run(GND, FRONT, (at[0] - 1.475, at[1]), (X_GND, at[1]), width=TRUNK_WIDTH)


def _add_lamp_supply(tile: Tile) -> None:
    """Adds the lamps' own supply, south of the first rank: its connector, its two lines and a capacitor."""
    y = tile.pitch / 2 - 4.2
    nets = {"GND": GND, "+5V_LAMPS": LAMP_SUPPLY}
    tile.add(part("J3", "lamp supply connector", nets, (3.5, y), on_front=False))
    tile.run(GND, FRONT, (3.5, y), (X_GND, y), width=2)
    end = (tile.files - 1) * tile.pitch
    tile.run(LAMP_SUPPLY, BACK, (X_LAMP_SUPPLY, 8), (end + X_LAMP_SUPPLY + 0.4, 8), width=2)
    tile.run(GND, BACK, (X_GND, 11.5), (max(end + X_GND + 0.4, 10.9), 11.5), width=2)
    tile.add(two_pins("C302", "capacitor 22u", (LAMP_SUPPLY, GND), (8.2, 11.5)))
    tile.run(LAMP_SUPPLY, FRONT, (X_LAMP_SUPPLY, 11.5), (6.725, 11.5), width=TRUNK_WIDTH)
    tile.run(GND, FRONT, (9.675, 11.5), (10.9, 11.5), width=TRUNK_WIDTH)
    tile.via(GND, 10.9, 11.5)


def _drill(tile: Tile) -> None:
    """Adds the holes for spacers: at the corners, along the left edge, and up the middle of wide tiles."""
    half, end = tile.pitch / 2 - HOLE_INSET, (tile.files - 1) * tile.pitch
    last_lamps = -(RANKS - 1) * tile.pitch - tile.lamp
    has_room = tile.pitch / 2 - tile.lamp >= HOLE_INSET + 3.5
    south, north = half, last_lamps + (-HOLE_INSET if has_room else HOLE_INSET)
    between = [-(rank + 0.5) * tile.pitch for rank in (1, 5)]
    tile.holes += [Point(x, y) for x in (-half, end + half) for y in (south, north)]
    tile.holes += [Point(-half, y) for y in between]
    if tile.files > 1:
        middle = (tile.files / 2 - 0.5) * tile.pitch
        tile.holes += [Point(middle, y) for y in between]
    if tile.files > 2:
        tile.holes += [Point(middle, y) for y in (south, north)]


def _mark(tile: Tile) -> None:
    """Adds the marks for machines, at three corners: so that they tell how the tile is turned."""
    last, north = (tile.files - 1) * tile.pitch, -(RANKS - 1) * tile.pitch
    tile.fiducials += [Point(-12, 11), Point(last + 13, 10), Point(-12, north - 10)]


def _print_words(tile: Tile, wiring: Wiring) -> None:
    """Prints the sites' names, what each pin of the connectors is, and which side looks up."""
    for index in range(len(tile.sites)):
        x, y = tile.spot(*divmod(index, RANKS))
        names = list(names_of(wiring, tile, index))
        tile.labels.append(Label("/".join(names), Point(x - 3.5, y - 6.2), 1.5 if len(names) == 1 else 1.0))
    x, y = 0 if tile.files == 1 else tile.pitch / 2, -(RANKS - 1) * tile.pitch + 8
    for line, words in enumerate(("this side up, to the pieces", tile.title, "Board Companion")):
        tile.labels.append(Label(words, Point(x, y + 1.7 * line)))
    for connector in tile.parts:
        if connector.kind.symbol.prefix == "J":
            _print_pins(tile, connector)


def _print_pins(tile: Tile, connector: Part) -> None:
    words = {"J1": "IN", "J2": "OUT", "J3": "LAMPS"}[connector.reference]
    inward = 6.2 if connector.at.x < 0 else -5.6
    for pad in connector.kind.footprint.pads:
        spot = connector.spot(pad.x, pad.y)
        name = connector.kind.symbol.pins[int(pad.number) - 1].name
        aside = 1.2 if pad.number == "2" else -1.2
        at = Point(spot.x + inward, spot.y) if connector.rotation else Point(spot.x + aside, spot.y - 4.8)
        tile.labels.append(Label(name.removesuffix("_LAMPS"), at, on_front=False))
    first = connector.at
    at = Point(first.x + inward, first.y + 2.3) if connector.rotation else Point(first.x - 6.5, first.y)
    tile.labels.append(Label(words, at, 1.5, on_front=False))
