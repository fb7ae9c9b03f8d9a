"""Knowledge: a session as one viewer knows it, and the way back to the whole truth.

Where players have secrets, what is published must not depend on them. So whoever follows such a game works on
the session as all know it, and only an owner's questions on the session as that owner does. Both are sessions
of the same rules: positions are views, and what an action has revealed follows it as an answer of its owner
(`Secrets.reveals`). A session without secrets is known as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from companion.core.game import Player
from companion.core.rules import Rules
from companion.record.session import Entry, Ply, Session, common_plies


def known_to(viewer: Player | None, session: Session) -> Session:
    """Returns the session as a viewer knows it (None: as all do); itself where it holds no secrets."""
    if not session.has_secrets:
        return session
    rules, plies = session.rules, list[Ply]()
    first = at = rules.view(session.first, viewer)
    for ply in session.plies:
        plies += _known_plies(rules, at, ply, viewer)
        at = plies[-1].after
    return Session(session.game, first, tuple(plies))


def is_answer(rules: Rules[Any], ply: Ply) -> bool:
    """Returns whether a ply does nothing but tell a secret: in the whole truth the ply before does that."""
    return ply.action in rules.reveals(ply.events)


def count_true_plies(session: Session, count: int) -> int:
    """Returns how many of the first plies of a known session are the true one's: the rest are answers."""
    return sum(not is_answer(session.rules, ply) for ply in session.plies[:count])


def carry_out(truth: Session, known: Session, after: Session) -> Session | None:
    """Returns the true session once the known one has become `after`.

    It takes all actions that its secrets allow. None where they do not even allow the first
    action of it, or not what would replace an earlier one.
    """
    if known is truth:
        return after
    common = common_plies(known, after)
    withdrawn = len(truth.plies) - count_true_plies(known, common)
    found = replace(truth, plies=truth.plies[: len(truth.plies) - withdrawn])
    for ply in after.plies[common:]:
        if is_answer(truth.rules, ply):
            continue
        if found.judge(ply.action):
            is_begun = not withdrawn and len(found.plies) > len(truth.plies)
            return found if is_begun else None
        found = found.apply(ply.entry)
    return found


def _known_plies(rules: Rules[Any], before: Any, ply: Ply, viewer: Player | None) -> Iterator[Ply]:
    """Yields a ply as a viewer knows it, and the answers by which the viewer learns what it has revealed."""
    shown = rules.show(ply.action, ply.player, viewer, False)
    written = ply.written if shown == ply.action else shown
    told = [replace(ply, entry=replace(ply.entry, text=shown), written=written)]
    for answer in rules.reveals(ply.events):
        at = rules.after(before, shown) if len(told) == 1 else told[-1].after
        told[-1] = replace(told[-1], after=at)
        if rules.judge(at, answer):
            break  # this viewer has known it
        step = rules.play(at, answer)
        entry = Entry("action", answer, source=ply.entry.source, time=ply.entry.time)
        told.append(Ply(entry, at.to_act, step.position, step.events, rules.write(at, answer)))
    yield from told[:-1]
    yield replace(told[-1], after=rules.view(ply.after, viewer))
