"""Every sight of the page is sound: texts are whole and translated, and nothing is a barrier to anybody.

`./test -m soak tests/web/test_web_sights.py` looks at each in four languages, at four sizes, light and dark.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from web_checks import barriers, text_faults, words_shown
from web_clients import Client
from web_pages import resize
from web_sights import PAIRING_HEAD, SIGHTS, go_on, open_sight, walks

from companion.language import LANGUAGES
from companion.table.table import Table
from tests.languages import untranslated

TIGHT, ROOMY, THEMES = ("7 inch", "phone"), ("tablet", "television"), ("light", "dark")
SCREENS = (*TIGHT, *ROOMY)
WIDEST, NARROWEST = ("light", "7 inch"), ("dark", "phone")
"""Between them every layout and both themes. What is a barrier in one of them is mostly one in the other too:
half of the sights are asked in each, and all in both in the soak. No theme moves a text, and hardly one lacks
room on a roomy screen: each sight is looked at on one of them."""
SIGHTS_IN_ORDER = tuple(SIGHTS)
NAMES = {"Board", "Companion", "English", "Deutsch", "Español", "Français", "PGN", "PDN", "FEN", "CRC"}
"""Names of things that are the same in every language."""
PAIRED = set(f"{' '.join(PAIRING_HEAD.values())} Triune".split())
DATA = {
    "paired": PAIRED,
    "paired next": PAIRED,
    "records": PAIRED,
    "profiles": {
        "Jan", "Feb", "März", "Apr", "Mai", "Juni", "Juli", "Aug", "Sept", "Okt", "Nov", "Dez",
    },
    "announced": {"Sensor"},
    "inviting": {"AAAAAA"},
    "asked": {"Sensor"},
    "cut off": {"Sensor"},
    "put right": {"Sensor"},
    "programs": {"Club", "display"},
    "token": {"Club", "display"},
    "grid": {"Triune"},
    "sheet": {"Arduino", "Mega", "triune", "analogue", "mega", "virtual"},
}  # fmt: skip
"""On some pages names of sensors, programs, boards and firmware, and the month that the browser writes."""


@pytest.mark.browser
@pytest.mark.parametrize("walk", walks(), ids=", ".join)
def test_a_sight_is_sound_and_wholly_translated(
    browser: Any, table: Table, tmp_path: Path, pseudo_language: str, walk: list[str]
) -> None:
    """In English whose words are marked, and so a little longer: what fits then fits without the marks. The
    languages themselves are looked at in a soak."""
    sights = [SIGHTS[name] for name in walk]
    with open_sight(browser, table, tmp_path, sights[0], pseudo_language) as page:
        for name, sight, before in zip(walk, sights, [None, *sights], strict=False):
            if before:
                resize(page, "7 inch")
                go_on(page, table, before, sight, pseudo_language)
            data = NAMES | DATA.get(name, set())
            left = {words: bare for words in words_shown(page) if (bare := untranslated(words, data))}
            assert left == {}, name
            number = SIGHTS_IN_ORDER.index(name) % 2
            theme, screen = (NARROWEST, WIDEST)[number]
            check(page, (theme,), (screen,), (*TIGHT, ROOMY[number]), name)


@pytest.mark.browser
@pytest.mark.soak
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", SIGHTS)
def test_a_sight_is_sound_in_each_language_at_every_size_and_in_both_themes(
    browser: Any, table: Table, tmp_path: Path, name: str, language: str
) -> None:
    with open_sight(browser, table, tmp_path, SIGHTS[name], language) as page:
        assert page.locator("html").get_attribute("lang") == language
        check(page, THEMES, SCREENS, SCREENS)


def check(
    page: Any, themes: Iterable[str], barred: Iterable[str], screens: Iterable[str], name: str = ""
) -> None:
    """Asserts that no text is cut or lies over another, and that axe-core finds no barriers on some."""
    faults = []
    for theme in themes:
        page.emulate_media(color_scheme=theme)
        for screen in screens:
            resize(page, screen)
            found = (*text_faults(page), *(barriers(page) if screen in barred else ()))
            faults += [f"{name} {screen}, {theme}: {fault}" for fault in found]
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
def test_a_broken_word_on_a_button_is_found(browser: Any) -> None:
    page = browser.new_context().new_page()
    page.set_content("<button style='width: 4em; overflow-wrap: anywhere'>Schachuhrknopf</button>")
    assert [fault for fault in text_faults(page) if "broken within a word" in fault]
    page.context.close()


@pytest.mark.browser
def test_a_barrier_is_found(browser: Any) -> None:
    page = browser.new_context().new_page()
    page.set_content("<main><h1>A page</h1><button></button><p style='color: #ddd'>Pale words</p></main>")
    assert {fault.partition(":")[0] for fault in barriers(page)} >= {"button-name", "color-contrast"}
    page.context.close()


def test_no_page_is_forgotten(home: Client) -> None:
    rules = [rule for rule in home.http.application.url_map.iter_rules() if "GET" in (rule.methods or ())]
    paths = [rule.rule for rule in rules if not rule.arguments and not rule.rule.startswith("/api/")]
    pages = {path for path in paths if home.get(path).mimetype == "text/html"}
    # Pages of one thing each, as a game's tutorial, have a part in their address that only a sight knows.
    plain = {rule.rule for rule in rules}
    assert pages == {sight.path for sight in SIGHTS.values() if sight.path in plain}
