"""Nothing that a stranger sends makes the server fail: every route, with what no page would send."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote

import pytest
from web_clients import Client

import web
from benchmarks.fuzzing.fuzzed_http import (
    ASKED,
    ASKED_FOR,
    Body,
    fields_of,
    kind_of,
    path_of,
    routes,
    struct_fields,
)
from companion import games

ADDRESSES = [rule for rule, body in routes() if body is None]
BODIES = [(rule, body) for rule, body in routes() if body]
GAME_ADDRESSES = [rule for rule in ADDRESSES if re.search("(boards|tutorials)/<name>", rule.rule)]
STRANGE: dict[str, tuple[str, ...]] = {
    "Accept-Language": ("de;q=x", "½", "," * 3000),
    "Authorization": ("Bearer", "Bearer ½", "Basic e30=", "x" * 5000),
    "Content-Length": ("½", "-1", "9" * 50),
    "Content-Type": ("application/json; charset=½", "application/json; charset=rot13", "x/y"),
    "Cookie": ("session=½; language=..", "=;" * 900),
    "Host": ("[", "localhost:x", "localhost:99999", "[::1", "½", ""),
    "If-None-Match": ("½", '"', "W/", "*"),
    "If-Modified-Since": ("never", "Mon, 99 Foo 0000 99:99:99 GMT"),
    "Last-Event-ID": ("½", "²", "9" * 5000, "-1"),
    "Origin": ("http://[", "null", "½"),
    "Range": ("bytes=-", "bytes=9-1", "x=1-2"),
    "X-Forwarded-Proto": ("½",),
}
NESTED: Any = "x"
for _ in range(200):
    NESTED = [NESTED]
WRONG: Mapping[type, tuple[Any, ...]] = {
    str: (*ASKED_FOR, "\ud800", "=1+1", "a\x00b"),
    int: (2**31 - 1, -(2**31) + 1, 0, -1),
    dict: ({text[:300]: text[:300] for text in ASKED_FOR}, {"": ""}, {"red": NESTED}),
    list: ([*ASKED_FOR], [NESTED], [None], [{}]),
    bool: (True, False),
}


@pytest.fixture(autouse=True)
def nothing_logged(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """No request writes a traceback to the log."""
    yield
    assert [record.message for record in caplog.records if record.levelno >= logging.ERROR] == []


def test_no_address_makes_the_server_fail(guest: Client) -> None:
    chance = Random(3)
    for rule in ADDRESSES:
        for _ in range(4):
            asked = "&".join(f"{name}={quote(chance.choice(ASKED_FOR))}" for name in ASKED)
            path = f"{path_of(rule, chance).partition('?')[0]}?{asked}"
            assert guest.get(path).status_code not in range(500, 503), path


@pytest.mark.parametrize("game", games.installed())
def test_no_option_of_a_game_makes_the_server_fail(guest: Client, game: str) -> None:
    """Each value of each option at one address, which all read it in the same way; other games at others."""
    chance = Random(game)
    for option, value in product(games.rules(game).options, ASKED_FOR):
        rule = chance.choice(GAME_ADDRESSES)
        path = f"{rule.rule.replace('<name>', game)}?{option.name}={quote(value)}"
        assert guest.get(path).status_code not in range(500, 503), path


def test_all_that_an_address_may_ask_for_is_tried() -> None:
    sources = "".join(path.read_text("utf-8") for path in Path(web.__file__).parent.rglob("*.py"))
    assert set(re.findall(r'request\.args\.get\("(\w+)"', sources)) <= set(ASKED)


@pytest.mark.parametrize("header", STRANGE)
def test_no_header_makes_the_server_fail(guest: Client, header: str) -> None:
    for value in (value.encode().decode("latin-1") for value in STRANGE[header]):
        for path in ("/", "/records", "/api/v1/state", "/api/v1/records", "/api/v1/records/1/last.svg"):
            answer = guest.get(path, headers={header: value})
            assert answer.status_code not in range(500, 503), (path, value)
        for path in ("/api/v1/actions", "/api/v1/session/pin", "/api/v1/session/seat"):
            answer = guest.post(path, {"pin": "x"}, **{header: value})
            assert answer.status_code not in range(500, 503), (path, value)


@pytest.mark.parametrize("client", ["guest", "home"])
def test_no_body_makes_the_server_fail(client: str, request: pytest.FixtureRequest) -> None:
    browser: Client = request.getfixturevalue(client)
    chance = Random(5)
    for rule, body in BODIES:
        path = path_of(rule, chance).partition("?")[0]
        for sent in wrong(body, chance):
            assert browser.post(path, sent).status_code not in range(500, 503), (path, sent)


def wrong(body: Body, chance: Random) -> Iterator[dict[str, Any]]:
    """Yields what a route takes, with each of its fields wrong in many ways."""
    yield {}
    for field in struct_fields(body):
        for value in WRONG[kind_of(field)]:
            yield {**fields_of(body, "triune", chance), field.name: value}
