"""Writes frames to the wire, and cuts them out of a stream of bytes that may lose or garble any of them.

A frame's body is its version, kind and sequence number, a payload, and a CRC-16 over all of these. COBS takes
the zeros out of the body, so that a zero on the wire can only be the edge of a frame: whatever noise went
before, the next zero puts the reader back in step. A zero goes before each frame as well as after it, so that
noise between two frames costs neither. Nothing here does input or output: bytes go in, and frames come out.
"""

from __future__ import annotations

from binascii import crc_hqx
from collections.abc import Iterator
from typing import NamedTuple

VERSION = 1
MAX_PAYLOAD = 64
OVERHEAD = 5
MAX_ENCODED = MAX_PAYLOAD + OVERHEAD + 1
CRC_START = CRC_END = 0xFFFF
EDGE = b"\0"


class Frame(NamedTuple):
    """The content of one frame; `messages` knows kinds and payloads."""

    kind: int
    sequence: int
    payload: bytes


class Damage(NamedTuple):
    """Bytes between two edges that are no good frame, and why.

    Reasons: `long` (more bytes than any frame), `cobs`, `short`, `crc`, `version` (whole, but of another
    version of the protocol); from `messages` also `kind` (whole, but not known) and `size`.
    """

    reason: str
    size: int


def crc(data: bytes) -> int:
    """Returns the CRC-16 with polynomial 0x1021, started at 0xFFFF and inverted at the end (known as
    GENIBUS).

    Without the inversion, zeros that noise puts behind a body would go unnoticed.
    """
    return crc_hqx(data, CRC_START) ^ CRC_END


def stuff(body: bytes) -> bytes:
    """Returns the COBS of at most 253 bytes: each zero becomes the distance to the next one."""
    return b"".join(bytes((len(run) + 1,)) + run for run in body.split(EDGE))


def unstuff(encoded: bytes) -> bytes | None:
    """Returns the bytes that `stuff` was given; None when it cannot have written these."""
    runs, at = [], 0
    while at < len(encoded):
        end = at + encoded[at]
        if end == at or end > len(encoded):
            return None
        runs.append(encoded[at + 1 : end])
        at = end
    return EDGE.join(runs)


def write_frame(kind: int, sequence: int, payload: bytes) -> bytes:
    """Returns a frame with both its edges. ValueError when the payload is too long for one."""
    if len(payload) > MAX_PAYLOAD:
        raise ValueError(f"a payload of {len(payload)} bytes does not fit into a frame of {MAX_PAYLOAD}")
    body = bytes((VERSION, kind, sequence)) + payload
    return EDGE + stuff(body + crc(body).to_bytes(2, "big")) + EDGE


def read_frame(encoded: bytes) -> Frame | Damage:
    """Returns the frame between two edges, or why it is none."""
    if len(encoded) > MAX_ENCODED:
        return Damage("long", len(encoded))
    body = unstuff(encoded)
    if body is None:
        return Damage("cobs", len(encoded))
    if len(body) < OVERHEAD:
        return Damage("short", len(encoded))
    if crc(body[:-2]) != int.from_bytes(body[-2:], "big"):
        return Damage("crc", len(encoded))
    if body[0] != VERSION:
        return Damage("version", len(encoded))
    return Frame(body[1], body[2], body[3:-2])


class FrameCutter:
    """Cuts a stream into frames.

    It holds at most the bytes that it was given since it was last read out, and after that no more than one
    frame: bytes that cannot be part of one are counted and dropped.
    """

    def __init__(self) -> None:
        self._bytes = bytearray()
        self._dropped = 0

    def __len__(self) -> int:
        """Returns how many bytes wait for the rest of their frame."""
        return len(self._bytes)

    def frames(self, data: bytes) -> Iterator[Frame | Damage]:
        """Yields all frames that `data` completes."""
        self._bytes += data
        while (edge := self._bytes.find(0)) >= 0:
            encoded = bytes(self._bytes[:edge])
            del self._bytes[: edge + 1]
            dropped, self._dropped = self._dropped, 0
            if dropped:
                yield Damage("long", dropped + len(encoded))
            elif encoded:
                yield read_frame(encoded)
        if len(self._bytes) > MAX_ENCODED:
            self._dropped += len(self._bytes)
            self._bytes.clear()
