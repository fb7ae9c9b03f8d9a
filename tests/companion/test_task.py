"""Puzzles from games at the table: set up, wrong turns are put back, and the best one ends the game."""

from __future__ import annotations

import pytest

from companion.record.record import read_any
from companion.record.task import TASK, Task, left_of, make_task, progress, task_in
from companion.table import messages as m
from companion.table.desk import Desk
from tests.companion.sensor import Sensor
from tests.stores import open_store

TEXT = "triune a2-a3"
TURN = "teleporters c1-c2"


def puzzle(text: str, *solution: str) -> tuple[Desk, Sensor]:
    """A table with a puzzle, the board of which stands as at the start of a game."""
    desk = Desk(open_store(":memory:"))
    reply, _ = desk.handle(m.NewGame(text, {TASK: make_task(text, solution).write()}))
    assert reply.ok, reply.words
    return desk, Sensor(desk.session.game)


def test_a_puzzle_is_set_up_and_solved_by_hand() -> None:
    desk, sensor = puzzle(TEXT, "b7-b6")
    sensor.show(desk, 90.0)
    assert not desk.snapshot.is_set_up
    verdict = desk.snapshot.verdict
    assert verdict
    assert [step.words for step in verdict.steps] == ["Move the solid red piece from a2 to a3."]
    sensor.move("a2", "a3")
    sensor.show(desk, 3.0)
    assert desk.snapshot.verdict is None
    sensor.move("c7", "c6")
    sensor.show(desk, 3.0)
    verdict = desk.snapshot.verdict
    assert verdict
    assert "not the turn that is looked for" in verdict.words
    assert len(verdict.steps) == 1
    assert desk.session.actions == ("a2-a3",)
    sensor.move("c6", "c7")
    sensor.show(desk, 3.0)
    assert desk.snapshot.verdict is None
    sensor.move("a3", "a2")  # what led to the puzzle is not taken back
    sensor.show(desk, 5.0)
    assert desk.session.actions == ("a2-a3",)
    sensor.move("a2", "a3")
    sensor.show(desk, 3.0)
    sensor.move("b7", "b6")
    told = sensor.show(desk, 3.0)
    assert desk.session.outcome
    assert (desk.session.outcome.winner, desk.session.outcome.reason) == ("blue", "solved")
    assert [type(one).__name__ for one in told if "Over" in type(one).__name__] == ["GameOver"]


def test_the_actions_of_a_turn_may_come_in_another_order() -> None:
    desk, _ = puzzle("teleporters", "c1-c2", "d1-d2", "end")
    for action in ("d1-d2", "c1-c2"):
        assert desk.handle(m.Submit(action))[0].ok
        assert desk.session.outcome is None
    assert desk.handle(m.Submit("end"))[0].ok
    assert desk.session.outcome


def test_a_part_of_the_turn_is_taken_back_but_nothing_before_it() -> None:
    desk, _ = puzzle("teleporters", "c1-c2", "end")
    assert desk.handle(m.Submit("d1-d2"))[0].ok
    refused, _ = desk.handle(m.Submit("end"))
    assert refused.words == "This is not the turn that is looked for: try another one."
    assert desk.handle(m.TakeBack())[0].ok
    assert desk.handle(m.TakeBack())[0].words == "there is nothing to take back"
    assert desk.handle(m.Submit("c1-c2"))[0].ok
    assert desk.handle(m.Submit("end"))[0].ok
    assert desk.session.outcome
    assert not desk.handle(m.TakeBack(0))[0].ok


@pytest.mark.parametrize(
    ("played", "stands", "left"),
    [
        ("", "open", ("c1-c2", "d1-d2", "end")),
        ("c1-c2", "open", ("d1-d2", "end")),
        ("d1-d2", "open", ()),
        ("c1-c2 end", "wrong", ()),
        ("d1-d2 c1-c2 end", "solved", ()),
    ],
)
def test_how_a_puzzle_stands(played: str, stands: str, left: tuple[str, ...]) -> None:
    task = make_task("teleporters", ("c1-c2", "d1-d2", "end"))
    session = read_any(f"teleporters {played}").session()
    assert progress(task, session) == stands
    assert left_of(task, session) == left


def test_a_puzzle_is_read_from_a_head_as_it_was_written() -> None:
    task = make_task("triune a2-a3", ("b7-b6",))
    assert task_in({TASK: task.write()}) == task == Task(task.name, 1, ("b7-b6",))
    for wrong in ("", "x", "x 1", "x y z", "x -1 a"):
        assert task_in({TASK: wrong}) is None
