"""The end of a game on the page: what is offered of it, to whom."""

from __future__ import annotations

from typing import Any

import pytest
from web_pages import PATIENCE, expect, leave, visit

from companion.table.messages import NewGame
from companion.table.table import Table

pytestmark = pytest.mark.browser
MAGNET = "magnet =22432t4433TK =32T234443K2t @j2 j7 @h8 k5"


def test_a_game_that_is_over_is_one_tap_away(browser: Any, table: Table, address: str) -> None:
    """The records were three taps off."""
    assert table.ask(NewGame("chess f2f3 e7e5 g2g4 d8h4")).ok
    number = table.snapshot.number
    page = visit(browser, address)
    card = page.locator("#news .again")
    expect(card.locator("text=Play again")).to_be_visible()
    for words, form, begins in (
        ("Score sheet", "pdf", b"%PDF"),
        ("Moving picture", "webp", b"RIFF"),
    ):
        href = card.locator(f"text={words}").get_attribute("href")
        assert href == f"/api/v1/records/{number}/export/{form}"
        assert page.request.get(f"{address}{href}", timeout=PATIENCE).body().startswith(begins)
    card.locator("text=Look at this game").tap()
    expect(page.locator("#replay .said")).to_contain_text("Black wins")
    leave(page)


def test_a_game_that_goes_on_offers_nothing_of_it(browser: Any, table: Table, address: str) -> None:
    assert table.ask(NewGame("chess f2f3 e7e5 g2g4")).ok
    page = visit(browser, address)
    expect(page.locator("#moves .move")).to_have_count(3)
    expect(page.locator("text=Look at this game")).to_have_count(0)
    leave(page)


@pytest.mark.parametrize(("game", "count"), [("chess f2f3 e7e5 g2g4 d8h4", 1), (MAGNET, 0)])
def test_a_position_is_corrected_where_the_end_has_told_no_secrets(
    browser: Any, table: Table, address: str, game: str, count: int
) -> None:
    assert table.ask(NewGame(game)).ok
    page = visit(browser, address)
    page.tap("text=More")
    expect(page.locator("#sheet >> text=Earlier games")).to_be_visible()
    expect(page.locator("#sheet >> text=Correct the position")).to_have_count(count)
    leave(page)
