"""Lifts, placings and slides, told from switches that chatter."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.sensing.observation import Touch
from firmware_bridge.sensing.touches import CHATTER_S, Touches


def touch(word: str) -> Touch:
    """`0.5-a2` a lift, `0.9+a4` a placing."""
    sign = "-" if "-" in word else "+"
    time, place = word.split(sign)
    return Touch(float(time), place, lifted=sign == "-")


def told(text: str, until: float = 100.0) -> list[str]:
    touches = Touches()
    out: list[Touch] = []
    for word in text.split():
        t = touch(word)
        out += touches.settled(t.time)
        touches.change(t.time, t.place, occupied=not t.lifted)
    out += touches.settled(until)
    return [f"{t.time:g}{'-' if t.lifted else '+'}{t.place}" for t in out]


@pytest.mark.parametrize(
    ("changes", "touches"),
    [
        ("", ""),
        ("1-a2 2+a4", "1-a2 2+a4"),
        ("1-a2 1.5-b3 2+b3", "1-a2 1.5-b3 2+b3"),
        ("1-a2 1.01+a2", ""),
        ("1-a2 1.01+a2 1.02-a2 2+a4", "1.02-a2 2+a4"),
        ("1-a2 2+a4 2.02-a4 2.04+a4", "1-a2 2.04+a4"),
        ("1-a2 1.03-b2 1.04+a2 2+b2", "1.03-b2 2+b2"),
        ("1-a2 1.2+a2 2-a2", "1-a2 1.2+a2 2-a2"),
        ("1-a2 1.2+a2 1.4-a2 2+a4", "1-a2 2+a4"),
        ("1-a2 1.2+a3 1.4-a3 1.5+a4 1.7-a4 1.8+a5", "1-a2 1.8+a5"),
        ("1-a2 1.2+a3 1.6-a3 1.8+a4", "1-a2 1.2+a3 1.6-a3 1.8+a4"),
        ("1-b5 1.3-a2 1.5+a3 1.6-a3 1.7+b5", "1-b5 1.3-a2 1.7+b5"),
    ],
)
def test_chatter_leaves_nothing(changes: str, touches: str) -> None:
    assert " ".join(told(changes)) == touches


def test_an_unsettled_touch_holds_back_those_after_it() -> None:
    touches = Touches()
    touches.change(1.0, "a1", occupied=False)
    touches.change(1.0 + CHATTER_S / 2, "b1", occupied=False)
    assert touches.settled(1.0 + CHATTER_S / 2) == ()
    assert [t.place for t in touches.settled(1.0 + CHATTER_S)] == ["a1"]
    assert [t.place for t in touches.settled(2.0)] == ["b1"]


def test_touches_that_nobody_asked_about_in_between_are_all_there() -> None:
    touches = Touches()
    for time, occupied in ((1.0, False), (1.5, True), (1.51, False), (1.52, True), (2.0, False)):
        touches.change(time, "a1", occupied)
    assert [(t.time, t.lifted) for t in touches.settled(3.0)] == [(1.0, True), (1.52, False), (2.0, True)]


@given(st.lists(st.tuples(st.floats(0, 10), st.sampled_from("abcd"), st.booleans()), max_size=40))
def test_touches_alternate_on_each_place_and_are_in_order(changes: list[tuple[float, str, bool]]) -> None:
    touches, occupied, out = Touches(), dict.fromkeys("abcd", False), []
    for time, place, _ in sorted(changes):
        occupied[place] = not occupied[place]
        out += touches.settled(time)
        touches.change(time, place, occupied[place])
    out += touches.settled(99)
    for place in "abcd":
        felt = [t.lifted for t in out if t.place == place]
        assert felt == [bool(n % 2) for n in range(len(felt))]
        assert (not felt[-1] if felt else False) == occupied[place]
    assert [t.time for t in out] == sorted(t.time for t in out)
