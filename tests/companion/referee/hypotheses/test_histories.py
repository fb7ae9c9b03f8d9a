"""Histories: sessions that begin alike, or differ in nothing but the order of their actions."""

from benchmarks.simulation.trials import play as play_all
from companion.games.text import split
from companion.record.session import Session, begin
from companion.referee.hypotheses.histories import align, begins_with
from tests.companion.referee.boards import play, session_of

START = session_of("""
    BB..
    ....
    r.m.""")
MOVED = play(START, "a1-a2")


def queens(actions: str) -> Session:
    """A puzzle: its only player may do all this in any order."""
    game, played = split(f"queens {actions}")
    return play_all(begin(game), played)


def test_a_session_begins_with_an_earlier_one() -> None:
    reply = play(MOVED, "b3-b2")
    assert begins_with(reply, MOVED)
    assert begins_with(reply, reply)
    assert not begins_with(reply, play(START, "a1~"))
    assert not begins_with(MOVED, reply)


def test_a_session_is_aligned_where_the_order_makes_no_difference() -> None:
    assert align(queens("+b3 +a1 +c5"), queens("+a1 +b3")).actions == ("+a1", "+b3", "+c5")


def test_a_session_keeps_its_order_where_its_turns_would_differ() -> None:
    """Red's two moves change places, but one of them was the first turn."""
    model = play(START, "a1-a2", "b3-b2", "c1-c4")
    other = play(START, "c1-c4", "b3-b2", "a1-a2")
    assert align(other, model) is other
