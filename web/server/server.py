"""The server: waitress, with a thread for each live display and some more for everything else.

Waitress speaks no TLS. With a certificate, `web.server.tls` listens in its place and hands the bytes on.

A display may go away without a word (a tablet that sleeps, a pulled cable). The kernel drops its connection
after `SILENT_MS` without an acknowledgement. Until then it costs a thread and nothing else.

A device may also open connections without end, or send its requests byte for byte. No address gets more than
its share of the connections, and a request that does not come in time ends its connection.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from flask import Flask
from waitress import wasyncore
from waitress.channel import HTTPChannel
from waitress.server import BaseWSGIServer, create_server
from waitress.task import ThreadedTaskDispatcher, WSGITask

from web.server.bodies import LARGEST_PROFILE, Request
from web.server.shared import Shared
from web.server.tls import Front

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

SPARE_THREADS = 12
UNSENT = 128 * 1024
"""The bytes that may wait here for a slow client. Waitress keeps as many that were sent, for each display."""
SENT = 64 * 1024
"""The bytes that may wait in the kernel, which would otherwise buffer megabytes for each stalled display."""
SILENT_MS = 60_000
"""The milliseconds after which a connection without an acknowledgement is dropped."""
HEADERS_S = 10.0
"""The seconds in which the headers of a request must come."""
BODY_S = 120.0
"""The seconds in which a whole request must come."""


class Task(WSGITask):  # type: ignore[misc]
    """A request that knows the connection by which it came."""

    def get_environment(self) -> dict[str, Any]:
        environ: dict[str, Any] = super().get_environment()
        environ["companion.line"] = self.channel
        return environ


class Channel(HTTPChannel):  # type: ignore[misc]
    """A connection, which serves as a `web.routes.live.Line`."""

    task_class = Task

    def __init__(self, clock: Callable[[], float], large: threading.Lock, *args: Any, **more: Any) -> None:
        self._clock = clock
        self._awaited_since: float | None = clock()
        super().__init__(*args, **more)
        self.parser_class = partial(Request, large)

    def received(self, data: bytes) -> bool:
        """Takes bytes in, and notes since when the rest of their request is awaited."""
        before = self.request
        is_taken = bool(super().received(data))
        if self.request is None:
            self._awaited_since = None
        elif self.request is not before:
            self._awaited_since = self._clock()
        return is_taken

    def readable(self) -> bool:
        """Returns whether to read on. The server asks each second, and so finds out who is late."""
        if self._is_late():
            self.will_close = True
        return bool(super().readable())

    def _is_late(self) -> bool:
        """Returns whether a request takes too long to come, while no other is being answered.

        The first request of a connection is awaited from the start, a later one from its first byte.
        """
        if self.requests or self._awaited_since is None:
            return False
        has_headers = self.request is not None and self.request.headers_finished
        allowed = BODY_S if has_headers else HEADERS_S
        return self._clock() - self._awaited_since > allowed

    def handle_close(self) -> None:
        """Closes the connection, and the request that has only begun to come."""
        super().handle_close()
        if self.request is not None:
            self.request.close()

    def is_gone(self) -> bool:
        return not self.connected

    def is_full(self) -> bool:
        return bool(self.total_outbufs_len)


class Server:
    """Serves an application, and listens as soon as it is made.

    OSError when the port is taken or the address is not this machine's.
    """

    def __init__(self, app: Flask) -> None:
        self._shared: Shared = app.extensions["companion"]
        settings = self._shared.settings
        self._sockets: dict[int, Any] = {}
        self._large = threading.Lock()
        """Held by the one request whose large body is taken in."""
        self._threads = Threads(self._shared)
        self._threads.set_thread_count(settings.streams + SPARE_THREADS)
        self._front: Front | None = None
        if settings.certificate is None:
            self._server = self._serve(app, host=settings.host, port=settings.port)
        else:
            self._listening = _listen(settings.host, settings.port)
            hidden = socket.create_server(("127.0.0.1", 0))
            self._front = Front(
                settings.certificate.context(),
                self._listening,
                self._most,
                settings.address_connections,
                hidden.getsockname(),
            )
            self._server = self._serve(self._front.guard(app), sockets=[hidden])

    @property
    def port(self) -> int:
        """The port that it listens on. The system chooses it where 0 was asked for."""
        if self._front:
            return int(self._listening.getsockname()[1])
        if hasattr(self._server, "effective_port"):
            return int(self._server.effective_port)
        return int(self._server.effective_listen[0][1])

    def run(self) -> None:
        """Serves until KeyboardInterrupt, SystemExit or `close`, then ends all streams."""
        if self._front:
            self._front.start()
        try:
            self._server.run()
        finally:
            if self._front:
                self._front.stop()

    def close(self) -> None:
        """Ends all streams and stops listening. Other threads call it."""
        if self._front:
            self._front.stop()
            self._listening.close()
        self._threads.shutdown()
        for opened in list(self._sockets.values()):
            if isinstance(opened, Channel):
                opened.handle_close()  # `close_all` would leave open the files that are being sent
        wasyncore.close_all(self._sockets, ignore_all=True)

    @property
    def _most(self) -> int:
        """The largest number of connections."""
        return 2 * self._shared.settings.streams + 200

    def _serve(self, app: WSGIApplication, **where: Any) -> Any:
        server = create_server(
            app,
            map=self._sockets,
            _dispatcher=self._threads,
            connection_limit=self._most,
            channel_request_lookahead=1,  # notices a display that went away
            outbuf_high_watermark=UNSENT,
            max_request_body_size=LARGEST_PROFILE + 1,  # `Request` refuses sooner, and in our words
            asyncore_use_poll=True,
            clear_untrusted_proxy_headers=False,
            ident=None,
            **where,
        )
        server.adj.socket_options = [*server.adj.socket_options, *_socket_options()]
        for listening in self._sockets.values():  # one for each address
            if isinstance(listening, BaseWSGIServer):
                listening.channel_class = self._admit
        return server

    def _admit(
        self, listening: Any, connection: socket.socket, address: Any, *rest: Any, **more: Any
    ) -> None:
        """Makes the channel of a new connection, or closes it where its address has too many."""
        if self._front is None and self._count(address[0]) >= self._shared.settings.address_connections:
            connection.close()
            return
        Channel(self._shared.clock, self._large, listening, connection, address, *rest, **more)

    def _count(self, address: str) -> int:
        """Returns the number of connections from an address."""
        open_now = list(self._sockets.values())
        return sum(isinstance(found, Channel) and found.addr[0] == address for found in open_now)


class Threads(ThreadedTaskDispatcher):  # type: ignore[misc]
    """The server's threads. When they are stopped, they end their streams first."""

    def __init__(self, shared: Shared) -> None:
        super().__init__()
        self._shared = shared

    def shutdown(self, cancel_pending: bool = True, timeout: float = 5) -> bool:
        self._shared.closing.set()
        return bool(super().shutdown(cancel_pending, timeout))


def _listen(host: str, port: int) -> socket.socket:
    """Returns a listening socket. The connections that it accepts drop silent clients."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.create_server((host, port), family=family, backlog=1024)
    for option in _socket_options():
        listening.setsockopt(*option)
    return listening


def _socket_options() -> list[tuple[int, int, int]]:
    """Returns socket options: the kernel buffers little for a client and ends silent connections (Linux)."""
    silent = getattr(socket, "TCP_USER_TIMEOUT", None)
    keep = [(socket.SOL_SOCKET, socket.SO_SNDBUF, SENT), (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)]
    return keep if silent is None else [*keep, (socket.IPPROTO_TCP, silent, SILENT_MS)]
