"""Looking back at an earlier position of the game that is on: by route, by a tap on a move, and by keys."""

from __future__ import annotations

from typing import Any

import pytest
from web_clients import Client, serving
from web_pages import expect, leave, visit

from companion.store.store import Store
from companion.table.messages import NewGame, Submit, TakeBack
from companion.table.table import Table
from web import Services, Settings, create_app

MAGNET = "magnet =K222333444tT =T222333444tK @f4 a4 @f8 k3"


def test_a_past_position_is_sent_as_it_was(home: Client) -> None:
    start, first, now = (home.get(f"/api/v1/positions/{n}").get_json() for n in (0, 1, 2))
    assert (start["n"], start["last"], start["pieces"]["a2"]) == (0, None, "red/solid")
    assert first["last"]["action"] == "a2-a3"
    assert first["last"]["round"] == 1
    assert "a2" not in first["pieces"]
    assert now["pieces"] == home.state()["pieces"]
    for n in ("3", "2147483647", "99999999999", "-1", "x"):
        assert home.get(f"/api/v1/positions/{n}").status_code == 404


def test_without_a_game_there_is_no_past(table: Table) -> None:
    answer = Client(create_app(table)).get("/api/v1/positions/0")
    assert (answer.status_code, answer.get_json()["error"]) == (404, "no game is on")


@pytest.mark.parametrize(("seat", "kinds"), [("", ()), ("red", ("red",)), ("blue", ("blue",))])
def test_the_past_shows_each_player_the_own_secrets_alone(
    table: Table, seat: str, kinds: tuple[str, ...]
) -> None:
    assert table.ask(NewGame(MAGNET)).ok
    client = Client(create_app(table))
    assert client.post("/api/v1/session/seat", {"seat": seat}).status_code == 200
    for n in range(1, 7):
        past = client.get(f"/api/v1/positions/{n}").get_json()
        told = {look for look in past["pieces"].values() if "/" in look and len(look.split("/")[1]) > 1}
        assert {look.split("/")[0] for look in told} <= {*kinds}
        assert bool(told) == (seat == "red" or (seat == "blue" and n > 1))
        shown = past["last"]["action"]
        assert "222" not in shown or past["last"]["player"] == seat


@pytest.mark.browser
def test_a_tap_on_a_move_looks_back_while_play_goes_on(browser: Any, address: str, table: Table) -> None:
    assert table.ask(NewGame("chess e2e4 e7e5 g1f3 b8c6", {"white": "Ann"})).ok
    page = visit(browser, address, "tablet")
    page.tap("#moves [data-n='1']")
    looking = page.locator("#looking")
    expect(looking).to_contain_text("Looking back at 1. e4")
    expect(page.locator("#board .piece[data-place='e7']")).to_have_count(1)
    expect(page.locator("#said")).to_contain_text("Ann (White) moves the pawn from e2 to e4.")
    expect(page.locator("#board .hit")).to_have_count(0)
    assert table.ask(Submit("f1b5")).ok
    expect(looking).to_contain_text("Play went on: 3. Bb5")
    expect(page.locator("#board .piece[data-place='e7']")).to_have_count(1)
    page.tap("text=Back to the game")
    expect(looking).to_be_hidden()
    expect(page.locator("#board .piece[data-place='b5']")).to_have_count(1)
    expect(page.locator("#moves .latest")).to_have_text("Bb5")
    leave(page)


@pytest.mark.browser
def test_arrow_keys_look_back_and_on(browser: Any, address: str, table: Table) -> None:
    assert table.ask(NewGame("chess e2e4 e7e5 g1f3 b8c6")).ok
    page = visit(browser, address, "tablet")
    expect(page.locator("#moves .move")).to_have_count(4)
    looking = page.locator("#looking")
    for key, words in (
        ("ArrowLeft", "2. Nf3"), ("ArrowLeft", "1… e5"), ("ArrowRight", "2. Nf3"), ("Home", "at the start"),
    ):  # fmt: skip
        page.keyboard.press(key)
        expect(looking).to_contain_text(words)
    page.keyboard.press("Escape")
    expect(looking).to_be_hidden()
    page.keyboard.press("Home")
    expect(looking).to_contain_text("at the start")
    page.keyboard.press("ArrowRight")
    expect(looking).to_contain_text("1. e4")
    assert table.ask(TakeBack(4)).ok  # what was looked at no longer stands
    expect(looking).to_be_hidden()
    leave(page)


@pytest.mark.browser
def test_a_player_s_past_is_covered_with_the_present(browser: Any, table: Table, store: Store) -> None:
    assert table.ask(NewGame(MAGNET)).ok
    app = create_app(table, Settings(port=0, streams=8), Services(store=store))
    with serving(app) as (host, port):
        page = visit(browser, f"http://{host}:{port}", "tablet")
        page.locator("#news button", has_text="Show ").tap()
        known = page.locator("#board .piece[data-look$='K1']")
        expect(known).to_have_count(1)
        page.tap("#moves [data-n='3']")
        expect(page.locator("#looking")).to_contain_text("Looking back at 2. @f4")
        expect(known).to_have_count(1)
        page.locator("button", has_text="Cover ").first.tap()
        expect(page.locator("#looking")).to_be_hidden()
        expect(known).to_have_count(0)
        leave(page)


BROKEN = """list => [...list.querySelectorAll(".move")].filter((move) => {
  const letters = new Range();
  letters.selectNodeContents(move.querySelector(".action").firstChild);
  const [line, ...more] = letters.getClientRects();
  return more.length > 0 || line.right > list.getBoundingClientRect().right;
}).map((move) => move.textContent)"""


@pytest.mark.parametrize("size", ["tablet", "7 inch", "phone"])
def test_no_move_is_broken_at_its_hyphen_or_cut(browser: Any, address: str, table: Table, size: str) -> None:
    assert table.ask(NewGame("trid players=4 a8-b10 h1-i2 j6-i6 d16-e16 a4-d4 h2-g4 j5-i5 b13-b11")).ok
    page = visit(browser, address, size)
    expect(page.locator("#moves .move")).to_have_count(8)
    assert page.locator("#moves").evaluate(BROKEN) == []
    page.locator("#moves .move").nth(3).tap()
    words = page.locator("#looking strong")
    expect(words).to_contain_text("Looking back at")
    last = """words => {
      const text = words.firstChild, end = new Range();
      end.setStart(text, text.length - "d16-e16".length - 2);
      end.setEnd(text, text.length);
      return new Set([...end.getClientRects()].map((line) => line.top)).size;
    }"""
    assert words.evaluate(last) == 1
    leave(page)


def test_the_latest_move_is_in_sight_where_its_round_is_higher_than_the_list(
    browser: Any, address: str, table: Table
) -> None:
    assert table.ask(NewGame("trid players=4 a8-b10 h1-i2")).ok
    page = visit(browser, address, "tablet")
    page.locator("#moves").evaluate("list => { list.style.minHeight = 0; list.style.flex = '0 0 1.8em'; }")
    for action in ("j6-i6", "d16-e16"):
        assert table.ask(Submit(action)).ok
        latest = page.locator("#moves .latest")
        expect(latest).to_have_text(action)
        move, moves = latest.bounding_box(), page.locator("#moves").bounding_box()
        assert moves["y"] <= move["y"] + 1
        assert move["y"] + move["height"] <= moves["y"] + moves["height"] + 1
    leave(page)
