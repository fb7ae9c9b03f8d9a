"""Tokens of programs: what each scope may, over every route; revoked and damaged ones; the command line."""

from __future__ import annotations

import json
import re
import threading
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from flask import Flask
from test_web_security import ACTS, FREE, filled, routes
from web_clients import OPEN, PATIENCE_S, Client, serving
from werkzeug.test import TestResponse

from companion.store.store import Store
from companion.table.messages import NewGame
from companion.table.table import Table
from web import Services, Settings, create_app
from web.cli_tokens import token as command
from web.server.access import OF_ONE
from web.server.tokens import FILE, MOST_TOKENS, PREFIX, SAVED_EVERY, TokenError, Tokens, check_scopes

TOKENS = "/api/v1/tokens"


class Program:
    """A program on another machine: it keeps no cookie, and sends a token."""

    def __init__(
        self, app: Flask, secret: str, address: str = "192.168.1.40", host: str = "192.168.1.2"
    ) -> None:
        self.http = app.test_client()
        self.headers = {"Authorization": f"Bearer {secret}"}
        self._base = {"base_url": f"http://{host}", "environ_base": {"REMOTE_ADDR": address}}

    def get(self, path: str, **more: Any) -> TestResponse:
        return self.http.get(path, headers=self.headers, **{**self._base, "buffered": True, **more})

    def post(self, path: str, body: object = None) -> TestResponse:
        return self.http.post(path, json={} if body is None else body, headers=self.headers, **self._base)

    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.get("/api/v1/state").data)
        return found


@pytest.fixture
def tokens(tmp_path: Path) -> Tokens:
    return Tokens(lambda: 1e9, tmp_path / FILE)


@pytest.fixture
def app(playing: Table, store: Store, tokens: Tokens) -> Flask:
    """A server that is open to the network, with a PIN."""
    return create_app(playing, OPEN, Services(store=store, tokens=tokens))


def make(arbiter: Client, *scopes: str) -> str:
    made = arbiter.post(TOKENS, {"name": "a program", "scopes": list(scopes)})
    assert made.status_code == 200, made.data
    return str(made.get_json()["token"])


@pytest.fixture
def boss(app: Flask) -> Client:
    client = Client(app, "192.168.1.30", "192.168.1.2")
    assert client.post("/api/v1/session/pin", {"pin": "4711"}).status_code == 200
    return client


def test_no_reading_token_can_post_anything(app: Flask, boss: Client, playing: Table) -> None:
    """Not even where nobody needs a right, and on no route that is yet to come."""
    program, before = Program(app, make(boss, "read")), playing.snapshot
    for path in routes(app, "POST"):
        answer = program.post(path)
        assert (answer.status_code, "scope" in answer.get_json()["error"]) == (403, True), path
        assert "Set-Cookie" not in answer.headers
    assert playing.snapshot is before


def test_no_reading_token_has_the_rights_of_the_home(playing: Table, store: Store, tokens: Tokens) -> None:
    """Without a PIN a browser on the machine acts for everybody, and a program that reads does not."""
    app = create_app(playing, Settings(), Services(store=store, tokens=tokens))
    secret = make(Client(app), "read")
    program, wrong = (Program(app, s, "127.0.0.1", "localhost") for s in (secret, "companion_wrong"))
    assert program.get("/api/v1/session").get_json()["role"] == "spectator"
    assert program.state()["legal"] == []
    for path, body in ACTS:
        assert program.post(path, body).status_code == 403, path
        assert Program(app, "none", "127.0.0.1", "localhost").post(path, body).status_code in (401, 429), path
    assert wrong.get("/api/v1/state").status_code in (401, 429)


def test_a_reading_token_gets_no_more_than_a_stranger(
    playing: Table, store: Store, tokens: Tokens, guest: Client
) -> None:
    """Not on the machine itself either, where a browser acts for everybody, whatever there is to read."""
    app = create_app(playing, Settings(), Services(store=store, tokens=tokens))
    program = Program(app, make(Client(app), "read"), "127.0.0.1", "localhost")
    paths = {*routes(app, "GET"), "/api/v1/records?deleted=1"} - {"/api/v1/events"}
    for path in sorted(paths):
        mine, theirs = program.get(path), guest.get(path)
        expected = 403 if path == TOKENS else theirs.status_code
        assert mine.status_code == expected, path


COMMENT = "/api/v1/records/1/notes"
OF_RED = (
    COMMENT,
    "/api/v1/answers",
    "/api/v1/beliefs",
    "/api/v1/board-turns",
    "/api/v1/redos",
    "/api/v1/turn-ends",
    "/api/v1/draws/offer",
    "/api/v1/actions",
    "/api/v1/resignations",
)
"""What the seat of red may try where it is red's turn, in an order in which it stays so."""
OF_ALL = tuple(path for path, _ in ACTS if not path.startswith(TOKENS))
ALLOWED = {"seat:red": OF_RED, "seat:blue": (COMMENT, "/api/v1/takebacks"), "arbiter": OF_ALL}


@pytest.mark.parametrize("scope", ALLOWED)
def test_who_may_do_what(app: Flask, boss: Client, scope: str) -> None:
    program = Program(app, make(boss, scope))
    for path, body in ACTS:
        if path not in ALLOWED[scope]:
            answer = program.post(path, body)
            assert answer.status_code == 403, path
            assert "scope" in answer.get_json()["error"] or path.startswith(TOKENS), path
    for path in ALLOWED[scope]:
        answer = program.post(path, dict(ACTS)[path])
        assert answer.status_code not in (401, 403), (path, answer.data)
    for path in FREE:  # what a browser's cookie holds
        assert program.post(path, {}).status_code in (400, 403), path


def test_a_missing_scope_is_named(app: Flask, boss: Client) -> None:
    seat, reader = Program(app, make(boss, "seat:blue")), Program(app, make(boss, "read"))
    words = [
        program.post("/api/v1/actions", {"action": "a3-a4"}).get_json()["error"] for program in (seat, reader)
    ]
    assert words[0] == "this token lacks the scope seat:red"
    assert words[1] == "this token only reads: to act it needs the scope seat:PLAYER or arbiter"
    assert seat.post("/api/v1/closings").get_json()["error"] == "this token lacks the scope arbiter"


def test_no_cookie_is_set_and_none_is_needed(app: Flask, boss: Client) -> None:
    program = Program(app, make(boss, "seat:red"))
    for path in ("/", "/api/v1/session", "/api/v1/state"):
        answer = program.get(path)
        assert answer.status_code == 200
        assert "Set-Cookie" not in answer.headers
    assert program.get("/api/v1/session").get_json()["csrf"] == ""
    assert program.post("/api/v1/actions", {"action": "a3-a4"}).status_code == 200


def test_a_token_is_all_that_counts_beside_a_cookie(app: Flask, boss: Client) -> None:
    headers = {"Authorization": f"Bearer {make(boss, 'read')}"}
    base = {"base_url": "http://192.168.1.2"}
    assert boss.http.get("/api/v1/session", headers=headers, **base).get_json()["role"] == "spectator"
    with_both = {**headers, "X-CSRF-Token": boss.token}
    assert boss.http.post("/api/v1/closings", json={}, headers=with_both, **base).status_code == 403
    answer = boss.http.get("/", headers=headers, **base)
    assert "Set-Cookie" not in answer.headers


def test_tokens_are_made_by_people(app: Flask, boss: Client, home: Client) -> None:
    program = Program(app, make(boss, "arbiter"))
    for answer in (
        program.get(TOKENS),
        program.post(TOKENS, {"name": "another", "scopes": ["read"]}),
        program.post(f"{TOKENS}/{boss.get(TOKENS).get_json()[0]['id']}/revocation"),
    ):
        assert answer.status_code == 403
        assert "with no token" in answer.get_json()["error"]
    assert Client(app, "192.168.1.9", "192.168.1.2").get(TOKENS).status_code == 403


@pytest.mark.parametrize(
    "sent",
    [
        "Bearer",
        "Bearer ",
        "Bearer x",
        f"bearer {PREFIX}x",
        "Bearer a b",
        "BEARER ÿ",
        f"Bearer {PREFIX}{'x' * 9000}",
    ],
)
def test_what_is_no_token_is_told_so(app: Flask, sent: str) -> None:
    for path in ("/api/v1/state", "/", "/api/v1/nothing"):
        answer = app.test_client().get(path, base_url="http://127.0.0.1", headers={"Authorization": sent})
        assert answer.status_code == 401, path
        assert answer.headers["WWW-Authenticate"] == "Bearer error=invalid_token"
        assert "error" in answer.get_json() or path == "/"


def test_other_schemes_are_a_proxys_affair(app: Flask) -> None:
    headers = {"Authorization": "Basic dXNlcjpzZWNyZXQ="}
    answer = app.test_client().get("/api/v1/session", base_url="http://127.0.0.1", headers=headers)
    assert (answer.status_code, answer.get_json()["role"]) == (200, "spectator")


def test_the_name_of_the_server_is_checked_all_the_same(app: Flask, boss: Client) -> None:
    program = Program(app, make(boss, "arbiter"), host="evil.example")
    assert program.get("/api/v1/state").status_code == 400


def test_wrong_tokens_are_limited_and_keep_no_right_one_waiting(app: Flask, boss: Client) -> None:
    good, bad = Program(app, make(boss, "read")), Program(app, "companion_wrong")
    codes = [bad.get("/api/v1/state").status_code for _ in range(OF_ONE + 1)]
    assert codes == [401] * OF_ONE + [429]
    assert int(bad.get("/api/v1/state").headers["Retry-After"]) > 0
    assert good.get("/api/v1/state").status_code == 200  # from the same address
    same = Client(app, "192.168.1.40", "192.168.1.2")
    assert same.post("/api/v1/session/pin", {"pin": "4711"}).status_code == 200  # the PIN counts by itself


def test_a_revoked_token_is_refused_at_once_and_its_stream_ends(app: Flask, boss: Client) -> None:
    secret = make(boss, "read")
    program = Program(app, secret)
    events = iter(program.get("/api/v1/events", buffered=False).response)
    next(events), next(events)  # the beginning, and the state
    listed = boss.get(TOKENS).get_json()
    assert [entry["scopes"] for entry in listed] == [["read"]]
    assert secret not in json.dumps(listed)
    assert boss.post(f"{TOKENS}/{listed[0]['id']}/revocation").status_code == 200
    assert program.get("/api/v1/state").status_code == 401
    assert list(events) == []
    assert boss.post(f"{TOKENS}/{listed[0]['id']}/revocation").status_code == 404


def test_a_running_server_notices_the_command_line(app: Flask, tmp_path: Path) -> None:
    def run(*args: str) -> str:
        found = CliRunner().invoke(command, [*args, "--data", str(tmp_path)], catch_exceptions=False)
        assert found.exit_code == 0, found.output
        return str(found.stdout)

    secret = run("new", "engine", "--scope", "read", "--scope", "seat:red").strip()
    program = Program(app, secret)
    assert program.post("/api/v1/actions", {"action": "a3-a4"}).status_code == 200
    line = json.loads(run("list", "--json"))
    assert (line["name"], line["scopes"], line["used"]) == (
        "engine",
        ["read", "seat:red"],
        "2001-09-09T01:46:40Z",
    )
    assert "engine" in run("list")
    run("revoke", line["id"])
    assert program.get("/api/v1/state").status_code == 401
    assert run("list") == ""


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["new", "x", "--scope", "seat"], "a scope is read, seat:PLAYER"),
        (["new", "x", "--scope", "seat:A b"], "a scope is read, seat:PLAYER"),
        (["new", "x", "--scope", "arbiter", "--scope", "seat:red"], "one seat or for the arbiter"),
        (["new", "x", "--scope", "seat:red", "--scope", "seat:blue"], "one seat or for the arbiter"),
        (["new", " "], "1 to 60 characters"),
        (["revoke", "nobody"], "there is no token 'nobody'"),
    ],
)
def test_what_the_command_line_refuses(tmp_path: Path, args: list[str], words: str) -> None:
    found = CliRunner().invoke(command, [*args, "--data", str(tmp_path)])
    assert isinstance(found.exception, TokenError)
    assert words in str(found.exception)
    assert not (tmp_path / FILE).exists()


def test_a_seat_holds_in_every_game_that_has_it(app: Flask, boss: Client, playing: Table) -> None:
    program = Program(app, make(boss, "seat:red"))
    assert playing.ask(NewGame("triune")).ok
    assert program.get("/api/v1/session").get_json()["seat"] == "red"
    assert program.state()["legal"]
    assert playing.ask(NewGame("chess")).ok
    assert program.get("/api/v1/session").get_json()["role"] == "spectator"
    assert program.post("/api/v1/actions", {"action": "e2e4"}).status_code == 403


def hide(table: Table) -> None:
    """Begins a game in which players set pieces that others do not know."""
    assert table.ask(NewGame("magnet")).ok


def test_secrets_are_shown_to_a_seat_that_was_given_in_their_game_alone(
    app: Flask, boss: Client, playing: Table
) -> None:
    before = Program(app, make(boss, "seat:red"))
    hide(playing)
    red, blue, arbiter, reader = (
        Program(app, make(boss, scope)) for scope in ("seat:red", "seat:blue", "arbiter", "read")
    )
    assert red.post("/api/v1/actions", {"action": "=K222333444tT"}).status_code == 200
    seen = [program.state()["pieces"] for program in (red, blue, arbiter, reader, before)]
    assert seen[0] != seen[1] == seen[2] == seen[3] == seen[4]
    assert [program.get("/api/v1/session").get_json()["role"] for program in (red, arbiter, before)] == [
        "seat",
        "arbiter",
        "spectator",
    ]
    for program in (before, arbiter, reader):  # not even whether something would be refused
        assert program.get("/api/v1/judge?action=x").status_code == 403
    answer = before.post("/api/v1/resignations", {"player": "red"})
    assert (answer.status_code, "another game" in answer.get_json()["error"]) == (403, True)

    hide(playing)
    assert red.get("/api/v1/session").get_json()["role"] == "spectator"
    assert red.state() == reader.state()
    assert red.post("/api/v1/actions", {"action": "=K222333444tT"}).status_code == 403


def test_a_seat_of_another_store_sees_no_secrets(playing: Table, store: Store, tokens: Tokens) -> None:
    hide(playing)
    number = playing.snapshot.number
    app = create_app(playing, OPEN, Services(store=store, tokens=tokens))
    _, here = tokens.make("here", ["seat:red"], number, store.identity)
    _, elsewhere = tokens.make("elsewhere", ["seat:red"], number, "another store")
    roles = [Program(app, secret).get("/api/v1/session").get_json()["role"] for secret in (here, elsewhere)]
    assert roles == ["seat", "spectator"]


def test_a_token_is_kept_hashed_for_its_owner_alone(tokens: Tokens, tmp_path: Path) -> None:
    made, secret = tokens.make("a  program\n", ["read"])
    assert made.name == "a program"
    kept = (tmp_path / FILE).read_text()
    assert secret not in kept
    assert secret.removeprefix(PREFIX) not in kept
    assert len(secret) >= len(PREFIX) + 43  # 256 bits
    assert (tmp_path / FILE).stat().st_mode & 0o077 == 0
    assert tokens.find(secret.swapcase()) is None


def test_the_use_is_saved_now_and_then(tmp_path: Path) -> None:
    now = [1000.0]
    tokens = Tokens(lambda: now[0], tmp_path / FILE)
    _, secret = tokens.make("x", ["read"])

    def saved() -> float | None:
        return Tokens(lambda: 0.0, tmp_path / FILE).list()[0].used

    assert saved() is None
    tokens.find(secret)
    now[0] += 1
    tokens.find(secret)
    assert (saved(), tokens.list()[0].used) == (1000, 1001)
    now[0] += SAVED_EVERY
    tokens.find(secret)
    assert saved() == 1001 + SAVED_EVERY


def test_who_remembers_a_revoked_token_does_not_bring_it_back(tmp_path: Path) -> None:
    server, line = (Tokens(lambda: 1000.0, tmp_path / FILE) for _ in range(2))
    made, secret = server.make("x", ["read"])
    _, other = server.make("y", ["read"])
    line.revoke(made.id)
    assert server.find(other)  # saves its use
    assert server.find(secret) is None
    assert [token.name for token in Tokens(lambda: 0.0, tmp_path / FILE).list()] == ["y"]


def test_many_who_make_tokens_at_once_lose_none(tmp_path: Path) -> None:
    def make_some() -> None:
        own = Tokens(lambda: 0.0, tmp_path / FILE)
        for _ in range(5):
            own.make("x", ["read"])

    threads = [threading.Thread(target=make_some) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(Tokens(lambda: 0.0, tmp_path / FILE).list()) == 20


def test_there_is_a_most_of_tokens(tokens: Tokens) -> None:
    tokens._held = {str(n): made for n, made in enumerate([tokens.make("x", ["read"])[0]] * MOST_TOKENS)}
    with pytest.raises(TokenError, match="revoke one first"):
        tokens.make("one more", ["read"])


DAMAGED = [
    "",
    "{",
    "[]",
    "7",
    '{"tokens": 7}',
    '{"tokens": [{}]}',
    '{"tokens": [{"hash": "a", "id": 7}]}',
    "[" * 9999,
]


@pytest.mark.parametrize("damaged", DAMAGED)
def test_a_damaged_file_is_set_aside(tmp_path: Path, damaged: str, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / FILE).write_text(damaged)
    tokens = Tokens(lambda: 0.0, tmp_path / FILE)
    assert tokens.find("x") is None
    assert (tmp_path / f"{FILE}.damaged").read_text() == damaged
    assert "make new tokens" in caplog.text
    _, secret = tokens.make("x", ["read"])
    assert Tokens(lambda: 0.0, tmp_path / FILE).find(secret)


def test_a_disk_that_takes_nothing_makes_no_token(
    tokens: Tokens, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    _, secret = tokens.make("x", ["read"])

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("web.server.tokens.write_private", fail)
    with pytest.raises(OSError, match="No space"):
        tokens.make("y", ["read"])
    assert [token.name for token in tokens.list()] == ["x"]
    assert tokens.find(secret)
    assert "the use of tokens is not kept" in caplog.text


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (["read", "read"], ("read",)),
        (["seat:red", "read"], ("read", "seat:red")),
        (["arbiter"], ("arbiter",)),
    ],
)
def test_scopes_are_kept_in_order(given: list[str], kept: tuple[str, ...]) -> None:
    assert check_scopes(given) == kept


def test_the_client_of_the_documents_plays(
    playing: Table,
    store: Store,
    tokens: Tokens,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    page = Path(__file__).parents[2] / "docs" / "api.md"
    (client,) = re.findall(r"^```python\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)
    made, secret = tokens.make("a bot", ["seat:red"])
    app = create_app(playing, Settings(port=0, streams=4), Services(store=store, tokens=tokens))
    with serving(app) as (host, port):
        monkeypatch.setenv("COMPANION", f"http://{host}:{port}/")
        monkeypatch.setenv("TOKEN", secret)
        shown = playing.snapshot.id
        thread = threading.Thread(target=exec, args=(client, {}))
        thread.start()
        played = playing.wait(shown, PATIENCE_S)
        assert played
        assert played.session
        assert [ply.player for ply in played.session.plies] == ["red", "blue", "red"]
        tokens.revoke(made.id)  # which ends its stream
        thread.join(PATIENCE_S)
        assert not thread.is_alive()
    assert capsys.readouterr().out == f"red plays {played.session.actions[-1]}\n"


def test_the_api_answers_as_it_describes_itself(app: Flask, boss: Client) -> None:
    """Each route, asked by nobody, by a token of each scope and by a wrong one."""
    document = boss.get("/api/v1/openapi.json").get_json()
    secrets = [make(boss, scope) for scope in ("read", "seat:red", "arbiter")]
    programs = [Program(app, secret, f"10.0.0.{n}") for n, secret in enumerate([*secrets, "wrong"])]
    bodies = dict(ACTS)
    for path, operations in document["paths"].items():
        address = filled(path)
        if address.endswith("/events"):
            continue  # it does not end
        for method, operation in operations.items():
            for program in programs:
                answer = (
                    program.get(address) if method == "get" else program.post(address, bodies.get(address))
                )
                told = operation["responses"]
                if program is programs[-1]:
                    assert answer.status_code in (401, 429), (method, address)
                assert str(answer.status_code) in told, (method, address, answer.status_code, answer.data)
                kinds = told[str(answer.status_code)].get("content", {})
                assert answer.mimetype in kinds or not answer.data or not kinds, (address, answer.mimetype)
    bearer = document["components"]["securitySchemes"]["bearer"]
    assert (bearer["type"], bearer["scheme"]) == ("http", "bearer")
    for operations in document["paths"].values():
        for operation in operations.values():
            assert {"bearer": []} in operation["security"]
            assert operation["responses"]["401"]["content"]["application/json"]
