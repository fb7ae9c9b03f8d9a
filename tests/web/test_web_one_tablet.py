"""Magnet on one tablet: sensors see the board, and the tablet goes to whoever may have something to tell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from web_pages import expect, leave, tap, visit

from companion.core.game import Look, Place
from companion.games.text import read_game
from companion.record.session import Entry, Session, begin
from companion.table.messages import NewGame, SightingArrived
from companion.table.table import Table
from tests.companion.sensor import Sensor

pytestmark = pytest.mark.browser
GAME = read_game("magnet")
BEGUN = "magnet =K222333444tT =K222333444tT"
LEFT = ("=K222333444tT", "=K222333444tT", "@d6", "i8")


def after(*actions: str) -> Session:
    session = begin(GAME)
    for action in actions:
        session = session.apply(Entry("action", action))
    return session


class Board:
    """A board that a sensor sees, and the table that it tells."""

    def __init__(self, table: Table) -> None:
        self.table, self.sensor = table, Sensor(GAME)

    def show(self, looks: Mapping[Place, Look], seconds: float = 4.0) -> None:
        """A hand puts the board so, and it lies still for a while."""
        self.sensor.looks = dict(looks)
        for n in range(round(seconds / self.sensor.step)):
            assert self.table.ask(SightingArrived(self.sensor.sight(hand=n < 3))).ok


def actions_of(table: Table) -> tuple[str, ...]:
    assert table.snapshot.session
    return table.snapshot.session.actions


def test_a_stretch_of_magnet(browser: Any, address: str, table: Table) -> None:
    assert table.ask(NewGame(BEGUN)).ok
    board, page = Board(table), visit(browser, address, "tablet")
    news = page.locator("#news")
    expect(news).to_contain_text("Pass the tablet to Red")

    # Red plays on the wood while the tablet is covered. The magnet stays where it is.
    board.show(after(*LEFT[:3]).look)
    board.show({**after(*LEFT).look, "d6": "magnet"}, 6.0)
    assert actions_of(table) == LEFT
    expect(news).to_contain_text("Pass the tablet to Red")
    expect(news).to_contain_text("There may be something left to tell")
    page.tap("text=Show Red’s pieces")
    expect(news).to_contain_text("Was the piece from i8 promoted?")
    expect(page.locator("#board .piece, #board [data-look]").first).to_be_attached()
    page.tap("text=Yes, to rank 2")
    expect(news).to_contain_text("Pass the tablet to Blue")
    assert actions_of(table)[-1] == "i8+"

    # Blue looks, and the magnet goes elsewhere.
    page.tap("text=Show Blue’s pieces")
    expect(page.locator("#tools")).to_contain_text("Cover Blue’s pieces")
    board.show(after(*LEFT[:3], "i8+", "@h5").look)
    assert actions_of(table)[-2:] == ("i8+", "@h5")
    expect(page.locator(".verdict")).to_have_count(0)
    leave(page)


def test_pieces_laid_in_secret_outlast_a_reload_and_are_shown_to_their_player_alone(
    browser: Any, address: str, table: Table
) -> None:
    assert table.ask(NewGame("magnet")).ok
    page = visit(browser, address, "tablet")
    page.tap("text=Show Red’s pieces")
    ready = page.locator(".arrange .strong")
    expect(ready).to_have_text("12 to go")
    sites = page.evaluate("[...document.querySelectorAll('#board .hit')].map((hit) => hit.dataset.place)")
    for place in sites[:3]:
        tap(page, place)
    expect(ready).to_have_text("9 to go")
    page.reload()
    expect(ready).to_have_text("9 to go")
    page.tap("text=Cover Red’s pieces")
    expect(page.locator("#board [data-look]")).to_have_count(0)
    page.tap("text=Show Red’s pieces")
    expect(ready).to_have_text("9 to go")
    page.tap("text=The rest by chance")
    page.context.set_offline(True)
    ready.tap()
    expect(page.locator("#toast")).to_have_text("No connection to the table")
    page.context.set_offline(False)
    page.reload()
    ready.tap()
    page.tap("text=Show Blue’s pieces")
    expect(ready).to_have_text("12 to go")
    assert page.evaluate("sessionStorage.getItem('laid')") == "null"
    assert any("ERR_INTERNET_DISCONNECTED" in fault for fault in page.faults)
    leave(page, faults=len(page.faults))
