"""A long game is looked at in parts, by few at a time: it takes neither the memory nor the threads."""

from __future__ import annotations

import threading

import pytest
from flask import Flask
from web_clients import Client

from companion.record.exports import find_games
from companion.store.store import Store
from web.server.opened_games import LONG_GAME
from web.server.shared import OF_ONE

PLIES = 2 * LONG_GAME + 10
PATHS = ("records/2", "records/2/board", "records/2/3.svg", "records/2/export/text")


@pytest.fixture
def long_game(store: Store, opened: Flask) -> Flask:
    """The page open to the network, with a long game as the second one."""
    (record,) = find_games("triune " + "a1~ a8~ " * (PLIES // 2)).records
    assert store.add(record) == 2
    return opened


def test_a_long_game_is_sent_in_parts(guest: Client, long_game: Flask) -> None:
    steps, more = [], True
    while more:
        answer = guest.get(f"/api/v1/records/2?from={len(steps)}").get_json()
        assert 0 < len(answer["steps"]) <= LONG_GAME
        steps, more = steps + answer["steps"], answer["more"]
    assert [step.get("n", 0) for step in steps] == list(range(PLIES + 1))
    assert [step["action"] for step in steps[1:]] == ["a1~", "a8~"] * (PLIES // 2)
    assert steps[-1]["round"] == PLIES // 2
    assert guest.get(f"/api/v1/records/2?from={PLIES + 1}").get_json()["steps"] == []


def test_a_short_game_is_sent_whole(guest: Client) -> None:
    answer = guest.get("/api/v1/records/1").get_json()
    assert ([step.get("n", 0) for step in answer["steps"]], answer["more"]) == ([0, 1, 2], False)


@pytest.mark.parametrize("given", ["x", "-1", "½", "9" * 11])
def test_a_part_begins_at_a_number(guest: Client, given: str) -> None:
    assert guest.get(f"/api/v1/records/1?from={given}").status_code == 400


def test_a_long_game_is_opened_once_until_it_changes(
    guest: Client, arbiter: Client, long_game: Flask
) -> None:
    games = long_game.extensions["companion"].opened_games
    assert guest.get("/api/v1/records/2").status_code == 200
    kept = games._last
    assert guest.get("/api/v1/records/2?from=500").status_code == 200
    assert games._last is kept
    assert arbiter.post("/api/v1/records/2/notes", {"text": "long"}).status_code == 200
    assert guest.get("/api/v1/records/2").get_json()["steps"][0]["notes"][0]["text"] == "long"
    assert arbiter.post("/api/v1/records/2/deletion").status_code == 200
    assert guest.get("/api/v1/records/2").status_code == 404


@pytest.mark.parametrize("path", PATHS)
def test_who_asks_too_often_at_once_is_refused_and_others_are_not(
    guest: Client, arbiter: Client, long_game: Flask, path: str
) -> None:
    turns, over, has_taken = long_game.extensions["companion"].opened_games.turns, threading.Event(), []

    def wait() -> None:
        with turns.turn("192.168.1.20") as has_turn:
            has_taken.append(has_turn)

    with turns.turn("192.168.1.20"):
        waiting = threading.Thread(target=wait)
        waiting.start()
        while turns._places.held < OF_ONE:
            over.wait(0.01)
        refused = guest.get(f"/api/v1/{path}")
        assert (refused.status_code, refused.headers["Retry-After"]) == (503, "5")
        assert guest.get("/api/v1/records/1").status_code == 200  # a short one needs no turn
    waiting.join()
    assert has_taken == [True]
    assert arbiter.get(f"/api/v1/{path}").status_code == 200
    assert guest.get(f"/api/v1/{path}").status_code == 200
