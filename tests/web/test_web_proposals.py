"""The game that a round has for a board, on its page: shown when it is its turn, and begun by one tap."""

from __future__ import annotations

from typing import Any

import pytest
from web_clients import Client
from web_pages import expect, leave, visit

from companion.table.messages import Deed, Propose
from companion.table.table import Table

HEAD = {"red": "Ann", "blue": "Bo", "event": "Club evening", "round": "3", "clock": "10+5", "pairing": "3-7"}


def test_only_the_arbiter_begins_it(guest: Client, arbiter: Client, playing: Table) -> None:
    assert playing.ask(Propose("triune", HEAD)).ok
    assert guest.post("/api/v1/games/proposed").status_code == 403
    assert arbiter.post("/api/v1/games/proposed").get_json()["error"].startswith("a game is on")
    assert playing.ask(Deed("resign", "red")).ok
    assert guest.get("/api/v1/state").get_json()["proposal"]["players"] == ["Ann", "Bo"]
    assert arbiter.post("/api/v1/games/proposed").status_code == 200
    assert arbiter.post("/api/v1/games/proposed").status_code == 409


@pytest.mark.browser
def test_it_is_begun_by_a_tap_when_it_is_its_turn(browser: Any, table: Table, address: str) -> None:
    page = visit(browser, address, "tablet")
    page.wait_for_selector("[data-game=triune]")
    assert table.ask(Propose("triune", HEAD)).ok
    card = page.locator("#setup .proposal")
    expect(card.locator("h2")).to_have_text("Ann – Bo")
    expect(card).to_contain_text("Club evening · Round 3")
    card.locator("text=Begin").tap()
    expect(page.locator(".turn .name")).to_have_text("Ann (Red)")
    assert table.snapshot.head == HEAD
    table.ask(Propose("triune", {**HEAD, "red": "Cy", "round": "4", "pairing": "4-7"}))
    card = page.locator("#news .proposal")
    expect(card).to_have_count(0)
    assert table.ask(Deed("resign", "red")).ok
    expect(card.locator("h2")).to_have_text("Cy – Bo")
    card.locator("text=Begin").tap()
    expect(page.locator(".turn .name")).to_have_text("Cy (Red)")
    leave(page)
