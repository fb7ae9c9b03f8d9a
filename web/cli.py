"""`companion run`: the table, and its web page."""

from __future__ import annotations

import logging
import secrets
from contextlib import ExitStack
from pathlib import Path
from random import Random

import click

from companion import messages
from companion.config import data_folder, read_settings
from companion.core import GameError
from companion.desk import Desk
from companion.sources import SourceError
from companion.store import Store
from companion.table import Table
from companion.text import read_game, replay
from companion.witness import Witness
from firmware_bridge.bench import GridBench
from firmware_bridge.eye import PROFILE
from hardware.attendant import Attendant
from hardware.panel import Panel, PanelError, open_panel, parse_pins
from hardware.watchdog import Watchdog, answers
from vision.calibration.profile import ProfileError, check_board, load_profile
from web import Config, create_app, read_secret
from web.certificate import certificate
from web.config import LOOPBACK
from web.here import host_names, outward_address
from web.serve import Server
from web.station import Station
from web.workbench import Workbench


@click.command()
@click.option("--game", "text",
              help="game text to begin with; else chosen on the page, or the last game goes on")
@click.option("--source", "sources", multiple=True, default=("virtual",), show_default=True,
              help="virtual, camera[:N], picamera, video:FILE, folder:DIR, serial:PORT, trace:FILE; or none")
@click.option("--host", default="127.0.0.1", show_default=True, help="0.0.0.0 opens the page to the network")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True)
@click.option("--data", type=click.Path(path_type=Path), help="the folder of games and profiles")
@click.option("--profile", type=click.Path(path_type=Path), help="a camera's profile to use for its board")
@click.option("--panel", type=click.Choice(["pi", "mock"]), help="buttons, lamps and buzzer on the Pi's pins")
@click.option("--tls", "certified",
              help="serves by HTTPS: a certificate's file (PEM), or 'self' for one made by this machine")
@click.option("--tls-key", "key", type=click.Path(path_type=Path),
              help="the certificate's key, where it is in a file of its own")
@click.option("--pin", envvar="COMPANION_PIN", help="the arbiter's PIN; made up when open to the network")
def run(
    text: str | None, sources: tuple[str, ...], host: str, port: int, data: Path | None,
    profile: Path | None, panel: str | None, certified: str | None, key: Path | None, pin: str | None,
) -> None:
    """The table, and its web page."""
    if text:
        replay(text)
    folder = data_folder(data)
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    if pin is None and host not in LOOPBACK:
        pin = f"{secrets.randbelow(10**6):06d}"
    wanted = tuple(s for s in sources if s != "none")
    with ExitStack() as stack:
        store = Store(folder / "games.sqlite")
        table = stack.enter_context(Table(Desk(store), Witness(store.pictures)))
        _begin(table, store, text)
        station = _station(table, wanted, folder, profile)
        config = Config(
            host=host, port=port, pin=pin, secret=read_secret(folder), fingers=station.virtual,
            newest=station.newest if station.cameras else None, bench=_bench(station, folder),
            grid=_grid_bench(station, folder),
            store=Store(folder / "games.sqlite"),
            certificate=certificate(certified, key, folder) if certified else None,
        )
        server = _server(config, table)
        stack.enter_context(station)
        if panel:
            stack.enter_context(Attendant(_panel(panel, folder), table))
        stack.enter_context(Watchdog(lambda: answers(table)))
        _greet(config, server.port)
        server.run()


def _begin(table: Table, store: Store, text: str | None) -> None:
    """Puts the game that is asked for on the table, else the one that was on it; what cannot be gone on with
    stays among the records."""
    number = store.latest()
    if text and not (reply := table.ask(messages.NewGame(text))).ok:
        raise GameError(reply.words)
    if not text and number and not (reply := table.ask(messages.OpenGame(number))).ok:
        click.echo(f"companion: game {number} cannot be gone on with: {reply.words}", err=True)


def _station(table: Table, sources: tuple[str, ...], folder: Path, profile: Path | None) -> Station:
    profiles = folder / "profiles"
    profiles.mkdir(exist_ok=True)
    try:
        if profile:
            loaded = load_profile(profile)
            check_board(loaded, read_game(loaded.game).board)
            loaded.save(profiles / f"{loaded.board}.json")
        return Station(table, sources, profiles, Random(), folder)
    except (SourceError, ProfileError) as error:
        raise GameError(str(error)) from error


def _panel(kind: str, folder: Path) -> Panel:
    try:
        return open_panel(kind, parse_pins(read_settings(folder).get("panel", {})))
    except PanelError as error:
        raise GameError(str(error)) from error


def _bench(station: Station, folder: Path) -> Workbench | None:
    """A workbench for a real camera; the virtual one is calibrated by itself."""
    real = station.cameras and not station.virtual
    return Workbench(station.newest, folder / "profiles", station.learned) if real else None


def _grid_bench(station: Station, folder: Path) -> GridBench | None:
    return GridBench(station.grid, folder / PROFILE) if station.grid else None


def _server(config: Config, table: Table) -> Server:
    try:
        return Server(create_app(table, config))
    except OSError as error:
        raise GameError(
            f"cannot listen on {config.host}:{config.port} ({error.strerror}): choose another with --port"
        ) from error


def _called(host: str) -> str:
    """The address to open: that of every interface is none."""
    if host in LOOPBACK:
        return "localhost"
    name = (outward_address() or host_names()[-1]) if host in ("0.0.0.0", "::") else host  # noqa: S104
    return f"[{name}]" if ":" in name else name


def _greet(config: Config, port: int) -> None:
    scheme = "https" if config.https else "http"
    click.echo(f"Board Companion: open {scheme}://{_called(config.host)}:{port}/")
    if config.certificate and config.certificate.is_self_made:
        click.echo("The certificate is self-made: the browser warns once. Its SHA-256 fingerprint is")
        click.echo(config.certificate.fingerprint)
    if config.is_open:
        click.echo("The page is open to everybody on this network; looking is free.")
        click.echo(f"To act, take a seat with the arbiter's PIN: {config.pin}")
