"""Joins a table to its hall: opens what a speaker needs, and closes it afterwards."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from broker_bridge.connection import link_to
from broker_bridge.home_assistant import discovery_of, withdrawal_of
from broker_bridge.link import Letter
from broker_bridge.options import HallSettings
from broker_bridge.outbox_file import NAME, OutboxFile
from broker_bridge.speaker import Speaker, membership_of
from companion.store.store import Store
from companion.table.table import Table

log = logging.getLogger(__name__)


@contextmanager
def speaking(hall: HallSettings | None, table: Table, folder: Path, address: str) -> Iterator[None]:
    """Tells a hall what happens at a table, until the context ends; nothing where there is no hall.

    `folder` holds the games, `address` is where the board's page is where the settings do not say so.
    """
    if hall is None:
        yield
        return
    link = link_to(hall.broker, membership_of(hall.board))
    page = hall.address or address
    with (
        Store(folder / "games.sqlite") as store,
        closing(_open_outbox(folder / NAME)) as file,
        Speaker(hall.board, link, table, store, file, page, _greetings(hall, page, file)),
    ):
        yield


def _greetings(hall: HallSettings, page: str, file: OutboxFile) -> tuple[Letter, ...]:
    """Returns what Home Assistant is told of the board, if it is to be; what it was told before under
    another name, or is not to know any more, is taken back."""
    told = (discovery_of(hall.board, page),) if hall.home_assistant else ()
    kept = {letter.topic for letter in told}
    withdrawn = tuple(withdrawal_of(topic) for topic in sorted(file.discovery - kept))
    for topic in kept:
        file.note_discovery(topic)
    return withdrawn + told


def _open_outbox(path: Path) -> OutboxFile:
    """Opens the outbox's file; one in memory where the disk takes none."""
    try:
        return OutboxFile(path)
    except sqlite3.OperationalError as error:
        log.error("'%s' cannot be used (%s): what the hall was told is forgotten at the end", path, error)
        return OutboxFile(":memory:")
