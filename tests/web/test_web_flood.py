"""One address that floods the real server: it gets its share, and the page of others opens as before."""

from __future__ import annotations

import gc
import resource
import select
import socket
import ssl
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress

import pytest
from web_clients import serving

from benchmarks.attacks.flood import EVENTS, FLOODER, OTHER, SLOW, WITHIN, ask, connect, crowd
from companion.table.table import Table
from web import Settings, create_app
from web.server import connection, server
from web.server.certificate import Certificate, self_made
from web.server.shared import Shares

FLOODS = [(700, b""), (700, SLOW), (300, EVENTS)]
"""How many connections, and what each sends: nothing, slow headers, or a wish for events."""


@pytest.fixture(autouse=True)
def many_files() -> Iterator[None]:
    """The test holds both ends of each connection."""
    usual, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(8192, most), most))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (usual, most))


@pytest.fixture(scope="session")
def own(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    return self_made(tmp_path_factory.mktemp("data") / "tls")


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_the_page_opens_beside_a_flood(
    scheme: str, playing: Table, own: Certificate, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stands as long as the test does: who had to wait for its end would not get in at all."""
    monkeypatch.setattr(connection, "HEADERS_S", 10 * WITHIN)
    monkeypatch.setattr(server, "HEADERS_S", 10 * WITHIN)
    is_https = scheme == "https"
    trust = ssl.create_default_context(cafile=str(own.cert)) if is_https else None
    settings = Settings(port=0, certificate=own if is_https else None)
    with serving(create_app(playing, settings)) as (_, port):
        with closing(connect(port, OTHER, trust)) as first:
            assert ask(first)[0] == 200
        for count, sent in FLOODS:
            with crowd(port, count, sent, trust):
                with closing(connect(port, OTHER, trust)) as other:
                    assert ask(other)[0] == 200
                with closing(connect(port, OTHER, trust)) as display:
                    assert ask(display, "/api/v1/events")[0] == 200


def test_who_comes_as_the_server_stops_is_let_go(playing: Table) -> None:
    """A connection that nothing closes is a warning of Python's, and a warning fails a test."""
    for _ in range(20):
        with ExitStack() as stack:
            with serving(create_app(playing, Settings(port=0))) as (host, port):
                for _ in range(20):
                    stack.enter_context(socket.create_connection((host, port)))
            gc.collect()


def test_displays_of_one_address_are_limited(playing: Table) -> None:
    app = create_app(playing, Settings(port=0, address_streams=2))
    with serving(app) as (_, port), ExitStack() as stack:
        own = [stack.enter_context(connect(port, FLOODER)) for _ in range(3)]
        assert [ask(display, "/api/v1/events")[0] for display in own[:2]] == [200, 200]
        status, words = ask(own[2], "/api/v1/events")
        assert (status, b"from this device: close some" in words) == (503, True)
        other = stack.enter_context(connect(port, OTHER))
        assert ask(other, "/api/v1/events")[0] == 200


def is_shut(connection: socket.socket) -> bool:
    """Whether the server hangs up."""
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True
    except TimeoutError:
        return False


def is_shut_on(connection: socket.socket) -> bool:
    """Whether the server hangs up while a head comes in bits, each of them in time."""
    with suppress(BrokenPipeError):
        for bit in (b"GET / HTTP/1.1\r\nX: ", *5000 * [b"x"]):
            connection.sendall(bit)
            if select.select([connection], [], [], 0.02)[0]:
                return is_shut(connection)
        return False
    return True


def test_a_request_must_come_in_time(playing: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(create_app(playing, Settings(port=0))) as (_, port), ExitStack() as stack:
        idle, sending = (stack.enter_context(connect(port, FLOODER)) for _ in range(2))
        assert (ask(idle)[0], ask(sending)[0]) == (200, 200)
        monkeypatch.setattr(connection, "HEADERS_S", 0.2)
        monkeypatch.setattr(connection, "BODY_S", 0.2)
        sending.sendall(b"POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n12345")
        silent, slow = (stack.enter_context(connect(port, FLOODER)) for _ in range(2))
        assert is_shut_on(slow)
        assert is_shut(silent)
        assert is_shut(sending)
        assert ask(idle)[0] == 200  # no request of it was awaited


def test_a_head_must_not_be_long(playing: Table) -> None:
    with serving(create_app(playing, Settings(port=0))) as (_, port), closing(connect(port, FLOODER)) as long:
        long.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + 2 * connection.HEADERS * b"x")
        assert long.recv(99).startswith(b"HTTP/1.1 431 ")


def test_a_place_that_is_given_back_can_be_taken_again() -> None:
    shares = Shares(2)
    assert [shares.take("a"), shares.take("a"), shares.take("a"), shares.take("b")] == [
        True,
        True,
        False,
        True,
    ]
    shares.give_back("a")
    assert [shares.take("a"), shares.take("a")] == [True, False]
