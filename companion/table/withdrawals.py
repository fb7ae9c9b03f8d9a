"""Withdrawals: tells as events, and in words, what an accepted finding played, took back or corrected.

In go a step, the session before it and the finding; out comes the step with these events added.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container

from msgspec import UNSET

from companion.core.game import Action, Player
from companion.language import say
from companion.record.session import Session, common_plies
from companion.referee import Finding
from companion.table.snapshot import PlayedAction
from companion.table.state import TableStep
from companion.wire.events import Corrected, TakenBack


def with_replies(session: Session, seats: Container[Player], count: int) -> int:
    """Returns how many actions go with so many that are taken back: what the companion has played on these
    seats, in reply, goes as well, and with it what it replied to."""
    while count < len(session.plies) and session.plies[-count].player in seats:
        count += 1
    return count


def tell_plies(step: TableStep, before: Session, finding: Finding) -> TableStep:
    """Tells what a finding took back, corrected and played since `before`."""
    after = step.state.session
    new, words = after.plies[len(after.plies) - len(finding.played) :], say_withdrawal(before, after)
    if words and _is_as_handled(before, after):
        new = after.plies[len(before.plies) :]
        step = step.telling(Corrected(actions=_corrections(before, after), words=words))
    elif finding.withdrawn:
        step = step.telling(TakenBack(count=finding.withdrawn, words=words or UNSET))
    for ply in new:
        step = step.telling(PlayedAction(ply, bool(finding.choices)))
    return step


def say_withdrawal(before: Session, after: Session) -> str:
    """Says what turned out otherwise, or was taken back from among others; '' where nothing was."""
    common = common_plies(before, after)
    gone, new = Counter(before.actions[common:]), Counter(after.actions[common:])
    if not gone or not new:
        return ""
    if new <= gone:
        written = {ply.action: ply.written for ply in before.plies[common:]}
        return say("Taken back: {actions}.", actions=", ".join(written[a] for a in (gone - new).elements()))
    return say(
        "Not {action} but {other}: what followed shows it.",
        action=before.plies[common].written,
        other=after.plies[common].written,
    )


def _is_as_handled(before: Session, after: Session) -> bool:
    """Returns whether hands did the accepted actions, and only more is known of them, such as a promotion."""
    path = after.rules.path
    pairs = zip(before.plies, after.plies, strict=False)
    return len(after.plies) >= len(before.plies) and all(path(a.action) == path(b.action) for a, b in pairs)


def _corrections(before: Session, after: Session) -> tuple[Action, ...]:
    pairs = zip(before.plies, after.plies, strict=False)
    return tuple(b.action for a, b in pairs if a.action != b.action)
