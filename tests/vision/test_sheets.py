"""Printed sheets: to scale, readable by the detectors, valid PDF; and the lens calibrated from one."""

from __future__ import annotations

import re
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from vision.arrays import Image
from vision.cli_print import print_
from vision.finding.markers import find_markers
from vision.geometry.lens import Lens, LensError, calibrate_lens
from vision.geometry.sheets import A4_MM, CHARUCO_SQUARES, Sheet, SheetError, charuco_sheet, marker_sheet

PIXELS_PER_MM = 6


def printed(sheet: Sheet) -> Image:
    """The sheet as a printer would put it on paper."""
    paper = np.full((round(A4_MM[1] * PIXELS_PER_MM), round(A4_MM[0] * PIXELS_PER_MM)), 255, np.uint8)
    for left, top, width, height in sheet.rectangles:
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


@pytest.mark.parametrize("sheet", [marker_sheet(), charuco_sheet()], ids=["markers", "charuco"])
def test_sheets_are_pdf_files_on_a4(sheet: Sheet) -> None:
    file = sheet.pdf()
    assert file.startswith(b"%PDF-1.")
    assert file.rstrip().endswith(b"%%EOF")
    assert b"/MediaBox [0 0 595.276 841.890]" in file
    match = re.search(rb"startxref\n(\d+)", file)
    assert match is not None
    assert file[int(match[1]) :].startswith(b"xref")
    for number, offset in enumerate(re.findall(rb"(\d{10}) 00000 n", file), 1):
        assert file[int(offset) :].startswith(b"%d 0 obj" % number)
    assert all(min(x, y) >= 0 and x + w <= A4_MM[0] and y + h <= A4_MM[1] for x, y, w, h in sheet.rectangles)
    assert file.count(b" re f") == len(sheet.rectangles)


def photographed(tilt: float, turn: float, lens: Lens, away: float = 330) -> Image:
    """The ChArUco sheet as a camera with this lens would see it."""
    paper = printed(charuco_sheet())
    cos, sin = np.cos(turn), np.sin(turn)
    lean = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    rotation = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]]) @ lean
    middle = np.array([A4_MM[0] / 2, A4_MM[1] / 2, 0])
    origin = np.array([0, 0, away]) - rotation @ middle
    to_pixels = lens.matrix @ np.column_stack((rotation[:, 0], rotation[:, 1], origin))
    grid = np.stack(np.meshgrid(np.arange(960.0), np.arange(720.0)), axis=-1).reshape(-1, 2)
    rays = np.column_stack((lens.undistort(grid), np.ones(len(grid)))) @ np.linalg.inv(to_pixels).T
    maps = (rays[:, :2] / rays[:, 2:] * PIXELS_PER_MM - 0.5).astype(np.float32).reshape(720, 960, 2)
    soft = cv2.GaussianBlur(paper, (0, 0), 1.5)
    x, y = maps[..., 0], maps[..., 1]
    seen = cv2.remap(soft, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=90)
    return np.asarray(seen, dtype=np.uint8)


def test_a_lens_is_calibrated_from_pictures_of_the_sheet() -> None:
    lens = Lens(760, 760, 484, 355, -0.08, 0.02)
    poses = ((0.5, 0.0), (-0.5, 0.4), (0.45, 1.6), (-0.4, 2.6), (0.1, 3.1))
    pictures = [photographed(tilt, turn, lens) for tilt, turn in poses]
    found = calibrate_lens(pictures)
    assert found.fx == pytest.approx(lens.fx, rel=0.02)
    assert found.k1 == pytest.approx(lens.k1, abs=0.03)
    grid = np.stack(np.meshgrid(np.linspace(100, 860, 5), np.linspace(80, 640, 5)), axis=-1).reshape(-1, 2)
    shifts = found.undistort(grid) - lens.undistort(grid)
    assert np.abs(shifts - shifts.mean(axis=0)).max() < 12


def test_pictures_without_the_sheet_are_refused() -> None:
    blank = np.full((480, 640), 200, np.uint8)
    with pytest.raises(LensError, match="seen in 0 of 2"):
        calibrate_lens([blank, blank])
    with pytest.raises(LensError, match="all of the same size"):
        calibrate_lens([blank, blank[:100]])


@pytest.mark.parametrize("what", ["markers", "charuco"])
def test_the_command_writes_a_file(tmp_path: Path, what: str) -> None:
    path = tmp_path / "sheet.pdf"
    result = CliRunner().invoke(print_, [what, "-o", str(path)])
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
def test_the_command_refuses_in_words(arguments: list[str]) -> None:
    result = CliRunner().invoke(print_, arguments)
    assert result.exit_code == 2
    assert "Error" in result.output


def test_the_charuco_sheet_has_its_squares() -> None:
    large = [r for r in charuco_sheet().rectangles if r[2] == r[3] == 25]
    assert len(large) == CHARUCO_SQUARES[0] * CHARUCO_SQUARES[1] // 2
