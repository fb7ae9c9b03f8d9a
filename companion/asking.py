"""The question that is open at a table: one at a time, to the player who knows."""

from __future__ import annotations

from collections import Counter

from companion.bulletin import Bulletin
from companion.core import Action, Player
from companion.referee import Belief, Finding
from companion.referee.choice import Choice, asked, choices
from companion.session import ARBITER, SessionError
from companion.snapshot import Question


class Asking:
    """Numbers the questions for each player apart: the number tells nobody what others were asked."""

    def __init__(self, bulletin: Bulletin) -> None:
        self._bulletin = bulletin
        self._counts: Counter[Player] = Counter()

    def check(self, number: int, choice: tuple[Action, ...], by: Player) -> None:
        """SessionError where this answers no open question."""
        question = self._bulletin.snapshot.question
        if not question or question.id != number or by not in ("", ARBITER, question.by):
            raise SessionError("that question is no longer open")
        if choice not in question.choices:
            raise SessionError("that is not one of the choices")

    def ask(self, belief: Belief) -> Question | None:
        """The next question that a belief leaves; None where it leaves none."""
        found = choices(belief)
        if not found:
            return None
        by = asked(belief)
        self._counts[by] += 1
        question = Question(self._counts[by], found, by)
        self._bulletin.tell("ask", choices=found, question=question.id)
        return question

    def go_on(self, finding: Finding, belief: Belief) -> Question | None:
        """What is to be asked after a finding: an open question stays as long as its choices do, and a
        board that says nothing new opens none."""
        old = self._bulletin.snapshot.question
        if finding.kind == "same" and not old:
            return None
        return old if old and _stands(old, choices(belief, is_asked=True)) else self.ask(belief)


def _stands(question: Question, left: tuple[Choice, ...]) -> bool:
    """Whether each choice is left, or goes on in one way alone."""
    begun = (any(c[: len(old)] == old and bool(c) == bool(old) for c in left) for old in question.choices)
    return len(left) == len(question.choices) and all(begun)
