"""Topics and messages: what is written is read again, and all else is refused with a word."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broker_bridge.topics import KINDS, BoardName, TopicError, of_all, read_board_name, read_topic
from companion.wire.codec import WireError, read, write
from companion.wire.hall import Archived, LogLine, Pairing

TEXT = st.text(st.characters(codec="utf-8"), max_size=20)
COUNT = st.integers(0, 2**31 - 1)
NUMBER = st.floats(-1e299, 1e299)
LINES = st.builds(
    LogLine,
    companion=TEXT,
    game=COUNT,
    line=COUNT,
    kind=TEXT,
    text=TEXT,
    by=TEXT,
    certainty=st.none() | NUMBER,
    time=NUMBER,
    clock=st.none() | NUMBER,
    head=st.dictionaries(TEXT, TEXT, max_size=3),
    plies=COUNT,
    rules=st.lists(TEXT, max_size=3).map(tuple),
    winner=st.none() | TEXT,
    reason=TEXT,
)


@given(LINES)
def test_a_line_is_read_as_it_was_written(line: LogLine) -> None:
    assert read(write(line), LogLine) == line


@given(st.builds(Archived, TEXT, st.dictionaries(COUNT, COUNT, max_size=3)))
def test_a_receipt_is_read_as_it_was_written(archived: Archived) -> None:
    assert read(write(archived), Archived) == archived


@given(st.builds(Pairing, round=TEXT, players=st.dictionaries(TEXT, TEXT), event=TEXT, clock=TEXT, id=TEXT))
def test_a_pairing_is_read_as_it_was_written(pairing: Pairing) -> None:
    assert read(write(pairing), Pairing) == pairing


@pytest.mark.parametrize("kind", [LogLine, Archived, Pairing])
@pytest.mark.parametrize(
    "payload",
    [b"", b"\xff", b"[]", b"{}", b"1", b"[" * 100_000, b'{"companion": 1, "game": -1}', b" " * 300_000],
)
def test_what_is_no_message_is_refused(kind: type, payload: bytes) -> None:
    with pytest.raises(WireError):
        read(payload, kind)


@pytest.mark.parametrize("time", ["NaN", "Infinity", "1e999", "1" + "0" * 400, "true"])
def test_a_line_with_a_number_that_is_none_is_refused(time: str) -> None:
    with pytest.raises(WireError):
        read(f'{{"companion": "a", "game": 1, "line": 2, "kind": "note", "time": {time}}}'.encode(), LogLine)


def test_members_of_a_later_version_are_passed_over() -> None:
    line = LogLine("a", 1, 2, "action", "e2e4")
    later = json.loads(write(line)) | {"colour": "blue"}
    assert read(json.dumps(later).encode(), LogLine) == line


@pytest.mark.parametrize("kind", KINDS)
def test_a_topic_names_board_and_kind(kind: str) -> None:
    board = read_board_name("Hall A/7")
    assert board == BoardName("Hall A", "7")
    assert board.topic(kind) == f"board-companion/Hall A/7/{kind}"
    assert read_topic(board.topic(kind)) == (board, kind)
    assert of_all(kind) == f"board-companion/+/+/{kind}"


@pytest.mark.parametrize(
    "name", ["", "7", "/7", "A/", "A/7/8", "A/#", "+/7", "$A/7", "A/\n", "A/" + "7" * 65]
)
def test_a_name_that_fits_in_no_topic_is_refused(name: str) -> None:
    with pytest.raises(TopicError, match="named SITE/BOARD"):
        read_board_name(name)


@pytest.mark.parametrize(
    "topic", ["", "board-companion/A/7", "other/A/7/state", "board-companion/A/7/secret"]
)
def test_another_topic_is_refused(topic: str) -> None:
    with pytest.raises(TopicError):
        read_topic(topic)
