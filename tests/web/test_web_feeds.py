"""Feeds: a whole game of chess read poll by poll as a broadcast reads it, other games as JSON, no secrets."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from web_clients import OPEN, PATIENCE_S, Client, Clock
from werkzeug.test import TestResponse

from companion.record.record import read_record, write_record
from companion.store.store import Store
from companion.table.desk import Desk
from companion.table.messages import ChangeHead, Correct, NewGame, Submit, TakeBack
from companion.table.table import Table
from tests.stores import open_store
from web import Services, Settings, create_app

chess = pytest.importorskip("chess")
pgn = pytest.importorskip("chess.pgn")
PGN, JSON = "/api/v1/current.pgn", "/api/v1/current.json"


@pytest.fixture
def clock() -> Clock:
    return Clock(1_700_000_000.0)


@pytest.fixture
def table(tmp_path: Path, clock: Clock) -> Iterator[Table]:
    """A table whose time passes only when a test says so."""
    with Table(Desk(open_store(tmp_path / "games.db"), wall=clock)) as table:
        yield table


@pytest.fixture
def home(table: Table, store: Store) -> Client:
    return Client(create_app(table, Settings(), Services(store=store)))


class Relay:
    """A broadcast that polls: it sends the tag it was given, and notes what it got."""

    def __init__(self, client: Client, path: str = PGN) -> None:
        self.client, self.path, self.tag = client, path, ""
        self.text = ""

    def poll(self) -> int:
        answer = self.client.get(self.path, headers={"If-None-Match": self.tag})
        if answer.status_code == 200:
            self.tag, self.text = answer.headers["ETag"], answer.get_data(as_text=True)
        return answer.status_code

    @property
    def game(self) -> Any:
        found = pgn.read_game(io.StringIO(self.text))
        assert found is not None
        assert not found.errors
        return found

    @property
    def moves(self) -> str:
        return " ".join(move.uci() for move in self.game.mainline_moves())


def begin(client: Client, clock: str = "10+5", **head: str) -> None:
    names = {"white": "Müller, Ann", "black": "Ben"}
    body = {"game": "chess", "names": names, "clock": clock, "head": {"event": 'Club "A"', **head}}
    assert client.post("/api/v1/games", body).status_code == 200


def play(client: Client, action: str) -> None:
    answer = client.post("/api/v1/actions", {"action": action})
    assert answer.status_code == 200, answer.data


def test_a_broadcast_reads_a_whole_game(home: Client, clock: Clock) -> None:
    relay = Relay(home)
    assert relay.poll() == 404
    begin(home, place="Wien", round="3", board="7")
    assert relay.poll() == 200
    # PGN 8.1.1: a quotation mark within a tag stands behind a backslash, which this library leaves there.
    headers = {tag: text.replace('\\"', '"') for tag, text in relay.game.headers.items()}
    assert headers == {
        "Event": 'Club "A"', "Site": "Wien", "Date": "2023.11.14", "Round": "3", "White": "Müller, Ann",
        "Black": "Ben", "Result": "*", "Board": "7", "TimeControl": "600+5", "Termination": "unterminated",
        "UTCDate": "2023.11.14", "UTCTime": "22:13:20",
    }  # fmt: skip
    assert pgn.parse_time_control(headers["TimeControl"]).parts[0].increment == 5
    left = {True: 600.0, False: 600.0}
    moves = ("e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7")
    for n, move in enumerate(moves):
        seconds = 10.0 + n
        clock.now += seconds
        play(home, move)
        if n:  # the first turn starts the clock
            left[n % 2 == 0] += 5 - seconds
        assert (relay.poll(), relay.poll()) == (200, 304)
        last = relay.game.end()
        assert (last.ply(), last.move.uci(), last.clock()) == (n + 1, move, left[n % 2 == 0])
        assert relay.game.headers["Result"] == ("1-0" if move == "h5f7" else "*")
        assert [node.clock() is not None for node in relay.game.mainline()] == [True] * (n + 1)
    assert relay.game.headers["Termination"] == "normal"
    assert relay.game.end().board().is_checkmate()
    same = Relay(home, "/api/v1/games/1.pgn")
    assert same.poll() == 200
    assert same.text == relay.text
    assert home.post("/api/v1/closings").status_code == 200
    assert (relay.poll(), same.poll()) == (404, 304)


def test_what_was_refused_or_taken_back_is_in_no_broadcast(home: Client) -> None:
    relay = Relay(home)
    begin(home)
    play(home, "e2e4")
    assert home.post("/api/v1/actions", {"action": "e7e4"}).status_code == 409
    relay.poll()
    assert relay.moves == "e2e4"
    play(home, "e7e5")
    relay.poll()
    assert relay.moves == "e2e4 e7e5"
    assert home.post("/api/v1/takebacks").status_code == 200
    assert relay.poll() == 200
    assert relay.moves == "e2e4"
    play(home, "c7c5")
    relay.poll()
    assert relay.moves == "e2e4 c7c5"


ENDS = [
    ("/api/v1/resignations", {"player": "white"}, "0-1", "normal"),
    ("/api/v1/results", {"winner": ""}, "1/2-1/2", "adjudication"),
    ("/api/v1/results", {"winner": "white"}, "1-0", "adjudication"),
]


@pytest.mark.parametrize(("path", "body", "result", "termination"), ENDS)
def test_how_a_game_ended(
    home: Client, path: str, body: dict[str, str], result: str, termination: str
) -> None:
    relay = Relay(home)
    begin(home)
    play(home, "e2e4")
    assert home.post(path, body).status_code == 200
    relay.poll()
    headers = relay.game.headers
    assert (headers["Result"], headers["Termination"]) == (result, termination)
    assert relay.text.rstrip().endswith(result)
    assert home.post("/api/v1/takebacks").status_code == 200  # the arbiter lifts it
    relay.poll()
    assert (relay.game.headers["Result"], relay.game.headers["Termination"]) == ("*", "unterminated")


def test_an_agreed_draw(home: Client) -> None:
    relay = Relay(home)
    begin(home)
    play(home, "e2e4")
    assert home.post("/api/v1/draws/offer", {"player": "white"}).status_code == 200
    relay.poll()
    assert relay.game.headers["Result"] == "*"
    assert home.post("/api/v1/draws/accept", {"player": "black"}).status_code == 200
    relay.poll()
    assert (relay.game.headers["Result"], relay.game.headers["Termination"]) == ("1/2-1/2", "normal")


def test_a_fallen_flag_stays_so_when_the_head_changes(home: Client, table: Table, clock: Clock) -> None:
    relay = Relay(home)
    begin(home)
    play(home, "e2e4")
    shown = table.snapshot.id
    clock.now += 601
    assert table.wait(shown, PATIENCE_S)  # the table notices by itself
    relay.poll()
    assert (relay.game.headers["Result"], relay.game.headers["Termination"]) == ("1-0", "time forfeit")
    assert table.ask(ChangeHead({"round": "4"})).ok
    assert relay.poll() == 200
    assert (relay.game.headers["Round"], relay.game.headers["Termination"]) == ("4", "time forfeit")
    assert home.post("/api/v1/openings", {"number": 1}).status_code == 200
    assert home.state()["clock"]["left"]["black"] == 0


def test_a_correction_is_told(home: Client, table: Table) -> None:
    relay = Relay(home)
    begin(home)
    play(home, "e2e4")
    play(home, "e7e5")
    session = table.snapshot.session
    assert session
    looks = {**session.look, "a2": "empty"}
    assert table.ask(Correct(looks, "white")).ok
    play(home, "g1f3")
    relay.poll()
    game = relay.game
    assert game.comment == "The arbiter corrected the position after 2 actions: e4 e5"
    assert game.headers["SetUp"] == "1"
    assert (relay.moves, game.board().piece_at(chess.A2)) == ("g1f3", None)


@pytest.mark.parametrize(
    ("control", "tags"),
    [
        ("10", {"TimeControl": "600"}),
        ("5:30+3", {"TimeControl": "330+3"}),
        ("40/90,30+30", {"TimeControl": "40/5400+30:1800+30"}),
        ("40/90,20/30,15", {"TimeControl": "40/5400:20/1800:900"}),
        ("25d10", {"TimeControl": "1500+10d"}),
        ("25b10", {"TimeControl": "1500+10d"}),
        ("30+5x30", {"TimeControl": "?"}),
        (
            "white=10+5 black=5",
            {"TimeControl": "?", "WhiteTimeControl": "600+5", "BlackTimeControl": "300"},
        ),
        ("", {}),
    ],
)
def test_time_controls_as_pgn_has_them(home: Client, control: str, tags: dict[str, str]) -> None:
    relay = Relay(home)
    begin(home, control)
    relay.poll()
    headers = relay.game.headers
    assert {tag: value for tag, value in headers.items() if "TimeControl" in tag} == tags
    for value in tags.values():
        pgn.parse_time_control(value)


def test_the_head_is_told_while_the_game_is_on(home: Client, table: Table, store: Store) -> None:
    begin(home, round="1")
    play(home, "e2e4")
    change = {"round": "2", "board": "{7} 50%", "white": "  Eve \n", "event": ""}
    assert home.post("/api/v1/head", {"head": change, "number": 1}).status_code == 200
    head = {"white": "Eve", "black": "Ben", "clock": "10:00+5", "round": "2", "board": "{7} 50%"}
    assert home.state()["head"] == head
    log = table.snapshot.session.log if table.snapshot.session else ()
    assert [entry.text for entry in log if entry.kind == "head"] == [
        "round=2",
        "board={7} 50%",
        "white=Eve",
        "event=",
    ]
    lines = len(log)
    assert home.post("/api/v1/head", {"head": change}).status_code == 200  # nothing new
    assert len(table.snapshot.session.log if table.snapshot.session else ()) == lines

    record = store.load(1)
    assert dict(record.head) == head
    assert dict(read_record(write_record(record)).head) == head
    assert read_record(write_record(record)).log == record.log
    assert [game.id for game in store.list("eve")] == [1]
    assert store.list("ann") == []
    copied = store.correct(1, record)
    assert {**store.load(copied).head, "corrects": ""} == {**head, "corrects": ""}
    assert home.post("/api/v1/openings", {"number": 1}).status_code == 200
    assert home.state()["head"] == head
    steps = home.get("/api/v1/records/1").get_json()["steps"]
    assert [aside["words"] for aside in steps[-1]["asides"]][:2] == [
        "The arbiter notes: round: 2",
        "The arbiter notes: board: {7} 50%",
    ]


@pytest.mark.parametrize(
    ("body", "code", "words"),
    [
        ({"head": {"clock": "5"}}, 400, "white, black, event, place, round, board, not 'clock'"),
        ({"head": {"markers": "laid"}}, 400, "not 'markers'"),
        ({"head": {"round": 3}}, 400, "Expected `str`, got `int`"),
        ({"head": {"round": "3"}, "number": 7}, 409, "meant for an earlier one"),
    ],
)
def test_a_head_that_cannot_be(home: Client, body: dict[str, Any], code: int, words: str) -> None:
    begin(home)
    answer = home.post("/api/v1/head", body)
    assert (answer.status_code, words in answer.get_json()["error"]) == (code, True)
    assert home.state()["head"].get("round") is None


def test_without_a_game_there_is_no_head(home: Client) -> None:
    assert home.post("/api/v1/head", {"head": {"round": "3"}}).status_code == 409
    body = {"game": "chess", "head": {"white": "Ann"}}
    assert home.post("/api/v1/games", body).status_code == 400


def test_other_games_are_json(home: Client, table: Table) -> None:
    assert table.ask(NewGame("triune a2-a3 b7~", {"red": "Ann", "round": "2"})).ok
    relay = Relay(home, JSON)
    assert (relay.poll(), relay.poll()) == (200, 304)
    found = json.loads(relay.text)
    assert (found["name"], found["head"], found["turn"]) == ("triune", {"red": "Ann", "round": "2"}, "red")
    assert [(move["round"], move["player"], move["action"]) for move in found["moves"]] == [
        (1, "red", "a2-a3"),
        (1, "blue", "b7~"),
    ]
    assert found["outcome"] is None
    assert home.get(PGN).status_code == 404
    assert home.get(PGN).get_json()["error"] == "Triune is not written as PGN: ask for json"
    assert home.get("/api/v1/current.gif").get_json()["error"] == "a game is sent as json, pgn, pdn"
    assert table.ask(Submit("a3-a4")).ok
    assert relay.poll() == 200
    assert home.post("/api/v1/resignations", {"player": "red"}).status_code == 200
    relay.poll()
    assert json.loads(relay.text)["outcome"]["winner"] == "blue"


def test_draughts_are_pdn(home: Client, table: Table) -> None:
    assert table.ask(NewGame("draughts")).ok
    play(home, home.state()["legal"][0]["action"])
    answer = home.get("/api/v1/current.pdn")
    assert answer.status_code == 200
    assert '[GameType "21"]' in answer.get_data(as_text=True)


def test_no_secret_leaves_by_a_feed(home: Client, table: Table, store: Store) -> None:
    """Two games that differ in what is hidden alone are the same, byte for byte."""
    seen = []
    for red in ("=K222333444tT", "=22K2333444tT"):
        assert table.ask(NewGame("magnet", {"round": "1", "clock": "10+5"})).ok
        number = table.snapshot.number
        for action in (red, "=K222333444tT", "@f4"):
            assert table.ask(Submit(action)).ok
        texts = [home.get(path).get_data(as_text=True) for path in (JSON, f"/api/v1/games/{number}.json")]
        assert texts[0] == texts[1]
        seen.append(texts[0].replace(f'"number":{number}', '"number":0'))
    assert seen[0] == seen[1]
    assert json.loads(seen[0])["moves"]
    other = home.get("/api/v1/games/1.json")  # it is not on the table any more
    assert (other.status_code, other.get_json()["error"]) == (
        403,
        "this game holds secrets: it opens when it is over",
    )


def test_a_deleted_game_is_in_no_feed(home: Client, table: Table) -> None:
    begin(home)
    assert table.ask(NewGame("triune")).ok
    relay = Relay(home, "/api/v1/games/1.pgn")
    assert relay.poll() == 200
    assert home.post("/api/v1/records/1/deletion").status_code == 200
    assert relay.poll() == 404
    assert home.get("/api/v1/games/99.json").status_code == 404


def test_comments_are_no_part_of_a_broadcast(home: Client) -> None:
    begin(home)
    play(home, "e2e4")
    assert home.post("/api/v1/records/1/notes", {"text": "play d4", "line": 1}).status_code == 200
    for path in (PGN, JSON, "/api/v1/games/1.pgn"):
        assert b"play d4" not in home.get(path).data


def test_pages_of_elsewhere_read_what_an_open_server_broadcasts(
    table: Table, store: Store, home: Client
) -> None:
    begin(home)

    def allowed(app: Flask, path: str) -> str | None:
        answer: TestResponse = app.test_client().get(path, base_url="http://127.0.0.1")
        assert answer.status_code == 200
        return answer.headers.get("Access-Control-Allow-Origin")

    opened, closed = (create_app(table, settings, Services(store=store)) for settings in (OPEN, Settings()))
    assert [allowed(opened, path) for path in (PGN, JSON, "/api/v1/games/1.pgn", "/api/v1/state")] == [
        "*"
    ] * 3 + [None]
    assert allowed(closed, PGN) is None  # a page that somebody visits must not read a private table
    assert home.get(PGN).headers["Cache-Control"] == "no-cache"


def test_takebacks_leave_the_feed_of_a_stored_game_as_it_stands(home: Client, table: Table) -> None:
    begin(home)
    play(home, "e2e4")
    play(home, "e7e5")
    assert table.ask(TakeBack(1)).ok
    before = home.get(PGN).data
    assert table.ask(NewGame("triune")).ok
    assert home.get("/api/v1/games/1.pgn").data == before
