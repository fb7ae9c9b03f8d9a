"""Actions in progress: what is begun is not refused, and what is left of it finishes it."""

from __future__ import annotations

import pytest

from companion.core.game import EMPTY, Look, Place
from companion.record.session import Session
from companion.referee import Belief, Finding
from tests.companion.referee.patience import PATIENT
from tests.companion.referee.verdict.test_referee import look_at, session_of

Changed = dict[Place, Look]

ITALIAN = "chess e2e4 e7e5 g1f3 b8c6 f1c4 f8c5"
ESCAPING = "escape first=south"
BEGUN = [
    # the game, what stands otherwise, the action, what is left of it
    (ITALIAN, {"e1": EMPTY, "g1": "white"}, "e1g1", [("h1", "f1")]),
    (ITALIAN, {"e1": EMPTY, "h1": EMPTY, "g1": "white"}, "e1g1", [(None, "f1")]),
    ("chess e2e4 d7d5", {"e4": EMPTY, "d5": EMPTY}, "e4d5", [(None, "d5")]),
    ("chess e2e4 a7a6 e4e5 d7d5", {"e5": EMPTY, "d6": "white"}, "e5d6", [("d5", None)]),
    ("draughts fen=W:W18:B15,8", {"d4": EMPTY, "h8": "white"}, "d4xf6xh8", [("e5", None), ("g7", None)]),
    (
        "draughts fen=W:W18:B15,8",
        {"d4": EMPTY, "f6": "white"},
        "d4xf6xh8",
        [("f6", "h8"), ("e5", None), ("g7", None)],
    ),
]


def shown(text: str, changed: Changed) -> tuple[Session, Finding]:
    session = session_of(text)
    looks = {**session.look, **changed}
    return session, PATIENT.judge(Belief(session), look_at(session, looks))


@pytest.mark.parametrize(("text", "changed", "action", "left"), BEGUN)
def test_an_action_that_is_begun_says_what_is_left(
    text: str, changed: Changed, action: str, left: list[tuple[Place | None, Place | None]]
) -> None:
    _, found = shown(text, changed)
    assert (found.kind, found.attempt) == ("begun", action)
    assert [(step.start, step.end) for step in found.begun[0].left] == left
