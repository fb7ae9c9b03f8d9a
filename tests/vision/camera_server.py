"""A camera on the network, for tests: single pictures and streams over HTTP, as phones serve them."""

from __future__ import annotations

import base64
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import cv2
import numpy as np

USER, PASSWORD = "ann", "s3cret/@"
GREYS = (40, 90, 140, 190)
"""The grey levels of its pictures, one after the other."""


def picture(grey: int) -> bytes:
    """Returns a picture (48, 64) of one grey, as JPEG."""
    return cv2.imencode(".jpg", np.full((48, 64, 3), grey, np.uint8))[1].tobytes()


class CameraServer(ThreadingHTTPServer):
    """Serves `/shot.jpg`, `/video`, `/half.jpg`, `/page` and, to who has the password, `/private.jpg`."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.is_on = True
        self.served = 0
        self.hold = threading.Event()
        """Set when a stream is to end."""

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    server: CameraServer

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if not self.server.is_on:
            self.close_connection = True
        elif path == "/video":
            self._stream()
        elif path == "/page":
            self._answer("text/html", b"<h1>A camera</h1>")
        elif path == "/private.jpg" and not self._is_known():
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="camera"')
            self.end_headers()
        else:
            content = picture(GREYS[self.server.served % len(GREYS)])
            self.server.served += 1
            self._answer("image/jpeg", content[:-200] if path == "/half.jpg" else content)

    def _is_known(self) -> bool:
        known = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
        return self.headers.get("Authorization") == f"Basic {known}"

    def _answer(self, kind: str, content: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _stream(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        with suppress(OSError):  # who looks may go
            while not self.server.hold.wait(0.02):
                content = picture(GREYS[self.server.served % len(GREYS)])
                self.server.served += 1
                head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(content)}\r\n\r\n"
                self.wfile.write(head.encode() + content + b"\r\n")
        self.close_connection = True

    def log_message(self, *args: object) -> None:
        """Says nothing."""


@contextmanager
def camera_server() -> Iterator[CameraServer]:
    """Runs a camera until the end of the block."""
    with CameraServer() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield server
        finally:
            server.hold.set()
            server.shutdown()
