"""HTTPS before a server that speaks plain HTTP: each connection is decrypted and handed on as it is.

Nothing is read of what passes but the first byte: who asks by `http://` is told to come by `https://`. The
server behind sees connections of this machine alone; from where they really come is noted by their port, and
whoever comes past the front is refused. It is one thread: a client that stalls in the middle of a handshake,
or never reads, holds up nobody.
"""

from __future__ import annotations

import asyncio
import logging
import re
import socket
import ssl
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

log = logging.getLogger(__name__)
HANDSHAKE = 10.0
"""Seconds that a client may take for the first byte, and again for the handshake."""
CHUNK = 64 * 1024
TLS_RECORD = b"\x16"
HOST = re.compile(rb"^host:[ \t]*([\w.:\[\]-]{1,255})[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
PATH = re.compile(rb"^[A-Z]{3,10} (/[!-~]*) HTTP/")
Address = tuple[str, int]


class Front:
    """Listens from the start, in a thread of its own from `start` on. OSError when the port is taken."""

    def __init__(
        self, context: ssl.SSLContext, listening: socket.socket, most: int, behind: Address
    ) -> None:
        self._context, self._listening, self._behind = context, listening, behind
        self._most = most
        self._peers: dict[int, Address] = {}
        self._end: Callable[[], object] = lambda: None
        self._is_up = threading.Event()
        self._thread = threading.Thread(target=self._run, name="tls", daemon=True)

    def start(self) -> None:
        self._thread.start()
        self._is_up.wait()

    def stop(self) -> None:
        """Ends all connections."""
        if self._thread.is_alive():
            with suppress(RuntimeError):  # it has ended meanwhile
                self._end()
            self._thread.join(5)

    def guard(self, app: WSGIApplication) -> WSGIApplication:
        """The application, told who is really there, for requests that come through this front alone."""

        def guarded(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
            peer = self._peers.get(int(environ.get("REMOTE_PORT") or 0))
            if peer is None:
                start("403 Forbidden", [("Content-Type", "text/plain")])
                return [b"come by https\n"]
            environ.update({"REMOTE_ADDR": peer[0], "REMOTE_PORT": str(peer[1]), "wsgi.url_scheme": "https"})
            return app(environ, start)

        return guarded

    def _run(self) -> None:
        with suppress(asyncio.CancelledError):
            asyncio.run(self._live())

    async def _live(self) -> None:
        accepting = asyncio.ensure_future(self._accept())
        self._end = partial(asyncio.get_running_loop().call_soon_threadsafe, accepting.cancel)
        self._is_up.set()
        await accepting

    async def _accept(self) -> None:
        loop, places = asyncio.get_running_loop(), asyncio.Semaphore(self._most)
        self._listening.setblocking(False)
        async with asyncio.TaskGroup() as group:
            while True:
                await places.acquire()
                try:
                    connection, address = await loop.sock_accept(self._listening)
                except OSError as error:  # out of file descriptors: others will go
                    log.warning("cannot accept a connection: %s", error)
                    places.release()
                    await asyncio.sleep(0.2)
                    continue
                task = group.create_task(self._serve(connection, (address[0], address[1])))
                task.add_done_callback(lambda _: places.release())

    async def _serve(self, connection: socket.socket, peer: Address) -> None:
        """One connection, to its end; whatever is wrong with it ends it alone."""
        try:
            if await _first_byte(connection) == TLS_RECORD:
                await self._relay(connection, peer)
            else:
                await _send_to_https(connection)
        except (OSError, EOFError, asyncio.LimitOverrunError) as error:
            log.debug("%s: %s", peer[0], error)
        except Exception:  # our own fault must not end the others
            log.exception("a connection failed")

    async def _relay(self, connection: socket.socket, peer: Address) -> None:
        outer = await _streams(connection, self._context)
        try:
            inner = await asyncio.open_connection(*self._behind, limit=CHUNK)
            inner[1].get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, CHUNK)
            port = inner[1].get_extra_info("sockname")[1]
            self._peers[port] = peer
            try:
                await _exchange(outer, inner)
            finally:
                del self._peers[port]
                await _close(inner[1])
        finally:
            await _close(outer[1])


Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def _streams(connection: socket.socket, context: ssl.SSLContext) -> Streams:
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(CHUNK)
    transport, protocol = await loop.connect_accepted_socket(
        lambda: asyncio.StreamReaderProtocol(reader),
        connection, ssl=context, ssl_handshake_timeout=HANDSHAKE, ssl_shutdown_timeout=1.0,
    )  # fmt: skip
    return reader, asyncio.StreamWriter(transport, protocol, reader, loop)


async def _exchange(one: Streams, other: Streams) -> None:
    """Hands on what comes from either, until one has ended."""
    ways = [asyncio.create_task(_pump(one[0], other[1])), asyncio.create_task(_pump(other[0], one[1]))]
    try:
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for way in ways:
            way.cancel()
        await asyncio.gather(*ways, return_exceptions=True)


async def _pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    while data := await source.read(CHUNK):
        sink.write(data)
        await sink.drain()


async def _close(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()


async def _first_byte(connection: socket.socket) -> bytes:
    """The first byte, which stays to be read."""
    loop, ready = asyncio.get_running_loop(), asyncio.Event()
    connection.setblocking(False)
    loop.add_reader(connection, ready.set)
    try:
        await asyncio.wait_for(ready.wait(), HANDSHAKE)
        return connection.recv(1, socket.MSG_PEEK)
    except BaseException:
        connection.close()
        raise
    finally:
        loop.remove_reader(connection)


async def _send_to_https(connection: socket.socket) -> None:
    reader, writer = await asyncio.open_connection(sock=connection)
    try:
        asked = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), HANDSHAKE)
        path, host = PATH.search(asked), HOST.search(asked)
        if path and host:
            where = b"https://" + host[1] + path[1]
            writer.write(b"HTTP/1.1 307 Temporary Redirect\r\nLocation: " + where + b"\r\n")
            writer.write(b"Content-Length: 0\r\nConnection: close\r\n\r\n")
            await writer.drain()
    finally:
        await _close(writer)
