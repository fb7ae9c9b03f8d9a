"""Refusals of stills of which nothing was told, once they are put right."""

from __future__ import annotations

import pytest

from companion.core.game import EMPTY, Look, Place
from companion.referee import Belief, Finding
from companion.referee.verdict.refusal import refuse_late
from tests.companion.referee.verdict.test_referee import look_at, session_of

MANY = 4
TRIUNE = "triune first=red"
FLIPPING: dict[Place, Look] = {"a2": EMPTY}
CHESS = "chess e2e4 d7d5"
CAPTURED: dict[Place, Look] = {"d5": EMPTY}
LIFTED: dict[Place, Look] = {"e4": EMPTY}
CLEARED: dict[Place, Look] = dict.fromkeys(("a1", "b1", "c1", "d1", "e1"), EMPTY)


@pytest.mark.parametrize(("text", "changed", "played", "is_refused"), [
    (CHESS, {"a2": EMPTY, "a5": "white"}, (), True),
    (CHESS, LIFTED, (), True),
    (CHESS, LIFTED, ("g1f3",), True),
    (CHESS, LIFTED, ("e4d5",), False),
    (CHESS, CAPTURED, ("e4d5",), False),
    (CHESS, CAPTURED, (), False),
    (CHESS, CLEARED, (), False),
    (TRIUNE, FLIPPING, (), True),
    (TRIUNE, FLIPPING, ("a2~",), False),
], ids=[
    "put back", "taken off and put back", "put back, and another moved", "in a hand that nobody saw",
    "captured first", "captured, and put back", "something hid the board", "taken off", "turned over",
])  # fmt: skip
def test_a_still_that_was_put_right_is_refused_unless_it_was_a_beginning(
    text: str, changed: dict[Place, Look], played: tuple[str, ...], is_refused: bool
) -> None:
    session = session_of(text)
    belief = Belief(session)
    board = look_at(session, {**session.look, **changed})
    found = refuse_late(belief, board, Finding("same", belief, played=played), MANY)
    assert (found is not None and found.kind == "refused") == is_refused
