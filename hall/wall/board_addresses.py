"""Where the boards' own pages are, and the tokens by which the arbiter's desk rules there: `boards.json`.

They are entered by the arbiter. An address that came from the broker is never among them: whoever may write
a board's topics would otherwise be sent the arbiter's token.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from broker_bridge.topics import BoardName, TopicError, read_board_name
from companion.core.errors import CompanionError
from companion.core.private_files import write_private
from companion.language import say

FILE = "boards.json"
SCHEMES = ("http", "https")
HEX = frozenset("0123456789abcdef")


class AddressError(CompanionError):
    """An address, a fingerprint or a file that cannot be used."""


@dataclass(frozen=True, slots=True)
class BoardAddress:
    """How to reach a board: `http://HOST:PORT`, the arbiter's token, and for a certificate that the board
    made itself its SHA-256 fingerprint (64 hexadecimal digits)."""

    address: str
    token: str = field(default="", repr=False)
    fingerprint: str = ""


def read_board_address(address: str, token: str = "", fingerprint: str = "") -> BoardAddress:
    """Returns an entry as it is kept. AddressError for what is none."""
    address = address.strip().rstrip("/")
    try:
        parts = urlsplit(address)
        is_good = parts.scheme in SCHEMES and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_good = False
    if not is_good or parts.path or parts.query or parts.fragment or parts.username is not None:
        raise AddressError(
            say("a board's address is http://HOST:PORT or https://HOST:PORT, not '{text}'", text=address[:80])
        )
    digits = fingerprint.replace(":", "").replace(" ", "").lower()
    if digits and (len(digits) != 64 or not HEX.issuperset(digits) or parts.scheme != "https"):
        raise AddressError(
            say("a fingerprint has 64 hexadecimal digits (SHA-256), and belongs to an https address")
        )
    token = token.strip()
    if not (token.isascii() and token.isprintable()):
        raise AddressError(say("that is no token: copy it as the board shows it"))
    return BoardAddress(address, token, digits)


class BoardAddresses:
    """The addresses by board, kept in a file for its owner alone. Any thread may call it."""

    def __init__(self, path: Path) -> None:
        """Reads the file. AddressError where it is damaged."""
        self._path = path
        self._lock = threading.Lock()
        self._known = _read(path)

    @property
    def known(self) -> Mapping[BoardName, BoardAddress]:
        return self._known

    def set(self, name: BoardName, found: BoardAddress) -> None:
        """Keeps the address of a board. Without a token the one that is known for the same address stays.

        AddressError where the disk takes none.
        """
        with self._lock:
            before = self._known.get(name)
            if not found.token and before and before.address == found.address:
                found = BoardAddress(found.address, before.token, found.fingerprint)
            self._write({**self._known, name: found})

    def forget(self, name: BoardName) -> None:
        """Forgets the address of a board, and its token."""
        with self._lock:
            self._write({other: found for other, found in self._known.items() if other != name})

    def _write(self, known: dict[BoardName, BoardAddress]) -> None:
        values = {str(name): asdict(found) for name, found in sorted(known.items())}
        try:
            write_private(self._path, json.dumps(values, indent=1, ensure_ascii=False).encode())
        except OSError as error:
            raise AddressError(
                say("cannot write '{file}': {reason}", file=self._path, reason=error.strerror or "")
            ) from error
        self._known = known


def _read(path: Path) -> dict[BoardName, BoardAddress]:
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        return {read_board_name(name): read_board_address(**entry) for name, entry in values.items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, TypeError, AttributeError, TopicError, AddressError) as error:
        raise AddressError(
            f"'{path}' cannot be read ({error}): mend it, or remove it and enter the boards again"
        ) from error
