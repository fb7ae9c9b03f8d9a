"""USB cameras, through V4L2; those of the network are in `vision.sources.network_camera`.

A camera changes exposure and white balance as hands come and go, which shifts every colour that was learned,
and its focus too. So it may settle for a second, and all are then held as they are, if its driver allows it.
While the camera is set up they are free again. Its defence against the flicker of lamps is set to the mains.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from companion.language import say
from companion.sensing.sources import SourceError, argument_of, scheme_of, without_secrets
from vision.arrays import Image
from vision.pace import Pace
from vision.sources.files import quiet_opencv
from vision.sources.mains import mains_hertz
from vision.sources.source import CameraFrame, SourceLostError
from vision.sources.v4l2_controls import set_mains

SIZE = (1280, 720)
SETTLING = 30
"""Frames after which exposure, white balance and focus are held: a second of most cameras."""
ADJUSTING = 150
"""The same while the camera is set up: it may be moved meanwhile."""
UNITS = 10_000.0
"""V4L2's units of exposure in a second."""
SHARE = 1 / 4
"""The largest share of one core's time that unpacking frames takes: a fast computer unpacks all of them."""
MISSES = 3
"""Failed reads in a row after which a camera counts as lost."""
MANUAL, AUTOMATIC = 1.0, 3.0
"""V4L2's values of CAP_PROP_AUTO_EXPOSURE."""
BY_ID = Path("/dev/v4l/by-id")
"""The folder of lasting names of USB cameras."""


class FrameDevice(Protocol):
    """The part of cv2.VideoCapture that a camera needs: `grab` waits for the next frame, `retrieve` unpacks
    it."""

    def grab(self) -> bool: ...
    def retrieve(self) -> tuple[bool, Image | None]: ...
    def get(self, prop: int, /) -> float: ...
    def set(self, prop: int, value: float, /) -> bool: ...
    def release(self) -> None: ...


class Camera:
    """A camera by what users write after `camera:`. `held` names the automatics that its driver could hold.

    `flicker` is the mains frequency (Hz) whose flicker the held exposure is to even out, where the driver
    does not do that by itself. `lost` says that no more pictures come.
    """

    live = True

    def __init__(
        self,
        argument: int | str,
        device: FrameDevice,
        clock: Callable[[], float] = time.monotonic,
        flicker: int | None = None,
        lost: str = "",
    ) -> None:
        self.name = f"camera:{argument}"
        self.held: tuple[str, ...] = ()
        self._device, self._clock = device, clock
        self._lost = lost or say("camera {number} sends no more pictures: check its cable", number=argument)
        self._index, self._hold_at, self._flicker = 0, SETTLING, flicker
        self._pace = Pace(SHARE, clock)

    def read(self) -> CameraFrame | None:
        grabbed, image = self._grab()
        frame = CameraFrame(grabbed, image, self._index, self.name)
        self._index += 1
        if self._index == self._hold_at:
            self.held = hold(self._device, self._flicker)
        return frame

    def adjust(self) -> None:
        """Lets the camera adjust itself again, until some seconds after the last call."""
        if self._index >= self._hold_at:
            self.held = ()
            _let_adjust(self._device)
        self._hold_at = self._index + ADJUSTING

    def close(self) -> None:
        self._device.release()

    def _grab(self) -> tuple[float, Image]:
        """Returns the newest frame, and when it came.

        Those that come while a pause is due are taken off the driver's queue and not unpacked, which is most
        of the work with a camera.
        """
        misses = 0
        while misses < MISSES:
            if not self._device.grab():
                misses += 1
                continue
            if self._pace.pause:
                continue
            grabbed = self._clock()
            with self._pace.work():
                ok, image = self._device.retrieve()
            if ok and image is not None:
                return grabbed, image
            misses += 1
        raise SourceLostError(self._lost)


def open_camera(
    argument: str,
    *,
    clock: Callable[[], float] = time.monotonic,
    numbers: Callable[[], list[int]] | None = None,
    device: Callable[[int], FrameDevice | None] | None = None,
    mains: Callable[[], int | None] = mains_hertz,
    set_flicker: Callable[[int, int | None], str] = set_mains,
) -> Camera:
    """Opens camera N of `camera:N`, that of `camera:/dev/v4l/by-id/NAME`, or the first one of `camera`.

    Frames are of `SIZE` where the camera can. SourceError says which cameras there are; it is a
    SourceLostError where the camera may come. `numbers` lists the cameras and `device` opens one, `mains`
    tells the mains frequency and `set_flicker` sets a camera's defence: the system's, unless others are
    handed in.
    """
    hertz = mains()
    found = (numbers or camera_numbers)()
    number = _chosen(argument, found)
    opened = (device or _open_v4l2)(number) if number in found else None
    if opened is None:
        raise SourceLostError(_missing(number, found))
    _prepare(opened)
    return Camera(number, opened, clock, None if set_flicker(number, hertz) else hertz)


def _chosen(argument: str, found: list[int]) -> int:
    """Returns the number of the camera that is meant, one of `found` where none is named."""
    if re.fullmatch("[0-9]{1,6}", argument):
        return int(argument)
    if argument.startswith("/dev/"):
        node = re.fullmatch(r"video(\d+)", Path(argument).resolve().name)
        if node is None:
            raise SourceLostError(
                say("there is no '{argument}': is the camera plugged in?", argument=argument)
            )
        return int(node[1])
    if argument:
        raise SourceError(
            say(
                "'{argument}' is no camera's number: write camera:N{choices}",
                argument=argument,
                choices=_choices(found),
            )
        )
    if not found:
        raise SourceLostError(say("no camera found: plug one in, or try --source virtual"))
    return found[0]


def camera_numbers(folder: Path = Path("/sys/class/video4linux")) -> list[int]:
    """Returns the numbers of this computer's cameras: those on USB, and those that programs make.

    A camera's second node, which is for data, is left out. So are the nodes of a Pi's codecs, and of the raw
    pictures of its own camera.
    """
    nodes = [node for node in folder.glob("video*") if re.fullmatch(r"video\d+", node.name)]
    cameras = [node for node in nodes if _is_first(node) and _is_on_usb_or_virtual(node)]
    return sorted(int(node.name.removeprefix("video")) for node in cameras)


def lasting_links(folder: Path = BY_ID) -> dict[str, Path]:
    """Returns the lasting names of USB cameras, as links, by the nodes (`video0`) at which they are now."""
    links = sorted(folder.iterdir()) if folder.is_dir() else []
    return {link.resolve().name: link for link in reversed(links)}


def lasting_name(text: str, folder: Path = BY_ID, numbers: Callable[[], list[int]] | None = None) -> str:
    """Returns the name by which the camera of a source's text is the same one wherever it is plugged in, and
    however it was written: that of its make where it has one, else the text, without secrets."""
    argument = argument_of(text)
    if scheme_of(text) != "camera" or "://" in argument:
        return without_secrets(text)
    try:
        number = _chosen(argument, (numbers or camera_numbers)())
    except SourceError:  # it is not there now
        return Path(argument).name if argument.startswith("/") else text
    link = lasting_links(folder).get(f"video{number}")
    return link.name if link else f"camera:{number}"


def _is_first(node: Path) -> bool:
    return _text(node / "index") in ("", "0")


def _is_on_usb_or_virtual(node: Path) -> bool:
    bus = node / "device" / "subsystem"  # a node that a program makes has no device behind it
    return not bus.exists() or bus.resolve().name == "usb"


def hold(device: FrameDevice, flicker: int | None = None) -> tuple[str, ...]:
    """Holds exposure, white balance and focus as they are now. Returns the names of those that the driver
    could hold. The exposure is fitted to lamps that flicker by a mains frequency (Hz), where one is given."""
    held = []
    exposure = steady_exposure(device.get(cv2.CAP_PROP_EXPOSURE), flicker)
    if device.set(cv2.CAP_PROP_AUTO_EXPOSURE, MANUAL) and device.get(cv2.CAP_PROP_AUTO_EXPOSURE) == MANUAL:
        device.set(cv2.CAP_PROP_EXPOSURE, exposure)
        held.append("exposure")
    warmth = device.get(cv2.CAP_PROP_WB_TEMPERATURE)
    if device.set(cv2.CAP_PROP_AUTO_WB, 0.0) and device.get(cv2.CAP_PROP_AUTO_WB) == 0.0:
        device.set(cv2.CAP_PROP_WB_TEMPERATURE, warmth)
        held.append("white balance")
    # Held where it is: some drivers tell the position of the last time that it was set by hand.
    was_focusing = device.get(cv2.CAP_PROP_AUTOFOCUS) == 1.0
    if was_focusing and device.set(cv2.CAP_PROP_AUTOFOCUS, 0.0) and device.get(cv2.CAP_PROP_AUTOFOCUS) == 0.0:
        held.append("focus")
    return tuple(held)


def steady_exposure(exposure: float, flicker: int | None) -> float:
    """Returns the exposure (in V4L2's units) nearest to one that takes in whole flickers of lamps.

    Where it is shorter than one flicker it stays: it would become too bright.
    """
    if not flicker:
        return exposure
    one = UNITS / (2 * flicker)
    return round(exposure / one) * one if exposure >= one else exposure


def _prepare(device: FrameDevice) -> None:
    """Asks for fresh frames (no queue), compressed since the cable may be slow, and turns automatics on."""
    wanted = (
        (cv2.CAP_PROP_BUFFERSIZE, 1.0),
        (cv2.CAP_PROP_FOURCC, float(cv2.VideoWriter.fourcc(*"MJPG"))),
        (cv2.CAP_PROP_FRAME_WIDTH, float(SIZE[0])),
        (cv2.CAP_PROP_FRAME_HEIGHT, float(SIZE[1])),
    )
    for prop, value in wanted:
        device.set(prop, value)
    _let_adjust(device)


def _let_adjust(device: FrameDevice) -> None:
    """Turns automatic exposure, white balance and focus on."""
    device.set(cv2.CAP_PROP_AUTO_EXPOSURE, AUTOMATIC)
    device.set(cv2.CAP_PROP_AUTO_WB, 1.0)
    device.set(cv2.CAP_PROP_AUTOFOCUS, 1.0)


def _open_v4l2(number: int) -> FrameDevice | None:
    with quiet_opencv():
        device = cv2.VideoCapture(number, cv2.CAP_V4L2)
        return CaptureDevice(device) if device.isOpened() else None


class CaptureDevice:
    """A cv2.VideoCapture as a `FrameDevice`: what breaks while it reads is a failed read."""

    def __init__(self, device: cv2.VideoCapture) -> None:
        self._device = device
        self.get, self.set, self.release = device.get, device.set, device.release

    def grab(self) -> bool:
        try:
            return self._device.grab()
        except cv2.error:
            return False

    def retrieve(self) -> tuple[bool, Image | None]:
        try:
            ok, image = self._device.retrieve()
        except cv2.error:
            return False, None
        return ok, np.asarray(image, dtype=np.uint8) if ok else None


def _missing(number: int, found: list[int]) -> str:
    if number in found:
        return say("cannot open camera {number}: another program may be using it", number=number)
    if not found:
        return say("no camera {number}: found none; plug one in, or try --source virtual", number=number)
    return say(
        "no camera {number}: found {found}; try --source camera:{first}",
        number=number,
        found=", ".join(map(str, found)),
        first=found[0],
    )


def _choices(found: list[int]) -> str:
    return f"; found {', '.join(map(str, found))}" if found else ""


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii").strip()
    except OSError:
        return ""
