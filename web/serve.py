"""The server: waitress, with a thread for each live display and some more for everything else.

A display that went away without a word (a tablet that sleeps, a cable) is let go by the kernel after
`SILENT_MS` without an acknowledgement; until then it costs a thread and nothing else.
"""

from __future__ import annotations

import socket
from typing import Any

from flask import Flask
from waitress import wasyncore
from waitress.server import create_server
from waitress.task import ThreadedTaskDispatcher

from web.context import Context

SPARE_THREADS = 12
UNSENT = 512 * 1024  # bytes that may wait for a slow display
SILENT_MS = 60_000


class Server:
    """Listens from the start. OSError when the port is taken or the address is not this machine's."""

    def __init__(self, app: Flask) -> None:
        self._shared: Context = app.extensions["companion"]
        config = self._shared.config
        self._threads = Threads(self._shared)
        self._threads.set_thread_count(config.streams + SPARE_THREADS)
        self._server: Any = create_server(
            app,
            _dispatcher=self._threads,
            host=config.host,
            port=config.port,
            connection_limit=2 * config.streams + 200,
            channel_request_lookahead=1,  # notices a display that went away
            outbuf_high_watermark=UNSENT,
            asyncore_use_poll=True,
            clear_untrusted_proxy_headers=False,
            ident=None,
        )
        self._server.adj.socket_options = [*self._server.adj.socket_options, *_let_go()]

    @property
    def port(self) -> int:
        """The port it listens on (one of the system's choice where 0 was asked for)."""
        if hasattr(self._server, "effective_port"):
            return int(self._server.effective_port)
        return int(self._server.effective_listen[0][1])

    def run(self) -> None:
        """Serves until KeyboardInterrupt, SystemExit or `close`; then ends all streams."""
        self._server.run()

    def close(self) -> None:
        """Ends all streams and stops listening, from another thread."""
        self._threads.shutdown()
        wasyncore.close_all(self._server._map, ignore_all=True)


class Threads(ThreadedTaskDispatcher):  # type: ignore[misc]
    """The server's threads; told to stop, they end their streams first."""

    def __init__(self, shared: Context) -> None:
        super().__init__()
        self._shared = shared

    def shutdown(self, cancel_pending: bool = True, timeout: float = 5) -> bool:
        self._shared.closing.set()
        return bool(super().shutdown(cancel_pending, timeout))


def _let_go() -> list[tuple[int, int, int]]:
    """What makes the kernel end a connection whose other side is silent (Linux)."""
    silent = getattr(socket, "TCP_USER_TIMEOUT", None)
    keep = [(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)]
    return keep if silent is None else [*keep, (socket.IPPROTO_TCP, silent, SILENT_MS)]
