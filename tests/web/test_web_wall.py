"""The wall's server: its stream, its pages and their headers, the desk, rulings that reach a real board."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from web_clients import OPEN, Client, serving

from broker_bridge.topics import STATE, STATUS
from companion.store.store import Store
from companion.table.table import Table
from companion.wire.codec import write
from hall.wall.app import create_wall
from hall.wall.board_addresses import BoardAddress
from hall.wall.board_calls import BoardAnswer, BoardCalls
from hall.wall.routes.live import Display
from hall.wall.tile import tile_of
from tests.hall.wall.halls import Stage, board_name, staged, tell_board, tell_hall
from web import Services, create_app
from web.server.certificate import certificate
from web.server.settings import Settings
from web.server.tokens import Tokens

SEVEN = board_name(7)
RULE = "/api/v1/desk/rulings"


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    """A wall that is open to the network, with twelve boards."""
    with staged(tmp_path, OPEN) as stage:
        tell_hall(stage.link, range(1, 13))
        yield stage


@pytest.fixture
def guest(stage: Stage) -> Client:
    return Client(create_wall(stage.shared), "192.168.1.20", "192.168.1.2")


@pytest.fixture
def desk(stage: Stage) -> Client:
    """The arbiter's browser."""
    client = Client(create_wall(stage.shared), "192.168.1.30", "192.168.1.2")
    assert client.post("/api/v1/session/pin", {"pin": "4711"}).status_code == 200
    return client


def told(news: bytes) -> dict[str, Any]:
    """The events of a stream's bytes, by kind."""
    found = re.findall(rb"event: (\w+)\ndata: (.*)\n\n", news)
    return {kind.decode(): json.loads(data) for kind, data in found}


def ruling(number: int = 1, **more: Any) -> dict[str, Any]:
    values = {"winner": "white"}
    return {"board": str(SEVEN), "number": number, "kind": "result", "values": values, **more}


def test_a_display_is_told_all_boards_and_then_those_that_changed(stage: Stage) -> None:
    display, lookout = Display(stage.shared, "en"), stage.shared.lookout
    first = told(display.news(lookout.hall))
    assert first["boards"]["whole"]
    assert len(first["boards"]["boards"]) == 12
    assert first["hall"]["lost"] is False
    assert display.news(lookout.hall) == b""
    tell_board(stage.link, 7, 5)
    (tile,) = told(display.news(lookout.hall))["boards"]["boards"]
    assert tile["name"] == str(SEVEN)
    assert tile["last"]["n"] == 5
    stage.link.tell(SEVEN, STATUS, b"")
    assert told(display.news(lookout.hall))["boards"] == {"whole": False, "gone": [str(SEVEN)], "boards": []}
    lookout.parted("gone")
    assert told(display.news(lookout.hall))["hall"]["lost"] is True


def test_a_display_is_told_that_there_is_no_board(tmp_path: Path) -> None:
    with staged(tmp_path) as empty:
        news = Display(empty.shared, "en").news(empty.shared.lookout.hall)
    assert told(news)["boards"] == {"whole": True, "gone": [], "boards": []}


def test_the_stream_begins_at_once(stage: Stage) -> None:
    with serving(create_wall(stage.shared)) as (host, port):
        import http.client

        connection = http.client.HTTPConnection(host, port, timeout=60)
        connection.request("GET", "/api/v1/events")
        answer = connection.getresponse()
        begun = b""
        while b"event: hall" not in begun:
            begun += answer.read1()
        connection.close()
    assert answer.getheader("Content-Type", "").startswith("text/event-stream")
    assert set(told(begun + b"\n\n")) >= {"boards"}


def test_words_are_in_the_language_of_the_display(stage: Stage, pseudo_language: str) -> None:
    news = told(Display(stage.shared, pseudo_language).news(stage.shared.lookout.hall))
    titles = {tile["game"]["title"] for tile in news["boards"]["boards"]}
    assert "⟦Chess⟧" in titles
    needs = [need for tile in news["boards"]["boards"] for need in tile["needs"]]
    refused = next(need for need in needs if need["kind"] == "refused")
    assert refused["rules"][0]["title"].startswith("⟦")


def test_the_stream_holds_nothing_that_the_board_did_not_tell_everybody(stage: Stage) -> None:
    magnet = next(
        board for board in stage.shared.lookout.hall.boards.values() if tile_title(board) == "magnet"
    )
    before = told(Display(stage.shared, "en").news(stage.shared.lookout.hall))
    tile = next(tile for tile in before["boards"]["boards"] if tile["name"] == str(magnet.name))
    assert tile["pieces"] == dict(magnet.told.pieces)
    secret = {"secret": "red's trap is on a1", "legal": ["a1"], "moves": ["a1+"]}
    state = {"state": "playing", "number": 1, "game": {"name": "magnet", **secret}, **secret, "at": 1.0}
    stage.link.tell(magnet.name, STATE, state)
    news = Display(stage.shared, "en").news(stage.shared.lookout.hall)
    assert b"trap" not in news
    assert b"a1" not in write(tile_of(stage.shared.lookout.hall.boards[magnet.name], 20.0))


def tile_title(board: Any) -> str:
    return board.told.game.name if board.told.game else ""


@pytest.mark.parametrize("path", ["/", "/desk", "/api/v1/session", "/nowhere", "/static/js/wall/main.js"])
def test_only_the_overlay_may_be_embedded(guest: Client, path: str) -> None:
    headers = guest.get(path).headers
    assert headers["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]


def test_the_overlay_may_be_embedded(guest: Client) -> None:
    answer = guest.get("/obs?board=Hall A/7")
    assert answer.status_code == 200
    assert "X-Frame-Options" not in answer.headers
    assert "frame-ancestors *" in answer.headers["Content-Security-Policy"]
    assert "script-src 'self'" in answer.headers["Content-Security-Policy"]


def test_looking_is_free_and_acting_needs_the_pin(guest: Client, stage: Stage) -> None:
    assert guest.get("/api/v1/session").get_json()["role"] == "spectator"
    for path, body in [
        (RULE, ruling()),
        ("/api/v1/desk/ticks", {"need": "x", "seen": True}),
        ("/api/v1/desk/boards", {"board": str(SEVEN), "address": "http://evil.example"}),
    ]:
        assert guest.post(path, body).status_code == 403
        assert guest.http.post(path, json=body, base_url="http://192.168.1.2").status_code == 403
    assert guest.get("/api/v1/desk/rulings").status_code == 403
    assert guest.get("/api/v1/desk/boards").status_code == 403
    assert guest.get(f"/api/v1/moves?board={SEVEN}").get_json()["moves"]
    assert guest.get("/api/v1/moves?board=Hall+Z/1").status_code == 404
    assert not stage.calls.asked


def test_a_ruling_goes_to_the_address_that_the_desk_knows(desk: Client, stage: Stage) -> None:
    assert desk.post(RULE, ruling()).status_code == 409  # board 7 told an address; that one is not used
    body = {"board": str(SEVEN), "address": "http://pi7:8000", "token": "bc_secret"}
    answer = desk.post("/api/v1/desk/boards", body)
    assert answer.get_json()["boards"] == {
        str(SEVEN): {"address": "http://pi7:8000", "fingerprint": "", "token": True}
    }
    assert desk.post(RULE, ruling()).get_json() == {"words": "done"}
    assert stage.calls.asked[1:] == [("http://pi7:8000", "results", {"winner": "white", "number": 1})]
    stage.calls.answer = BoardAnswer(403, "this token may not do that")
    assert desk.post(RULE, ruling()).get_json() == {"error": "this token may not do that"}
    stage.calls.answer = BoardAnswer(0, "the board cannot be reached")
    assert desk.post(RULE, ruling()).status_code == 502
    assert desk.post(RULE, ruling(number=9)).status_code == 409  # another game is on
    assert desk.post(RULE, ruling(kind="tea")).status_code == 400
    assert len(stage.calls.asked) == 4
    journal = desk.get(RULE).get_json()["rulings"]
    assert [(line["status"], line["by"][:7]) for line in journal] == [
        (0, "arbiter"),
        (403, "arbiter"),
        (200, "arbiter"),
    ]


def test_no_answer_of_the_wall_has_a_token_in_it(desk: Client, stage: Stage) -> None:
    stage.shared.addresses.set(SEVEN, BoardAddress("http://pi7:8000", "bc_secret"))
    desk.post(RULE, ruling())
    paths = ("/api/v1/desk/boards", RULE, "/api/v1/session", "/desk")
    everything = b"".join(desk.get(path).data for path in paths)
    assert b"bc_secret" not in everything + Display(stage.shared, "en").news(stage.shared.lookout.hall)


def test_a_tick_is_seen_at_every_desk(desk: Client, stage: Stage) -> None:
    display = Display(stage.shared, "en")
    boards = told(display.news(stage.shared.lookout.hall))["boards"]["boards"]
    need = next(tile["needs"][0]["id"] for tile in boards if tile["needs"])
    assert desk.post("/api/v1/desk/ticks", {"need": need, "seen": True}).status_code == 200
    assert told(display.news(stage.shared.lookout.hall))["hall"]["seen"] == [need]


@pytest.fixture
def board(playing: Table, store: Store) -> Iterator[tuple[str, Tokens, Table]]:
    """A real board behind its real server: its address, its tokens, its table."""
    tokens = Tokens(lambda: 1e9)
    app = create_app(playing, Settings(port=0, pin="4711"), Services(store=store, tokens=tokens))
    with serving(app) as (host, port):
        yield f"http://{host}:{port}", tokens, playing


def test_a_ruling_is_in_both_logs(desk: Client, stage: Stage, board: tuple[str, Tokens, Table]) -> None:
    address, tokens, table = board
    stage.shared.calls = BoardCalls()
    _, secret = tokens.make("desk", ["arbiter"])
    stage.shared.addresses.set(SEVEN, BoardAddress(address, secret))
    number = table.snapshot.number
    stage.link.tell(SEVEN, STATE, {"state": "playing", "number": number, "at": 1.0})
    assert number is not None
    answer = desk.post(RULE, ruling(number, values={"winner": "red"}))
    assert answer.status_code == 200
    assert table.snapshot.session is not None
    entry = table.snapshot.session.log[-1]
    assert (entry.kind, entry.by, entry.text) == ("result", "arbiter", "red")
    (line,) = desk.get(RULE).get_json()["rulings"]
    assert (line["kind"], line["status"], line["number"]) == ("result", 200, number)


def test_a_token_is_tried_when_it_is_entered(
    desk: Client, stage: Stage, board: tuple[str, Tokens, Table], store: Store
) -> None:
    """At the page of this very board: another one may have a game of the same number."""
    address, tokens, table = board
    stage.shared.calls = BoardCalls(timeout=60)
    lines = table.snapshot.session and table.snapshot.session.log

    def enter(address: str, token: str) -> tuple[int, str]:
        body = {"board": str(SEVEN), "address": address, "token": token}
        answer = desk.post("/api/v1/desk/boards", body)
        told = answer.get_json()
        return answer.status_code, told.get("words", told.get("error"))

    for secret, words in (("bc_wrong", "revoked"), (tokens.make("display", ["read"])[1], "scope arbiter")):
        status, said = enter(address, secret)
        assert (status, words in said) == (409, True)
        assert SEVEN not in stage.shared.addresses.known
    secret = tokens.make("desk", ["arbiter"])[1]
    stage.link.tell(SEVEN, STATE, {"state": "playing", "number": 1, "companion": "another", "at": 1.0})
    status, said = enter(address, secret)
    assert (status, said) == (409, "this is the page of another board: nothing was done")
    assert SEVEN not in stage.shared.addresses.known
    stage.link.tell(SEVEN, STATE, {"state": "playing", "number": 1, "companion": store.identity, "at": 2.0})
    assert enter(address, secret) == (200, "")
    stage.link.tell(SEVEN, STATE, {"state": "playing", "number": 1, "companion": "exchanged", "at": 3.0})
    answer = desk.post(RULE, ruling(1, values={"winner": "red"}))
    assert (answer.status_code, "another board" in answer.get_json()["error"]) == (409, True)
    assert table.snapshot.session
    assert table.snapshot.session.log == lines
    status, said = enter("http://127.0.0.1:9", "bc_later")
    assert (status, "cannot be reached" in said) == (200, True)
    assert stage.shared.addresses.known[SEVEN].token == "bc_later"


def test_what_a_board_refuses_is_told_in_a_line(board: tuple[str, Tokens, Table]) -> None:
    address, tokens, _ = board
    calls = BoardCalls(timeout=60)
    token, secret = tokens.make("desk", ["arbiter"])
    _, reading = tokens.make("display", ["read"])

    def ask(secret: str, path: str = "results", **body: Any) -> BoardAnswer:
        return calls.post(BoardAddress(address, secret), path, body)

    assert ask(reading, winner="red").status == 403
    assert "scope arbiter" in ask(reading, winner="red").words
    assert ask(secret, winner="green").status in (400, 409)
    assert ask(secret, "nowhere").status == 404
    tokens.revoke(token.id)
    assert "revoked" in ask(secret, winner="red").words
    gone = calls.post(BoardAddress("http://127.0.0.1:9", "x"), "results", {})
    assert (gone.status, gone.is_done) == (0, False)
    assert "cannot be reached" in gone.words


def test_a_self_made_certificate_is_known_by_its_fingerprint(
    playing: Table, store: Store, tmp_path: Path
) -> None:
    made = certificate("self", None, tmp_path)
    tokens = Tokens(lambda: 1e9)
    _, secret = tokens.make("desk", ["arbiter"])
    settings = Settings(port=0, pin="4711", certificate=made)
    calls = BoardCalls(timeout=60)
    with serving(create_app(playing, settings, Services(store=store, tokens=tokens))) as (_, port):
        address = f"https://127.0.0.1:{port}"
        fingerprint = made.fingerprint.replace(":", "").replace(" ", "").lower()
        right = calls.post(BoardAddress(address, secret, fingerprint), "clock/stop", {})
        wrong = calls.post(BoardAddress(address, secret, "0" * 64), "results", {"winner": "red"})
        unknown = calls.post(BoardAddress(address, secret), "results", {"winner": "red"})
    assert right.status == 409  # heard, and this game has no clock
    assert (wrong.status, unknown.status) == (0, 0)
    assert "another certificate" in wrong.words
    assert "fingerprint" in unknown.words
