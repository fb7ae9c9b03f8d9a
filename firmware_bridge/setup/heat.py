"""Draws how strongly each sensor feels its magnet, and which sensors are bad, as SVG."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape

from companion.core.board import Board
from firmware_bridge.sensing.calibration import Calibration, SensorVerdict
from firmware_bridge.setup.calibrate import heat

STEP = 48
MARGIN = 36


def heat_map(board: Board, calibration: Calibration) -> str:
    """Returns a drawing of the board's sites as discs.

    The stronger a sensor feels its magnet, the fuller its disc; a bad one is crossed out, with its verdict.
    """
    xs, ys = zip(*board.sites.values(), strict=True)
    left, top = min(xs), max(ys)
    width = (max(xs) - left) * STEP + 2 * MARGIN
    height = (top - min(ys)) * STEP + 2 * MARGIN
    head = 'xmlns="http://www.w3.org/2000/svg" font-family="sans-serif"'
    lines = [f'<svg {head} viewBox="0 0 {width:g} {height:g}">']
    shares = heat(calibration)
    for site, (x, y) in board.sites.items():
        place = (x - left) * STEP + MARGIN, (top - y) * STEP + MARGIN
        lines += _disc(site, place, shares[site], calibration.sites[site].verdict)
    return "\n".join([*lines, "</svg>", ""])


def _disc(site: str, place: tuple[float, float], share: float, verdict: SensorVerdict) -> Iterator[str]:
    x, y = place
    colour = "#1a7f37" if verdict is SensorVerdict.GOOD else "#b42318"
    fill = min(1.0, share / 1.3)
    paint = f'fill="{colour}" fill-opacity="{fill:.2f}" stroke="{colour}"'
    yield f'<circle cx="{x:g}" cy="{y:g}" r="18" {paint}/>'
    yield f'<text x="{x:g}" y="{y - 1:g}" font-size="9" text-anchor="middle">{escape(site)}</text>'
    words = f"{share:.0%}" if verdict is SensorVerdict.GOOD else str(verdict)
    yield f'<text x="{x:g}" y="{y + 9:g}" font-size="8" text-anchor="middle">{words}</text>'
    if verdict is not SensorVerdict.GOOD:
        yield f'<path d="M{x - 18:g} {y - 18:g}l36 36" stroke="{colour}" stroke-width="2"/>'
