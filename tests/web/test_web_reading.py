"""How tall the page's letters are on three usual screens: the table in `docs/reading.md`, measured."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from web_pages import leave, resize, visit

from companion.table.messages import NewGame
from companion.table.table import Table

pytestmark = pytest.mark.browser
TABLE = Path(__file__).parents[2] / "docs" / "reading.md"
VISUAL_ANGLE = 0.00465
"""The least height of a capital letter for its distance: 16 minutes of arc (ISO 9241-303)."""


class Screen(NamedTuple):
    """A usual screen: its name, the size of `web_pages`, and the width of its picture in millimetres."""

    name: str
    size: str
    width_mm: float


SCREENS = (
    Screen("7 inch, 800 × 480", "7 inch", 154.1),
    Screen("10 inch, 1280 × 800", "tablet", 216.6),
    Screen("32 inch, 1920 × 1080", "television", 708.4),
)
TEXTS = {
    "whose turn it is": (".turn .name", 1.1),
    "a clock": ("[data-clock]", 0.95),
    "what is to be done": (".turn .prompt", 0.6),
    "coordinates on the board": ("#board .wood text", 0.5),
    "a card, what was said": ("#said", 0.55),
    "a button": ("#tools .button", 0.45),
    "the list of moves": (".moves li", 0.48),
    "the counts": (".counts .label, .counts tbody th", 0.5),
}
"""Each text, and from how far (m) it has to be read on the smallest screen."""
CAPITAL = """(element) => {
  const { fontSize, fontFamily, fontWeight } = getComputedStyle(element);
  const pen = document.createElement('canvas').getContext('2d');
  pen.font = `${fontWeight} 1000px ${fontFamily}`;
  const share = pen.measureText('H').actualBoundingBoxAscent / 1000;
  const scale = element.ownerSVGElement ? element.getScreenCTM().a : 1;
  return parseFloat(fontSize) * share * scale;
}"""


def capitals(page: Any, screen: Screen) -> dict[str, float]:
    """The heights of capital letters in millimetres."""
    resize(page, screen.size)
    pixel = screen.width_mm / page.evaluate("innerWidth")
    found = {}
    for name, (selector, _) in TEXTS.items():
        found[name] = page.locator(selector).first.evaluate(CAPITAL) * pixel
    return found


def row(name: str, heights: dict[str, dict[str, float]]) -> str:
    """A row of the table: for each screen the height, and the distance from which it can be read."""
    found = [heights[screen.name][name] for screen in SCREENS]
    return (
        " | ".join((f"| {name}", *(f"{mm:.1f} mm, {mm / VISUAL_ANGLE / 1000:.1f} m" for mm in found))) + " |"
    )


def test_the_table_of_letters_is_true_and_all_are_read_from_where_they_are_needed(
    browser: Any, address: str, table: Table
) -> None:
    assert table.ask(NewGame("triune a2-a3 b7~", {"clock": "10+5"})).ok
    page = visit(browser, address)
    page.evaluate("document.fonts.ready.then(() => true)")
    heights = {screen.name: capitals(page, screen) for screen in SCREENS}
    leave(page)
    rows = "\n".join(row(name, heights) for name in TEXTS)
    for name, (_, far) in TEXTS.items():
        for screen in SCREENS:
            assert heights[screen.name][name] / VISUAL_ANGLE / 1000 >= far, f"{screen.name}\n{rows}"
    written = [float(mm) for mm in re.findall(r"([\d.]+) mm", TABLE.read_text(encoding="utf-8"))]
    assert [float(mm) for mm in re.findall(r"([\d.]+) mm", rows)] == pytest.approx(written, rel=0.08), rows
