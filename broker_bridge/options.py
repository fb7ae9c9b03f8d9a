"""The options by which commands find the hall's broker, and the same as settings: `[hall]` in config.toml."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click
import msgspec

from broker_bridge.address import Broker, BrokerError, read_broker, read_password, with_files
from broker_bridge.rights import user_of
from broker_bridge.topics import BoardName, read_board_name
from companion.language import say

FILE = click.Path(path_type=Path)
SECTION = "hall"
"""The section of the owner's settings."""
PASSWORD = "COMPANION_BROKER_PASSWORD"  # noqa: S105 (the name of the variable that holds it)


class _Named(msgspec.Struct, forbid_unknown_fields=True):
    """The parts of a hall's settings that options and the settings file name."""

    broker: str = ""
    board: str = ""
    password_file: str = ""
    ca: str = ""
    certificate: str = ""
    key: str = ""
    address: str = ""
    home_assistant: bool = False


@dataclass(frozen=True, slots=True)
class HallSettings:
    """Where a board's hall is: its broker, and the board's name in it.

    `address` is where the board's own page is for others; '' where only this machine can open it.
    """

    broker: Broker
    board: BoardName
    address: str = ""
    home_assistant: bool = False


def board_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options by which a board joins a hall: the command gets them as `hall`."""
    for option in (
        click.option(
            "--home-assistant", is_flag=True, default=None, help="lets Home Assistant find this board"
        ),
        click.option("--board-address", "address", help="where others open this page, as http://HOST:PORT/"),
        click.option("--broker-key", "key", type=FILE, help="the key of that certificate"),
        click.option("--broker-certificate", "certificate", type=FILE, help="this board's own, for mqtts://"),
        click.option("--broker-ca", "ca", type=FILE, help="the CA's certificate (PEM), for mqtts://"),
        click.option(
            "--broker-password",
            "password_file",
            type=FILE,
            help=f"a file whose first line is the password; or {PASSWORD}",
        ),
        click.option("--board", help="this board's name in a hall, as 'Hall A/7'"),
        click.option("--broker", help="a hall's broker: mqtt://[USER@]HOST[:PORT], or mqtts:// by TLS"),
    ):
        command = option(command)
    return command


def read_hall(given: Mapping[str, Any], settings: Mapping[str, Any]) -> HallSettings | None:
    """Returns the hall that options name, or else the settings do; None where neither does.

    `settings` are those of the section. BrokerError or TopicError where something is wrong or missing.
    """
    try:
        found = msgspec.convert(settings, _Named)
    except msgspec.ValidationError as error:
        raise BrokerError(
            say(
                "config.toml: [hall] takes {names}: {error}",
                names=", ".join(_Named.__struct_fields__),
                error=str(error),
            )
        ) from error
    for name, value in given.items():
        if value is not None:
            setattr(found, name, str(value) if isinstance(value, Path) else value)
    if not found.broker:
        if given.get("board"):
            raise BrokerError(say("a board joins a hall by its broker: name that too, with --broker"))
        return None
    if not found.board:
        raise BrokerError(say("name this board with --board, as 'Hall A/7'"))
    board = read_board_name(found.board)
    return HallSettings(_broker_of(found, board), board, found.address, found.home_assistant)


def _broker_of(found: _Named, board: BoardName) -> Broker:
    authority, certificate, key = (_path(file) for file in (found.ca, found.certificate, found.key))
    broker = with_files(read_broker(found.broker), authority, certificate, key)
    if file := _path(found.password_file):
        broker = replace(broker, password=read_password(file))
    elif password := os.environ.get(PASSWORD):
        broker = replace(broker, password=password)
    if broker.password and not broker.user:
        broker = replace(broker, user=user_of(board))  # as 'companion hall acl' names it
    return broker


def _path(file: str) -> Path | None:
    return Path(file).expanduser() if file else None
