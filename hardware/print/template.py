"""Draws sheets to print at full size, which show where to drill for the sensors, cut into pages of A4.

`python -m hardware.print.template BOARD > template.html` writes those of one board; without arguments those
beside this module are written anew. Print them from a browser at 100 % without margins, check the ruler, cut
along the dashed edges and tape the pages together.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import escape

from companion.core.board import Board, load_board
from hardware.wiring.header import CommandError, board_of, say

FOLDER = Path(__file__).resolve().parent
DRAWN = (
    "triune", "chess", "magnet", "trid", "ternion", "teleporters", "escape", "ternion_spaces", "queens",
    "rooks",
)  # fmt: skip
PAGE = (210.0, 297.0)
EDGE = 12.0
USED = (PAGE[0] - 2 * EDGE, PAGE[1] - 2 * EDGE)
HOLE = 2.5
ROUND = 15.0
STYLE = (
    "<style>@page{size:A4;margin:0}body{margin:0}svg{display:block;break-after:page}"
    "text{font:3px sans-serif;text-anchor:middle}"
    "circle,line,rect{stroke:#000;stroke-width:.2;fill:none}.edge{stroke-dasharray:2 2}</style>"
)


def template(board: Board) -> str:
    """Returns the pages of a board's template as one HTML file."""
    xs, ys = zip(*((x * board.pitch_mm, y * board.pitch_mm) for x, y in board.sites.values()), strict=True)
    left, top = min(xs) - ROUND, max(ys) + ROUND
    wide, high = int((max(xs) + ROUND - left) // USED[0]) + 1, int((top - min(ys) + ROUND) // USED[1]) + 1
    corners = [(left + c * USED[0], top - r * USED[1]) for r in range(high) for c in range(wide)]
    lines = ["<!doctype html>", f'<meta charset="utf-8"><title>{escape(board.name)}</title>', STYLE]
    for number, corner in enumerate(corners, 1):
        lines += _page(board, corner, f"page {number} of {len(corners)}")
    return "\n".join([*lines, ""])


def _page(board: Board, corner: tuple[float, float], words: str) -> Iterator[str]:
    yield '<svg xmlns="http://www.w3.org/2000/svg" width="210mm" height="297mm" viewBox="0 0 210 297">'
    yield f'<rect class="edge" x="{EDGE}" y="{EDGE}" width="{USED[0]:g}" height="{USED[1]:g}"/>'
    yield f'<text x="105" y="8">{escape(board.name)}, {words}: print at 100 %; this is 100 mm</text>'
    yield '<line x1="55" y1="10" x2="155" y2="10"/>'
    for site, (sx, sy) in board.sites.items():
        x, y = sx * board.pitch_mm - corner[0] + EDGE, corner[1] - sy * board.pitch_mm + EDGE
        if 0 <= x <= PAGE[0] and 0 <= y <= PAGE[1]:
            yield from _hole(site, x, y)
    yield "</svg>"


def _hole(site: str, x: float, y: float) -> Iterator[str]:
    yield f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{HOLE}"/>'
    yield f'<line x1="{x - 5:.2f}" y1="{y:.2f}" x2="{x + 5:.2f}" y2="{y:.2f}"/>'
    yield f'<line x1="{x:.2f}" y1="{y - 5:.2f}" x2="{x:.2f}" y2="{y + 5:.2f}"/>'
    yield f'<text x="{x + 6:.2f}" y="{y - 3:.2f}">{escape(site)}</text>'


def _template_of(args: list[str]) -> str:
    if len(args) != 1:
        raise CommandError("write: python -m hardware.print.template BOARD")
    return template(board_of(args[0]))


def main(args: list[str]) -> int:
    if args:
        return say(lambda: _template_of(args))
    for name in DRAWN:
        (FOLDER / f"{name}.html").write_text(template(load_board(name)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
