"""Floods the page from one address, and opens it from another.

    python -m benchmarks attack flood [SCHEME…] [--count 700] [--seconds 10] [--megabytes 100]

All at a whole companion in a process of its own, over HTTP and over HTTPS. From 127.0.0.2 come idle
connections, requests whose headers come slowly, event streams that nobody reads, and POSTs without a token;
meanwhile 127.0.0.3 opens the page and its events, which has to take less than a second. Then eight large
bodies are sent at once, which may hold less than 10 MB in the server's memory and files.
"""

from __future__ import annotations

import argparse
import http.client
import os
import resource
import socket
import ssl
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from itertools import product
from pathlib import Path

from benchmarks.running.companion import Companion, companion
from benchmarks.running.figures import MB, memory
from web.server.connection import PROFILES

FLOODER, OTHER = "127.0.0.2", "127.0.0.3"
EVENTS = b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n"
POST = b"POST /api/v1/actions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}"
COUNT, STREAMS, POSTERS, UPLOADS, OPENED = 700, 300, 16, 8, 5
SLOW = b"GET / HT"
PAUSE = 0.2
"""Seconds between two openings: the server finds out within a second that a display went away."""
WITHIN = 60.0
"""Seconds after which what a connection waits for comes no more."""
OPENS_WITHIN = 1.0
"""Seconds in which the page has to open."""
MOST_HELD = 10 * MB
PART = b"x" * 65536


def main(args: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks attack flood")
    parser.add_argument("schemes", nargs="*", metavar="SCHEME", help="http, https; without any, both")
    parser.add_argument("--count", type=int, default=COUNT, help="idle and slow connections")
    parser.add_argument("--seconds", type=float, default=10.0, help="of POSTs")
    parser.add_argument("--megabytes", type=int, default=100, help="of each large body")
    options = parser.parse_args(args)
    with _many_files():
        marks = [
            mark
            for scheme in options.schemes or ("http", "https")
            for mark in attack(scheme, options.count, options.seconds, options.megabytes * MB)
        ]
    return 0 if all(marks) else 1


def attack(scheme: str, count: int, seconds: float, size: int) -> Iterator[bool]:
    """Floods a companion in each way, prints what was measured, and yields whether the marks are kept."""
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        options = ("--tls", "self") if scheme == "https" else ()
        server = stack.enter_context(companion(folder, *options))
        port = server.port()
        assert port is not None, "the companion did not start"
        trust = _trust(folder) if scheme == "https" else None
        _open_page(port, trust)  # what is made once is made now
        for words, number, sent in (
            ("idle connections", count, b""),
            ("slow headers", count, SLOW),
            ("event streams", min(count, STREAMS), EVENTS),
        ):
            with crowd(port, number, sent, trust):
                yield _tell(f"{scheme}, {number} {words}", _openings(port, trust))
        with _posting(port, trust) as answers:
            times = _openings(port, trust, seconds)
        yield _tell(f"{scheme}, {sum(answers.values())} POSTs without a token, {dict(answers)}", times)
        list(_uploads(server, port, trust, size))  # buffers that are made once stay
        held_memory, files = max(_uploads(server, port, trust, size), key=sum)
        held = f"{held_memory / MB:.1f} MB more memory and {files / MB:.1f} MB in files"
        print(f"{scheme}, {UPLOADS} uploads of {size // MB} MB hold at most {held}")
        yield held_memory + files < MOST_HELD


def connect(port: int, source: str, trust: ssl.SSLContext | None = None) -> socket.socket:
    """Connects to the page from an address of this machine."""
    plain = socket.create_connection(("127.0.0.1", port), timeout=WITHIN, source_address=(source, 0))
    return trust.wrap_socket(plain, server_hostname="localhost") if trust else plain


def ask(connection: socket.socket, path: str = "/") -> tuple[int, bytes]:
    """Returns an answer's status and body; of a stream only that it begins."""
    connection.sendall(b"GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n" % path.encode())
    answer = http.client.HTTPResponse(connection)
    answer.begin()
    return answer.status, b"" if answer.status == 200 and path.endswith("events") else answer.read()


@contextmanager
def crowd(port: int, count: int, sent: bytes, trust: ssl.SSLContext | None) -> Iterator[None]:
    """Holds so many connections from one address. The server may hang up on some of them."""
    with ExitStack() as stack:
        for _ in range(count):
            with suppress(OSError):
                connection = stack.enter_context(connect(port, FLOODER, trust if sent else None))
                connection.sendall(sent)
        yield


@contextmanager
def _many_files() -> Iterator[None]:
    """Lets this process hold its end of every connection."""
    usual, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(8192, most), most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (usual, most))


def _trust(folder: Path) -> ssl.SSLContext:
    trust = ssl.create_default_context()
    for path in folder.rglob("*.pem"):
        with suppress(ssl.SSLError):
            trust.load_verify_locations(path)
    return trust


def _open_page(port: int, trust: ssl.SSLContext | None) -> float:
    """Opens the page and its events; returns the seconds that it took. Infinite where it does not open."""
    begun = time.perf_counter()
    try:
        with closing(connect(port, OTHER, trust)) as page, closing(connect(port, OTHER, trust)) as display:
            has_opened = (ask(page)[0], ask(display, "/api/v1/events")[0]) == (200, 200)
    except (OSError, http.client.HTTPException):
        has_opened = False
    return time.perf_counter() - begun if has_opened else float("inf")


def _openings(port: int, trust: ssl.SSLContext | None, seconds: float = 0.0) -> list[float]:
    """Opens the page some times, and for so long."""
    end = time.perf_counter() + seconds
    times = [_open_page(port, trust) for _ in range(OPENED)]
    while time.perf_counter() < end:
        time.sleep(PAUSE)
        times.append(_open_page(port, trust))
    return sorted(times)


def _tell(words: str, times: list[float]) -> bool:
    middle, worst = times[len(times) // 2], times[-1]
    print(f"{words}: another's page opens in {1000 * middle:.0f} ms, worst {1000 * worst:.0f} ms", flush=True)
    return worst < OPENS_WITHIN


@contextmanager
def at_once(work: Callable[[], None], count: int, over: threading.Event) -> Iterator[None]:
    """Has work done in so many threads at once; at the end `over` is set, at which each of them ends."""
    threads = [threading.Thread(target=work, daemon=True) for _ in range(count)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()


@contextmanager
def _posting(port: int, trust: ssl.SSLContext | None) -> Iterator[Counter[int]]:
    """Sends POSTs without a token as fast as they are answered; counts the answers by their status."""
    answers: Counter[int] = Counter()
    over = threading.Event()

    def post() -> None:
        while not over.is_set():
            with suppress(OSError, http.client.HTTPException), closing(connect(port, FLOODER, trust)) as line:
                while not over.is_set():
                    line.sendall(POST)
                    answer = http.client.HTTPResponse(line)
                    answer.begin()
                    answer.read()
                    answers[answer.status] += 1

    with at_once(post, POSTERS, over):
        yield answers


def _uploads(
    server: Companion, port: int, trust: ssl.SSLContext | None, size: int
) -> Iterator[tuple[int, int]]:
    """Sends large bodies at once; yields the bytes of memory and of files that the server holds for them."""
    headers = (f"Content-Length: {size}", "Transfer-Encoding: chunked")
    pids = [server.process.pid or 0]
    before = memory(pids)
    for path, header in product(("/x", PROFILES), headers):
        with ExitStack() as stack:
            for _ in range(UPLOADS):
                with suppress(OSError):
                    line = stack.enter_context(connect(port, FLOODER, trust))
                    line.sendall(f"POST {path} HTTP/1.1\r\nHost: localhost\r\n{header}\r\n\r\n".encode())
                    _pour(line, size, is_chunked="chunked" in header)
                yield memory(pids) - before, _files(server)


def _pour(line: socket.socket, size: int, *, is_chunked: bool) -> None:
    part = b"%x\r\n%s\r\n" % (len(PART), PART) if is_chunked else PART
    for _ in range(size // len(PART)):
        line.sendall(part)


def _files(server: Companion) -> int:
    """Returns the bytes in a server's files without a name, as some servers keep long bodies."""
    total = 0
    for entry in Path(f"/proc/{server.process.pid}/fd").iterdir():
        with suppress(OSError):  # closed meanwhile
            if os.readlink(entry).endswith("(deleted)"):
                total += entry.stat().st_size
    return total
