"""A camera between two games: while it learns how the next board looks, nothing it shows counts."""

from __future__ import annotations

import threading
from collections.abc import Callable
from random import Random

import pytest

from companion.core.board import load_board
from companion.record.session import Session
from companion.table.messages import NewGame
from companion.table.table import Table
from vision.arrays import Image
from vision.calibration.profile import ProfileError
from vision.reading.reader import Reader, Seen
from vision.sources.capture import FrameCapture
from vision.sources.virtual import VirtualTable
from web.runtime.runtime import Camera, lay_virtual

PATIENCE = 30.0


def until(table: Table, state: str) -> str:
    """Waits until the table's only source is in this state; its words then."""
    shown = -1
    while snapshot := table.wait(shown, PATIENCE):
        shown = snapshot.id
        if [source.state for source in snapshot.sources] == [state]:
            return snapshot.sources[0].words
    raise AssertionError(f"the camera is never '{state}'")


def seated(table: Table, learn: Callable[[VirtualTable, Session], Reader]) -> Camera:
    virtual = VirtualTable(load_board("triune"), Random(7))
    return Camera(table, FrameCapture(virtual.source()), lambda session: learn(virtual, session))


def test_what_lay_there_before_is_not_read_for_the_next_game(table: Table) -> None:
    may_learn = threading.Event()

    def learn(virtual: VirtualTable, session: Session) -> Reader:
        assert may_learn.wait(PATIENCE)
        return lay_virtual(virtual, session)

    camera = seated(table, learn)
    camera.start()
    try:
        assert table.ask(NewGame("queens")).ok
        until(table, "moving")
        may_learn.set()
        until(table, "ok")
        may_learn.clear()
        assert table.ask(NewGame("rooks")).ok
        until(table, "moving")
        may_learn.set()
        until(table, "ok")
        snapshot = table.snapshot
        assert snapshot.session
        assert (snapshot.session.actions, snapshot.verdict, snapshot.question) == ((), None, None)
    finally:
        camera.stop()


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ProfileError("the camera is not calibrated"), "the camera is not calibrated"),
        (ZeroDivisionError(), "the camera cannot be prepared: ZeroDivisionError"),
    ],
)
def test_a_board_that_cannot_be_read_is_told(table: Table, error: Exception, words: str) -> None:
    def learn(virtual: VirtualTable, session: Session) -> Reader:
        raise error

    camera = seated(table, learn)
    camera.start()
    try:
        assert table.ask(NewGame("queens")).ok
        assert until(table, "lost") == words
    finally:
        camera.stop()


def test_what_breaks_over_the_frames_of_one_game_is_told_and_the_next_is_read(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    class Broken(Reader):
        def read(self, image: Image, time: float = 0.0, source: str = "camera") -> Seen:
            raise ZeroDivisionError("no light\nat all")

    def learn(virtual: VirtualTable, session: Session) -> Reader:
        reader = lay_virtual(virtual, session)
        return Broken(reader.profile, reader.board) if session.game.board.name == "queens" else reader

    camera = seated(table, learn)
    camera.start()
    try:
        assert table.ask(NewGame("queens")).ok
        assert until(table, "lost") == "the picture cannot be read: no light at all"
        assert table.ask(NewGame("rooks")).ok
        until(table, "ok")
    finally:
        camera.stop()
    broken = [record for record in caplog.records if record.exc_info]
    assert [record.getMessage() for record in broken] == ["a frame of virtual cannot be read"]
