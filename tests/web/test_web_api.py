"""The API: acting, refusals with their rules, and every wrong body a clear 4xx."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import Mock, patch

import jsonschema
import pytest
from flask import Flask
from web_clients import Client, Hand

from companion.core.board import load_board
from companion.core.game import EMPTY
from companion.games.text import split
from companion.record.session import Entry, restore
from companion.table.messages import Message, NewGame, Reply, Submit
from companion.table.snapshot import Snapshot
from companion.table.table import Table
from tests.companion import taken_apart
from vision.sources.virtual import VirtualTable
from vision.virtual.tabletop import laid_looks
from web import Services, create_app, read_secret
from web.routes.openapi import describe


def test_an_action_is_played(home: Client) -> None:
    assert home.post("/api/v1/actions", {"action": "a3-a4"}).status_code == 200
    state = home.state()
    assert [move["action"] for move in state["moves"]] == ["a2-a3", "b7~", "a3-a4"]
    assert state["turn"] == "blue"
    assert state["last"]["sites"] == ["a3", "a4"]


def test_a_refused_action_names_its_rules(home: Client) -> None:
    answer = home.post("/api/v1/actions", {"action": "a3-a6"})
    assert answer.status_code == 409
    broken = answer.get_json()["breaks"]
    assert broken[0]["rule"] == "TR-3"
    assert "exactly one square" in broken[0]["text"]
    assert broken[0]["sites"] == ["a3", "a6"]
    assert len(home.state()["moves"]) == 2


def test_judging_plays_nothing(home: Client) -> None:
    asked = home.get("/api/v1/judge?action=a3-a6").get_json()
    assert [b["rule"] for b in asked["breaks"]] == ["TR-3"]
    assert home.get("/api/v1/judge?action=a3-a4").get_json()["breaks"] == []
    assert home.get("/api/v1/judge").status_code == 400
    assert home.get("/api/v1/judge?from=a3&to=z99").status_code == 400
    assert len(home.state()["moves"]) == 2


@pytest.mark.parametrize(("text", "way", "written", "rules"), [
    ("draughts f6-e5 c3-d4", "g7 f6", "8-11", ["DR-4"]),  # the capture is overlooked
    ("draughts f6-e5 c3-d4", "b2 c3", "25-22", ["DR-1"]),
    ("chess e2e4 e7e5 d1h5 b8c6 h5f7", "g8 f6", "g8f6", ["CH-5"]),
    ("chess e2e4", "e7 e4", "e7e4", ["CH-2"]),
    ("trid", "a6 e9", "a6-e9", ["TD-3", "TD-4"]),
    ("triune", "d5 d6", "d5~", ["TR-1"]),  # nothing stands there
    ("teleporters", "a1 c6", "", ["GEN-4"]),
    ("teleporters", "c3nw a5", "c3nw-a5", ["TP-9"]),  # a Port keeps its corner where it is taken
    ("teleporters", "c3nw c8", "c3nw-c8", ["TP-9"]),  # where there are no corners
])  # fmt: skip
def test_a_piece_that_is_moved_is_judged(
    home: Client, table: Table, text: str, way: str, written: str, rules: list[str]
) -> None:
    """Whether or not it may be moved elsewhere, and as its game spells moves."""
    head, *actions = text.split()
    assert table.ask(NewGame(head)).ok
    for action in actions:
        assert table.ask(Submit(action)).ok
    start, end = way.split()
    found = home.get(f"/api/v1/judge?from={start}&to={end}").get_json()
    assert (found["written"], [breach["rule"] for breach in found["breaks"]]) == (written, rules)
    assert all(breach["here"] for breach in found["breaks"])


def test_undo_redo_draw_and_resignation(home: Client) -> None:
    assert home.post("/api/v1/takebacks").status_code == 200
    assert home.state()["can_redo"]
    assert home.post("/api/v1/redos").status_code == 200
    assert len(home.state()["moves"]) == 2
    assert home.post("/api/v1/draws/offer", {"player": "red"}).status_code == 200
    assert home.state()["offer"] == {"kind": "draw", "by": "red"}
    assert home.post("/api/v1/draws/accept", {"player": "red"}).status_code == 409
    assert home.post("/api/v1/draws/decline", {"player": "blue"}).status_code == 200
    assert home.post("/api/v1/resignations", {"player": "red"}).status_code == 200
    assert home.state()["outcome"]["winner"] == "blue"
    assert home.post("/api/v1/resignations", {"player": "red"}).status_code == 409


def test_the_arbiter_corrects_rules_and_closes(arbiter: Client) -> None:
    impossible = arbiter.post("/api/v1/corrections", {"looks": {"a1": "red/solid"}, "turn": "red"})
    assert impossible.status_code == 409
    assert "1 to 16 pieces" in impossible.get_json()["error"]
    looks = {"a1": "red/solid", "b2": "red/marked", "h8": "blue/triune"}
    assert arbiter.post("/api/v1/corrections", {"looks": looks, "turn": "blue"}).status_code == 200
    assert arbiter.state()["pieces"] == looks
    assert arbiter.post("/api/v1/results", {"winner": ""}).status_code == 200
    assert arbiter.state()["outcome"]["winner"] is None
    assert arbiter.post("/api/v1/closings").status_code == 200
    assert arbiter.state()["state"] == "empty"


@pytest.mark.parametrize(
    ("since", "code", "words"),
    [
        ({"number": 1, "plies": 2}, 200, ""),
        ({"number": 1}, 200, ""),
        ({"number": 1, "plies": 1}, 409, "the game went on meanwhile"),
        ({"plies": 3}, 409, "the game went on meanwhile"),
        ({"number": 7, "plies": 2}, 409, "another game is on"),
        ({"number": "1"}, 400, "Expected `int`, got `str` - at `$.number`"),
    ],
)
def test_a_correction_names_what_it_corrects(
    home: Client, since: dict[str, object], code: int, words: str
) -> None:
    before = home.state()["pieces"]
    looks = {"a1": "red/solid", "b2": "red/marked", "h8": "blue/triune"}
    answer = home.post("/api/v1/corrections", {"looks": looks, "turn": "blue", **since})
    assert answer.status_code == code
    assert words in answer.get_json().get("error", "")
    assert home.state()["pieces"] == (looks if code == 200 else before)


def test_a_new_game_with_options_and_names(home: Client) -> None:
    name = "  Ann  Maria Theresa Walburga Amalia of Stolberg-Lee "
    body = {"game": "triune", "options": {"first": "blue"}, "names": {"red": name, "blue": ""}}
    assert home.post("/api/v1/games", body).status_code == 200
    state = home.state()
    assert state["turn"] == "blue"
    assert state["head"]["red"] == "Ann Maria Theresa Walburga Amalia of Stolberg-Lee"
    assert not state["head"].get("blue")


@pytest.mark.parametrize(
    ("path", "body", "code", "words"),
    [
        ("actions", {}, 400, "missing required field `action`"),
        ("actions", {"action": 3}, 400, "Expected `str`, got `int`"),
        ("actions", {"action": "a" * 500}, 400, "too long"),
        ("actions", {"action": "a3-a4", "by": "blue"}, 400, "unknown field `by`"),
        ("actions", [], 400, "Expected `object`"),
        ("actions", "a3-a4", 400, "Expected `object`"),
        ("actions", {"action": ""}, 409, "not allowed"),
        ("actions", {"action": "a3-a4 \x00"}, 409, "not allowed"),
        ("games", {"game": "ludo"}, 400, "there is no game 'ludo'"),
        ("games", {"game": "triune", "options": {"board": "/etc/passwd"}}, 400, "no option 'board'"),
        ("games", {"game": "triune", "options": {"first": "green"}}, 400, "not one of red, blue"),
        (
            "games",
            {"game": "triune", "options": {"first": "red board=/etc/passwd"}},
            400,
            "not one of red, blue",
        ),
        ("games", {"game": "triune", "options": {"first": "red\u2003board=x"}}, 400, "not one of red, blue"),
        ("games", {"game": "triune", "options": {"first": "red a2-a3"}}, 400, "not one of red, blue"),
        ("games", {"game": "chess", "options": {"fen": "8/8 board=/etc/passwd"}}, 400, "is no FEN"),
        ("games", {"game": "triune", "options": {"first": 1}}, 400, "Expected `str`"),
        ("games", {"game": "triune", "options": []}, 400, "Expected `object`"),
        ("games", {"game": "triune", "clock": "soon"}, 400, "time control"),
        ("games", {"game": "triune", "names": {"green": "Eve"}}, 400, "no seat 'green'"),
        ("games", {"game": "triune", "names": {"red": "x" * 81}}, 400, "a name has 80 letters at most"),
        ("games", {"game": "triune", "head": {"event": "x" * 81}}, 400, "a name has 80 letters at most"),
        ("head", {"head": {"red": "x" * 81}}, 400, "a name has 80 letters at most"),
        ("games", {"game": "triune first=blue a7-a6"}, 400, "there is no game"),
        ("answers", {"question": 9, "choice": ["a3-a4"]}, 409, "no longer open"),
        ("answers", {"question": True, "choice": ["a3-a4"]}, 400, "Expected `int`"),
        ("answers", {"question": 1, "choice": [1]}, 400, "Expected `str`"),
        ("takebacks", {"count": 10**30}, 400, "Expected `int` <= 2147483647"),
        ("openings", {"number": 77}, 409, "no game 77"),
        ("takebacks", {"count": 99}, 409, "nothing to take back"),
        ("takebacks", {"count": -1}, 409, "take"),
        ("redos", {}, 409, "nothing to play again"),
        ("redos", {"x": 1}, 400, "unknown field"),
        ("resignations", {"player": "green"}, 409, "no seat"),
        ("resignations", {"player": "{white}"}, 409, "'{white}' has no seat"),
        ("draws/offer", {"player": "{"}, 409, "'{' has no seat"),
        ("draws/steal", {"player": "red"}, 404, "no such page"),
        ("corrections", {"looks": {"a1": 1}, "turn": "red"}, 400, "Expected `str`"),
        ("corrections", {"looks": {"a1": "gold"}, "turn": "red"}, 409, "not a piece"),
        ("corrections", {"looks": {"zz": "red/solid"}, "turn": "red"}, 409, "not a square"),
        ("corrections", {"looks": {}, "turn": "green"}, 409, "the turn is one of Red or Blue"),
        ("results", {"winner": "green"}, 409, "no seat"),
        ("table/fingers", {"moves": []}, 404, "no virtual table"),
    ],
)
def test_bad_input(home: Client, path: str, body: object, code: int, words: str) -> None:
    before = home.state()
    answer = home.post(f"/api/v1/{path}", body)
    error = answer.get_json()["error"]
    assert (answer.status_code, "\n" in error) == (code, False)
    assert words in error
    assert home.state()["moves"] == before["moves"]


DEEP = [b"[" * 100_000, b"[" * 100_000 + b"]" * 100_000, b'{"action":' * 20_000 + b"1" + b"}" * 20_000]


@pytest.mark.parametrize("data", [b"", b"{", b"\xff\xfe", b"[[[[", b"null", b'{"action": NaN}', *DEEP])
def test_bodies_that_are_no_json(home: Client, data: bytes) -> None:
    headers = {"X-CSRF-Token": home.token, "Content-Type": "application/json"}
    answer = home.http.post("/api/v1/actions", data=data, headers=headers)
    assert answer.status_code == 400
    assert answer.get_json()["error"]


def test_a_huge_body_is_refused(home: Client) -> None:
    answer = home.post("/api/v1/actions", {"action": "x" * 300_000})
    assert answer.status_code == 413


@pytest.mark.parametrize(
    "path",
    ["nowhere", "boards/ludo", "boards/ludo.svg", "records/9", f"records/{9**30}", "picture.jpg"],
)
def test_what_is_not_there(home: Client, path: str) -> None:
    answer = home.get(f"/api/v1/{path}")
    assert answer.status_code == 404
    assert answer.get_json()["error"]


def test_without_a_game(table: Table) -> None:
    client = Client(create_app(table))
    assert client.state()["state"] == "empty"
    assert client.get("/api/v1/board").status_code == 404
    assert client.post("/api/v1/actions", {"action": "a2-a3"}).status_code == 409
    assert client.post("/api/v1/takebacks").status_code == 409


def test_games_are_listed_with_their_options(home: Client) -> None:
    games = {game["name"]: game for game in home.get("/api/v1/games").get_json()}
    assert games["triune"]["players"] == ["red", "blue"]
    assert games["triune"]["options"][0] == {
        "name": "first", "values": ["red", "blue"], "labels": ["Red", "Blue"], "default": "red",
        "about": "who begins",
    }  # fmt: skip
    assert (games["triune"]["boards"], games["draughts"]["board"]) == ({}, "draughts")
    assert games["draughts"]["boards"] == {"variant=international": "draughts_international"}


class Broken:
    """A table that answers late, or fails."""

    is_open = True

    def __init__(self, error: Exception) -> None:
        self.snapshot, self.error = Snapshot(), error

    def ask(self, message: Message, timeout: float = 1.0) -> Reply:
        raise self.error

    def listen(self, listener: Any) -> None:
        """Nobody waits for news."""


def test_a_busy_table_and_a_fault_of_ours(caplog: pytest.LogCaptureFixture) -> None:
    busy = Client(create_app(Broken(TimeoutError()))).post("/api/v1/games", {"game": "triune"})
    assert (busy.status_code, busy.headers["Retry-After"]) == (503, "1")
    failing = create_app(Broken(RuntimeError("secret detail")))
    fault = Client(failing).post("/api/v1/games", {"game": "triune"})
    assert fault.status_code == 500
    assert "secret" not in json.dumps(fault.get_json())
    assert "secret detail" in caplog.text


def test_a_fault_that_comes_again_and_again_does_not_fill_the_log(caplog: pytest.LogCaptureFixture) -> None:
    client = Client(create_app(Broken(RuntimeError("detail"))))
    for _ in range(100):
        assert client.post("/api/v1/games", {"game": "triune"}).status_code == 500
    assert len([record for record in caplog.records if record.exc_info]) == 1
    assert [record.args[-1] for record in caplog.records[1:] if record.args] == [2, 4, 8, 16, 32, 64]  # type: ignore[index]


def test_fingers_on_the_virtual_table(playing: Table) -> None:
    hand = Hand()
    client = Client(create_app(playing, services=Services(virtual_table=hand)))
    moves = [["down", 10, 20], ["move", 11.5, 20], ["up", 30, 40], ["turn", 5, 5]]
    assert client.post("/api/v1/table/fingers", {"moves": moves}).json == {"missed": False}
    assert hand.done == [("press", 10, 20), ("drag", 11.5, 20), ("drop", 30, 40), ("turn_over", 5, 5)]
    assert client.post("/api/v1/table/fingers", {"moves": [["down", -1, 20]]}).json == {"missed": True}
    for bad in (["wave", 1, 2], ["down", 1], ["down", "1", 2], ["down", 1e9, 2], 7):
        assert client.post("/api/v1/table/fingers", {"moves": [bad]}).status_code == 400
    assert client.post("/api/v1/table/order").status_code == 204
    session = playing.snapshot.session
    assert session
    assert hand.done[-1] == ("become", session.rules.look(session.position))


@pytest.mark.parametrize(
    ("text", "touches", "stands"),
    [
        # Castled, and answered before the rook went: both count.
        ("chess e2e4 e7e5 g1f3 b8c6 f1c4 f8c5", "-e1 +g1=white -a7 +a6=black", "e1g1 a7a6"),
        # A move that is allowed, and a piece knocked over.
        ("chess", "-e2 +e4=white -h1", "e2e4"),
        # A pawn that can only go to one place, and is in a hand: the card says to put it back.
        ("chess a2a3 a7a6 a3a4 a6a5", "-b2", ""),
        ("chess a2a3 h7h6 a3a4 h6h5 a4a5 h5h4", "-a5", ""),
        # One that is, and another of the same player.
        ("chess", "-d2 +d3=white -b1 -d8 +d8=white", "d2d3"),
        # A move that is not allowed.
        ("chess", "-e2 +e5=white", ""),
    ],
)
def test_the_virtual_table_is_put_right_as_the_card_says(text: str, touches: str, stands: str) -> None:
    game, actions = split(text)
    seen = taken_apart.Table(restore(game, [Entry("action", action) for action in actions]), "perfect")
    for word in touches.split():
        place, _, look = word[1:].partition("=")
        seen.touch(taken_apart.Part(place, look or EMPTY), 0.2)
    seen.wait(10.0)
    assert seen.desk.snapshot.verdict
    table, hand = Broken(RuntimeError()), Hand()
    table.snapshot = seen.desk.snapshot
    client = Client(create_app(table, services=Services(virtual_table=hand)))
    assert client.post("/api/v1/table/order").status_code == 204
    after = restore(game, [Entry("action", action) for action in (*actions, *stands.split())])
    assert hand.done[-1] == ("become", laid_looks(after.rules, after.position))


def test_a_virtual_table_that_is_laid_for_another_game_is_put_in_order_later(playing: Table) -> None:
    virtual = VirtualTable(load_board("escape"), Random(1))
    client = Client(create_app(playing, services=Services(virtual_table=virtual)))
    answer = client.post("/api/v1/table/order")
    assert (answer.status_code, "for another game" in answer.get_json()["error"]) == (409, True)


def test_the_sessions_key_is_kept_for_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    key = read_secret(folder)
    assert len(key) == 32
    assert read_secret(folder) == key
    assert (folder / "session.key").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("damaged", [b"", b"half a key", bytes(32)])
def test_a_damaged_key_of_sessions_is_set_aside(
    tmp_path: Path, damaged: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "session.key").write_bytes(damaged)
    key = read_secret(tmp_path)
    assert len(key) == 32
    assert any(key)
    assert read_secret(tmp_path) == key
    assert (tmp_path / "session.key").stat().st_mode & 0o077 == 0
    assert (tmp_path / "session.key.damaged").read_bytes() == damaged
    assert "take a seat anew" in caplog.text
    assert len(list(tmp_path.iterdir())) == 2


def test_a_key_of_sessions_is_on_disk_before_it_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A power cut leaves a whole key or none."""
    synced: list[list[int]] = []

    def note(_: int) -> None:
        synced.append([file.stat().st_size for file in tmp_path.glob("session.key")])

    monkeypatch.setattr(os, "fsync", note)
    read_secret(tmp_path)
    assert synced == [[], [32]]


def test_a_refused_action_is_explained_with_the_players_names(home: Client) -> None:
    assert home.post("/api/v1/games", {"game": "triune", "names": {"red": "Ann"}}).status_code == 200
    for asked in (
        home.get("/api/v1/judge?action=b7-b6").get_json(),
        home.post("/api/v1/actions", {"action": "b7-b6"}).get_json(),
    ):
        [broken] = asked["breaks"]
        assert (broken["rule"], broken["title"]) == ("TR-1", "turn")
        assert broken["here"] == "The piece on b7 belongs to Blue, and it is Ann (Red)'s turn."
        assert broken["text"].startswith("A turn is one move")


def test_the_shell_can_be_installed(opened: Flask) -> None:
    client = Client(opened, "10.0.0.9", "10.0.0.1")
    manifest = client.get("/manifest.webmanifest").get_json(force=True)
    assert manifest["display"] == "standalone"
    for icon in manifest["icons"]:
        assert client.get(icon["src"]).status_code == 200
    worker = client.get("/sw.js")
    assert worker.mimetype in ("text/javascript", "application/javascript")
    assert b"/api/" not in worker.data


def test_seats_that_depend_on_an_option_are_listed(home: Client) -> None:
    games = {game["name"]: game for game in home.get("/api/v1/games").get_json()}
    assert games["triune"]["seats"] == {}
    assert len(games["trid"]["seats"]["players=4"]) == 4


def test_the_api_describes_itself_from_its_code(home: Client) -> None:
    document = home.get("/api/v1/openapi.json").get_json()
    paths = document["paths"]
    routes = {rule.rule for rule in home.http.application.url_map.iter_rules() if "/api/" in rule.rule}
    assert len(paths) == len(routes)
    for path in paths.values():
        for method, operation in path.items():
            assert operation["summary"]
            assert ("requestBody" in operation) is (method == "post")
    actions = paths["/api/v1/actions"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert actions["required"] == ["action"]
    assert not actions["additionalProperties"]
    steps = paths["/api/v1/draws/{step}"]["post"]["parameters"][0]["schema"]["enum"]
    assert steps == ["accept", "claim", "decline", "offer"]


def test_the_description_is_made_once(home: Client) -> None:
    with patch("web.routes.openapi.describe", wraps=describe) as made:
        first, second = (home.get("/api/v1/openapi.json") for _ in range(2))
    assert made.call_count == 1
    assert first.data == second.data
    assert first.mimetype == "application/json"


def test_a_clock_is_set_and_shown(home: Client) -> None:
    assert home.post("/api/v1/games", {"game": "triune", "clock": "10+5"}).status_code == 200
    clock = home.state()["clock"]
    assert clock["left"] == {"red": 600, "blue": 600}
    assert clock["control"] == "10:00+5"


def test_a_game_that_is_over_is_played_again(home: Client) -> None:
    given = {
        "game": "triune", "options": {"first": "blue"}, "names": {"red": "Ann", "blue": "Bo"},
        "clock": "red=10+5 blue=5", "head": {"event": "Club", "round": "3"},
    }  # fmt: skip
    assert home.post("/api/v1/games", given).status_code == 200
    assert home.post("/api/v1/games/again").status_code == 409
    heads = []
    for swapped in (False, True):
        assert home.post("/api/v1/resignations", {"player": "red"}).status_code == 200
        assert home.post("/api/v1/games/again", {"swapped": swapped}).status_code == 200
        state = home.state()
        assert (state["state"], state["turn"], state["moves"]) == ("playing", "blue", [])
        heads.append(state["head"])
    assert heads == [
        {"event": "Club", "red": "Ann", "blue": "Bo", "clock": "red=10:00+5 blue=5:00"},
        {"event": "Club", "red": "Bo", "blue": "Ann", "clock": "red=5:00 blue=10:00+5"},
    ]


def test_each_player_has_a_time_control(home: Client) -> None:
    given = {"game": "triune", "clock": "red=10+2x30 blue=5b3"}
    assert home.post("/api/v1/games", given).status_code == 200
    clock = home.state()["clock"]
    assert clock["control"] == "red=10:00+2x30 blue=5:00b3"
    assert clock["left"] == {"red": 660, "blue": 300}
    assert clock["byo_yomi"] == {"red": {"periods": 2, "seconds": 30}}
    assert home.post("/api/v1/games", {"game": "triune", "clock": "red=10"}).status_code == 400


def test_the_arbiter_changes_the_clock(home: Client) -> None:
    assert home.post("/api/v1/games", {"game": "triune", "clock": "10"}).status_code == 200
    for address, body in (
        ("times/give", {"player": "red", "seconds": 60}),
        ("times/give", {"player": "red", "seconds": -30}),
        ("times/set", {"player": "blue", "seconds": 90}),
        ("clock/stop", {}),
    ):
        assert home.post(f"/api/v1/{address}", body).status_code == 200
    clock = home.state()["clock"]
    assert clock["left"] == {"red": 630, "blue": 90}
    assert clock["held"]
    assert home.post("/api/v1/clock/start", {}).status_code == 200
    assert not home.state()["clock"]["held"]
    assert home.post("/api/v1/clock/start", {}).status_code == 409
    assert home.post("/api/v1/clock/turn", {}).status_code == 404


def test_hints_are_for_puzzles_and_for_who_plays(home: Client, playing: Table, guest: Client) -> None:
    refused = home.get("/api/v1/advice")
    assert (refused.status_code, "hints are for puzzles" in refused.get_json()["error"]) == (409, True)
    assert playing.ask(NewGame("queens +a1")).ok
    assert guest.get("/api/v1/advice").status_code == 403
    advice = home.get("/api/v1/advice").get_json()
    assert advice["solvable"] is True
    assert home.post("/api/v1/actions", {"action": advice["action"]}).status_code == 200


ACTS: list[tuple[str, dict[str, object]]] = [
    ("actions", {"action": "a3-a4"}),
    ("takebacks", {}),
    ("redos", {}),
    ("turn-ends", {}),
    ("answers", {"question": 1, "choice": []}),
    ("resignations", {"player": "red"}),
    *((f"draws/{step}", {"player": "red"}) for step in ("offer", "accept", "decline", "claim")),
    ("corrections", {"looks": {"a1": "red/solid"}, "turn": "red"}),
    ("head", {"head": {"round": "3"}}),
    ("results", {"winner": "red"}),
    *((f"times/{change}", {"player": "red", "seconds": 5}) for change in ("give", "set")),
    *((f"clock/{run}", {}) for run in ("stop", "start")),
    ("beliefs", {}),
    ("board-turns", {}),
    ("closings", {}),
    ("games", {"game": "triune"}),
    ("games/proposed", {}),
    ("games/again", {}),
    ("opponents", {"companion": "red=1"}),
    ("puzzles", {"game": "triune"}),
]


@pytest.mark.parametrize(("path", "body"), ACTS, ids=[path for path, _ in ACTS])
def test_an_act_that_was_meant_for_another_moment_is_refused(
    home: Client, path: str, body: dict[str, object]
) -> None:
    if path == "games/again":
        assert home.post("/api/v1/results", {"winner": "red"}).status_code == 200
    before = home.state()
    for meant, words in (
        ({"number": 7}, "another game is on"),
        ({"number": 0}, "another game is on"),
        ({"number": 1, "plies": 1}, "the game went on meanwhile"),
    ):
        answer = home.post(f"/api/v1/{path}", {**body, **meant})
        assert (answer.status_code, words in answer.get_json()["error"]) == (409, True), answer.data
    assert home.state() == before


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    """The description of the API, which takes a while to write."""
    return describe(create_app(Mock()))


def test_every_act_at_the_table_is_tried(home: Client, document: dict[str, Any]) -> None:
    paths = document["paths"]
    acts = {path for path, methods in paths.items() if "plies" in fields_of(methods.get("post", {}))}
    tried = {f"/api/v1/{path.replace('/offer', '/{step}')}" for path, _ in ACTS}
    assert {path for path in acts if "{" not in path} <= tried
    assert {path.rpartition("/")[0] for path in acts if "{" in path} == {
        f"/api/v1/{room}" for room in ("draws", "times", "clock")
    }
    rules = home.http.application.url_map.iter_rules()
    at_table = [rule for rule in rules if rule.endpoint.startswith(("api.", "puzzles."))]
    assert {
        re.sub(r"<[^>]*:(\w+)>", r"{\1}", r.rule) for r in at_table if "POST" in (r.methods or ())
    } == acts


@pytest.mark.parametrize(
    "path",
    [
        "session", "state", "positions/1", "games", "board", "judge?action=a2-a9", "records", "records/1",
        "records/1/board", "tokens", "invitations", "boards/chess", "tutorials/triune", "games/1.json",
    ],
)  # fmt: skip
def test_an_answer_is_as_it_is_described(home: Client, document: dict[str, Any], path: str) -> None:
    address = f"/api/v1/{path.partition('?')[0]}"
    fits = [way for way in document["paths"] if re.fullmatch(re.sub(r"{\w+}", "[^/]+", way), address)]
    answers = document["paths"][min(fits, key=lambda way: way.count("{"))]["get"]["responses"]
    schema = answers["200"]["content"]["application/json"]["schema"]
    answer = home.get(f"/api/v1/{path}").json
    jsonschema.Draft202012Validator({**schema, "components": document["components"]}).validate(answer)


def fields_of(operation: dict[str, Any]) -> dict[str, Any]:
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    found: dict[str, Any] = content.get("schema", {}).get("properties", {})
    return found


def test_of_two_who_undo_at_once_one_does(home: Client) -> None:
    seen = home.state()
    meant = {"number": seen["number"], "plies": seen["plies"]}
    answers = [home.post("/api/v1/takebacks", {"count": 1, **meant}).status_code for _ in "ab"]
    assert answers == [200, 409]
    assert home.state()["plies"] == seen["plies"] - 1


def test_of_two_who_lift_a_result_one_does(home: Client) -> None:
    assert home.post("/api/v1/results", {"winner": "red"}).status_code == 200
    seen = home.state()
    meant = {"count": 0, "number": seen["number"], "plies": seen["plies"]}
    assert [home.post("/api/v1/takebacks", meant).status_code for _ in "ab"] == [200, 409]
    assert (home.state()["state"], home.state()["plies"]) == ("playing", seen["plies"])


def test_an_act_for_an_empty_table_is_refused_once_a_game_is_on(home: Client) -> None:
    assert home.post("/api/v1/closings", {"number": 1}).status_code == 200
    begin = {"game": "triune", "number": 0, "plies": 0}
    assert [home.post("/api/v1/games", begin).status_code for _ in "ab"] == [200, 409]
