"""The materials of boards and tables, and the ink of every style in which a board is drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from companion.core.board import Board

WOODS: Mapping[str, tuple[str, str]] = {
    "beech": ("#d7ab74", "#b98850"),
    "maple": ("#e2c691", "#c9a566"),
    "cherry": ("#c98255", "#a45c35"),
    "oak": ("#c39a62", "#9a7040"),
    "walnut": ("#6f4a34", "#472c1e"),
    "grey": ("#7e7d7a", "#757471"),
    "slate": ("#4c5157", "#464b51"),
    "blue": ("#24508f", "#20498a"),
    "green": ("#3d6b52", "#38654c"),
}
"""Light and dark of the grain; the last four are cloths, which have none."""
CLOTHS = ("grey", "slate", "blue", "green")


class Style(NamedTuple):
    """The style of a shape: fill and line colours ('' for none, `ink` for the board's), line width in
    steps, and the share of the wood that the fill covers."""

    fill: str = ""
    line: str = ""
    width: float = 0.024
    cover: float = 1.0


@dataclass(frozen=True, eq=False)
class Carving:
    """The forms of the turned pieces of a set of chess: for the badge of each the (radius, height) points of
    its profile, bottom to top, where the piece's own radius and height are 1; and their gloss."""

    profiles: Mapping[str, Sequence[tuple[float, float]]]
    gloss: float = 0.2


@dataclass(frozen=True, slots=True)
class Finish:
    """The material of the board and of the table beneath it, and whether markers are stuck on it.

    `styles` are drawn otherwise than usual; `carving` is that of pieces of chess, None for the usual one.
    """

    board: str = "beech"
    table: str = "walnut"
    markers: bool = False
    styles: tuple[tuple[str, Style], ...] = ()
    carving: Carving | None = None

    @property
    def ink(self) -> str:
        """The colour of the board's lines."""
        return "#e9e6dc" if self.board in CLOTHS else "#e4d2b0" if self.board == "walnut" else "#3a2a1f"

    def style(self, board: Board, name: str) -> Style:
        """Returns the style of a shape of a board."""
        return dict(self.styles).get(name) or style_of(board, name)

    @property
    def thickness(self) -> float:
        """The height of the board's face above the table, in distances of sites: a plank or a mat."""
        return 0.04 if self.board in CLOTHS else 0.38


STYLES: Mapping[str, Style] = {
    "cell": Style(line="ink"),
    "light": Style("#cfa873", "#7a6a50", 0.015, 0.85),
    "dark": Style("#86573a", "#4d3220", 0.015, 0.88),
    "grey": Style("#a3a2a0", "#77756f", 0.015, 0.92),
    "wall": Style("#1f1e20", "#141415"),
    "stop": Style("#68686a", "#4b4b4d"),
    "dashed": Style(line="#26262a", width=0.03),
    "border": Style(line="#26262a", width=0.16),
    "label": Style(line="ink"),
    "number": Style(line="#e0c69a"),
    "line": Style(line="ink"),
    "arrow": Style(line="ink", width=0.04),
    "target": Style(line="ink", width=0.03),
    "star": Style("#f6f1e4"),
    "zone": Style("#5a88b8", cover=0.28),
    "out": Style("#6d6a66", cover=0.3),
    "red-line": Style(line="#a8402e", width=0.045),
    "blue-line": Style(line="#3d6a97", width=0.045),
}
PLAIN = Style(line="ink")
OWN_STYLES: Mapping[str, Mapping[str, Style]] = {
    "trid": {"light": Style("#efe9dc", "#8a867e", 0.015, 0.92)},
}
"""Styles that a board has its own ink for."""

FINISHES: Mapping[str, Finish] = {
    "triune": Finish("beech", "walnut"),
    "chess": Finish("walnut", "oak"),
    "magnet": Finish("cherry", "slate"),
    "trid": Finish("beech", "grey"),
    "ternion": Finish("maple", "grey"),
    "ternion_spaces": Finish("maple", "slate"),
    "escape": Finish("maple", "walnut"),
    "teleporters": Finish("blue", "oak"),
    "queens": Finish("walnut", "grey"),
    "rooks": Finish("maple", "green"),
}


def finish_of(board: Board) -> Finish:
    """Returns the materials of which the virtual table makes a board."""
    return FINISHES.get(board.name, Finish())


def style_of(board: Board, name: str) -> Style:
    """Returns the style of a shape; `south-pad`, a player's own, is drawn in the player's paint."""
    owner = name.partition("-")[0]
    if name not in STYLES and owner in board.pieces.paint:
        return Style(line=board.pieces.paint[owner], width=0.04)
    return OWN_STYLES.get(board.name, STYLES).get(name) or STYLES.get(name, PLAIN)
