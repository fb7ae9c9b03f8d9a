"""The virtual table in use: chosen on the page, pieces dragged with the mouse, seen by the camera."""

from __future__ import annotations

from typing import Any

import pytest
from web_clients import serving
from web_hands import MouseHands, wait_until
from web_pages import expect, leave, tap, visit

from companion.table.messages import NewGame
from companion.table.table import Table
from web import Services, Settings, create_app
from web.routes.auth import seat_link
from web.runtime.runtime import Runtime

pytestmark = pytest.mark.browser


def test_a_newcomer_drags_pieces_and_is_refereed(browser: Any, playground: str, runtime: Runtime) -> None:
    page = visit(browser, playground, "tablet")
    page.tap("[data-game=triune]")
    page.tap("text=Start the game")
    expect(page.locator(".turn .name")).to_have_text("Red")
    expect(page.locator("#sources .ok")).to_have_count(1)
    hands = MouseHands(page, runtime)
    hands.drag("c2", "c3")
    expect(page.locator("#moves .move .action")).to_have_text(["c2-c3"])
    expect(page.locator("#moves .move .action")).to_have_css("font-variant-ligatures", "none")  # e3~e6
    expect(page.locator(".turn .name")).to_have_text("Blue")
    last = page.locator("#tabletop .overlay .mark.last")
    assert last.evaluate_all("marks => marks.map((mark) => mark.dataset.site)") == ["c2", "c3"]
    hands.drag("e7", "e5")
    expect(page.locator(".verdict")).to_contain_text("TR-3")
    expect(page.locator(".verdict")).to_contain_text("exactly one square")
    page.tap(".verdict summary")
    hands.drag("e5", "e4")
    expect(page.locator(".verdict .steps")).to_contain_text("e4")
    expect(page.locator(".verdict details[open]")).to_have_count(1)
    hands.drag("e4", "e7")
    expect(page.locator(".verdict")).to_have_count(0)
    hands.drag("e7", "e6")
    expect(page.locator("#moves .move .action")).to_have_text(["c2-c3", "e7-e6"])
    hands.drag("b2", "b5")
    expect(page.locator("text=Put it right for me")).to_be_visible()
    assert page.locator("text=The sensors are wrong").count() == 0
    page.tap("text=Put it right for me")
    expect(page.locator(".verdict")).to_have_count(0)
    leave(page)


def lead(page: Any, place: str) -> None:
    """Leads the finger by the arrow keys to a place, as who sees it would."""
    told = page.locator("#tabletop p[aria-live]")
    page.keyboard.press("ArrowUp")  # shows the finger
    for _ in range(20):
        file, rank = told.inner_text()[:2]
        if file + rank == place:
            return
        across = "ArrowRight" if file < place[0] else "ArrowLeft"
        page.keyboard.press(across if file != place[0] else "ArrowUp" if rank < place[1] else "ArrowDown")
    raise AssertionError(f"the finger came to {told.inner_text()}")


def test_pieces_are_moved_by_the_keys_alone(
    browser: Any, playground: str, table: Table, runtime: Runtime
) -> None:
    page = visit(browser, playground, "tablet")
    assert table.ask(NewGame("triune")).ok
    expect(page.locator("#sources .ok")).to_have_count(1)
    canvas, told = page.locator("#tabletop canvas"), page.locator("#tabletop p[aria-live]")
    page.wait_for_selector("#tabletop canvas[data-drawn]")
    canvas.focus()
    expect(told).to_contain_text("the arrows move a finger")
    lead(page, "c2")
    page.keyboard.press("Enter")
    expect(told).to_contain_text("Enter lets go")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.locator("#moves .move .action")).to_have_text(["c2-c3"])
    virtual = runtime.virtual
    assert virtual
    lead(page, "c4")
    with page.expect_response("**/table/fingers"):
        page.keyboard.press("Enter")
    expect(told).not_to_contain_text("Enter lets go")
    lead(page, "e7")
    before = virtual.table.at("e7")
    for key in ("Enter", "ArrowDown", "ArrowDown", "Escape"):
        page.keyboard.press(key)
    wait_until(page, lambda: virtual.table.hand is None and virtual.table.at("e7") == before, "e7 as it was")
    page.keyboard.press("t")
    expect(page.locator("#moves .move .action")).to_have_text(["c2-c3", "e7~"])
    page.keyboard.press("Tab")
    expect(page.locator("#tabletop .overlay .finger")).to_have_count(0)
    leave(page)


WINDOWS = [
    (1280, 800), (800, 480), (844, 390), (390, 844), (1920, 1080), (932, 430), (2560, 1080), (1366, 768),
    (1024, 768), (768, 1024), (667, 375), (800, 1280),
]  # fmt: skip


BOXES = """() => ["#tabletop .overlay .mark.last", "#tabletop canvas"].map((found) =>
    [...document.querySelectorAll(found)].at(-1).getBoundingClientRect().toJSON())"""


def test_marks_sit_on_the_pieces_at_every_size(
    browser: Any, playground: str, table: Table, runtime: Runtime
) -> None:
    page = visit(browser, playground, "tablet")
    assert table.ask(NewGame("triune a2-a3 b7~")).ok
    ring, picture = page.locator("#tabletop .overlay .mark.last").last, page.locator("#tabletop canvas")
    expect(ring).to_have_attribute("data-site", "b7")
    assert runtime.virtual
    [[x, y]] = runtime.virtual.view.pixels([runtime.virtual.table.board.where("b7")]).tolist()
    overlay = page.locator("#tabletop .overlay")
    of_camera = [float(side) for side in overlay.get_attribute("viewBox").split()[2:]]
    for width, height in WINDOWS:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        if not picture.is_visible():
            page.locator("#tools").get_by_text("Table", exact=True).tap()
        expect(ring).to_be_visible()
        mark, box = page.evaluate(BOXES)  # at once: each news of the table draws the mark anew
        # The picture keeps its ratio in the middle of its box (CSS: object-fit).
        scale = min(box["width"] / of_camera[0], box["height"] / of_camera[1])
        left = box["x"] + (box["width"] - of_camera[0] * scale) / 2
        top = box["y"] + (box["height"] - of_camera[1] * scale) / 2
        off = (
            mark["x"] + mark["width"] / 2 - left - x * scale,
            mark["y"] + mark["height"] / 2 - top - y * scale,
        )
        assert max(map(abs, off)) < 0.1 * mark["width"], (width, height, off)
    leave(page)


def test_at_a_virtual_table_a_seat_plays_on_the_diagram(browser: Any, table: Table, runtime: Runtime) -> None:
    """Its pieces are moved by who has the arbiter's role; nobody else is told to drag them."""
    assert table.ask(NewGame("triune")).ok
    services = Services(virtual_table=runtime.virtual, newest_frame=runtime.newest, view=runtime.view)
    app = create_app(table, Settings(host="0.0.0.0", port=0, streams=8, pin="4711"), services)
    with serving(app) as (host, port):
        home = f"http://{host}:{port}"
        with app.test_request_context(base_url=home):
            link = f"{home}/seat{seat_link('red').partition('/seat')[2]}"
        spectator, phone = visit(browser, home, "phone"), visit(browser, link, "phone")
        expect(spectator.locator("#tabletop canvas[data-drawn]")).to_be_visible()
        expect(spectator.locator("text=Drag the pieces")).not_to_be_visible()
        phone.tap("#take")
        tap(phone, "a2")
        tap(phone, "a3")
        expect(phone.locator(".turn .name")).to_have_text("Blue")
        virtual = runtime.virtual
        assert virtual
        wait_until(phone, lambda: virtual.table.at("a3") is not None, "the piece on a3")
        virtual.become({**virtual.table.looks(), "b2": "empty", "b5": "red/solid"})
        expect(phone.locator(".verdict")).to_contain_text("b5")
        expect(phone.locator("text=Put it right for me")).to_have_count(0)
        assert table.ask(NewGame("triune")).ok
        expect(phone.locator("text=scan the code again")).to_be_visible()
        leave(phone)
        leave(spectator)


def test_set_ups_are_entered_on_the_diagram_and_laid_on_the_table(
    browser: Any, playground: str, runtime: Runtime
) -> None:
    page = visit(browser, playground, "tablet")
    page.tap("[data-game=magnet]")
    page.tap("text=Start the game")
    for player in ("Red", "Blue"):
        page.tap(f"text=Show {player}’s pieces")
        expect(page.locator("#stage")).to_have_attribute("data-view", "board")
        page.tap("text=The rest by chance")
        page.tap("button:text-is('Ready')")
    expect(page.locator("#moves .move")).to_have_count(2)
    expect(page.locator("#stage")).to_have_attribute("data-view", "table")
    expect(page.locator("#sources .ok")).to_have_count(1)
    expect(page.locator(".verdict")).to_have_count(0)
    assert runtime.virtual
    looks = sorted(runtime.virtual.table.looks().values())
    assert (looks.count("red"), looks.count("blue")) == (12, 12), looks
    MouseHands(page, runtime).drag("a2", "b3")
    expect(page.locator("#said")).to_contain_text("Red's piece moves from a2 to b3")
    leave(page)


def test_what_is_tapped_on_the_diagram_is_moved_on_the_table(
    browser: Any, playground: str, runtime: Runtime
) -> None:
    page = visit(browser, playground, "tablet")
    page.tap("[data-game=triune]")
    page.tap("text=Start the game")
    expect(page.locator("#sources .ok")).to_have_count(1)
    page.tap("text=Diagram")
    assert runtime.virtual
    virtual = runtime.virtual
    tap(page, "c2")
    tap(page, "c3")
    wait_until(page, lambda: {"c2", "c3"} & virtual.table.looks().keys() == {"c3"})
    tap(page, "e7")
    tap(page, "e6")
    wait_until(page, lambda: {"e7", "e6"} & virtual.table.looks().keys() == {"e6"})
    page.tap("text=Undo")
    wait_until(page, lambda: {"e7", "e6"} & virtual.table.looks().keys() == {"e7"})
    page.tap("text=Table")
    MouseHands(page, runtime).drag("f7", "f6")
    expect(page.locator("#moves .move .action")).to_have_text(["c2-c3", "f7-f6"])
    expect(page.locator(".verdict")).to_have_count(0)
    leave(page)
