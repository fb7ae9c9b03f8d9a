"""The bill of parts for each board: numbers, currents, and parts that would break something."""

import csv
import re
from html import escape, unescape
from io import StringIO

import pytest

from companion.core.board import bundled_boards, load_board
from companion.language import LANGUAGES, translated
from firmware_bridge.line.messages import Hello, Sensor
from firmware_bridge.line.wiring import CONTROLLERS, MEGA, PICO, UNO, wire
from firmware_bridge.setup.commissioning import Commissioning
from firmware_bridge.setup.sheet import MAGNETS, sheet_of
from hardware import bill as counting
from hardware import bom
from hardware.bill import PARTS, GridToBuild, PartsError, bill, check_parts, is_own
from hardware.bom import as_csv, grid_of
from hardware.bom_page import page
from hardware.magnets import advised, size_of
from hardware.print.template import TemplateSheet, template

BOARDS = sorted(bundled_boards())
BUZZER = {"part": "buzzer", "drive": "active", "pin_ma": 16, "needs": ["transistor"]}
TRANSISTOR = {"part": "2N3904", "role": "transistor"}


def test_no_part_overloads_a_pin_and_every_buzzer_sounds() -> None:
    check_parts(PARTS["parts"])


@pytest.mark.parametrize(
    ("part", "words"),
    [
        (BUZZER | {"needs": []}, "16 mA from a pin need a transistor"),
        (BUZZER | {"needs": ["transistor", "diode"]}, "there is no diode among the parts"),
        (BUZZER | {"drive": "passive"}, "direct current, on which it does not sound"),
    ],
)
def test_a_part_that_would_break_a_pin_or_stay_silent_is_refused(part: dict[str, object], words: str) -> None:
    check_parts([BUZZER, TRANSISTOR])
    with pytest.raises(PartsError, match=words):
        check_parts([part, TRANSISTOR])


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("sensor", Sensor)
def test_numbers_follow_from_the_board(board: str, sensor: Sensor) -> None:
    grid = GridToBuild(load_board(board), sensor, frozenset({"lamps"}))
    lines = {line.part: line for line in bill(grid)}
    sites = len(grid.board.sites)
    of_sites = [line for line in lines.values() if line.use == sensor.name.lower() and line.quantity == sites]
    assert of_sites
    assert lines["lamp, WS2812B"].quantity == sites
    wiring = wire(grid.board, sensor, grid.controller)
    counted = {Sensor.ANALOGUE: "multiplexer with 16 inputs", Sensor.DIGITAL: "shift register"}
    if sensor in counted:
        assert lines[counted[sensor]].quantity == wiring.height
    smallest = UNO if sites <= UNO.limit else MEGA
    assert grid.controller is (smallest if sensor is Sensor.ANALOGUE else PICO)


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("sensor", Sensor)
@pytest.mark.parametrize("extras", [(), ("lamps",), ("lamps", "panel")])
def test_the_supply_bears_what_the_parts_draw(board: str, sensor: Sensor, extras: tuple[str, ...]) -> None:
    lines = bill(GridToBuild(load_board(board), sensor, frozenset(extras)))
    drawn = sum(line.ma for line in lines)
    (supply,) = [s for s in PARTS["supplies"] if s["part"] in {line.part for line in lines}]
    assert supply["gives"] >= drawn
    fuses = [line.number for line in lines if line.part.startswith("fuse")]
    rail = sum(line.ma for line in lines if line.use != "lamps")
    for fuse in (f for f in PARTS["fuses"] if f["number"] in fuses):
        assert is_own(supply), "a port guards itself"
        assert rail <= fuse["bears"] < fuse["trips"] <= supply["most"], "one that could never blow is none"


def test_the_fuse_is_sized_by_the_load_and_not_by_the_supply() -> None:
    chess = [line.part for line in bill(GridToBuild(load_board("chess"), Sensor.ANALOGUE))]
    assert "fuse, resettable, 0.9 A, in the sensors' rail" in chess
    assert "supply, 5 V, 2 A" in chess
    lamps = GridToBuild(load_board("chess"), Sensor.ANALOGUE, frozenset({"lamps"}))
    assert "fuse, resettable, 0.9 A, in the sensors' rail" in [line.part for line in bill(lamps)]
    assert "sensors&#x27; rail, sits where" in page(lamps)
    trid = [line.part for line in bill(GridToBuild(load_board("trid"), Sensor.ANALOGUE))]
    assert not any(part.startswith("fuse") for part in trid), (
        "it would not trip before the supply limits itself"
    )


@pytest.mark.parametrize("board", BOARDS)
def test_the_guide_names_the_supply_of_linear_sensors(board: str) -> None:
    lines = bill(GridToBuild(load_board(board), Sensor.ANALOGUE))
    (drawn,) = [line.ma for line in lines if line.part == "linear Hall sensor"]
    (supply,) = [s["part"] for s in PARTS["supplies"] if s["part"] in {line.part for line in lines}]
    guide = (counting.FOLDER / "bom.md").read_text(encoding="utf-8")
    (row,) = [
        line
        for line in guide.splitlines()
        if line.startswith(f"| {board} | {len(load_board(board).sites)} |")
    ]
    assert row.endswith(f"| {drawn / 1000:.2f} A | {supply.removeprefix('supply, ')} |")


def test_too_much_current_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    weak = [supply for supply in PARTS["supplies"] if not is_own(supply)]
    monkeypatch.setattr(counting, "PARTS", {**PARTS, "supplies": weak})
    with pytest.raises(PartsError, match=r"draw 3\.2 A: no supply"):
        bill(GridToBuild(load_board("trid"), Sensor.ANALOGUE, frozenset({"lamps"})))


def test_the_list_is_a_table_for_a_spreadsheet() -> None:
    rows = list(csv.DictReader(StringIO(as_csv(bill(GridToBuild(load_board("chess"), Sensor.REED))))))
    *lines, last = rows
    assert sum(float(row["EUR"]) for row in lines) == pytest.approx(float(last["EUR"]), abs=0.05)
    magnets = [row for row in lines if "magnet" in row["part"]]
    assert [row["quantity"] for row in magnets] == ["32"]
    assert [row["number"] for row in magnets] == ["supermagnete S-10-03-N"]


def test_every_magnet_brings_the_drill_and_the_glue_for_its_foot() -> None:
    parts = PARTS["parts"]
    magnets = [part for part in parts if "disc magnet" in part["part"]]
    assert magnets
    for part in magnets:
        needed = [
            other for other in parts if other.get("role") in part["needs"] and other["use"] == part["use"]
        ]
        assert sorted(other["part"].partition(" ")[0] for other in needed) == ["Forstner", "glue"]
    for board, drill in (
        ("chess", "10 mm: holes in the feet, 3.2 mm"),
        ("trid", "5 mm: holes in the feet, 2.2 mm"),
    ):
        assert any(drill in line.part for line in bill(GridToBuild(load_board(board), Sensor.REED)))


@pytest.mark.parametrize("page_of_guide", ["docs/building-a-board.md", "hardware/magnets.md"])
def test_the_guide_warns_of_magnets(page_of_guide: str) -> None:
    text = (counting.FOLDER.parent / page_of_guide).read_text(encoding="utf-8")
    for word in ("children", "swallowed", "doctor at once", "pacemakers"):
        assert word in text


def test_paper_warns_of_magnets_too() -> None:
    assert escape(MAGNETS) in page(GridToBuild(load_board("rooks"), Sensor.REED))
    drilled = template(TemplateSheet(load_board("chess")))
    assert drilled.count(escape(MAGNETS)) == len(TemplateSheet(load_board("chess")).pages())


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sheet_of_a_grid_warns_of_magnets_in_each_language(language: str) -> None:
    wiring = wire(load_board("rooks"), Sensor.REED, UNO)
    hello = Hello(1, 0, wiring.sensor, 16, 0, 2, 1, wiring.check, 0, wiring.name)
    facts = dict(sheet_of(Commissioning(wiring, hello)).facts)
    words = str(translated(facts["Magnets"], language))
    assert (words == str(MAGNETS)) is (language == "en")


@pytest.mark.parametrize("board", BOARDS)
def test_the_magnet_is_the_one_that_is_advised(board: str) -> None:
    (listed,) = [
        line.part for line in bill(GridToBuild(load_board(board), Sensor.REED)) if "magnet" in line.part
    ]
    assert listed == f"disc magnet, N42, {size_of(advised(load_board(board)))} mm"


def test_the_wire_reaches_from_the_sites_to_the_controller() -> None:
    """Chess: each of eight rows and columns runs past eight sites, 35 cm, and 40 cm on to the controller."""
    (metres,) = [
        line.quantity
        for line in bill(GridToBuild(load_board("chess"), Sensor.REED))
        if line.number == "LiY 0.14"
    ]
    assert metres >= 16 * (0.35 + 0.4)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "write: python -m hardware.bom"),
        (("chess", "sonar"), "write: python -m hardware.bom"),
        (("ludo", "reed"), "there is no board 'ludo'"),
        (("chess", "reed", "wheels"), "write: python -m hardware.bom"),
        (("chess", "reed", "pico", "uno"), "write: python -m hardware.bom"),
        (("chess", "digital", "esp32s3", "lamps"), "lights no lamps yet"),
        (("trid", "reed", "esp32s3"), "takes 130"),
        (("chess", "digital", "tile", "strips"), "write: python -m hardware.bom"),
    ],
)
def test_what_cannot_be_listed_is_told(
    words: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bom.main(list(words)) == 2
    assert told in capsys.readouterr().err
    assert bom.main(["chess", "reed"]) == 0
    assert capsys.readouterr().out.startswith("use,part,number")


@pytest.mark.parametrize("extra", ["tile", "strips"])
@pytest.mark.parametrize("board", ["chess", "triune", "queens"])
def test_printed_boards_bring_what_the_sites_need(board: str, extra: str) -> None:
    grid = GridToBuild(load_board(board), Sensor.DIGITAL, frozenset({"lamps", extra}))
    lines = bill(grid)
    quantities = {line.number: line.quantity for line in lines}
    sites = len(grid.board.sites)
    assert quantities["TI DRV5033FAQDBZR"] == quantities["Worldsemi WS2812B-2020"] == sites
    assert quantities["TI SN74HC165DR"] == wire(grid.board, grid.sensor, grid.controller).height
    printed = next(line for line in lines if line.part.startswith("printed board"))
    needed = 1 if extra == "tile" else 4
    assert f"{needed} of them needed" in printed.part
    assert printed.quantity == PARTS["printed"]["least"] >= needed
    wired = {"TI DRV5033FAQLPG (TO-92)", "TI SN74HC165N", "Roth Elektronik RE200-LF", "LiY 0.14"}
    assert not wired & quantities.keys()


def test_lamps_are_left_out_of_a_printed_board() -> None:
    parts = {
        line.number for line in bill(GridToBuild(load_board("chess"), Sensor.DIGITAL, frozenset({"tile"})))
    }
    assert not {"Worldsemi WS2812B-2020", "JST B2B-XH-A"} & parts
    assert "TI DRV5033FAQDBZR" in parts


@pytest.mark.parametrize("board", ["trid", "chess"])
def test_a_printed_board_that_is_none_is_told(board: str, capsys: pytest.CaptureFixture[str]) -> None:
    sensor = "reed" if board == "chess" else "digital"
    assert bom.main([board, sensor, "tile"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("sensor", Sensor)
def test_the_page_shows_every_line_and_the_sums(board: str, sensor: Sensor) -> None:
    grid = GridToBuild(load_board(board), sensor, frozenset({"lamps", "panel"}))
    shown = page(grid)
    cells = [unescape(cell) for cell in re.findall(r"<td[^>]*>([^<]*)</td>", shown)]
    for line in bill(grid):
        amount = f"{line.quantity:g}{' ' + line.unit if line.unit else ''}"
        at = [i for i, cell in enumerate(cells) if cell == line.part]
        assert any(cells[i - 1 : i + 2] == [amount, line.part, line.number] for i in at)
    lamps = sum(line.ma for line in bill(grid) if line.use == "lamps")
    assert f"{lamps:.0f}" in cells
    assert f"{sum(line.ma for line in bill(grid)):.0f}" in cells
    assert f"<strong>{sum(line.euro for line in bill(grid)):.0f} €</strong>" in shown
    assert "01 November 2026" in shown


def test_the_page_is_written_by_the_same_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert bom.main(["rooks", "reed", "--page"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("<!doctype html>")
    assert "USB is enough" in shown
    assert bom.main(["ludo", "reed", "--page"]) == 2


def test_lamps_have_wires_of_their_own_from_the_one_supply() -> None:
    lines = bill(GridToBuild(load_board("chess"), Sensor.REED, frozenset({"lamps"})))
    assert [line.use for line in lines if "0.5 mm²" in line.part] == ["lamps"]
    assert sum(line.part.startswith("supply") for line in lines) == 1
    assert any("both rails part" in line.part for line in lines)


@pytest.mark.parametrize("controller", ["pico", "esp32s3"])
@pytest.mark.parametrize("sensor", Sensor)
def test_a_chip_of_3_3_volts_gets_parts_for_that(controller: str, sensor: Sensor) -> None:
    numbers = [line.number for line in bill(grid_of(["chess", sensor.name.lower(), controller]))]
    makers = {"pico": "Raspberry Pi Pico", "esp32s3": "ESP32-S3-DevKitC-1"}
    assert any(makers[controller] in number for number in numbers)
    assert not any("Arduino" in number or "SS49E" in number for number in numbers)
    assert any("DRV5055A3" in number for number in numbers) is (sensor is Sensor.ANALOGUE)
    assert any("V33" in number for number in numbers) is (sensor is not Sensor.REED)


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("sensor", [Sensor.DIGITAL, Sensor.ANALOGUE])
def test_every_hall_sensor_and_every_chip_has_its_capacitor(board: str, sensor: Sensor) -> None:
    grid = GridToBuild(load_board(board), sensor)
    chips = wire(grid.board, sensor, grid.controller).height
    counts = [line.quantity for line in bill(grid) if line.part.startswith("capacitor, 100 nF")]
    assert counts == [len(grid.board.sites), chips]


@pytest.mark.parametrize("made", ["tile", "strips"])
@pytest.mark.parametrize("controller", ["uno", "mega", "pico", "esp32s3"])
def test_guide_and_list_agree_on_the_volts_of_printed_boards(controller: str, made: str) -> None:
    """Sensors and registers bear both, and the lamps have a supply of their own."""
    guide, table = (
        " ".join((counting.FOLDER.parent / page).read_text(encoding="utf-8").split())
        for page in ("docs/building-a-board.md", "hardware/bom.md")
    )
    assert "At a controller of 3.3 V it is given 3.3 V instead, from" in guide
    assert "Printed boards bear 3.3 V as well" in table
    numbers = [line.number for line in bill(grid_of(["chess", "digital", controller, made]))]
    assert sum("V33" in number for number in numbers) == (CONTROLLERS[controller].volts < 5)
    board = load_board("chess")
    assert (
        wire(board, Sensor.DIGITAL, CONTROLLERS[controller]).addresses
        == wire(board, Sensor.DIGITAL, UNO).addresses
    )


def test_lamps_of_a_printed_board_at_a_pico_get_a_level_shifter() -> None:
    numbers = [line.number for line in bill(grid_of(["chess", "digital", "pico", "tile", "lamps"]))]
    assert sum("AHCT125" in number for number in numbers) == 1


@pytest.mark.parametrize(("controller", "shifters"), [("pico", 1), ("uno", 0)])
def test_lamps_at_a_chip_of_3_3_volts_get_a_level_shifter(controller: str, shifters: int) -> None:
    numbers = [line.number for line in bill(grid_of(["chess", "reed", controller, "lamps"]))]
    assert sum("AHCT125" in number for number in numbers) == shifters
