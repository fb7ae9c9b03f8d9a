"""Games that begin from a position of one's own, and positions and games copied for other programs."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest
from web_clients import Client
from web_pages import expect, leave, visit

from companion.table.messages import NewGame
from companion.table.table import Table

ENDGAME = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 40"
NO_KING = "8/8/8/8/8/8/4P3/4K3 w - - 0 1"


@pytest.mark.parametrize(("game", "fen", "head"), [
    ("chess", ENDGAME, "chess fen=8/8/8/4k3/8/8/4P3/4K3_w_-_-_0_40"),
    ("chess", f"  {ENDGAME}  ", "chess fen=8/8/8/4k3/8/8/4P3/4K3_w_-_-_0_40"),
    ("chess", "", "chess"),
    ("draughts", "W:W21,22,K30:B1,2,K3", "draughts fen=W:W21,22,K30:B1,2,K3"),
])  # fmt: skip
def test_a_game_begins_from_a_position(home: Client, game: str, fen: str, head: str) -> None:
    assert home.post("/api/v1/games", {"game": game, "options": {"fen": fen}}).status_code == 200
    assert home.state()["game"]["head"] == head
    assert fen.strip() in (home.state()["fen"], "")


@pytest.mark.parametrize(("game", "fen", "why"), [
    ("chess", "hello", "is no FEN: write one such as 'rnbqkbnr/"),
    ("chess", NO_KING, "no black king"),
    ("chess", "x board=/etc/passwd", "is no FEN"),
    ("draughts", "W:W1", "is no FEN"),
    ("draughts", "W:W99:B1", "no square of this board"),
])  # fmt: skip
def test_a_position_that_is_none_is_told_in_one_line(home: Client, game: str, fen: str, why: str) -> None:
    before = home.state()
    refused = home.post("/api/v1/games", {"game": game, "options": {"fen": fen}})
    drawn = home.get(f"/api/v1/boards/{game}.svg?fen={quote(fen)}")
    for answer in (refused, drawn):
        error = answer.get_json()["error"]
        assert (answer.status_code, error.count("\n")) == (400, 0)
        assert why in error
    assert home.state()["number"] == before["number"]


def test_the_board_of_a_position_is_drawn(home: Client) -> None:
    drawn = home.get(f"/api/v1/boards/chess.svg?fen={quote(ENDGAME)}")
    assert drawn.status_code == 200
    assert drawn.data != home.get("/api/v1/boards/chess.svg").data


def test_games_without_such_a_notation_have_no_fen(home: Client) -> None:
    state = home.state()
    assert (state["fen"], state["game"]["notations"]) == ("", [])


@pytest.mark.browser
def test_a_position_is_typed_seen_and_played_from(browser: Any, address: str) -> None:
    page = visit(browser, address, "tablet")
    page.tap("[data-game=chess]")
    field, board, wrong = (
        page.locator("input[name=fen]"),
        page.locator("#start-board"),
        page.locator("#wrong-text"),
    )
    field.fill(NO_KING)
    expect(wrong).to_contain_text("no black king")
    page.tap("text=Start the game")
    expect(page.locator("#toast")).to_contain_text("no black king")
    field.fill("")
    expect(wrong).to_be_hidden()
    field.fill(ENDGAME)
    expect(wrong).to_be_hidden()
    expect(board).to_have_attribute(
        "src", f"/api/v1/boards/chess.svg?fen={ENDGAME.replace(' ', '+').replace('/', '%2F')}"
    )
    page.tap("text=Start the game")
    expect(page.locator("#board .piece")).to_have_count(3)
    leave(page, faults=2)  # the two refusals are noted by the browser


@pytest.mark.browser
def test_the_position_and_the_game_are_copied(browser: Any, address: str, table: Table) -> None:
    assert table.ask(NewGame("chess e2e4 e7e5")).ok
    page = visit(browser, address, "tablet", permissions=["clipboard-read", "clipboard-write"])
    page.tap("text=More")
    page.tap("text=Copy the position or the game")
    fields = page.locator("#sheet textarea")
    expect(fields).to_have_count(2)
    assert fields.nth(0).input_value() == "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    assert "1. e4 e5" in fields.nth(1).input_value()
    page.locator("#sheet .copy button").nth(0).tap()
    expect(page.locator("#sheet .copy button").nth(0)).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == fields.nth(0).input_value()
    leave(page)
