"""The picture of a reed grid's base from below: every part in its place, every wire past its sites."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from itertools import combinations, pairwise
from math import dist

import pytest

from companion.core.board import bundled_boards, load_board
from firmware_bridge.line.messages import Sensor
from firmware_bridge.line.wiring import MEGA, PICO, UNO
from hardware.mechanics import DRILLS, sites_mm
from hardware.wiring import below
from hardware.wiring.below import STEPS, Base, colour_of, draw

Points = list[tuple[float, float]]


def elements(text: str, style: str) -> list[ET.Element]:
    return [e for e in ET.fromstring(text).iter() if e.attrib.get("class", "").split(" ")[0] == style]


def wires(text: str, style: str) -> dict[str, Points]:
    """Each wire that has a name, and the points that it passes."""
    found = {}
    for element in elements(text, style):
        if len(element):
            numbers = [float(n) for n in re.findall(r"-?[0-9.]+", element.attrib["d"])]
            found[element[0].text or ""] = list(zip(numbers[::2], numbers[1::2], strict=True))
    return found


@pytest.mark.parametrize("step", STEPS)
def test_the_guides_pictures_are_those_of_today(step: int) -> None:
    name, controller = below.DRAWN
    file = below.FOLDER / f"below-{name}-{step}.svg"
    assert file.read_text(encoding="utf-8") == draw(Base(load_board(name), controller, step))
    guide = (below.FOLDER.parent / "building-a-board.md").read_text(encoding="utf-8")
    assert f"(pictures/{file.name})" in guide


@pytest.mark.parametrize("name", bundled_boards())
def test_every_site_lies_where_its_hole_is_on_an_upturned_base(name: str) -> None:
    board = load_board(name)
    text = draw(Base(board, MEGA))
    root = ET.fromstring(text)
    wide, high = (float(n) for n in root.attrib["viewBox"].split()[2:])
    assert (root.attrib["width"], root.attrib["height"]) == (f"{wide:g}mm", f"{high:g}mm"), "to scale"
    holes = {(float(e.attrib["cx"]), float(e.attrib["cy"])) for e in elements(text, "hole")}
    assert holes == {(round(-x, 2), round(-y, 2)) for x, y in sites_mm(board).values()}
    assert {e.text for e in elements(text, "site")} == set(board.sites)
    assert len(elements(text, "body")) == len(elements(text, "copper")) == len(board.sites)


@pytest.mark.parametrize(
    ("name", "controller"), [("rooks", PICO), ("chess", UNO), ("magnet", MEGA), ("trid", PICO)]
)
def test_each_wire_passes_the_sites_of_its_row_or_column_and_no_others(name: str, controller: object) -> None:
    assert isinstance(controller, type(PICO))
    base = Base(load_board(name), controller)
    text, wiring = draw(base), base.wiring
    rows, columns = wires(text, "row"), wires(text, "column")
    assert len(rows) == wiring.height
    assert len(columns) == wiring.width
    for site, address in zip(wiring.sites, wiring.addresses, strict=True):
        place = base.places[site]
        row, column = rows[f"row {address.row}"], columns[f"column {address.column}"]
        assert min(dist(below._row_end(place), point) for point in row) < 0.02
        assert min(dist(below._lane(place, address.column), point) for point in column) < 0.02
    assert sum(map(len, rows.values())) == sum(map(len, columns.values())) == len(wiring.sites)
    words = " ".join(e.text or "" for e in ET.fromstring(text).iter() if e.tag.endswith("text"))
    for pin in (*controller.rows[: wiring.height], *controller.columns[: wiring.width]):
        assert re.search(rf"to {re.escape(pin.label)}\b", words)


def test_no_wire_of_a_row_lies_over_a_hole_of_a_square_board() -> None:
    base = Base(load_board("chess"), UNO)
    for points in wires(draw(base), "row").values():
        for (x1, y1), (x2, y2) in pairwise(points):
            for x, y in base.places.values():
                along = max(
                    0.0,
                    min(1.0, ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / dist((x1, y1), (x2, y2)) ** 2),
                )
                assert (
                    dist((x, y), (x1 + along * (x2 - x1), y1 + along * (y2 - y1))) > DRILLS[Sensor.REED] / 2
                )


def test_no_two_columns_look_alike() -> None:
    assert len({colour_of(column) for column in range(20)}) == 20
    shifts = [below._lane((0.0, 0.0), column) for column in range(8)]
    assert all(dist(a, b) > 0.8 for a, b in combinations(shifts, 2))


def test_each_step_adds_its_parts() -> None:
    board = load_board("rooks")
    counts = {
        step: [
            len(elements(draw(Base(board, PICO, step)), style)) for style in ("hole", "body", "row", "column")
        ]
        for step in STEPS
    }
    assert counts == {1: [16, 0, 0, 0], 2: [16, 16, 4, 0], 3: [16, 16, 4, 32]}


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["rooks"], "the following arguments are required: controller"),
        (["ludo", "pico"], "there is no board 'ludo'"),
        (["magnet", "uno"], "use Arduino Mega"),
        (["rooks", "pico", "--step", "4"], "invalid choice: 4"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_one_line(
    args: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert below.main(args) == 2
    said = capsys.readouterr()
    assert words in said.err
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert below.main(["rooks", "pico", "--step", "1"]) == 0
    assert capsys.readouterr().out == draw(Base(load_board("rooks"), PICO, 1))
