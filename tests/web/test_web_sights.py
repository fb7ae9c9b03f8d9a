"""Every sight in each language, at four sizes, light and dark: texts are whole, and nothing is a barrier."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest
from web_checks import axe_source, barriers, text_faults
from web_clients import Client
from web_pages import SIZES
from web_sights import SIGHTS, open_sight

from companion.language import LANGUAGES
from companion.table.table import Table

ALL_LOOKS = tuple(product(("7 inch", "tablet", "phone", "television"), ("light", "dark")))
HALVES = tuple(
    tuple(look for n, look in enumerate(ALL_LOOKS) if (n % 4 in (0, 3)) is half) for half in (True, False)
)
"""Each has every size, and both themes; together they have every theme at every size."""
LOOKS = {"en": HALVES[0], "de": HALVES[1]}
"""What is looked at whenever all tests run; German has the longest words.

`./test -m soak tests/web/test_web_sights.py` looks at everything."""


@pytest.fixture(scope="session")
def axe() -> str:
    return axe_source()


@pytest.mark.browser
@pytest.mark.parametrize(
    ("language", "looks"),
    [
        *(pytest.param(language, looks, id=language) for language, looks in LOOKS.items()),
        *(pytest.param(each, ALL_LOOKS, id=f"{each} whole", marks=pytest.mark.soak) for each in LANGUAGES),
    ],
)
@pytest.mark.parametrize("name", SIGHTS)
def test_a_sight_is_readable_and_without_barriers(
    browser: Any,
    table: Table,
    tmp_path: Path,
    axe: str,
    name: str,
    language: str,
    looks: tuple[tuple[str, str], ...],
) -> None:
    faults = []
    with open_sight(browser, table, tmp_path, SIGHTS[name], language) as page:
        assert page.locator("html").get_attribute("lang") == language
        page.evaluate(axe)
        for size, theme in looks:
            width, height = SIZES[size]
            page.set_viewport_size({"width": width, "height": height})
            page.emulate_media(color_scheme=theme, reduced_motion="reduce")
            page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            faults += [f"{size}, {theme}: {fault}" for fault in (*text_faults(page), *barriers(page))]
    assert not faults, "\n".join(faults)


@pytest.mark.browser
@pytest.mark.parametrize(
    ("style", "fault"),
    {
        "as it should be": ("", ""),
        "too narrow": ("width: 3em; overflow: hidden", "cut at the side"),
        "too low": ("height: 0.4em; overflow: hidden", "cut below"),
        "drawn over the next": ("margin-bottom: -0.7em", "lies over"),
        "wider than the page": ("margin-left: 95vw", "outside"),
        "hidden": ("visibility: hidden; margin-left: 95vw", "scrolls sideways"),
    }.values(),
)
def test_a_fault_is_found(browser: Any, style: str, fault: str) -> None:
    page = browser.new_context().new_page()
    page.set_content(f"<p style='white-space: nowrap; {style}'>A line of words</p><p>And the next</p>")
    page.add_style_tag(content="p { margin: 0 }")
    found = text_faults(page)
    assert [fault in words for words in found][:1] == ([True] if fault else []), found
    page.context.close()


@pytest.mark.browser
def test_a_barrier_is_found(browser: Any, axe: str) -> None:
    page = browser.new_context().new_page()
    page.set_content("<main><h1>A page</h1><button></button><p style='color: #ddd'>Pale words</p></main>")
    page.evaluate(axe)
    assert {fault.partition(":")[0] for fault in barriers(page)} >= {"button-name", "color-contrast"}
    page.context.close()


def test_no_page_is_forgotten(home: Client) -> None:
    rules = [rule for rule in home.http.application.url_map.iter_rules() if "GET" in (rule.methods or ())]
    paths = [rule.rule for rule in rules if not rule.arguments and not rule.rule.startswith("/api/")]
    pages = {path for path in paths if home.get(path).mimetype == "text/html"}
    # Pages of one thing each, as a game's tutorial, have a part in their address that only a sight knows.
    plain = {rule.rule for rule in rules}
    assert pages == {sight.path for sight in SIGHTS.values() if sight.path in plain}
