"""The sheets to drill by, held against the boards' files as they are drawn and as they are printed."""

from __future__ import annotations

import re
import subprocess
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from math import dist
from pathlib import Path

import pypdf
import pytest

from companion.core.board import Point, bundled_boards, load_board
from firmware_bridge.line.messages import Sensor
from hardware.magnets import pitch_of
from hardware.mechanics import DRILLS, LAMP_HOLE, HallSensorCase, Reed, lamps_mm, part_of, reach_of, sites_mm
from hardware.print import template as sheets
from hardware.print.template import PAPERS, Paper, TemplateSheet

BOARDS = bundled_boards()


@dataclass(frozen=True)
class Drawn:
    """A page as it is drawn: its row and column, its texts with their places, and its marks, in mm."""

    row: int
    column: int
    texts: dict[str, Point]
    sensors: list[Point]
    lamps: list[Point]

    def site(self, name: str) -> Point | None:
        """Returns where the sensor is whose label has that name: its cross stands before the label."""
        if name not in self.texts:
            return None
        x, y = self.texts[name]
        return min(self.sensors, key=lambda at: dist(at, (x - 7, y + 3)))


def pages_of(text: str) -> list[Drawn]:
    body = text[text.index('<svg class="page"') :]
    return [_page(page) for page in ET.fromstring(f"<pages>{body}</pages>")]


def _page(page: ET.Element) -> Drawn:
    assert not [
        element for element in page.iter() if "transform" in element.attrib
    ]  # nothing is mirrored itself
    marks = [(use.get("href"), (float(use.get("x", 0)), float(use.get("y", 0)))) for use in page.iter("use")]
    texts = {
        text.text or "": (float(text.attrib["x"]), float(text.attrib["y"])) for text in page.iter("text")
    }
    (head,) = [re.search(r"row (\d+), column (\d+)", text) for text in texts if "row" in text]
    assert head
    return Drawn(
        int(head[1]), int(head[2]), texts,
        [at for kind, at in marks if kind == "#sensor"],
        [at for kind, at in marks if kind == "#lamp"],
    )  # fmt: skip


def _place(element: ET.Element) -> Point:
    return float(element.get("x", 0)), float(element.get("y", 0))


def joined(pages: list[Drawn], paper: Paper, find: str) -> list[Point]:
    """Returns a site's places on the pages, cut along their dashed edges and taped together."""
    wide, high = paper.used
    found = [(page, page.site(find)) for page in pages]
    return [((p.column - 1) * wide + at[0], (p.row - 1) * high + at[1]) for p, at in found if at]


@pytest.mark.parametrize("board", sheets.DRAWN)
def test_the_sheets_here_are_those_of_today(board: str) -> None:
    drawn = (sheets.FOLDER / f"{board}.html").read_text(encoding="utf-8")
    assert drawn == sheets.template(TemplateSheet(load_board(board))), "run python -m hardware.print.template"


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("paper", PAPERS.values(), ids=PAPERS)
@pytest.mark.parametrize("underside", [False, True], ids=["above", "underside"])
def test_distances_on_the_sheets_are_those_of_the_board(board: str, paper: Paper, underside: bool) -> None:
    sheet = TemplateSheet(load_board(board), paper, underside)
    pages = pages_of(sheets.template(sheet))
    sites = sites_mm(sheet.board)
    first = next(iter(sites))
    start = joined(pages, paper, first)[0]
    for site, (x, y) in sites.items():
        places = joined(pages, paper, site)
        assert places, site
        east, north = x - sites[first][0], y - sites[first][1]
        for across, down in places:
            assert across - start[0] == pytest.approx(-east if underside else east, abs=0.03)
            assert start[1] - down == pytest.approx(north, abs=0.03)


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("paper", PAPERS.values(), ids=PAPERS)
def test_every_hole_is_whole_on_a_page_and_within_its_edges_on_one(board: str, paper: Paper) -> None:
    sheet = TemplateSheet(load_board(board), paper, underside=True, lamps=True)
    pages = pages_of(sheets.template(sheet))
    wide, high = paper.used
    edge = sheets.EDGE

    def within(holes: list[Point], margin: float) -> int:
        return sum(
            edge - margin <= x <= edge + wide + margin and edge - margin <= y <= edge + high + margin
            for x, y in holes
        )

    for kind in ("sensors", "lamps"):
        assert sum(within(getattr(page, kind), 0) for page in pages) >= len(sheet.board.sites)
        # A printer leaves out 5 mm at most; the widest hole that is cut by an edge ends before.
        assert edge - DRILLS[Sensor.ANALOGUE] / 2 >= 5
    assert all(within(page.sensors, 0) + within(page.lamps, 0) for page in pages)


def test_labels_and_rulers() -> None:
    text = sheets.template(TemplateSheet(load_board("chess"), PAPERS["letter"], underside=True, lamps=True))
    (page, *_) = pages_of(text)
    assert "chess, underside (mirrored), page 1 of 4: row 1, column 1. Print at 100 %" in " ".join(page.texts)
    assert "5 mm for a reed switch, 8 mm (dashed) for a Hall sensor; ring with a dot: lamp, 5 mm" in text
    ruler = re.search(r'id="ruler" d="M([\d.]+) 10.6h100M?([^"]*)"', text)
    assert ruler
    ticks = [float(x) for x in re.findall(r"M([\d.]+) 10.6V", text)]
    assert ticks[-1] - ticks[0] == pytest.approx(100)
    assert "size:letter" in text


def test_without_lamps_there_are_none() -> None:
    assert not [
        hole for page in pages_of(sheets.template(TemplateSheet(load_board("chess")))) for hole in page.lamps
    ]


@pytest.mark.parametrize("board", BOARDS)
def test_a_lamp_is_beside_its_piece_and_beside_no_other(board: str) -> None:
    played = load_board(board)
    sites, lamps = sites_mm(played), lamps_mm(played)
    widest = max(reach_of(face) for face in played.pieces.faces.values()) * played.pitch_mm
    for site, lamp in lamps.items():
        own = dist(lamp, sites[site])
        others = [dist(lamp, at) for name, at in sites.items() if name != site]
        assert min(own, *others) >= widest + LAMP_HOLE / 2 + 0.4
        assert own <= min(others) + 1e-6
    apart = [dist(a, b) for i, a in enumerate(lamps.values()) for b in list(lamps.values())[:i]]
    assert min(apart) > 10.4  # a lamp has a little board of its own


@pytest.mark.parametrize("board", BOARDS)
def test_holes_leave_wood_between_them(board: str) -> None:
    played = load_board(board)
    assert pitch_of(played) - DRILLS[Sensor.ANALOGUE] > 10
    for site, lamp in lamps_mm(played).items():
        gap = dist(lamp, sites_mm(played)[site]) - (DRILLS[Sensor.ANALOGUE] + LAMP_HOLE) / 2
        assert gap >= 4.5


def test_the_drills_take_the_sensors() -> None:
    reed, hall = Reed(), HallSensorCase()
    assert reed.width + 2 * reed.leg + 1 < DRILLS[Sensor.REED]
    across = dist((0, 0), (hall.width, hall.length + hall.bend))
    assert across < DRILLS[Sensor.DIGITAL] == DRILLS[Sensor.ANALOGUE]
    assert part_of(Sensor.REED).below == reed.loop + reed.glass / 2
    assert part_of(Sensor.ANALOGUE).below == part_of(Sensor.DIGITAL).below == pytest.approx(hall.sunk + 0.5)


@pytest.mark.parametrize("paper", PAPERS)
def test_a_browser_prints_a_page_of_paper_for_each(chromium: str, paper: str, tmp_path: Path) -> None:
    sheet = TemplateSheet(load_board("trid"), PAPERS[paper], underside=True, lamps=True)
    source, printed = tmp_path / "sheet.html", tmp_path / "sheet.pdf"
    source.write_text(sheets.template(sheet), encoding="utf-8")
    command = [
        chromium,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        f"--user-data-dir={tmp_path / 'home'}",
    ]
    options = ["--no-pdf-header-footer", f"--print-to-pdf={printed}"]
    subprocess.run([*command, *options, source.as_uri()], check=True, capture_output=True, timeout=120)
    pages = pypdf.PdfReader(printed).pages
    assert len(pages) == len(sheet.pages())
    for page in pages:
        size = [float(side) / 72 * 25.4 for side in page.mediabox[2:]]
        assert size == pytest.approx(PAPERS[paper][:2], abs=0.3)
    # A text that is drawn with a white rim comes out twice.
    named = {line for page in pages for line in page.extract_text().splitlines()}
    assert {2 * site for site in sheet.board.sites} <= named
