"""Cameras on the network: phones with a camera app, ESP32-CAM, cameras of the house.

An address is an RTSP stream, an HTTP stream of pictures (MJPEG), or a single picture, which is fetched again
and again. What kind an HTTP address has is told by its answer. Streams are read by FFmpeg, which OpenCV
brings along. A user and a password in the address are used, and shown to nobody.
"""

from __future__ import annotations

import http.client
import time
import urllib.request
from collections.abc import Callable
from urllib.parse import unquote, urlsplit, urlunsplit

import cv2

from companion.language import say
from companion.sensing.sources import SourceError, without_secrets
from vision.arrays import Image
from vision.sources.camera import Camera, CaptureDevice, FrameDevice, open_camera
from vision.sources.files import decoded, quiet_opencv
from vision.sources.source import SourceLostError

SCHEMES = ("http", "https", "rtsp", "rtsps")
OPEN_S, FRAME_S = 5.0, 2.0
"""Seconds for which an answer, and then each frame, is waited for."""
APART_S = 0.2
"""Seconds between two single pictures, at least."""
LARGEST = 16 * 1024 * 1024
"""The most bytes of a single picture."""


def open_any_camera(argument: str) -> Camera:
    """Opens the camera at an address, or one of this computer."""
    return open_network_camera(argument) if "://" in argument else open_camera(argument)


def open_network_camera(address: str) -> Camera:
    """Opens the camera at an address. SourceError for one that is none, SourceLostError where nobody answers
    now, or not with pictures."""
    name = without_secrets(address)
    try:
        parts = urlsplit(address)
        is_complete = bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        is_complete = False
    if not is_complete or parts.scheme not in SCHEMES:
        raise SourceError(
            say("'{name}' is no camera's address: write camera:rtsp://… or camera:http://…", name=name)
        )
    with quiet_opencv():
        device = _still_picture(address) or _stream(address)
    if device is None:
        raise SourceLostError(
            say(
                "no pictures come from {name}: is it on, in this network, and is its password right?",
                name=name,
            )
        )
    return Camera(
        name, device, time.monotonic, lost=say("the camera at {name} sends no more pictures", name=name)
    )


class StillPicture:
    """An address with a single picture, as a `FrameDevice`: a `grab` fetches it anew."""

    def __init__(
        self,
        fetch: Callable[[], bytes],
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        self._fetch, self._clock, self._wait = fetch, clock, wait
        self._next = 0.0
        self._content = b""

    def grab(self) -> bool:
        if (left := self._next - self._clock()) > 0:
            self._wait(left)
        self._next = self._clock() + APART_S
        try:
            self._content = self._fetch()
        except (OSError, http.client.HTTPException):
            return False
        return True

    def retrieve(self) -> tuple[bool, Image | None]:
        try:
            return True, decoded(self._content)
        except ValueError:  # a part of a picture: the next one may be whole
            return False, None

    def get(self, prop: int, /) -> float:
        return 0.0

    def set(self, prop: int, value: float, /) -> bool:
        return False

    def release(self) -> None:
        """Nothing is held between two pictures."""


def _still_picture(address: str) -> FrameDevice | None:
    """Returns the single picture at an address; None where there is a stream, or nobody answers."""
    if not address.startswith("http"):
        return None
    opener, bare = _opener(address)
    try:
        with opener.open(bare, timeout=OPEN_S) as answer:
            is_picture = answer.headers.get_content_maintype() == "image"
    except (OSError, http.client.HTTPException, ValueError):
        return None

    def fetch() -> bytes:
        with opener.open(bare, timeout=FRAME_S) as answer:
            content: bytes = answer.read(LARGEST)
            return content

    return StillPicture(fetch) if is_picture else None


def _opener(address: str) -> tuple[urllib.request.OpenerDirector, str]:
    """Returns what fetches an address with the user and password in it, and the address without them."""
    parts = urlsplit(address)
    bare = urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
    passwords = urllib.request.HTTPPasswordMgrWithDefaultRealm()
    if parts.username is not None:
        passwords.add_password(None, bare, unquote(parts.username), unquote(parts.password or ""))
    ways = (urllib.request.HTTPBasicAuthHandler, urllib.request.HTTPDigestAuthHandler)
    return urllib.request.build_opener(*(way(passwords) for way in ways)), bare


def _stream(address: str) -> FrameDevice | None:
    waits = {cv2.CAP_PROP_OPEN_TIMEOUT_MSEC: OPEN_S, cv2.CAP_PROP_READ_TIMEOUT_MSEC: FRAME_S}
    settings = [value for wait, seconds in waits.items() for value in (wait, int(1000 * seconds))]
    device = cv2.VideoCapture(address, cv2.CAP_FFMPEG, settings)
    return _Stream(device) if device.isOpened() else None


class _Stream(CaptureDevice):
    """A stream, whose silence OpenCV would tell in its own words."""

    def grab(self) -> bool:
        with quiet_opencv():
            return super().grab()
