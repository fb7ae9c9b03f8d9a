"""Looks back at a game: what each turn was worth, and the turns that changed most, with what was better.

Each turn is judged by what its player knew then, and by the chance of winning: a turn that leaves a lost game
lost, or a won one won, is nobody's fault.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from companion.core.game import Action, Player
from companion.record.session import ARBITER, Session
from opponent.mind import Choice, Question, ask, choose

NODES = 4_000
"""The nodes for a turn."""
LONGEST = 60.0
"""The seconds for a turn: they count on a machine that is very busy, where fewer would see nothing."""
BLAME = 0.1
"""A turn that loses less of the chance of winning is no turning point."""


@dataclass(frozen=True, slots=True)
class ReviewedTurn:
    """A turn of a game, or a part of it that nobody else answered: its plies, from the first to the last
    (from 0), and the question what was best there."""

    first: int
    last: int
    player: Player
    question: Question


@dataclass(frozen=True, slots=True)
class TurnJudgement:
    """A turn with the chance of winning that its player had, and the one that was left after it.

    `better` is the turn that keeps the chance; () where the one played does.
    """

    turn: ReviewedTurn
    chance: float
    left: float
    better: tuple[Action, ...] = ()
    line: tuple[Action, ...] = ()

    @property
    def lost(self) -> float:
        return max(0.0, self.chance - self.left)


def turns(session: Session, nodes: int = NODES) -> Iterator[ReviewedTurn]:
    """Yields the turns of a game that are to be judged: each is a question for a `Thinker`."""
    plies, number = session.plies, 0
    while number < len(plies):
        player, before = plies[number].player, session.positions()[number]
        last = number
        while (
            last + 1 < len(plies) and plies[last + 1].player == player and _goes_on(before, plies[last].after)
        ):
            last += 1
        if player != ARBITER and not session.rules.form(before):
            at = replace(session, plies=plies[:number], ruled=None, log=())
            played = tuple(ply.action for ply in plies[number : last + 1])
            question = ask(at, player, nodes=nodes, seconds=LONGEST, played=played)
            yield ReviewedTurn(number, last, player, question)
        number = last + 1


def judged(turn: ReviewedTurn, choice: Choice) -> TurnJudgement:
    if choice.actions == choice.played or choice.left >= choice.worth:
        return TurnJudgement(turn, choice.left, choice.left)
    return TurnJudgement(turn, choice.worth, choice.left, choice.actions, choice.line)


def look_back(session: Session, nodes: int = NODES) -> list[TurnJudgement]:
    """Returns the turns of a game, judged one after the other in this process."""
    return [judged(turn, choose(turn.question)) for turn in turns(session, nodes)]


def turning_points(found: Iterable[TurnJudgement], count: int = 3) -> list[TurnJudgement]:
    """Returns the turns that lost most, in the order of the game; fewer where fewer are to blame."""
    blamed = sorted((turn for turn in found if turn.lost >= BLAME), key=lambda turn: -turn.lost)[:count]
    return sorted(blamed, key=lambda judged: judged.turn.first)


def _goes_on(before: Any, after: Any) -> bool:
    return bool(after.to_act == before.to_act and after.turn == before.turn)
