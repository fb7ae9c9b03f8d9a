"""Clocks: Fischer, delay and sudden death, pauses and takebacks, by a table of times."""

import pytest

from companion.record.clock import (
    BRONSTEIN,
    BYO_YOMI,
    DELAY,
    Clock,
    ClockError,
    Control,
    parse_control,
    parse_controls,
    set_clock,
    write_controls,
)

PLAYERS = ("white", "black")


def clock(text: str) -> Clock:
    return set_clock(parse_controls(text, PLAYERS))


@pytest.mark.parametrize(
    ("text", "control", "written"),
    [
        ("30", Control(1800), "30:00"),
        ("10:30", Control(630), "10:30"),
        ("10+5", Control(600, 5), "10:00+5"),
        ("25d10", Control(1500, 10, DELAY), "25:00d10"),
        (" 3+2 ", Control(180, 2), "3:00+2"),
        ("90 + 30", Control(5400, 30), "90:00+30"),
        ("30 +5 x 30", Control(1800, 30, BYO_YOMI, 5), "30:00+5x30"),
        ("30+5X30s", Control(1800, 30, BYO_YOMI, 5), "30:00+5x30"),
        ("90' + 30''", Control(5400, 30), "90:00+30"),
        ("90 min. + 30 Sek.", Control(5400, 30), "90:00+30"),
        ("5|3", Control(300, 3), "5:00+3"),
        ("25D10", Control(1500, 10, DELAY), "25:00d10"),
        ("25b10", Control(1500, 10, BRONSTEIN), "25:00b10"),
        ("10d0", Control(600), "10:00"),
        ("30+5x30", Control(1800, 30, BYO_YOMI, 5), "30:00+5x30"),
        ("2.5", Control(150), "2:30"),
        ("2,5 + 3", Control(150, 3), "2:30+3"),
        ("40/7.25,2.5", Control(435, later=((40, 150),)), "40/7:15,2:30"),
        ("40/90,30+30", Control(5400, 30, later=((40, 1800),)), "40/90:00,30:00+30"),
        ("40/120, 20/60, 15", Control(7200, later=((40, 3600), (60, 900))), "40/120:00,20/60:00,15:00"),
        ("1/0:01,0:01+1x1", Control(1, 1, BYO_YOMI, 1, ((1, 1),)), "1/0:01,0:01+1x1"),
    ],
)
def test_controls(text: str, control: Control, written: str) -> None:
    assert parse_control(text) == control
    assert str(control) == written
    assert parse_control(written) == control


@pytest.mark.parametrize(
    "text",
    [
        "5x30",
        "30 s",
        "30+5 min",
        "10+0x30",
        "10+5x0",
        "10+5x",
        "10d5x30",
        "1000+99x999",
        "40/90",
        "0/90,30",
        "40/0,30",
        "30,40/90",
        "30,30",
        "2.5:30",
        "2.125",
        "10+2.5",
        "0.0",
        "40/90+5,30",
        "",
        "0",
        "ten",
        "10:75",
        "10+",
        "-5",
        "10+5d3",
        "10 5",
        "2000",
        "9" * 390,
        "10+" + "9" * 390,
        "²",
    ],
)
def test_what_is_no_control(text: str) -> None:
    with pytest.raises(ClockError):
        parse_control(text)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("10+5", "10:00+5"),
        ("white=10 black=5", "white=10:00 black=5:00"),
        ("black=5b3 white=10+2x30", "white=10:00+2x30 black=5:00b3"),
        ("white=10 black=10:00", "10:00"),
    ],
)
def test_controls_of_a_game(text: str, written: str) -> None:
    controls = parse_controls(text, PLAYERS)
    assert write_controls(controls) == written
    assert parse_controls(written, PLAYERS) == controls


@pytest.mark.parametrize(
    "text", ["white=10", "white=10 black=", "white=10 red=5", "white=1 black=2 white=3", "="]
)
def test_what_are_no_controls_of_a_game(text: str) -> None:
    with pytest.raises(ClockError):
        parse_controls(text, PLAYERS)


@pytest.mark.parametrize(
    ("text", "used", "left"),
    [
        ("10b10", 4, 600),
        ("10b10", 10, 600),
        ("10b10", 25, 585),
        ("1+3x30", 40, 110),  # main time is left
        ("1+3x30", 65, 90),  # within the first period, which begins anew
        ("1+3x30", 90, 60),  # a period is over as soon as it is used up
        ("1+3x30", 91, 60),
        ("1+3x30", 149.9, 30),
    ],
)
def test_a_turn_gives_back_what_its_control_says(text: str, used: float, left: float) -> None:
    c = clock(text).press("black", 0, "white").press("white", used, "black")
    assert c.remaining("black", used) == pytest.approx(left)


def test_bronstein_gives_back_only_what_is_still_there() -> None:
    """A flag falls within a delay, too: the time is given back, not waited for."""
    assert clock("0:05b10").press("black", 0, "white").fallen(5) == "black"


def test_time_of_the_next_stage_comes_after_its_turns() -> None:
    c = clock("2/10,5").press("black", 0, "white", turns=1).press("white", 60, "black", turns=1)
    assert c.remaining("black", 60) == 540
    c = c.press("black", 70, "white", turns=2).press("white", 100, "black", turns=2)
    assert (c.remaining("white", 70), c.remaining("black", 100)) == (600 - 10 + 300, 540 - 30 + 300)


def test_each_player_has_a_control() -> None:
    c = clock("white=10d10 black=5+3").press("black", 0, "white").press("white", 10, "black")
    assert c.remaining("black", 10) == 293
    assert c.remaining("white", 25) == 595


def test_the_arbiter_stops_it_and_gives_time() -> None:
    c = clock("10b10").press("black", 0, "white").hold(20)
    assert c.remaining("black", 500) == 580
    c = c.give("black", 700, 500).release(500)
    assert c.remaining("black", 505) == 695
    c = c.press("white", 505, "black")
    assert c.remaining("black", 505) == 705  # what the turn used before it was stopped is not forgotten


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


@pytest.mark.parametrize("text", ["1+5", "1b5", "1/1,1", "1d5", "1+2x5"])
def test_a_flag_that_has_fallen_stays_down(text: str) -> None:
    """With more than two players the game may go on until the arbiter rules."""
    late = clock(text).press("black", 0, "white").press("white", 500, "black", turns=1)
    assert late.remaining("black", 500) == 0


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
