"""The question that all may know of: one at a time, to the player who knows. `owners` asks those that others
may not know of.

Questions are numbered for each player apart, so that the number tells nobody what others were asked. `counts`
are the numbers of the last ones.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.game import Action, Player
from companion.language import say
from companion.record.session import ARBITER, SessionError
from companion.referee import Belief
from companion.referee.hypotheses.choices import answerer, choices
from companion.table.snapshot import Question


def check_answer(question: Question | None, number: int, choice: tuple[Action, ...], by: Player) -> None:
    """Raises SessionError where this answers no open question."""
    if not question or question.id != number or by not in ("", ARBITER, question.by):
        raise SessionError(say("that question is no longer open"))
    if choice not in question.choices:
        raise SessionError(say("that is not one of the choices"))


def next_question(belief: Belief, counts: Mapping[Player, int]) -> Question | None:
    """Returns the next question that a belief leaves; None where it leaves none."""
    found = choices(belief)
    if not found:
        return None
    by = answerer(belief)
    return Question(counts.get(by, 0) + 1, found, by)


def question_after(
    belief: Belief, open_question: Question | None, counts: Mapping[Player, int], is_news: bool
) -> Question | None:
    """Returns the question that is open after a finding: the one before for as long as its choices stand.
    Only what says something new opens one."""
    if open_question is None:
        return next_question(belief, counts) if is_news else None
    if stands(open_question, belief):
        return open_question
    return next_question(belief, counts)


def stands(question: Question, belief: Belief) -> bool:
    """Returns whether each choice of a question is left, or goes on in one way alone."""
    left = choices(belief, is_asked=True)
    begun = (any(c[: len(old)] == old and bool(c) == bool(old) for c in left) for old in question.choices)
    return len(left) == len(question.choices) and all(begun)
