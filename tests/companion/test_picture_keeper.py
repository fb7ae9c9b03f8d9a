"""Pictures of doubtful actions: kept only when they are wanted, bounded, and gone with their game."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.games.text import read_game
from companion.record.session import Entry, Ply
from companion.store import album
from companion.store.album import LARGEST, MOST_OF_GAME, Album
from companion.store.store import Store
from companion.table import messages as m
from companion.table.desk import Desk
from companion.table.picture_keeper import PictureKeeper
from companion.table.snapshot import Played, Scene
from tests.companion.sensor import Sensor
from tests.stores import open_store


class Watched:
    """A desk whose camera makes pictures, and a keeper of pictures of what happens at it."""

    def __init__(self, store: Store, wanted: bool = True) -> None:
        self.store = store
        self.desk, self.keeper = Desk(store, wall=lambda: 1_000.0), PictureKeeper(store.pictures)
        self.made: list[float] = []
        store.pictures.want(wanted)
        self.desk.handle(m.NewGame("triune"))
        self.sensor = Sensor(read_game("triune"))
        self.see(0.6)

    def see(self, seconds: float = 3.0, camera: Callable[[], bytes] | None = None) -> None:
        for _ in range(round(seconds / self.sensor.step)):
            sighting = replace(self.sensor.sight(), picture=camera or self.shoot)
            for happening in self.desk.handle(m.Seen(sighting))[1]:
                self.keeper(happening)

    def shoot(self) -> bytes:
        self.made.append(self.sensor.time)
        return b"picture"

    @property
    def kept(self) -> dict[int, str]:
        """The lines with a picture, and what they tell."""
        log = self.desk.session.log
        return {n: f"{log[n - 1].kind} {log[n - 1].text}" for n in self.store.pictures.lines(1)}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "games.sqlite") as store:
        yield store


def test_a_refused_move_has_a_picture(store: Store) -> None:
    table = Watched(store)
    table.sensor.move("a2", "a5")
    table.see()
    assert table.kept == {1: "refused a2-a5 (TR-3)"}
    assert store.pictures.picture(1, 1) == b"picture"


def test_what_is_sure_has_none(store: Store) -> None:
    table = Watched(store)
    table.sensor.move("a2", "a3")
    table.see()
    assert (table.desk.session.actions, table.kept, table.made) == (("a2-a3",), {}, [])


def test_what_is_unsure_has_one(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.table.picture_keeper.CERTAIN", 1.01)
    table = Watched(store)
    table.sensor.move("a2", "a3")
    table.see()
    assert table.kept == {1: "action a2-a3"}


def test_none_is_made_unless_wanted(store: Store) -> None:
    assert not store.pictures.is_wanted
    table = Watched(store, wanted=False)
    table.sensor.move("a2", "a5")
    table.see()
    assert (table.kept, table.made, table.desk.snapshot.verdict is not None) == ({}, [], True)


def test_a_picture_that_fails_stops_nothing(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    def broken() -> bytes:
        raise RuntimeError("no picture")

    table = Watched(store)
    table.sensor.move("a2", "a5")
    table.see(camera=broken)
    assert table.kept == {}
    assert "line 1 is not kept" in caplog.text
    table.sensor.move("a5", "a3")
    table.see(camera=broken)
    assert table.desk.session.actions == ("a2-a3",)


@pytest.mark.parametrize(
    ("certainty", "marked", "kept"), [(1.0, True, True), (0.94, False, True), (0.96, False, False)]
)
def test_what_was_asked_or_uncertain_has_one(
    store: Store, certainty: float, marked: bool, kept: bool
) -> None:
    number = store.begin("triune", {}, 1.0)
    store.pictures.want(True)
    ply = Ply(Entry("action", "a2-a3", certainty=certainty), "red", None)
    scene = Scene(number, 1, lambda: b"picture")
    PictureKeeper(store.pictures)(Played(ply, marked, scene))
    assert store.pictures.lines(number) == ((1,) if kept else ())


@pytest.mark.parametrize(("size", "kept"), [(0, False), (1, True), (LARGEST, True), (LARGEST + 1, False)])
def test_a_picture_has_bounds(store: Store, size: int, kept: bool) -> None:
    store.begin("triune", {}, 1.0)
    assert store.pictures.keep(1, 1, bytes(size)) is kept
    assert store.pictures.lines(1) == ((1,) if kept else ())


def test_a_game_has_so_many_and_a_line_one(store: Store) -> None:
    store.begin("triune", {}, 1.0)
    kept = [store.pictures.keep(1, line, b"x") for line in (1, 1, *range(2, MOST_OF_GAME + 3))]
    assert kept == [True, False, *[True] * (MOST_OF_GAME - 1), False, False]


def test_when_all_are_too_many_the_oldest_go(store: Store) -> None:
    small = Album(store.transaction, most=250)
    for number in (1, 2, 3):
        store.begin("triune", {}, 1.0)
        assert small.keep(number, 1, bytes(100))
    assert [small.lines(n) for n in (1, 2, 3)] == [(), (1,), (1,)]


def test_pictures_go_with_their_game_and_stay_gone(store: Store, tmp_path: Path) -> None:
    for number in (1, 2):
        store.begin("triune", {}, 1.0)
        store.pictures.keep(number, 1, b"secret look" * 500)
    store.delete(1, 2.0)
    store.undelete(1)
    assert (store.pictures.lines(1), store.pictures.lines(2)) == ((), (1,))
    assert store.erase_pictures() == 1
    store.close()
    assert all(b"secret look" not in file.read_bytes() for file in tmp_path.iterdir())


def test_a_picture_is_not_changed(store: Store) -> None:
    store.begin("triune", {}, 1.0)
    store.pictures.keep(1, 1, b"x")
    with pytest.raises(sqlite3.IntegrityError, match="kept as it is"):
        store._db.execute("UPDATE pictures SET jpeg = 'y'")


def test_the_switch_is_kept(store: Store, tmp_path: Path) -> None:
    store.pictures.want(True)
    again = open_store(tmp_path / "games.sqlite")
    assert again.pictures.is_wanted
    again.pictures.want(False)
    assert not store.pictures.is_wanted
    again.close()


def test_bounds_are_what_the_docs_say() -> None:
    assert (LARGEST, MOST_OF_GAME, album.MOST_OF_ALL) == (65_536, 100, 268_435_456)
