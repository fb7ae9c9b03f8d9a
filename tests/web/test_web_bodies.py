"""The bodies of requests, sent to the real server: what is too large is refused at once, and kept nowhere."""

from __future__ import annotations

import http.client
import json
import os
import socket
import ssl
from collections.abc import Iterator
from contextlib import ExitStack, closing
from itertools import product
from pathlib import Path

import pytest
from web_clients import serving

from companion.table.table import Table
from web import Settings, create_app
from web.server.certificate import Certificate, self_made
from web.server.connection import LARGEST, LARGEST_PROFILE, PROFILES

MB = 1_000_000
MOST_HELD = 10 * MB


@pytest.fixture(scope="session")
def own(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    return self_made(tmp_path_factory.mktemp("data") / "tls")


@pytest.fixture(params=["http", "https"])
def uploader(request: pytest.FixtureRequest, playing: Table) -> Iterator[Uploader]:
    certificate = request.getfixturevalue("own") if request.param == "https" else None
    with serving(create_app(playing, Settings(port=0, streams=8, certificate=certificate))) as (_, port):
        yield Uploader(port, certificate)


class Uploader:
    """A client that sends bodies of any size by a connection of its own for each."""

    def __init__(self, port: int, certificate: Certificate | None) -> None:
        self._port = port
        self._trust = certificate and ssl.create_default_context(cafile=str(certificate.cert))

    def connect(self) -> socket.socket:
        plain = socket.create_connection(("localhost", self._port), timeout=60)
        return self._trust.wrap_socket(plain, server_hostname="localhost") if self._trust else plain

    def begin(self, path: str, *headers: str) -> socket.socket:
        """Sends the headers of a POST."""
        connection = self.connect()
        lines = (f"POST {path} HTTP/1.1", "Host: localhost", *headers, "", "")
        connection.sendall("\r\n".join(lines).encode())
        return connection


def pour(connection: socket.socket, amount: int, chunked: bool = False) -> int:
    """Sends so many bytes, or as many as the server takes, and returns how many these were."""
    part = b"x" * 65536
    sent = 0
    try:
        while sent < amount:
            connection.sendall(b"%x\r\n%s\r\n" % (len(part), part) if chunked else part)
            sent += len(part)
    except OSError:  # it hung up
        pass
    return sent


def held() -> int:
    """The bytes that this process keeps in files without a name."""
    total = 0
    for entry in Path("/proc/self/fd").iterdir():
        try:
            if os.readlink(entry).endswith("(deleted)"):
                total += entry.stat().st_size
        except OSError:  # closed meanwhile
            continue
    return total


def answer_to(connection: socket.socket) -> tuple[int, str]:
    """The status of the answer, and the reason in it."""
    answer = http.client.HTTPResponse(connection)
    answer.begin()
    return answer.status, json.loads(answer.read()).get("error", "")


LENGTH, CHUNKED = f"Content-Length: {100 * MB}", "Transfer-Encoding: chunked"


def test_eight_large_uploads_are_kept_nowhere(uploader: Uploader) -> None:
    for path, header in product(("/x", PROFILES), (LENGTH, CHUNKED)):
        before = held()
        with ExitStack() as stack:
            connections = [stack.enter_context(uploader.begin(path, header)) for _ in range(8)]
            sent = [pour(connection, 40 * MB, header == CHUNKED) for connection in connections]
            assert held() - before < MOST_HELD
        assert max(sent) < 40 * MB


def test_a_body_is_refused_before_it_is_sent(uploader: Uploader) -> None:
    for path, most, words in (("/x", LARGEST, "at most 256 kB"), (PROFILES, LARGEST_PROFILE, "at most 6 MB")):
        for size, more in product((most + 1, 9 * 10**8), ((), ("Expect: 100-continue",))):
            with uploader.begin(path, f"Content-Length: {size}", *more) as connection:
                status, reason = answer_to(connection)
            assert (status, words in reason) == (413, True)


@pytest.mark.parametrize("header", ["Accept-Language: de-AT, en;q=0.5", "Cookie: language=de"])
def test_a_body_is_refused_in_the_language_of_the_display(
    uploader: Uploader, pseudo_language: str, header: str
) -> None:
    assert pseudo_language == "de"
    with uploader.begin("/x", f"Content-Length: {LARGEST + 1}", header) as connection:
        assert answer_to(connection) == (413, "⟦this is too large: at most ⟪256 kB⟫ are taken here⟧")


def test_one_profile_is_taken_in_at_a_time(uploader: Uploader) -> None:
    length = f"Content-Length: {LARGEST_PROFILE}"
    with uploader.begin(PROFILES, length) as first:
        assert pour(first, MB) >= MB
        with uploader.begin(PROFILES, length) as second:
            assert answer_to(second) == (503, "another profile is being loaded: try again in a minute")
        pour(first, LARGEST_PROFILE - 16 * 65536)
        assert answer_to(first)[0] == 403  # it was read whole, and came without a token
    begin_when_free(uploader, length).close()  # this upload is broken off
    begin_when_free(uploader, length).close()


def begin_when_free(uploader: Uploader, length: str) -> socket.socket:
    """Begins an upload: the server notices a moment later that the one before was answered or broken off."""
    for _ in range(50):
        connection = uploader.begin(PROFILES, length)
        connection.settimeout(0.2)
        try:
            assert answer_to(connection)[0] == 503
        except TimeoutError:  # it waits for the body
            return connection
        connection.close()
    raise AssertionError("the place of an upload is never free again")


def test_small_bodies_come_in_as_before(uploader: Uploader) -> None:
    body = json.dumps({"action": "a3-a4"})
    for headers in (f"Content-Length: {len(body)}",), (f"Content-Length: {len(body)}", "Connection: close"):
        with closing(uploader.begin("/api/v1/actions", *headers)) as connection:
            connection.sendall(body.encode())
            assert answer_to(connection) == (403, "the page is out of date: reload it")
