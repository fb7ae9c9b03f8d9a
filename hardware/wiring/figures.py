"""Draws the small figures beside a wiring: a sensor with its legs and its face, a lamp, and the feed.

Each function yields elements of SVG, with the upper left corner of the figure at a point. Lengths are the
drawing's own, about a third of a millimetre in print.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple
from xml.sax.saxutils import escape

from firmware_bridge.line.messages import Sensor

HEIGHT = 178
WIDTH = 620
LEGS = ("VCC", "GND", "OUT")
"""The legs of an SS49E, and of a DRV5033 in TO-92, from the left as one looks at the branded face. (In SOT-23
a DRV5033 has them in another order: VCC, OUT, GND.)"""


class GridFeed(NamedTuple):
    """The feed of a grid, as it is written.

    The sensors' supply and the linear sensor for it, the pin that gives the lamps their data, and what these
    go through.
    """

    sensors: str
    linear: str
    lamps: str
    through: str


def text(x: float, y: float, words: str, style: str = "", anchor: str = "start") -> str:
    """Returns an element of words."""
    return f'<text x="{x:g}" y="{y:g}" class="{style}" text-anchor="{anchor}">{escape(words)}</text>'


def figures(sensor: Sensor, feed: GridFeed, x: int, y: int) -> Iterator[str]:
    """Yields the figures of a kind of sensor, side by side."""
    yield from (_reed if sensor is Sensor.REED else _hall)(sensor, feed, x, y)
    yield from _lamp(feed, x + 310, y)


def _hall(sensor: Sensor, feed: GridFeed, x: int, y: int) -> Iterator[str]:
    """Draws a sensor from its branded face, and from the side as it lies under a piece."""
    name = feed.linear if sensor is Sensor.ANALOGUE else "DRV5033FA"
    yield text(x, y + 12, "a sensor's branded face", "pin")
    yield f'<rect class="box" x="{x + 34}" y="{y + 28}" width="62" height="44" rx="5"/>'
    yield text(x + 65, y + 54, name, "small", "middle")
    wires = (feed.sensors, "ground", "to its input")
    for i, (leg, wire) in enumerate(zip(LEGS, wires, strict=True)):
        at = x + 45 + 20 * i
        yield f'<line x1="{at}" y1="{y + 72}" x2="{at}" y2="{y + 108}"/>'
        yield text(at, y + 68, str(i + 1), "small", "middle")
        words = text(0, 0, f"{leg}: {wire}", "small")
        yield f'<g transform="translate({at + 3} {y + 114}) rotate(50)">{words}</g>'
    yield f'<path d="M{x + 45} {y + 92}h8m4 0h8m-12 -6v12m4 -12v12"/>'  # from VCC to GND
    yield text(x + 40, y + 95, "100 nF", "small", "end")
    face = "branded face up" if sensor is Sensor.ANALOGUE else "either face up"
    yield from _side(x + 172, y, face)


def _above(x: int, y: int) -> Iterator[str]:
    """Draws from the side what holds a sensor: a piece with its magnet, the board, the base with a hole."""
    yield f'<path d="M{x + 22} {y + 52}v-24q18 -10 36 0v24z"/>'
    yield f'<rect class="magnet" x="{x + 30}" y="{y + 44}" width="20" height="7"/>'
    yield text(x + 64, y + 48, "magnet", "small")
    yield f'<rect class="box" x="{x}" y="{y + 52}" width="122" height="13"/>'
    yield text(x + 78, y + 62, "board", "small")
    yield f'<path d="M{x} {y + 65}h26v15h-26zm54 0h68v15h-68z" class="box"/>'
    yield text(x + 78, y + 76, "base", "small")


def _side(x: int, y: int, face: str) -> Iterator[str]:
    """Draws a Hall sensor in its hole, from the side."""
    yield text(x, y + 12, "in its hole", "pin")
    yield from _above(x, y)
    yield f'<rect class="sensor" x="{x + 28}" y="{y + 67}" width="18" height="8"/>'
    yield f'<path d="M{x + 46} {y + 71}h5v40"/>'
    yield text(x, y + 124, face, "small")
    yield text(x, y + 137, "legs bent down", "small")


def _reed(sensor: Sensor, feed: GridFeed, x: int, y: int) -> Iterator[str]:
    """Draws a reed switch upright in its hole, from the side, and its diode."""
    yield text(x, y + 12, "a reed switch stands upright in its hole", "pin")
    yield from _above(x, y)
    yield f'<rect class="sensor" x="{x + 35}" y="{y + 70}" width="10" height="42" rx="5"/>'
    yield f'<path d="M{x + 40} {y + 112}v16M{x + 40} {y + 70}v-3h10v61"/>'
    yield text(x + 64, y + 108, "upper leg cut at 3 mm:", "small")
    yield text(x + 64, y + 121, "a copper wire leads back", "small")
    yield f'<path d="M{x} {y + 160}h30v-6l14 6l-14 6v-6m14 -7v14m0 -7h30"/>'
    yield text(x, y + 148, "to the reed", "small")
    yield text(x + 84, y + 164, "diode 1N4148: its band looks to the row", "small")


def _lamp(feed: GridFeed, x: int, y: int) -> Iterator[str]:
    """Draws the first two lamps with their supply, which has wires of its own."""
    yield text(x, y + 12, "lamps (WS2812B), if fitted", "pin")
    yield text(x, y + 68, feed.lamps, "pin")
    yield f'<path d="M{x + 46} {y + 64}h6m34 0h24m58 0h32m58 0h24"/>'
    yield f'<rect x="{x + 52}" y="{y + 58}" width="34" height="12"/>'
    yield text(x + 69, y + 82, feed.through, "small", "middle")
    for i, left in enumerate((x + 110, x + 200)):
        yield f'<rect class="box" x="{left}" y="{y + 46}" width="58" height="36"/>'
        yield text(left + 3, y + 67, "DIN", "small")
        yield text(left + 55, y + 67, "DOUT", "small", "end")
        yield text(left + 29, y + 57, "VDD", "small", "middle")
        yield text(left + 29, y + 79, "GND", "small", "middle")
        yield f'<path d="M{left + 29} {y + 46}v-12M{left + 29} {y + 82}v22"/>'
        yield text(left + 29, y + 94 + 26, ("first site", "second site")[i], "small", "middle")
    yield f'<path class="row" d="M{x + 20} {y + 34}h260"/>'
    yield f'<path d="M{x + 44} {y + 104}h236"/>'
    yield text(x, y + 28, "5 V, from the supply itself", "small")
    yield text(x, y + 107, "ground", "small")
    yield text(x, y + 140, "1000 µF from 5 V to ground at the first lamp. Ground is", "small")
    yield text(x, y + 153, "joined with the controller's at the supply.", "small")
