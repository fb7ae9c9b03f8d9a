"""Buttons at a table: what a press means, what the lamps show, when the buzzer sounds."""

import pytest
from gpiozero.pins.mock import MockFactory

from companion.games.text import replay
from companion.record.session import Session
from companion.table import messages as m
from companion.table.desk import Desk
from companion.table.snapshot import Question, Snapshot
from companion.table.table import Table
from hardware.panel import Panel, Press, parse_pins
from hardware.panel_controller import PanelController, answer_press, turn_seat
from tests.stores import open_store

TELEPORTERS = "teleporters first=south c1-c2"


def session(text: str) -> Session:
    game, position, _ = replay(text)
    return Session(game, position)


@pytest.mark.parametrize(
    ("text", "press", "message"),
    [
        (TELEPORTERS, Press("done", 0, 1.0), m.Submit("end", "south", "button")),
        (TELEPORTERS, Press("done", 1, 1.0), None),
        (TELEPORTERS, Press("take back", 1, 1.0), m.TakeBack(1, "north")),
        ("triune", Press("done", 0, 1.0), None),
        ("chess f2f3 e7e5 g2g4 d8h4", Press("done", 0, 1.0), None),
        ("queens", Press("take back", 1, 1.0), None),
    ],
)
def test_presses(text: str, press: Press, message: m.Message | None) -> None:
    assert answer_press(press, Snapshot(session=session(text))) == message


def test_no_game_no_message() -> None:
    assert answer_press(Press("done", 0, 1.0), Snapshot()) is None


def test_done_claims_a_draw_for_the_player_to_move() -> None:
    repeated = session("chess" + " g1f3 g8f6 f3g1 f6g8" * 2)
    shown = Snapshot(session=repeated)
    assert answer_press(Press("done", 0, 1.0), shown) == m.Deed("claim", "white")
    assert answer_press(Press("done", 1, 1.0), shown) is None


@pytest.mark.parametrize(
    ("choices", "press", "message"),
    [
        ((("a2~",), ()), Press("done", 0, 1.0), m.Answer(3, ("a2~",), "red")),
        (((), ("a2~",)), Press("done", 0, 1.0), m.Answer(3, ("a2~",), "red")),
        ((("a2~",), ()), Press("done", 1, 1.0), None),
        ((("a2~",), ()), Press("take back", 0, 1.0), m.TakeBack(1, "red")),
    ],
)
def test_done_says_yes_to_a_question(
    choices: tuple[tuple[str, ...], ...], press: Press, message: m.Message | None
) -> None:
    asked = Snapshot(session=session("triune"), question=Question(3, choices, "red"))
    assert answer_press(press, asked) == message


@pytest.mark.parametrize(
    ("text", "seat"), [("triune", 0), ("triune a2-a3", 1), ("chess f2f3 e7e5 g2g4 d8h4", None)]
)
def test_whose_lamp(text: str, seat: int | None) -> None:
    assert turn_seat(session(text)) == seat


class Clock:
    def __init__(self) -> None:
        self.time = 0.0

    def __call__(self) -> float:
        return self.time


def test_a_press_ends_the_turn_at_the_table() -> None:
    clock, pins, factory = Clock(), parse_pins({}), MockFactory()
    panel, done = Panel(pins, factory), factory.pin(pins.done[0])
    with Table(Desk(open_store())) as table:
        table.ask(m.NewGame(TELEPORTERS))
        controller = PanelController(panel, table, clock)
        for press in (done.drive_low, done.drive_low, done.drive_high, done.drive_high):
            press()
            clock.time += 0.05
            controller.step()
        table.ask(m.Answer(-1, ()))
        assert table.snapshot.session is not None
        assert table.snapshot.session.actions == ("c1-c2", "end")
    panel.close()


def test_a_flag_that_falls_is_heard_for_longer() -> None:
    wall, clock, pins, factory = Clock(), Clock(), parse_pins({}), MockFactory()
    panel, buzzer = Panel(pins, factory), factory.pin(pins.buzzer)
    with Table(Desk(open_store(), wall=wall)) as table:
        table.ask(m.NewGame("triune a2-a3", {"clock": "1"}))
        table.ask(m.Submit("b7~"))
        controller = PanelController(panel, table, clock)
        controller.step()
        assert not buzzer.state
        wall.time += 61
        table.ask(m.Tick())
        heard = []
        for _ in range(20):
            controller.step()
            heard.append(bool(buzzer.state))
            clock.time += 0.1
    assert heard == [True] * 15 + [False] * 5
    panel.close()
