"""The first page in a browser: what is chosen and typed there, and what it says when something is missing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from web_clients import serving
from web_pages import enter_pin, expect, leave, visit

from companion.sensing.observation import Sighting
from companion.table.messages import NewGame, SightingArrived
from companion.table.table import Table
from web import Services, Settings, create_app
from web.runtime.camera_setup import CameraSetup

pytestmark = pytest.mark.browser


def test_who_reads_how_to_play_keeps_what_was_chosen(browser: Any, address: str) -> None:
    page = visit(browser, address)
    page.tap("[data-game=draughts]")
    page.tap(".segments >> text=International")
    page.fill(".seat input >> nth=0", "Ada")
    page.tap("header >> text=How to play")
    expect(page.locator("#sheet h2").first).to_contain_text("How to play Draughts")
    page.tap("#sheet >> text=Close")
    expect(page.locator(".seat input >> nth=0")).to_have_value("Ada")
    expect(page.locator(".segments label", has_text="International").locator("input")).to_be_checked()
    leave(page)


def test_a_camera_that_does_not_know_the_board_leads_to_its_set_up(
    browser: Any, table: Table, tmp_path: Path
) -> None:
    """There was a dead card: "not calibrated", "lost"."""
    assert table.ask(NewGame("chess")).ok
    words = "the camera does not know the board of Chess yet"
    table.post(SightingArrived(Sighting(1.0, "camera:0", None, still=False, trouble=words, unlearned=True)))
    bench = CameraSetup(lambda camera: None, tmp_path, lambda: None)
    with serving(create_app(table, Settings(port=0, streams=8), Services(camera_setup=bench))) as (
        host,
        port,
    ):
        page = visit(browser, f"http://{host}:{port}")
        card = page.locator("#news .card", has_text="Show me your board")
        expect(card).to_contain_text("The camera does not know the board of Chess yet")
        expect(page.locator("#sources")).to_contain_text("Camera: does not know this board yet")
        card.locator("text=Set up the camera").tap()
        expect(page.locator("select")).to_have_value("chess")
        page.context.close()


def test_who_may_not_start_a_game_reads_why_at_once(browser: Any, table: Table) -> None:
    """The button was grey, and the reason below the fold."""
    settings = Settings(port=0, streams=8, pin="4711")
    with serving(create_app(table, settings)) as (host, port):
        page = visit(browser, f"http://{host}:{port}")
        page.tap("[data-game=chess]")
        reason = page.locator("text=Only the arbiter starts a game.")
        expect(reason).to_be_visible()
        assert page.evaluate("innerHeight") > reason.bounding_box()["y"] + reason.bounding_box()["height"]
        enter_pin(page)
        expect(reason).to_have_count(0)
        leave(page)


def test_a_long_name_leaves_room_for_the_rest(browser: Any, table: Table, address: str) -> None:
    assert table.ask(NewGame("chess", {"white": "Maximiliane Obermayer-Lindqvist"})).ok
    page = visit(browser, address, "tablet")
    name = page.locator("#turn .name")
    expect(name).to_contain_text("Maximiliane")
    lines = name.evaluate("name => name.offsetHeight / parseFloat(getComputedStyle(name).lineHeight)")
    assert round(lines) <= 3
    leave(page)


def test_a_clock_that_stands_is_not_to_be_stopped(browser: Any, table: Table, address: str) -> None:
    assert table.ask(NewGame("chess", {"clock": "3+2"})).ok
    page = visit(browser, address)
    page.tap("text=More")
    page.tap("#sheet >> text=Clock")
    expect(page.locator("#sheet")).to_contain_text("Keep the clock stopped")
    expect(page.locator("#sheet >> text=Stop the clock")).to_have_count(0)
    leave(page)


def test_a_quick_clock_is_among_those_to_choose(browser: Any, table: Table, address: str) -> None:
    page = visit(browser, address)
    page.tap("[data-game=chess]")
    expect(page.locator(".clock-choice")).to_contain_text("1 min")
    page.tap(".clock-choice >> text=3 min + 2 s")
    page.tap("text=Start the game")
    expect(page.locator("#clocks .clock")).to_have_count(2)
    assert table.snapshot.session
    leave(page)
