"""The test before play: it believes what sources show, says what is wrong, and keeps it from the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from web_clients import Client

from companion.core.board import load_board
from companion.core.game import Look, Place
from companion.games.text import read_game
from companion.sensing.observation import Sighting
from companion.table import messages
from companion.table.desk import Desk
from companion.table.table import Table
from firmware_bridge.eboards.eboard import EBoard
from tests.companion.sensor import Sensor
from tests.stores import open_store
from web import Services, Settings, create_app
from web.runtime.board_test import BoardTests, BoardTestShown, choose_places

SIGHTING_S = 0.3
START = "rnbqkbnrpppppppp" + 32 * "." + "PPPPPPPPRNBQKBNR"
"""The squares of an e-board at the start."""


class Trial:
    """A test of a game at a table, with a sensor whose pieces hands move."""

    def __init__(self, game: str = "chess", picture: str = "") -> None:
        self.now = 100.0
        self.desk = Desk(open_store())
        assert self.desk.handle(messages.NewGame(game))[0].ok
        self.sensor = Sensor(read_game(game))
        self.tests = BoardTests(lambda: self.desk.snapshot, lambda: picture, lambda: self.now)
        self.tests.begin()

    def tell(self, sighting: Sighting) -> Sighting:
        """Has a source say something; what of it the table is told."""
        self.now += SIGHTING_S
        told = self.tests.sift(sighting)
        self.desk.handle(messages.SightingArrived(told))
        return told

    def wait(self, seconds: int) -> None:
        """Lets time go by while somebody looks at the test."""
        for _ in range(seconds):
            self.now += 1
            assert self.tests.look()

    def show(self, looks: Mapping[Place, Look], **how: Any) -> BoardTestShown:
        self.sensor.looks = dict(looks)
        self.tell(self.sensor.sight(**how))
        return self.progress

    @property
    def progress(self) -> BoardTestShown:
        found = self.tests.look()
        assert found
        return found

    @property
    def start(self) -> dict[Place, Look]:
        session = self.desk.snapshot.session
        assert session
        return dict(session.look)

    def without(self, *places: Place) -> dict[Place, Look]:
        return {place: look for place, look in self.start.items() if place not in places}

    @property
    def stages(self) -> list[str]:
        return [tried.stage for tried in self.progress.places]


@pytest.mark.parametrize(
    ("game", "places", "taken"),
    [
        ("chess", ("a1", "d2", "h8"), [True, True, True]),
        ("draughts", ("a1", "d6", "h8"), [True, True, True]),
        ("queens", ("a1", "d4", "h8"), [False, False, False]),
    ],
)
def test_the_places_lie_far_apart(game: str, places: tuple[str, ...], taken: list[bool]) -> None:
    trial = Trial(game)
    assert [tried.taken for tried in trial.progress.places] == taken
    assert choose_places(read_game(game).board, trial.start) == places


@pytest.mark.parametrize("game", ["chess", "queens", "triune", "teleporters", "rooks", "escape"])
def test_each_place_has_to_change_and_to_be_as_before(game: str) -> None:
    trial = Trial(game)
    trial.show(trial.start)
    assert trial.stages == ["ready"] * 3
    look = next(iter(trial.sensor.known[1:]))
    for number, tried in enumerate(trial.progress.places):
        other = trial.without(tried.place) if tried.taken else {**trial.start, tried.place: look}
        trial.show(other)
        assert trial.stages[number] == "changed"
        progress = trial.show(trial.start)
        assert progress.places[number].stage == "done"
    assert progress.done
    assert trial.tests.look() is None
    session = trial.desk.snapshot.session
    assert session
    assert (session.actions, len(session.log), trial.desk.snapshot.verdict) == ((), 0, None)


def test_nothing_of_the_test_is_play() -> None:
    trial = Trial()
    trial.show(trial.start)
    moved = {**trial.without("e2"), "e4": "white"}
    for _ in range(20):
        trial.show(moved)
        told = trial.tell(trial.sensor.sight())
    assert (told.observation, told.touches) == (None, None)
    with pytest.raises(match="Put back what was moved: e2, e4"):
        trial.tests.end()
    trial.show(trial.start)
    trial.tests.end()
    trial.tell(trial.sensor.sight())
    snapshot = trial.desk.snapshot
    assert snapshot.session
    assert (snapshot.session.log, snapshot.verdict, snapshot.question) == ((), None, None)


def test_it_ends_anyway_where_that_is_wished() -> None:
    trial = Trial()
    trial.show(trial.start)
    trial.show(trial.without("e2"))
    trial.tests.end(anyway=True)
    assert trial.tests.look() is None


def test_pieces_beside_the_three_have_to_be_put_back() -> None:
    trial = Trial()
    for moved in ((), ("a1", "d2", "h8", "e7"), ("e7",)):
        progress = trial.show(trial.without(*moved))
    assert {tried.stage for tried in progress.places} == {"done"}
    assert (progress.done, str(progress.words)) == (False, "Put back what was moved: e7.")
    assert trial.show(trial.start).done


MOVES = "Something moves, or a hand is in the way: wait until the board is at rest."
NOTHING = "No change is seen at a1, d2, h8. Take the piece right off the board, and your hand with it."


@pytest.mark.parametrize(
    ("last", "picture", "words"),
    [
        ({}, "too dark: put a lamp on", "too dark: put a lamp on"),
        ({}, "", NOTHING),
        ({"hand": True}, "too dark", MOVES),
        ({"still": False}, "", MOVES),
    ],
)
def test_what_may_be_wrong_is_said_in_the_end(last: dict[str, bool], picture: str, words: str) -> None:
    trial = Trial(picture=picture)
    assert trial.show(trial.start).words == ""
    trial.wait(20)
    progress = trial.show(trial.start, **last)
    assert (str(progress.words), progress.picture) == (words, words == picture)


def test_a_change_elsewhere_is_named() -> None:
    trial = Trial()
    trial.show(trial.start)
    trial.wait(20)
    words = str(trial.show(trial.without("h1")).words)
    assert words.startswith("A change is seen at h1, and none at a1, d2, h8.")


def test_what_is_not_laid_is_named() -> None:
    trial = Trial()
    assert trial.show({}).words == "Not yet as the game has it: a1, a2, a7, a8, b1, b2 and 26 more."
    assert trial.show(trial.without("a1")).words == "Not yet as the game has it: a1."
    trial.tell(trial.sensor.lose("the cable was pulled"))
    assert trial.progress.words == "the cable was pulled"


@pytest.mark.parametrize("picture", ["", "too bright"])
def test_a_place_that_stays_wrong_may_be_misread(picture: str) -> None:
    trial = Trial(picture=picture)
    trial.show(trial.without("h8"))
    trial.wait(20)
    words = picture or "Not yet as the game has it: h8."
    assert str(trial.progress.words) == words
    assert str(trial.show(trial.start).words) == ""  # more is laid than before


def test_every_source_has_to_see_it() -> None:
    trial = Trial()
    other = Sensor(trial.sensor.game, "other")
    for looks in (trial.start, trial.without("a1", "d2", "h8"), trial.start):
        trial.tell(other.sight())
        assert not trial.show(looks).done
    for looks in (trial.without("a1", "d2", "h8"), trial.start):
        other.looks = dict(looks)
        trial.tell(other.sight())
    assert trial.progress.done


def test_a_source_that_read_the_board_before_is_waited_for() -> None:
    trial = Trial()
    trial.tests.end()
    trial.tell(trial.sensor.sight())
    trial.tests.begin()
    other = Sensor(trial.sensor.game, "other")
    trial.tell(other.sight())
    assert trial.stages == ["waiting"] * 3
    trial.show(trial.start)
    assert trial.stages == ["ready"] * 3


def test_a_board_with_sensors_is_tested_by_its_own_sightings() -> None:
    trial = Trial()
    board = EBoard(load_board("chess"), "chessnut")
    for squares in (START, f"{START[:63]}.", START, f"{START[:7]}.{START[8:]}", START):
        for wait in (0.0, 0.5):
            trial.now += wait
            trial.tell(board.see(squares, trial.now))
    assert trial.stages == ["ready", "ready", "done"]


def test_a_test_ends_when_nobody_looks_and_with_its_position() -> None:
    trial = Trial()
    trial.now += 11
    assert trial.tests.look() is None
    trial.tests.begin()
    trial.desk.handle(messages.NewGame("chess"))
    assert trial.tests.sift(trial.sensor.sight()).observation


def test_without_a_game_there_is_nothing_to_test(table: Table) -> None:
    tests = BoardTests(lambda: table.snapshot, str)
    client = Client(create_app(table, Settings(), Services(board_tests=tests)))
    refused = client.post("/api/v1/eyes/test", {})
    assert (refused.status_code, "begin a game first" in refused.json["error"]) == (409, True)
    assert client.get("/api/v1/eyes/test").status_code == 404
    assert table.ask(messages.NewGame("draughts")).ok
    assert client.post("/api/v1/eyes/test", {}).status_code == 200
    shown = client.get("/api/v1/eyes/test").json
    assert [tried["called"] for tried in shown["places"]] == ["29", "10", "4"]
    assert client.post("/api/v1/eyes/test/end", {}).status_code == 200
    assert client.get("/api/v1/eyes/test").status_code == 404
