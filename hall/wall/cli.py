"""`companion hall wall`: all boards on one page, and the arbiter's desk."""

from __future__ import annotations

import os
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import click

from broker_bridge.address import Broker
from broker_bridge.connection import link_to
from broker_bridge.rights import WALL
from companion.cli.journal import keep_journal
from companion.cli.options import data_option
from companion.record.timekeeping import choose_steady_time
from hall.boards import hall_folder
from hall.broker.own import own_broker
from hall.options import broker_options
from hall.wall.app import create_wall
from hall.wall.board_addresses import FILE as BOARDS
from hall.wall.board_addresses import BoardAddresses
from hall.wall.board_calls import BoardCalls
from hall.wall.context import NEEDS_ARBITER_AFTER_S, WallContext
from hall.wall.journal import FILE as JOURNAL
from hall.wall.journal import Journal
from hall.wall.lookout import Lookout, membership
from web.options import chosen_pin, end_by_sigterm, listening, pin_option, show_self_made, tls_options
from web.server.access import FILE as ACCESS
from web.server.access import Access
from web.server.certificate import certificate
from web.server.server import Server
from web.server.settings import Settings, read_secret


@click.command()
@broker_options
@click.option("--host", default="127.0.0.1", show_default=True, help="0.0.0.0 opens the wall to the network")
@click.option("--port", type=click.IntRange(0, 65535), default=8100, show_default=True)
@data_option
@pin_option
@tls_options
@click.option(
    "--patience",
    type=click.FloatRange(0, 3600),
    default=NEEDS_ARBITER_AFTER_S,
    show_default=True,
    help="the seconds after which a refusal or a question needs the arbiter",
)
def wall(
    broker: Broker | None,
    host: str,
    port: int,
    data: Path | None,
    pin: str | None,
    certified: str | None,
    key: Path | None,
    patience: float,
) -> None:
    """All boards of a hall on one page, and the arbiter's desk.

    Without --broker it is the hall of this machine.
    """
    folder = hall_folder(data)
    named = broker or own_broker(folder, WALL)
    keep_journal()
    os.umask(0o077)  # what a server writes is its owner's alone
    pin, where = chosen_pin(pin, host, folder)
    settings = Settings(
        host=host,
        port=port,
        pin=pin,
        secret=read_secret(folder),
        certificate=certificate(certified, key, folder) if certified else None,
    )
    with ExitStack() as stack:
        end_by_sigterm(stack)
        server = open_wall(stack, named, settings, folder, patience)
        greet(settings, server.port, where)
        server.run()


def open_wall(
    stack: ExitStack,
    broker: Broker,
    settings: Settings,
    folder: Path,
    patience: float = NEEDS_ARBITER_AFTER_S,
) -> Server:
    """Opens a wall on what a broker tells, until the stack closes; returns its server, which does not run
    yet. `folder` holds the hall's files."""
    access = Access(time.monotonic, Settings.session_seconds, folder / ACCESS)
    stack.callback(access.save)
    journal, addresses = Journal(folder / JOURNAL), BoardAddresses(folder / BOARDS)
    now = choose_steady_time(time.time)
    lookout = stack.enter_context(Lookout(link_to(broker, membership()), now))
    shared = WallContext(
        settings,
        lookout,
        journal,
        addresses,
        BoardCalls(),
        now,
        access,
        patience,
    )
    return listening(create_wall(shared), settings)


def greet(settings: Settings, port: int, where: str) -> None:
    """Says where the wall is, and who may rule. A PIN that was made up is shown to a terminal alone."""
    address = settings.address(port)
    click.echo(f"The wall: open {address}")
    click.echo(f"The arbiter's desk: {address}desk")
    show_self_made(settings)
    if settings.is_open:
        pin = settings.pin if sys.stdout.isatty() else f"{where}."
        click.echo("Everybody on this network may look. Ruling needs the arbiter's PIN: " + str(pin))
