"""Writes what leaves a table as JSON, and reads it again: the one codec of all that is on the wire.

A class of the wire is a frozen dataclass. Its members, their types and their limits are what a reader checks;
members that it does not know are passed over, so that a board of a later version fits into an older hall.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any, TypeVar, cast

import msgspec

from companion.core.errors import CompanionError
from companion.language import ENGLISH, Message, translated

LARGEST = 256 * 1024
"""The most bytes of a message between boards and hall."""
LARGEST_PACKET = LARGEST + 4096
"""The most bytes of a packet of MQTT: the topic stands beside the message."""
Kind = TypeVar("Kind")


class WireError(CompanionError):
    """Bytes that are no message of a board or a hall."""


def write(value: object, language: str = ENGLISH) -> bytes:
    """Returns a value of the wire as JSON on one line, its messages in a language."""
    return msgspec.json.encode(value, enc_hook=lambda found: _say(found, language))


def plain(value: object, language: str = ENGLISH) -> Any:
    """Returns a value of the wire as JSON knows it: objects, lists, texts, numbers."""
    return msgspec.json.decode(write(value, language))


def read(payload: bytes, kind: type[Kind]) -> Kind:
    """Reads a message. MessageError where it is too large, or cannot be decoded."""
    if len(payload) > LARGEST:
        raise WireError(f"a message has {LARGEST} bytes at most, not {len(payload)}")
    return decode(payload, kind)


def decode(payload: bytes, kind: type[Kind]) -> Kind:
    """Reads JSON of any length. MessageError where something lacks, or a member is not as its class says."""
    try:
        return msgspec.json.decode(payload, type=kind)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise WireError(f"this is no message: {error}") from error


def part_of(value: object, kind: type[Kind], **more: object) -> Kind:
    """Returns a value of another class: with those members of this one that it has too, and with `more`."""
    names = [member.name for member in fields(cast(Any, kind)) if hasattr(value, member.name)]
    return kind(**{**{name: getattr(value, name) for name in names}, **more})


def _say(found: object, language: str) -> str:
    if not isinstance(found, Message):
        raise TypeError(f"{type(found).__name__} is nothing that is sent")
    return str.__str__(translated(found, language))
