"""The step of a table: a pure function, whose effects are stored before its state is shown."""

from dataclasses import fields, is_dataclass
from random import Random

import pytest

from companion.core.game import GameError
from companion.games.text import read_game
from companion.referee import Referee
from companion.store.store import Store
from companion.table import messages as m
from companion.table.desk import Desk
from companion.table.ledger import new_record
from companion.table.policy import POLICY
from companion.table.snapshot import Snapshot
from companion.table.state import Effect, StepContext, TableState, TableStep
from companion.table.step import Input, SeatedGame, take
from tests.companion.sensor import Sensor
from tests.stores import open_store

CONTEXT = StepContext(Referee(clock=lambda: 0.0), POLICY, wall=1_000.0, steady=1_000.0)


def begun(text: str = "triune") -> TableState:
    record = new_record(text, {}, 0.0, Random(1))
    return take(TableState(), SeatedGame(1, record.session(), record.head), CONTEXT).state


def take_all(state: TableState, messages: list[Input]) -> TableStep:
    """All effects and events of messages, one after the other."""
    step = TableStep(state)
    for message in messages:
        following = take(step.state, message, CONTEXT)
        effects, events = (*step.effects, *following.effects), (*step.events, *following.events)
        step = TableStep(following.state, effects, events)
    return step


def seen_move() -> list[Input]:
    """A board is seen for a while, then a hand moves a piece."""
    sensor = Sensor(read_game("triune"))
    before = [m.SightingArrived(sensor.sight()) for _ in range(6)]
    sensor.move("a2", "a3")
    return [
        *before,
        m.SightingArrived(sensor.sight(hand=True)),
        *(m.SightingArrived(sensor.sight()) for _ in range(12)),
    ]


def test_the_same_messages_lead_to_the_same_state() -> None:
    one, other = (take_all(begun(), seen_move()) for _ in range(2))
    assert [event.event for event in one.events] == ["action"]
    assert one.effects == other.effects
    assert one.state.published(Snapshot()) == other.state.published(Snapshot())


def test_a_step_leaves_the_state_that_it_was_given() -> None:
    state = begun()
    shown, tracker, acceptance = state.published(Snapshot()), state.tracker, state.acceptance
    take_all(state, [*seen_move(), m.TakeBack(), m.Submit("a2-a3")])
    assert state.published(Snapshot()) == shown
    assert (state.tracker, state.acceptance) == (tracker, acceptance)


def test_a_state_is_made_of_immutable_parts() -> None:
    state = take_all(begun(), seen_move()).state
    parts = [getattr(state, field.name) for field in fields(state)]
    found = [part for part in parts if is_dataclass(part)]
    assert len(found) == 5
    assert all(part.__dataclass_params__.frozen for part in [state, *found])  # type: ignore[union-attr]


def test_an_action_is_an_effect_and_an_event() -> None:
    step = take_all(begun(), seen_move())
    (stored,) = step.effects
    assert stored == Effect("append", (1, 0, step.state.session.log[0], 1, ""))


def test_a_game_is_put_on_and_cleared() -> None:
    step = take(begun(), m.CloseGame(), CONTEXT)
    assert step.effects == (Effect("put_on", (None,)),)
    assert step.state.game is None


@pytest.mark.parametrize(
    "message", [m.Submit("a2-a5"), m.Deed("resign", "green"), m.Answer(1, ()), m.Deed("accept", "red")]
)
def test_what_cannot_be_done_raises_in_words(message: m.Message) -> None:
    with pytest.raises(GameError, match=r"."):
        take(begun(), message, CONTEXT)


def test_a_message_that_shows_nothing_new_publishes_nothing() -> None:
    desk = Desk(open_store(), wall=lambda: 1_000.0)
    desk.handle(m.NewGame("triune"))
    before = desk.snapshot
    desk.handle(m.Tick())
    assert desk.snapshot is before


def test_an_entry_is_stored_before_it_is_shown() -> None:
    shown: list[object] = []

    class Watched(Store):
        def append(self, *args: object, **kwargs: object) -> None:
            shown.append(desk.session.actions)
            super().append(*args, **kwargs)  # type: ignore[arg-type]

    with Watched(":memory:") as store:
        desk = Desk(store)
        desk.handle(m.NewGame("triune"))
        desk.handle(m.Submit("a2-a3"))
    assert shown == [()]
    assert desk.session.actions == ("a2-a3",)


def finished_magnet() -> TableState:
    """A game of Magnet that was played by chance until it was over by its own rules."""
    game, chance = read_game("magnet"), Random(1)
    rules, position = game.rules, game.start()
    actions: list[str] = []
    while rules.outcome(position) is None:
        legal = [action for action in rules.legal(position) if "?" not in action and action != "declare"]
        actions.append(chance.choice(legal) if legal else rules.set_up(position, chance))  # type: ignore[attr-defined]
        position = rules.play(position, actions[-1]).position
    return begun(game.text(tuple(actions)))


def test_a_game_that_told_its_secrets_by_ending_does_not_go_on() -> None:
    state = finished_magnet()
    looks, turn = state.session.look, state.session.position.turn
    assert not state.published(Snapshot()).session.ruled
    for message in (m.TakeBack(1, "arbiter"), m.Deed("redo", "arbiter"), m.Correct(looks, turn)):
        with pytest.raises(GameError, match="all that was hidden is shown: its result stands"):
            take(state, message, CONTEXT)
