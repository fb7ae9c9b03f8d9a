"""A phone's camera: a page in its browser sends pictures, one by one.

The page sends a picture while something moves, and only a beat where all is as in its last picture. So a
board at rest costs nearly nothing, and silence means that the phone is gone. The newest picture counts,
however many come.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from math import inf

from companion.core.errors import CompanionError
from companion.language import say
from vision.arrays import Image
from vision.sources.files import decoded
from vision.sources.source import CameraFrame, SourceLostError

NAME = "phone"
SILENCE_S = 3.0
"""Seconds without a picture or a beat after which the phone counts as gone."""
REPEAT_S = 0.2
"""Seconds between two frames while the phone says that all is as it was."""
JPEG = b"\xff\xd8\xff"
"""The first bytes of every JPEG file."""


class PhoneTakenError(CompanionError):
    """Another phone is the camera."""


class PhoneCamera:
    """A phone as a `Source`: the page's side hands pictures in, the camera's side reads them.

    Both sides may be used from any thread.
    """

    name, live = NAME, True

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._changed = threading.Condition()
        self._jpeg, self._is_new = b"", False
        self._heard = self._shown = -inf
        self._key = ""
        """The key of the phone that is the camera now; '' for none."""
        self._image: Image | None = None
        self._index = 0
        self._words = ""

    # The page's side

    def join(self, *, replace: bool = False) -> str:
        """Makes a phone the camera, and returns the key that it sends with its pictures.

        PhoneTakenError while another one sends, unless that is to be replaced.
        """
        with self._changed:
            if self.is_there and not replace:
                raise PhoneTakenError(say("another phone is the camera already"))
            self._key, self._jpeg, self._is_new = secrets.token_urlsafe(16), b"", False
            self._heard, self._image = -inf, None  # what another phone saw is not this one's
            return self._key

    def show(self, key: str, jpeg: bytes) -> None:
        """Takes the newest picture; b"" says that all is as in the last one. ValueError in words for what is
        no JPEG, PhoneTakenError for a key that another phone's has replaced."""
        with self._changed:
            self._check(key)
            if jpeg and not jpeg.startswith(JPEG):
                raise ValueError(say("this is no picture: send a JPEG"))
            self._heard, self._words = self._clock(), ""
            if jpeg:
                self._jpeg, self._is_new, self._shown = jpeg, True, self._heard
            self._changed.notify_all()

    def pause(self, key: str, words: str) -> None:
        """Notes that no picture comes for now, and why."""
        with self._changed:
            self._check(key)
            self._heard, self._words = -inf, words
            self._changed.notify_all()

    @property
    def is_there(self) -> bool:
        """Returns whether a phone has sent a picture, and went on to send."""
        return bool(self._jpeg) and self._clock() - self._heard < SILENCE_S

    def _check(self, key: str) -> None:
        if not self._key or not secrets.compare_digest(key.encode(), self._key.encode()):
            raise PhoneTakenError(say("another phone is the camera now"))

    # The camera's side

    def reopen(self) -> PhoneCamera:
        """Returns itself once a phone sends; else SourceLostError."""
        if not self.is_there:
            raise SourceLostError(self._say_lost())
        return self

    def read(self) -> CameraFrame | None:
        """Returns the newest picture as soon as there is one, and the last one again while beats come."""
        while self.is_there:
            with self._changed:
                self._changed.wait_for(lambda: self._is_new, REPEAT_S)
                key, jpeg, is_new, self._is_new = self._key, self._jpeg, self._is_new, False
                taken = self._shown if is_new else self._clock()
            if is_new:
                try:
                    image = decoded(jpeg)
                except ValueError:  # a part of a picture: the next one may be whole
                    continue
                with self._changed:
                    if key == self._key:
                        self._image = image
            shown = self._image
            if shown is not None and self.is_there:
                frame = CameraFrame(taken, shown, self._index, NAME)
                self._index += 1
                return frame
        raise SourceLostError(self._say_lost())

    def close(self) -> None:
        """The phone is not ours to close."""

    def _say_lost(self) -> str:
        if self._words:
            return self._words
        if not self._jpeg:
            return say("no phone sends pictures yet: open Use a phone as camera")
        return say("the phone sends no more pictures: look at its page, and at the network")
