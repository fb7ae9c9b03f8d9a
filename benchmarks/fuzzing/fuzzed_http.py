"""Requests to the page's application: sequences of what people of every role do, and of what nobody should.

An input is a script: whether the page is open to the network, and its requests, each with who sends it. What
a request means is settled when it is sent: `pick` plays one of the actions that are legal then. No answer is
a fault of the server's, each refusal is one line, who only looks changes nothing, and the stored games are
those that were shown.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Iterator
from dataclasses import is_dataclass
from random import Random
from typing import Annotated, Any, Literal, TypeAlias, get_args, get_origin
from unittest.mock import create_autospec
from urllib.parse import quote

from flask import Flask
from flask.testing import FlaskClient
from msgspec import Struct
from msgspec.structs import FieldInfo
from msgspec.structs import fields as struct_fields
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from benchmarks.fuzzing.fuzzed_imports import written
from benchmarks.fuzzing.mutation import mutated_text, mutated_value
from benchmarks.fuzzing.target import Outcome, demand
from companion import games
from companion.record.exports import formats
from companion.store.store import Store
from companion.table.desk import Desk
from companion.table.messages import Meant, Message, Reply
from companion.table.snapshot import Snapshot
from vision.sources.virtual import VirtualTable
from web import Services, Settings, create_app
from web.routes.auth import seat_link

Body: TypeAlias = type[Struct]
"""The fields that a route takes."""
PIN = "4711"
ROLES = ("arbiter", "first", "second", "looker", "home")
ADDRESSES = {"home": "127.0.0.1"}
OTHER = "192.168.1.20"
CLOCKS = ("", "5+3", "10d5", "90", "1e3", "0", "5+3+1", "x")
LOOKS = ("empty", "red", "blue", "white", "black/king", "north", "red/solid", "+M", "nothing")
ACTIONS = ("a2-a3", "e2>e4", "pass", "?", "a1", "=?", "11-15", "")
WORDS = ("Ann", "", " ", "<b>", "ß" * 40, "‮", "a\nb", "x" * 401, "red", "0", "\ud800")
PATHS = ("red", "white", "north", "triune", "chess", "nobody", "..", "%2e%2e", "a b", "𝄞")
ASKED = (
    *("action", "before", "camera", "deleted", "ended", "from", "game", "player", "small", "words", "board"),
    *sorted({option.name for name in games.installed() for option in games.rules(name).options}),
)
"""The names of all that an address may ask for."""
ASKED_FOR = (
    *("a2-a3", "a b", "3", "1", "", "0", "-1", "½", "²", "9" * 5000, "x" * 5000),
    *("\x00", "\n\x1b[31m", "{white}", "{", "..", "[" * 3000, "‮", "chess", "open"),
)
MOVER = "mover"
"""Whoever owes the next action."""
DEVICES = re.compile("setup|grid|camera|table")
"""The routes of cameras and grids."""
DRAWN = ("gif", "webp", "png", "pdf")
"""Forms that take long, and are asked for seldom."""


class Fuzzed:
    """The page's application."""

    suffix = ".json"

    def __init__(self) -> None:
        self._routes = tuple(routes())

    def make(self, chance: Random) -> bytes:
        game = chance.choice(games.installed())
        begin = {"who": "arbiter", "path": "/api/v1/games", "body": {"game": game}}
        requests = [begin, *(self._request(game, chance) for _ in range(chance.randint(2, 25)))]
        return json.dumps({"open": chance.random() < 0.7, "requests": requests}).encode()

    def attempt(self, content: bytes) -> Outcome:
        script = json.loads(content)
        with Store(":memory:") as store:
            page = _Page(store, is_open=script["open"])
            accepted, refusals = 0, []
            for request in script["requests"]:
                answer = page.send(request)
                if answer.status_code < 400:
                    accepted += 1
                else:
                    refusals.append(_refusal(answer))
            page.check_stored(store)
        return Outcome(accepted, tuple(refusals))

    def close(self) -> None:
        """Nothing is kept."""

    def _route(self, chance: Random) -> tuple[Rule, Body | None]:
        """Returns a route; seldom one of a device, since none is there."""
        found = chance.choice(self._routes)
        while DEVICES.search(found[0].rule) and chance.random() < 0.9:
            found = chance.choice(self._routes)
        return found

    def _request(self, game: str, chance: Random) -> dict[str, Any]:
        who = chance.choice(ROLES)
        if chance.random() < 0.4:
            who = who if chance.random() < 0.2 else MOVER
            return {"who": who, "path": "/api/v1/actions", "body": {}, "pick": chance.randrange(1000)}
        rule, body = self._route(chance)
        request: dict[str, Any] = {"who": who, "path": path_of(rule, chance)}
        if body is not None:
            request["body"] = fields_of(body, game, chance)
            if chance.random() < 0.05:
                request["body"] = mutated_value(request["body"], chance)
            if chance.random() < 0.03:
                request["raw"] = mutated_text(json.dumps(request["body"]), chance)
            if chance.random() < 0.03:
                request["headers"] = {
                    chance.choice(("X-CSRF-Token", "Origin", "Host")): chance.choice(PATHS[:6])
                }
        return request


class _Page:
    """An application around a table that answers at once, with a browser for each role."""

    def __init__(self, store: Store, is_open: bool) -> None:
        self.table = _Table(Desk(store, rng=Random(1), wall=lambda: 1.7e9))
        settings = Settings(
            host="0.0.0.0" if is_open else "127.0.0.1",
            pin=PIN if is_open else None,
            secret=b"k" * 32,
            think_seconds=0.02,
        )
        services = Services(virtual_table=create_autospec(VirtualTable), store=store, wall=lambda: 1.7e9)
        self.app = create_app(self.table, settings, services)
        self._is_open = is_open
        self._has_looker = is_open
        self._browsers = {who: _Browser(self.app, ADDRESSES.get(who, OTHER), is_open) for who in ROLES}
        if is_open:
            self._browsers["arbiter"].post("/api/v1/session/pin", {"pin": PIN})

    def send(self, request: dict[str, Any]) -> TestResponse:
        """Sends a request of a script, and checks the answer."""
        browser, path = self._browsers[self._sender(request["who"])], request["path"]
        if "body" not in request:
            answer = browser.get(path)
        else:
            before = self.table.snapshot
            answer = browser.post(path, self._body(request), request.get("raw"), request.get("headers", {}))
            is_looking = self._has_looker and request["who"] == "looker"
            if is_looking and path.startswith("/api/v1/session/") and answer.status_code < 400:
                self._has_looker = is_looking = False  # it may have found the PIN
            demand(
                not is_looking or answer.status_code >= 400 or self.table.snapshot is before,
                "who only looks changes nothing",
            )
        if request["path"] == "/api/v1/games" and answer.status_code == 200:
            self._seat_players()
        _check_answer(answer)
        return answer

    def _sender(self, who: str) -> str:
        """Returns the browser of a role; for a mover, that of the player who owes the next action."""
        if who != MOVER:
            return who
        session = self.table.snapshot.session
        seats = session.players[:2] if session and self._is_open else ()
        movers = dict(zip(seats, ("first", "second"), strict=False))
        return movers.get(session.position.to_act, "arbiter") if session else "arbiter"

    def check_stored(self, store: Store) -> None:
        """Checks that the stored games can be replayed, and that the one on the table is as it is shown."""
        for number, words in store.check():
            demand(False, f"a stored game is whole, not ({number}: {words})")
        shown = self.table.snapshot
        if shown.session is not None and shown.number is not None:
            demand(store.load(shown.number).session() == shown.session, "the game is stored as it is shown")
        for who in ROLES:
            json.loads(self._browsers[who].get("/api/v1/state").data, parse_constant=_refuse_constant)

    def _seat_players(self) -> None:
        """Gives two browsers the first two seats of a new game."""
        snapshot = self.table.snapshot
        if not self._is_open or snapshot.session is None:
            return
        for who, player in zip(("first", "second"), snapshot.session.players, strict=False):
            with self.app.test_request_context(base_url="http://192.168.1.2"):
                token = seat_link(player).partition("#")[2]
            self._browsers[who].post("/api/v1/session/seat", {"token": token})

    def _body(self, request: dict[str, Any]) -> Any:
        """Returns the body of a request, in which what is to be picked is settled."""
        session, body = self.table.snapshot.session, request["body"]
        if "pick" not in request or session is None:
            return body
        dealt = session.rules.deal(session.position, session.game.options, Random(request["pick"]))
        legal = [dealt] if dealt else list(session.rules.legal(session.position))
        return {"action": legal[request["pick"] % len(legal)] if legal else ""}


class _Table:
    """A table without a thread: what goes wrong in it comes out."""

    is_open = True

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    @property
    def snapshot(self) -> Snapshot:
        return self._desk.snapshot

    def ask(self, message: Message | Meant, timeout: float = 1.0) -> Reply:
        return self._desk.handle(message)[0]

    def listen(self, listener: Callable[[Snapshot], None]) -> None:
        """Nobody waits for news."""


class _Browser:
    """A browser with its cookie and token. An error that the application logs is raised here."""

    def __init__(self, app: Flask, address: str, is_open: bool) -> None:
        self._http: FlaskClient = app.test_client()
        host = "192.168.1.2" if is_open else "localhost"
        self._base: dict[str, Any] = {
            "base_url": f"http://{host}",
            "environ_base": {"REMOTE_ADDR": address if is_open else "127.0.0.1"},
        }
        self._token = self.get("/api/v1/session").get_json()["csrf"]

    def get(self, path: str) -> TestResponse:
        return self._heard(lambda: self._http.get(path, buffered=True, **self._base))

    def post(
        self, path: str, body: Any, raw: str | None = None, headers: dict[str, str] | None = None
    ) -> TestResponse:
        text = json.dumps(body) if raw is None else raw
        sent = {"X-CSRF-Token": self._token, "Content-Type": "application/json", **(headers or {})}
        data = text.encode("utf-8", "replace")
        return self._heard(lambda: self._http.post(path, data=data, headers=sent, **self._base))

    def _heard(self, ask: Callable[[], TestResponse]) -> TestResponse:
        log, noted = logging.getLogger("web"), _Noted()
        was, log.propagate = log.propagate, False
        log.addHandler(noted)
        try:
            answer = ask()
        finally:
            log.removeHandler(noted)
            log.propagate = was
        if noted.error is not None:
            raise noted.error
        return answer


class _Noted(logging.Handler):
    """Notes the error that the application logged."""

    error: BaseException | None = None

    def emit(self, record: logging.LogRecord) -> None:
        self.error = record.exc_info[1] if record.exc_info else None


def routes() -> Iterator[tuple[Rule, Body | None]]:
    """Yields each route with the body that it takes; but for live events, which do not end."""
    with Store(":memory:") as store:
        app = create_app(_Table(Desk(store)))
    for rule in sorted(app.url_map.iter_rules(), key=lambda rule: rule.rule):
        body: Body | None = getattr(app.view_functions[rule.endpoint], "body", None)
        if "events" not in rule.rule and not rule.rule.startswith("/static"):
            is_read = "GET" in (rule.methods or ())
            if is_read or body is not None:
                yield rule, body


def path_of(rule: Rule, chance: Random) -> str:
    """Returns an address of a route."""
    parts = {name: _part(rule, name, chance) for name in sorted(rule.arguments)}
    path = "".join(parts[text] if is_part else text for is_part, text in rule._trace)
    return path.lstrip("|") + chance.choice(
        ("", f"?{chance.choice(ASKED)}={quote(chance.choice(ASKED_FOR))}")
    )


def _part(rule: Rule, name: str, chance: Random) -> str:
    converter = rule._converters[name]
    if chance.random() < 0.1:
        return chance.choice(("0", "-1", "2147483647", "99999999999", "x", *PATHS))
    match type(converter).__name__:
        case "IntegerConverter":
            return str(chance.choice((1, 1, 1, 1, 2, 3)))
        case "AnyConverter":
            return str(chance.choice(sorted(converter.items)))  # type: ignore[attr-defined]
    if name == "form":
        return chance.choice([form for form in formats() if form not in DRAWN or chance.random() < 0.2])
    return chance.choice((*games.installed(), *PATHS[:3]))


def kind_of(field: FieldInfo) -> type:
    """Returns what JSON has for a field: a text, a number, a list."""
    limited = get_origin(field.type) is Annotated
    plain: Any = get_args(field.type)[0] if limited else field.type
    if get_origin(plain) is Literal:
        return str
    return dict if is_dataclass(plain) else get_origin(plain) or plain


def fields_of(body: Body, game: str, chance: Random) -> dict[str, Any]:
    """Returns fields as a body needs them; now and then one is another's, missing, or not known."""
    fields: dict[str, Any] = {}
    for field in struct_fields(body):
        if not field.required and chance.random() < 0.5:
            continue
        value = fields[field.name] = _value(field.name, kind_of(field), game, chance)
        if chance.random() < 0.04:
            fields[field.name] = mutated_value(value, chance, WORDS)
    if chance.random() < 0.02:
        fields[chance.choice(("more", "pin", ""))] = 1
    return fields


def _value(name: str, kind: type, game: str, chance: Random) -> Any:
    """Returns a value for a field: by its name where that tells, else any of its kind."""
    rules = games.rules(game)
    seats = ("", "red", "blue", "white", "black", "north", "south", "arbiter")
    known: dict[str, Callable[[], Any]] = {
        "game": lambda: chance.choice(games.installed()),
        "options": lambda: {
            o.name: chance.choice(o.values) for o in rules.options if o.values and chance.random() < 0.5
        },
        "names": lambda: {seat: chance.choice(WORDS) for seat in chance.sample(seats, 2)},
        "clock": lambda: chance.choice(CLOCKS),
        "action": lambda: chance.choice(ACTIONS),
        "choice": lambda: chance.sample(ACTIONS, chance.randint(0, 2)),
        "count": lambda: chance.choice((1, 1, 2, 3, 0, -1, 10**6)),
        "player": lambda: chance.choice(seats),
        "seat": lambda: chance.choice(seats),
        "turn": lambda: chance.choice(seats),
        "winner": lambda: chance.choice(seats),
        "looks": lambda: {
            place: chance.choice(LOOKS) for place in chance.sample(("a1", "b2", "h8", "z9", "c3"), 2)
        },
        "pin": lambda: chance.choice((PIN, "0000", "")),
        "token": lambda: chance.choice(("x", "WyJyZWQiLDFd.x")),
        "steps": lambda: {str(chance.randint(0, 5)): chance.choice(ACTIONS)},
        "record": lambda: written(chance.choice(("record", "text", "pgn", "pdn")), chance),
        "text": lambda: chance.choice(WORDS),
    }
    if name in known:
        return known[name]()
    values = {
        str: chance.choice(WORDS),
        int: chance.randint(-1, 5),
        bool: chance.random() < 0.5,
        dict: {},
        list: [],
    }
    return values[kind]


def _check_answer(answer: TestResponse) -> None:
    demand(answer.status_code < 500 or answer.status_code == 503, f"no answer is {answer.status_code}")
    if answer.mimetype == "application/json":
        json.loads(answer.data, parse_constant=_refuse_constant)
    if answer.status_code >= 400 and answer.mimetype == "application/json":
        words = answer.get_json().get("error")
        demand(isinstance(words, str) and words != "" and "\n" not in words, "a refusal is one line")


def _refusal(answer: TestResponse) -> str:
    if answer.mimetype == "application/json":
        return f"{answer.status_code}: {answer.get_json()['error']}"
    return str(answer.status_code)


def _refuse_constant(name: str) -> None:
    demand(False, f"JSON has no {name}")
