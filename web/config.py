"""What the page is told from outside: where it listens, who may act, what it shows besides the table."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from companion.core import Look, Place
from companion.store import Store
from firmware_bridge.bench import GridBench
from web.certificate import Certificate
from web.pictures import Picture
from web.workbench import Workbench

LOOPBACK = ("127.0.0.1", "::1", "localhost")


class Fingers(Protocol):
    """The page's side of a virtual table; pixels are those of its camera's picture."""

    def press(self, x: float, y: float) -> object:
        """A finger takes up what it points at."""

    def drag(self, x: float, y: float) -> object:
        """The finger moves."""

    def drop(self, x: float, y: float) -> object:
        """The finger lets go."""

    def turn_over(self, x: float, y: float) -> object:
        """A double tap: what is there is turned over."""

    def become(self, looks: Mapping[Place, Look]) -> object:
        """These looks on the board."""


@dataclass(frozen=True)
class Config:
    """How the page is served. Without a PIN, whoever sits at this machine acts for everybody."""

    host: str = "127.0.0.1"
    port: int = 8000
    certificate: Certificate | None = None
    """Serves the page by HTTPS."""
    pin: str | None = None
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    names: tuple[str, ...] = ()
    """Further names that browsers may call this server by."""
    streams: int = 256
    """How many displays can be live at once."""
    heartbeat: float = 15.0
    """Seconds between two signs of life on a stream."""
    stream_seconds: float = 1800.0
    """A stream is ended after this long; the display opens the next one by itself."""
    session_seconds: int = 14 * 24 * 3600
    ask_seconds: float = 5.0
    """How long an action may wait for the table."""
    think_seconds: float = 5.0
    """How long a hint is looked for."""
    fingers: Fingers | None = None
    """The virtual table, where there is one."""
    newest: Callable[[], Picture | None] | None = None
    """Gives the newest frame of the camera (`Capture.latest`), where there is one."""
    bench: Workbench | None = None
    """Where the camera is set up, where there is a real one."""
    grid: GridBench | None = None
    """Where the sensor grid is tested and calibrated, where there is one."""
    clock: Callable[[], float] = time.monotonic
    wall: Callable[[], float] = time.time
    store: Store | None = None
    """The stored games, opened for this page alone."""

    @property
    def https(self) -> bool:
        """Whether browsers come by HTTPS."""
        return self.certificate is not None

    @property
    def is_open(self) -> bool:
        """Whether other machines can reach the page."""
        return self.host not in LOOPBACK


def read_secret(folder: Path) -> bytes:
    """The key that signs sessions, kept in this folder (for its owner's eyes only), made when missing."""
    path = folder / "session.key"
    try:
        return path.read_bytes()
    except FileNotFoundError:
        folder.mkdir(parents=True, exist_ok=True)
        key = secrets.token_bytes(32)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(key)
        return key
