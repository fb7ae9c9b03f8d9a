"""The hall is folded from letters: order, repetition, junk and wrong clocks of boards do no harm."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broker_bridge.link import Delivery
from broker_bridge.topics import CLOCK, EVENT, PAIRING, STATE, STATUS, BoardName
from companion.wire.codec import write
from companion.wire.hall import LogLine, Pairing
from hall.wall.hall import LONGEST_SILENCE, NOTHING_TOLD, Hall, HallBoard, age, fold, heard
from hall.wall.tile import Tile, encode_tile, tile_of

SEVEN = BoardName("Hall A", "7")
NOW = 1_700_000_000.0


def letter(kind: str, payload: Any, name: BoardName = SEVEN, *, was_kept: bool = False) -> Delivery:
    data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    return Delivery(name.topic(kind), data, was_kept=was_kept)


def state(at: float = NOW, **more: Any) -> dict[str, Any]:
    game = {"name": "chess", "title": "Chess", "options": {}, "players": ["white", "black"]}
    usual = {"companion": "c", "number": 1, "state": "playing", "game": game, "to_act": "white", "at": at}
    return {**usual, **more}


def clock(at: float = NOW, runs: str = "white", **more: Any) -> dict[str, Any]:
    return {"at": at, "number": 1, "left": {"white": 60.0, "black": 50.0}, "runs": runs, "delay": 0, **more}


def line(n: int, plies: int, kind: str = "action", game: int = 1) -> Delivery:
    return letter(EVENT, write(LogLine("c", game, n, kind, written=f"m{n}", plies=plies)))


def folded(*letters: Delivery, now: float = NOW) -> Hall:
    hall = Hall()
    for found in letters:
        hall = fold(hall, found, now)
    return hall


def board(*letters: Delivery, now: float = NOW) -> HallBoard:
    return folded(*letters, now=now).boards[SEVEN]


REFUSED = {"kind": "refused", "action": "e2>e5", "breaks": [{"rule": "CH-2", "sites": ["e2"]}]}
ONLINE, OFFLINE = letter(STATUS, b"online"), letter(STATUS, b"offline")
RUN_OUT = NOW + 60.0 + 20.0
NEEDS: list[tuple[str, list[Delivery], list[tuple[str, float]]]] = [
    ("all is well", [ONLINE, letter(STATE, state())], []),
    ("cut off", [ONLINE, letter(STATE, state()), OFFLINE], [("silent", NOW)]),
    ("never a status", [letter(STATE, state())], [("silent", NOW)]),
    ("clock runs", [ONLINE, letter(CLOCK, clock())], [("silent", RUN_OUT)]),
    ("clock is paused", [ONLINE, letter(CLOCK, clock(paused=True))], []),
    ("flag", [ONLINE, letter(STATE, state()), letter(CLOCK, clock(flags=["white"]))], [("flag", NOW)]),
    (
        "refused a while ago",
        [ONLINE, letter(STATE, state(verdict=REFUSED, since={"verdict": NOW - 30}))],
        [("refused", NOW - 30)],
    ),
    ("setting up", [ONLINE, letter(STATE, state(verdict={"kind": "setup", "breaks": []}))], []),
    ("question", [ONLINE, letter(STATE, state(question={"id": 3, "by": "white"}))], [("question", NOW)]),
    ("draw", [ONLINE, letter(STATE, state(offer={"kind": "draw", "by": "black"}))], [("draw", NOW)]),
    ("over", [ONLINE, letter(STATE, state(offer={"by": "black"}, outcome={"reason": "mate"}))], []),
    (
        "sensors",
        [
            ONLINE,
            letter(
                STATE,
                state(
                    sources=[
                        {"name": "camera", "state": "hand"},
                        {"name": "grid", "state": "lost"},
                        {"name": "recording", "state": "trouble"},
                    ]
                ),
            ),
        ],
        [("sensor", NOW), ("store", NOW)],
    ),
]


@pytest.mark.parametrize(("letters", "needs"), [row[1:] for row in NEEDS], ids=[row[0] for row in NEEDS])
def test_needs(letters: list[Delivery], needs: list[tuple[str, float]]) -> None:
    assert [(need.kind, need.since) for need in board(*letters).needs] == needs


def test_a_need_keeps_since_when_it_waits() -> None:
    lost = letter(STATE, state(sources=[{"name": "grid", "state": "lost"}]))
    hall = fold(folded(ONLINE, lost), lost, NOW + 9)
    assert [need.since for need in hall.boards[SEVEN].needs] == [NOW]
    hall = fold(fold(hall, letter(STATE, state()), NOW + 10), lost, NOW + 11)
    assert [need.since for need in hall.boards[SEVEN].needs] == [NOW + 11]


LETTERS = [
    ONLINE,
    OFFLINE,
    letter(STATE, state()),
    letter(STATE, state(verdict=REFUSED)),
    letter(STATE, state(number=2)),
    letter(CLOCK, clock()),
    letter(CLOCK, b"null"),
    letter(PAIRING, write(Pairing("3", {"white": "Ann"}))),
    line(1, 1),
    line(2, 1, "takeback"),
    letter(STATE, state(), BoardName("Hall A", "8")),
]
JUNK = [
    Delivery("elsewhere", b"{}"),
    Delivery("board-companion/a/b/sound", b"{}"),
    letter(STATE, b"[]"),
    letter(STATE, {"state": "asleep"}),
    letter(STATE, state(pieces=["e2"])),
    letter(STATE, state(game={"name": 7})),
    letter(CLOCK, {"left": {"white": "long"}, "at": 1}),
    letter(CLOCK, {"left": {}, "at": float("inf")}),
    letter(STATUS, b"perhaps"),
    letter(EVENT, b"{}"),
    letter(PAIRING, b"{}"),
]


@given(st.lists(st.sampled_from(LETTERS), max_size=12), st.sampled_from(LETTERS))
def test_a_letter_that_comes_twice_is_no_news(letters: list[Delivery], last: Delivery) -> None:
    once = folded(*letters, last)
    twice = fold(once, last, NOW)
    assert twice == once


@given(st.lists(st.sampled_from(LETTERS), max_size=12), st.sampled_from(JUNK))
def test_junk_changes_nothing(letters: list[Delivery], junk: Delivery) -> None:
    hall = folded(*letters)
    assert fold(hall, junk, NOW + 1) is hall


@given(st.permutations([ONLINE, letter(STATE, state()), letter(CLOCK, clock(flags=["white"]))]))
def test_the_order_of_topics_does_not_matter(letters: list[Delivery]) -> None:
    assert replace(board(*letters), version=0) == replace(board(*sorted(letters, key=repr)), version=0)


@given(st.floats(-1e7, 1e7), st.booleans())
def test_a_wrong_clock_of_a_board_does_no_harm(wrong: float, was_kept: bool) -> None:
    waiting = state(NOW + wrong, verdict=REFUSED, since={"verdict": NOW + wrong - 30})
    found = board(
        ONLINE, letter(STATE, waiting, was_kept=was_kept), letter(CLOCK, clock(NOW + wrong), was_kept=False)
    )
    assert found.clock_since == pytest.approx(NOW, abs=1e-3)
    assert [need.since for need in found.needs] == [
        pytest.approx(RUN_OUT, abs=1e-3),
        pytest.approx(NOW - 30, abs=1e-3),
    ]


def test_what_the_broker_had_kept_is_as_old_as_it_says() -> None:
    assert board(letter(CLOCK, clock(NOW - 40), was_kept=True)).clock_since == NOW - 40
    assert board(letter(CLOCK, clock(NOW + 40), was_kept=True)).clock_since == NOW


@pytest.mark.parametrize(
    ("lines", "moves"),
    [
        ([(1, 1, "action"), (2, 2, "action")], ["m1", "m2"]),
        ([(1, 1, "action"), (2, 2, "action"), (3, 1, "takeback"), (4, 2, "action")], ["m1", "m4"]),
        ([(1, 1, "action"), (4, 1, "action")], ["m4"]),
        ([(1, 1, "action"), (2, 1, "refused"), (3, 2, "action")], ["m1", "m3"]),
        ([(2, 2, "action"), (1, 1, "action")], ["m2"]),
    ],
)
def test_moves(lines: list[tuple[int, int, str]], moves: list[str]) -> None:
    found = board(letter(STATE, state()), *(line(n, plies, kind) for n, plies, kind in lines))
    assert [move.written for move in found.moves] == moves
    assert board(letter(STATE, state()), line(1, 1), letter(STATE, state(number=2))).moves == ()
    assert board(letter(STATE, state()), line(1, 1, game=5)).moves == ()


def test_a_board_whose_status_is_cleared_leaves_the_hall() -> None:
    hall = folded(ONLINE, letter(STATE, state()), letter(STATUS, b""))
    assert hall.boards == {}
    assert hall.version == 3


def test_a_board_of_which_nothing_is_heard_goes_silent_until_it_speaks() -> None:
    hall = folded(ONLINE, letter(STATE, state()))
    assert age(hall, NOW + LONGEST_SILENCE) is hall
    mute = age(hall, NOW + LONGEST_SILENCE + 1)
    assert [(need.kind, need.since) for need in mute.boards[SEVEN].needs] == [("silent", NOW)]
    assert mute.version == hall.version + 1
    assert age(mute, NOW + 500) is mute
    assert age(heard(hall, NOW + 200), NOW + 201).version == hall.version
    assert fold(mute, ONLINE, NOW + 501).boards[SEVEN].needs == ()


@pytest.mark.parametrize("head", ['{"white":"P\\ud800"}', '{"\\udfffx":"P"}', '{"white":["\\ud83d"]}'])
def test_half_a_character_is_junk_and_every_tile_can_be_made(head: str) -> None:
    payload = f'{{"state":"playing","number":1,"head":{head},"game":{{"title":"\\ud800"}}}}'.encode()
    shown = board(letter(STATE, state(), was_kept=True), Delivery(SEVEN.topic(STATE), payload))
    assert shown == board(letter(STATE, state(), was_kept=True))
    assert json.loads(encode_tile(shown, 60.0, "en"))


def test_a_tile_that_cannot_be_made_is_shown_as_a_silent_board(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(shown: HallBoard, patience: float) -> Tile:
        if shown.told != NOTHING_TOLD:
            raise RuntimeError("a bug")
        return tile_of(shown, patience)

    monkeypatch.setattr("hall.wall.tile.tile_of", broken)
    assert json.loads(encode_tile(board(letter(STATE, state())), 60.0, "en"))["state"] == "empty"
