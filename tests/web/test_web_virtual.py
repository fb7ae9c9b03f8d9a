"""The virtual table in use: chosen on the page, pieces dragged with the mouse, seen by the camera."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from web_clients import serving
from web_pages import expect, leave, visit

from companion.table import Table
from web import Config, create_app
from web.station import Station

pytestmark = pytest.mark.browser
PATIENCE = 30_000
"""Milliseconds: on a busy machine reading takes its time."""


@pytest.fixture
def station(table: Table, tmp_path: Path) -> Iterator[Station]:
    with Station(table, ("virtual",), tmp_path, Random(7)) as station:
        yield station


@pytest.fixture
def playground(table: Table, station: Station) -> Iterator[str]:
    app = create_app(table, Config(port=0, streams=8, fingers=station.virtual, newest=station.newest))
    with serving(app) as (host, port):
        yield f"http://{host}:{port}"


def drag(page: Any, station: Station, start: str, end: str) -> None:
    """The mouse takes what stands on one site of the picture to another."""
    assert station.virtual
    view, board = station.virtual.view, station.virtual.table.board
    picture = page.locator("#tabletop canvas")
    box = picture.bounding_box()
    scale = box["width"] / picture.evaluate("canvas => canvas.width")
    for site, act in ((start, page.mouse.down), (end, page.mouse.up)):
        [[x, y]] = view.pixels([board.where(site)])
        page.mouse.move(box["x"] + x * scale, box["y"] + y * scale, steps=6)
        act()


def test_a_newcomer_drags_pieces_and_is_refereed(
    browser: Any, playground: str, station: Station, tmp_path: Path
) -> None:
    page = visit(browser, playground, "tablet")
    page.tap("[data-game=triune]")
    page.tap("text=Start the game")
    expect(page.locator(".turn .name")).to_have_text("Red")
    expect(page.locator("#sources .ok")).to_have_count(1, timeout=PATIENCE)
    drag(page, station, "c2", "c3")
    expect(page.locator("#moves li .action")).to_have_text(["c2-c3"], timeout=PATIENCE)
    expect(page.locator(".turn .name")).to_have_text("Blue")
    drag(page, station, "e7", "e5")
    expect(page.locator(".verdict")).to_contain_text("TR-3", timeout=PATIENCE)
    expect(page.locator(".verdict")).to_contain_text("exactly one square")
    page.screenshot(path=tmp_path / "refused.png")
    drag(page, station, "e5", "e7")
    expect(page.locator(".verdict")).to_have_count(0, timeout=PATIENCE)
    drag(page, station, "e7", "e6")
    expect(page.locator("#moves li .action")).to_have_text(["c2-c3", "e7-e6"], timeout=PATIENCE)
    drag(page, station, "b2", "b5")
    page.tap("text=Put it right for me", timeout=PATIENCE)
    expect(page.locator(".verdict")).to_have_count(0, timeout=PATIENCE)
    leave(page)
