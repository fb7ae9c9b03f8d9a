"""The Raspberry Pi's own camera, through picamera2 where that is installed (it comes from apt)."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from companion.language import say
from companion.sensing.sources import SourceError
from vision.sources.mains import mains_hertz
from vision.sources.source import CameraFrame, SourceLostError, in_a_line

SETTLING, ADJUSTING = 30, 150
"""Frames after which exposure, white balance and focus are held: a second, and five during set-up."""
WIDTH = 1280
"""The width of a picture, in pixels; its height follows from the sensor's shape."""
MANUAL, CONTINUOUS = 0, 2
"""libcamera's values of AfMode."""
FLICKER_MANUAL, FLICKER_AUTO = 1, 2
"""libcamera's values of AeFlickerMode."""
MISSING = say(
    "picamera2 is not installed: run 'sudo apt install python3-picamera2' and make .venv with "
    "--system-site-packages; or try --source camera"
)


class PiCamera:
    """A camera on the Pi's ribbon cable. Exposure, white balance and focus are held once it has settled."""

    live = True
    name = "picamera"

    def __init__(self, device: Any) -> None:
        self._device, self._index = device, 0
        self._hold_at = SETTLING

    def read(self) -> CameraFrame | None:
        try:
            image = np.ascontiguousarray(self._device.capture_array("main"), dtype=np.uint8)
            if self._index == self._hold_at - 1:
                self._hold()
        except Exception as error:
            raise SourceLostError(
                say("the Pi's camera sends no more pictures: {error}", error=in_a_line(error))
            ) from error
        frame = CameraFrame(time.monotonic(), image, self._index, self.name)
        self._index += 1
        return frame

    def adjust(self) -> None:
        """Lets the camera adjust itself again, until some seconds after the last call."""
        if self._index >= self._hold_at:
            focus = {"AfMode": CONTINUOUS} if _has_autofocus(self._device) else {}
            self._device.set_controls({"AeEnable": True, "AwbEnable": True, **focus})
        self._hold_at = self._index + ADJUSTING

    def close(self) -> None:
        self._device.close()

    def _hold(self) -> None:
        now = self._device.capture_metadata()
        kept = ("ExposureTime", "AnalogueGain", "ColourGains")
        values = {key: now[key] for key in kept if key in now}
        if _has_autofocus(self._device) and "LensPosition" in now:
            values |= {"AfMode": MANUAL, "LensPosition": now["LensPosition"]}
        self._device.set_controls({"AeEnable": False, "AwbEnable": False, **values})


def open_picamera(
    argument: str = "",
    *,
    device: Callable[[], Any] | None = None,
    mains: Callable[[], int | None] = mains_hertz,
) -> PiCamera:
    """Opens the Pi's camera; `device` makes a Picamera2, and `mains` tells the mains frequency.

    Its pictures show the sensor's whole field of view. SourceLostError where picamera2 is not installed or
    finds no camera.
    """
    if argument:
        raise SourceError(
            say("there is one picamera: write picamera, not picamera:{argument}", argument=argument)
        )
    hertz = mains()
    camera: Any = None
    try:
        camera = (device or import_module("picamera2").Picamera2)()
        camera.configure(_configuration(camera))
        camera.start()
        controls = _flicker_controls(camera, hertz)
        if _has_autofocus(camera):
            controls["AfMode"] = CONTINUOUS
        if controls:
            camera.set_controls(controls)
    except ImportError as error:
        raise SourceLostError(MISSING) from error
    except Exception as error:
        if camera is not None:
            camera.close()  # it could not be opened again else
        words = say(
            "cannot open the Pi's camera: {error}; check its cable, or try --source camera",
            error=in_a_line(error),
        )
        raise SourceLostError(words) from error
    return PiCamera(camera)


def _configuration(camera: Any) -> Any:
    """Returns the configuration that shows the sensor's whole field of view.

    Left to itself libcamera takes the mode whose size comes nearest to the picture's, and most of those show
    only the middle: of a Camera Module 2 less than half of the height.
    """
    mode = full_mode(camera.sensor_modes)
    _, _, across, down = mode["crop_limits"]
    height = 2 * round(
        WIDTH * down / across / 2
    )  # of the sensor's shape, else the picture itself would be cut
    return camera.create_video_configuration(
        # picamera2 calls the order of bytes that OpenCV calls BGR "RGB888".
        main={"size": (WIDTH, height), "format": "RGB888"},
        sensor={"output_size": mode["size"], "bit_depth": mode["bit_depth"]},
    )


def full_mode(modes: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Returns the mode of a sensor that sees the most, and of those the smallest with enough pixels.

    Each has `size` (w, h), `bit_depth` and `crop_limits` (x, y, w, h on the sensor), as picamera2 tells them.
    """
    widest = max(_seen(mode) for mode in modes)
    # Modes of one field of view differ by a few pixels at the edge.
    full = [mode for mode in modes if _seen(mode) > 0.97 * widest]
    enough = [mode for mode in full if mode["size"][0] >= WIDTH] or full
    return min(enough, key=lambda mode: (mode["size"], mode["bit_depth"]))


def _seen(mode: Mapping[str, Any]) -> int:
    """Returns the area of the sensor that a mode shows, in the sensor's pixels."""
    _, _, across, down = mode["crop_limits"]
    return int(across * down)


def _flicker_controls(camera: Any, hertz: int | None) -> dict[str, int]:
    """Returns the controls that keep the exposure to whole flickers of lamps on the mains."""
    if "AeFlickerMode" not in camera.camera_controls:
        return {}
    if hertz and "AeFlickerPeriod" in camera.camera_controls:
        return {"AeFlickerMode": FLICKER_MANUAL, "AeFlickerPeriod": round(1e6 / (2 * hertz))}
    _, most, _ = camera.camera_controls["AeFlickerMode"]
    return {"AeFlickerMode": FLICKER_AUTO} if most >= FLICKER_AUTO else {}


def _has_autofocus(camera: Any) -> bool:
    return "AfMode" in camera.camera_controls
