"""Every sight of the page: what is on the table, where it is, and how fingers get there, in any language."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from web_clients import LITTLE_THOUGHT, serving
from web_pages import expect, visit

from benchmarks.simulation.direct_thinker import DirectThinker
from companion.core.game import Place
from companion.games.text import read_game
from companion.language import Message, say, translated
from companion.record.opponents import COMPANION, ELSEWHERE
from companion.record.task import TASK
from companion.table.messages import CloseGame, NewGame, Propose, SightingArrived, Submit
from companion.table.table import Table
from firmware_bridge.eboards.eboard import OTHER_BOARD
from firmware_bridge.setup.grid_setup import GridSetup
from hardware.plugged_in import NO_ANSWER, PluggedSource
from tests.companion.sensor import Sensor
from tests.stores import open_store
from vision.sources.source import CameraFrame
from vision.sources.virtual import VirtualTable
from web import Services, Settings, create_app
from web.runtime.camera_setup import CameraSetup
from web.runtime.look_back import LookBacks
from web.runtime.other_table import OtherTable
from web.runtime.runtime import Runtime

Step = str | Message | Callable[[Any], object]
"""What is tapped, by its selector or by its words in English, whole as catalogues have them; or a deed."""


@dataclass(frozen=True)
class Sight:
    """A page as people see it: what is on the table, its path, and the steps; the last is only waited for."""

    game: str
    path: str
    steps: tuple[Step, ...]
    pin: str | None = None
    """The arbiter's PIN of a server that is open to the network; without one it is not."""
    head: Mapping[str, str] = field(default_factory=dict)
    prepare: Callable[[Table], object] = lambda table: None


def write(selector: str, words: str) -> Step:
    """Returns the step of writing words into a field, and sending them."""

    def written(page: Any) -> None:
        found = page.locator(selector).first
        found.fill(words)
        found.press("Enter")

    return written


def guess(pin: str, times: int) -> Step:
    """Returns the step of entering a wrong PIN so many times."""

    def guessed(page: Any) -> None:
        for _ in range(times):
            page.fill("#sheet input", pin)
            with page.expect_response("**/session/pin"):
                page.locator("#sheet form button").tap()

    return guessed


def press(key: str) -> Step:
    """Returns the step of pressing a key."""
    return lambda page: page.keyboard.press(key)


def lose_connection(page: Any) -> None:
    page.route("**/api/v1/events", lambda route: route.abort())
    page.evaluate("dispatchEvent(new Event('online'))")  # opens the stream anew, in vain


def moved(*moves: tuple[Place, Place]) -> Callable[[Table], object]:
    """Returns how hands move pieces before a sensor that saw the game until now."""

    def see(table: Table) -> None:
        session = table.snapshot.session
        assert session
        sensor = Sensor(session.game)
        sensor.looks = dict(session.rules.look(session.position))
        for seconds in (1, 3):
            for _ in range(round(seconds / sensor.step)):
                assert table.ask(SightingArrived(sensor.sight())).ok
            if seconds == 1:
                for start, end in moves:
                    sensor.move(start, end)

    return see


def announced(action: str) -> Callable[[Table], object]:
    """Returns how the companion plays an action of a game that a sensor sees."""

    def announce(table: Table) -> None:
        moved()(table)
        session = table.snapshot.session
        assert session
        assert table.ask(Submit(action, session.position.to_act, COMPANION)).ok

    return announce


def played(action: str) -> Callable[[Table], object]:
    """Returns how an action is entered."""
    return lambda table: table.ask(Submit(action))


PAIRING_HEAD = {
    "red": "Alexandra Morgenstern Lindqvist", "blue": "Bartholomäus von der Wetterau",
    "event": "Open of Bern", "round": "3", "clock": "40/90,30+30",
}  # fmt: skip
LONG_NAME = {"red": " ".join([PAIRING_HEAD["red"], PAIRING_HEAD["red"]])}


def propose(table: Table) -> None:
    """Lets a round have a game for this board."""
    assert table.ask(Propose("triune", PAIRING_HEAD)).ok


TRIUNE = "triune a2-a3 b7~"
MATE = "chess e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7"
FOOLS_MATE = "chess f2f3 e7e5 g2g4 d8h4"
PROMOTION = "chess a2a4 b7b5 a4b5 a7a6 b5a6 b8c6 a6a7 c6b8"
NO_KING = "8/8/8/8/8/8/4P3/4K3 w - - 0 1"
OFFER = say("{player} offers a draw", player=say("Blue"))
RESIGN = say("{player} resigns", player=say("Red"))
RED_WINS, WHITE_WINS = (say("{player} wins", player=say(player)) for player in ("Red", "White"))
MENU = "text=More"
OWN_BOARD = "text=Play on my own board"
ENTER_PIN = (MENU, "text=Enter the arbiter’s PIN")
MAKE_TOKEN = (MENU, "#sheet >> text=Connect an app", write("[name=program]", "Club display"))
FIND = ("text=Find the board", "text=The corners are right")
LEARN = (*FIND, "text=Leave this out", "text=Learn how it looks")
MEASURE = ("text=Commission the grid", "text=The board is empty: measure it")
FOUND = [
    PluggedSource("chessnut", say("a Chessnut board ({device})", device="/dev/hidraw3"), OTHER_BOARD),
    PluggedSource("serial:/dev/ttyACM0", say("a sensor grid ({device})", device="/dev/ttyACM0")),
    PluggedSource("", "/dev/ttyUSB0", NO_ANSWER),
]
"""What is plugged in."""
SIGHTS = {
    "choosing": Sight("", "/", (".games",)),
    "options": Sight("", "/", ("[data-game=triune]", "#choices")),
    "own clock": Sight("", "/", ("[data-game=triune]", "text=Other…", ".own-clock")),
    "wrong position": Sight("", "/", ("[data-game=chess]", write("[name=fen]", NO_KING), "#wrong-text")),
    "paired": Sight("", "/", (".proposal",), prepare=propose),
    "paired next": Sight(MATE, "/", ("#news .proposal",), prepare=propose),
    "playing": Sight(TRIUNE, "/", (".turn .name",)),
    "cut off": Sight(TRIUNE, "/", (".turn .name", lose_connection, "#lost"), prepare=moved()),
    "chosen": Sight(TRIUNE, "/", ("[data-place=b2].hit", ".mark.target")),
    "promoting": Sight(PROMOTION, "/", ("[data-place=a7].hit", "[data-place=b8].hit", ".choose")),
    "asked": Sight(PROMOTION, "/", (".question",), prepare=moved(("a7", "b8"))),
    "refused": Sight(TRIUNE, "/", (MENU, "text=Write an action", write("#sheet input", "a1-a5"), ".verdict")),
    "put right": Sight(TRIUNE, "/", (".verdict",), prepare=moved(("c2", "c5"), ("f7", "e4"), ("a3", "h4"))),
    "announced": Sight(
        "triune a2-a3", "/", (".verdict.announced",), head={COMPANION: "blue=3"}, prepare=announced("b7-b6")
    ),
    "handing over": Sight(TRIUNE, "/", (MENU, "#sheet >> text=Who plays?", "#sheet select")),
    "puzzle": Sight(
        "triune a2-a3", "/", (".puzzle", "text=Hint", ".advice"), head={TASK: "1f3a90c2 1 b7-b6"}
    ),
    "puzzle solved": Sight(
        "triune a2-a3", "/", (".puzzle button",), head={TASK: "1f3a90c2 1 b7-b6"}, prepare=played("b7-b6")
    ),
    "looked back": Sight(FOOLS_MATE, "/records", ("#list a", "text=Look back", ".points button")),
    "another table": Sight("", "/", ("text=Play with another table", "#sheet form")),
    "inviting": Sight("triune", "/", ("text=Show a code", ".other-table .code"), head={ELSEWHERE: "blue"}),
    "clocks": Sight(TRIUNE, "/", (".clock b",), head={"clock": "10+5"}),
    "clock": Sight(TRIUNE, "/", (MENU, "#sheet >> text=Clock", ".clock-tools"), head={"clock": "10+3x30"}),
    "looking back": Sight(TRIUNE, "/", (".turn .name", press("ArrowLeft"), "#looking")),
    "menu": Sight(TRIUNE, "/", (MENU, "#sheet .content")),
    "settings": Sight(TRIUNE, "/", (MENU, "text=Language, sound and colours", "#sheet fieldset")),
    "copying": Sight(MATE, "/", (MENU, "text=Copy the position or the game", "#sheet textarea")),
    "not joining": Sight(TRIUNE, "/", (MENU, "text=Join with a phone", "#sheet code")),
    "joining": Sight(
        TRIUNE,
        "/",
        (*ENTER_PIN, write("#sheet input", "4711"), MENU, "text=Join with a phone", "#sheet .seats"),
        "4711",
    ),
    "programs": Sight(TRIUNE, "/", (*MAKE_TOKEN, "text=Done", ".programs")),
    "token": Sight(TRIUNE, "/", (*MAKE_TOKEN, "#sheet textarea")),
    "revoked": Sight(
        TRIUNE,
        "/",
        (
            *MAKE_TOKEN,
            "text=Done",
            "#sheet >> text=Revoke",
            "#sheet .danger",
            ".content:not(:has(.programs)) form",
        ),
    ),
    "passing on": Sight("magnet setup=random", "/", (say("Pass the tablet to {player}", player=say("Red")),)),
    "hidden": Sight("magnet", "/", (say("Show {player}’s pieces", player=say("Red")), ".arrange")),
    "correcting": Sight(TRIUNE, "/", (MENU, "text=Correct the position", ".palette")),
    "in words": Sight(TRIUNE, "/", (MENU, "text=The board in words", "#sheet dl")),
    "offered": Sight(TRIUNE, "/", (MENU, OFFER, "text=Accept draw")),
    "resigning": Sight(TRIUNE, "/", (MENU, RESIGN, "#sheet .danger")),
    "ruling": Sight(TRIUNE, "/", (MENU, "text=Rule the result", RED_WINS)),
    "signing in": Sight(TRIUNE, "/", (*ENTER_PIN, "#sheet input"), "4711"),
    "wrong PIN": Sight(TRIUNE, "/", (*ENTER_PIN, guess("0000", times=1), "#sheet .wrong"), "4711"),
    "shut out": Sight(TRIUNE, "/", (*ENTER_PIN, guess("0000", times=6), "#sheet .wrong"), "4711"),
    "hint": Sight("queens +a1", "/", ("text=Hint", ".advice")),
    "over": Sight(MATE, "/", (WHITE_WINS,)),
    "table": Sight(TRIUNE, "/table", ("#tabletop [data-drawn]",)),
    "records": Sight(TRIUNE, "/records", ("#list a",), head=LONG_NAME),
    "replay": Sight(TRIUNE, "/records", ("#list a", "#replay .said")),
    "commenting": Sight(TRIUNE, "/records", ("#list a", "text=Comment", "#sheet textarea")),
    "saving": Sight(MATE, "/records", ("#list a", "text=Save as…", "text=PGN")),
    "mending": Sight(
        TRIUNE, "/records", ("#list a", "text=More…", "text=Correct the record…", "#sheet input")
    ),
    "how to play": Sight("", "/how-to-play/teleporters", (".topic",)),
    "learning in play": Sight(TRIUNE, "/", (MENU, "#sheet >> text=How to play", "#sheet .topic")),
    "seat": Sight(TRIUNE, "/seat", ("#words",)),
    "eyes": Sight("", "/", (OWN_BOARD, ".eyes")),
    "no phone": Sight("", "/", (OWN_BOARD, "#sheet >> text=A phone", "#sheet code")),
    "address": Sight("", "/", (OWN_BOARD, "text=A camera in the network", "#sheet form")),
    "boards": Sight("", "/", (OWN_BOARD, "text=A board with sensors", "text=Use this board")),
    "trying": Sight(TRIUNE, "/", (MENU, "text=Test how the board is seen", ".board-test")),
    "phone": Sight("", "/phone", ("#start",)),
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


def walks() -> list[list[str]]:
    """Returns the sights in walks, each on one page: from one sight steps or a new game lead to the next."""
    found: list[list[str]] = []
    for name, sight in sorted(
        SIGHTS.items(), key=lambda named: (not _is_sheet(named[1]), len(named[1].steps))
    ):
        leading = [walk for walk in found if _leads(SIGHTS[walk[-1]], sight)]
        walk = max(leading, key=lambda walk: len(SIGHTS[walk[-1]].steps), default=None)
        found += [] if walk else [[]]
        (walk or found[-1]).append(name)
    games = [walk for walk in found if _is_plain(SIGHTS[walk[0]])]
    return [list(chain(*games)), *(walk for walk in found if walk not in games)]


def _leads(first: Sight, then: Sight) -> bool:
    return _is_same_start(first, then) and (_is_on_the_way(first, then) or _is_sheet(first))


def _is_same_start(first: Sight, then: Sight) -> bool:
    return replace(first, steps=()) == replace(then, steps=())


def _is_plain(sight: Sight) -> bool:
    """Whether a page on which another game was before shows this sight as a new one does."""
    return replace(sight, game="", head={}, steps=()) == Sight("", "/", ())


def _is_on_the_way(first: Sight, then: Sight) -> bool:
    way = first.steps[:-1]
    return then.steps[:-1][: len(way)] == way


def _is_sheet(sight: Sight) -> bool:
    """Whether taps opened a sheet on the first page, and nothing else: what was there is there behind it."""
    *steps, last = sight.steps
    is_tapped = all(isinstance(step, str | Message) for step in steps)
    return sight.path == "/" and is_tapped and isinstance(last, str) and last.startswith("#sheet ")


@contextmanager
def open_sight(browser: Any, table: Table, folder: Path, sight: Sight, language: str) -> Iterator[Any]:
    """Opens a sight in a language, on a small tablet, where nothing moves; the page is closed at the end."""
    _begin(table, sight)
    with _standing(table, folder, sight) as address:
        page = visit(browser, f"{address}{sight.path}", locale=language)
        _take(page, sight.steps, language)
        yield page
        page.context.close()


@contextmanager
def _standing(table: Table, folder: Path, sight: Sight) -> Iterator[str]:
    """A server with what the page is about: a camera, a grid, a virtual table."""
    newest: Any = None
    sources = {"/setup/grid": ("serial:virtual",), "/table": ("virtual",)}.get(sight.path, ())
    with Runtime(table, sources, folder, Random(1), search=lambda *_: FOUND) as runtime:
        services = Services()
        if runtime.virtual:
            services = Services(newest_frame=runtime.newest, virtual_table=runtime.virtual)
        if sight.path == "/setup":
            game = read_game("triune")
            virtual = VirtualTable(game.board, Random(5))
            newest = CameraFrame(0.0, virtual.picture(dict(game.rules.look(game.start()))), 0)
            cameras = {"camera:0": "C920", "phone": "phone"}
            setup = CameraSetup(lambda camera: newest, folder, lambda: None, cameras=lambda: cameras)
            services = Services(newest_frame=lambda camera: newest, camera_setup=setup)
        if runtime.grid:
            services = Services(grid_setup=GridSetup(runtime.grid, folder / "grid.json"))
        host = "127.0.0.1" if sight.pin is None else "0.0.0.0"
        settings = Settings(host=host, port=0, streams=8, pin=sight.pin)
        services = replace(
            services,
            store=open_store(folder / "games.db"),
            phone=runtime.phone,
            look_through=runtime.look_through,
            find_boards=runtime.find_boards,
            board_tests=runtime.tests,
            look_backs=LookBacks(partial(DirectThinker, most=LITTLE_THOUGHT)),
            other_table=OtherTable(table),
        )
        with (
            patch("web.runtime.other_table.LETTERS", "A"),
            serving(create_app(table, settings, services)) as (address, port),
        ):
            yield f"http://{address}:{port}"


def _begin(table: Table, sight: Sight) -> None:
    if sight.game:
        assert table.ask(NewGame(sight.game, sight.head)).ok
    sight.prepare(table)


def go_on(page: Any, table: Table, before: Sight, sight: Sight, language: str) -> None:
    """Takes the steps to what is to be seen, from the sight before it in its walk."""
    if _is_same_start(before, sight) and _is_on_the_way(before, sight):
        _take(page, sight.steps[len(before.steps) - 1 :], language)
        return
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    if not (_is_same_start(before, sight) and _is_sheet(before)):
        _clear(page, table, before)
        _begin(table, sight)
    _take(page, sight.steps, language)


def _clear(page: Any, table: Table, before: Sight) -> None:
    """Takes the game off the table, and waits until the page shows nothing of it."""
    if before.game:
        assert table.ask(CloseGame()).ok
    else:
        page.reload()
    expect(page.locator(".games").first).to_be_visible()


def _take(page: Any, steps: tuple[Step, ...], language: str) -> None:
    *taken, last = steps
    for step in taken:
        if isinstance(step, str | Message):
            selector = _selector(step, language)
            page.locator(selector).first.tap(force=".hit" in selector)
            # neighbours' circles lie over a hit
        else:
            step(page)
    assert isinstance(last, str | Message)
    expect(page.locator(_selector(last, language)).first).to_be_visible()
    page.evaluate("document.fonts.ready.then(() => true)")


def _selector(step: str | Message, language: str) -> str:
    """Returns the selector of what is tapped in some language."""
    if isinstance(step, Message):
        return f"text={translated(step, language)}"
    within, by_text, words = step.partition("text=")
    return f"{within}{by_text}{translated(say(words), language)}" if by_text else step
