"""Remembers where the broker of this machine's hall is, so that nobody has to say it again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from broker_bridge.address import Broker, BrokerError, read_broker
from broker_bridge.rights import HALL
from companion.core.private_files import write_private
from companion.language import say
from hall.broker.passwords import Passwords

FILE = "broker.address"


def remember(folder: Path, broker: Broker) -> None:
    """Keeps the address of the hall's broker. OSError where that cannot be."""
    write_private(folder / FILE, f"{broker}\n".encode())


def recall_broker(folder: Path) -> Broker | None:
    """Returns the address of the broker of the hall in a folder; None where it never had one."""
    try:
        return read_broker((folder / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError, BrokerError):
        return None


def as_user(broker: Broker, user: str, passwords: Passwords) -> Broker:
    """Returns a broker as one of the hall's programs comes to it."""
    return replace(broker, user=user, password=passwords.of(user))


def own_broker(folder: Path, user: str = HALL) -> Broker:
    """Returns the broker of the hall in a folder, as one of its programs comes to it.

    BrokerError for none.
    """
    broker = recall_broker(folder)
    if broker is None:
        raise BrokerError(
            say(
                "there is no hall on this machine: name its broker with --broker mqtt://HOST,"
                " or see 'companion hall up'"
            )
        )
    return as_user(broker, user, Passwords(folder))
