"""The timeline: what touches, and the times of changes, say against a story."""

import pytest

from companion.core.game import Place
from companion.referee.evidence.timeline import (
    CROSSING,
    SAME_MOMENT_S,
    STRAY,
    UNAIDED,
    UNFELT,
    UNKNOWN,
    HandlingTimeline,
)

FELT = HandlingTimeline(touched=frozenset(["a1", "a2"]))
MOVE = ("a1", "a2")
OTHER = ("c1", "c4")


def felt(*touches: tuple[Place, bool]) -> HandlingTimeline:
    """Lifts (True) and placings, a second apart."""
    lifted = {place: float(n) for n, (place, is_lifted) in enumerate(touches) if is_lifted}
    placed = {place: float(n) for n, (place, is_lifted) in enumerate(touches) if not is_lifted}
    places = frozenset(place for place, _ in touches)
    return HandlingTimeline(touched=places, lifted=lifted, placed=placed)


def test_where_nothing_feels_touches_they_say_nothing() -> None:
    assert UNKNOWN.unfelt(["a1", "b7"]) == UNKNOWN.stray(frozenset(["a1"]), ()) == UNKNOWN.hanging({}) == 0


def test_a_piece_that_moved_was_felt() -> None:
    assert FELT.unfelt(["a1", "a2"]) == 0
    assert FELT.unfelt(["a1", "c1", "c4"]) == 2 * UNFELT
    assert FELT.untouched(["a1"]).unfelt(["a1", "a2"]) == UNFELT


def test_a_piece_that_was_put_down_was_felt_coming_down() -> None:
    moved = felt(("a1", True), ("a2", False))
    assert UNKNOWN.unput(["a1"]) == moved.unput(["a2"]) == 0
    assert moved.unput(["a1", "a2"]) == moved.untouched(["a2"]).unput(["a2"]) == UNFELT


@pytest.mark.parametrize(("touched", "cost"), [(2, 0.0), (3, STRAY), (6, 2 * STRAY)])
def test_touches_for_nothing_cost_the_less_the_more_there_are(touched: int, cost: float) -> None:
    places = frozenset(["a1", "a2", "b1", "b2", "b3", "b4"][:touched])
    timeline = HandlingTimeline(touched=places)
    assert timeline.stray(frozenset(["a1"]), ["a2"]) == cost
    assert HandlingTimeline(touched=places, is_restored=True).stray(frozenset(), ()) == 0


def test_a_piece_comes_down_after_it_rose() -> None:
    assert felt(("a1", True), ("a2", False)).backwards("a1", "a2") == 0
    assert felt(("a2", False), ("a1", True)).backwards("a1", "a2") == UNFELT


def test_two_pieces_are_carried_one_after_the_other() -> None:
    in_turn = felt(("a1", True), ("a2", False), ("c1", True), ("c4", False))
    at_once = felt(("a1", True), ("c1", True), ("a2", False), ("c4", False))
    assert in_turn.crossing([MOVE, OTHER]) == in_turn.crossing([OTHER, MOVE]) == 0
    assert at_once.crossing([MOVE, OTHER]) == at_once.crossing([OTHER, MOVE]) == CROSSING


def test_a_piece_that_was_lifted_last_stands_nowhere() -> None:
    timeline = HandlingTimeline(touched=frozenset(["a1"]), standing={"a1": False})
    assert timeline.hanging({"a1": "red/solid"}) == UNFELT
    assert timeline.hanging({"a1": "+T"}) == timeline.hanging({}) == 0


@pytest.mark.parametrize(
    ("gone", "is_ahead"), [(1.0, False), (1.0 + SAME_MOMENT_S, False), (1.1 + SAME_MOMENT_S, True)]
)
def test_a_piece_is_seen_where_it_went_no_sooner_than_it_left(gone: float, is_ahead: bool) -> None:
    assert HandlingTimeline({"a2": 1.0, "a1": gone}).is_ahead("a1", "a2") is is_ahead


def test_hands_that_were_not_seen_are_unlikely() -> None:
    assert UNKNOWN.handless() == 0
    assert HandlingTimeline(is_unaided=True).handless() == UNAIDED
