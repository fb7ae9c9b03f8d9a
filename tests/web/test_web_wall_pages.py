"""The wall, its overlay and the arbiter's desk in Chromium, with a hundred boards."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from PIL import Image
from web_checks import barriers, text_faults
from web_clients import serving
from web_pages import SIZES, expect, leave, new_page, resize

from broker_bridge.board_state import state_of
from broker_bridge.topics import PAIRING, STATE, STATUS
from companion.record.session import ARBITER, Entry
from companion.table.present import present
from companion.wire.codec import write
from companion.wire.hall import Pairing
from hall.wall.app import create_wall
from hall.wall.board_addresses import BoardAddress
from tests.hall.wall.halls import NOW, Stage, board_name, snapshot_of, staged, tell_board, tell_hall

pytestmark = pytest.mark.browser
SCREENS = ("television", "tablet", "phone")
THEMES = {"television": "light", "phone": "dark"}
DIFFERENT = (1, 2, 3, 8, 13, 17)
"""Boards that have between them all that a board may have. Of a hundred axe-core would take seconds."""
SHORTENED = ("span.name", "span.words", "span.round")
"""Texts that end in … where they do not fit: the opened board has them whole."""


class Shown(NamedTuple):
    stage: Stage
    address: str


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shown]:
    """A wall with a hundred boards behind its real server."""
    with staged(tmp_path_factory.mktemp("hall")) as stage:
        tell_hall(stage.link, range(1, 101))
        stage.shared.addresses.set(board_name(3), BoardAddress("http://pi3:8000", "secret"))
        with serving(create_wall(stage.shared)) as (host, port):
            yield Shown(stage, f"http://{host}:{port}")


def visit(browser: Any, address: str, size: tuple[int, int] = SIZES["television"]) -> Any:
    page = new_page(browser, size, reduced_motion="reduce")
    page.goto(address)
    return page


def check(page: Any, barriers_at: Mapping[str, str] = THEMES, past: str = "") -> None:
    """Nothing is cut and nothing lies over another in any size; nothing is hard to use in the widest and the
    narrowest, of both themes."""
    for screen in SCREENS:
        resize(page, screen)
        faults = [fault for fault in text_faults(page) if not is_shortened(fault)]
        assert faults == [], screen
        if scheme := barriers_at.get(screen):
            page.emulate_media(color_scheme=scheme)
            assert barriers(page, past) == [], (screen, scheme)


def is_shortened(fault: str) -> bool:
    """Whether a text is blamed that ends before its letters do."""
    return any(f"{name} " in fault for name in SHORTENED)


def drawn(page: Any) -> None:
    """Waits until every board on the page is drawn."""
    page.wait_for_function(
        "() => { const tiles = [...document.querySelectorAll('.tile')];"
        " return tiles.length && tiles.every((tile) => tile.querySelector('.frame use')); }"
    )


def test_the_wall(browser: Any, shown: Shown) -> None:
    page = visit(browser, shown.address)
    page.get_by_label("Hold this page").click()
    drawn(page)
    expect(page.locator("#count")).to_contain_text("100 boards")
    expect(page.locator("#pages")).to_contain_text("1 of 5")
    assert page.locator(".tile").count() == 20
    check(page, {})
    resize(page, "television")
    page.get_by_label("Next page").click()
    expect(page.locator("[data-board='Hall A/21']")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("[data-board='Hall A/3'] .news")).to_contain_text("CH-2: e2-e5 refused")

    piece = page.locator("[data-board='Hall A/1'] .piece").first.element_handle()
    tell_board(shown.stage.link, 1, 9)
    expect(page.locator("[data-board='Hall A/1'] .news")).not_to_contain_text("c7-c6")
    assert piece.evaluate("(piece) => piece.isConnected")  # what stays is not drawn anew

    page.locator("[data-board='Hall A/3'] .opener").click()
    expect(page.locator("#opened .needs")).to_contain_text("how pieces move")
    expect(page.locator("#opened .last-moves")).to_contain_text("Bc5")
    check(page, {})
    page.keyboard.press("Escape")
    expect(page.locator("#opened")).to_be_hidden()
    leave(page)


def test_nothing_on_the_wall_is_a_barrier(browser: Any, tmp_path: Path) -> None:
    with staged(tmp_path) as stage, serving(create_wall(stage.shared)) as (host, port):
        tell_hall(stage.link, DIFFERENT)
        page = visit(browser, f"http://{host}:{port}")
        drawn(page)
        check(page)
        page.locator("[data-board='Hall A/3'] .opener").click()
        expect(page.locator("#opened .needs")).to_contain_text("how pieces move")
        check(page, {"phone": "light"}, past=".tiles")
        leave(page)


def test_who_is_to_move_and_what_waits_are_seen_in_the_device_s_contrast(
    browser: Any, tmp_path: Path
) -> None:
    """Who has won, too, whatever of a long name is cut; and on a telephone the desk's count stays a line."""
    with staged(tmp_path) as stage, serving(create_wall(stage.shared)) as (host, port):
        tell_hall(stage.link, DIFFERENT)
        snapshot = snapshot_of(1, 5)
        assert snapshot.session is not None
        session = snapshot.session.apply(Entry("result", "red", ARBITER))
        won = replace(snapshot, session=session, head={**snapshot.head, "red": "Wolfe" * 16})
        told = state_of(present(won), "companion-1", "", at=NOW)
        stage.link.tell(board_name(1), STATE, write(told))
        page = visit(browser, f"http://{host}:{port}")
        drawn(page)
        expect(page.locator("[data-board='Hall A/1'] .news")).to_have_text("Red wins: ruled by the arbiter.")
        mark = "(name) => getComputedStyle(name, '::before').content"
        assert page.locator("[data-board='Hall A/1'] .won .name").evaluate(mark) == '"★ "'
        page.emulate_media(forced_colors="active")
        edge = "(element) => getComputedStyle(element).outlineWidth"
        assert page.locator("[data-board='Hall A/3'] .turn").evaluate(edge) == "2px"
        edges = [page.locator(f"[data-board='Hall A/{n}']").evaluate(edge) for n in (2, 3, 8, 13)]
        assert edges == ["1px", "4px", "4px", "4px"]
        page.goto(f"http://{host}:{port}/desk")
        resize(page, "phone")
        count = page.locator("#count")
        expect(count).to_have_text("4 lines")
        assert count.evaluate("(count) => count.getClientRects().length && count.clientHeight < 40")
        leave(page)


def test_a_board_that_waits_for_its_pair_says_who_plays_there(browser: Any, tmp_path: Path) -> None:
    with staged(tmp_path) as stage, serving(create_wall(stage.shared)) as (host, port):
        pairing = Pairing("3", {"white": "Menchik, Vera", "black": "Graf, Sonja"}, game="chess")
        stage.link.tell(board_name(2), STATUS, {"state": "online"})
        stage.link.tell(board_name(2), PAIRING, write(pairing))
        page = visit(browser, f"http://{host}:{port}")
        tile = page.locator("[data-board='Hall A/2']")
        expect(tile.locator(".near")).to_have_text("Menchik, Vera (White)")
        expect(tile.locator(".far")).to_have_text("Graf, Sonja (Black)")
        leave(page)


def test_the_filter_stands_in_the_address(browser: Any, shown: Shown) -> None:
    page = visit(browser, f"{shown.address}/?state=silent")
    drawn(page)
    assert page.locator(".tile.silent").count() == page.locator(".tile").count() == 5
    page.locator("#state").select_option("")
    page.locator("#game").select_option("magnet")
    expect(page.locator("#count")).to_contain_text("13 boards")
    page.locator("#round").select_option("2")
    page.locator("#words").fill("eve a/28")
    page.wait_for_function("() => document.querySelectorAll('.tile').length === 1")
    assert "game=magnet" in page.url
    assert "round=2" in page.url
    count = page.locator(".tile").count()
    again = visit(browser, page.url)
    drawn(again)
    assert again.locator(".tile").count() == count > 0
    leave(again)
    leave(page)


def test_the_overlay_has_no_ground(browser: Any, shown: Shown) -> None:
    for scheme in ("light", "dark"):
        page = visit(browser, f"{shown.address}/obs?board=Hall A/3", (1280, 720))
        page.emulate_media(color_scheme=scheme)
        drawn(page)
        assert page.locator(".tile").count() == 1
        picture = Image.open(io.BytesIO(page.screenshot(omit_background=True)))
        clear = picture.getchannel("A").histogram()[0]
        assert clear > 0.15 * picture.width * picture.height
        assert all(picture.getpixel(corner)[3] == 0 for corner in [(0, 0), (1279, 0), (0, 719), (1279, 719)])
        leave(page)


def test_the_desk(browser: Any, shown: Shown) -> None:
    page = visit(browser, f"{shown.address}/desk")
    line = page.locator("[data-kind=refused]", has=page.get_by_text("Hall A/3", exact=True))
    line.locator(".open").click()
    expect(page.locator("#case .tile")).to_contain_text("Dmitri Dvorak")
    drawn(page)
    check(page)
    page.get_by_role("button", name="White wins").click()
    page.get_by_role("button", name="Rule so").click()
    expect(page.locator("#case .answer")).to_have_text("White wins: done")
    assert shown.stage.calls.asked[-1] == ("http://pi3:8000", "results", {"winner": "white", "number": 1})
    page.locator("#journal summary").click()
    expect(page.locator("#rulings")).to_contain_text("White wins")

    page.get_by_role("button", name="Correct the position").click()
    page.get_by_role("button", name="Take away").click()
    page.locator("#case .hit[data-place=e4]").click(force=True)
    page.get_by_role("button", name="Done").click()
    expect(page.locator("#case .answer")).to_contain_text("Position corrected")
    _, path, body = shown.stage.calls.asked[-1]
    assert path == "corrections"
    assert "e4" not in body["looks"]
    assert body["looks"]["e1"] == "white/king"

    snapshot = snapshot_of(3, 6)
    assert snapshot.session is not None
    ended = replace(snapshot, session=snapshot.session.apply(Entry("result", "white", ARBITER)))
    shown.stage.link.tell(board_name(3), STATE, write(state_of(present(ended), "companion-3", at=NOW)))
    expect(page.get_by_role("button", name="Lift the result")).to_be_visible()
    page.get_by_role("button", name="A draw").click()
    expect(page.locator("#sheet")).to_contain_text("A draw. In place of the result: White wins")
    page.get_by_role("button", name="No, go on").click()
    page.get_by_role("button", name="Lift the result").click()
    page.get_by_role("button", name="Rule so").click()
    expect(page.locator("#case .answer")).to_have_text("Result lifted: done")
    assert shown.stage.calls.asked[-1][1:] == ("takebacks", {"count": 0, "plies": 6, "number": 1})
    tell_board(shown.stage.link, 3, 6)
    expect(page.get_by_role("button", name="Take back the last action")).to_be_visible()

    line.get_by_label("Seen").click()
    expect(line).to_have_count(0)
    page.locator("#ticked").check()
    expect(line).to_have_count(1)
    leave(page)


def test_the_desk_asks_for_a_board_s_address(browser: Any, shown: Shown) -> None:
    page = visit(browser, f"{shown.address}/desk", SIZES["tablet"])
    page.locator("#boards").select_option("Hall A/8")
    page.get_by_label("Address").fill("ftp://pi8")
    page.get_by_label("Token").fill("secret")
    page.get_by_role("button", name="Keep it").click()
    expect(page.locator("#case .answer.wrong")).to_contain_text("http://HOST:PORT")
    expect(page.get_by_label("Token")).to_have_value("secret")  # what was typed is there to be corrected
    page.get_by_label("Address").fill("http://pi8:8000")
    page.locator("#case form").evaluate("form => form.setAttribute('data-old', '')")
    tell_board(shown.stage.link, 8, 5)  # news of the board draws the form anew, and takes nothing from it
    expect(page.locator("#case form[data-old]")).to_have_count(0)
    expect(page.get_by_label("Address")).to_have_value("http://pi8:8000")
    expect(page.get_by_label("Address")).to_be_focused()
    page.get_by_role("button", name="Keep it").click()
    expect(page.get_by_role("button", name="Stop the clock")).to_be_visible()
    assert shown.stage.shared.addresses.known[board_name(8)].token == "secret"
    leave(page, faults=1)  # the 400
