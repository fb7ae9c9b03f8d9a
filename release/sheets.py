"""Prints sheets to PDF by Chromium: where to drill for a grid; how each game is played, in every language."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from companion import games, tutorials
from companion.core.errors import CompanionError
from companion.language import LANGUAGES
from companion.store.store import Store
from companion.table.desk import Desk
from companion.table.table import Table
from web import Services, Settings, create_app
from web.server.server import Server

DRILLED = Path(__file__).resolve().parents[1] / "hardware" / "print"


@contextmanager
def browser() -> Iterator[Any]:
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        raise CompanionError("sheets need Chromium: 'sudo apt install chromium' brings it")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        yield started
        started.close()


def drilling(folder: Path, boards: Iterable[str]) -> Iterator[Path]:
    """Prints the drilling sheets at full size: A4, without margins."""
    folder.mkdir(parents=True, exist_ok=True)
    with browser() as chromium:
        page = chromium.new_page()
        for board in boards:
            if (sheet := DRILLED / f"{board}.html").is_file():
                page.goto(sheet.as_uri())
                file = folder / f"{board}.pdf"
                page.pdf(path=str(file), prefer_css_page_size=True, print_background=True)
                yield file


@contextmanager
def served() -> Iterator[str]:
    """Serves the page on a table without a game; gives its address."""
    with Store(":memory:") as store, Table(Desk(store)) as table:
        server = Server(create_app(table, Settings(port=0), Services(store=store)))
        threading.Thread(target=server.run, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.port}"
        finally:
            server.close()


def rules(folder: Path) -> Iterator[Path]:
    """Prints how each game is played, and all its rules, in every language."""
    folder.mkdir(parents=True, exist_ok=True)
    names = [name for name in games.installed() if name in tutorials.known()]
    with served() as address, browser() as chromium:
        for language in LANGUAGES:
            page = chromium.new_context(locale=language).new_page()
            for name in names:
                page.goto(f"{address}/how-to-play/{name}")
                page.locator("#tutorial h1").wait_for()
                page.wait_for_load_state("networkidle")
                file = folder / f"{name}.{language}.pdf"
                page.pdf(path=str(file), format="A4", print_background=True)
                yield file
            page.context.close()
