"""Sessions compared as histories: whether one begins with another, and one in the order of another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from companion.core.game import Action
from companion.record.session import Ply, Session, common_plies


def begins_with(session: Session, earlier: Session) -> bool:
    """Returns whether a session began with all of another."""
    return common_plies(session, earlier) == len(earlier.plies)


def align(session: Session, model: Session) -> Session:
    """Returns the session with its actions in the order of a model, where that makes no difference.

    It makes one where an action is not legal any more, or where a turn would have other actions.
    """
    known, rules = common_plies(session, model), session.rules
    left = list(session.plies[known:])
    aligned = replace(session, plies=session.plies[:known])
    for wanted in model.plies[known:]:
        ply = _counterpart(aligned, left, wanted.action)
        if ply is not None:
            left.remove(ply)
            aligned = aligned.apply(ply.entry)
    for ply in left:
        if aligned.judge(ply.action):
            return session
        aligned = aligned.apply(ply.entry)
    if rules.future(aligned.position) != rules.future(session.position):
        return session
    if _turns(aligned, known) != _turns(session, known):
        return session
    return replace(aligned, log=session.log)


def in_order_of_undone(session: Session, actions: Sequence[Action], end: Any) -> Sequence[Action]:
    """Returns actions that lead from a session to an end in the order in which they had been played when they
    were taken back, where they lead there so too. What was not among those comes for what is not there again.
    """
    undone = [entry.text for entry in session.undone if entry.kind == "action"]
    if not undone:
        return actions
    left, ordered = list(actions), list[Action]()
    for action in undone:
        others = [other for other in left if other not in undone]
        if action in left or others:
            ordered.append(action if action in left else others[0])
            left.remove(ordered[-1])
    ordered += left
    rules, position = session.rules, session.position
    for action in ordered:
        if rules.judge(position, action):
            return actions
        position = rules.after(position, action)
    is_there = position.to_act == end.to_act and rules.pieces(position) == rules.pieces(end)
    return ordered if is_there else actions


def _counterpart(session: Session, left: list[Ply], wanted: Action) -> Ply | None:
    """Returns the ply among those left that does what is wanted, or else the first; None if it is illegal."""
    path = session.rules.path
    matching = [ply for ply in left if ply.action == wanted or path(ply.action) == path(wanted)]
    return next((ply for ply in matching or left[:1] if not session.judge(ply.action)), None)


def _turns(session: Session, known: int) -> list[set[Action]]:
    """Returns the actions of each turn since so many plies, as sets: their order does not matter."""
    later = zip(session.positions()[known:], session.plies[known:], strict=False)
    turns = groupby(later, key=lambda item: item[0].turn)
    return [{ply.action for _, ply in turn} for _, turn in turns]
