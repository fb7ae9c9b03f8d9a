"""A connection: h11 reads its requests, the application answers them, and events are sent as they come.

All connections are served by one loop (asyncio), the application by few threads: a client that sends nothing,
or never reads, costs no thread and holds up nobody. What does not come in time ends its connection.

A body that is too large is refused as soon as its headers say so, or as soon as that much has come. Nobody
needs a cookie to send one. So only one large body (a camera's profile) is taken in at a time.
"""

from __future__ import annotations

import asyncio
import re
import sys
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any
from urllib.parse import unquote_to_bytes
from weakref import WeakValueDictionary

import h11
from flask import Flask
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge, ServiceUnavailable
from werkzeug.http import http_date

from companion.language import say
from web.server.shared import Shared
from web.server.streams import KIND

HEADERS_S, KEPT_S = 10.0, 60.0
"""The seconds in which the headers of a connection's first request must come, and those of a later one."""
BODY_S = 120.0
"""The seconds in which a body must come, and in which an answer must be read."""
LOOK = 1.0
"""The seconds of silence after which a stream checks whether its display is still there."""
THREADS, OF_ONE = 8, 4
"""The threads that answer, and how many of them one address may have at once. Some may wait for the table or
their turn at a drawing (`web.server.shared`), or look for a hint."""
CHUNK, HEADERS, UNSENT = 64 * 1024, 16 * 1024, 128 * 1024
"""The bytes that are read at once, those of the longest head, and those that may wait for a slow client."""
HOST, PATH = re.compile(r"[\w.:\[\]-]{1,255}"), re.compile(rb"/[!-~]*")

LARGEST = 256 * 1024
"""The bytes that a body may have."""
LARGEST_PROFILE = 6 * 1024 * 1024
"""The bytes that the body with a profile may have: with what its connection needs, less than 10 MB."""
PROFILES = "/api/v1/setup/profiles"


class Bodies:
    """What a server takes in. A connection holds the one place for a large body until that is answered."""

    def __init__(self) -> None:
        self._holder: object = None

    def check(self, path: str, size: int, holder: object) -> None:
        """Raises HTTPException where so many bytes are not taken from a connection."""
        if size <= LARGEST:
            return
        most, words = (LARGEST_PROFILE, "6 MB") if path == PROFILES else (LARGEST, "256 kB")
        if size > most:
            raise RequestEntityTooLarge(say("this is too large: at most {size} are taken here", size=words))
        if self._holder not in (None, holder):
            raise ServiceUnavailable(say("another profile is being loaded: try again in a minute"))
        self._holder = holder

    def release(self, holder: object) -> None:
        """Gives the place back, if this connection holds it."""
        if self._holder is holder:
            self._holder = None


@dataclass(frozen=True)
class Common:
    """Holds what all connections of one server share: the application, its threads, and what they count."""

    app: Flask
    shared: Shared
    threads: Executor
    bodies: Bodies = field(default_factory=Bodies)
    answering: set[Connection] = field(default_factory=set)
    """Those that answer a request."""
    turns: WeakValueDictionary[str, asyncio.Semaphore] = field(default_factory=WeakValueDictionary)
    """By each address, its share of the threads: those of others do not wait for a flood of requests."""


@dataclass(frozen=True)
class HttpAnswer:
    """An answer, with its body or the events of a stream."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes = b""
    events: Any = None


class Connection:
    """A connection from an address. One that `is_astray` came by `http://` where all is served by `https://`."""

    def __init__(
        self,
        common: Common,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        peer: tuple[str, int],
        is_astray: bool,
    ) -> None:
        self._common, self._shared = common, common.shared
        self._reader, self._writer, self._peer, self._is_astray = reader, writer, peer, is_astray
        self._http = h11.Connection(h11.SERVER, HEADERS)
        self._turn = common.turns.setdefault(peer[0], asyncio.Semaphore(OF_ONE))

    async def serve(self) -> None:
        """Answers request after request, until the connection ends."""
        self._writer.transport.set_write_buffer_limits(UNSENT)
        try:
            seconds = HEADERS_S
            while await self._serve_next(seconds):
                self._http.start_next_cycle()
                seconds = KEPT_S
        except h11.RemoteProtocolError as error:
            if self._http.our_state in (h11.IDLE, h11.SEND_RESPONSE):
                await self._send(
                    HttpAnswer(error.error_status_hint, [("Content-Length", "0"), ("Connection", "close")])
                )
        finally:
            self._leave()
            self._writer.close()
            try:
                async with asyncio.timeout(HEADERS_S):
                    await self._writer.wait_closed()
            except OSError:
                pass
            finally:
                self._writer.transport.abort()  # one that never reads is not waited for

    async def _serve_next(self, seconds: float) -> bool:
        """Answers the next request, which must come in some seconds. Returns whether another may follow."""
        async with asyncio.timeout(seconds):
            request = await self._read()
        if not isinstance(request, h11.Request):
            return False
        self._common.answering.add(self)
        answer = _to_https(request) if self._is_astray else await self._answer(request)
        await (self._stream(answer) if answer.events else self._send(answer))
        self._leave()
        are_done = self._http.our_state is h11.DONE and self._http.their_state is h11.DONE
        return are_done and not self._shared.closing.is_set()

    def _leave(self) -> None:
        """Gives back what a request held."""
        self._common.answering.discard(self)
        self._common.bodies.release(self)

    async def _read(self) -> Any:
        """Returns what comes next, as h11 has it."""
        while (event := self._http.next_event()) is h11.NEED_DATA:
            if self._http.they_are_waiting_for_100_continue:
                await self._write(h11.InformationalResponse(status_code=100, headers=[]))
            self._http.receive_data(await self._reader.read(CHUNK))
        return event

    async def _answer(self, request: h11.Request) -> HttpAnswer:
        """Has the application answer a request. It is told of a body that is refused, and says so."""
        environ = self._environ(request)
        try:
            async with asyncio.timeout(BODY_S):
                body = await self._body(
                    environ["PATH_INFO"], int(dict(request.headers).get(b"content-length", 0))
                )
        except HTTPException as refusal:
            environ["companion.refusal"] = refusal.with_traceback(None)  # that would keep what has come
            body = BytesIO()
        environ.update({"wsgi.input": body, "CONTENT_LENGTH": str(body.getbuffer().nbytes)})
        async with self._turn:
            return await asyncio.get_running_loop().run_in_executor(
                self._common.threads, _ask, self._common.app, environ
            )

    async def _body(self, path: str, size: int) -> BytesIO:
        """Returns the body, which has this size by its headers. HTTPException where it is refused."""
        check, body = self._common.bodies.check, BytesIO()
        check(path, size, self)
        while isinstance(part := await self._read(), h11.Data):
            check(path, body.tell() + len(part.data), self)
            body.write(part.data)
        body.seek(0)
        return body

    def _environ(self, request: h11.Request) -> dict[str, Any]:
        """Returns what Flask reads of a request's head, as WSGI has it."""
        path, _, query = request.target.partition(b"?")
        host, port = self._writer.get_extra_info("sockname")[:2]
        environ: dict[str, Any] = {
            "REQUEST_METHOD": request.method.decode(),
            "SCRIPT_NAME": "",
            "PATH_INFO": unquote_to_bytes(path).decode("latin-1"),
            "QUERY_STRING": query.decode("latin-1"),
            "SERVER_NAME": host,
            "SERVER_PORT": str(port),
            "SERVER_PROTOCOL": f"HTTP/{request.http_version.decode()}",
            "REMOTE_ADDR": self._peer[0],
            "REMOTE_PORT": str(self._peer[1]),
            "wsgi.url_scheme": "https" if self._shared.settings.https else "http",
            "wsgi.errors": sys.stderr,
        }
        for name, value in request.headers:
            if b"_" in name or name in (b"transfer-encoding", b"content-length"):
                continue  # `_` would pass for `-`; the body is whole by now, and its length is added
            key = name.decode().upper().replace("-", "_")
            key = key if key == "CONTENT_TYPE" else f"HTTP_{key}"
            joint = "; " if key == "HTTP_COOKIE" else ", "
            environ[key] = (f"{environ[key]}{joint}" if key in environ else "") + value.decode("latin-1")
        return environ

    async def _send(self, answer: HttpAnswer) -> None:
        body = [h11.Data(data=answer.body)] if answer.body else []
        async with asyncio.timeout(BODY_S):
            await self._write(self._head(answer), *body, h11.EndOfMessage())

    async def _stream(self, answer: HttpAnswer) -> None:
        """Sends events until the stream ends or its display hangs up; one that reads slowly misses some."""
        gone = asyncio.ensure_future(self._reader.read(1))  # a display says nothing more
        try:
            async with asyncio.timeout(self._shared.settings.stream_seconds + BODY_S):
                await self._write(self._head(answer))
                for event in answer.events:
                    if event:
                        await self._write(h11.Data(data=event))
                    else:
                        await self._shared.news.wait(LOOK)
                        await asyncio.sleep(self._shared.pace)
                    if gone.done():
                        return
                await self._write(h11.EndOfMessage())
        finally:
            gone.cancel()
            answer.events.close()

    def _head(self, answer: HttpAnswer) -> h11.Response:
        is_read = self._http.their_state is not h11.SEND_BODY
        more = [("Date", http_date()), *([] if is_read else [("Connection", "close")])]
        return h11.Response(status_code=answer.status, headers=[*answer.headers, *more])

    async def _write(self, *events: h11.Event) -> None:
        self._writer.write(b"".join(self._http.send(event) or b"" for event in events))
        await self._writer.drain()


def _ask(app: Flask, environ: dict[str, Any]) -> HttpAnswer:
    """Asks the application, in a thread."""
    head: list[Any] = []

    def start(*told: Any) -> Any:
        head.extend(told)

    parts: Any = app(environ, start)
    status, headers = int(head[0][:3]), head[1]
    if environ["REQUEST_METHOD"] == "GET" and any(value.startswith(KIND) for _, value in headers):
        return HttpAnswer(status, headers, events=parts)
    with closing(parts):
        return HttpAnswer(status, headers, b"".join(parts))


def _to_https(request: h11.Request) -> HttpAnswer:
    """Sends a browser to `https://`."""
    host = dict(request.headers).get(b"host", b"").decode("latin-1")
    if not (HOST.fullmatch(host) and PATH.fullmatch(request.target)):
        raise h11.RemoteProtocolError("no address", 400)
    return HttpAnswer(
        307, [("Location", f"https://{host}{request.target.decode()}"), ("Content-Length", "0")]
    )
