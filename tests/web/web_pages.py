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
    # One process for all pages of a profile, which it has not to start for each: they are all ours.
    "--renderer-process-limit=1", "--disable-site-isolation-trials",
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
    usual = {"has_touch": True, "service_workers": "block", "reduced_motion": "reduce"}
    page = new_page(browser, SIZES[size], **(usual | more))
    page.goto(address)
    return page


def new_page(browser: Any, size: tuple[int, int], **options: Any) -> Any:
    """An empty page in a profile of which nothing is known, made with these options of Playwright's."""
    free = profiles_left(browser, options)
    profile = free.pop() if free else new_profile(browser, options)
    page = profile.new_page()
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.set_default_timeout(PATIENCE)
    page.faults = []
    page.on("pageerror", lambda error: page.faults.append(str(error)))
    page.on("console", lambda line: line.type == "error" and page.faults.append(line.text))
    return page


def new_profile(browser: Any, options: dict[str, Any]) -> Any:
    """A profile whose first page stays empty and open: with the last one its process would end, and starting
    that costs as much as showing a page."""
    profile = browser.new_context(**options)
    profile.storage = profile.new_cdp_session(profile.new_page())
    profile.left = profiles_left(browser, options)
    return profile


def profiles_left(browser: Any, options: dict[str, Any]) -> list[Any]:
    """The profiles, made with the same options, in which no test has a page now."""
    left: dict[str, list[Any]] = vars(browser).setdefault("profiles_left", {})
    return left.setdefault(repr(sorted(options.items())), [])


def resize(page: Any, size: str) -> None:
    """Shows the page on another screen, and waits until it is drawn there."""
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def leave(page: Any, *, faults: int = 0) -> None:
    """Closes a page that had so many faults. Its profile forgets all, and is there for another page."""
    assert len(page.faults) == faults, page.faults
    profile = page.context
    has_own_time = page.evaluate("'__pwClock' in window")
    for opened in profile.pages[1:]:
        opened.close()
    if has_own_time:
        profile.close()  # Playwright's clock is that of all its pages
        return
    profile.storage.send("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": "all"})
    profile.storage.send("Network.clearBrowserCache")  # a later server may get the same port
    profile.clear_cookies()
    profile.set_offline(False)
    profile.left.append(profile)


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
