"""A browser and a display at a companion's page, as plain as can be, from any address of this machine."""

from __future__ import annotations

import json
import ssl
from collections.abc import Iterator
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from threading import Event
from typing import Any, NamedTuple

HERE = "127.0.0.1"
ANSWERS_S = 300.0
PICTURE_EVERY, AT_REST = 0.066, 0.25
"""Seconds after which a page asks for the next live picture, after another one than before and after the
same."""
BROKEN = (OSError, HTTPException)
"""The errors of whoever asks a server that goes away."""


def line_to(port: int, address: str = HERE, is_secure: bool = False) -> HTTPConnection:
    """Returns a connection to a page of this machine, from one of its addresses, checking no certificate."""
    if is_secure:
        return HTTPSConnection(
            HERE,
            port,
            timeout=ANSWERS_S,
            source_address=(address, 0),
            context=ssl._create_unverified_context(),
        )
    return HTTPConnection(HERE, port, timeout=ANSWERS_S, source_address=(address, 0))


class RefusedError(Exception):
    """An answer that is no success, with its status."""

    def __init__(self, status: int, text: bytes) -> None:
        super().__init__(f"{status}: {text.decode(errors='replace')}")
        self.status = status


class Browser:
    """A browser with its cookie and token; it `keeps` its connection, or makes one for each request."""

    def __init__(self, port: int, address: str = HERE, is_secure: bool = False, keeps: bool = False) -> None:
        self._line, self._keeps = line_to(port, address, is_secure), keeps
        self._cookie = self._token = ""
        self._token = self.ask("session")["csrf"]

    def read(self, path: str, body: object = None) -> bytes:
        """Returns what the API answers to a GET, or to a POST of a body: bytes are a picture, all else JSON.

        RefusedError where that is no success.
        """
        kind = "image/jpeg" if isinstance(body, bytes) else "application/json"
        head = {"Content-Type": kind, "Cookie": self._cookie, "X-CSRF-Token": self._token}
        data = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        try:
            self._line.request("GET" if data is None else "POST", f"/api/v1/{path}", data, head)
            answer = self._line.getresponse()
            text = answer.read()
        finally:
            if not self._keeps:
                self._line.close()
        self._cookie = (answer.getheader("Set-Cookie") or self._cookie).partition(";")[0]
        if answer.status >= 300:
            raise RefusedError(answer.status, text)
        return text

    def ask(self, path: str, body: object = None) -> Any:
        """Returns the JSON of an answer; None where it has no content."""
        text = self.read(path, body)
        return json.loads(text) if text else None

    def state(self) -> Any:
        return self.ask("state")

    def moves(self) -> list[str]:
        """Returns the actions that stand, as they are shown."""
        return [move["action"] for move in self.state().get("moves", [])]


class StreamEvent(NamedTuple):
    """An event of a live stream, and the bytes that it took."""

    kind: str
    id: str
    data: str
    size: int


def follow(port: int, address: str = HERE, is_secure: bool = False, since: str = "") -> Iterator[StreamEvent]:
    """Yields the events of a page's live stream until it ends or breaks; those alone that came whole.

    `since` is the id of the last event that is known.
    """
    with suppress(*BROKEN), closing(line_to(port, address, is_secure)) as line:
        line.request("GET", "/api/v1/events", headers={"Last-Event-ID": since} if since else {})
        answer = line.getresponse()
        fields, size = dict[str, str](), 0
        for text in answer if answer.status == 200 else ():
            size += len(text)
            if text == b"\n":
                yield StreamEvent(fields.get("event", ""), fields.get("id", ""), fields.get("data", ""), size)
                fields, size = {}, 0
            else:
                name, _, value = text.decode().rstrip("\n").partition(": ")
                fields[name] = value


def states(port: int) -> Iterator[Any]:
    """Yields the states that a display is shown."""
    return (json.loads(event.data) for event in follow(port) if event.kind == "state")


def watch_pictures(port: int, closed: Event, is_secure: bool = False) -> None:
    """Asks for the live picture as a page does that shows it, on one connection."""
    tag, pause = "", PICTURE_EVERY
    with suppress(*BROKEN), closing(line_to(port, is_secure=is_secure)) as line:
        while not closed.wait(pause):
            line.request("GET", "/api/v1/picture.jpg", headers={"If-None-Match": tag})
            answer = line.getresponse()
            answer.read()
            tag, pause = answer.getheader("ETag") or "", PICTURE_EVERY if answer.status == 200 else AT_REST
