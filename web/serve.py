"""The server: waitress, with a thread for each live display and some more for everything else.

Waitress speaks no TLS: where there is a certificate, `web.tls` listens in its place and hands on to it.

A display that went away without a word (a tablet that sleeps, a cable) is let go by the kernel after
`SILENT_MS` without an acknowledgement; until then it costs a thread and nothing else.
"""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, Any

from flask import Flask
from waitress import wasyncore
from waitress.channel import HTTPChannel
from waitress.server import BaseWSGIServer, create_server
from waitress.task import ThreadedTaskDispatcher, WSGITask

from web.context import Context
from web.tls import Front

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

SPARE_THREADS = 12
UNSENT = 512 * 1024  # bytes that may wait for a slow client here
SENT = 64 * 1024  # and in the kernel, which by itself would keep megabytes for each display that has stalled
SILENT_MS = 60_000


class Task(WSGITask):  # type: ignore[misc]
    """A request, told the line that it came by."""

    def get_environment(self) -> dict[str, Any]:
        environ: dict[str, Any] = super().get_environment()
        environ["companion.line"] = self.channel
        return environ


class Channel(HTTPChannel):  # type: ignore[misc]
    """A connection: a `web.live.Line`."""

    task_class = Task

    def is_gone(self) -> bool:
        return not self.connected

    def is_full(self) -> bool:
        return bool(self.total_outbufs_len)


class Server:
    """Listens from the start. OSError when the port is taken or the address is not this machine's."""

    def __init__(self, app: Flask) -> None:
        self._shared: Context = app.extensions["companion"]
        config = self._shared.config
        self._sockets: dict[int, Any] = {}
        self._threads = Threads(self._shared)
        self._threads.set_thread_count(config.streams + SPARE_THREADS)
        self._front: Front | None = None
        if config.certificate is None:
            self._server = self._serve(app, host=config.host, port=config.port)
        else:
            self._listening = _listen(config.host, config.port)
            hidden = socket.create_server(("127.0.0.1", 0))
            self._front = Front(
                config.certificate.context(), self._listening, self._most, hidden.getsockname()
            )
            self._server = self._serve(self._front.guard(app), sockets=[hidden])

    @property
    def port(self) -> int:
        """The port it listens on (one of the system's choice where 0 was asked for)."""
        if self._front:
            return int(self._listening.getsockname()[1])
        if hasattr(self._server, "effective_port"):
            return int(self._server.effective_port)
        return int(self._server.effective_listen[0][1])

    def run(self) -> None:
        """Serves until KeyboardInterrupt, SystemExit or `close`; then ends all streams."""
        if self._front:
            self._front.start()
        try:
            self._server.run()
        finally:
            if self._front:
                self._front.stop()

    def close(self) -> None:
        """Ends all streams and stops listening, from another thread."""
        if self._front:
            self._front.stop()
            self._listening.close()
        self._threads.shutdown()
        wasyncore.close_all(self._sockets, ignore_all=True)

    @property
    def _most(self) -> int:
        """How many connections there can be."""
        return 2 * self._shared.config.streams + 200

    def _serve(self, app: WSGIApplication, **where: Any) -> Any:
        server = create_server(
            app,
            map=self._sockets,
            _dispatcher=self._threads,
            connection_limit=self._most,
            channel_request_lookahead=1,  # notices a display that went away
            outbuf_high_watermark=UNSENT,
            asyncore_use_poll=True,
            clear_untrusted_proxy_headers=False,
            ident=None,
            **where,
        )
        server.adj.socket_options = [*server.adj.socket_options, *_socket_options()]
        for listening in self._sockets.values():  # one for each address
            if isinstance(listening, BaseWSGIServer):
                listening.channel_class = Channel
        return server


class Threads(ThreadedTaskDispatcher):  # type: ignore[misc]
    """The server's threads; told to stop, they end their streams first."""

    def __init__(self, shared: Context) -> None:
        super().__init__()
        self._shared = shared

    def shutdown(self, cancel_pending: bool = True, timeout: float = 5) -> bool:
        self._shared.closing.set()
        return bool(super().shutdown(cancel_pending, timeout))


def _listen(host: str, port: int) -> socket.socket:
    """What it accepts lets go of silent clients, too."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.create_server((host, port), family=family, backlog=1024)
    for option in _socket_options():
        listening.setsockopt(*option)
    return listening


def _socket_options() -> list[tuple[int, int, int]]:
    """What makes the kernel keep little for a client, and end a connection that stays silent (Linux)."""
    silent = getattr(socket, "TCP_USER_TIMEOUT", None)
    keep = [(socket.SOL_SOCKET, socket.SO_SNDBUF, SENT), (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)]
    return keep if silent is None else [*keep, (socket.IPPROTO_TCP, silent, SILENT_MS)]
