"""Controls of a V4L2 camera that OpenCV does not know, by the kernel's own calls (linux/videodev2.h).

A device may be opened once more beside the program that takes its pictures, for its controls alone.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager

POWER_LINE_FREQUENCY = 0x00980918
"""V4L2_CID_POWER_LINE_FREQUENCY: how the camera's automatic exposure avoids the flicker of lamps."""
HERTZ_50, HERTZ_60, AUTO = 1, 2, 3
"""Values of it; 0 is off."""

QUERY_CONTROL, SET_CONTROL, QUERY_MENU = 0xC0445624, 0xC008561C, 0xC02C5625
"""VIDIOC_QUERYCTRL, VIDIOC_S_CTRL and VIDIOC_QUERYMENU on all machines but Alpha, MIPS, PowerPC and SPARC."""
CONTROL, DESCRIPTION = struct.Struct("=Ii"), struct.Struct("=II32siiiiI8x")
MENU_ITEM = struct.Struct("=II32s4x")
"""struct v4l2_control, v4l2_queryctrl and v4l2_querymenu."""
DISABLED, READ_ONLY = 0x0001, 0x0004
"""Flags of a control that cannot be set."""

DEVICES = "/dev"

Call = Callable[[int, int, bytes], bytes]
"""An ioctl: descriptor, request, argument; it returns the argument as the driver left it. OSError if not."""


def set_mains(number: int, hertz: int | None, call: Call | None = None, folder: str = DEVICES) -> str:
    """Sets a camera's defence against flicker, and returns what is set: `50 Hz`, `60 Hz`, `auto` or ''.

    Where `hertz` is None the driver's own choice is taken, if it has one. '' says that the driver has no such
    control, or not this value. `call` is the kernel's ioctl, unless another is handed in.
    """
    value, name = {50: (HERTZ_50, "50 Hz"), 60: (HERTZ_60, "60 Hz")}.get(hertz or 0, (AUTO, "auto"))
    try:
        with _device(number, folder) as descriptor:
            return name if _set(call or _ioctl, descriptor, value) else ""
    except OSError:
        return ""


def _set(call: Call, descriptor: int, value: int) -> bool:
    """Returns whether the control took a value."""
    blank = DESCRIPTION.pack(POWER_LINE_FREQUENCY, 0, b"", 0, 0, 0, 0, 0)
    found = DESCRIPTION.unpack(call(descriptor, QUERY_CONTROL, blank))
    least, most, flags = found[3], found[4], found[7]
    if flags & (DISABLED | READ_ONLY) or not least <= value <= most:
        return False
    # A menu may have gaps: this raises an OSError then.
    call(descriptor, QUERY_MENU, MENU_ITEM.pack(POWER_LINE_FREQUENCY, value, b""))
    call(descriptor, SET_CONTROL, CONTROL.pack(POWER_LINE_FREQUENCY, value))
    return True


@contextmanager
def _device(number: int, folder: str) -> Iterator[int]:
    descriptor = os.open(f"{folder}/video{number}", os.O_RDWR | os.O_NONBLOCK)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _ioctl(descriptor: int, request: int, argument: bytes) -> bytes:
    from fcntl import ioctl

    return ioctl(descriptor, request, argument)
