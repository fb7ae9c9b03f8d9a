"""Makes the files that a maker of boards is sent, after KiCad has checked them.

KiCad 9 does the work: its Python module fills the ground planes, `kicad-cli` checks and plots. Nothing is
written when a check finds anything at all, a warning included.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from companion.core.errors import CompanionError
from hardware.kicad import jlcpcb
from hardware.kicad.bill import as_csv
from hardware.kicad.project import write_project
from hardware.kicad.tile import Tile

PLOTTED = "F.Cu,B.Cu,F.Paste,F.SilkS,B.SilkS,F.Mask,B.Mask,Edge.Cuts"
FILL = (
    "import sys, pcbnew; board = pcbnew.LoadBoard(sys.argv[1]); "
    "pcbnew.ZONE_FILLER(board).Fill(board.Zones()); pcbnew.SaveBoard(sys.argv[1], board)"
)
PYTHONS = ("/usr/bin/python3", "python3")
"""Where KiCad's Python module may be installed: it comes with the system's Python, not with our own."""
JLCPCB = "jlcpcb"
MAKERS = (JLCPCB,)
"""The makers whose own tables of parts and positions are known."""
NEEDED = "install KiCad 9 (`.ci/kicad` does, on Debian)"


class ReleaseError(CompanionError):
    """A release that cannot be made: KiCad is missing, or finds something wrong."""


def release(tile: Tile, folder: Path, maker: str = "") -> list[Path]:
    """Writes a tile's project and its files for the maker into a folder, and returns the files for the maker.

    Parts and positions are tables of KiCad's kind, or those of one of the MAKERS. ReleaseError when KiCad 9
    is not there or its checks find anything.
    """
    if shutil.which("kicad-cli") is None:
        raise ReleaseError(f"kicad-cli is missing: {NEEDED}")
    project = write_project(tile, folder / "project")
    board, schematic = project.with_suffix(".kicad_pcb"), project.with_suffix(".kicad_sch")
    fill(board)
    check(schematic, board)
    parts = folder / f"{tile.name}-parts.csv"
    plans, places = folder / f"{tile.name}-schematic.pdf", folder / f"{tile.name}-positions.csv"
    _kicad("sch", "export", "pdf", "-o", str(plans), str(schematic))
    if maker == JLCPCB:
        parts.write_text(jlcpcb.parts(tile), encoding="utf-8")
        places.write_text(jlcpcb.positions(tile), encoding="utf-8")
    else:
        parts.write_text(as_csv(tile), encoding="utf-8")
        _kicad(
            *("pcb", "export", "pos", "--format", "csv", "--units", "mm", "--side", "both"),
            *("--use-drill-file-origin", "-o", str(places), str(board)),
        )
    return [_gerbers(board, folder / f"{tile.name}-gerbers.zip"), places, parts, plans]


def fill(board: Path) -> None:
    """Fills the planes of a board file. ReleaseError where KiCad's Python module is missing."""
    tried = []
    for python in PYTHONS:
        try:
            command = [python, "-c", FILL, str(board)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
        except OSError as error:
            tried.append(str(error))
            continue
        if done.returncode == 0:
            return
        tried.append(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "it stopped")
    raise ReleaseError(f"KiCad's Python module does not fill the planes ({tried[0]}): {NEEDED}")


def check(schematic: Path, board: Path) -> None:
    """Asks KiCad whether schematic and board keep all rules and agree. ReleaseError when they do not."""
    with tempfile.TemporaryDirectory() as made:
        report = Path(made, "report.txt")
        strict = ("--exit-code-violations", "--severity-all", "-o", str(report))
        for words in (
            ("sch", "erc", *strict, str(schematic)),
            ("pcb", "drc", "--schematic-parity", *strict, str(board)),
        ):
            if _run(words).returncode:
                found = report.read_text(encoding="utf-8") if report.exists() else "no report was written"
                first = next((line for line in found.splitlines() if line.startswith("[")), found[:200])
                raise ReleaseError(f"kicad-cli {words[0]} {words[1]} finds: {first}")


def _gerbers(board: Path, archive: Path) -> Path:
    """Plots the layers and the holes, and packs them."""
    with tempfile.TemporaryDirectory() as made:
        _kicad(
            "pcb", "export", "gerbers", "-l", PLOTTED, "--use-drill-file-origin", "-o", f"{made}/", str(board)
        )
        _kicad(
            *("pcb", "export", "drill", "--format", "excellon", "--excellon-separate-th"),
            *("--drill-origin", "plot", "-o", f"{made}/", str(board)),
        )
        with ZipFile(archive, "w", ZIP_DEFLATED) as packed:
            for file in sorted(Path(made).iterdir()):
                packed.writestr(ZipInfo(file.name), file.read_bytes(), ZIP_DEFLATED)
    return archive


def _kicad(*words: str) -> None:
    done = _run(words)
    if done.returncode:
        told = (done.stderr or done.stdout).strip().splitlines()
        raise ReleaseError(
            f"kicad-cli {' '.join(words[:3])} failed: {told[-1] if told else 'it says nothing'}"
        )


def _run(words: Sequence[str]) -> subprocess.CompletedProcess[str]:
    program = shutil.which("kicad-cli") or "kicad-cli"
    return subprocess.run([program, *words], capture_output=True, text=True, check=False)  # noqa: S603
