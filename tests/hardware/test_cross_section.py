"""The cut through a site: it has the measures of the parts, and nothing is drawn that would not work."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.core import board as board_module
from companion.core.board import bundled_boards, load_board
from firmware_bridge.line.messages import Sensor
from hardware import bom, cross_section, magnets
from hardware.cross_section import draw, section_of
from hardware.discs import Disc, axial_field
from hardware.forces import FELT
from hardware.mechanics import BASE, DRILLS, LAMP_HOLE, part_of
from hardware.print import template


def boxes(text: str) -> dict[str, tuple[float, float, float, float]]:
    """Returns each box of a drawing by its style: left, top, width and height; top is measured downwards."""
    rects = [e for e in ET.fromstring(text).iter() if e.tag.endswith("rect")]
    sides = ("x", "y", "width", "height")
    return {e.attrib["class"]: tuple(float(e.attrib[s]) for s in sides) for e in rects}  # type: ignore[misc]


@pytest.mark.parametrize(("board", "sensor"), cross_section.DRAWN)
def test_the_guides_pictures_are_those_of_today(board: str, sensor: Sensor) -> None:
    file = cross_section.FOLDER / f"cross-section-{sensor.name.lower()}.svg"
    assert file.read_text(encoding="utf-8") == draw(section_of(load_board(board), sensor))


@pytest.mark.parametrize("board", bundled_boards())
@pytest.mark.parametrize("sensor", Sensor)
def test_every_board_has_a_section_to_scale(board: str, sensor: Sensor) -> None:
    section = section_of(load_board(board), sensor)
    text = draw(section)
    box = boxes(text)
    left, top, wide, high = box["paper"]
    root = ET.fromstring(text)
    assert [float(v) for v in root.attrib["viewBox"].split()] == pytest.approx(
        [left, top, wide, high], abs=0.01
    )
    assert float(root.attrib["width"]) / float(root.attrib["height"]) == pytest.approx(wide / high, rel=0.01)
    assert box["wood"][1] == pytest.approx(-section.wood)
    assert box["wood"][3] == pytest.approx(section.wood)
    assert box["base"][1:4:2] == (0, BASE)
    assert box["felt"][1] == pytest.approx(-section.wood - FELT)
    assert box["glue"][2] == DRILLS[sensor]
    assert box["rod"][2] == LAMP_HOLE
    assert box["rod"][0] + LAMP_HOLE / 2 == pytest.approx(section.lamp, abs=0.01)
    magnet = section.magnet
    assert box["north"][2] == box["south"][2] == magnet.diameter
    south = box["south"]
    assert south[1] + south[3] == pytest.approx(-section.wood - FELT)  # flush with the foot
    (element,) = [e for e in root.iter() if e.tag.endswith("circle")]
    assert float(element.attrib["cy"]) + section.wood + FELT == pytest.approx(section.depth)
    words = [e.text or "" for e in root.iter() if e.tag.endswith("text")]
    assert f"depth {section.depth:g} mm" in words
    field = axial_field(magnet, section.depth)
    assert f"{field:.1f} mT there; it surely reacts at {part_of(sensor).operate:g} mT" in words
    assert field > part_of(sensor).operate


def test_what_is_wanted_otherwise_is_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    assert cross_section.main(["chess", "analogue", "--wood", "9.5", "--magnet", "8x3"]) == 0
    text = capsys.readouterr().out
    assert "board 9.5 mm" in text
    assert "disc magnet 8 × 3 mm" in text
    assert re.search(r"depth 11\.3 mm", text)


@pytest.mark.parametrize(("board", "least", "most"), [
    ("chess", 1, 11), ("triune", 1, 8), ("magnet", 1, 2.5), ("trid", 1, 1)
])  # fmt: skip
def test_longer_glass_lies_deeper_and_needs_a_higher_frame(
    board: str, least: float, most: float, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cross_section.main([board, "reed", "--glass", "14"]) == 0
    text = capsys.readouterr().out
    box, words = boxes(text), [e.text for e in ET.fromstring(text).iter() if e.tag.endswith("text")]
    assert "frame 20 mm" in words
    assert box["glass"][3] == 14
    ends = box["glass"][1] + box["glass"][3] + 3
    assert ends <= BASE + 20
    assert section_of(load_board(board), Sensor.REED, glass=14).part.below == 10
    played = load_board(board)
    assert magnets.woods(part_of(Sensor.REED, 14), magnets.advised(played), magnets.pitch_of(played)) == (
        least,
        most,
    )
    row = next(line for line in magnets.wood_table().splitlines() if line.startswith(f"| {board} |"))
    span = f"{least:g} to {most:g} mm" if least < most else f"{least:g} mm"
    assert row.split(" | ")[3] == span
    assert row in (Path(magnets.__file__).parent / "magnets.md").read_text(encoding="utf-8")
    assert cross_section.main([board, "reed", "--glass", "14", "--wood", f"{most + 1:g}"]) == 2
    assert "reed switch of 14 mm glass" in capsys.readouterr().err


@pytest.mark.parametrize(("args", "words"), [
    (["chess", "digital", "--glass", "14"], "--glass goes with reed"),
    (["chess", "reed", "--glass", "12"], "invalid choice: 12"),
    (["chess"], "the following arguments are required: sensor"),
    (["nosuch", "reed"], "there is no board 'nosuch'"),
    (["chess", "radar"], "invalid choice: 'radar'"),
    (["trid", "reed", "--wood", "12"], "through 12 mm of wood a reed switch, 10 to 15 AT does not feel"),
    (["trid", "reed", "--wood", "0"], "0 is not from 0.5 to 40"),
    (["trid", "reed", "--magnet", "12"], "'12' is no magnet: write it as 8x3, in mm"),
    (["trid", "reed", "--magnet", "nanx3"], "is no magnet for a piece"),
])  # fmt: skip
def test_what_would_not_work_is_refused_in_one_line(
    capsys: pytest.CaptureFixture[str], args: list[str], words: str
) -> None:
    assert cross_section.main(args) == 2
    said = capsys.readouterr()
    assert words in said.err
    assert (said.out, said.err.count("\n")) == ("", 1)


def test_a_strong_magnet_goes_through_thick_wood() -> None:
    assert section_of(load_board("draughts"), Sensor.ANALOGUE, 14, Disc(10, 5)).field > 12


@pytest.fixture
def own_board(tmp_path: Path) -> Callable[..., str]:
    """Writes a copy of the chess board with other entries, and returns its file."""

    def write(**entries: object) -> str:
        source = Path(board_module.__file__).parents[1] / "boards" / "chess.json"
        told = json.loads(source.read_text(encoding="utf-8")) | entries
        file = tmp_path / "mine.json"
        file.write_text(json.dumps(told), encoding="utf-8")
        return str(file)

    return write


COMMANDS = {
    "magnets": lambda file: magnets.main([file]),
    "sheet": lambda file: template.main([file, "--lamps"]),
    "section": lambda file: cross_section.main([file, "analogue"]),
    "bill": lambda file: bom.main([file, "reed"]),
}


@pytest.mark.parametrize("entries", [
    {"pitch_mm": 57},
    {"pieces": {"paint": {}, "faces": {}}},
    {"pieces": {"paint": {}, "faces": {"": {"form": "gnome", "radius": 0.3, "height": 0.5}}}},
    {"sites": {"a1": [0, 0]}, "links": [], "areas": {}, "places": {}, "marks": {}},
], ids=["larger", "no pieces", "a form of one's own", "one site"])  # fmt: skip
@pytest.mark.parametrize("command", COMMANDS)
def test_an_own_board_is_computed_and_drawn(
    own_board: Callable[..., str],
    entries: dict[str, object],
    command: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert COMMANDS[command](own_board(**entries)) == 0
    said = capsys.readouterr()
    assert said.out
    assert not said.err


@pytest.mark.parametrize("command", ["sheet", "section"])
def test_a_board_without_room_is_refused_in_one_line(
    own_board: Callable[..., str], command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert COMMANDS[command](own_board(pitch_mm=8)) == 2
    said = capsys.readouterr()
    assert "sites lie 8.0 mm from each other: sensors need 14 mm" in said.err
    assert (said.out, said.err.count("\n")) == ("", 1)
