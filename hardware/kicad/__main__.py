"""Makes a tile for a square board.

`python -m hardware.kicad BOARD FOLDER [FILES]` writes the KiCad project into a folder. `python -m
hardware.kicad release BOARD FOLDER [FILES]` also has KiCad check it, and writes what a maker of boards needs:
Gerbers with drill files, the parts and their positions; with `--for jlcpcb` the last two as that maker reads
them. BOARD is the name of a board or a board file. FILES is how many files of the board one tile has: 8 (the
usual), 4, 2 or 1.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from hardware.command_line import CommandError, board_of, say
from hardware.kicad import jlcpcb
from hardware.kicad.layout import tile_for
from hardware.kicad.project import write_project
from hardware.kicad.release import MAKERS, release
from hardware.kicad.tile import Tile

USAGE = f"write: python -m hardware.kicad [release] BOARD FOLDER [8|4|2|1] [--for {'|'.join(MAKERS)}]"


def tile_of(args: Sequence[str]) -> Tile:
    """Returns the tile that the words BOARD, FOLDER and FILES name. CompanionError when they name none."""
    if not 2 <= len(args) <= 3 or (len(args) == 3 and args[2] not in ("8", "4", "2", "1")):
        raise CommandError(USAGE)
    board = board_of(args[0])
    files = int(args[2]) if len(args) == 3 else 8
    return tile_for(board, files)


def write(args: Sequence[str]) -> str:
    """Writes what the words of the command line ask for, and returns what is said of it."""
    is_release = args[:1] == ["release"]
    rest, maker = _maker_of(args[1:]) if is_release else (args, "")
    tile = tile_of(rest)
    folder = Path(rest[1])
    try:
        written = release(tile, folder, maker) if is_release else [write_project(tile, folder)]
    except OSError as error:
        raise CommandError(f"{folder} cannot be written: {error.strerror}") from None
    box = tile.outline
    size = f"{box.right - box.left:.1f} × {box.bottom - box.top:.1f} mm"
    notes = (
        [f"look up by its maker's number: {number}\n" for number in jlcpcb.unnumbered(tile)] if maker else []
    )
    return "".join((*(f"{file}\n" for file in written), *notes, f"{tile.title}: {size}\n"))


def _maker_of(args: Sequence[str]) -> tuple[Sequence[str], str]:
    """Returns the words without `--for MAKER`, and the maker; '' where none is named."""
    if "--for" not in args:
        return args, ""
    at = args.index("--for")
    maker = args[at + 1] if at + 1 < len(args) else ""
    if maker not in MAKERS:
        raise CommandError(USAGE)
    return [*args[:at], *args[at + 2 :]], maker


def main(args: list[str]) -> int:
    return say(lambda: write(args))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
