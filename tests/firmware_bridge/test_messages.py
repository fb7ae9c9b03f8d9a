"""Messages: the description, the codec, one end of the line, and the files made from the description."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.board import bundled_boards, load_board
from firmware_bridge.line.frames import Damage, write_frame
from firmware_bridge.line.messages import (
    TO_DEVICE,
    TO_HOST,
    Change,
    Gap,
    Hello,
    Message,
    MessageError,
    Peer,
    Ping,
    Snapshot,
    State,
    pack_states,
    read_payload,
    unpack_states,
    write_payload,
)
from firmware_bridge.line.wiring import board_check
from hardware import protocol_header

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
ALL = (*TO_DEVICE, *TO_HOST)


def values(form: str) -> st.SearchStrategy[object]:
    return {
        "B": st.integers(0, 2**8 - 1),
        "H": st.integers(0, 2**16 - 1),
        "I": st.integers(0, 2**32 - 1),
        "bytes": st.binary(max_size=48),
        "words": st.lists(st.integers(0, 65535), max_size=24).map(tuple),
        "text": st.text(max_size=10),
    }[form]


messages = st.sampled_from(ALL).flatmap(lambda kind: st.builds(kind, *map(values, kind.LAYOUT.forms)))


@settings(max_examples=60, deadline=None)
@given(messages)
def test_every_message_comes_back_as_it_went(message: Message) -> None:
    assert read_payload(type(message), write_payload(message)) == message


@given(st.sampled_from(ALL), st.binary(max_size=64))
def test_any_payload_is_read_or_refused(kind: type[Message], payload: bytes) -> None:
    try:
        message = read_payload(kind, payload)
    except MessageError:
        assert not kind.LAYOUT.fits(len(payload))
    else:
        assert isinstance(message, kind)


def test_a_value_that_does_not_fit_is_refused() -> None:
    with pytest.raises(MessageError, match="cannot be sent"):
        write_payload(Ping(-1))


@given(st.lists(st.sampled_from(State), max_size=240))
def test_states_take_two_bits_each(states: list[State]) -> None:
    packed = pack_states(states)
    assert len(packed) == -(-len(states) // 4)
    assert unpack_states(packed, len(states)) == tuple(states)


@pytest.mark.parametrize(("packed", "count"), [(b"", 1), (b"\xff", 1), (b"\0", 5)])
def test_states_that_cannot_be_are_refused(packed: bytes, count: int) -> None:
    with pytest.raises(MessageError):
        unpack_states(packed, count)


def test_a_peer_tells_what_it_missed() -> None:
    device, host = Peer(TO_DEVICE), Peer(TO_HOST)
    wire = [device.send(Change(n, n, 1, 1023)) for n in range(5)]
    assert list(host.events(wire[0] + wire[1])) == [Change(0, 0, 1, 1023), Change(1, 1, 1, 1023)]
    assert list(host.events(wire[4])) == [Gap(2), Change(4, 4, 1, 1023)]


def test_a_peer_tells_frames_that_it_does_not_understand() -> None:
    host = Peer(TO_HOST)
    assert list(host.events(write_frame(0x55, 0, b""))) == [Damage("kind", 0)]
    assert list(host.events(write_frame(Hello.KIND, 1, b"\1"))) == [Damage("size", 1)]
    assert list(host.events(write_frame(Snapshot.KIND, 2, bytes(5)))) == [Snapshot(0, b"\0")]


# ---- made from the description ----


def test_the_header_of_the_firmware_is_up_to_date() -> None:
    assert protocol_header.HEADER.read_text(encoding="ascii") == protocol_header.header(), (
        "run python -m hardware.protocol_header"
    )


EXAMPLE = re.compile(r"^\| `(\d+)` \| `([A-Z]\w*\(.*\))` \| `([0-9a-f ]+)` \|", re.MULTILINE)
FIELD_TABLE = re.compile(r"^\| (`0x[0-9a-f]{2}`) \| (\w+) \| (.*?) \|", re.MULTILINE)


@pytest.mark.parametrize(("sequence", "text", "wire"), EXAMPLE.findall(DOCUMENT))
def test_examples_of_the_document_are_right(sequence: str, text: str, wire: str) -> None:
    name, _, arguments = text.rstrip(")").partition("(")
    kind = {k.__name__: k for k in ALL}[name]
    given_values = dict(a.strip().split("=", 1) for a in re.split(r",\s*(?=\w+=)", arguments) if a.strip())
    message = kind(**{key: _value(value) for key, value in given_values.items()})
    frame = write_frame(kind.KIND, int(sequence), write_payload(message))
    assert frame.hex(" ") == wire
    assert list(Peer([kind]).events(bytes.fromhex(wire))) == [message]


def _value(text: str) -> object:
    if text.startswith(("b'", '"', "'")):
        return bytes.fromhex(text[2:-1]) if text.startswith("b") else text[1:-1]
    if text.startswith("("):
        return tuple(int(v) for v in text.strip("()").split(",") if v.strip())
    return int(text)


def test_the_document_has_an_example_of_every_message() -> None:
    assert {text.partition("(")[0] for _, text, _ in EXAMPLE.findall(DOCUMENT)} == {k.__name__ for k in ALL}


def test_the_document_tells_every_field() -> None:
    told = {name: (kind, text) for kind, name, text in FIELD_TABLE.findall(DOCUMENT)}
    assert set(told) == {k.__name__ for k in ALL}
    for kind in ALL:
        code, text = told[kind.__name__]
        assert code == f"`0x{kind.KIND:02x}`"
        assert re.findall(r"`(\w+)` \w+", text) == [f.name for f in fields(kind)]
        assert [FORMS[w] for w in re.findall(r"`\w+` (\w+)", text)] == list(kind.LAYOUT.forms)


FORMS = {"u8": "B", "u16": "H", "u32": "I", "bytes": "bytes", "words": "words", "text": "text"}


def test_kinds_are_told_apart() -> None:
    assert len({k.KIND for k in ALL}) == len(ALL)
    assert all(k.KIND < 0x80 for k in TO_DEVICE)
    assert all(k.KIND >= 0x80 for k in TO_HOST)


@pytest.mark.parametrize("name", bundled_boards())
def test_the_page_has_what_each_board_is_known_by(name: str) -> None:
    sites = tuple(load_board(name).sites)
    assert f"| {name} | {len(sites)} | `0x{board_check(sites):04x}` |" in DOCUMENT
