"""Takes the pictures of docs/pictures/pages: each page of each game, on four sizes of screen, light and dark.

    python -m benchmarks pictures [WORD…] [to=FOLDER]

Takes those whose name holds every word; all without one. Needs Chromium.
"""

from __future__ import annotations

import io
import shutil
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from PIL import Image
from playwright.sync_api import TimeoutError as PlaywrightTimeout
from playwright.sync_api import sync_playwright

from benchmarks.simulation.direct_thinker import DirectThinker
from benchmarks.simulation.senses import Senses
from companion import games
from companion.core.board import load_board
from companion.core.game import Look
from companion.games.text import read_game
from companion.record.opponents import COMPANION
from companion.record.task import TASK, make_task
from companion.sensing.observation import Sighting
from companion.store.store import Store
from companion.table.desk import Desk
from companion.table.messages import NewGame, SightingArrived, Submit
from companion.table.table import Table
from firmware_bridge.sensing.grid_source import VirtualGridSource
from firmware_bridge.sensing.virtual import SteppedClock
from firmware_bridge.sensing.virtual_faults import parse_faults
from firmware_bridge.setup.commissioning import CommissioningStage
from firmware_bridge.setup.grid_setup import GridSetup
from firmware_bridge.setup.simulated_builder import SimulatedBuilder
from vision.sources.phone import PhoneCamera
from vision.sources.source import CameraFrame
from vision.sources.virtual import VirtualTable
from web import Services, Settings, create_app
from web.runtime.camera_setup import CameraSetup
from web.runtime.look_back import LookBacks
from web.runtime.runtime import Runtime
from web.server.server import Server

ROOT = Path(__file__).resolve().parents[1]
GAMES = ROOT / "tests" / "web" / "games"
OUT = ROOT / "docs" / "pictures" / "pages"
SIZES = ((800, 480), (1280, 800), (390, 844), (1920, 1080))
SCHEMES = ("light", "dark")
WIDEST = 720
"""Pixels: larger pictures are kept smaller."""
QUALITY = 10
SEED = 6
SETTLED = 250
"""Milliseconds until a page of a new size has come to rest."""
TENTHS = count()
"""The clock of the simulated camera, in tenths of a second."""


@dataclass(frozen=True)
class PageScene:
    """A page to be seen: what is on the table, where it is, what is tapped, and what must then be there."""

    name: str
    text: str = ""
    path: str = "/"
    taps: tuple[str, ...] = ()
    shows: str = "body"
    prepare: Callable[[Table], object] = lambda table: None
    head: Mapping[str, str] = field(default_factory=dict)
    pin: str | None = None
    walked: int | None = None
    """How many sites of a grid were walked by its commissioning; None where there is none."""
    is_virtual: bool = False
    """True while the virtual table stands in the place of the diagram."""


MORE = "text=More"
VIRTUAL = "body:has(#sources .ok) #tabletop [data-drawn]"


def scenes() -> Iterator[PageScene]:
    """Yields every page, then the pages of every game."""
    yield from (choosing(), *around(), *waiting())
    for name in games.installed():
        half, whole = played(name, 0.55), played(name, 1.0)
        yield PageScene(f"{name}-options", taps=(f"[data-game={name}]",), shows="#choices")
        yield PageScene(f"{name}-playing", half, shows="#moves .move >> nth=-1")
        yield PageScene(f"{name}-refused", half, shows=".verdict li", prepare=move_wrongly)
        yield PageScene(f"{name}-over", whole, shows="[data-state=over] .name")


def choosing() -> PageScene:
    return PageScene("choosing", shows=".games img")


def around() -> Iterator[PageScene]:
    """Yields the pages beside the game itself."""
    yield PageScene("records", "triune a2-a3 b7~", "/records", shows="#list a")
    yield PageScene("replay", played("triune", 0.6), "/records", ("#list a",), "#replay .said")
    mated = "chess e2e4 e7e5 g1f3 b8c6 f1c4 c6d4 f3e5 d8g5 e5f7 g5g2 h1f1 g2e4 c4e2 d4f3"
    yield PageScene(
        "looked-back", mated, "/records", ("#list a", "text=Look back", ".points button >> nth=-1"), ".points"
    )
    text = "draughts b6-c5 e3-d4 c5xe3 d2xf4 d6-c5 c3-d4 c5xe3 f2xd4 f6-e5 d4xf6 e7xg5xe3 g3-f4 c7-d6 e1-f2"
    task = {TASK: make_task(text, ("g7-f6",)).write()}
    yield PageScene("puzzle", text, "/", ("text=Hint",), ".advice", head=task)
    yield PageScene("against", taps=("[data-game=chess]",), shows="#players select")
    yield PageScene("eyes", taps=("text=Play on my own board",), shows="text=A camera in the network")
    tried = (MORE, "text=Test how the board is seen")
    yield PageScene("trying", "chess", "/", tried, ".board-test [data-stage=ready]", is_virtual=True)
    yield PageScene("setting-up", "", "/setup", ("text=Find the board",), "text=The board is found")
    learn = tuple(map(ready, ("Find the board", "The corners are right", "Leave this out", "Learn how")))
    yield PageScene("setting-up-named", "", "/setup", learn, "text=places are read right")
    kept = (*learn, ready("Keep it"), "h2:has-text('name') ~ p:has-text('Kept')", "#profiles")
    yield PageScene("setting-up-profiles", "", "/setup", kept, ".profile")
    yield PageScene("grid", "", "/setup/grid", (ready("It is empty"),), "text=sensors are good")
    go_on = (ready("Go on where it was"),)
    yield PageScene("commissioning", "", "/setup/grid", go_on, ".spot.asked", walked=30)
    yield PageScene("commissioned", "", "/setup/grid", go_on, "dl.facts", walked=64)
    yield PageScene("nowhere", "", "/nowhere", shows="text=There is no such page")
    yield PageScene("virtual", "triune a2-a3 b7~", shows=VIRTUAL, is_virtual=True)
    yield PageScene("seat", "triune", "/seat#code", shows="#take")
    yield PageScene("spectator", "triune a2-a3", pin="4711", shows=".turn .name")
    yield PageScene("menu", "triune a2-a3", taps=(MORE,), shows="#sheet .content")
    yield PageScene("pin", "triune", "/", (MORE, "text=Enter the arbiter’s PIN"), "#sheet input", pin="4711")
    yield PageScene("words", "triune a2-a3", "/", (MORE, "text=The board in words"), "#sheet dl")
    yield PageScene("correction", "triune a2-a3", "/", (MORE, "text=Correct the position"), ".palette")
    yield PageScene("resigning", "triune a2-a3", "/", (MORE, "text=Blue resigns"), "#sheet .danger")
    yield PageScene("draw", "triune a2-a3", "/", (MORE, "text=Blue offers a draw"), "text=Accept draw")


def ready(words: str) -> str:
    """Returns a button that can be pressed."""
    return f"button:enabled:has-text('{words}')"


def waiting() -> Iterator[PageScene]:
    """Yields a game that waits for somebody."""
    at_c7 = "chess e2e4 d7d5 e4d5 g8f6 d5d6 f6g8 d6c7 g8f6"
    yield PageScene("promotion", at_c7, "/", ("[data-place=c7].hit", "[data-place=d8].hit"), ".choose")
    piece = "[aria-label^='Piece of value 4']"
    yield PageScene("set-up", "magnet", "/", ("text=Show Red’s pieces", piece), ".arrange")
    yield PageScene("pass-on", "magnet setup=random", shows="text=Pass the tablet")
    yield PageScene("hint", "queens +a1 +b5 +c8 +d6 +f3", "/", ("text=Hint", "text=Show how"), ".advice p")
    yield PageScene("out-of-turn", "triune a2-a3", shows=".verdict.turn", prepare=partial(move, "c2", "c3"))
    yield PageScene("put-right", "triune a2-a3", shows=".verdict", prepare=scatter)
    at_a7 = "chess a2a4 b7b5 a4b5 a7a6 b5a6 b8c6 a6a7 c6b8"
    yield PageScene("question", at_a7, shows=".question", prepare=partial(move, "a7", "b8"))
    announced = partial(announce, "g8f6")
    yield PageScene("announced", "chess e2e4", shows=".verdict.announced", prepare=announced)
    yield PageScene("clock", "triune a2-a3 b7~", shows=".clock b", head={"clock": "10+5", "red": "Ann"})


def announce(action: str, table: Table) -> None:
    """The companion plays an action, in a game that a sensor sees."""
    session = table.snapshot.session
    assert session
    _see(table, dict(session.rules.look(session.position)))
    table.ask(Submit(action, session.position.to_act, COMPANION))


def played(name: str, share: float) -> str:
    words = (GAMES / f"{name}.txt").read_text().split()
    return " ".join(words[: max(2, round(len(words) * share))])


def move_wrongly(table: Table) -> None:
    """Hands move a piece as they must not; it stands until the companion says so."""
    rng = Random(SEED)
    for _ in range(200):
        session = table.snapshot.session
        assert session
        rules, position = session.rules, session.position
        looks = dict(rules.look(position))
        sites = session.game.board.sites
        own = sorted(p for p in looks if p in sites and _is_of(looks[p], position.to_act))
        start, end = rng.choice(own), rng.choice([site for site in sites if site not in looks])
        looks[end] = looks.pop(start)
        _see(table, looks)
        verdict = table.snapshot.verdict
        if verdict and verdict.kind == "refused" and verdict.action:
            return
        table.ask(NewGame(session.text))


def _is_of(look: Look, player: str) -> bool:
    return player in (look.split("/")[0], "solver")


def move(start: str, end: str, table: Table) -> None:
    """Hands move what stands on one site to another."""
    session = table.snapshot.session
    assert session
    looks = dict(session.rules.look(session.position))
    looks[end] = looks.pop(start)
    _see(table, looks)


def scatter(table: Table) -> None:
    """Displaces five pieces, as if somebody had bumped into the board."""
    session = table.snapshot.session
    assert session
    looks = dict(session.rules.look(session.position))
    for start, end in (("a3", "c4"), ("b7", "d5"), ("g2", "g5"), ("h7", "f4"), ("e8", "e3")):
        looks[end] = looks.pop(start)
    _see(table, looks)


def _see(table: Table, looks: dict[str, str]) -> None:
    """Lets the camera see the board as it should be, and then as it is."""
    session = table.snapshot.session
    assert session
    senses = Senses(session.game, "colours", Random(0), rate=0.0)
    for shown, times in ((dict(session.rules.look(session.position)), 10), (looks, 25)):
        for _ in range(times):
            now = next(TENTHS) / 10
            table.ask(SightingArrived(Sighting(now, "camera:0", senses.observe(shown, now))))


def main(args: list[str]) -> int:
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        print("pictures need Chromium: './test' says how to install it", file=sys.stderr)
        return 2
    words = [word for word in args if not word.startswith("to=")]
    folders = [Path(word.removeprefix("to=")) for word in args if word.startswith("to=")]
    folder = folders[0] if folders else OUT
    folder.mkdir(parents=True, exist_ok=True)
    came_about = True
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for scene in scenes():
            wanted = [shot for shot in shots(scene) if all(word in shot[2] for word in words)]
            if wanted:
                came_about &= take(browser, scene, wanted, folder)
        browser.close()
    pictures = list(folder.glob("*.webp"))
    size = sum(path.stat().st_size for path in pictures)
    print(f"{len(pictures)} pictures, {size / 1e6:.1f} MB in {folder}")
    return 0 if came_about else 1


Shots = list[tuple[tuple[int, int], str, str]]


def shots(scene: PageScene) -> Shots:
    """Returns each size and scheme of a scene, with its picture's name."""
    both = ((size, scheme) for size in SIZES for scheme in SCHEMES)
    return [(size, scheme, f"{scene.name}-{size[0]}x{size[1]}-{scheme}") for size, scheme in both]


def take(browser: Any, scene: PageScene, wanted: Shots, folder: Path) -> bool:
    """Takes the wanted pictures of a scene; returns whether the scene came about."""
    with laid(scene) as address:
        context = browser.new_context(has_touch=True)
        page = context.new_page()
        page.set_default_timeout(30_000)
        page.goto(f"{address}{scene.path}")
        try:
            for tap in scene.taps:
                page.locator(tap).first.tap(force=True)
            page.locator(scene.shows).first.wait_for()
        except PlaywrightTimeout as error:
            print(f"{scene.name}: {error.message.splitlines()[0]}", file=sys.stderr)
            return False
        for (width, height), scheme, name in wanted:
            page.set_viewport_size({"width": width, "height": height})
            page.emulate_media(color_scheme=scheme)
            page.wait_for_timeout(SETTLED)
            keep(page.screenshot(), folder / f"{name}.webp")
        context.close()
    return True


def keep(picture: bytes, path: Path) -> None:
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    image.thumbnail((WIDEST, image.height), Image.Resampling.LANCZOS)
    image.save(path, "webp", quality=QUALITY, method=6)


@contextmanager
def laid(scene: PageScene) -> Iterator[str]:
    """Serves a table with what the scene shows; gives the address."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        store = folder / "games.sqlite"
        table = stack.enter_context(Table(Desk(stack.enter_context(Store(store)))))
        if scene.text:
            reply = table.ask(NewGame(scene.text, scene.head))
            assert reply.ok, (scene.text, reply)
        scene.prepare(table)
        services = virtual_camera(folder) if scene.path == "/setup" else Services()
        if scene.is_virtual:
            runtime = stack.enter_context(Runtime(table, ("virtual",), folder, Random(SEED)))
            services = Services(
                virtual_table=runtime.virtual,
                newest_frame=runtime.newest,
                view=runtime.view,
                board_tests=runtime.tests,
            )
        if scene.walked is not None:
            services = Services(grid_setup=commissioned_grid(folder, scene.walked))
        elif scene.path == "/setup/grid":
            runtime = stack.enter_context(Runtime(table, ("serial:virtual",), folder, Random(SEED)))
            assert runtime.grid
            services = Services(grid_setup=GridSetup(runtime.grid, folder / "grid.json"))
        settings = Settings(port=0, streams=8, pin=scene.pin)
        services = replace(
            services,
            store=stack.enter_context(Store(store)),
            phone=PhoneCamera(),
            look_through=lambda source: None,
            look_backs=LookBacks(DirectThinker),
        )
        server = Server(create_app(table, settings, services))
        threading.Thread(target=server.run, daemon=True).start()
        stack.callback(server.close)
        yield f"http://127.0.0.1:{server.port}"


def commissioned_grid(folder: Path, walked: int) -> GridSetup:
    """Returns the set-up of a virtual grid with faults, after its commissioning has walked so many sites."""
    clock = SteppedClock()
    faults = parse_faults("virtual?exchanged=a1,b1&turned=c3&dead=d4&weak=e5") or ()
    source = VirtualGridSource(load_board("triune"), None, "serial:virtual", faults, clock)
    setup = GridSetup(source, folder / "grid.json")
    while source.hello is None:
        source.link.step()
    setup.begin()
    hands = SimulatedBuilder(source.device, pieces=(1.0, 0.4))
    is_there = False
    while not is_there:
        with setup.commissioning() as work:
            hands.act(work, clock())
            is_over = work.stage is CommissioningStage.SHEET
            is_there = is_over or walked <= len(work.walk.answers) < len(work.walk.order)
        source.link.step()
    return setup


def virtual_camera(profiles: Path) -> Services:
    """Returns the services of a real camera, with the virtual table's picture in its place."""
    game = read_game("triune")
    virtual = VirtualTable(load_board("triune"), Random(SEED))
    virtual.lay(game.rules, game.start(), game.board)
    shot = CameraFrame(0.0, virtual.picture(dict(game.rules.look(game.start()))), 0)
    return Services(
        newest_frame=lambda camera: shot,
        camera_setup=CameraSetup(lambda camera: shot, profiles, lambda: None),
    )
