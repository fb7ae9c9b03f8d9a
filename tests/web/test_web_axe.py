"""Every page, light and dark, at four sizes, under axe-core: nothing serious stands in the way of anybody."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from web_clients import Client, serving
from web_pages import SIZES, expect, visit

from companion.games.text import read_game
from companion.language import Message, say, translated
from companion.table.messages import NewGame
from companion.table.table import Table
from firmware_bridge.grid_setup import GridSetup
from tests.stores import open_store
from vision.sources.virtual import VirtualTable
from web import Services, Settings, create_app
from web.runtime.camera_setup import CameraSetup, Still
from web.runtime.runtime import Runtime

pytestmark = pytest.mark.browser
AXE = "axe-core@4.14.1"
WIDTHS = ("7 inch", "tablet", "phone", "television")
FOUND = """async () => (await axe.run()).violations
  .filter(({ impact }) => impact === 'serious' || impact === 'critical')
  .map(({ id, nodes }) => [id, ...nodes.map((node) => `${node.target} ${node.failureSummary}`)])"""


class Sight(NamedTuple):
    """A page: what is on the table, its path, what is tapped, of which the last is only waited for.

    What is tapped is found by its selector or by its words: in English and whole, as catalogues have them.
    """

    game: str
    path: str
    steps: tuple[str, ...]
    pin: str | None = None


TRIUNE = "triune a2-a3 b7~"
MATE = "chess e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7"
OFFER = say("{player} offers a draw", player=say("Blue"))
RESIGN = say("{player} resigns", player=say("Red"))
RED_WINS, WHITE_WINS = (say("{player} wins", player=say(player)) for player in ("Red", "White"))
FIND = ("text=Find the board", "text=The corners are right")
LEARN = (*FIND, "text=Leave this out", "text=Learn how it looks")
MEASURE = ("text=Commission the grid", "text=The board is empty: measure it")
PAGES = {
    "choosing": Sight("", "/", (".games",)),
    "options": Sight("", "/", ("[data-game=triune]", "#choices")),
    "playing": Sight(TRIUNE, "/", (".turn .name",)),
    "chosen": Sight(TRIUNE, "/", ("[data-place=b2].hit", ".mark.target")),
    "refused": Sight(TRIUNE, "/", ("text=More", "text=Write an action", "#sheet input", ".verdict")),
    "menu": Sight(TRIUNE, "/", ("text=More", "#sheet .content")),
    "hidden": Sight("magnet", "/", (say("Show {player}’s pieces", player=say("Red")), ".arrange")),
    "correcting": Sight(TRIUNE, "/", ("text=More", "text=Correct the position", ".palette")),
    "in words": Sight(TRIUNE, "/", ("text=More", "text=The board in words", "#sheet dl")),
    "offered": Sight(TRIUNE, "/", ("text=More", OFFER, "text=Accept draw")),
    "resigning": Sight(TRIUNE, "/", ("text=More", RESIGN, "#sheet .danger")),
    "ruling": Sight(TRIUNE, "/", ("text=More", "text=Rule the result", RED_WINS)),
    "signing in": Sight(TRIUNE, "/", ("text=More", "text=Enter the arbiter’s PIN", "#sheet input"), "4711"),
    "hint": Sight("queens +a1", "/", ("text=Hint", ".advice")),
    "over": Sight(MATE, "/", (WHITE_WINS,)),
    "table": Sight(TRIUNE, "/table", ("#tabletop [data-drawn]",)),
    "records": Sight(TRIUNE, "/records", ("#list a",)),
    "pictures": Sight(TRIUNE, "/records", ("text=Pictures…", "#sheet .danger")),
    "replay": Sight(TRIUNE, "/records", ("#list a", "#replay .said")),
    "commenting": Sight(TRIUNE, "/records", ("#list a", "text=Comment", "#sheet textarea")),
    "saving": Sight(MATE, "/records", ("#list a", "text=Save as…", "text=PGN")),
    "mending": Sight(
        TRIUNE, "/records", ("#list a", "text=More…", "text=Correct the record…", "#sheet input")
    ),
    "how to play": Sight("", "/how-to-play/teleporters", (".topic",)),
    "learning in play": Sight(TRIUNE, "/", ("text=More", "#sheet >> text=How to play", "#sheet .topic")),
    "seat": Sight(TRIUNE, "/seat", ("#words",)),
    "setting up": Sight("", "/setup", ("text=Find the board",)),
    "found": Sight("", "/setup", FIND),
    "naming": Sight("", "/setup", (*LEARN, "text=Keep it")),
    "profiles": Sight(
        "", "/setup", (*LEARN, "text=Keep it", "text=Set up another game", "#profiles", ".profile")
    ),
    "grid": Sight("", "/setup/grid", (".spot >> nth=60",)),
    "lamps": Sight("", "/setup/grid", (*MEASURE, "text=No, they have another colour")),
    "walking": Sight("", "/setup/grid", (*MEASURE, "text=Leave the lamps out", ".spot.asked")),
    "sheet": Sight(
        "", "/setup/grid", (*MEASURE, "text=Leave the lamps out", "text=End the walk here", "dl.facts")
    ),
    "nowhere": Sight("", "/nowhere", ("text=There is no such page here.",)),
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


@contextmanager
def standing(table: Table, folder: Path, sight: Sight) -> Iterator[str]:
    """A server with what the page is about: a camera, a grid, a virtual table."""
    newest: Any = None
    sources = {"/setup/grid": ("serial:virtual",), "/table": ("virtual",)}.get(sight.path, ())
    with Runtime(table, sources, folder, Random(1)) as runtime:
        services = Services()
        if runtime.virtual:
            services = Services(newest_frame=runtime.newest, virtual_table=runtime.virtual)
        if sight.path == "/setup":
            game = read_game("triune")
            virtual = VirtualTable(game.board, Random(5))
            newest = Still(virtual.picture(dict(game.rules.look(game.start()))))
            setup = CameraSetup(lambda: newest, folder, lambda: None)
            services = Services(newest_frame=lambda: newest, camera_setup=setup)
        if runtime.grid:
            services = Services(grid_setup=GridSetup(runtime.grid, folder / "grid.json"))
        settings = Settings(port=0, streams=8, pin=sight.pin)
        services = replace(services, store=open_store(folder / "games.db"))
        with serving(create_app(table, settings, services)) as (host, port):
            yield f"http://{host}:{port}"


def walk(page: Any, sight: Sight, language: str = "en") -> None:
    """Taps its way to what is to be seen, on a page in some language."""
    *steps, last = (selector(step, language) for step in sight.steps)
    for step in steps:
        found = page.locator(step).first
        if step == "#sheet input":
            found.fill("a1-a5")
            found.press("Enter")
        else:
            found.tap(force=".hit" in step, timeout=60_000)  # neighbours' circles lie over a hit
    expect(page.locator(last).first).to_be_visible(timeout=60_000)


def selector(step: str, language: str) -> str:
    """Returns the selector of a step in some language."""
    if isinstance(step, Message):
        return f"text={translated(step, language)}"
    within, by_text, words = step.partition("text=")
    return f"{within}{by_text}{translated(say(words), language)}" if by_text else step


@pytest.mark.parametrize("name", PAGES)
def test_nothing_serious(browser: Any, table: Table, tmp_path: Path, axe: str, name: str) -> None:
    sight = PAGES[name]
    if sight.game:
        assert table.ask(NewGame(sight.game)).ok
    with standing(table, tmp_path, sight) as address:
        page = visit(browser, f"{address}{sight.path}")
        walk(page, sight)
        page.evaluate(axe)
        for size, scheme in product(WIDTHS, ("light", "dark")):
            width, height = SIZES[size]
            page.set_viewport_size({"width": width, "height": height})
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            assert page.evaluate(FOUND) == [], (size, scheme)
        page.context.close()


@pytest.mark.parametrize(
    ("name", "language"), [("choosing", "es"), ("playing", "de"), ("how to play", "fr"), ("records", "de")]
)
def test_nothing_serious_in_other_languages(
    browser: Any, table: Table, tmp_path: Path, axe: str, name: str, language: str
) -> None:
    sight = PAGES[name]
    if sight.game:
        assert table.ask(NewGame(sight.game)).ok
    with standing(table, tmp_path, sight) as address:
        page = visit(browser, f"{address}{sight.path}", "phone", locale=language, reduced_motion="reduce")
        walk(page, sight, language)
        page.evaluate(axe)
        assert page.locator("html").get_attribute("lang") == language
        assert page.evaluate(FOUND) == []
        page.context.close()


def test_no_page_is_forgotten(home: Client) -> None:
    rules = [rule for rule in home.http.application.url_map.iter_rules() if "GET" in (rule.methods or ())]
    paths = [rule.rule for rule in rules if not rule.arguments and not rule.rule.startswith("/api/")]
    pages = {path for path in paths if home.get(path).mimetype == "text/html"}
    # Pages of one thing each, as a game's tutorial, have a part in their address that only a sight knows.
    plain = {rule.rule for rule in rules}
    assert pages == {sight.path for sight in PAGES.values() if sight.path in plain}
