"""Frames: round trips, damage of every kind, and the firmware's C twin on the same bytes."""

from __future__ import annotations

import random
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.simulation.chip import build_tool, missing_tools
from firmware_bridge.line.frames import (
    MAX_ENCODED,
    MAX_PAYLOAD,
    Damage,
    Frame,
    FrameCutter,
    crc,
    stuff,
    unstuff,
    write_frame,
)
from firmware_bridge.line.messages import TO_DEVICE

payloads = st.binary(max_size=MAX_PAYLOAD)
bytes_of_a_kind = st.integers(0, 255)


@given(st.binary(max_size=253))
def test_stuffing_takes_the_zeros_out_and_puts_them_back(data: bytes) -> None:
    assert 0 not in stuff(data)
    assert len(stuff(data)) == len(data) + 1
    assert unstuff(stuff(data)) == data


@given(st.lists(st.tuples(bytes_of_a_kind, bytes_of_a_kind, payloads), max_size=8), st.integers(1, 200))
def test_frames_arrive_however_the_stream_is_cut(frames: list[tuple[int, int, bytes]], cut: int) -> None:
    wire = b"".join(write_frame(*frame) for frame in frames)
    reader, found = FrameCutter(), []
    for at in range(0, len(wire), cut):
        found += list(reader.frames(wire[at : at + cut]))
    assert found == [Frame(*frame) for frame in frames]


@given(st.binary(max_size=600), payloads)
def test_after_any_junk_the_next_good_frame_is_read(junk: bytes, payload: bytes) -> None:
    reader = FrameCutter()
    for damage in reader.frames(junk):
        assert isinstance(damage, Damage)
    *_, last = reader.frames(write_frame(0x82, 7, payload))
    assert last == Frame(0x82, 7, payload)


CASES = [
    (b"", []),
    (b"\0\0\0", []),
    (b"\x01", []),
    (b"\x05\x01\0", [Damage("cobs", 2)]),
    (b"\x01\x01\0", [Damage("short", 2)]),
    (stuff(b"\1\2\3\4\5") + b"\0", [Damage("crc", 6)]),
    (b"\x42" * (MAX_ENCODED + 1) + b"\0", [Damage("long", MAX_ENCODED + 1)]),
    (stuff(b"\2\2\3" + crc(b"\2\2\3").to_bytes(2, "big")) + b"\0", [Damage("version", 6)]),
    (write_frame(1, 2, b"")[1:], [Frame(1, 2, b"")]),
]


@pytest.mark.parametrize(("wire", "found"), CASES)
@pytest.mark.parametrize("whole", [True, False])
def test_damage_has_a_reason(wire: bytes, found: list[Frame | Damage], whole: bool) -> None:
    reader = FrameCutter()
    pieces = [wire] if whole else [wire[i : i + 1] for i in range(len(wire))]
    assert [f for piece in pieces for f in reader.frames(piece)] == found


def test_a_payload_that_is_too_long_is_refused() -> None:
    with pytest.raises(ValueError, match="does not fit"):
        write_frame(1, 0, bytes(MAX_PAYLOAD + 1))


def test_bytes_that_are_never_a_frame_take_no_room() -> None:
    reader = FrameCutter()
    for _ in range(1000):
        assert list(reader.frames(b"\x55" * 997)) == []
        assert len(reader) <= MAX_ENCODED
    assert list(reader.frames(b"\0")) == [Damage("long", 997_000)]


# ---- a line that flips, drops, inserts and tears ----


def spoil(wire: bytes, rng: random.Random) -> bytes:
    """One thing goes wrong."""
    at, data = rng.randrange(len(wire)), bytearray(wire)
    match rng.randrange(4):
        case 0:
            data[at] ^= 1 << rng.randrange(8)
        case 1:
            del data[at : at + rng.randint(1, 3)]
        case 2:
            data[at:at] = rng.randbytes(rng.randint(1, 3))
        case _:
            del data[at:]
    return bytes(data)


def device_frames(rng: random.Random, count: int) -> list[bytes]:
    """Frames as the device hears them, each with its number as its sequence."""
    frames = []
    for number in range(count):
        kind = rng.choice(TO_DEVICE)
        form = kind.LAYOUT
        size = form.fixed.size + (form.unit * rng.randint(0, 10) if form.unit else 0)
        frames.append(write_frame(kind.KIND, number % 256, rng.randbytes(size)))
    return frames


def check_bad_line(count: int, seed: int) -> tuple[int, int]:
    """How many spoilt frames were accepted as something else, of how many. Good ones all arrive."""
    rng, reader, wrong, spoilt = random.Random(seed), FrameCutter(), 0, 0
    before = None  # torn at its very end, a frame is whole once the next one begins
    for number, frame in enumerate(device_frames(rng, count)):
        good = number % 2 == 0
        spoilt += not good
        found = list(reader.frames(frame if good else spoil(frame, rng)))
        wanted = next(FrameCutter().frames(frame))
        accepted = [f for f in found if isinstance(f, Frame)]
        assert not good or accepted[-1:] == [wanted], "out of step after a good frame"
        wrong += sum(f not in (wanted, before) for f in accepted)
        before = wanted
        assert len(reader) <= MAX_ENCODED
    return wrong, spoilt


def test_a_bad_line_costs_only_the_frames_it_hit() -> None:
    wrong, spoilt = check_bad_line(50_000, seed=5)
    assert wrong <= allowed(spoilt)


@pytest.mark.soak
def test_a_bad_line_for_a_million_frames() -> None:
    wrong, spoilt = check_bad_line(1_000_000, seed=6)
    assert wrong <= allowed(spoilt)


def allowed(spoilt: int) -> float:
    """What a CRC of 16 bits lets through of random damage, and four standard deviations more."""
    mean = spoilt / 65536
    return mean + 4 * mean**0.5 + 1


# ---- the C twin ----

needs_tools = pytest.mark.skipif(bool(missing_tools()), reason=missing_tools() or "-")


def told_by_c(wire: bytes) -> list[str]:
    program = str(build_tool("frames"))
    done = subprocess.run([program], input=wire, capture_output=True, check=True)
    return done.stdout.decode().splitlines()


def told_by_python(wire: bytes) -> list[str]:
    kinds = {kind.KIND: kind.LAYOUT for kind in TO_DEVICE}
    lines = []
    for found in FrameCutter().frames(wire):
        if isinstance(found, Damage):
            lines.append(f"damage {found.reason}")
        elif found.kind in kinds and not kinds[found.kind].fits(len(found.payload)):
            lines.append("damage size")
        else:
            lines.append(f"frame {found.kind} {found.sequence} {found.payload.hex()}")
    return lines


@needs_tools
@pytest.mark.parametrize("wire", [wire for wire, _ in CASES])
def test_c_reads_the_cases_as_python_does(wire: bytes) -> None:
    assert told_by_c(wire) == told_by_python(wire)


@needs_tools
@pytest.mark.parametrize("count", [20_000, pytest.param(1_000_000, marks=pytest.mark.soak)])
def test_c_reads_a_bad_line_as_python_does(count: int) -> None:
    rng = random.Random(7)
    wire = b"".join(spoil(f, rng) if rng.random() < 0.5 else f for f in device_frames(rng, count))
    wire += rng.randbytes(count)
    assert told_by_c(wire) == told_by_python(wire)


@needs_tools
@settings(max_examples=30, deadline=None)
@given(st.lists(st.binary(max_size=100) | payloads.map(lambda p: write_frame(3, 1, p)), max_size=30))
def test_c_reads_anything_as_python_does(pieces: list[bytes]) -> None:
    wire = b"".join(pieces)
    assert told_by_c(wire) == told_by_python(wire)
