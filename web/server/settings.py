"""The settings of the page: where it listens, who may act, and how long it waits."""

from __future__ import annotations

import logging
import secrets
from dataclasses import dataclass, field
from pathlib import Path

from companion.core.damaged_files import set_file_aside
from companion.core.private_files import write_private
from hardware.machine import outward_address
from web.server.certificate import Certificate, host_names

log = logging.getLogger(__name__)
KEY_BYTES = 32
PIN_FILE, PIN_LENGTH = "pin", 6
SHORTEST_PIN = 4
"""The fewest characters of a PIN that is given."""
LOOPBACK = ("127.0.0.1", "::1", "localhost")


@dataclass(frozen=True)
class Settings:
    """The settings of one server. Without a PIN, a browser on this machine acts for everybody."""

    host: str = "127.0.0.1"
    port: int = 8000
    certificate: Certificate | None = None
    """The certificate for HTTPS; None for plain HTTP."""
    pin: str | None = None
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    names: tuple[str, ...] = ()
    """Further names by which browsers may call this server."""
    streams: int = 256
    """The largest number of displays that are live at once."""
    address_streams: int = 32
    """The largest number of displays that are live at once from one address."""
    address_connections: int = 96
    """The largest number of connections from one address. A browser opens up to six."""
    heartbeat: float = 15.0
    """The seconds between two signs of life on a stream."""
    stream_seconds: float = 1800.0
    """The seconds after which a stream is ended; the display opens the next one by itself."""
    session_seconds: int = 14 * 24 * 3600
    """The seconds for which a seat or the arbiter's role is kept for a browser that does not come."""
    ask_seconds: float = 5.0
    """The seconds that an action may wait for the table."""
    think_seconds: float = 5.0
    """The seconds for which a hint is looked for."""

    @property
    def https(self) -> bool:
        """True if browsers come by HTTPS."""
        return self.certificate is not None

    def address(self, port: int) -> str:
        """Returns what to open in a browser for a server that listens on this port."""
        return f"{'https' if self.https else 'http'}://{self._name}:{port}/"

    @property
    def _name(self) -> str:
        """The host as a browser can call it: the address of every interface is none."""
        if self.host in LOOPBACK:
            return "localhost"
        is_any = self.host in ("0.0.0.0", "::")  # noqa: S104
        name = (outward_address() or host_names()[-1]) if is_any else self.host
        return f"[{name}]" if ":" in name else name

    @property
    def is_open(self) -> bool:
        """True if other machines can reach the page."""
        return self.host not in LOOPBACK


def read_secret(folder: Path) -> bytes:
    """Returns the key that signs sessions.

    It is kept in this folder, for its owner alone, and made if missing. One that is too short to be a key, as
    a power cut may leave it, is set aside.
    """
    path = folder / "session.key"
    try:
        key = path.read_bytes()
    except FileNotFoundError:
        return _make_key(path)
    if len(key) >= KEY_BYTES and any(key):
        return key
    aside = set_file_aside(path)
    log.warning("'%s' was damaged, and is now '%s': everybody has to take a seat anew", path, aside.name)
    return _make_key(path)


def read_pin(folder: Path) -> str:
    """Returns the arbiter's PIN that was made up for this folder: kept in it for its owner alone, made if
    missing."""
    path = folder / PIN_FILE
    try:
        pin = path.read_text(encoding="utf-8", errors="replace").strip()
    except FileNotFoundError:
        pin = ""
    if not (len(pin) >= PIN_LENGTH and pin.isascii() and pin.isdecimal()):
        pin = f"{secrets.randbelow(10**PIN_LENGTH):0{PIN_LENGTH}d}"
        write_private(path, f"{pin}\n".encode())
    return pin


def _make_key(path: Path) -> bytes:
    key = secrets.token_bytes(KEY_BYTES)
    write_private(path, key)
    return key
