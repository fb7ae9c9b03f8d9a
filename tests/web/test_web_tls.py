"""HTTPS: the certificate, and the real server with it."""

from __future__ import annotations

import http.client
import json
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from web_clients import serving

import web.server.certificate
from companion.core.game import GameError
from companion.table.messages import Submit
from companion.table.table import Table
from web import Settings, create_app
from web.server.certificate import Certificate, certificate, self_made


@pytest.fixture(scope="session")
def own(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    return self_made(tmp_path_factory.mktemp("data") / "tls")


@pytest.fixture
def trust(own: Certificate) -> ssl.SSLContext:
    """A browser that has accepted the certificate, and checks it."""
    return ssl.create_default_context(cafile=str(own.cert))


@pytest.fixture
def port(playing: Table, own: Certificate) -> Iterator[int]:
    with serving(create_app(playing, Settings(port=0, streams=8, certificate=own))) as (_, port):
        yield port


def connect(port: int, trust: ssl.SSLContext) -> closing[http.client.HTTPSConnection]:
    return closing(http.client.HTTPSConnection("localhost", port, timeout=60, context=trust))


def test_a_page_its_session_and_an_action(port: int, trust: ssl.SSLContext, playing: Table) -> None:
    with connect(port, trust) as home:
        home.request("GET", "/api/v1/session")
        answer = home.getresponse()
        who, cookie = json.loads(answer.read()), answer.headers["Set-Cookie"].partition(";")[0]
        assert who["role"] == "home"
        headers = {"X-CSRF-Token": who["csrf"], "Cookie": cookie, "Content-Type": "application/json"}
        headers["Origin"] = f"https://localhost:{port}"
        home.request("POST", "/api/v1/actions", '{"action": "a3-a4"}', headers)
        assert home.getresponse().status == 200
    assert playing.snapshot.session
    assert playing.snapshot.session.actions[-1] == "a3-a4"


def test_events_come_while_others_stall_in_the_handshake(
    port: int, trust: ssl.SSLContext, playing: Table
) -> None:
    stalled = [socket.create_connection(("localhost", port)) for _ in range(20)]
    stalled[0].sendall(b"\x16\x03\x01")
    with connect(port, trust) as display:
        display.request("GET", "/api/v1/events")
        with display.getresponse() as stream:
            assert len(next_state(stream)["moves"]) == 2
            assert playing.ask(Submit("a3-a4")).ok
            assert len(next_state(stream)["moves"]) == 3
    for connection in stalled:
        connection.close()


def next_state(stream: http.client.HTTPResponse) -> dict[str, Any]:
    """The next state of a stream of events."""
    lines = iter(stream.readline, b"")
    kind = next(line for line in lines if line == b"event: state\n")
    assert kind
    found: dict[str, Any] = json.loads(next(lines).removeprefix(b"data: "))
    return found


def test_a_display_that_goes_gives_its_place_back(
    playing: Table, own: Certificate, trust: ssl.SSLContext
) -> None:
    app = create_app(playing, Settings(port=0, streams=1, certificate=own))
    displays = app.extensions["companion"].displays
    with serving(app) as (_, port), connect(port, trust) as display:
        display.request("GET", "/api/v1/events")
        with display.getresponse() as stream:
            next_state(stream)
            assert displays.are_taken
        display.close()
        while displays.held:
            threading.Event().wait(0.001)


def test_who_comes_by_http_is_sent_to_https(port: int) -> None:
    with closing(http.client.HTTPConnection("localhost", port, timeout=60)) as plain:
        plain.request("GET", "/records?words=ann")
        answer = plain.getresponse()
        assert answer.status == 307
        assert answer.headers["Location"] == f"https://localhost:{port}/records?words=ann"


@pytest.mark.parametrize(
    "sent", [b"GET / HTTP/1.1\r\n\r\n", b"GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", b"?" * 70_000]
)
def test_what_is_no_request_is_refused(port: int, sent: bytes) -> None:
    with socket.create_connection(("localhost", port), timeout=60) as connection:
        connection.sendall(sent)
        assert connection.recv(12) in (b"HTTP/1.1 400", b"HTTP/1.1 431")


def test_a_self_made_certificate_is_kept_until_it_is_about_to_end(tmp_path: Path) -> None:
    made = certificate("self", None, tmp_path)
    assert made.key.stat().st_mode & 0o777 == 0o600
    first = made.fingerprint
    assert certificate("self", None, tmp_path).fingerprint == first
    with patch.object(web.server.certificate, "RENEW", 900 * 24 * 3600):
        assert certificate("self", None, tmp_path).fingerprint != first
    made.context()


@pytest.mark.parametrize("key", ["missing.pem", "other.pem", "broken.pem"])
def test_a_certificate_that_cannot_be_used_is_named(tmp_path: Path, own: Certificate, key: str) -> None:
    (tmp_path / "other.pem").write_text(self_made(tmp_path / "tls").key.read_text())
    (tmp_path / "broken.pem").write_text("no key")
    with pytest.raises(GameError, match=key):
        certificate(str(own.cert), tmp_path / key, tmp_path).context()


def test_without_openssl_it_says_what_to_install(tmp_path: Path) -> None:
    with patch("shutil.which", return_value=None), pytest.raises(GameError, match="apt install openssl"):
        self_made(tmp_path)


@pytest.mark.browser
def test_a_tablet_plays_once_it_has_accepted_the_certificate(browser: Any, port: int) -> None:
    from web_pages import expect, tap, visit

    page = visit(browser, f"https://localhost:{port}", ignore_https_errors=True)
    tap(page, "a3")
    tap(page, "a4")
    expect(page.locator("#moves .move")).to_have_count(3)
    assert page.evaluate("window.isSecureContext && 'wakeLock' in navigator")
    assert all("certificate" in fault for fault in page.faults)  # it keeps no shell for one not trusted
    page.context.close()
