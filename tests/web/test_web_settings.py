"""What a display remembers by itself: view, side, sound and theme."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from web_clients import serving
from web_pages import expect, leave, visit

from companion.table.messages import NewGame, Submit
from companion.table.table import Table
from web import Services, Settings, create_app
from web.runtime.runtime import Runtime

pytestmark = pytest.mark.browser
PAGE_COLOUR = "() => getComputedStyle(document.documentElement).backgroundColor"
LIGHT, DARK = "rgb(244, 241, 234)", "rgb(21, 23, 26)"
COUNT_TONES = """() => {
  window.tones = 0;
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function () { window.tones += 1; return start.call(this); };
  speechSynthesis.speak = () => (window.spoke = true);
}"""


def choose(page: Any, name: str, value: str) -> None:
    page.tap("#tools >> text=Sound")
    page.check(f"[name={name}][value={value}]", force=True)
    page.tap("#sheet >> text=Close")


def test_view_and_side_outlive_a_reload(browser: Any, table: Table, tmp_path: Path) -> None:
    assert table.ask(NewGame("triune")).ok
    with Runtime(table, ("virtual",), tmp_path, Random(1)) as runtime:
        services = Services(newest_frame=runtime.newest, virtual_table=runtime.virtual)
        with serving(create_app(table, Settings(port=0, streams=8), services)) as (host, port):
            page = visit(browser, f"http://{host}:{port}", "tablet")
            expect(page.locator("#tabletop")).to_be_visible()
            page.tap("#tools >> text=Diagram")
            page.tap("#tools >> text=More")
            page.tap("text=Turn the board round")
            page.reload()
            expect(page.locator("#board svg")).to_be_visible()
            expect(page.locator("#tabletop")).to_be_hidden()
            expect(page.locator("#board svg > g")).to_have_attribute("transform", re.compile("^rotate.180 "))
            leave(page)


@pytest.mark.parametrize(
    ("asked", "theme", "colour"),
    [("dark", "auto", DARK), ("dark", "light", LIGHT)],
)
def test_the_theme_is_the_devices_unless_one_is_chosen(
    browser: Any, address: str, table: Table, asked: str, theme: str, colour: str
) -> None:
    assert table.ask(NewGame("triune")).ok
    page = visit(browser, address, color_scheme=asked)
    choose(page, "theme", theme)
    assert page.evaluate(PAGE_COLOUR) == colour
    for path in ("/", "/records"):
        page.goto(f"{address}{path}")
        assert page.evaluate(PAGE_COLOUR) == colour, path
    leave(page)


def test_tones_without_speech_are_heard_again_after_a_reload(
    browser: Any, address: str, table: Table
) -> None:
    assert table.ask(NewGame("triune a2-a3")).ok
    page = visit(browser, address)
    choose(page, "sound", "tones")
    page.reload()
    page.evaluate(COUNT_TONES)
    expect(page.locator(".turn .name")).to_have_text("Blue")
    page.tap(".turn")  # a browser is silent until the first tap
    assert table.ask(Submit("b7~")).ok
    expect(page.locator("#said")).to_contain_text("Blue flips")
    assert page.evaluate("[window.tones, window.spoke]") == [1, None]
    leave(page)
