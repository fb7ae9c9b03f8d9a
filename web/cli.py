"""`companion run`: the table, and its web page."""

from __future__ import annotations

import os
import sqlite3
import sys
import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import click

from broker_bridge.options import SECTION, board_options, read_hall
from companion.cli.journal import keep_journal
from companion.cli.options import data_option
from companion.config import data_folder, read_settings
from companion.core.game import GameError
from companion.games.text import read_game, replay
from companion.sensing.sources import SourceError, is_sensor
from companion.store.opening import open_to_play
from companion.store.store import Store
from companion.table import messages
from companion.table.desk import Desk
from companion.table.table import Table
from firmware_bridge.sensing.grid_source import PROFILE
from firmware_bridge.setup.grid_setup import GridSetup
from hardware.machine import read_temperature
from hardware.running import announce, own_folder
from hardware.watchdog import Watchdog, answers
from vision.calibration.profile import ProfileError, check_board, load_profile
from vision.sources.phone import NAME as PHONE
from web import Services, Settings, create_app, read_secret
from web.options import chosen_pin, end_by_sigterm, listening, pin_option, show_self_made, tls_options
from web.runtime.camera_setup import CameraSetup
from web.runtime.heap import keep_little
from web.runtime.look_back import LookBacks
from web.runtime.opponent import Hints, OpponentSeats
from web.runtime.other_table import FILE as OTHER_TABLE
from web.runtime.other_table import OtherTable
from web.runtime.puzzles import FILE as PUZZLES
from web.runtime.puzzles import IdleLooks, OwnPuzzles
from web.runtime.runtime import VIRTUAL, Runtime
from web.server.access import FILE, Access
from web.server.certificate import SELF, certificate
from web.server.context import Context
from web.server.settings import LOOPBACK, PIN_LENGTH
from web.server.tally import Tally
from web.server.tokens import FILE as TOKENS
from web.server.tokens import Tokens


@click.command()
@click.option(
    "--game", "text", help="game text to begin with; else chosen on the page, or the last game goes on"
)
@click.option(
    "--source",
    "sources",
    multiple=True,
    default=("virtual",),
    show_default=True,
    help="virtual, phone, camera[:N or URL], picamera, video:FILE, folder:DIR, serial:PORT, chessnut, "
    "millennium:PORT, trace:FILE; or none",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="0.0.0.0 opens the page to the network")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True)
@data_option
@click.option(
    "--profile",
    "profiles",
    multiple=True,
    type=click.Path(path_type=Path),
    help="a camera's profile to use for its board; of several cameras one for each, in their order",
)
@click.option("--panel", type=click.Choice(["pi", "mock"]), help="buttons, lamps and buzzer on the Pi's pins")
@tls_options
@pin_option
@board_options
def run(
    text: str | None,
    sources: tuple[str, ...],
    host: str,
    port: int,
    data: Path | None,
    profiles: tuple[Path, ...],
    panel: str | None,
    certified: str | None,
    key: Path | None,
    pin: str | None,
    **hall: Any,
) -> None:
    """The table, and its web page."""
    if text:
        replay(text)
    folder = data_folder(data)
    joined = read_hall(hall, read_settings(folder).get(SECTION, {}))
    keep_journal()
    keep_little()
    os.umask(0o077)  # what a server writes is its owner's alone
    click.get_current_context().with_resource(own_folder(folder))
    pin, where = chosen_pin(pin, host, folder)
    wanted = tuple(s for s in sources if s != "none")
    if PHONE in wanted and host not in LOOPBACK:
        certified = certified or SELF  # browsers give a page their camera over https alone
    with ExitStack() as stack:
        end_by_sigterm(stack)
        store, warning = stack.enter_context(open_to_play(folder / "games.sqlite"))
        desk, tally = Desk(store, warning=warning), Tally(time.monotonic)
        table = stack.enter_context(Table(desk, watch=tally.watch))
        _begin(table, store, text)
        access = Access(time.monotonic, Settings.session_seconds, folder / FILE)
        stack.callback(access.save)
        runtime = _runtime(table, wanted, folder, profiles)
        own_puzzles = OwnPuzzles(folder / PUZZLES)
        hints, look_backs, opponents = Hints(), LookBacks(keep=own_puzzles.keep), OpponentSeats(table)
        other_table = OtherTable(table, folder / OTHER_TABLE)
        stack.callback(hints.stop)
        stack.callback(look_backs.stop)
        settings = Settings(
            host=host,
            port=port,
            pin=pin,
            secret=read_secret(folder),
            certificate=certificate(certified, key, folder) if certified else None,
        )
        services = Services(
            phone=runtime.phone,
            store=stack.enter_context(Store(folder / "games.sqlite")),
            access=access,
            tokens=Tokens(time.time, folder / TOKENS),
            tally=tally,
            hint=hints.ask,
            look_backs=look_backs,
            own_puzzles=own_puzzles,
            other_table=other_table,
            temperature=read_temperature,
        )
        app = create_app(table, settings, services)
        _open_eyes(app.extensions["companion"], runtime, folder)
        server = listening(app, settings)
        stack.enter_context(runtime)
        opponents.start()
        stack.callback(opponents.stop)
        idle_looks = IdleLooks(table, look_backs, app.extensions["companion"].key_of_look_back)
        idle_looks.start()
        stack.callback(idle_looks.stop)
        other_table.start()
        stack.callback(other_table.stop)
        if panel:
            _use_panel(stack, panel, folder, table)
        stack.enter_context(Watchdog(lambda: answers(table)))
        scheme = "https" if settings.https else "http"
        stack.enter_context(announce(folder, f"{scheme}://localhost:{server.port}/"))
        page = settings.address(server.port) if settings.is_open else ""
        if joined:
            from broker_bridge.speaking import speaking  # few tables need it at their start

            stack.enter_context(speaking(joined, table, folder, page))
        _greet(settings, server.port, where)
        server.run()


def _begin(table: Table, store: Store, text: str | None) -> None:
    """Puts the game that is asked for on the table, else the one that was on it; what cannot be gone on with
    stays among the records."""
    try:
        number = store.latest()
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise GameError(
            f"cannot read the games ({error}): see 'companion doctor', or name others with --data"
        ) from error
    if text and not (reply := table.ask(messages.NewGame(text))).ok:
        raise GameError(reply.words)
    if not text and number and not (reply := table.ask(messages.OpenGame(number))).ok:
        click.echo(f"companion: game {number} cannot be gone on with: {reply.words}", err=True)


def _runtime(table: Table, sources: tuple[str, ...], folder: Path, files: tuple[Path, ...]) -> Runtime:
    """Makes the runtime; profiles are given for the cameras in their order, or for the one that comes."""
    profiles = folder / "profiles"
    profiles.mkdir(exist_ok=True)
    try:
        cameras = [text for text in sources if text != VIRTUAL and not is_sensor(text)] or [""]
        if len(files) > len(cameras):
            raise click.UsageError("give --profile once for each camera, in the order of the cameras")
        loaded = [load_profile(file) for file in files]
        for profile in loaded:
            check_board(profile, read_game(profile.game).board)
        given = dict(zip(cameras, loaded, strict=False))
        return Runtime(table, sources, profiles, Random(), folder, given=given)
    except (SourceError, ProfileError) as error:
        raise GameError(str(error)) from error


def _use_panel(stack: ExitStack, kind: str, folder: Path, table: Table) -> None:
    """Opens the panel until the stack closes. Where there are no pins, the game goes on without them."""
    from hardware.panel import PanelError, open_panel, parse_pins  # few tables have one
    from hardware.panel_controller import PanelController

    try:
        pins = parse_pins(read_settings(folder).get("panel", {}))
    except PanelError as error:
        raise GameError(str(error)) from error
    try:
        panel = open_panel(kind, pins)
    except PanelError as error:
        click.echo(f"companion: there is no panel: {error}", err=True)
        return
    stack.enter_context(PanelController(panel, table))


def _open_eyes(page: Context, runtime: Runtime, folder: Path) -> None:
    """Lets the page see through what there is, and exchange and test that."""

    def look_through(text: str) -> None:
        runtime.look_through(text)
        _open_eyes(page, runtime, folder)

    grid, known = runtime.grid, page.services.grid_setup
    if grid and (known is None or known.source is not grid):
        known = GridSetup(grid, folder / PROFILE)
    is_real = bool(runtime.cameras) and runtime.virtual is None  # a virtual one is calibrated by itself
    setup = CameraSetup(
        runtime.newest,
        folder / "profiles",
        runtime.learned,
        adjust=runtime.adjust,
        table=lambda: runtime.table.snapshot,
        cameras=runtime.profile_names,
    )
    page.services = replace(
        page.services,
        virtual_table=runtime.virtual,
        newest_frame=runtime.newest if runtime.cameras else None,
        view=runtime.view if runtime.cameras else None,
        camera_setup=setup if is_real else None,
        look_through=look_through,
        find_boards=runtime.find_boards,
        board_tests=runtime.tests,
        grid_setup=known if grid else None,
    )


def _greet(settings: Settings, port: int, where: str) -> None:
    """Says where the page is, and who may act on it.

    `where` says where the PIN stands: what is printed may go into a journal, which more people may read.
    """
    click.echo(f"Board Companion: open {settings.address(port)}")
    show_self_made(settings)
    if settings.is_open:
        click.echo("The page is open to everybody on this network; looking is free.")
        click.echo(f"To act, take a seat with the arbiter's PIN: {_show_pin(settings.pin, where)}")
        if len(settings.pin or "") < PIN_LENGTH:
            click.echo(f"This PIN is short and can be guessed: take {PIN_LENGTH} letters or digits, or more.")


def _show_pin(pin: str | None, where: str) -> str:
    return str(pin) if sys.stdout.isatty() else f"{where}."
