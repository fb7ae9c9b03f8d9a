"""HTTPS in front of a server that speaks plain HTTP: connections are decrypted and handed on.

Only the first byte of a connection is looked at: a client that asks by `http://` is redirected to `https://`.
The server behind sees connections from this machine alone. The front notes by their port where they come
from, and the server refuses connections that did not come through it. One thread runs all connections with
asyncio: a client that stalls in a handshake, or never reads, holds up nobody. One address gets its share of
connections and no more: the server behind could not tell the addresses apart in time.
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

from web.server.shares import Shares

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

log = logging.getLogger(__name__)
HANDSHAKE = 10.0
"""The seconds that a client may take for the first byte, and again for the handshake."""
CHUNK = 64 * 1024
TLS_RECORD = b"\x16"
HOST = re.compile(rb"^host:[ \t]*([\w.:\[\]-]{1,255})[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
PATH = re.compile(rb"^[A-Z]{3,10} (/[!-~]*) HTTP/")
Address = tuple[str, int]


class Front:
    """Accepts HTTPS connections in a thread of its own, from `start` to `stop`."""

    def __init__(
        self,
        context: ssl.SSLContext,
        listening: socket.socket,
        most: int,
        of_one_address: int,
        behind: Address,
    ) -> None:
        self._context, self._listening, self._behind = context, listening, behind
        self._most = most
        self._shares = Shares(of_one_address)
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
        """Returns the application with the real client's address, for requests through this front alone."""

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
                peer: Address = (address[0], address[1])
                if not self._shares.take(peer[0]):
                    connection.close()
                    places.release()
                    await asyncio.sleep(0)  # a flood of connections holds up nobody
                    continue
                task = group.create_task(self._serve(connection, peer))
                task.add_done_callback(partial(self._leave, places, peer[0]))

    def _leave(self, places: asyncio.Semaphore, address: str, _: object) -> None:
        places.release()
        self._shares.give_back(address)

    async def _serve(self, connection: socket.socket, peer: Address) -> None:
        """Serves one connection to its end. A failure ends this connection alone."""
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
    """Copies bytes in both directions until one side has ended."""
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
    """Returns the first byte, and leaves it to be read again."""
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
