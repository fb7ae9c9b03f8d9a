"""The check of a kept game against what its players tell after it, where its rules have such a check."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.game import Contradiction, GameError
from companion.language import say
from companion.record.session import Session


def audit_session(session: Session, told: Sequence[str]) -> Contradiction | None:
    """Returns the first thing in a game that does not agree with what each seat tells; None where all does.

    GameError for a game without such a check, for one that was corrected, and for what cannot be true.
    """
    corrected = [n for n, ply in enumerate(session.plies, 1) if ply.entry.kind == "correction"]
    if corrected:
        raise GameError(
            say("step {step} is an arbiter's correction: the game cannot be played again", step=corrected[0])
        )
    is_ruled = session.ruled is not None
    return session.rules.audit(session.first, session.actions, told, session.outcome, is_ruled)
