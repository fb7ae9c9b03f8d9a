"""Clocks: Fischer, delay and sudden death, pauses and takebacks, by a table of times."""

import pytest

from companion.record.clock import Clock, ClockError, Control, parse_control, set_clock

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


@pytest.mark.parametrize(
    "text",
    ["", "0", "ten", "10:75", "10+", "-5", "10+5d3", "2000", "9" * 390, "10+" + "9" * 390, "²"],
)
def test_what_is_no_control(text: str) -> None:
    with pytest.raises(ClockError):
        parse_control(text)


def test_the_first_turn_starts_it() -> None:
    c = clock("10")
    assert c.remaining("white", 500) == 600
    c = c.press("black", 500, "white")
    assert c.remaining("white", 560) == 600
    assert c.remaining("black", 560) == 540


def test_fischer_adds_after_each_turn() -> None:
    c = clock("10+5").press("black", 0, "white").press("white", 60, "black")
    assert c.remaining("black", 99) == 545


def test_actions_within_a_turn_add_nothing() -> None:
    c = clock("10+5").press("black", 0, "white").press("black", 20).press("white", 60, "black")
    assert c.remaining("black", 99) == 545


def test_delay_runs_before_the_clock() -> None:
    c = clock("10d10").press("black", 0, "white")
    assert c.remaining("black", 8) == 600
    assert c.remaining("black", 25) == 585
    c = c.press("white", 25, "black")
    assert c.remaining("black", 99) == 585
    assert c.remaining("white", 34) == 600


@pytest.mark.parametrize("text", ["10", "10+5", "10d10"])
def test_it_stands_while_the_board_is_put_right(text: str) -> None:
    c = clock(text).press("black", 0, "white")
    plain = c.remaining("black", 40)
    paused = c.pause(20).pause(300).resume(500)
    assert paused.remaining("black", 520) == plain
    assert c.pause(20).remaining("black", 900) == c.remaining("black", 20)


def test_the_flag_falls() -> None:
    c = clock("1").press("black", 0, "white")
    assert c.fallen(59.9) == ""
    assert c.fallen(60) == "black"
    assert c.remaining("black", 300) == 0
    assert c.pause(10).fallen(300) == ""


def test_a_takeback_sets_it_back() -> None:
    c = clock("10").press("black", 0, "white").press("white", 60, "black")
    c = c.put({"black": 600}, "black", 100)
    assert c.remaining("black", 110) == 590


def test_an_answer_in_anothers_turn_runs_the_others_clock() -> None:
    c = clock("10").press("black", 0, "white").press("white", 30).press("black", 40)
    assert c.remaining("white", 99) == 590
    assert c.remaining("black", 50) == 560


@pytest.mark.parametrize("text", ["10+5", "10d10"])
def test_an_answer_ends_no_turn(text: str) -> None:
    """White uses 30 s, Black 4 s for its answer, White 20 s more: one bonus, one delay for each."""
    c = clock(text).press("white", 0, "black").press("black", 30).press("white", 34)
    c = c.press("black", 54, "white")
    assert c.remaining("white", 99) == {"10+5": 600 - 50 + 5, "10d10": 600 - 40}[text]
    assert c.remaining("black", 54) == {"10+5": 600 - 4, "10d10": 600}[text]


@pytest.mark.parametrize("paused", [0, 500])
def test_a_turn_that_begins_while_it_stands_has_all_of_its_delay(paused: int) -> None:
    c = clock("10d30").press("black", 0, "white").pause(5)
    c = c.press("white", 5 + paused, "black").resume(5 + paused)
    assert c.remaining("white", 34 + paused) == 600
    assert c.remaining("white", 45 + paused) == 590


def test_what_was_used_of_a_delay_stays_used() -> None:
    c = clock("10d30").press("black", 0, "white").pause(20).resume(100)
    assert c.free("black") == 10
    assert c.remaining("black", 115) == 595


def test_it_stops_with_the_game() -> None:
    c = clock("10").press("black", 0, "white").stop(30)
    assert c.remaining("black", 99) == 570
    assert c.fallen(9999) == ""
