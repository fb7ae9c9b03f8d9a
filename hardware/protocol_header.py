"""Writes the protocol as a header for the firmware, `hardware/firmware/core/protocol.h`, from the messages'
classes.

Run it after a change of `messages` (`python -m hardware.protocol_header`); a test fails until that is done.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import IntEnum
from pathlib import Path

from firmware_bridge.line import frames
from firmware_bridge.line.messages import (
    FIRMWARE,
    LEVEL_MAX,
    MAX_SITES,
    TAILS,
    TO_DEVICE,
    TO_HOST,
    Message,
    Sensor,
    State,
    Trouble,
)

HEADER = Path(__file__).resolve().parents[1] / "hardware" / "firmware" / "core" / "protocol.h"
TYPES = {"B": "uint8_t", "H": "uint16_t", "I": "uint32_t"}
TYPES |= {"bytes": "uint8_t", "words": "uint16_t", "text": "char"}
CONSTANTS = {
    "VERSION": frames.VERSION,
    "MAJOR": FIRMWARE[0],
    "MINOR": FIRMWARE[1],
    "MAX_PAYLOAD": frames.MAX_PAYLOAD,
    "OVERHEAD": frames.OVERHEAD,
    "MAX_ENCODED": frames.MAX_ENCODED,
    "CRC_START": frames.CRC_START,
    "CRC_END": frames.CRC_END,
    "MAX_SITES": MAX_SITES,
    "LEVEL_MAX": LEVEL_MAX,
}


def header() -> str:
    """Returns the text of protocol.h."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "/* The protocol of docs/protocol.md. Written by hardware/protocol_header.py: change it there. */"
    yield "#ifndef PROTOCOL_H"
    yield "#define PROTOCOL_H"
    yield "#include <stdint.h>"
    yield ""
    yield from (f"#define {name} {value}" for name, value in CONSTANTS.items())
    for values in (State, Sensor, Trouble):
        yield from _enum(values)
    for kind in (*TO_DEVICE, *TO_HOST):
        yield from _struct(kind)
    yield from _shapes()
    yield "#endif"


def _enum(values: type[IntEnum]) -> Iterator[str]:
    yield ""
    yield from (f"#define {values.__name__.upper()}_{v.name} {v.value}" for v in values)


def _struct(kind: type[Message]) -> Iterator[str]:
    name, form = _snake(kind.__name__), kind.LAYOUT
    yield ""
    yield f"#define KIND_{name.upper()} 0x{kind.KIND:02x}"
    if not form.names:
        return
    yield f"struct __attribute__((packed)) {name}_payload {{"
    for field, code in zip(form.names, form.forms, strict=True):
        yield f"    {TYPES[code]} {field}{_room(kind) if code in TAILS else ''};"
    yield "};"
    if form.tail:
        yield f"#define {name.upper()}_FIXED {form.fixed.size}"


def _room(kind: type[Message]) -> str:
    form = kind.LAYOUT
    return f"[{(frames.MAX_PAYLOAD - form.fixed.size) // form.unit}]"


def _shapes() -> Iterator[str]:
    """Yields the table of messages to the device: kind, size of the fixed part, and of a unit of the tail."""
    shapes = ((kind, kind.LAYOUT) for kind in TO_DEVICE)
    yield ""
    yield f"#define SHAPES {len(TO_DEVICE)}"
    yield "#define SHAPE_TABLE { \\"
    yield from (f"    {{0x{kind.KIND:02x}, {form.fixed.size}, {form.unit}}}, \\" for kind, form in shapes)
    yield "}"


def _snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


if __name__ == "__main__":
    HEADER.write_text(header(), encoding="ascii")
