"""The options by which the hall's commands find its broker."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from broker_bridge.address import Broker, read_broker, read_password, with_files

FILE = click.Path(path_type=Path)


def broker_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options: the command gets them as `broker` (None where it is not named), `password` and
    `authority`."""
    for option in (
        click.option("--broker-ca", "authority", type=FILE, help="the CA's certificate (PEM)"),
        click.option(
            "--broker-password", "password", type=FILE, help="a file whose first line is the password"
        ),
        click.option("--broker", help="mqtt://[USER@]HOST[:PORT], or mqtts:// by TLS"),
    ):
        command = option(command)
    return command


def read_options(broker: str | None, password: Path | None, authority: Path | None) -> Broker:
    """Returns the broker that the options name. BrokerError, or UsageError where they name none."""
    if broker is None:
        raise click.UsageError("name the hall's broker with --broker mqtt://HOST")
    found = with_files(read_broker(broker), authority)
    return replace(found, password=read_password(password)) if password else found
