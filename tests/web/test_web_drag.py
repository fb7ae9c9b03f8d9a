"""Pieces of the diagram in motion: dragged by a finger or a mouse, and sliding where they were moved."""

from __future__ import annotations

from typing import Any

import pytest
from web_pages import expect, leave, visit

from companion.table.messages import NewGame, Submit
from companion.table.table import Table

pytestmark = pytest.mark.browser


def point_of(page: Any, place: str) -> tuple[float, float]:
    """The middle of a place on the screen."""
    x, y = page.evaluate(
        """async (place) => {
          const { places } = await fetch('/api/v1/board').then((answer) => answer.json());
          const group = document.querySelector('#board svg > g');
          const point = new DOMPoint(...places[place].slice(0, 2)).matrixTransform(group.getScreenCTM());
          return [point.x, point.y];
        }""",
        place,
    )
    return x, y


def drag(page: Any, start: str, end: str, *, drop: bool = True) -> None:
    """Presses a place, and goes to another in two moves."""
    page.mouse.move(*point_of(page, start))
    page.mouse.down()
    to = point_of(page, end)
    page.mouse.move(to[0] - 3, to[1])
    page.mouse.move(*to)
    if drop:
        page.mouse.up()


@pytest.fixture
def page(browser: Any, address: str, table: Table) -> Any:
    """The page at the start of a game of chess."""
    assert table.ask(NewGame("chess")).ok
    page = visit(browser, address, "tablet", reduced_motion="no-preference")
    expect(page.locator("#board .piece[data-place='e2']")).to_have_count(1)
    return page


def test_a_dragged_piece_is_moved(page: Any) -> None:
    drag(page, "e2", "e4", drop=False)
    expect(page.locator("#board .mark.target")).to_have_count(2)
    expect(page.locator("#board .piece.dragged")).to_have_count(1)
    box, (x, y) = page.locator("#board .piece.dragged").bounding_box(), point_of(page, "e4")
    assert abs(box["x"] + box["width"] / 2 - x) < 12
    assert abs(box["y"] + box["height"] / 2 - y) < 12
    page.mouse.up()
    expect(page.locator("#moves .move")).to_have_text(["e4"])
    expect(page.locator("#board .piece[data-place='e4']")).to_have_count(1)
    leave(page)


def test_a_piece_dragged_where_it_may_not_go_comes_back(page: Any) -> None:
    pawn = page.locator("#board .piece[data-place='e2']")
    before = pawn.bounding_box()
    drag(page, "e2", "e5")
    expect(page.locator(".verdict.refused")).to_have_count(1)
    expect(page.locator("#board .piece.dragged")).to_have_count(0)
    assert pawn.bounding_box() == before
    drag(page, "g1", "f3")  # and the next one is moved
    expect(page.locator("#moves .move")).to_have_text(["Nf3"])
    leave(page)


def test_a_piece_dragged_off_the_board_stays_chosen(page: Any) -> None:
    drag(page, "e2", "e4", drop=False)
    page.mouse.move(1200, 300)
    page.mouse.up()
    expect(page.locator("#board .piece.dragged")).to_have_count(0)
    expect(page.locator("#board .mark.chosen")).to_have_count(1)
    drag(page, "e2", "e3")
    expect(page.locator("#moves .move")).to_have_text(["e3"])
    leave(page)


@pytest.mark.parametrize(("motion", "slides"), [("no-preference", ["e4"]), ("reduce", [])])
def test_a_piece_that_was_moved_slides(page: Any, table: Table, motion: str, slides: list[str]) -> None:
    page.emulate_media(reduced_motion=motion)
    page.evaluate(
        "() => { window.slid = []; const own = Element.prototype.animate;"
        " Element.prototype.animate = function (frames, options) {"
        " window.slid.push(this.dataset.place); return own.call(this, frames, options); }; }"
    )
    assert table.ask(Submit("e2e4")).ok
    expect(page.locator("#board .piece[data-place='e4']")).to_have_count(1)
    assert page.evaluate("window.slid") == slides
    leave(page)


def test_a_piece_that_may_not_be_moved_is_told_why(page: Any, table: Table) -> None:
    assert table.ask(NewGame("draughts")).ok
    for action in ("f6-e5", "c3-d4"):  # now Black has to capture
        assert table.ask(Submit(action)).ok
    expect(page.locator("#moves .move")).to_have_count(2)
    drag(page, "g7", "f6")
    expect(page.locator(".verdict.refused")).to_contain_text("Black has to capture, with the piece on 15.")
    expect(page.locator("#board .piece.dragged")).to_have_count(0)
    leave(page)
