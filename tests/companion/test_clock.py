"""Clocks: Fischer, delay and sudden death, pauses and takebacks, by a table of times."""

import pytest

from companion.clock import Clock, ClockError, Control, parse_control, set_clock

PLAYERS = ("white", "black")


def clock(text: str) -> Clock:
    return set_clock(parse_control(text), PLAYERS)


@pytest.mark.parametrize(
    ("text", "control", "written"),
    [
        ("30", Control(1800), "30:00"),
        ("10:30", Control(630), "10:30"),
        ("10+5", Control(600, 5), "10:00+5"),
        ("25d10", Control(1500, 10, delay=True), "25:00d10"),
        (" 3+2 ", Control(180, 2), "3:00+2"),
    ],
)
def test_controls(text: str, control: Control, written: str) -> None:
    assert parse_control(text) == control
    assert str(control) == written
    assert parse_control(written) == control


@pytest.mark.parametrize("text", ["", "0", "ten", "10:75", "10+", "-5", "10+5d3", "2000"])
def test_what_is_no_control(text: str) -> None:
    with pytest.raises(ClockError):
        parse_control(text)


def test_the_first_turn_starts_it() -> None:
    c = clock("10")
    assert c.remaining("white", 500) == 600
    c = c.press("white", "black", 500)
    assert c.remaining("white", 560) == 600
    assert c.remaining("black", 560) == 540


def test_fischer_adds_after_each_turn() -> None:
    c = clock("10+5").press("white", "black", 0).press("black", "white", 60)
    assert c.remaining("black", 99) == 545


def test_actions_within_a_turn_add_nothing() -> None:
    c = clock("10+5").press("white", "black", 0).press("black", "black", 20).press("black", "white", 60)
    assert c.remaining("black", 99) == 545


def test_delay_runs_before_the_clock() -> None:
    c = clock("10d10").press("white", "black", 0)
    assert c.remaining("black", 8) == 600
    assert c.remaining("black", 25) == 585
    c = c.press("black", "white", 25)
    assert c.remaining("black", 99) == 585
    assert c.remaining("white", 34) == 600


@pytest.mark.parametrize("text", ["10", "10+5", "10d10"])
def test_it_stands_while_the_board_is_put_right(text: str) -> None:
    c = clock(text).press("white", "black", 0)
    plain = c.remaining("black", 40)
    paused = c.pause(20).pause(300).resume(500)
    assert paused.remaining("black", 520) == plain
    assert c.pause(20).remaining("black", 900) == c.remaining("black", 20)


def test_the_flag_falls() -> None:
    c = clock("1").press("white", "black", 0)
    assert c.fallen(59.9) == ""
    assert c.fallen(60) == "black"
    assert c.remaining("black", 300) == 0
    assert c.pause(10).fallen(300) == ""


def test_a_takeback_sets_it_back() -> None:
    c = clock("10").press("white", "black", 0).press("black", "white", 60)
    c = c.put({"black": 600}, "black", 100)
    assert c.remaining("black", 110) == 590


def test_an_answer_in_anothers_turn_runs_the_others_clock() -> None:
    c = clock("10").press("white", "black", 0).press("black", "white", 30).press("white", "black", 40)
    assert c.remaining("white", 99) == 590
    assert c.remaining("black", 50) == 560


def test_it_stops_with_the_game() -> None:
    c = clock("10").press("white", "black", 0).stop(30)
    assert c.remaining("black", 99) == 570
    assert c.fallen(9999) == ""
