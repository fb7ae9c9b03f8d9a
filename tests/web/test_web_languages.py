"""The page in other languages: a display keeps the one chosen on it; what the server says is in it, too."""

from __future__ import annotations

import re
from typing import Any

import pytest
from web_clients import Client
from web_pages import expect, leave, visit

from companion.table.table import Table
from tests.languages import untranslated


@pytest.mark.browser
def test_a_display_keeps_the_language_that_is_chosen_on_it(browser: Any, address: str, table: Table) -> None:
    page = visit(browser, address, "tablet", locale="en-GB")
    page.select_option(".pages select", "de")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.goto(f"{address}/records")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    other = visit(browser, address, "tablet", locale="fr-FR")
    expect(other.locator("html")).to_have_attribute("lang", "fr")
    leave(page)
    leave(other)


@pytest.mark.browser
def test_the_copy_for_a_lost_connection_has_the_new_language(browser: Any, address: str) -> None:
    page = visit(browser, address, "tablet", locale="en-GB", service_workers="allow")
    page.evaluate("() => navigator.serviceWorker.ready.then(() => location.reload())")
    expect(page.locator(".pages select")).to_be_visible()
    page.wait_for_function("() => navigator.serviceWorker.controller")
    page.select_option(".pages select", "de")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.context.set_offline(True)
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.context.close()


@pytest.mark.parametrize(
    ("cookie", "header", "language"),
    [("", "fr-CH, de;q=0.5", "fr"), ("es", "fr", "es"), ("xx", "de", "de"), ("", "ja", "en"), ("", "", "en")],
)
def test_a_page_is_in_the_language_chosen_else_the_browsers(
    home: Client, cookie: str, header: str, language: str
) -> None:
    home.http.set_cookie("language", cookie)
    answer = home.get("/", headers={"Accept-Language": header})
    assert f'<html lang="{language}" dir="ltr"' in answer.text
    assert {"Cookie", "Accept-Language"} <= {name.strip() for name in answer.headers["Vary"].split(",")}


def test_a_board_is_described_in_each_language(home: Client, pseudo_language: str) -> None:
    answers = [
        home.get("/api/v1/board", headers={"Accept-Language": code}) for code in ("en", pseudo_language)
    ]
    assert answers[0].json["words"]["red/marked"] == "marked red piece"
    assert untranslated(answers[1].json["words"]["red/marked"]) == []
    assert answers[0].headers["ETag"] != answers[1].headers["ETag"]


@pytest.mark.parametrize("path", ["/", "/records", "/seat", "/nowhere"])
def test_without_scripts_the_page_says_so_in_its_language(
    home: Client, pseudo_language: str, path: str
) -> None:
    answer = home.get(path, headers={"Accept-Language": pseudo_language, "Accept": "text/html"})
    noscript = answer.text.split("<noscript>")[1].split("</noscript>")[0]
    assert untranslated(re.sub("<[^>]+>", "", noscript)) == []
