"""The connections of the real server: what of HTTP reaches the application, and how it stops."""

from __future__ import annotations

import http.client
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing

import pytest
from flask import Flask, request
from web_clients import PATIENCE_S, serving

from companion.table.table import Table
from web import Settings, create_app
from web.server import server


@pytest.fixture
def app(playing: Table) -> Flask:
    app = create_app(playing, Settings(port=0))
    app.add_url_rule("/headers", "headers", lambda: str(request.headers))
    return app


@pytest.fixture
def port(app: Flask) -> Iterator[int]:
    with serving(app) as (_, port):
        yield port


def told(port: int, sent: bytes) -> bytes:
    """All that is answered to these bytes, until the server hangs up."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as connection:
        connection.sendall(sent)
        return b"".join(iter(lambda: connection.recv(65536), b""))


def test_requests_may_follow_one_another_without_waiting(port: int) -> None:
    one, last = (b"GET /headers HTTP/1.1\r\nHost: localhost\r\nN: %d\r\n%s\r\n" for _ in range(2))
    answers = told(port, one % (1, b"") + last % (2, b"Connection: close\r\n"))
    assert (answers.count(b"HTTP/1.1 200"), answers.index(b"N: 1") < answers.index(b"N: 2")) == (2, True)


def test_an_old_browser_is_answered_and_hung_up_on(port: int) -> None:
    assert b"HTTP/1.1 200" in told(port, b"GET /headers HTTP/1.0\r\nHost: localhost\r\n\r\n")


def test_headers_that_come_twice_are_joined_and_those_that_pass_for_others_left_out(port: int) -> None:
    twice = b"X: 1\r\nX: 2\r\nX_CSRF_Token: 3\r\nCookie: a\r\nCookie: b\r\n"
    answer = told(port, b"GET /headers HTTP/1.0\r\nHost: localhost\r\n%s\r\n" % twice)
    assert b"X: 1, 2" in answer
    assert b"Cookie: a; b" in answer
    assert b"Csrf" not in answer


def test_the_head_of_a_stream_can_be_asked_for(port: int) -> None:
    answer = told(port, b"HEAD /api/v1/events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    assert (b"text/event-stream" in answer, answer.endswith(b"\r\n\r\n")) == (True, True)


@pytest.mark.parametrize("sent", [b"?" * 99 + b"\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n"])
def test_what_is_no_request_is_refused(port: int, sent: bytes) -> None:
    assert told(port, sent).startswith(b"HTTP/1.1 400 ")


def test_what_is_being_answered_when_the_server_stops_is_answered(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And nothing else is waited for: neither who asks for nothing nor who watches."""
    monkeypatch.setattr(server, "END_S", 10 * PATIENCE_S)
    begun = threading.Event()

    def answer_at_the_end() -> str:
        begun.set()
        assert app.extensions["companion"].closing.wait(PATIENCE_S)
        return "done"

    app.add_url_rule("/slow", "slow", answer_at_the_end)
    with ExitStack() as stack:
        with serving(app) as (host, port):
            idle, slow, display = (
                stack.enter_context(closing(http.client.HTTPConnection(host, port, timeout=PATIENCE_S)))
                for _ in range(3)
            )
            idle.connect()
            slow.request("GET", "/slow")
            display.request("GET", "/api/v1/events")
            stream = display.getresponse()
            assert begun.wait(PATIENCE_S)
        assert slow.getresponse().status == 200
        assert stream.read().startswith(b": board companion")
