"""The printed sheet: to scale, readable by the detector, valid PDF."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from tests.companion.command import Command
from vision.arrays import Image
from vision.cli_print import print_
from vision.finding.marker_sheet import SheetError, marker_sheet
from vision.finding.markers import find_markers

PIXELS_PER_MM = 6
A4_MM = (210.0, 297.0)
POINTS_PER_MM = 72 / 25.4


def rectangles(file: bytes) -> list[list[float]]:
    """The black rectangles of the page: left, top, width and height, mm from the paper's top left corner."""
    matrices = re.findall(rb"^(\S+) (\S+) (\S+) (\S+) (\S+) (\S+) cm", file, re.MULTILINE)
    page, scale = ([float(number) for number in matrix] for matrix in matrices)
    assert page == pytest.approx([1, 0, 0, -1, 0, A4_MM[1] * POINTS_PER_MM], abs=1e-3)
    assert scale == pytest.approx([POINTS_PER_MM, 0, 0, POINTS_PER_MM, 0, 0], abs=1e-5)
    found = re.findall(rb"^n (\S+) (\S+) (\S+) (\S+) re f", file, re.MULTILINE)
    return [[float(number) for number in rectangle] for rectangle in found]


def printed(file: bytes) -> Image:
    """The sheet as a printer would put it on paper."""
    paper = np.full((round(A4_MM[1] * PIXELS_PER_MM), round(A4_MM[0] * PIXELS_PER_MM)), 255, np.uint8)
    for left, top, width, height in rectangles(file):
        x0, y0 = round(left * PIXELS_PER_MM), round(top * PIXELS_PER_MM)
        paper[y0 : round((top + height) * PIXELS_PER_MM), x0 : round((left + width) * PIXELS_PER_MM)] = 0
    return paper


@pytest.mark.parametrize("size", [10, 30, 60])
def test_markers_are_read_and_measure_what_they_should(size: float) -> None:
    found = find_markers(printed(marker_sheet(size)))
    assert sorted(found) == [0, 1, 2, 3]
    sides = [np.linalg.norm(corners[1] - corners[0]) / PIXELS_PER_MM for corners in found.values()]
    assert sides == pytest.approx([size] * 4, abs=0.4)
    middles = {k: corners.mean(axis=0) for k, corners in found.items()}
    assert middles[0][0] < middles[1][0]
    assert middles[0][1] < middles[3][1]


@pytest.mark.parametrize("size", [5, 61, -1])
def test_sizes_that_cannot_be_used_are_refused(size: float) -> None:
    with pytest.raises(SheetError, match="10 to 60 mm"):
        marker_sheet(size)


def test_a_sheet_is_a_pdf_file_on_a4() -> None:
    file = marker_sheet()
    assert file.startswith(b"%PDF-1.")
    assert file.rstrip().endswith(b"%%EOF")
    box = re.search(rb"/MediaBox \[ 0 0 (\S+) (\S+) \]", file)
    assert box is not None
    assert [float(side) / POINTS_PER_MM for side in box.groups()] == pytest.approx(A4_MM, abs=1e-3)
    assert b"/PrintScaling /None" in file
    match = re.search(rb"startxref\n(\d+)", file)
    assert match is not None
    assert file[int(match[1]) :].startswith(b"xref")
    for number, offset in enumerate(re.findall(rb"(\d{10}) 00000 n", file), 1):
        assert file[int(offset) :].startswith(b"%d 0 obj" % number)
    black = rectangles(file)
    assert all(min(x, y) >= 0 and x + w <= A4_MM[0] and y + h <= A4_MM[1] for x, y, w, h in black)
    assert file.count(b" re f") == len(black)


def test_the_command_writes_a_file(tmp_path: Path) -> None:
    path = tmp_path / "sheet.pdf"
    result = CliRunner().invoke(print_, ["markers", "-o", str(path)])
    assert result.exit_code == 0
    assert "100 %" in result.output
    assert path.read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(
    "arguments",
    [
        ["markers", "--size", "99"],
        ["markers", "-o", "/nowhere/x.pdf"],
        ["stars"],
    ],
)
def test_the_command_refuses_in_words(
    arguments: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert Command(capsys, monkeypatch).refuses("print", *arguments)
