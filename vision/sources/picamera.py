"""The Raspberry Pi's own camera, through picamera2 where that is installed (it comes from apt)."""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from companion.sensing.sources import SourceError
from vision.sources.source import CameraFrame, SourceLostError, in_a_line

SETTLING = 30
"""Frames after which exposure and white balance are held: a second."""
MISSING = (
    "picamera2 is not installed: run 'sudo apt install python3-picamera2' "
    "and make .venv with --system-site-packages; or try --source camera"
)


class PiCamera:
    """A camera on the Pi's ribbon cable, whose exposure and white balance are held once it has settled."""

    live = True
    name = "picamera"

    def __init__(self, device: Any, clock: Callable[[], float] = time.monotonic) -> None:
        self._device, self._clock, self._index = device, clock, 0

    def read(self) -> CameraFrame | None:
        try:
            image = np.ascontiguousarray(self._device.capture_array("main"), dtype=np.uint8)
            if self._index == SETTLING - 1:
                self._hold()
        except Exception as error:
            raise SourceLostError(f"the Pi's camera sends no more pictures: {in_a_line(error)}") from error
        frame = CameraFrame(self._clock(), image, self._index, self.name)
        self._index += 1
        return frame

    def close(self) -> None:
        self._device.close()

    def _hold(self) -> None:
        now = self._device.capture_metadata()
        kept = ("ExposureTime", "AnalogueGain", "ColourGains")
        values = {key: now[key] for key in kept if key in now}
        self._device.set_controls({"AeEnable": False, "AwbEnable": False, **values})


def open_picamera(
    argument: str = "",
    *,
    size: tuple[int, int] = (1280, 720),
    clock: Callable[[], float] = time.monotonic,
    device: Callable[[], Any] | None = None,
) -> PiCamera:
    """Opens the Pi's camera; `device` makes a Picamera2. SourceError where picamera2 is not installed or
    finds no camera."""
    if argument:
        raise SourceError(f"there is one picamera: write picamera, not picamera:{argument}")
    camera: Any = None
    try:
        camera = (device or import_module("picamera2").Picamera2)()
        # picamera2 calls the order of bytes that OpenCV calls BGR "RGB888".
        camera.configure(camera.create_video_configuration(main={"size": size, "format": "RGB888"}))
        camera.start()
    except ImportError as error:
        raise SourceError(MISSING) from error
    except Exception as error:
        if camera is not None:
            camera.close()  # it could not be opened again else
        words = f"cannot open the Pi's camera: {in_a_line(error)}"
        raise SourceError(f"{words}; check its cable, or try --source camera") from error
    return PiCamera(camera, clock)
