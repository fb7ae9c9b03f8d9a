"""A camera between two games: while it learns how the next board looks, nothing it shows counts."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import pytest
from web_clients import PATIENCE_S, until

from companion.core.board import load_board
from companion.games.text import read_game
from companion.record.session import Session, begin
from companion.sensing.sources import SourceError
from companion.table.messages import NewGame
from companion.table.snapshot import Snapshot
from companion.table.table import Table
from vision.arrays import Image
from vision.calibration.profile import ProfileError
from vision.reading.reader import FrameReading, Reader
from vision.sources.capture import FrameCapture
from vision.sources.source import CameraFrame
from vision.sources.virtual import VirtualTable
from web.runtime.runtime import BoardCamera, Runtime, lay_virtual, put_game


def words_once(table: Table, state: str) -> str:
    """Waits until the table's only source is in this state; its words then."""
    found = until(table, lambda snapshot: [source.state for source in snapshot.sources] == [state])
    return str(found.sources[0].words)


def seated(table: Table, learn: Callable[[VirtualTable, Session], Reader]) -> BoardCamera:
    virtual = VirtualTable(load_board("triune"), Random(7))
    return BoardCamera(table, FrameCapture(virtual.source()), lambda session: learn(virtual, session))


def test_where_the_virtual_board_lies_is_not_searched_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.calibration.calibrate.locate", lambda *_: pytest.fail("it was"))
    session = begin(read_game("trid"))
    virtual = VirtualTable(session.game.board, Random(7))
    found, sites = lay_virtual(virtual, session).view, list(session.game.board.sites.values())
    off = found.pixels(sites) - virtual.view.pixels(sites)
    assert (off**2).sum(axis=1).max() < 1.0


def test_what_lay_there_before_is_not_read_for_the_next_game(table: Table) -> None:
    may_learn = threading.Event()

    def learn(virtual: VirtualTable, session: Session) -> Reader:
        assert may_learn.wait(PATIENCE_S)
        return lay_virtual(virtual, session)

    camera = seated(table, learn)
    camera.start()
    try:
        assert table.ask(NewGame("queens")).ok
        words_once(table, "learning")
        may_learn.set()
        words_once(table, "ok")
        may_learn.clear()
        assert table.ask(NewGame("rooks")).ok
        words_once(table, "learning")
        may_learn.set()
        words_once(table, "ok")
        snapshot = table.snapshot
        assert snapshot.session
        assert (snapshot.session.actions, snapshot.verdict, snapshot.question) == ((), None, None)
    finally:
        camera.stop()


def test_no_picture_of_the_game_before_is_shown(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_lay, is_asked = threading.Event(), threading.Event()

    def put(virtual: VirtualTable, session: Session) -> None:
        is_asked.set()
        assert may_lay.wait(PATIENCE_S)
        put_game(virtual, session)

    monkeypatch.setattr("web.runtime.runtime.put_game", put)
    with Runtime(table, ("virtual",), tmp_path, Random(7)) as runtime:
        for text in ("rooks", "queens"):
            assert table.ask(NewGame(text)).ok
            assert is_asked.wait(PATIENCE_S)
            words_once(table, "learning")
            assert runtime.newest() is None
            may_lay.set()
            words_once(table, "ok")
            assert runtime.newest() is not None
            may_lay.clear()
            is_asked.clear()


@pytest.mark.parametrize(
    ("error", "state", "words"),
    [
        (ProfileError("the camera is not calibrated"), "unlearned", "the camera is not calibrated"),
        (ZeroDivisionError(), "lost", "the camera cannot be prepared: ZeroDivisionError"),
    ],
)
def test_a_board_that_cannot_be_read_is_told(table: Table, error: Exception, state: str, words: str) -> None:
    def learn(virtual: VirtualTable, session: Session) -> Reader:
        raise error

    camera = seated(table, learn)
    camera.start()
    try:
        assert table.ask(NewGame("queens")).ok
        assert words_once(table, state) == words
    finally:
        camera.stop()


def test_what_breaks_over_the_frames_of_one_game_is_told_and_the_next_is_read(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    class Broken(Reader):
        def read(self, image: Image, time: float = 0.0, source: str = "camera") -> FrameReading:
            raise ZeroDivisionError("no light\nat all")

    def learn(virtual: VirtualTable, session: Session) -> Reader:
        reader = lay_virtual(virtual, session)
        return Broken(reader.profile, reader.board) if session.game.board.name == "queens" else reader

    camera = seated(table, learn)
    camera.start()
    try:
        assert table.ask(NewGame("queens")).ok
        assert words_once(table, "lost") == "the picture cannot be read: no light at all"
        assert table.ask(NewGame("rooks")).ok
        words_once(table, "ok")
    finally:
        camera.stop()
    broken = [record for record in caplog.records if record.exc_info]
    assert [record.getMessage() for record in broken] == ["a frame of virtual cannot be read"]


class PluggedIn:
    """A camera's device, which always shows the same."""

    def grab(self) -> bool:
        time.sleep(0.03)  # as a camera that sends so many pictures
        return True

    def retrieve(self) -> tuple[bool, Image | None]:
        return True, np.full((48, 64, 3), 90, np.uint8)

    def get(self, _: int) -> float:
        return 0.0

    def set(self, _prop: int, _value: float) -> bool:
        return True

    def release(self) -> None:
        """Nobody else wants it."""


def test_a_camera_that_is_not_there_is_told_and_taken_up_when_it_comes(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plugged: list[int] = []
    monkeypatch.setattr("vision.sources.camera.camera_numbers", lambda: plugged)
    monkeypatch.setattr("vision.sources.camera._open_v4l2", lambda _: PluggedIn())
    with Runtime(table, ("camera:7", "serial:/dev/none"), tmp_path, Random(7), tmp_path):
        assert table.ask(NewGame("queens")).ok
        told = words_of(table, "camera:7", "no camera 7")
        assert "serial:/dev/none" in told, "the others go on"
        plugged.append(7)
        words_of(table, "camera:7", "does not know the board of Queens")


def words_of(table: Table, source: str, words: str) -> dict[str, str]:
    """Waits until this source says these words; all sources' words then."""

    def told(snapshot: Snapshot) -> dict[str, str]:
        return {status.name: status.words for status in snapshot.sources}

    return told(until(table, lambda snapshot: words in told(snapshot).get(source, "")))


@pytest.mark.parametrize(
    "damaged", [b'{"format": "board-companion pro', b'{"format": "board-companion profile 2", "game": 3}']
)
def test_a_damaged_profile_is_set_aside_and_that_is_said(
    table: Table, tmp_path: Path, caplog: pytest.LogCaptureFixture, damaged: bytes
) -> None:
    profile = tmp_path / "triune.json"
    profile.write_bytes(damaged)
    (tmp_path / "triune.json.damaged").write_bytes(b"an earlier one")
    runtime = Runtime(table, ("camera:7",), tmp_path, Random(1))
    assert table.ask(NewGame("triune")).ok
    session = table.snapshot.session
    assert session is not None
    with pytest.raises(ProfileError, match=r"is now 'triune\.json\.damaged2': calibrate again"):
        runtime._load_reader("camera:7", session)
    assert (tmp_path / "triune.json.damaged2").read_bytes() == damaged
    assert (tmp_path / "triune.json.damaged").read_bytes() == b"an earlier one"
    assert "triune.json.damaged2" in caplog.text
    with pytest.raises(ProfileError, match="does not know the board of Triune"):
        runtime._load_reader("camera:7", session)


def test_a_source_that_nobody_opens_names_all_that_can_be_written(table: Table, tmp_path: Path) -> None:
    with pytest.raises(
        SourceError, match=r"no source 'webcam': write one of virtual, phone, none, camera\[:N or URL\],"
    ):
        Runtime(table, ("webcam",), tmp_path, Random(1))


class Recording:
    """A recording of as many pictures as are asked for, which notes how many were."""

    live, name = False, "video:game.mp4"

    def __init__(self) -> None:
        self.read_so_far = 0

    def read(self) -> CameraFrame | None:
        self.read_so_far += 1
        return CameraFrame(float(self.read_so_far), np.full((48, 64, 3), 90, np.uint8), self.read_so_far)

    def close(self) -> None:
        """Nobody else wants it."""


def test_a_recording_waits_at_its_first_picture_until_the_camera_is_set_up(table: Table) -> None:
    """It played on while the camera was set up, and was at its end before the game began."""
    may_read = threading.Event()

    def learn(session: Session) -> Reader:
        if not may_read.is_set():
            raise ProfileError("the camera is not calibrated")
        return lay_virtual(VirtualTable(session.game.board, Random(7)), session)

    recording = Recording()
    camera = BoardCamera(table, FrameCapture(recording, wait=lambda stop, _: stop.is_set()), learn)
    camera.start()
    try:
        assert table.ask(NewGame("queens")).ok
        words_once(table, "unlearned")
        assert table.ask(NewGame("rooks")).ok
        words_once(table, "unlearned")
        assert recording.read_so_far == 1
        may_read.set()
        camera.stream.recalibrated()
        words_once(table, "lost")  # the board is not in these pictures; but they are read
        assert recording.read_so_far > 1
    finally:
        camera.stop()


def test_a_profile_of_another_version_stays_where_it_is(table: Table, tmp_path: Path) -> None:
    profile = tmp_path / "triune.json"
    profile.write_text('{"format": "board-companion profile 1"}', encoding="utf-8")
    runtime = Runtime(table, ("camera:7",), tmp_path, Random(1))
    assert table.ask(NewGame("triune")).ok
    session = table.snapshot.session
    assert session is not None
    with pytest.raises(ProfileError, match="no profile of this version"):
        runtime._load_reader("camera:7", session)
    assert profile.exists()
