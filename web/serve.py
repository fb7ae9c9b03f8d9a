"""The server: waitress, with a thread for each live display and some more for everything else."""

from __future__ import annotations

import sys
from typing import Any

from flask import Flask
from waitress.server import create_server

from web.context import Context

SPARE_THREADS = 12
UNSENT = 512 * 1024


def make_server(app: Flask) -> Any:
    """A server that listens already; `run()` serves until `close()`. OSError when the port is taken."""
    shared: Context = app.extensions["companion"]
    config = shared.config
    return create_server(
        app,
        host=config.host,
        port=config.port,
        threads=config.streams + SPARE_THREADS,
        connection_limit=config.streams * 2 + 200,
        channel_request_lookahead=1,  # notices a display that went away
        outbuf_high_watermark=UNSENT,
        asyncore_use_poll=sys.platform != "win32",
        ident="",
        clear_untrusted_proxy_headers=False,
    )
