"""Cameras on the network: single pictures, streams, passwords, and what goes wrong."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

import pytest

from companion.sensing.sources import SourceError, without_secrets
from tests.vision.camera_server import GREYS, PASSWORD, USER, CameraServer, camera_server
from vision.sources.capture import FrameCapture
from vision.sources.network_camera import StillPicture, open_network_camera
from vision.sources.source import Source, SourceLostError, open_or_await, open_source

PATIENCE = 60.0


@pytest.fixture
def server() -> Iterator[CameraServer]:
    with camera_server() as server:
        yield server


def greys(source: Source, count: int) -> list[int]:
    """Returns the grey levels of the next frames, each as the one that was sent."""
    frames = [source.read() for _ in range(count)]
    levels = [float(frame.image.mean()) for frame in frames if frame]
    return [min(GREYS, key=lambda grey: abs(grey - level)) for level in levels]


@pytest.mark.parametrize("path", ["shot.jpg", "shot.jpg?quality=90", "video"])
def test_pictures_come_one_after_the_other(server: CameraServer, path: str) -> None:
    source = open_source(f"camera:http://{server.host}/{path}")
    try:
        seen = greys(source, 8)
    finally:
        source.close()
    assert len(seen) == 8
    assert len(set(seen)) > 1  # of a stream some may be passed over
    assert source.live


def test_a_password_is_used_and_never_shown(server: CameraServer) -> None:
    address = f"http://{USER}:{quote(PASSWORD, safe='')}@{server.host}/private.jpg"
    source = open_source(f"camera:{address}")
    assert len(greys(source, 2)) == 2
    assert source.name == f"camera:http://{server.host}/private.jpg"
    wrong = f"http://{USER}:wrong@{server.host}/private.jpg"
    with pytest.raises(SourceLostError, match=rf"^no pictures come from http://{server.host}/private\.jpg:"):
        open_network_camera(wrong)
    waiting = open_or_await(f"camera:{wrong}")
    assert "wrong" not in waiting.name
    with pytest.raises(SourceLostError, match="is it on"):
        waiting.read()


@pytest.mark.parametrize("path", ["page", "half.jpg"])
def test_what_is_no_picture_is_told(server: CameraServer, path: str) -> None:
    with pytest.raises(SourceLostError, match=f"{server.host}/{path}"):
        open_source(f"camera:http://{server.host}/{path}").read()


@pytest.mark.parametrize("path", ["shot.jpg", "video"])
def test_a_camera_that_goes_off_is_lost_and_taken_up_again(server: CameraServer, path: str) -> None:
    text = f"camera:http://{server.host}/{path}"
    with FrameCapture(open_source(text), lambda: open_source(text), retry=0.05) as capture:
        assert capture.take(PATIENCE)
        server.is_on = False
        server.hold.set()
        with capture._changed:
            assert capture._changed.wait_for(lambda: capture.status.state == "lost", PATIENCE)
        assert server.host in capture.status.words
        server.hold.clear()
        server.is_on = True
        with capture._changed:
            assert capture._changed.wait_for(lambda: capture.status.state == "ok", PATIENCE)
        assert capture.take(PATIENCE)


def test_single_pictures_are_not_fetched_too_often() -> None:
    waits: list[float] = []
    device = StillPicture(lambda: b"", lambda: sum(waits), waits.append)
    assert [device.grab() for _ in range(3)] == [True] * 3
    assert waits == pytest.approx([0.2, 0.2])
    assert device.retrieve() == (False, None)


@pytest.mark.parametrize(
    "address", ["ftp://a/b.jpg", "http://", "rtsp://", "http://a:0/", "http://a:99999/x", "http://[::1/"]
)
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(SourceError, match="is no camera's address") as refused:
        open_source(f"camera:{address}")
    assert not isinstance(refused.value, SourceLostError)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("camera:0", "camera:0"),
        ("video:a?b@c.mp4", "video:a?b@c.mp4"),
        ("camera:rtsp://ann:pw@cam:554/live", "camera:rtsp://cam:554/live"),
        ("camera:rtsp://ann:p@w@cam/live@2", "camera:rtsp://cam/live@2"),
        ("camera:http://cam/shot.cgi?user=a&pwd=b", "camera:http://cam/shot.cgi"),
        ("http://cam", "http://cam"),
    ],
)
def test_secrets_of_an_address_are_left_out(text: str, shown: str) -> None:
    assert without_secrets(text) == shown
