"""A board that is laid turned round: players change colours between two games, and keep their chairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

import pytest

from companion.core.game import Action, Look, Place
from companion.games.text import Game, read_game
from companion.record.opponents import COMPANION
from companion.record.session import Session
from companion.sensing.observation import Observation, Reading, Sighting, Touch
from companion.table import messages as m
from companion.table.desk import Desk
from companion.table.sightings import TURNED
from tests.companion.sensor import Sensor
from tests.stores import open_store

GAMES = ("chess", "draughts", "draughts variant=international", "escape", "trid", "triune")
"""Games whose start is another one turned round."""


class GridSensor(Sensor):
    """Feels where the pieces of another sensor stand, and not whose they are."""

    def __init__(self, sensor: Sensor) -> None:
        super().__init__(sensor.game, "grid")
        self.sensor = sensor

    def observation(self, wrong: Mapping[Place, Look] | None = None) -> Observation:
        taken, free = Reading({"empty": -8.0}, 0.0), Reading({"empty": 0.0}, -8.0)
        looks = self.sensor.looks
        return Observation(
            self.time, {p: taken if p in looks else free for p in self.game.board.sites}, "grid"
        )


def at_table(text: str) -> tuple[Desk, Sensor]:
    """A game that has begun, and a sensor of its board, laid as at the start."""
    desk = Desk(open_store(), wall=lambda: 1000.0)
    desk.handle(m.NewGame(text))
    return desk, Sensor(desk.session.game)


def turned(game: Game, looks: Mapping[Place, Look]) -> dict[Place, Look]:
    return {game.board.half_turn[place]: look for place, look in looks.items()}


def plain_actions(session: Session) -> Iterator[Action]:
    """The actions after which the board looks as after no other one."""
    rules = session.rules
    after = {action: session.play(action).look for action in rules.legal(session.position)}
    alike = Counter(tuple(sorted(look.items())) for look in after.values())
    return (action for action, look in after.items() if alike[tuple(sorted(look.items()))] == 1)


@pytest.mark.parametrize("name", GAMES)
def test_a_board_laid_from_the_other_side_is_read_from_there(name: str) -> None:
    desk, sensor = at_table(name)
    sensor.looks = turned(sensor.game, desk.session.look)
    sensor.show(desk)
    assert desk.snapshot.verdict is None
    assert desk.snapshot.notice == TURNED
    expected = desk.session
    for _ in range(3):
        expected = expected.play(next(plain_actions(expected)))
        sensor.looks = turned(sensor.game, expected.look)
        sensor.show(desk, 5.0)
    assert desk.session.actions == expected.actions
    assert desk.snapshot.look_as_laid == desk.state.look_as_laid == sensor.looks


@pytest.mark.parametrize("name", GAMES)
def test_a_half_turn_done_twice_is_none(name: str) -> None:
    board = read_game(name).board
    assert {*board.half_turn} >= {*board.sites}
    assert all(board.half_turn[other] == place for place, other in board.half_turn.items())


def test_the_board_is_turned_back_with_the_next_game() -> None:
    desk, sensor = at_table("chess")
    sensor.looks = turned(sensor.game, desk.session.look)
    sensor.show(desk)
    desk.handle(m.Deed("resign", "white"))
    sensor.looks = dict(desk.session.look)
    desk.handle(m.NewGame("chess"))
    sensor.show(desk)
    assert not desk.snapshot.is_turned
    sensor.move("e2", "e4")
    sensor.show(desk, 2.0)
    assert desk.session.actions == ("e2e4",)


def test_pieces_laid_from_the_other_side_ask_for_a_new_game() -> None:
    desk, sensor = at_table("chess")
    sensor.show(desk)
    sensor.move("e2", "e4")
    sensor.show(desk, 2.0)
    desk.handle(m.Deed("resign", "black"))
    sensor.looks = turned(sensor.game, dict(sensor.game.rules.look(sensor.game.start())))
    sensor.show(desk, 2.0)
    assert desk.snapshot.is_set_up


def test_a_game_that_comes_back_to_the_table_is_read_from_the_side_on_which_it_lies() -> None:
    store = open_store()
    desk = Desk(store, wall=lambda: 1000.0)
    desk.handle(m.NewGame("chess"))
    for action in ("e2e4", "e7e5", "g1f3"):
        desk.handle(m.Submit(action))
    again = Desk(store, wall=lambda: 2000.0)
    again.handle(m.OpenGame(1))
    sensor = Sensor(again.session.game)
    sensor.looks = turned(sensor.game, again.session.look)
    sensor.show(again)
    assert again.snapshot.verdict is None
    sensor.looks = turned(sensor.game, again.session.play("b8c6").look)
    sensor.show(again, 2.0)
    assert again.session.actions == ("e2e4", "e7e5", "g1f3", "b8c6")


def test_players_turn_a_board_whose_sensor_tells_no_colours() -> None:
    desk, sensor = at_table("chess")
    grid = GridSensor(sensor)
    grid.show(desk)
    sensor.move("d7", "d5")  # White's king pawn, from where White sits
    grid.show(desk, 3.0)
    assert desk.snapshot.verdict is not None
    desk.handle(m.TurnBoard())
    grid.show(desk, 3.0)
    assert desk.snapshot.verdict is None
    assert desk.session.actions == ("e2e4",)


PLAYED_BY_HALF_TURN = (["e2e4"], ["e2e4", "d7d5"], ["e2e4", "d7d5", "g1f3"])
"""Few of their places tell, or none, from which side a board lies."""


@pytest.mark.parametrize("actions", PLAYED_BY_HALF_TURN)
def test_how_the_board_lies_is_kept_over_a_restart(actions: list[str]) -> None:
    store = open_store()
    desk = Desk(store, wall=lambda: 1000.0)
    desk.handle(m.NewGame("chess"))
    sensor = Sensor(desk.session.game)
    grid = GridSensor(sensor)
    grid.show(desk)
    for number, action in enumerate(actions):
        sensor.looks = turned(sensor.game, desk.session.play(action).look)
        grid.show(desk, 3.0)
        if not number:
            desk.handle(m.TurnBoard())
            grid.show(desk, 3.0)
    again = Desk(store, wall=lambda: 2000.0)
    again.handle(m.OpenGame(1))
    grid.show(again)
    after = again.session.play(next(plain_actions(again.session)))
    sensor.looks = turned(sensor.game, after.look)
    grid.show(again, 3.0)
    assert again.session.actions == after.actions
    assert again.snapshot.verdict is None


@pytest.mark.parametrize("actions", [["e2e4"], ["e2e4", "d7d5", "g1f3"]])
def test_few_places_tell_how_a_game_lies_that_comes_to_the_table(actions: list[str]) -> None:
    desk, sensor = at_table(" ".join(["chess", *actions]))
    grid = GridSensor(sensor)
    sensor.looks = turned(sensor.game, desk.session.look)
    grid.show(desk, 3.0)
    assert desk.snapshot.is_turned
    assert desk.session.actions == (*actions,)


@pytest.mark.parametrize(
    ("text", "start", "end", "may_be"),
    [
        ("chess", "d7", "d5", True),
        ("chess e2e4 e7e5 g1f3", "b8", "d5", False),
        ("triune", "a2", "a5", True),
    ],
)
def test_players_are_asked_how_a_board_lies_where_its_sensor_cannot_tell(
    text: str, start: Place, end: Place, may_be: bool
) -> None:
    desk, sensor = at_table(text)
    sensor.looks = dict(desk.session.look)
    grid = GridSensor(sensor)
    grid.show(desk)
    sensor.move(start, end)
    grid.show(desk, 4.0)
    assert desk.snapshot.verdict
    assert desk.snapshot.may_be_turned is may_be
    assert desk.handle(m.TurnBoard())[0].ok is may_be


def test_players_who_sit_the_other_way_round_are_asked_before_they_play_for_the_companion() -> None:
    desk = Desk(open_store(), wall=lambda: 1000.0)
    desk.handle(m.NewGame("chess", {"companion": "white=1"}))
    sensor = Sensor(desk.session.game)
    grid = GridSensor(sensor)
    grid.show(desk)
    desk.handle(m.Submit("e2e4", source=COMPANION))
    grid.show(desk)
    assert desk.snapshot.may_be_turned
    assert desk.handle(m.TurnBoard())[0].ok
    sensor.move("d7", "d5")
    grid.show(desk, 3.0)
    assert desk.snapshot.verdict is None
    assert desk.session.actions == ("e2e4",)


def test_a_board_is_turned_once_by_two_tablets() -> None:
    desk, sensor = at_table("chess")
    grid = GridSensor(sensor)
    sensor.move("d7", "d5")
    grid.show(desk, 3.0)
    assert [desk.handle(m.TurnBoard())[0].ok for _ in range(2)] == [True, False]
    grid.show(desk, 3.0)
    assert desk.session.actions == ("e2e4",)


@pytest.mark.parametrize(
    "wrong", [{"e2": "empty"}, {"e4": "white"}, {"a2": "empty", "a3": "white", "h7": "empty"}]
)
def test_a_board_that_is_laid_wrongly_is_not_taken_for_a_turned_one(wrong: Mapping[Place, Look]) -> None:
    desk, sensor = at_table("chess")
    for _ in range(30):
        desk.handle(m.SightingArrived(sensor.sight(wrong=wrong)))
    assert not desk.snapshot.is_turned


def test_a_board_that_is_turned_round_in_the_middle_of_a_game_is_followed() -> None:
    desk, sensor = at_table("chess")
    sensor.show(desk)
    sensor.move("e2", "e4")
    sensor.show(desk, 2.0)
    sensor.looks = turned(sensor.game, sensor.looks)
    assert not [told for told in sensor.show(desk, 3.0) if told.event == "refused"]
    sensor.looks = turned(sensor.game, desk.session.play("e7e5").look)
    sensor.show(desk, 2.0)
    assert desk.session.actions == ("e2e4", "e7e5")


def test_touches_and_marks_are_turned_too() -> None:
    board = read_game("ternion_factor").board
    spot = next(iter(board.marks))
    seen = Observation(1.0, {}, "grid", marks={spot: 2.0})
    sighting = Sighting(1.0, "grid", seen, touches=(Touch(0.5, "a4", lifted=True),)).turned(board)
    assert sighting.touches == (Touch(0.5, board.half_turn["a4"], lifted=True),)
    assert sighting.observation is not None
    assert sighting.observation.marks == {board.half_turn[spot]: 2.0}
    assert Sighting(1.0, "grid", None, touches=None).turned(board).touches is None
