"""Wiring, drawings, sheets and numbers for those who build a grid: all from the same tables."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.board import bundled_boards, load_board
from companion.games.text import read_game
from firmware_bridge.line.messages import Sensor
from firmware_bridge.line.wiring import CONTROLLERS, MEGA, UNO, WiringError, wire
from hardware import magnets
from hardware.bill import GridToBuild, bill
from hardware.discs import Disc, axial_field, cross_talk, reach, vertical_field
from hardware.magnets import pitch_of
from hardware.mechanics import DRILLS, part_of, span_of
from hardware.print import template as sheets
from hardware.wiring import draw, header

HARDWARE = Path(draw.__file__).resolve().parents[1]
BOARDS = bundled_boards()


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("sensor", Sensor)
def test_every_board_can_be_wired_to_a_mega(board: str, sensor: Sensor) -> None:
    wiring = wire(load_board(board), sensor, MEGA)
    assert len(set(wiring.addresses)) == len(wiring.sites) == len(load_board(board).sites)
    limits = {
        Sensor.REED: (len(MEGA.rows), len(MEGA.columns)),
        Sensor.ANALOGUE: (len(MEGA.analogue), 16),
        Sensor.DIGITAL: (20, 8),
    }
    assert (wiring.height, wiring.width) <= limits[sensor]
    assert wiring.width <= limits[sensor][1]


@pytest.mark.parametrize("controller", CONTROLLERS.values(), ids=lambda c: c.name)
def test_no_pin_serves_twice(controller: object) -> None:
    assert isinstance(controller, type(UNO))
    for group in (
        (*controller.rows, *controller.columns, controller.lamps),
        (*controller.select, *controller.analogue, *controller.enable, controller.lamps),
        (*controller.shift, controller.lamps),
    ):
        ports = [(pin.port, pin.bit) for pin in group]
        assert len(set(ports)) == len(ports)
        assert len({pin.label for pin in group}) == len(group)


@pytest.mark.parametrize("controller", CONTROLLERS.values(), ids=lambda c: c.name)
def test_no_pin_of_a_matrix_has_a_lamp_on_the_controller(controller: object) -> None:
    """A Nano's lamp on D13 has no amplifier of its own: it holds an input with a pull-up low."""
    assert isinstance(controller, type(UNO))
    lamps = {
        "uno": {("D13", "B", 5)},
        "mega": {("D13", "B", 7)},
        "pico": {("GP25", "", 25)},
        "esp32s3": {("GPIO38", "", 38), ("GPIO48", "", 48)},
    }
    assert not lamps[controller.name] & {*controller.rows, *controller.columns, *controller.shift}


def test_no_pin_of_a_numbered_chip_has_another_use() -> None:
    """GP23 to GP25 and GP29 are wired on the Pico; the ESP32-S3's other pins start, feed or load it."""
    free = {"pico": {*range(23), 26, 27, 28}, "esp32s3": {*range(1, 19), 21, *range(38, 43), 47, 48}}
    for name, numbers in free.items():
        c = CONTROLLERS[name]
        used = (*c.rows, *c.columns, *c.select, *c.analogue, *c.shift, c.lamps, *c.enable)
        assert {pin.bit for pin in used} <= numbers
        assert {pin.label for pin in used} == {
            f"{'GP' if name == 'pico' else 'GPIO'}{pin.bit}" for pin in used
        }
    assert 3 not in {pin.bit for pin in (*CONTROLLERS["esp32s3"].rows, *CONTROLLERS["esp32s3"].columns)}
    assert {pin.bit for pin in CONTROLLERS["pico"].analogue} <= {26, 27, 28}
    assert {pin.bit for pin in CONTROLLERS["esp32s3"].analogue} <= set(range(1, 11))  # the first converter


@pytest.mark.parametrize("controller", CONTROLLERS.values(), ids=lambda c: c.name)
@pytest.mark.parametrize("sensor", Sensor)
def test_a_controller_takes_a_board_up_to_its_capacity(controller: object, sensor: Sensor) -> None:
    assert isinstance(controller, type(UNO))
    for name in BOARDS:
        board = load_board(name)
        fits = len(board.sites) <= controller.capacity(sensor)
        try:
            wiring = wire(board, sensor, controller)
        except WiringError:
            assert not fits
        else:
            assert fits
            assert sensor is not Sensor.REED or wiring.height <= len(controller.rows)
            assert sensor is not Sensor.REED or wiring.width <= len(controller.columns)
            assert sensor is not Sensor.ANALOGUE or wiring.height <= len(
                controller.enable or controller.analogue
            )


def test_a_board_that_is_too_large_says_what_would_do() -> None:
    with pytest.raises(WiringError, match="use Arduino Mega"):
        wire(load_board("magnet"), Sensor.REED, UNO)


HEADER, DRAW, SHEET = header.main, draw.main, sheets.main


@pytest.mark.parametrize(("main", "args", "words"), [
    (HEADER, [], "write: python -m hardware.wiring.header BOARD"),
    (HEADER, ["triune", "reed", "pi"], "write: python -m hardware.wiring.header BOARD"),
    (HEADER, ["magnet", "reed", "uno"], "use Arduino Mega"),
    (HEADER, ["none", "reed", "uno"], "there is no board 'none': name one of chess"),
    (DRAW, ["triune"], "write: python -m hardware.wiring.draw BOARD reed"),
    (DRAW, ["triune", "reed"], "write: python -m hardware.wiring.draw BOARD reed"),
    (DRAW, ["triune", "reed", "uno", "mega"], "write: python -m hardware.wiring.draw BOARD reed"),
    (DRAW, ["chess", "foo", "uno"], "write: python -m hardware.wiring.draw BOARD reed"),
    (DRAW, ["nosuch", "reed", "uno"], "there is no board 'nosuch'"),
    (DRAW, ["nosuch.json", "reed", "uno"], "nosuch.json"),
    (DRAW, ["magnet", "reed", "uno"], "use Arduino Mega"),
    (SHEET, ["nosuch"], "there is no board 'nosuch'"),
    (SHEET, ["nosuch.json"], "nosuch.json"),
    (SHEET, ["triune", "chess"], "unrecognized arguments: chess; write: python -m hardware.print.template"),
    (SHEET, ["triune", "--paper", "a5"], "argument --paper: invalid choice: 'a5'"),
    (SHEET, ["--lamps"], "the following arguments are required: BOARD"),
])  # fmt: skip
def test_what_cannot_be_made_is_refused_in_one_line(
    main: Callable[[list[str]], int],
    args: list[str],
    words: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in (draw, sheets):
        monkeypatch.setattr(module, "FOLDER", tmp_path)
    assert main(args) == 2
    said = capsys.readouterr()
    assert words in said.err
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert not [*tmp_path.iterdir()]


def test_one_or_all_are_made(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (draw, sheets):
        monkeypatch.setattr(module, "FOLDER", tmp_path)
        assert module.main([]) == 0
    assert sorted(path.suffix for path in tmp_path.iterdir()) == (
        [".html"] * len(sheets.DRAWN) + [".svg"] * len(draw.DRAWN)
    )
    assert draw.main(["triune", "reed", "uno"]) == 0
    assert capsys.readouterr().out == (tmp_path / "triune-reed-uno.svg").read_text(encoding="utf-8")
    assert sheets.main(["triune"]) == 0
    assert capsys.readouterr().out == (tmp_path / "triune.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("board", "sensor"),
    [
        ("magnet", Sensor.ANALOGUE),
        ("trid", Sensor.REED),
        ("trid", Sensor.DIGITAL),
    ],
)
def test_the_header_names_every_site_at_its_address(
    capsys: pytest.CaptureFixture[str], board: str, sensor: Sensor
) -> None:
    assert header.main([board, sensor.name.lower(), "mega"]) == 0
    rows = re.findall(r"/\* (\S+) \*/ 0x(..)(..),", capsys.readouterr().out)
    wiring = wire(load_board(board), sensor, MEGA)
    assert [(s, int(r, 16), int(c, 16)) for s, r, c in rows] == [
        (s, *a) for s, a in zip(wiring.sites, wiring.addresses, strict=True)
    ]


@pytest.mark.parametrize(("board", "sensor", "controller"), draw.DRAWN)
def test_drawings_are_up_to_date_and_show_every_site(board: str, sensor: Sensor, controller: str) -> None:
    wiring = wire(load_board(board), sensor, CONTROLLERS[controller])
    text = draw.draw(wiring)
    drawn = (draw.FOLDER / f"{wiring.name}.svg").read_text(encoding="utf-8")
    assert drawn == text, "run python -m hardware.wiring.draw"
    words = [element.text for element in ET.fromstring(text).iter() if element.tag.endswith("text")]
    assert set(wiring.sites) <= set(words)
    power = {
        Sensor.REED: {},
        Sensor.DIGITAL: {"VCC 16": wiring.height, "GND 8": wiring.height},
        Sensor.ANALOGUE: {"VCC 24": wiring.height, "GND 12": wiring.height},
    }
    assert {pin: words.count(pin) for pin in power[sensor]} == power[sensor]
    face = {Sensor.REED: "a reed switch stands upright in its hole", Sensor.DIGITAL: "either face up"}
    assert face.get(sensor, "branded face up") in words
    assert ("100 nF" in words) is (sensor is not Sensor.REED)


def test_no_pin_of_a_chip_is_drawn_twice() -> None:
    for board, sensor, pins in (("chess", Sensor.DIGITAL, 15), ("chess", Sensor.ANALOGUE, 24)):
        wiring = wire(load_board(board), sensor, UNO)
        others = draw.other_pins(wiring, 0)
        numbers = [pin.rpartition(" ")[2] for pin, _ in others]
        numbers += [draw.input_pin(sensor, i).partition(" ")[0] for i in range(wiring.width)]
        assert len(numbers) == len(set(numbers)) == pins


# ---- magnets ----


@pytest.mark.parametrize(
    ("magnet", "distance", "field"),
    [
        (Disc(10, 3), 0.0, 337.0),
        (Disc(10, 5), 10.0, 35.5),
        (Disc(8, 3), 5.0, 74.4),
    ],
)
def test_fields_on_the_axis(magnet: Disc, distance: float, field: float) -> None:
    assert axial_field(magnet, distance) == pytest.approx(field, rel=0.01)


@given(st.sampled_from(magnets.MAGNETS), st.floats(40, 120))
def test_far_away_a_disc_is_a_dipole(magnet: Disc, distance: float) -> None:
    assert vertical_field(magnet, distance, 0) == pytest.approx(axial_field(magnet, distance), rel=0.03)


@given(st.sampled_from(magnets.MAGNETS), st.floats(1, 60))
def test_reach_is_the_distance_of_a_field(magnet: Disc, field: float) -> None:
    assert axial_field(magnet, reach(magnet, field)) == pytest.approx(field, rel=1e-3)


@pytest.mark.parametrize("board", BOARDS)
def test_the_advised_magnet_does_not_bleed_on_any_board(board: str) -> None:
    magnet = magnets.advised(load_board(board))
    assert cross_talk(magnet, 8.0, pitch_of(load_board(board))) < 0.03


@pytest.mark.parametrize("board", BOARDS)
def test_the_bill_counts_the_parts_of_each_board(board: str) -> None:
    bill = (HARDWARE / "bom.md").read_text(encoding="utf-8")
    counts = [len(load_board(board).sites)]
    counts += [wire(load_board(board), s, MEGA).height for s in (Sensor.ANALOGUE, Sensor.DIGITAL)]
    assert f"| {board} | {' | '.join(map(str, counts))} |" in bill


def test_the_switches_of_the_bill_never_sleep() -> None:
    bill = (HARDWARE / "bom.md").read_text(encoding="utf-8")
    (named,) = re.findall(r"^\| Hall switch \| TI (DRV\d+F[A-Z])", bill, re.MULTILINE)
    (part,) = [part for part in magnets.PARTS if part.name.startswith(named)]
    assert part.samples == 0


LETS_GO = 2.0
"""The field in mT below which a typical DRV5033FA lets go."""


def test_what_the_guide_says_of_neighbours_is_computed_from_the_start_positions() -> None:
    guide = " ".join((HARDWARE / "magnets.md").read_text(encoding="utf-8").split())
    felt = {}
    for name in ("chess", "draughts", "triune", "teleporters", "escape", "trid"):
        game = read_game(name)
        pieces = game.rules.pieces(game.rules.start(game.options, game.board))
        standing = {place for place, look in pieces.items() if look != "empty"} & game.board.sites.keys()
        felt[name] = magnets.stray_field(game.board, magnets.advised(game.board), 8.0, standing)
    assert max(felt.values()) < LETS_GO
    assert f"up to {felt['chess']:.2f} mT on chess, {felt['triune']:.2f} mT on Triune" in guide
    assert f"and {felt['draughts']:.2f} mT on draughts" in guide
    assert f"a typical one does at {LETS_GO:g} mT" in guide
    (switch,) = (part for part in magnets.PARTS if part.name.startswith("DRV5033FA"))
    assert f"only below {switch.release:g} mT" in guide


def test_no_input_of_a_register_floats() -> None:
    wiring = wire(load_board("triune"), Sensor.DIGITAL, UNO)
    pins = [dict(draw.other_pins(wiring, row)) for row in range(wiring.height)]
    assert [row["SER 10"] for row in pins] == [f"QH of {row}" for row in range(1, wiring.height)] + ["+5 V"]
    assert {row["CLK INH 15"] for row in pins} == {"ground"}


def test_nothing_of_5_volts_is_drawn_at_a_chip_that_does_not_bear_it() -> None:
    for sensor in Sensor:
        for name in ("pico", "esp32s3"):
            words = draw.draw(wire(load_board("triune"), sensor, CONTROLLERS[name]))
            assert "+5 V" not in words
            assert "SS49E" not in words


@pytest.mark.parametrize(
    ("board", "sensor", "column"), [("chess", Sensor.REED, 2), ("ternion", Sensor.ANALOGUE, 3)]
)
def test_the_two_examples_of_the_guide_have_the_numbers_of_today(
    board: str, sensor: Sensor, column: int
) -> None:
    guide = (HARDWARE.parent / "docs" / "building-a-board.md").read_text(encoding="utf-8")
    rows = [line.split("|") for line in guide.splitlines() if line.startswith("| ")]
    cells = {row[1].strip(): row[column].strip() for row in rows if len(row) == 5}
    played = load_board(board)
    magnet = magnets.advised(played)
    span = magnets.woods(part_of(sensor), magnet, pitch_of(played))
    assert span
    told = f"{magnets.size_of(magnet)} mm; {span[0]:g} to {span[1]:g} mm"
    assert cells["the magnet, and the wood over the sensors"] == told
    pages = len(sheets.TemplateSheet(played).pages())
    drilled = f"{pages} pages, {len(played.sites)} holes of {DRILLS[sensor]:g} mm"
    assert cells["**print and drill** the base"].endswith(f"{board}.html): {drilled}")
    controller = GridToBuild(played, sensor).controller.name
    assert f"draw {board} {sensor.name.lower()} {controller}" in cells["**glue, solder** after the drawing"]


def test_the_first_project_of_the_guide_has_the_numbers_of_today() -> None:
    guide = (HARDWARE.parent / "docs" / "building-a-board.md").read_text(encoding="utf-8")
    first = guide.partition("### First: Rooks")[2].partition("### Wood")[0]
    played = load_board("rooks")
    grid = GridToBuild(played, Sensor.REED)
    wiring = wire(played, Sensor.REED, grid.controller)
    for row in range(wiring.height):
        sites = [
            f"{site} {grid.controller.columns[a.column].label}"
            for site, a in zip(wiring.sites, wiring.addresses, strict=True)
            if a.row == row
        ]
        assert f"| {row} | {grid.controller.rows[row].label} | {', '.join(sites)} |" in first
    assert wiring.height == 2
    magnet = magnets.advised(played)
    span = magnets.woods(part_of(Sensor.REED), magnet, pitch_of(played))
    assert span
    assert f"the wood over it is {span[0]:g} to {span[1]:g} mm thick" in first
    lines = bill(grid)
    assert f"about {sum(line.euro for line in lines):.0f} \N{EURO SIGN} by the list" in first
    sets = next(line.quantity for line in lines if "disc magnet" in line.part)
    assert f"{sets:g} magnets of {magnets.size_of(magnet)} mm" in first
    pages, holes = len(sheets.TemplateSheet(played).pages()), len(played.sites)
    assert f"{pages} page, {holes} holes of {DRILLS[Sensor.REED]:g} mm" in first
    west, south, east, north = span_of(played, 0)
    assert f"{holes} sites on {east - west:.0f} × {north - south:.0f} mm" in first
    assert f"draw rooks reed {grid.controller.name} >" in first
    assert "companion run --game rooks --source serial:" in first
