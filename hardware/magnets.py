"""Prints which magnet suits which board: the pull between neighbours, the depth of sensors, and cross-talk.

`python -m hardware.magnets` prints the tables of magnets.md for every board, and
`python -m hardware.magnets BOARD [--weight G] [--friction N]` what each magnet does on one board, for pieces
of that weight (without the magnet) and friction. Lengths are in mm, fields in mT, forces in gf.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import dist, hypot

from companion.core.board import Board, bundled_boards, load_board
from companion.core.game import Site
from firmware_bridge.line.messages import LEVEL_MAX
from firmware_bridge.sensing.calibration import PRESS_SHARE, THRESHOLD_MIN
from firmware_bridge.setup.calibrate import SWING_MIN
from hardware.arguments import Parser, number
from hardware.command_line import board_of, say
from hardware.discs import Disc, axial_field, cross_talk, felt_up_to, vertical_field
from hardware.forces import ASTRAY, FELT, FRICTION, Stand, lightest, stand_of, weight_of, weight_of_magnet


@dataclass(frozen=True, slots=True)
class SensorPart:
    """A sensor: from `operate` mT on it surely reacts, below `release` mT it surely does not.

    It looks at the field `samples` times a second; 0 stands for always. Its element lies `below` mm under the
    upper face of the base, when it is mounted as the cross-section shows. `calibrated` is the field that it
    must feel of a magnet in the middle, or calibration takes it for dead.
    """

    name: str
    operate: float
    release: float
    samples: int = 0
    below: float = 0.8
    calibrated: float = 0.0

    @property
    def is_linear(self) -> bool:
        return self.calibrated > 0


MT_PER_COUNT = 5000 / LEVEL_MAX / 10
"""The field in mT that moves an SS49E of the least sensitivity, 10 mV/mT, by a count; usual are 14."""
PARTS = (
    SensorPart("reed switch, 10 to 15 AT", 3.0, 1.0, below=8.0),
    SensorPart("A3144 switch", 35.0, 10.0),
    SensorPart("DRV5033FA switch", 6.8, 0.5),
    SensorPart(
        "SS49E linear",
        round(THRESHOLD_MIN * MT_PER_COUNT, 1),
        1.4,
        calibrated=round(SWING_MIN * MT_PER_COUNT, 1),
    ),
)
"""The worst cases of data sheets; of an SS49E the least threshold and the least swing of a calibration."""
UNFIT = (SensorPart("DRV5032FB switch", 4.8, 1.0, samples=5),)
"""Sensors that feel enough and look too seldom: two changes between two looks arrive in any order."""
MOUNTED = (PARTS[0], PARTS[2], PARTS[3])
"""The parts of the bill: for reed, digital and analogue."""
LONG_REED = replace(PARTS[0], name="reed switch of 14 mm glass, 10 to 15 AT", below=10.0)
"""A reed switch of the usual length, whose middle lies deeper than that of the bill's, of 10 mm."""
TABLED = (MOUNTED[0], LONG_REED, *MOUNTED[1:])
MAGNETS = (Disc(5, 2), Disc(6, 2), Disc(6, 3), Disc(8, 3), Disc(10, 3), Disc(10, 5))
DEPTHS = (5.0, 8.0, 12.0, 15.0)
WOODS = tuple(0.5 * i for i in range(2, 61))
"""The thicknesses of wood in mm that are tried, from 1 to 30."""


def pitch_of(board: Board) -> float:
    """Returns the distance of the two sites that are nearest to each other; with one site, a step."""
    points = list(board.sites.values())
    steps = (hypot(a - c, b - d) for i, (a, b) in enumerate(points) for c, d in points[:i])
    return min(steps, default=1.0) * board.pitch_mm


def stand(board: Board, magnet: Disc, friction: float = FRICTION) -> Stand:
    """Returns how a board's lightest piece stands beside another, each with that magnet."""
    return stand_of(board, magnet, pitch_of(board), friction)


def advised(board: Board) -> Disc:
    """Returns the strongest magnet with which no piece slides or snaps; the weakest where all do."""
    quiet = [magnet for magnet in MAGNETS if not stand(board, magnet).snaps]
    return (quiet or [MAGNETS[0]])[-1]


def feels(part: SensorPart, magnet: Disc, depth: float, pitch: float) -> bool:
    """Tells whether a sensor so deep feels a magnet in the middle, and one an eighth of the pitch beside it.

    A linear sensor must also feel beside the middle a quarter of what it feels there: that is its threshold.
    """
    middle, beside = axial_field(magnet, depth), vertical_field(magnet, depth, ASTRAY / 2 * pitch)
    share = PRESS_SHARE if part.is_linear else 0.0
    return middle >= part.calibrated and beside >= max(part.operate, share * middle)


def stray_field(board: Board, magnet: Disc, depth: float, standing: Collection[Site]) -> float:
    """Returns the most that a sensor feels of all pieces but its own, all with the same pole up, in mT."""
    points = {site: (x * board.pitch_mm, y * board.pitch_mm) for site, (x, y) in board.sites.items()}
    felt = (
        sum(vertical_field(magnet, depth, dist(at, points[other])) for other in standing if other != site)
        for site, at in points.items()
    )
    return max(map(abs, felt), default=0.0)


def woods(part: SensorPart, magnet: Disc, pitch: float) -> tuple[float, float] | None:
    """Returns the least and the greatest wood over a sensor, or None where it feels too little."""
    fit = [wood for wood in WOODS if feels(part, magnet, FELT + wood + part.below, pitch)]
    return (fit[0], fit[-1]) if fit else None


# ---- tables of the guide ----


def _markdown(rows: Iterable[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def size_of(magnet: Disc) -> str:
    """Returns the measures of a magnet as they are written: `8 × 3`."""
    return f"{magnet.diameter:g} × {magnet.thickness:g}"


def pull_table() -> str:
    """Returns a row of Markdown for each board: the pull of a neighbour, for each magnet."""
    head = ("board", "pitch", "lightest piece", *map(size_of, MAGNETS), "advised")
    rows = [head, ("---",) * len(head)]
    for name in bundled_boards():
        board = load_board(name)
        weight = weight_of(lightest(board), board.pitch_mm)
        cells = (_pull(stand(board, magnet)) for magnet in MAGNETS)
        rows.append((name, f"{pitch_of(board):.0f} mm", f"{weight:.1f} g", *cells, size_of(advised(board))))
    return _markdown(rows)


def _pull(stand: Stand) -> str:
    value = f"{stand.pull:.2f}" if stand.pull < 1 else f"{stand.pull:.1f}"
    return f"**{value} slide**" if stand.slides else f"{value} *snap*" if stand.snaps else value


def wood_table() -> str:
    """Returns a row of Markdown for each board: the wood over each sensor, for the advised magnet."""
    head = ("board", "magnet", *(part.name for part in TABLED))
    rows = [head, ("---",) * len(head)]
    for name in bundled_boards():
        board = load_board(name)
        magnet = advised(board)
        cells = (_wood(woods(part, magnet, pitch_of(board))) for part in TABLED)
        rows.append((name, size_of(magnet), *cells))
    return _markdown(rows)


def _wood(span: tuple[float, float] | None) -> str:
    if span is None:
        return "none"
    return f"{span[0]:g} mm" if span[0] == span[1] else f"{span[0]:g} to {span[1]:g} mm"


def field_table() -> str:
    """Returns rows of Markdown for each board, with the advised magnet.

    They hold the field at the middle of a site, how far off it is still felt, and the field at the next site.
    """
    head = ("board", "pitch", "magnet", "depth", "field", "felt up to", "neighbour")
    rows: list[Sequence[str]] = [head, ("---",) * len(head)]
    for name in bundled_boards():
        board = load_board(name)
        rows += [_field(name, pitch_of(board), advised(board), depth) for depth in DEPTHS]
    return _markdown(rows)


def _field(name: str, pitch: float, magnet: Disc, depth: float) -> Sequence[str]:
    field, share = axial_field(magnet, depth), cross_talk(magnet, depth, pitch)
    return (
        name,
        f"{pitch:.0f} mm",
        size_of(magnet),
        f"{depth:g} mm",
        f"{field:.1f} mT",
        f"{felt_up_to(magnet, depth):.0f} mm",
        f"{share * field:.2f} mT ({share:.1%})",
    )


# ---- one board ----


WARNINGS = {
    "slide": "pieces slide by themselves",
    "snap": "opposite poles snap together when both pieces stand a little off the middle",
    "lift": "a piece that is carried close over another lifts it",
}


def report(board: Board, weight: float | None = None, friction: float = FRICTION) -> str:
    """Returns what each magnet does under the lightest pieces of a board, or under those of a weight."""
    return "\n".join((*_report(board, weight, friction), ""))


def _report(board: Board, weight: float | None, friction: float) -> Iterator[str]:
    face = lightest(board)
    bare = weight_of(face, board.pitch_mm) if weight is None else weight
    words = "estimated for beech" if weight is None else "as given"
    yield f"{board.name}: {pitch_of(board):.1f} mm from site to site"
    yield f"the lightest piece weighs {bare:.1f} g ({words})"
    quiet = []
    for magnet in MAGNETS:
        here = Stand(magnet, pitch_of(board), bare + weight_of_magnet(magnet), friction)
        troubles = [WARNINGS[warning] for warning in here.warnings(face.height * board.pitch_mm)]
        yield (
            f"  {size_of(magnet):>6} mm: pull {here.pull:.2f} gf, {here.pull_astray:.2f} gf off the middle; "
            f"held by {here.grip:.2f} gf; {'; '.join(troubles) or 'good'}"
        )
        quiet += [] if here.snaps else [magnet]
    yield from _choice(board, (quiet or [MAGNETS[0]])[-1], bool(quiet))


def _choice(board: Board, magnet: Disc, quiet: bool) -> Iterator[str]:
    doubt = "" if quiet else ", with heavier pieces or more friction, or all poles the same way up"
    yield f"take {size_of(magnet)} mm{doubt}; then the wood over the sensor may be"
    for part in TABLED:
        yield f"  {_wood(woods(part, magnet, pitch_of(board)))} thick for a {part.name}"


def _tables() -> str:
    return "\n\n".join((pull_table(), wood_table(), field_table())) + "\n"


def _text(args: Sequence[str]) -> str:
    parser = Parser("python -m hardware.magnets")
    parser.add_argument("board", nargs="?", metavar="BOARD")
    parser.add_argument("--weight", type=number(0.1, 1000), metavar="G")
    parser.add_argument("--friction", type=number(0.01, 2), metavar="N")
    words = parser.parse_args(args)
    if words.board is None:
        if words.weight is not None or words.friction is not None:
            parser.error("--weight and --friction go with a board")
        return _tables()
    return report(board_of(words.board), words.weight, words.friction or FRICTION)


def main(args: list[str]) -> int:
    return say(lambda: _text(args))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
