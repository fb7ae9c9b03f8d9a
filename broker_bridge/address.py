"""Where a hall's broker is, and how this program shows who it is: `mqtt://[USER[:PASSWORD]@]HOST[:PORT]`."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import unquote, urlsplit

from companion.core.errors import CompanionError
from companion.language import say

PORTS = {"mqtt": 1883, "mqtts": 8883}
"""The schemes, and the port of each; `mqtts` is by TLS."""


class BrokerError(CompanionError):
    """An address, a file or a library without which no broker can be spoken to."""


@dataclass(frozen=True, slots=True)
class Broker:
    """The address of a broker. `authority` is the file of the CA that its certificate is signed by, where
    the system does not know it; `certificate` and `key` are this program's own."""

    host: str
    port: int = PORTS["mqtt"]
    is_secure: bool = False
    user: str = ""
    password: str = field(default="", repr=False)
    authority: Path | None = None
    certificate: Path | None = None
    key: Path | None = None

    def __str__(self) -> str:
        """Returns the address without the password, as it may be shown to anybody."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'mqtts' if self.is_secure else 'mqtt'}://{host}:{self.port}"


def read_broker(text: str) -> Broker:
    """Reads an address. BrokerError where it is none."""
    try:
        parts = urlsplit(text.strip())
        port = parts.port or PORTS.get(parts.scheme, 0)
    except ValueError as error:
        raise _no_address(text) from error
    is_more = bool(parts.path.strip("/") or parts.query or parts.fragment)
    if parts.scheme not in PORTS or not parts.hostname or is_more:
        raise _no_address(text)
    return Broker(
        host=parts.hostname,
        port=port,
        is_secure=parts.scheme == "mqtts",
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
    )


def read_password(file: Path) -> str:
    """Returns the password that a file's first line is. BrokerError where it cannot be read."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise BrokerError(say("cannot read '{file}': {error}", file=file, error=reason)) from error
    if not lines or not lines[0]:
        raise BrokerError(say("'{file}' holds no password in its first line", file=file))
    return lines[0]


def with_files(
    broker: Broker, authority: Path | None, certificate: Path | None = None, key: Path | None = None
) -> Broker:
    """Returns an address with the files of its TLS. BrokerError where it has no TLS, or a file is missing."""
    files = [file for file in (authority, certificate, key) if file]
    if files and not broker.is_secure:
        raise BrokerError(say("certificates are for mqtts://: '{broker}' is not secured", broker=broker))
    for file in files:
        if not file.is_file():
            raise BrokerError(say("there is no file '{file}'", file=file))
    return replace(broker, authority=authority, certificate=certificate, key=key)


def _no_address(text: str) -> BrokerError:
    shown = text.rpartition("@")[2]  # a password is in no message
    return BrokerError(
        say("a broker is named mqtt://HOST, mqtt://HOST:PORT or mqtts://HOST, not '{text}'", text=shown)
    )
