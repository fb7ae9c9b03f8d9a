"""The ledger: entries of the log, and the clock that runs by them."""

from collections.abc import Iterable
from random import Random

from companion.core.game import Action
from companion.games.text import read_game
from companion.record.clock import Clock
from companion.record.session import ANSWER, Entry, Session, begin
from companion.referee import Referee
from companion.table.ledger import new_record, put_on, rewrite, write
from companion.table.policy import POLICY
from companion.table.state import Effect, StepContext, TableState, TableStep

CONTEXT = StepContext(Referee(), POLICY, wall=1_000.0, steady=1_000.0)


def begun(text: str) -> TableStep:
    """A game with a clock is put on the table."""
    record = new_record(text, {"clock": "10+5"}, 0.0, Random(1))
    return put_on(TableStep(TableState()), 1, record.head, record.session(), CONTEXT)


def play(step: TableStep, actions: Iterable[Action]) -> TableStep:
    for action in actions:
        step = write(step, Entry("action", action), CONTEXT)
    return step


def answered(step: TableStep, other: Session) -> TableStep:
    """A player says that it was another session."""
    return rewrite(step, other, ANSWER, 1.0, CONTEXT)


def clock_of(step: TableStep) -> Clock:
    clock = step.state.kept.clock
    assert clock is not None
    return clock


def test_each_entry_is_to_be_stored_in_its_order() -> None:
    step = play(begun("triune"), ("a2-a3", "b7~"))
    assert step.effects[0] == Effect("put_on", (1,))
    first, second = step.state.session.log
    stored = [effect.values for effect in step.effects if effect.act == "append"]
    assert stored == [(1, 0, first, 1, ""), (1, 1, second, 2, "")]


def test_a_step_leaves_the_state_that_it_began_with() -> None:
    before = begun("triune")
    after = play(before, ("a2-a3",))
    assert before.state.session.actions == ()
    assert after.state.session.actions == ("a2-a3",)


def test_a_bonus_is_given_once_however_often_the_end_of_a_turn_is_told() -> None:
    """White had moved one pawn more before the turn was over."""
    placed = "f4 j6 h4 f8 c7 j10 d10 f6 h9 c4 j3 h7 j3-j4 f4-g5 d10-e9 end h4-g4"
    step = play(begun("ternion_factor"), placed.split())
    before, clock = step.state.session, clock_of(step)
    step = play(step, ("g5-f6-g6", "end", "h9-i8"))
    other = before
    for action in ("g5-g6", "h9-i8", "end"):
        other = other.apply(Entry("action", action))
    step = answered(step, other)
    assert step.state.session.actions == other.actions
    assert clock_of(step).left == {**clock.left, "white": clock.left["white"] + 5}


CAPTURING = (
    "@f8 i8+ @g4 k4 j1 g1 c1+ @j3 j7 b7 @a5 i2 @g10 c7+ @b4 i1+ b1 @i8 h9+ @b3 g2 b2 @k4 d9 @j2 h2 j4+ @b4"
    " h8+ a3 @i7 k5+"
)


def test_the_clock_goes_on_when_what_ended_the_game_is_told_otherwise() -> None:
    """Red's piece was taken for the king, until red said what it was."""
    step = play(begun("magnet values=declared"), f"{CAPTURING} reveal:K".split())
    assert step.state.session.outcome
    had = clock_of(step).left
    other = begin(read_game("magnet values=declared"))
    for action in f"{CAPTURING} reveal:2".split():
        other = other.apply(Entry("action", action))
    step = answered(step, other)
    assert (clock_of(step).runs, clock_of(step).left) == (other.position.to_act, had)
