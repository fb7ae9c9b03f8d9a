"""Stored games over the API: listed, searched, replayed, exported, deleted and back."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from web_clients import Client

from companion.messages import NewGame, Submit
from companion.table import Table


def test_games_are_listed_searched_and_opened_again(home: Client, playing: Table) -> None:
    assert playing.ask(NewGame("chess", {"white": "Cora"})).ok
    listed = home.get("/api/v1/records").get_json()
    assert [game["game"] for game in listed["games"]] == ["chess", "triune"]
    assert not listed["more"]
    found = home.get("/api/v1/records?words=ann").get_json()["games"]
    assert [game["head"]["red"] for game in found] == ["Ann"]
    assert home.post("/api/v1/openings", {"number": found[0]["number"]}).status_code == 200
    assert len(home.state()["moves"]) == 2


def test_a_game_is_replayed_step_by_step(home: Client) -> None:
    game = home.get("/api/v1/records/1").get_json()
    assert [step.get("action") for step in game["steps"]] == [None, "a2-a3", "b7~"]
    assert game["steps"][1]["pieces"]["a3"] == "red/solid"
    assert "a3" not in game["steps"][0]["pieces"]
    assert "Red moves" in " ".join(game["steps"][1]["words"])
    assert home.get("/api/v1/records/1/board").get_json()["name"] == "triune"
    ET.fromstring(home.get("/api/v1/records/1/2.svg").data)
    assert home.get("/api/v1/records/1/3.svg").status_code == 404


@pytest.mark.parametrize(
    ("form", "code", "words"),
    [("text", 200, "triune a2-a3 b7~"), ("record", 200, "red: Ann"), ("pgn", 409, "PGN is for chess"),
     ("abstract", 200, '"Triune"'), ("docx", 404, "exported as")],
)  # fmt: skip
def test_exports(home: Client, form: str, code: int, words: str) -> None:
    answer = home.get(f"/api/v1/records/1/export/{form}")
    assert answer.status_code == code
    assert words in answer.get_data(as_text=True)
    if code == 200:
        assert "attachment" in answer.headers["Content-Disposition"]


def test_a_deleted_game_comes_back(home: Client) -> None:
    assert home.post("/api/v1/records/1/deletion").status_code == 200
    assert home.get("/api/v1/records").get_json()["games"] == []
    assert len(home.get("/api/v1/records?deleted=1").get_json()["games"]) == 1
    assert home.post("/api/v1/records/1/return").status_code == 200
    assert len(home.get("/api/v1/records").get_json()["games"]) == 1
    assert home.post("/api/v1/records/7/deletion").status_code == 404


def test_a_game_with_secrets_opens_when_it_is_over(home: Client, playing: Table) -> None:
    assert playing.ask(NewGame("magnet setup=random")).ok
    number = playing.snapshot.number
    paths = [f"/api/v1/records/{number}{end}" for end in ("", "/export/record", "/export/text", "/0.svg")]
    assert {home.get(path).status_code for path in paths} == {403}
    assert home.post("/api/v1/resignations", {"player": "red"}).status_code == 200
    assert {home.get(path).status_code for path in paths} == {200}


def test_a_bad_offset(home: Client, playing: Table) -> None:
    assert playing.ask(Submit("a3-a4")).ok
    assert home.get("/api/v1/records?offset=-1").status_code == 400
    assert home.get("/api/v1/records?offset=50").get_json()["games"] == []


@pytest.mark.parametrize("form", ["record", "text", "pgn"])
def test_an_exported_game_comes_in_again(home: Client, playing: Table, form: str) -> None:
    assert playing.ask(NewGame("chess e2e4 e7e5", {"white": "Cora"})).ok
    number = playing.snapshot.number
    text = home.get(f"/api/v1/records/{number}/export/{form}").get_data(as_text=True)
    added = home.post("/api/v1/records", {"record": text}).get_json()
    assert (added["number"], added["plies"]) == (number + 1, 2)
    again = home.get(f"/api/v1/records/{number + 1}").get_json()
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
    ],
)
def test_a_damaged_game_adds_nothing(home: Client, text: str, words: str) -> None:
    answer = home.post("/api/v1/records", {"record": text})
    assert (answer.status_code, words in answer.get_json()["error"]) == (400, True)
    assert len(home.get("/api/v1/records").get_json()["games"]) == 1


def test_only_the_arbiter_adds_games(guest: Client) -> None:
    assert guest.post("/api/v1/records", {"record": "triune a2-a3"}).status_code == 403
