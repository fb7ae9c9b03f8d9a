"""Pages of different tests know nothing of each other, although they share what costs much to start."""

from __future__ import annotations

from typing import Any

import pytest
from web_pages import leave, visit

WRITE = """() => {
  localStorage.setItem('sound', 'off');
  document.cookie = 'left=1';
  return new Promise((done) => (indexedDB.open('left').onsuccess = done));
}"""
READ = """async () => [
  localStorage.length, document.cookie, (await indexedDB.databases()).length, navigator.onLine,
]"""
NOTHING = [0, "", 0, True]


@pytest.mark.browser
def test_a_page_knows_nothing_of_the_one_before(browser: Any, address: str) -> None:
    first = visit(browser, f"{address}/static/icons/icon.svg")
    profile = first.context
    fresh = first.evaluate(READ)
    first.evaluate(WRITE)
    assert first.evaluate(READ) != fresh == NOTHING
    first.evaluate("window.open('about:blank')")
    profile.set_offline(True)
    leave(first)
    second = visit(browser, f"{address}/static/icons/icon.svg", "phone")
    assert second.context is profile
    assert len(profile.pages) == 2
    assert second.evaluate(READ) == NOTHING
    assert second.evaluate("[innerWidth, innerHeight, screen.width]") == [390, 844, 390]
    leave(second)


@pytest.mark.browser
def test_two_pages_at_once_are_of_two_people(browser: Any, address: str) -> None:
    one, other = (visit(browser, f"{address}/static/icons/icon.svg") for _ in range(2))
    assert one.context is not other.context
    leave(one)
    leave(other)


@pytest.mark.browser
def test_a_page_with_a_time_of_its_own_leaves_no_profile(browser: Any, address: str) -> None:
    page = visit(browser, f"{address}/static/icons/icon.svg", locale="fr-FR")
    page.clock.install()
    left = page.context.left
    leave(page)
    assert left == []
