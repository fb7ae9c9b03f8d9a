"""Headers, cross-site requests, names of the server, and who may do what: over every route there is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask import Flask
from web_clients import OPEN, Client

from companion.table.messages import NewGame
from companion.table.table import Table
from web import Settings, create_app
from web.routes.auth import is_reachable, seat_link
from web.server.certificate import Certificate
from web.server.security import is_local_name

ACTS: list[tuple[str, dict[str, object]]] = [
    ("/api/v1/games", {"game": "triune"}),
    ("/api/v1/actions", {"action": "a3-a4"}),
    ("/api/v1/answers", {"question": 1, "choice": ["a3-a4"]}),
    ("/api/v1/takebacks", {"count": 1}),
    ("/api/v1/redos", {}),
    ("/api/v1/turn-ends", {}),
    ("/api/v1/resignations", {"player": "red"}),
    ("/api/v1/draws/offer", {"player": "red"}),
    ("/api/v1/corrections", {"looks": {}, "turn": "red"}),
    ("/api/v1/head", {"head": {"round": "3"}}),
    ("/api/v1/results", {"winner": "red"}),
    ("/api/v1/times/give", {"player": "red", "seconds": 60}),
    ("/api/v1/clock/stop", {}),
    ("/api/v1/beliefs", {}),
    ("/api/v1/board-turns", {}),
    ("/api/v1/closings", {}),
    ("/api/v1/games/proposed", {}),
    ("/api/v1/games/again", {}),
    ("/api/v1/opponents", {"companion": "red=1"}),
    ("/api/v1/openings", {"number": 1}),
    ("/api/v1/table/fingers", {"moves": []}),
    ("/api/v1/table/order", {}),
    ("/api/v1/eyes", {"source": "virtual"}),
    ("/api/v1/eyes/search", {}),
    ("/api/v1/eyes/test", {}),
    ("/api/v1/eyes/test/end", {}),
    ("/api/v1/phone", {}),
    ("/api/v1/setup/aim", {"game": "triune"}),
    ("/api/v1/setup/empty", {"game": "triune"}),
    ("/api/v1/setup/empty/deletion", {}),
    ("/api/v1/setup/calibration", {"game": "triune"}),
    ("/api/v1/setup/profiles", {"profile": {}}),
    ("/api/v1/setup/names", {"board": "triune", "name": "club"}),
    ("/api/v1/setup/profiles/triune/use", {}),
    ("/api/v1/setup/profiles/triune/deletion", {}),
    ("/api/v1/setup/grid/test", {"empty": False}),
    ("/api/v1/setup/grid/end", {}),
    ("/api/v1/setup/grid/magnets", {"on": [], "off": []}),
    ("/api/v1/setup/grid/map-removal", {}),
    ("/api/v1/setup/grid/commissioning", {}),
    ("/api/v1/setup/grid/commissioning/empty", {}),
    ("/api/v1/setup/grid/commissioning/ask", {"site": "a1"}),
    ("/api/v1/setup/grid/commissioning/keeping", {"map": True}),
    ("/api/v1/records", {"record": "triune a2-a3"}),
    ("/api/v1/records/files", {}),
    ("/api/v1/records/1/deletion", {}),
    ("/api/v1/records/1/return", {}),
    ("/api/v1/records/1/look-back", {}),
    ("/api/v1/records/1/branches", {"step": 1}),
    ("/api/v1/puzzles", {"game": "triune"}),
    ("/api/v1/records/1/notes", {"text": "fine"}),
    ("/api/v1/records/1/corrections", {"names": {"red": "Eve"}}),
    ("/api/v1/tokens", {"name": "club", "scopes": ["read"]}),
    ("/api/v1/tokens/1/revocation", {}),
    ("/api/v1/two-tables/codes", {}),
    ("/api/v1/two-tables/joining", {"address": "localhost", "code": "ABCDEF"}),
    ("/api/v1/two-tables/answers", {"wish": "0 1 1/1", "agrees": True}),
    ("/api/v1/two-tables/seals", {"told": "KKK"}),
]
FREE = {
    "/api/v1/session/pin",
    "/api/v1/session/seat",
    "/api/v1/session/leave",
    "/api/v1/two-tables/guests",
}
KEYED = {"/api/v1/phone/pictures/none", "/api/v1/phone/pause/none", "/api/v1/two-tables/messages"}
"""What only the phone may do that holds the key (see test_web_phone), and only the other table of a game."""


def routes(app: Flask, method: str) -> list[str]:
    """Every route with this method, its parts filled in."""
    return [filled(rule.rule) for rule in app.url_map.iter_rules() if method in (rule.methods or ())]


PARTS = {
    "name": "triune",
    "names": "shared.base",
    "page": "display",
    "game": "triune",
    "n": "1",
    "player": "red",
    "step": "offer",
    "number": "1",
    "form": "text",
    "line": "1",
    "what": "on",
    "phase": "empty",
    "deed": "empty",
    "mark": "ask",
    "change": "give",
    "run": "stop",
    "token_id": "1",
    "filename": "js/shared/dom.js",
    "board": "triune",
    "key": "none",
}
"""What stands for a part of a route."""


def filled(route: str) -> str:
    """A route, or a path of the API's description, with its parts filled in."""
    return re.sub(r"<(?:[^>:]+:)?(\w+)>|{(\w+)}", lambda part: PARTS[part[1] or part[2]], route)


def test_every_post_is_in_the_table_of_acts(opened: Flask) -> None:
    assert set(routes(opened, "POST")) == {path for path, _ in ACTS} | FREE | KEYED


def test_every_other_method_is_refused(home: Client) -> None:
    for method in ("PUT", "PATCH", "DELETE"):
        answer = home.http.open("/api/v1/actions", method=method, headers={"X-CSRF-Token": home.token})
        assert answer.status_code == 405
        assert "error" in answer.get_json()


def test_acting_needs_a_seat_or_the_pin(guest: Client) -> None:
    before = guest.state()
    for path, body in ACTS:
        answer = guest.post(path, body)
        assert answer.status_code == 403, path
        assert "seat" in answer.get_json()["error"]
    assert guest.state() == before


@pytest.mark.parametrize(
    "headers",
    [
        {"X_CSRF_Token": ""},
        {"X_CSRF_Token": "guessed"},
        {"Origin": "http://elsewhere.example"},
        {"Origin": "null"},
        {"Sec_Fetch_Site": "cross-site"},
    ],
)
def test_posts_of_other_sites_are_refused(home: Client, headers: dict[str, str]) -> None:
    before = home.state()
    for path, body in ACTS:
        assert home.post(path, body, **headers).status_code == 403, path
    assert home.state() == before


@pytest.mark.parametrize("origin", ["http://[x", "http://[::1", "//]"])
def test_an_origin_that_is_no_address(home: Client, origin: str) -> None:
    answer = home.post("/api/v1/takebacks", Origin=origin)
    assert (answer.status_code, answer.get_json()["error"]) == (400, "the header Origin holds no address")
    assert len(home.state()["moves"]) == 2


def test_a_get_changes_nothing(home: Client) -> None:
    before = home.state()
    for path in routes(home.http.application, "GET"):
        if path != "/api/v1/events":
            home.get(path).close()
    assert home.state() == before


def test_every_answer_carries_the_strict_headers(guest: Client, opened: Flask) -> None:
    for path in [*routes(opened, "GET"), "/nowhere"]:
        answer = guest.get(path, buffered=False)
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff", path
        assert answer.headers["X-Frame-Options"] == "DENY"
        assert answer.headers["Cache-Control"] in ("no-store", "no-cache"), path
        answer.close()


def test_no_page_has_inline_script_or_style_or_asks_other_hosts(home: Client) -> None:
    for path in ("/", "/table", "/seat", "/records", "/setup"):
        page = home.get(path).get_data(as_text=True)
        assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", page)
        assert not re.search(r"(?:src|href)=\"(?:https?:)?//", page)


def test_the_session_cookie_is_strict(opened: Flask) -> None:
    answer = opened.test_client().get("/api/v1/session", base_url="http://192.168.1.2")
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert "Secure" not in cookie


@pytest.mark.parametrize("is_self_made", [False, True])
def test_over_https_cookies_are_secure_and_a_trusted_browser_stays_there(
    playing: Table, is_self_made: bool
) -> None:
    app = create_app(playing, Settings(certificate=Certificate(Path("c.pem"), Path("k.pem"), is_self_made)))
    answer = app.test_client().get("/api/v1/session", base_url="https://localhost")
    assert "Secure" in answer.headers["Set-Cookie"]
    assert ("Strict-Transport-Security" in answer.headers) is not is_self_made


@pytest.mark.parametrize(
    ("host", "name", "local"),
    [
        ("127.0.0.1", "127.0.0.1:8000", True),
        ("127.0.0.1", "localhost:8000", True),
        ("127.0.0.1", "[::1]:8000", True),
        ("127.0.0.1", "192.168.1.2:8000", False),
        ("127.0.0.1", "evil.example", False),
        ("0.0.0.0", "192.168.1.2:8000", True),
        ("0.0.0.0", "board.local", True),
        ("0.0.0.0", "board", True),
        ("0.0.0.0", "evil.example", False),
        ("0.0.0.0", "", False),
        ("0.0.0.0", "[x", False),
        ("0.0.0.0", "club.example", True),
    ],
)
def test_names_of_the_server(host: str, name: str, local: bool) -> None:
    names = ("club.example",)
    assert is_local_name(name, Settings(host=host, names=names)) is local


def test_a_foreign_name_that_points_here_is_refused(home: Client) -> None:
    answer = home.http.get("/api/v1/state", base_url="http://evil.example")
    assert answer.status_code == 400
    assert "error" in answer.get_json()


def test_an_open_server_without_pin_lets_only_this_machine_act(playing: Table) -> None:
    app = create_app(playing, Settings(host="0.0.0.0"))
    assert Client(app, "127.0.0.1").post("/api/v1/actions", {"action": "a3-a4"}).status_code == 200
    assert Client(app, "10.0.0.9", "10.0.0.1").post("/api/v1/takebacks").status_code == 403


def seat_token(arbiter: Client, player: str) -> str:
    with arbiter.http.application.test_request_context(base_url="http://192.168.1.2"):
        from web.routes.auth import seat_link

        return seat_link(player).partition("#")[2]


def test_a_seat_acts_for_its_player_alone(arbiter: Client, guest: Client) -> None:
    taken = guest.post("/api/v1/session/seat", {"token": seat_token(arbiter, "red")})
    assert taken.get_json()["role"] == "seat"
    assert guest.post("/api/v1/resignations", {"player": "blue"}).status_code == 403
    assert guest.post("/api/v1/corrections", {"looks": {}, "turn": "red"}).status_code == 403
    assert guest.post("/api/v1/actions", {"action": "a3-a4"}).status_code == 200
    assert guest.post("/api/v1/actions", {"action": "a7-a6"}).status_code == 403  # blue's turn now
    assert guest.post("/api/v1/takebacks").status_code == 200  # its own action
    assert guest.post("/api/v1/session/leave").get_json()["role"] == "spectator"


OWN = ("/api/v1/actions", {"action": "a3-a4"})
OTHERS = ("/api/v1/actions", {"action": "c7~"})
GIVEN_UP = ("/api/v1/resignations", {"player": "red"})
RULED = ("/api/v1/results", {"winner": "red"})
AGREED = [(f"/api/v1/draws/{step}", {"player": by}) for step, by in (("offer", "red"), ("accept", "blue"))]
LOOKS = {"a1": "red/solid", "b2": "red/marked", "h8": "blue/triune"}
CORRECTED = ("/api/v1/corrections", {"looks": LOOKS, "turn": "blue"})


@pytest.mark.parametrize(
    ("acts", "count", "code"),
    [
        ([OWN], 1, 200),
        ([OWN], 2, 403),
        ([OWN], 99, 403),
        ([OWN, OTHERS], 1, 403),
        ([OWN, OTHERS], 2, 403),
        ([OWN, GIVEN_UP], 1, 403),
        ([OWN, RULED], 1, 403),
        ([OWN, *AGREED], 1, 403),
        ([CORRECTED], 1, 403),
    ],
)
def test_a_seat_takes_back_its_own_actions_and_no_result(
    arbiter: Client, guest: Client, acts: list[tuple[str, dict[str, object]]], count: int, code: int
) -> None:
    guest.post("/api/v1/session/seat", {"token": seat_token(arbiter, "red")})
    for path, body in acts:
        assert arbiter.post(path, body).status_code == 200
    before = arbiter.state()
    answer = guest.post("/api/v1/takebacks", {"count": count})
    assert answer.status_code == code
    assert (arbiter.state() == before) is (code == 403)
    if code == 403:
        assert answer.get_json()["error"].startswith(("only the arbiter may", "only that player's seat may"))
        assert arbiter.post("/api/v1/takebacks", {"count": min(count, 2)}).status_code == 200


def test_a_seat_ends_with_its_game(arbiter: Client, guest: Client, playing: Table) -> None:
    token = seat_token(arbiter, "red")
    guest.post("/api/v1/session/seat", {"token": token})
    assert playing.ask(NewGame("triune")).ok
    assert guest.get("/api/v1/session").get_json()["role"] == "spectator"
    assert guest.post("/api/v1/session/seat", {"token": token}).status_code == 403


@pytest.mark.parametrize("body", [{"token": "nonsense"}, {"token": ""}, {"seat": "red"}, {}, {"seat": 1}])
def test_a_bad_link_gives_no_seat(guest: Client, body: dict[str, object]) -> None:
    assert guest.post("/api/v1/session/seat", body).status_code in (400, 403)
    assert guest.get("/api/v1/session").get_json()["role"] == "spectator"


def test_codes_of_seats_are_for_those_who_may_hand_them_out(arbiter: Client, guest: Client) -> None:
    assert guest.get("/api/v1/seats/red/qr.svg").status_code == 403
    assert arbiter.get("/api/v1/seats/green/qr.svg").status_code == 404
    code = arbiter.get("/api/v1/seats/red/qr.svg")
    assert code.mimetype == "image/svg+xml"
    assert b"<path" in code.data


def test_everybody_may_invite_to_watch_and_who_hands_out_seats_to_play(
    arbiter: Client, guest: Client
) -> None:
    told = guest.get("/api/v1/invitations").get_json()
    assert (told["reachable"], told["seats"]) == (True, {})
    assert guest.get("/api/v1/invitations/qr.svg").mimetype == "image/svg+xml"
    links = arbiter.get("/api/v1/invitations").get_json()["seats"]
    assert list(links) == ["red", "blue"]
    token = links["red"].partition("#")[2]
    assert guest.post("/api/v1/session/seat", {"token": token}).get_json()["seat"] == "red"


@pytest.mark.parametrize(
    ("settings", "host", "begins"),
    [
        (OPEN, "localhost:8000", "http://10.0.0.7:8000/seat#"),
        (OPEN, "127.0.0.1", "http://10.0.0.7/seat#"),
        (OPEN, "board.local:8000", "http://board.local:8000/seat#"),
        (Settings(pin="4711"), "localhost:8000", "http://localhost:8000/seat#"),
    ],
)
def test_a_code_is_for_phones_wherever_it_is_shown(
    playing: Table, monkeypatch: pytest.MonkeyPatch, settings: Settings, host: str, begins: str
) -> None:
    monkeypatch.setattr("web.routes.auth.outward_address", lambda: "10.0.0.7")
    with create_app(playing, settings).test_request_context(base_url=f"http://{host}"):
        assert seat_link("red").startswith(begins)
        assert is_reachable() == settings.is_open


def test_at_home_one_may_look_from_any_seat(home: Client) -> None:
    assert home.post("/api/v1/session/seat", {"seat": "blue"}).get_json()["seat"] == "blue"
    assert home.post("/api/v1/session/seat", {"seat": "green"}).status_code == 404
    assert home.post("/api/v1/actions", {"action": "a3-a4"}).status_code == 200


@pytest.mark.parametrize(
    ("path", "code", "words"),
    [
        ("/nowhere", 404, "There is no such page here."),
        ("/api/v1/records/7", 404, "There is no game 7"),
        ("/api/v1/records?before=%3Cb%3E", 400, "must be the number of a game."),
        ("/api/v1/picture.jpg", 404, "There is no camera here."),
    ],
)
def test_a_person_is_told_on_a_page(home: Client, path: str, code: int, words: str) -> None:
    person = home.get(path, headers={"Accept": "text/html,application/xhtml+xml,image/avif,*/*;q=0.8"})
    assert (person.status_code, person.mimetype) == (code, "text/html")
    assert words in person.get_data(as_text=True)
    script = home.get(path, headers={"Accept": "*/*"})
    assert (script.status_code, script.mimetype) == (code, "application/json")
