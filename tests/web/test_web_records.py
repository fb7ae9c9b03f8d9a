"""Stored games over the API: listed, searched, replayed, exported, deleted and back."""

from __future__ import annotations

import io
import xml.etree.ElementTree as ET

import pytest
from flask import Flask
from PIL import Image
from web_clients import Client

from companion.record.record import FIRST_LINE
from companion.record.session import Session
from companion.store.store import Store
from companion.table.messages import NewGame, Submit, TakeBack
from companion.table.table import Table
from web.routes.auth import seat_link
from web.routes.records import PAGE


def test_games_are_listed_searched_and_opened_again(home: Client, playing: Table) -> None:
    assert playing.ask(NewGame("chess", {"white": "Cora"})).ok
    listed = home.get("/api/v1/records").get_json()
    assert [game["game"] for game in listed["games"]] == ["chess", "triune"]
    assert not listed["more"]
    found = home.get("/api/v1/records?words=ann").get_json()["games"]
    assert [game["head"]["red"] for game in found] == ["Ann"]
    assert home.post("/api/v1/openings", {"number": found[0]["number"]}).status_code == 200
    assert len(home.state()["moves"]) == 2


@pytest.mark.parametrize(("query", "numbers"), [
    ("", [4, 3, 2, 1]), ("game=chess", [3, 2]), ("game=ches", []), ("game=c%25", []), ("ended=won", [2]),
    ("ended=draw", [3]), ("ended=open", [4, 1]), ("game=chess&ended=won", [2]), ("words=ann&ended=open", [1]),
    ("game=ternion_factor", [4]), ("game=ternion-factor", []),
    ("player=Ann", [1]), ("player=ann", []), ("player=Ann&ended=won", []),
])  # fmt: skip
def test_the_list_is_filtered(home: Client, playing: Table, query: str, numbers: list[int]) -> None:
    assert playing.ask(NewGame("chess f2f3 e7e5 g2g4 d8h4")).ok
    assert playing.ask(NewGame("chess fen=8/8/8/4k3/8/8/4p3/4K3_w_-_-_0_1 e1e2")).ok
    assert playing.ask(NewGame("ternion_factor")).ok
    listed = home.get(f"/api/v1/records?{query}").get_json()["games"]
    assert [game["number"] for game in listed] == numbers
    assert all(game["picture"] for game in listed)


def test_a_filter_that_is_none_is_told(home: Client) -> None:
    answer = home.get("/api/v1/records?ended=x")
    assert (answer.status_code, answer.get_json()["error"]) == (400, "'ended' must be open, won, draw")


def test_a_game_is_pictured_as_it_stands(home: Client, playing: Table) -> None:
    first = home.get("/api/v1/records/1/last.svg")
    assert (first.status_code, first.mimetype) == (200, "image/svg+xml")
    assert first.data == home.get("/api/v1/records/1/last.svg").data
    tag = first.headers["ETag"]
    assert home.get("/api/v1/records/1/last.svg", headers={"If-None-Match": tag}).status_code == 304
    assert playing.ask(Submit("a3-a4")).ok
    again = home.get("/api/v1/records/1/last.svg", headers={"If-None-Match": tag})
    assert (again.status_code, again.headers["Cache-Control"]) == (200, "no-cache")
    assert home.get("/api/v1/records/99/last.svg").status_code == 404


def test_a_game_with_secrets_has_no_picture_while_it_is_on(home: Client, playing: Table) -> None:
    assert playing.ask(NewGame("magnet setup=random")).ok
    (game,) = home.get("/api/v1/records?game=magnet").get_json()["games"]
    assert not game["picture"]
    assert home.get(f"/api/v1/records/{game['number']}/last.svg").status_code == 403


def test_a_game_is_replayed_step_by_step(home: Client) -> None:
    game = home.get("/api/v1/records/1").get_json()
    assert [step.get("action") for step in game["steps"]] == [None, "a2-a3", "b7~"]
    assert game["steps"][1]["pieces"]["a3"] == "red/solid"
    assert "a3" not in game["steps"][0]["pieces"]
    assert "Red moves" in " ".join(game["steps"][1]["words"])
    assert home.get("/api/v1/records/1/board").get_json()["name"] == "triune"
    ET.fromstring(home.get("/api/v1/records/1/2.svg").data)
    with Image.open(io.BytesIO(home.get("/api/v1/records/1/2.png").data)) as picture:
        assert (picture.format, max(picture.size)) == ("PNG", 1000)
    assert {home.get(f"/api/v1/records/1/3.{form}").status_code for form in ("svg", "png")} == {404}


@pytest.mark.parametrize(
    ("form", "code", "words"),
    [("text", 200, b"triune a2-a3 b7~"), ("record", 200, b"red: Ann"), ("pgn", 409, b"PGN is for chess"),
     ("abstract", 200, b'"Triune"'), ("docx", 404, b"exported as"), ("svg", 200, b"<svg"),
     ("png", 200, b"PNG"), ("gif", 200, b"GIF89a"), ("webp", 200, b"WEBP"), ("pdf", 200, b"%PDF-")],
)  # fmt: skip
def test_exports(home: Client, form: str, code: int, words: bytes) -> None:
    answer = home.get(f"/api/v1/records/1/export/{form}")
    assert answer.status_code == code
    assert words in answer.data
    if code == 200:
        assert "attachment" in answer.headers["Content-Disposition"]


def test_a_deleted_game_comes_back(home: Client) -> None:
    assert home.post("/api/v1/records/1/deletion").status_code == 200
    assert home.get("/api/v1/records").get_json()["games"] == []
    assert len(home.get("/api/v1/records?deleted=1").get_json()["games"]) == 1
    assert home.post("/api/v1/records/1/return").status_code == 200
    assert len(home.get("/api/v1/records").get_json()["games"]) == 1
    assert home.post("/api/v1/records/7/deletion").status_code == 404


def test_a_damaged_game_is_listed_as_such_among_the_others(home: Client, store: Store) -> None:
    assert home.post("/api/v1/records", {"record": "triune a2-a3"}).status_code == 200
    store._db.execute("UPDATE games SET head = 'half' WHERE id = 1")
    games = home.get("/api/v1/records").get_json()["games"]
    assert {game["number"]: game["damaged"] for game in games} == {1: True, 2: False}
    answer = home.get("/api/v1/records/1")
    assert answer.status_code == 404
    assert "game 1 is damaged" in answer.get_json()["error"]
    assert home.get("/api/v1/records/2").status_code == 200


def test_deleted_games_are_hidden_from_spectators(home: Client, guest: Client) -> None:
    assert guest.get("/api/v1/records/1").status_code == 200
    assert home.post("/api/v1/records/1/deletion").status_code == 200
    assert guest.get("/api/v1/records/1").status_code == 404
    assert guest.get("/api/v1/records/1/export/text").status_code == 404
    assert guest.get("/api/v1/records?deleted=1").status_code == 403
    assert home.get("/api/v1/records/1").get_json()["deleted"] is True


def test_a_game_with_secrets_opens_when_it_is_over(home: Client, playing: Table) -> None:
    assert playing.ask(NewGame("magnet setup=random")).ok
    number = playing.snapshot.number
    paths = [f"/api/v1/records/{number}{end}" for end in ("", "/export/record", "/export/text", "/0.svg")]
    assert {home.get(path).status_code for path in paths} == {403}
    assert home.post("/api/v1/resignations", {"player": "red"}).status_code == 200
    assert {home.get(path).status_code for path in paths} == {200}


def test_the_next_page_begins_after_the_last_game(home: Client, playing: Table) -> None:
    for _ in range(PAGE + 1):
        assert playing.ask(NewGame("queens")).ok
    first = home.get("/api/v1/records").get_json()
    last = first["games"][-1]["number"]
    rest = home.get(f"/api/v1/records?before={last}").get_json()
    numbers = [game["number"] for game in first["games"] + rest["games"]]
    assert (len(first["games"]), first["more"], rest["more"]) == (PAGE, True, False)
    assert numbers == list(range(PAGE + 2, 0, -1))


def test_a_game_begun_in_no_year_leaves_the_list_as_it_is(home: Client, store: Store) -> None:
    number = store.begin("triune", {}, 253_402_383_599.0)
    games = home.get("/api/v1/records").get_json()["games"]
    assert [(game["number"], game["started"] is None) for game in games] == [(number, True), (1, False)]


@pytest.mark.parametrize("before", ["-1", "x", "1" * 20, "²"])
def test_a_page_after_no_game(home: Client, before: str) -> None:
    assert home.get(f"/api/v1/records?before={before}").status_code == 400


@pytest.mark.parametrize("number", ["9", "-1", "9" * 20, "9" * 5000])
def test_a_game_that_is_not_there(home: Client, number: str) -> None:
    for path in ("", "/board", "/export/text", "/0.svg"):
        assert home.get(f"/api/v1/records/{number}{path}").status_code == 404
    for path in ("deletion", "return", "notes", "corrections"):
        answer = home.post(f"/api/v1/records/{number}/{path}", {"text": "x"} if path == "notes" else {})
        assert answer.status_code == 404


@pytest.mark.parametrize("form", ["record", "text", "pgn"])
def test_an_exported_game_comes_in_again(home: Client, playing: Table, form: str) -> None:
    assert playing.ask(NewGame("chess e2e4 e7e5", {"white": "Cora"})).ok
    number = playing.snapshot.number
    text = home.get(f"/api/v1/records/{number}/export/{form}").get_data(as_text=True)
    added = home.post("/api/v1/records", {"record": text}).get_json()
    is_known = form == "record"  # the others say less of it
    assert (added["number"], added["plies"]) == (number if is_known else number + 1, 2)
    assert added["numbers"] == ([] if is_known else [number + 1])
    again = home.get(f"/api/v1/records/{added['number']}").get_json()
    assert [step["action"] for step in again["steps"][1:]] == ["e2e4", "e7e5"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        ("ludo a1", "no game"),
        ("triune a2-a7", "not allowed"),
        ("triune board=/etc/passwd", "command line"),
        ("triune board%3D/etc/passwd", "command line"),
        ("x" * 200_001, "too long"),
        (f"{FIRST_LINE}\ngame: triune\n\n2026-01-01T10:00:00.000Z takeback {{by=red}}\n", "line 4"),
        (f"{FIRST_LINE}\ngame: triune\n\n2026-01-01T10:00:00.000Z action a2-a3 {{clock=nan}}\n", "line 4"),
        (
            f"{FIRST_LINE}\ngame: triune\n\n2026-01-01T10:00:00.000Z resign {{by={{white}}}}\n",
            "'{white}' has no seat",
        ),
        (f"{FIRST_LINE}\ngame: triune\nclock: 5 s\n\n", "'5 s' is no time control"),
        ('[Event "x"]\n\n1. e4 e5 2. Xf3 *', "'Xf3' is no move"),
    ],
)
def test_a_damaged_game_adds_nothing(home: Client, text: str, words: str) -> None:
    answer = home.post("/api/v1/records", {"record": text})
    assert (answer.status_code, words in answer.get_json()["error"]) == (400, True)
    assert len(home.get("/api/v1/records").get_json()["games"]) == 1


@pytest.mark.parametrize(
    "text", ["triune a2-a3", f"{FIRST_LINE}\ngame: triune\n\n", '[Event "Café"]\n\n1. e4 *']
)
def test_a_byte_order_mark_is_read_over(home: Client, text: str) -> None:
    assert home.post("/api/v1/records", {"record": f"\ufeff{text}"}).get_json()["number"] == 2


@pytest.mark.parametrize("before", ["\ufeff", "\n\ufeff\n"])
@pytest.mark.parametrize("first", ["", f"{FIRST_LINE}\ngame: "])
def test_a_byte_order_mark_lets_no_board_in(home: Client, before: str, first: str) -> None:
    answer = home.post("/api/v1/records", {"record": f"{before}{first}triune board=/etc/passwd"})
    assert (answer.status_code, "command line" in answer.get_json()["error"]) == (400, True)


@pytest.mark.parametrize(
    "text",
    [
        f"{FIRST_LINE}\ngame: triune\n\n{FIRST_LINE}\ngame: triune board=/etc/passwd\n",
        "triune a2-a3\ntriune board=/etc/passwd",
        "<p>triune</p> board&#61;/etc/passwd",
        f"Hello\n{FIRST_LINE}\n\ngame: triune bo\u00adard=/etc/passwd",
        "> Triune\n> board=/etc/passwd",
    ],
)
def test_no_game_of_a_file_names_a_board_of_this_machine(home: Client, text: str) -> None:
    answer = home.post("/api/v1/records", {"record": text})
    assert (answer.status_code, "command line" in answer.get_json()["error"]) == (400, True)


def test_all_games_of_a_pgn_are_added(home: Client) -> None:
    pgn = '[White "Ann"]\n\n1. e4 e5 *\n\n[White "Ben"]\n\n1. d4 *\n'
    answer = home.post("/api/v1/records", {"record": pgn}).get_json()
    assert answer == {"number": 2, "plies": 2, "numbers": [2, 3], "wrong": [], "remarks": []}
    assert home.get("/api/v1/records/3").get_json()["head"]["white"] == "Ben"
    home.post("/api/v1/records/2/deletion")
    again = home.post("/api/v1/records", {"record": f'{pgn}\n[White "Cy"]\n\n1. c4 *\n'}).get_json()
    assert (again["number"], again["numbers"]) == (2, [4])
    assert again["remarks"] == ["2 games were there already"]
    assert {game["number"] for game in home.get("/api/v1/records").get_json()["games"]} == {1, 2, 3, 4}


@pytest.mark.parametrize(
    ("encoding", "remarks"),
    [
        ("utf-8", []),
        ("utf-16", []),
        ("utf-16-be", []),
        ("cp1252", ["line 1 is read as Windows-1252: it is not UTF-8"]),
    ],
)
def test_a_file_is_taken_as_it_is(home: Client, encoding: str, remarks: list[str]) -> None:
    content = '[White "Šimek"]\n\n1. e4 e5 *\n\x1a'.encode(encoding)
    answer = home.post_bytes("/api/v1/records/files", content, "application/octet-stream")
    assert (answer.status_code, answer.json and answer.json["remarks"]) == (200, remarks)
    kept = home.get(f"/api/v1/records/{answer.json['number']}").json
    assert kept["head"]["white"] == "Šimek"


@pytest.mark.parametrize("content", [b"", b"\x89PNG\r\n\x1a\n\0\0", "1. e4".encode("utf-16")[:-1]])
def test_a_file_that_is_no_game_is_refused_in_a_line(home: Client, content: bytes) -> None:
    answer = home.post_bytes("/api/v1/records/files", content, "application/octet-stream")
    assert answer.status_code == 400
    assert answer.json["error"]


def test_a_game_of_a_pgn_that_cannot_be_read_is_named_beside_the_others(home: Client) -> None:
    pgn = '[Event "x"]\n\n1. e9 *\n\n[Event "y"]\n\n1. e4 *'
    answer = home.post("/api/v1/records", {"record": pgn}).get_json()
    assert answer["numbers"] == [2]
    assert "'e9' is no move" in answer["wrong"][0]


def test_a_tag_names_no_board_of_this_machine(home: Client) -> None:
    pgn = '[GameOptions "board=/etc/passwd touch=strict"]\n\n1. e4 *'
    assert home.post("/api/v1/records", {"record": pgn}).get_json()["numbers"] == [2]
    text = home.get("/api/v1/records/2/export/text").get_data(as_text=True)
    assert text.split() == ["chess", "touch=strict", "e2e4"]


def test_only_the_arbiter_adds_games(guest: Client) -> None:
    assert guest.post("/api/v1/records", {"record": "triune a2-a3"}).status_code == 403


def notes(client: Client) -> list[tuple[int, str, str]]:
    steps = client.get("/api/v1/records/1").get_json()["steps"]
    return [(n, note["by"], note["text"]) for n, step in enumerate(steps) for note in step["notes"]]


def test_comments_by_the_arbiter_and_by_a_seat(home: Client, guest: Client, opened: Flask) -> None:
    with opened.test_request_context(base_url="http://192.168.1.2"):
        link = seat_link("blue").partition("#")[2]
    path = "/api/v1/records/1/notes"
    assert guest.post(path, {"text": "Hello"}).status_code == 403
    assert guest.get("/api/v1/records/1").get_json()["author"] == ""
    assert guest.post("/api/v1/session/seat", {"token": link}).status_code == 200
    assert guest.get("/api/v1/records/1").get_json()["author"] == "blue"
    assert guest.post(path, {"text": " my  best\n move ", "line": 2}).get_json()["text"] == "my best\nmove"
    assert home.post(path, {"text": "A club game"}).get_json()["by"] == "arbiter"
    assert notes(home) == [(0, "arbiter", "A club game"), (2, "blue", "my best\nmove")]
    assert guest.post(path, {"text": "", "line": 2}).status_code == 200
    assert notes(home) == [(0, "arbiter", "A club game")]
    for line in (3, -1):
        assert home.post(path, {"text": "x", "line": line}).status_code == 400
    assert home.post(path, {"text": "x" * 2001}).status_code == 400
    assert home.post("/api/v1/records/9/notes", {"text": "x"}).status_code == 404


def test_half_a_character_is_refused(home: Client) -> None:
    for path, body in (
        ("records/1/notes", {"text": "\ud800"}),
        ("records", {"record": "triune \udfff"}),
        ("records/1/corrections", {"names": {"red": "\ud800"}}),
    ):
        assert home.post(f"/api/v1/{path}", body).status_code == 400
    kept = home.post("/api/v1/records/1/notes", {"text": "be\u0000ep\u0007 on"}).get_json()
    assert kept["text"] == "beep on"


def test_what_was_taken_back_is_told_with_the_next_step(home: Client, playing: Table) -> None:
    for message in (Submit("a3-a4"), TakeBack(), Submit("h2-h3")):
        assert playing.ask(message).ok
    assert home.post("/api/v1/records/1/notes", {"text": "hasty", "line": 3}).status_code == 200
    *_, step = home.get("/api/v1/records/1").get_json()["steps"]
    assert (step["action"], step["line"]) == ("h2-h3", 5)
    assert [aside["words"] for aside in step["asides"]] == ["a3-a4, taken back"]
    assert [note["text"] for note in step["notes"]] == ["hasty"]


def test_comments_come_in_again(home: Client) -> None:
    for line, text in ((0, "Fine {game}"), (1, "board=here, 100% sure\nor not")):
        assert home.post("/api/v1/records/1/notes", {"text": text, "line": line}).status_code == 200
    text = home.get("/api/v1/records/1/export/record").get_data(as_text=True).replace("Ann", "Anna")
    assert home.post("/api/v1/records", {"record": text}).get_json()["number"] == 2
    assert home.get("/api/v1/records/2/export/record").get_data(as_text=True) == text


def test_a_game_is_corrected_by_a_copy(home: Client) -> None:
    path = "/api/v1/records/1/corrections"
    assert home.post(path, {"steps": {"1": "h2-h3"}, "names": {"blue": "Benno"}}).get_json() == {"number": 2}
    copy = home.get("/api/v1/records/2").get_json()
    assert [step["action"] for step in copy["steps"][1:]] == ["h2-h3", "b7~"]
    assert copy["head"] == {"red": "Ann", "blue": "Benno", "corrects": "game 1"}
    assert [s["action"] for s in home.get("/api/v1/records/1").get_json()["steps"][1:]] == ["a2-a3", "b7~"]
    assert home.post(path, {"until": 1}).get_json() == {"number": 3}
    assert len(home.get("/api/v1/records/3").get_json()["steps"]) == 2


@pytest.mark.parametrize(
    ("body", "code", "words"),
    [
        (
            {"steps": {"1": "a2-a5"}},
            409,
            "correct step 1, or end the game before it: 'a2-a5' is not allowed (TR-3)",
        ),
        ({"steps": {"1": "a2-a5"}}, 409, "(TR-3): A solid piece moves exactly one square; a2 to a5 is 3."),
        ({"steps": {"9": "a2-a3"}}, 409, "there is no step 9"),
        ({"steps": {"one": "a2-a3"}}, 400, "each step's number"),
        ({"names": {"green": "Eve"}}, 409, "a game has no 'green'"),
        ({"until": 3}, 409, "there is no step 3"),
        ({"until": -1}, 409, "there is no step -1"),
    ],
)
def test_a_correction_that_cannot_be(home: Client, body: dict[str, object], code: int, words: str) -> None:
    answer = home.post("/api/v1/records/1/corrections", body)
    assert (answer.status_code, words in answer.get_json()["error"]) == (code, True)
    assert len(home.get("/api/v1/records").get_json()["games"]) == 1


def test_the_positions_of_a_replay_are_gone_through_once(
    home: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    positions = Session.positions
    monkeypatch.setattr(Session, "positions", lambda session: asked.append(session) or positions(session))
    steps = home.get("/api/v1/records/1").get_json()["steps"]
    assert [step.get("action") for step in steps] == [None, "a2-a3", "b7~"]
    assert len(asked) <= 1


def test_the_store_is_asked_once_a_request_which_game_it_is(
    home: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    version = Store.version
    monkeypatch.setattr(Store, "version", lambda self, number: asked.append(number) or version(self, number))
    assert home.get("/api/v1/records/1").status_code == 200
    assert asked == [1]
