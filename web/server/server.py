"""The server: one loop (asyncio) for all connections, with TLS where there is a certificate, and few threads.

With TLS the first byte of a connection is looked at before: a client that asks by `http://` is redirected.
One that stalls in a handshake holds up nobody.

A device may open connections without end, or go away without a word (a tablet that sleeps, a pulled cable).
No address gets more than its share of the connections, and the kernel drops one after `SILENT_MS` without an
acknowledgement.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
import threading
from asyncio.sslproto import SSLProtocol
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any

from flask import Flask

from web.server.connection import CHUNK, HEADERS_S, THREADS, Common, Connection
from web.server.shared import Shared, Shares

log = logging.getLogger(__name__)
SENT = 64 * 1024
"""The bytes that may wait in the kernel, which would otherwise buffer megabytes for each stalled display."""
SILENT_MS = 60_000
"""The milliseconds after which a connection without an acknowledgement is dropped."""
END_S = 5.0
"""The seconds that what is being answered may take when the server stops."""
TLS_RECORD = b"\x16"
SSLProtocol.max_size = CHUNK  # each connection with TLS has a buffer of this size: left alone, of 256 kB


class Server:
    """Serves an application, and listens as soon as it is made.

    OSError when the port is taken or the address is not this machine's.
    """

    def __init__(self, app: Flask) -> None:
        self._shared: Shared = app.extensions["companion"]
        settings = self._shared.settings
        self._context = settings.certificate.context() if settings.certificate else None
        self._listening = _listen(settings.host, settings.port)
        self._threads = ThreadPoolExecutor(THREADS, "page")
        self._common = Common(app, self._shared, self._threads)
        self._places = 2 * settings.streams + 200
        self._shares = Shares(settings.address_connections)
        self._tasks: set[asyncio.Task[None]] = set()
        self._stop: Any = self._listening.close

    @property
    def port(self) -> int:
        """The port that it listens on. The system chooses it where 0 was asked for."""
        return int(self._listening.getsockname()[1])

    def run(self) -> None:
        """Serves until SIGINT, SIGTERM (in the main thread) or `close`, then ends all streams."""
        asyncio.run(self._run())

    def close(self) -> None:
        """Stops the server. Other threads call it."""
        self._shared.closing.set()
        with suppress(RuntimeError):  # it has ended meanwhile
            self._stop()

    async def _run(self) -> None:
        loop, ended = asyncio.get_running_loop(), asyncio.Event()
        self._shared.news.loop = loop
        self._stop = partial(loop.call_soon_threadsafe, ended.set)
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.add_signal_handler(number, ended.set)
        try:
            if not self._shared.closing.is_set():
                self._watch()
                await ended.wait()
                loop.remove_reader(self._listening)
        finally:
            self._listening.close()
            self._shared.closing.set()
            self._shared.news.tell()
            until = loop.time() + END_S
            while self._common.answering and loop.time() < until:
                await asyncio.sleep(0.02)
            self._threads.shutdown(wait=False, cancel_futures=True)

    def _watch(self) -> None:
        """Has the loop accept whoever comes, one at a time: a flood of connections holds up nobody."""
        if self._listening.fileno() >= 0:
            asyncio.get_running_loop().add_reader(self._listening, self._accept)

    def _accept(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            connection, peer = self._listening.accept()
        except (BlockingIOError, ConnectionAbortedError):  # it went away again
            return
        except OSError as error:  # out of file descriptors: others will go
            log.warning("cannot accept a connection: %s", error)
            loop.remove_reader(self._listening)
            loop.call_later(0.2, self._watch)
            return
        if not self._shares.take(peer[0]):
            connection.close()
            return
        connection.setblocking(False)
        task = loop.create_task(self._serve(connection, peer))
        self._tasks.add(task)
        task.add_done_callback(partial(self._leave, connection, peer[0]))
        if len(self._tasks) == self._places:
            loop.remove_reader(self._listening)

    def _leave(self, connection: socket.socket, address: str, task: asyncio.Task[None]) -> None:
        connection.close()  # one that came as the server stopped was not served
        self._tasks.discard(task)
        self._shares.give_back(address)
        if len(self._tasks) == self._places - 1:
            self._watch()

    async def _serve(self, connection: socket.socket, peer: Any) -> None:
        """Serves one connection to its end. A failure ends this connection alone."""
        try:
            is_tls = self._context is not None and await _first_byte(connection) == TLS_RECORD
            reader, writer = await self._open(connection, is_tls)
            is_astray = self._context is not None and not is_tls
            await Connection(self._common, reader, writer, peer, is_astray).serve()
        except (OSError, EOFError) as error:
            log.debug("%s: %s", peer[0], error)
        except Exception:  # our own fault must not end the others
            log.exception("a connection failed")

    async def _open(
        self, connection: socket.socket, is_tls: bool
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        loop, reader = asyncio.get_running_loop(), asyncio.StreamReader(CHUNK)
        transport, protocol = await loop.connect_accepted_socket(
            lambda: asyncio.StreamReaderProtocol(reader),
            connection,
            ssl=self._context if is_tls else None,
            ssl_handshake_timeout=HEADERS_S if is_tls else None,
            ssl_shutdown_timeout=1.0 if is_tls else None,
        )
        return reader, asyncio.StreamWriter(transport, protocol, reader, loop)


async def _first_byte(connection: socket.socket) -> bytes:
    """Returns the first byte, and leaves it to be read again."""
    loop, ready = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(connection, ready.set)
    try:
        await asyncio.wait_for(ready.wait(), HEADERS_S)
        return connection.recv(1, socket.MSG_PEEK)
    except BaseException:
        connection.close()
        raise
    finally:
        loop.remove_reader(connection)


def _listen(host: str, port: int) -> socket.socket:
    """Returns a listening socket. The kernel buffers little for its clients, and ends silent ones (Linux)."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.create_server((host, port), family=family, backlog=1024)
    listening.setblocking(False)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SENT)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if silent := getattr(socket, "TCP_USER_TIMEOUT", None):
        listening.setsockopt(socket.IPPROTO_TCP, silent, SILENT_MS)
    return listening
