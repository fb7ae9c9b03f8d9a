"""What the browser tests share: touch screens of the usual sizes, and fingers on them."""

from __future__ import annotations

from typing import Any

import pytest

sync_api = pytest.importorskip("playwright.sync_api", reason="the browser tests need playwright")
expect = sync_api.expect

PATIENCE = 120_000
"""Milliseconds that what must come may take: a busy machine takes its time, and reading pictures most."""
expect.set_options(timeout=PATIENCE)

WITHOUT = (
    # Two pages of the address line, which nobody sees: with each window they cost more than our own page.
    "WebUIOmniboxPopup", "WebUIOmniboxAimPopup",
    # Of Playwright's own list, which this one replaces.
    "HttpsUpgrades", "PaintHolding", "OptimizationHints", "MediaRouter",
)  # fmt: skip
"""Features of Chromium that are turned off."""
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    f"--disable-features={','.join(WITHOUT)}",
]  # fmt: skip
SIZES = {
    "7 inch": (800, 480), "tablet": (1280, 800), "upright": (800, 1280), "phone": (390, 844),
    "television": (1920, 1080), "phone crosswise": (844, 390),
}  # fmt: skip


def visit(browser: Any, address: str, size: str = "7 inch", **more: Any) -> Any:
    """A page of a touch screen, on which any error of a script fails the test.

    Without a service worker, which doubles what a page costs that is loaded again, and without motion, each
    frame of which is drawn, unless `more` allows them.
    """
    width, height = SIZES[size]
    usual = {"service_workers": "block", "reduced_motion": "reduce"}
    more = usual | {"viewport": {"width": width, "height": height}} | more
    page = browser.new_context(has_touch=True, **more).new_page()
    page.set_default_timeout(PATIENCE)
    page.faults = []
    page.on("pageerror", lambda error: page.faults.append(str(error)))
    page.on("console", lambda line: line.type == "error" and page.faults.append(line.text))
    page.goto(address)
    return page


def resize(page: Any, size: str) -> None:
    """Shows the page on another screen, and waits until it is drawn there."""
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def leave(page: Any, *, faults: int = 0) -> None:
    assert len(page.faults) == faults, page.faults
    page.context.close()


def enter_pin(page: Any) -> None:
    page.tap("text=Enter the arbiter’s PIN")
    page.fill("[aria-label=PIN]", "4711")
    page.tap("#sheet >> text=Enter >> nth=-1")


def turn_speech_on(page: Any) -> None:
    page.tap("text=Sound")
    page.check("[name=sound][value=speech]", force=True)
    page.tap("#sheet >> text=Close")


def tap(page: Any, place: str) -> None:
    """A finger on a place of the board that can be tapped."""
    circle = f'#board .hit[data-place="{place}"]'
    page.locator(circle).wait_for(state="attached")
    # In one step, since the board may be drawn anew at any time; and neighbours' circles may lie over it.
    x, y = page.evaluate(
        "circle => { const hit = document.querySelector(circle); hit.scrollIntoViewIfNeeded();"
        " const { x, y, width, height } = hit.getBoundingClientRect();"
        " return [x + width / 2, y + height / 2]; }",
        circle,
    )
    page.touchscreen.tap(x, y)


def tap_at(page: Any, board: dict[str, Any], place: str) -> None:
    """A finger on any place of the board."""
    x, y = page.evaluate(
        "([x, y]) => { const g = document.querySelector('#board svg > g');"
        " const p = new DOMPoint(x, y).matrixTransform(g.getScreenCTM()); return [p.x, p.y]; }",
        board["places"][place][:2],
    )
    page.touchscreen.tap(x, y)
