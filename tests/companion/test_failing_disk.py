"""A disk that is full or fails while a game is played: that is shown, and nothing that was played is lost."""

import logging
import sqlite3

import pytest

from companion.games.text import read_game
from companion.store.store import Store
from companion.table import messages as m
from companion.table.desk import RETRY, Desk
from companion.table.snapshot import Happening
from tests.companion.sensor import Sensor
from tests.shown import present
from tests.stores import keep_open

FULL = "database or disk is full"


class FailingStore(Store):
    """A store whose disk fails with the words of SQLite in `fault`."""

    fault = ""

    def check_writable(self) -> None:
        self._fail()
        super().check_writable()

    def append(self, *values: object) -> None:
        self._fail()
        super().append(*values)  # type: ignore[arg-type]

    def put_on(self, number: int | None) -> None:
        self._fail()
        super().put_on(number)

    def _fail(self) -> None:
        if self.fault:
            raise sqlite3.OperationalError(self.fault)


class Game:
    """A game under a sensor, with a clock of a minute; time goes by only while the sensor looks."""

    def __init__(self) -> None:
        self.time = 1000.0
        self.store = keep_open(FailingStore(":memory:"))
        self.desk = Desk(self.store, wall=lambda: self.time)
        assert self.desk.handle(m.NewGame("triune", {"clock": "1"}))[0].ok
        self.sensor = Sensor(read_game("triune"))
        self.see()

    def see(self, seconds: float = 1.0) -> list[str]:
        told: list[Happening] = []
        for _ in range(round(seconds / self.sensor.step)):
            self.time += self.sensor.step
            told += self.desk.handle(m.SightingArrived(self.sensor.sight()))[1]
        return [happening.event for happening in told]

    def tick(self) -> list[str]:
        return [happening.event for happening in self.desk.handle(m.Tick())[1]]

    @property
    def trouble(self) -> str:
        sources = present(self.desk.snapshot)["sources"]
        return " ".join(source["words"] for source in sources)

    @property
    def shown(self) -> tuple[str, ...]:
        assert self.desk.snapshot.session is not None
        return self.desk.snapshot.session.actions

    @property
    def stored(self) -> tuple[str, ...]:
        return self.store.load(1).session().actions


@pytest.fixture
def game() -> Game:
    return Game()


@pytest.mark.parametrize(
    ("fault", "advice"),
    [
        (FULL, "make room"),
        ("disk I/O error", "copy the games"),
        ("attempt to write a readonly database", "restart the machine"),
        ("database is locked", "another program"),
        ("database disk image is malformed", "companion doctor"),
    ],
)
def test_a_disk_that_fails_is_shown_within_a_second(game: Game, fault: str, advice: str) -> None:
    game.store.fault = fault
    game.sensor.move("a2", "a3")
    assert game.see() == []
    assert advice in game.trouble
    assert game.shown == ()


def test_play_is_watched_on_and_told_in_order_once_there_is_room(game: Game) -> None:
    game.store.fault = FULL
    moves = (("a2", "a3"), ("b7", "b6"), ("c2", "c3"), ("d7", "d6"))
    for start, end in moves:
        game.sensor.move(start, end)
        assert game.see() == []
    assert (game.shown, game.stored) == ((), ())
    game.store.fault = ""
    assert game.see(2 * RETRY) == ["action"] * 4
    assert game.shown == game.stored == ("a2-a3", "b7-b6", "c2-c3", "d7-d6")
    assert game.trouble == ""


def test_the_store_is_tried_again_though_nothing_is_seen(game: Game) -> None:
    game.store.fault = FULL
    game.sensor.move("a2", "a3")
    game.see()
    game.store.fault = ""
    game.time += RETRY
    assert game.tick() == ["action"]
    assert game.shown == game.stored == ("a2-a3",)
    assert game.trouble == ""


def test_a_store_that_fails_is_not_tried_at_every_sighting(
    game: Game, caplog: pytest.LogCaptureFixture
) -> None:
    game.store.fault = FULL
    game.sensor.move("a2", "a3")
    game.see()
    game.store.fault = ""
    assert game.tick() == []
    game.store.fault = FULL
    caplog.clear()
    with caplog.at_level(logging.WARNING):
        game.see(5.0)
    assert caplog.records == [], "it was said already"


def test_nobody_acts_on_a_game_that_is_not_stored(game: Game) -> None:
    game.store.fault = FULL
    game.sensor.move("a2", "a3")
    game.see()
    for message in (m.Submit("b7~"), m.Deed("resign", "red"), m.CloseGame(), m.NewGame("triune")):
        reply, told = game.desk.handle(message)
        assert (reply.ok, told) == (False, [])
        assert "make room" in reply.words
    game.store.fault = ""
    assert game.desk.handle(m.Submit("b7~"))[0].ok
    assert game.shown == game.stored == ("a2-a3", "b7~")


def test_a_game_that_cannot_be_put_on_the_table_is_not_begun(game: Game) -> None:
    game.store.fault = FULL
    assert not game.desk.handle(m.NewGame("triune"))[0].ok
    game.store.fault = ""
    assert [summary.id for summary in game.store.list()] == [1]


def test_what_a_person_enters_shows_the_trouble_until_the_disk_takes_it(game: Game) -> None:
    game.store.fault = FULL
    assert not game.desk.handle(m.Submit("a2-a3"))[0].ok
    assert "make room" in game.trouble
    game.store.fault = ""
    game.time += RETRY
    game.tick()
    assert game.trouble == ""
    assert game.shown == game.stored == ()


def test_a_player_who_moved_in_time_does_not_lose_by_a_full_disk(game: Game) -> None:
    for start, end in (("a2", "a3"), ("b7", "b6")):
        game.sensor.move(start, end)
        game.see()
    game.store.fault = FULL
    game.see(50.0)
    game.sensor.move("c2", "c3")
    game.see(30.0)
    game.store.fault = ""
    assert game.see(2 * RETRY) == ["action"]
    clock = game.desk.snapshot.clock
    assert clock is not None
    assert clock.left["red"] == pytest.approx(10.0, abs=2.0)
    assert game.desk.session.outcome is None


def test_a_sensor_that_fails_meanwhile_is_shown(game: Game) -> None:
    game.store.fault = FULL
    game.sensor.move("a2", "a3")
    game.see()
    game.desk.handle(m.SightingArrived(game.sensor.lose("the cable is out")))
    assert "the cable is out" in game.trouble
    assert "make room" in game.trouble
