"""An earlier game in a browser: by touch and by keys, commented on, saved, corrected, deleted and back."""

from __future__ import annotations

from typing import Any

import pytest
from web_clients import serving
from web_pages import enter_pin, expect, leave, visit

from companion.games.text import read_game
from companion.record.record import Record
from companion.record.session import REFEREE, Entry
from companion.store.store import Store
from companion.table.messages import NewGame
from companion.table.table import Table
from tests.samples import first_few
from web import Services, Settings, create_app

pytestmark = pytest.mark.browser

TEXT = "triune a2-a3 b7~ a3-a4"


def open_replay(browser: Any, address: str, table: Table, size: str = "7 inch", **more: Any) -> Any:
    assert table.ask(NewGame(TEXT, {"red": "Ann", "blue": "Ben"})).ok
    page = visit(browser, f"{address}/records", size, **more)
    page.tap("text=Ann (Red), Ben (Blue)")
    expect(page.locator("#replay h1")).to_have_text("Triune: Ann – Ben")
    return page


@pytest.mark.parametrize("size", first_few(1, ["7 inch", "tablet", "phone"]))
def test_the_game_is_gone_through_by_touch(browser: Any, address: str, table: Table, size: str) -> None:
    page = open_replay(browser, address, table, size)
    said, box = page.locator("#replay .said"), page.locator("#replay .frame").bounding_box()
    expect(said).to_have_text("2. a3-a4 Red moves a solid piece from a3 to a4.")
    page.touchscreen.tap(box["x"] + box["width"] * 0.2, box["y"] + box["height"] / 2)
    expect(said).to_contain_text("1… b7~")
    page.touchscreen.tap(box["x"] + box["width"] * 0.8, box["y"] + box["height"] / 2)
    expect(said).to_contain_text("2. a3-a4")
    page.tap("[aria-label='To the start']")
    expect(said).to_have_text("The start.")
    page.tap("#replay .moves button >> nth=1")
    expect(page.locator("#replay .moves .latest")).to_contain_text("b7~")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    leave(page)


def test_the_game_is_gone_through_by_keys(browser: Any, address: str, table: Table) -> None:
    page = open_replay(browser, address, table)
    said = page.locator("#replay .said")
    for key, words in (
        ("Home", "The start."), ("ArrowLeft", "The start."), ("ArrowRight", "1. a2-a3"), ("End", "2. a3-a4"),
        ("ArrowRight", "2. a3-a4"), ("ArrowLeft", "1… b7~"),
    ):  # fmt: skip
        page.keyboard.press(key)
        expect(said).to_contain_text(words)
    page.reload()
    expect(said).to_contain_text("1… b7~")
    leave(page)


def test_the_game_plays_by_itself_to_the_end(browser: Any, address: str, table: Table) -> None:
    page = open_replay(browser, address, table)
    page.clock.install()
    page.tap("#replay .play")
    expect(page.locator("#replay .play")).to_have_text("Pause")
    page.clock.run_for(10_000)
    expect(page.locator("#replay .said")).to_contain_text("2. a3-a4")
    expect(page.locator("#replay .play")).to_have_text("Play")
    leave(page)


def test_a_comment_is_written_changed_and_shown(browser: Any, address: str, table: Table) -> None:
    page = open_replay(browser, address, table)
    page.tap("[aria-label='One step back']")
    for text in ("Too <early>.", "Just in time."):
        page.tap("text=Comment")
        page.fill("#sheet textarea", text)
        page.tap("#sheet >> text=Save")
        expect(page.locator("#replay blockquote p")).to_have_text(text)
    expect(page.locator("#replay .moves [aria-label='a comment']")).to_have_count(1)
    page.keyboard.press("ArrowRight")
    expect(page.locator("#replay blockquote")).to_have_count(0)
    leave(page)


def test_the_files_of_a_game_are_saved(browser: Any, address: str, table: Table) -> None:
    page = open_replay(browser, address, table)
    page.keyboard.press("ArrowLeft")
    page.tap("text=Save as…")
    expect(page.locator("#sheet a")).to_have_count(8)
    for words, name in (
        ("Score sheet", "game-1.pdf"), ("step (PNG)", "game-1-2.png"), ("Record: all", "game-1.txt"),
    ):  # fmt: skip
        with page.expect_download() as download:
            page.locator("#sheet a", has_text=words).click()
        assert download.value.suggested_filename == name
    leave(page)


def test_a_corrected_copy_is_added(browser: Any, address: str, table: Table) -> None:
    page = open_replay(browser, address, table)
    page.tap("text=More…")
    page.tap("text=Correct the record…")
    page.fill("#sheet input[aria-label=Action]", "a3-a6")
    page.tap("text=Add the corrected game")
    expect(page.locator("#sheet .wrong")).to_contain_text(
        "step 3, or end the game before it: 'a3-a6' is not allowed (TR-3): A solid piece"
    )
    page.fill("#sheet input[aria-label=Action]", "h2-h3")
    page.fill("#sheet input[name=blue]", "Benno")
    page.tap("text=Add the corrected game")
    expect(page.locator("#replay h1")).to_have_text("Triune: Ann – Benno")
    expect(page.locator("#replay .said")).to_contain_text("2. h2-h3")
    page.tap('#replay >> text="Games"')
    expect(page.locator("#list a")).to_have_count(2)
    expect(page.locator("#list a >> nth=0")).to_contain_text("corrects game 1")
    leave(page, faults=1)


def test_a_later_step_that_does_not_fit_is_asked_for(browser: Any, address: str, table: Table) -> None:
    page = open_replay(browser, address, table)
    page.tap("#replay .moves button >> nth=0")
    page.tap("text=More…")
    page.tap("text=Correct the record…")
    actions = page.locator("#sheet input[aria-label=Action]")
    actions.fill("h2-h3")
    page.tap("text=Add the corrected game")
    expect(page.locator("#sheet .wrong")).to_contain_text("step 3, or end the game before it: 'a3-a4' is not")
    expect(actions).to_have_count(2)
    expect(page.locator("#sheet .check")).to_have_text("The game ends before 2. a3-a4")
    actions.nth(1).fill("h3-h4")
    page.tap("text=Add the corrected game")
    expect(page.locator("#replay .said")).to_contain_text("1. h2-h3")
    expect(page.locator("#replay .moves .move")).to_have_text(["h2-h3", "b7~", "h3-h4"])
    leave(page, faults=1)


def test_a_game_is_ended_earlier_in_a_copy(browser: Any, address: str, table: Table) -> None:
    page = open_replay(browser, address, table)
    page.tap("#replay .moves button >> nth=0")
    page.tap("text=More…")
    page.tap("text=Correct the record…")
    page.tap("text=The game ends with this step")
    page.tap("text=Add the corrected game")
    expect(page.locator("#replay .moves .move")).to_have_count(1)
    leave(page)


def test_keys_leave_the_game_alone_behind_a_dialog(browser: Any, address: str, table: Table) -> None:
    page = open_replay(browser, address, table)
    page.tap("text=More…")
    page.tap("text=Correct the record…")
    expect(page.locator("#sheet :focus")).to_have_count(1)
    for key in ("ArrowLeft", "Home", " "):
        page.dispatch_event("body", "keydown", {"key": key})  # as where nothing has the focus
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#replay .said")).to_contain_text("2. a3-a4")
    expect(page.locator("#replay .play")).to_have_text("Play")
    page.fill("#sheet input[aria-label=Action]", "h2-h3")
    with page.expect_request("**/corrections") as corrected:
        page.tap("text=Add the corrected game")
    assert corrected.value.post_data_json["steps"] == {"3": "h2-h3"}
    expect(page.locator("#replay .said")).to_contain_text("2. h2-h3")
    leave(page)


def test_a_deleted_game_comes_back(browser: Any, address: str, table: Table) -> None:
    page = open_replay(browser, address, table)
    page.tap("text=More…")
    page.tap("text=Delete…")
    page.locator("#sheet").get_by_role("button", name="Delete", exact=True).tap()
    expect(page.locator("#list")).to_have_text("No games yet.")
    page.tap("text=Deleted games")
    page.tap("text=Ann (Red)")
    page.tap("text=Bring it back")
    expect(page.get_by_role("button", name="More…")).to_be_visible()
    page.tap('#replay >> text="Games"')
    expect(page.locator("#list a")).to_have_count(1)
    leave(page)


def test_the_pin_is_entered_among_the_records(browser: Any, table: Table, store: Store) -> None:
    with serving(create_app(table, Settings(port=0, streams=8, pin="4711"), Services(store=store))) as (
        host,
        port,
    ):
        page = visit(browser, f"http://{host}:{port}/records")
        expect(page.locator("text=Deleted games")).to_have_count(0)
        enter_pin(page)
        expect(page.locator("text=Deleted games")).to_be_visible()
        expect(page.locator("text=Enter the arbiter’s PIN")).to_have_count(0)
        leave(page)


def test_what_the_companion_read_anew_is_told_calmly(browser: Any, address: str, store: Store) -> None:
    """Nobody took anything back: the companion had misread the board, and found out."""
    game = read_game("triune")
    log = (
        Entry("action", "a2-a3", source="camera:0"),
        Entry("action", "b7~", source="camera:0"),
        Entry("takeback", "2", by=REFEREE),
        Entry("action", "a2-b3", source="camera:0"),
    )
    number = store.add(Record(game, log, {"game": game.head}))
    page = visit(browser, f"{address}/records#{number}")
    told = ["First read as a2-a3", "First read as b7~", "The companion read the board anew"]
    expect(page.locator("#replay .told .reread")).to_have_text(told)
    expect(page.locator("#replay .told .aside")).to_have_count(0)
    expect(page.get_by_role("img", name="read anew")).to_have_count(1)
    leave(page)


def test_a_game_without_a_date_is_listed_without_one(browser: Any, address: str) -> None:
    page = visit(browser, f"{address}/records")
    pgn = b'[White "Ann"]\n[Date "????.??.??"]\n[Result "1-0"]\n\n1. e4 e5 1-0\n'
    page.set_input_files("#file", {"name": "old.pgn", "mimeType": "text/plain", "buffer": pgn})
    expect(page.locator("#replay .said")).to_contain_text("White wins: as recorded.")
    page.tap('#replay >> text="Games"')
    expect(page.locator("#list .button span").first).to_have_text("Chess · Ann (White)")
    expect(page.locator("#list .when")).to_have_text(["1 move, White won", ""])
    page.goto(f"{address}/records#999")
    expect(page.locator("#list .alarm")).to_contain_text("There is no game 999")
    expect(page.locator("#list .when")).to_have_text(["1 move, White won", ""])
    leave(page, faults=1)


def test_games_are_pasted_and_what_could_not_be_read_is_said(
    browser: Any, address: str, table: Table
) -> None:
    page = visit(browser, f"{address}/records", "tablet")
    page.tap("text=Paste a game")
    field = page.locator("#sheet textarea")
    field.fill("hello")
    page.locator("#sheet").get_by_text("Add", exact=True).tap()
    expect(page.locator("#sheet .wrong")).to_contain_text("hello")
    field.fill("1. e4 e5 *\n\n1. e4 Te8 *\n")
    page.locator("#sheet").get_by_text("Add", exact=True).tap()
    expect(page.locator("#sheet h2")).to_have_text("1 game added")
    expect(page.locator("#sheet li")).to_contain_text("'Te8' is no move")
    page.locator("#sheet").get_by_text("Close").tap()
    expect(page.locator("#replay")).to_be_visible()
    page.tap('#replay >> text="Games"')
    joined = '[White "Šimek"]\n\n1. d4 *\n'.encode("cp1252")
    page.set_input_files("#file", {"name": "old.pgn", "mimeType": "text/plain", "buffer": joined})
    expect(page.locator("#sheet li")).to_contain_text("Windows-1252")
    page.locator("#sheet").get_by_text("Close").tap()
    page.tap('#replay >> text="Games"')
    expect(page.locator("#list .button span").first).to_have_text("Chess · Šimek (White)")
    leave(page, faults=1)


@pytest.mark.parametrize("deed", ["resume", "delete"])
def test_an_abandoned_game_with_secrets_is_gone_on_with_or_deleted(
    browser: Any, address: str, table: Table, deed: str
) -> None:
    assert table.ask(NewGame("magnet setup=random")).ok
    assert table.ask(NewGame("triune")).ok
    page = visit(browser, f"{address}/records")
    page.tap("#list >> text=Magnet")
    expect(page.locator("#replay")).to_contain_text("it opens when it is over")
    if deed == "resume":
        page.tap("text=Go on with it at the table")
        expect(page.locator("#stage")).to_be_visible()
        assert table.snapshot.number == 1
    else:
        page.tap("text=Delete…")
        page.locator("#sheet").get_by_role("button", name="Delete", exact=True).tap()
        expect(page.locator("#list li")).to_have_count(1)
    page.context.close()  # the browser reports the answer 403
