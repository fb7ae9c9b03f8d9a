"""The tile: read by ourselves against the table of the wiring, and checked by KiCad where it is installed."""

import csv
import re
import shutil
import subprocess
from dataclasses import replace
from functools import cache
from io import StringIO
from itertools import combinations, product
from math import dist, hypot
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

import pytest

from companion.core.board import Board, load_board
from firmware_bridge.line.messages import Sensor
from firmware_bridge.line.wiring import MEGA, UNO, Wiring, wire
from hardware.kicad import __main__ as command
from hardware.kicad import jlcpcb
from hardware.kicad import release as released
from hardware.kicad.bill import as_csv
from hardware.kicad.layout import INPUTS, lay_out, tile_for
from hardware.kicad.library import KINDS
from hardware.kicad.pcb import ORIGIN
from hardware.kicad.project import write_project
from hardware.kicad.release import ReleaseError
from hardware.kicad.sexpr import Text, children, dump, load
from hardware.kicad.tile import CLEARANCE, FIDUCIAL_MASK, RANKS, Tile, TileError
from hardware.mechanics import LAMP_HOLE, reach_of
from hardware.print.template import TemplateSheet, template
from tests.hardware.copper import Copper, read
from tests.samples import few

TILES = [("chess", 8), ("draughts", 4), ("queens", 2), ("teleporters", 1), ("triune", 8), ("triune", 1)]
"""Boards with the files on one tile: all pitches, all sizes, and the narrowest of either."""
needs_kicad = pytest.mark.skipif(
    shutil.which("kicad-cli") is None, reason="kicad-cli is missing: .ci/kicad installs KiCad 9"
)
REGISTER, SENSOR = KINDS["shift register"].symbol, KINDS["hall switch"].symbol
CONNECTOR, LAMP = KINDS["chain connector"].symbol, KINDS["lamp"].symbol


def wiring_of(name: str) -> Wiring:
    return wire(load_board(name), Sensor.DIGITAL, UNO)


def tile_of(name: str, files: int) -> Tile:
    return tile_for(load_board(name), files)


def wide_board() -> Board:
    """A board of two tiles side by side: 16 files with 8 ranks."""
    sites = {f"{chr(97 + file)}{rank + 1}": (file, rank) for file in range(16) for rank in range(RANKS)}
    return replace(load_board("chess"), name="wide", sites=sites)


def copper_of(tile: Tile, folder: Path) -> Copper:
    return read(write_project(tile, folder).with_suffix(".kicad_pcb"))


@cache
def copper(name: str, files: int) -> Copper:
    with TemporaryDirectory() as folder:
        return copper_of(tile_of(name, files), Path(folder))


@pytest.mark.parametrize(("name", "files"), TILES)
def test_every_net_hangs_together_and_keeps_away_from_the_others(name: str, files: int) -> None:
    assert copper(name, files).breaks() == []
    assert copper(name, files).shorts(CLEARANCE) == []


def test_the_reading_finds_what_is_cut_and_what_is_shorted(tmp_path: Path) -> None:
    tile = tile_of("triune", 1)
    lane = next(track for track in tile.tracks if track.net == "S_a8" and track.layer == "F.Cu")
    tile.tracks.remove(lane)
    assert copper_of(tile, tmp_path / "cut").breaks() == ["S_a8"]
    tile.tracks.append(lane._replace(net="S_a7"))
    assert any(
        "S_a7" in words and "S_a8" in words for words in copper_of(tile, tmp_path / "short").shorts(0.2)
    )


@pytest.mark.parametrize(("name", "files"), TILES)
def test_holes_keep_away_from_copper_holes_and_the_edge(name: str, files: int) -> None:
    read_copper = copper(name, files)
    left, top, right, bottom = read_copper.outline
    for hole in read_copper.holes:
        room = min(hole.x - left, right - hole.x, hole.y - top, bottom - hole.y) - hole.drill / 2
        assert room >= 0.3
    for a, b in combinations(read_copper.holes, 2):
        if abs(a.x - b.x) < 4 and abs(a.y - b.y) < 4:
            assert dist((a.x, a.y), (b.x, b.y)) - (a.drill + b.drill) / 2 >= 0.25
    bare = [hole for hole in read_copper.holes if not hole.is_plated]
    assert len(bare) >= 6
    for hole in bare:
        for c in read_copper.conductors:
            across = max(c.left - hole.x, hole.x - c.right, 0.0)
            down = max(c.top - hole.y, hole.y - c.bottom, 0.0)
            assert hypot(across, down) - c.radius - hole.drill / 2 >= 0.25
    for c in read_copper.conductors:
        assert min(c.left - left, right - c.right, c.top - top, bottom - c.bottom) - c.radius >= 0.3


def check_table(pins: dict[tuple[str, str], str], wiring: Wiring, tiles: int = 1) -> None:
    """Follows the chain from the controller through the tiles, and compares each site with the table.

    Tiles are equal: on each, `pins` says which net a pin is on. `tiles` of them are joined, J2 to J1.
    """
    on_one = len(wiring.sites) // tiles
    registers: list[dict[str, str]] = []
    lamps: list[str] = []
    for _ in range(tiles):
        data = pins["J1", CONNECTOR.pin("DATA")]
        while data != pins["J2", CONNECTOR.pin("DATA")]:
            chips = [ref for (ref, pin), net in pins.items() if pin == REGISTER.pin("QH") and net == data]
            (chip,) = (ref for ref in chips if (ref, "16") in pins)  # no other part has as many pins
            registers.append({letter: pins[chip, REGISTER.pin(letter)] for letter in INPUTS})
            assert pins[chip, REGISTER.pin("CLK")] == pins["J1", CONNECTOR.pin("CLK")]
            assert pins[chip, REGISTER.pin("SH/~{LD}")] == pins["J1", CONNECTOR.pin("LOAD")]
            assert pins[chip, REGISTER.pin("INH")] == pins[chip, REGISTER.pin("GND")] == "GND"
            data = pins[chip, REGISTER.pin("SER")]
        light = pins["J1", CONNECTOR.pin("LAMP")]
        while light != pins["J2", CONNECTOR.pin("LAMP")]:
            (lamp,) = (
                ref for (ref, pin), net in pins.items() if ref[0] == "D" and pin == "3" and net == light
            )
            lamps.append(lamp)
            light = pins[lamp, LAMP.pin("DOUT")]
    assert len(registers) == wiring.height
    assert len(lamps) == len(wiring.sites)
    for index, (site, address) in enumerate(zip(wiring.sites, wiring.addresses, strict=True)):
        own = f"U{index % on_one + 1}"
        out = pins[own, SENSOR.pin("OUT")]
        assert registers[address.row][INPUTS[address.column]] == out, site
        assert (pins[own, SENSOR.pin("VCC")], pins[own, SENSOR.pin("GND")]) == ("+5V", "GND")
        resistor = {pins[f"R{index % on_one + 1}", "1"], pins[f"R{index % on_one + 1}", "2"]}
        assert resistor == {out, "+5V"}
        assert lamps[index] == f"D{index % on_one + 1}", site


@pytest.mark.parametrize(
    ("name", "files"), few(product(["chess", "draughts", "queens", "teleporters", "triune"], [1, 2, 4, 8]), 3)
)
def test_the_board_is_wired_as_the_table_says(name: str, files: int) -> None:
    check_table(copper(name, files).pins, wiring_of(name), 8 // files)


def test_two_tiles_make_a_larger_board(tmp_path: Path) -> None:
    board = wide_board()
    wiring = wire(board, Sensor.DIGITAL, MEGA)
    tile = tile_for(board)
    check_table(copper_of(tile, tmp_path).pins, wiring, 2)
    assert "a1/i1" in {label.words for label in tile.labels}


def test_a_wrong_wire_is_found() -> None:
    pins = dict(copper("chess", 8).pins)
    pins["U1", "2"], pins["U2", "2"] = pins["U2", "2"], pins["U1", "2"]
    with pytest.raises(AssertionError, match="a1"):
        check_table(pins, wiring_of("chess"))


@pytest.mark.parametrize(("name", "files"), TILES)
def test_each_sensor_and_lamp_lies_under_its_site(name: str, files: int) -> None:
    board, tile = load_board(name), tile_of(name, files)
    read_copper = copper(name, files)
    first = board.sites[tile.sites[0]]
    for index, site in enumerate(tile.sites):
        x, y = board.sites[site]
        spot = (ORIGIN.x + (x - first[0]) * board.pitch_mm, ORIGIN.y - (y - first[1]) * board.pitch_mm)
        assert read_copper.places[f"U{index + 1}"] == pytest.approx(spot)
        assert read_copper.places[f"D{index + 1}"] == pytest.approx((spot[0], spot[1] - tile.lamp))
    left, top, right, bottom = read_copper.outline
    for size, count in ((right - left, files), (bottom - top, RANKS)):
        assert 0 < count * board.pitch_mm - size < 0.5


@pytest.mark.parametrize("name", ["chess", "draughts", "queens", "triune", "teleporters"])
def test_a_lamp_shines_in_its_own_field_beside_the_widest_piece(name: str) -> None:
    board = load_board(name)
    lamp = tile_for(board).lamp
    widest = max(reach_of(face) for face in board.pieces.faces.values()) * board.pitch_mm
    assert lamp < board.pitch_mm / 2
    if widest + LAMP_HOLE < board.pitch_mm / 2:
        assert lamp - LAMP_HOLE / 2 > widest
    sheet = TemplateSheet(board, tile=True)
    x, y = board.sites["a1"]
    assert sheet.lamp_places["a1"] == pytest.approx((x * board.pitch_mm, y * board.pitch_mm + lamp))
    assert "nothing is drilled there" in template(sheet)


@pytest.mark.parametrize(("name", "files"), TILES)
def test_no_two_parts_stand_on_each_other(name: str, files: int) -> None:
    tile = tile_of(name, files)
    rooms = []
    for part in tile.parts:
        room = part.kind.footprint.courtyard
        a, b = part.spot(room.left, room.top), part.spot(room.right, room.bottom)
        rooms.append((part, min(a.x, b.x), min(a.y, b.y), max(a.x, b.x), max(a.y, b.y)))
    for (one, *a), (other, *b) in combinations(rooms, 2):
        if one.on_front == other.on_front:
            apart = a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
            assert apart, f"{one.reference} and {other.reference}"


@pytest.mark.parametrize(("name", "files"), TILES)
def test_the_bill_counts_what_the_sites_need(name: str, files: int) -> None:
    tile = tile_of(name, files)
    rows = list(csv.DictReader(StringIO(as_csv(tile))))
    for row in rows:
        assert len(row["references"].split()) == int(row["quantity"])
    counts = {(row["use"], row["number"]): int(row["quantity"]) for row in rows}
    sites = len(tile.sites)
    assert sites == files * RANKS
    assert counts["grid", "TI DRV5033FAQDBZR"] == sites
    assert counts["lamps", "Worldsemi WS2812B-2020"] == sites
    assert counts["lamps", "Yageo CC0603KRX7R7BB104"] == sites
    assert counts["grid", "Yageo CC0603KRX7R7BB104"] == sites + files
    assert counts["grid", "Yageo RC0603FR-0710KL"] == sites + 1
    assert counts["grid", "TI SN74HC165DR"] == files
    assert sum(counts.values()) == len(tile.parts)


def rows_of(table: str) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(table)))


@pytest.mark.parametrize(("name", "files"), TILES)
def test_a_maker_that_places_the_parts_gets_its_own_tables(name: str, files: int) -> None:
    tile = tile_of(name, files)
    parts, places = rows_of(jlcpcb.parts(tile)), rows_of(jlcpcb.positions(tile))
    assert list(parts[0]) == ["Comment", "Designator", "Footprint", "LCSC Part #"]
    assert list(places[0]) == ["Designator", "Mid X", "Mid Y", "Layer", "Rotation"]
    listed = {ref: row for row in parts for ref in row["Designator"].split(",")}
    placed = {row["Designator"]: row for row in places}
    assert listed.keys() == {part.reference for part in tile.parts}
    assert listed.keys() - placed.keys() == {"J1", "J2", "J3"}
    for ref, row in listed.items():
        assert row["Comment"].endswith("soldered by hand") is (ref not in placed)
    unknown = [listed[ref] for ref in placed if not re.fullmatch(r"C\d+", listed[ref]["LCSC Part #"])]
    assert {f"TI {row['Comment'].removeprefix('TI ')}" for row in unknown} <= set(jlcpcb.unnumbered(tile))
    assert (placed["U1"]["Rotation"], placed["U101"]["Rotation"], placed["C1"]["Rotation"]) == (
        "0",
        "180",
        "180",
    )
    (left, top, right, bottom), copper_places = copper(name, files).outline, copper(name, files).places
    for ref, row in placed.items():
        x, y = float(row["Mid X"]), float(row["Mid Y"])
        assert (x + left, top - y) == pytest.approx(copper_places[ref], abs=1e-3)
        assert (0 < x < right - left, top - bottom < y < 0, row["Layer"]) == (True, True, "Top")


@pytest.mark.parametrize(("name", "files"), TILES)
def test_three_marks_tell_a_machine_how_the_tile_lies(name: str, files: int) -> None:
    """They are bare copper in a free spot on the front, and no turn of the tile maps them to themselves."""
    tile, read_copper = tile_of(name, files), copper(name, files)
    left, top, right, bottom = read_copper.outline
    marks = [place for ref, place in read_copper.places.items() if ref.startswith("FID")]
    assert len(marks) == len(tile.fiducials) == 3
    middle = ((left + right) / 2, (top + bottom) / 2)
    for x, y in marks:
        assert min(x - left, right - x, y - top, bottom - y) >= 3.85
        opposite = (2 * middle[0] - x, 2 * middle[1] - y)
        if (x, y) == marks[0]:
            assert min(dist(opposite, other) for other in marks) > 5
        for c in read_copper.conductors:
            if "F.Cu" in c.layers and not c.name.startswith("FID"):
                across = max(c.left - x, x - c.right, 0.0)
                down = max(c.top - y, y - c.bottom, 0.0)
                assert hypot(across, down) - c.radius >= FIDUCIAL_MASK / 2 + 0.1, c
        for hole in read_copper.holes:
            assert dist((x, y), (hole.x, hole.y)) >= hole.drill / 2 + FIDUCIAL_MASK / 2
    for part in (part for part in tile.parts if part.on_front):
        room = part.kind.footprint.courtyard
        corners = part.spot(room.left, room.top), part.spot(room.right, room.bottom)
        for mark in tile.fiducials:
            across = max(min(p.x for p in corners) - mark.x, mark.x - max(p.x for p in corners), 0.0)
            down = max(min(p.y for p in corners) - mark.y, mark.y - max(p.y for p in corners), 0.0)
            assert hypot(across, down) >= FIDUCIAL_MASK / 2, part.reference


@pytest.mark.parametrize(
    ("name", "sensor", "files", "told"),
    [
        ("trid", Sensor.DIGITAL, 8, "150 sites: tiles of 64 do not make it up"),
        ("rooks", Sensor.DIGITAL, 1, "not made of files with 8 ranks"),
        ("escape", Sensor.DIGITAL, 4, "escape is not made of files with 8 ranks"),
        ("chess", Sensor.REED, 8, "tiles are made for digital sensors: wire reed after the drawing"),
        ("chess", Sensor.DIGITAL, 3, "a tile has 1, 2, 4 or 8 files, not 3"),
    ],
)
def test_what_no_tile_fits_is_told(name: str, sensor: Sensor, files: int, told: str) -> None:
    board = load_board(name)
    with pytest.raises(TileError, match=told):
        lay_out(wire(board, sensor, MEGA), board.pitch_mm, files, 18)


def test_sites_that_are_too_near_are_told() -> None:
    with pytest.raises(TileError, match="sites are 39 mm apart: a tile needs 40 mm"):
        lay_out(wiring_of("chess"), 39, 8, 18)


def test_the_same_tile_is_the_same_file(tmp_path: Path) -> None:
    one, two = (write_project(tile_of("queens", 2), tmp_path / name) for name in ("one", "two"))
    files = sorted(path.relative_to(one.parent) for path in one.parent.rglob("*") if path.is_file())
    assert len(files) > 15
    for file in files:
        assert (one.parent / file).read_bytes() == (two.parent / file).read_bytes()


def test_every_power_pin_is_in_the_schematic(tmp_path: Path) -> None:
    project = write_project(tile_of("chess", 1), tmp_path)
    sheet = load((project.parent / "file_1.kicad_sch").read_text(encoding="utf-8"))
    placed = [str(symbol[1][1]) for symbol in children(sheet, "symbol")]
    assert placed.count("tile:DRV5033") == placed.count("tile:WS2812B") == RANKS
    # One sign at each pin of a sensor, lamp, capacitor and resistor, and three more at the register.
    assert placed.count("tile:+5V") == 3 * RANKS + 2
    assert placed.count("tile:+5V_LAMPS") == 2 * RANKS
    assert placed.count("tile:GND") == 4 * RANKS + 3


@pytest.mark.parametrize(
    "node",
    [
        ["a"],
        ["a", Text('with "quotes" and \\'), 1, 2.5],
        ["a", Text(""), ["b", ["c", "d"]], Text("(no list)")],
    ],
)
def test_what_is_written_is_read_again(node: list[object]) -> None:
    def plain(value: object) -> object:
        return [plain(part) for part in value] if isinstance(value, list) else str(value)

    # Lists come after the plain values of a list, as KiCad has it everywhere.
    ordered = sorted(node, key=lambda part: isinstance(part, list))
    assert plain(load(dump(node))) == plain(ordered)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["", "(a", "a)", "(a))", '(a "b)', "(a) (b)", "a"])
def test_a_file_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        load(text)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "write: python -m hardware.kicad"),
        (("chess",), "write: python -m hardware.kicad"),
        (("chess", "x", "3"), "write: python -m hardware.kicad"),
        (("release", "chess", "x", "--for", "pcbway"), "[--for jlcpcb]"),
        (("release", "chess", "x", "--for"), "[--for jlcpcb]"),
        (("chess", "x", "--for", "jlcpcb"), "write: python -m hardware.kicad"),
        (("ludo", "x"), "there is no board 'ludo'"),
        (("trid", "x"), "do not make it up"),
        (("chess", "/dev/null"), "/dev/null cannot be written"),
    ],
)
def test_a_command_that_cannot_be_carried_out_is_told(
    words: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main(list(words)) == 2
    assert told in capsys.readouterr().err


def test_a_release_without_kicad_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert command.main(["release", "chess", str(tmp_path / "made")]) == 2
    assert "kicad-cli is missing: install KiCad 9" in capsys.readouterr().err


def kicad(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["kicad-cli", *words], capture_output=True, text=True)


@needs_kicad
@pytest.mark.parametrize(("name", "files"), TILES)
def test_kicad_finds_no_fault_in_schematic_and_board(name: str, files: int, tmp_path: Path) -> None:
    project = write_project(tile_of(name, files), tmp_path)
    released.check(project.with_suffix(".kicad_sch"), project.with_suffix(".kicad_pcb"))


@needs_kicad
def test_kicad_finds_a_fault_that_is_there(tmp_path: Path) -> None:
    tile = tile_of("triune", 1)
    project = write_project(replace(tile, tracks=tile.tracks[1:]), tmp_path)
    with pytest.raises(ReleaseError, match=r"kicad-cli pcb drc finds: \["):
        released.check(project.with_suffix(".kicad_sch"), project.with_suffix(".kicad_pcb"))


@needs_kicad
def test_kicad_finds_a_supply_that_comes_from_nowhere(tmp_path: Path) -> None:
    tile = tile_of("triune", 1)
    wrong = replace(tile.parts[0], nets={**tile.parts[0].nets, SENSOR.pin("VCC"): "+9V"})
    project = write_project(replace(tile, parts=[wrong, *tile.parts[1:]]), tmp_path)
    with pytest.raises(ReleaseError, match=r"kicad-cli sch erc finds: \["):
        released.check(project.with_suffix(".kicad_sch"), project.with_suffix(".kicad_pcb"))


@needs_kicad
@pytest.mark.parametrize(("name", "files"), [("chess", 8), ("triune", 2)])
def test_the_netlist_of_the_schematic_equals_the_table(name: str, files: int, tmp_path: Path) -> None:
    project = write_project(tile_of(name, files), tmp_path)
    made = tmp_path / "made.net"
    done = kicad("sch", "export", "netlist", "-o", str(made), str(project.with_suffix(".kicad_sch")))
    assert done.returncode == 0, done.stderr
    pins = {}
    for listed in children(load(made.read_text(encoding="utf-8")), "nets"):
        for net in children(listed, "net"):
            (name_of_net,) = (str(part[1]) for part in children(net, "name"))
            for node in children(net, "node"):
                found = {str(part[0]): str(part[1]) for part in node[1:] if isinstance(part, list)}
                pins[found["ref"], found["pin"]] = name_of_net
    check_table(pins, wiring_of(name), 8 // files)
    assert pins == read(project.with_suffix(".kicad_pcb")).pins


@needs_kicad
def test_a_release_for_one_maker_has_its_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["release", "triune", str(tmp_path), "1", "--for", "jlcpcb"]) == 0
    _, positions, parts, _, note, _ = capsys.readouterr().out.splitlines()
    tile = tile_of("triune", 1)
    assert Path(positions).read_text(encoding="utf-8") == jlcpcb.positions(tile)
    assert Path(parts).read_text(encoding="utf-8") == jlcpcb.parts(tile)
    assert note == "look up by its maker's number: TI DRV5033FAQDBZR"


@needs_kicad
def test_a_release_has_all_that_a_maker_needs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["release", "triune", str(tmp_path), "2"]) == 0
    *files, size = capsys.readouterr().out.splitlines()
    assert size == "triune 2x8, digital, 40 mm: 79.7 × 319.7 mm"
    archive, positions, parts, plans = map(Path, files)
    with ZipFile(archive) as packed:
        names = {name.rpartition("-")[2] for name in packed.namelist()}
        drilled = next(name for name in packed.namelist() if name.endswith("NPTH.drl"))
        assert packed.read(drilled).decode().count("\nX") == len(tile_of("triune", 2).holes)
    layers = ("F_Cu.gtl", "B_Cu.gbl", "F_Mask.gts", "B_Mask.gbs", "F_Silkscreen.gto", "B_Silkscreen.gbo")
    assert names >= {*layers, "F_Paste.gtp", "Edge_Cuts.gm1", "PTH.drl", "NPTH.drl"}
    with positions.open(encoding="utf-8") as text:
        placed = {row["Ref"] for row in csv.DictReader(text)}
    with parts.open(encoding="utf-8") as text:
        listed = {ref for row in csv.DictReader(text) for ref in row["references"].split()}
    assert placed == listed
    assert plans.read_bytes().startswith(b"%PDF")
