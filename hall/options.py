"""The options by which the hall's commands find its broker."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import Any

import click

from broker_bridge.address import read_broker, read_password, with_files

FILE = click.Path(path_type=Path)


def broker_options(command: Callable[..., None]) -> Callable[..., None]:
    """Adds the options that name a broker, which the command gets as `broker`; None where none is named."""

    @click.option("--broker", help="mqtt://[USER@]HOST[:PORT], or mqtts:// by TLS")
    @click.option("--broker-password", "password", type=FILE, help="a file whose first line is the password")
    @click.option("--broker-ca", "authority", type=FILE, help="the CA's certificate (PEM)")
    @wraps(command)
    def with_broker(broker: str | None, password: Path | None, authority: Path | None, **others: Any) -> None:
        found = with_files(read_broker(broker), authority) if broker is not None else None
        if found and password:
            found = replace(found, password=read_password(password))
        command(broker=found, **others)

    return with_broker
