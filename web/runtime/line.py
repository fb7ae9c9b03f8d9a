"""The line to another companion: HTTPS to its address, and its certificate as it was seen first.

A companion at home has a certificate of its own making, which no authority vouches for. So the first one that
is met is trusted, its fingerprint is shown at both tables to be compared, and from then on no other one is.
"""

from __future__ import annotations

import http.client
import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from companion.core.game import GameError
from companion.language import say
from companion.wire.codec import LARGEST
from web.calling import connect

PATIENCE = 10.0
"""The seconds that an answer may take."""
THIS_MACHINE = ("localhost", "127.0.0.1", "::1")
"""Hosts that need no HTTPS: nothing leaves this machine."""


class LineError(GameError):
    """The other companion was not reached, or its answer is none."""


class RefusedError(LineError):
    """The other companion refuses, in words of its own."""


class PeerLine:
    """One connection, which is kept. `pin` is the fingerprint of the certificate, '' until one was met."""

    def __init__(self, address: str, pin: str = "", token: str = "") -> None:
        self.address, self.pin, self.token = tidy_address(address), pin, token
        self._open: http.client.HTTPConnection | None = None

    def post(self, path: str, body: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> Any:
        """Returns the answer to a POST. LineError where there is none."""
        return self._ask("POST", path, json.dumps(body), headers or {})[0]

    def get(self, path: str) -> tuple[Any, str]:
        """Returns the answer to a GET, and the cookie that came with it."""
        return self._ask("GET", path, None, {})

    def close(self) -> None:
        if self._open:
            with suppress(OSError):
                self._open.close()
        self._open = None

    def _ask(self, method: str, path: str, body: str | None, headers: Mapping[str, str]) -> tuple[Any, str]:
        own = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        own |= {"Content-Type": "application/json"} if body else {}
        try:
            connection = self._open = self._open if self._open and self._open.sock else self._connect()
            connection.request(method, f"/api/v1/{path}", body, {**own, **headers})
            answer = connection.getresponse()
            content = answer.read(LARGEST + 1)
            found = json.loads(content) if len(content) <= LARGEST else None
        except LineError:
            self.close()
            raise
        except (OSError, http.client.HTTPException, ValueError, RecursionError) as error:
            self.close()
            away = say("the other table is not reached at {address}", address=self.address)
            raise LineError(away) from error
        if answer.status != 200 or not isinstance(found, dict):
            self.close()
            words = str(found.get("error", ""))[:200] if isinstance(found, dict) else ""
            raise RefusedError(say("the other table refuses: {words}", words=words or str(answer.status)))
        return found, answer.getheader("Set-Cookie", "").partition(";")[0]

    def _connect(self) -> http.client.HTTPConnection:
        connection, digest = connect(self.address, PATIENCE, is_vouched_for=False)
        found = digest.hex(":").upper()
        if self.pin and found != self.pin:
            connection.close()
            raise LineError(say("another certificate answers at {address} than before", address=self.address))
        self.pin = found
        return connection


def tidy_address(text: str) -> str:
    """Returns the address of a companion as people type it: without HTTPS only on this machine. GameError for
    what is none."""
    text = text.strip() if "://" in text else f"https://{text.strip()}"
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    is_safe = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in THIS_MACHINE)
    if not is_safe or not parts.hostname or parts.username or not parts.netloc.isprintable():
        raise GameError(say("an address is written {example}", example="https://192.168.1.20:8000"))
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{host}{f':{port}' if port else ''}"
