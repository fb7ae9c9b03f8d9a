"""`companion hall up`: a hall on the arbiter's machine, of which Mosquitto alone has to be installed.

It starts Mosquitto as its child, unless one runs that knows this hall, and carries archive and wall itself.
"""

from __future__ import annotations

import importlib.util
import logging
import os
import shlex
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

import click

from broker_bridge.address import Broker, BrokerError, read_broker
from broker_bridge.connection import link_to
from broker_bridge.rights import HALL, WALL, user_of
from broker_bridge.visit import Visit, membership
from companion.cli.journal import keep_journal
from companion.cli.options import data_option
from companion.language import say
from hall.archive.archive import Archive
from hall.archive.archiver import Archiver
from hall.archive.archiver import membership_of as membership_of_archive
from hall.archive.database import ARCHIVE, DatabaseError, open_database
from hall.boards import hall_folder, line_of
from hall.broker.mosquitto import BROKER, INSTALL, PASSWORDS, Files, Mosquitto, find_mosquitto, is_free
from hall.broker.own import as_user, recall_broker, remember
from hall.broker.passwords import Passwords
from hall.wall.cli import greet, open_wall
from hardware.machine import outward_address
from web.options import chosen_pin, end_by_sigterm, pin_option
from web.server.certificate import host_names
from web.server.settings import LOOPBACK, Settings, read_secret

log = logging.getLogger(__name__)
PORTS = range(1883, 1893)
"""The ports that are tried for a new hall: a Mosquitto that the system runs may have the first."""
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104
LOOK_S = 1.0
"""Seconds between two looks whether Mosquitto still runs, and whether boards were added."""


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="0.0.0.0 opens the hall to the network")
@click.option("--port", type=click.IntRange(0, 65535), default=8100, show_default=True, help="of the wall")
@click.option(
    "--broker-port", type=click.IntRange(1, 65535), help="of the broker; else the first free from 1883"
)
@click.option("--broker", "elsewhere", help="a broker that runs already: mqtt://HOST[:PORT]")
@click.option("--database", help="an archive in PostgreSQL: postgresql://…; else a file of SQLite")
@data_option
@pin_option
def up(
    host: str,
    port: int,
    broker_port: int | None,
    elsewhere: str | None,
    database: str | None,
    data: Path | None,
    pin: str | None,
) -> None:
    """A whole hall on this machine: broker, archive and wall."""
    program = find_mosquitto()
    if missing := list(_missing(program is None and elsewhere is None)):
        for line in missing:
            click.echo(line, err=True)
        sys.exit(2)
    folder = hall_folder(data)
    keep_journal()
    os.umask(0o077)  # what is written here is its owner's alone
    passwords = Passwords(folder)
    passwords.add()
    pin, where = chosen_pin(pin, host, folder)
    with ExitStack() as stack:
        end_by_sigterm(stack)
        if elsewhere:
            broker = read_broker(elsewhere)
            remember(folder, broker)
        else:
            broker = stack.enter_context(_our_broker(str(program), folder, passwords, host, broker_port))
        stack.enter_context(
            _archiving(as_user(broker, HALL, passwords), database or str(folder.parent / ARCHIVE))
        )
        settings = Settings(host=host, port=port, pin=pin, secret=read_secret(folder))
        server = open_wall(stack, as_user(broker, WALL, passwords), settings, folder)
        greet(settings, server.port, where)
        _tell_boards(passwords, replace(broker, host=_name_broker(broker.host, host)), data)
        server.run()


def _missing(is_without_broker: bool) -> Iterator[str]:
    """Says what has to be installed first, and how."""
    if is_without_broker:
        yield say("Mosquitto is missing: the broker, by which boards and hall talk. Install it:")
        yield f"    {INSTALL}"
        yield say("For an archive in PostgreSQL, which a hall does not need (else it is a file):")
        yield "    sudo apt install postgresql"
    if importlib.util.find_spec("paho") is None:
        yield say("A library is missing. Install it:")
        yield "    pip install 'board-companion[hall]'"


@contextmanager
def _our_broker(
    program: str, folder: Path, passwords: Passwords, host: str, wanted: int | None
) -> Iterator[Broker]:
    """Gives a Mosquitto that knows this hall: one that runs, or else a child that ends with the context."""
    before = recall_broker(folder)
    port = wanted or (before.port if before else _free_port(host))
    near = Broker("127.0.0.1" if host in EVERYWHERE else host, port)
    files = Files(folder / BROKER)
    if not is_free(host, port):
        if not _knows_us(near, passwords):
            raise BrokerError(
                say(
                    "port {port} is in use by another program: end it,"
                    " or take another port with --broker-port",
                    port=port,
                )
            )
        remember(folder, near)
        click.echo(say("A broker that knows this hall runs on port {port}.", port=port))
        yield near
        return
    files.write(passwords, host, port)
    remember(folder, near)
    over = threading.Event()
    with Mosquitto(program, files, port) as mosquitto:
        watcher = threading.Thread(
            target=_watch, args=(mosquitto, files, over), name="broker's watcher", daemon=True
        )
        watcher.start()
        try:
            yield near
        finally:
            over.set()
            watcher.join()


def _free_port(host: str) -> int:
    """Returns the first port for a broker on which nobody listens; the first where somebody does on all."""
    return next((port for port in PORTS if is_free(host, port)), PORTS[0])


def _knows_us(broker: Broker, passwords: Passwords) -> bool:
    """Returns whether a broker takes the hall's password, and no other one."""

    def takes(password: str) -> bool:
        try:
            with Visit(link_to(replace(broker, user=HALL, password=password), membership(()))):
                return True
        except BrokerError:
            return False

    return takes(passwords.of(HALL)) and not takes("")


def _watch(mosquitto: Mosquitto, files: Files, over: threading.Event) -> None:
    """Starts Mosquitto anew where it ended by itself; lets it know of boards that were added."""
    users = files.folder / PASSWORDS
    known = users.stat().st_mtime_ns
    while not over.wait(LOOK_S):
        try:
            if mosquitto.has_ended:
                log.error("Mosquitto has ended (%s): it is started anew", mosquitto.last_words)
                mosquitto.start()
            if (changed := users.stat().st_mtime_ns) != known:  # by 'companion hall boards'
                mosquitto.read_users()
                known = changed
        except (BrokerError, OSError) as error:
            log.error("%s", error)  # it is tried again at the next look


@contextmanager
def _archiving(broker: Broker, database: str) -> Iterator[None]:
    """Takes what boards tell into a database, until the context ends."""
    link = link_to(broker, membership_of_archive("hall"))
    archiver = Archiver("hall", link, Archive(open_database(database)))

    def work() -> None:
        try:
            archiver.run()
        except DatabaseError as error:
            log.error("nothing is archived: %s", error)

    thread = threading.Thread(target=work, name="archiver")
    thread.start()
    try:
        yield
    finally:
        archiver.stop()
        thread.join()


def _name_broker(broker: str, host: str) -> str:
    """Returns the name by which boards reach the broker."""
    if host in LOOPBACK or broker not in LOOPBACK:
        return broker
    return (outward_address() or host_names()[-1]) if host in EVERYWHERE else host


def _tell_boards(passwords: Passwords, broker: Broker, data: Path | None) -> None:
    """Says what boards type. Passwords go to a terminal alone: what else is printed may stand in a journal,
    which more people may read."""
    boards = passwords.boards
    where = f" --data {shlex.quote(str(data))}" if data else ""
    if not boards:
        click.echo(say("There are no boards yet. Add them in another terminal, as many as there are:"))
        click.echo(f'    companion hall boards "Hall A" 20 --broker {broker}{where}')
        return
    click.echo(say("Each of the {count} boards types its own line; all of them:", count=len(boards)))
    click.echo(f"    companion hall boards --broker {broker}{where}")
    if sys.stdout.isatty():
        click.echo(say("The first one:"))
        click.echo(f"    {line_of(boards[0], passwords.of(user_of(boards[0])), str(broker))}")
