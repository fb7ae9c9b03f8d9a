"""Every page, light and dark, under axe-core: nothing serious stands in the way of anybody."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from web_pages import expect, leave, visit

from companion.messages import NewGame
from companion.table import Table

pytestmark = pytest.mark.browser
AXE = "axe-core@4.14.1"
FOUND = """async () => (await axe.run()).violations
  .filter(({ impact }) => impact === 'serious' || impact === 'critical')
  .map(({ id, nodes }) => [id, ...nodes.map((node) => `${node.target} ${node.failureSummary}`)])"""
PAGES = {
    "choosing": ("", "/", [".games"]),
    "options": ("", "/", ["[data-game=triune]", "#choices"]),
    "playing": ("triune a2-a3 b7~", "/", [".turn .name"]),
    "asked": ("chess e2e4", "/", [".turn .name", "text=More", "#sheet .content"]),
    "hidden": ("magnet", "/", ["text=Show Red’s pieces", ".arrange"]),
    "ruling": ("triune", "/", ["text=More", "text=Rule the result", "text=Red wins"]),
    "hint": ("queens +a1", "/", ["text=Hint", ".advice"]),
    "over": ("chess e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7", "/", ["text=White wins"]),
    "records": ("triune a2-a3", "/records", ["#list a", "#replay .said"]),
    "seat": ("triune", "/seat", ["#words"]),
    "setting up": ("", "/setup", ["#steps"]),
}


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core, fetched once through npm into the virtual environment."""
    folder = Path(sys.prefix) / "axe"
    source = folder / "node_modules" / "axe-core" / "axe.min.js"
    if not source.exists():
        if shutil.which("npm") is None:
            pytest.skip("axe-core comes through npm, which is not installed")
        command = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder), AXE]
        if subprocess.run(command, capture_output=True).returncode:
            pytest.skip("npm could not fetch axe-core: is there a network?")
    return source.read_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_nothing_serious(
    browser: Any, address: str, table: Table, axe: str, name: str, scheme: str
) -> None:
    game, path, steps = PAGES[name]
    if game:
        assert table.ask(NewGame(game)).ok
    page = visit(browser, f"{address}{path}", color_scheme=scheme)
    for step in steps[:-1]:
        page.tap(step)
    expect(page.locator(steps[-1]).first).to_be_visible()
    page.evaluate(axe)
    assert page.evaluate(FOUND) == []
    leave(page)
