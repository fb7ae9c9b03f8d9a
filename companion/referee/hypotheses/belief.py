"""Beliefs: the session that the referee accepts, its rivals, and the beliefs that it held before; candidates
are sessions that may come to be believed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from companion.core.game import Look, Place
from companion.record.session import Session
from companion.referee.evidence.evidence import Evidence
from companion.referee.hypotheses.histories import begins_with

PAST = 24
"""The number of former beliefs that are remembered."""
Weighed: TypeAlias = tuple[Session, float]
"""A session, and how many nats less likely it is than the accepted one."""


@dataclass(frozen=True)
class Candidate:
    """A session that would explain the observation; `cost` and what it consists of are in nats."""

    session: Session
    cost: float
    misfit: float = 0.0
    """The misfit of the board; part of the cost."""
    is_chosen: bool = False
    """True if it goes on by what a player chose to do, and not by what was owed."""
    marks: float = 0.0
    """The misfit of its markers; part of the cost."""
    is_ahead: bool = False
    """True if a piece would have come before it left."""
    misread: Mapping[Place, Look] = field(default_factory=dict)
    """The places that would be misread, as they were on a board before, each with the look that is read."""
    broken: Evidence | None = None
    """The board before on which hands would have broken the rules, and have put that right since."""

    @property
    def doubt(self) -> float:
        return self.misfit + self.marks


@dataclass(frozen=True)
class Belief:
    """The accepted session, and the rivals that the evidence so far cannot tell from it.

    `cost` is how unlikely what was accepted last is (nats); `past` are the beliefs that this one grew from,
    the latest first: what refuted their rivals may be taken back, or was misread.
    """

    accepted: Session
    rivals: tuple[Weighed, ...] = ()
    cost: float = 0.0
    past: tuple[FormerBelief, ...] = field(default=(), repr=False)
    settled: int = 0
    """Plies that their players have said are done: by a press of the clock."""
    undone: tuple[Session, ...] = field(default=(), repr=False)
    """The sessions as they were before hands took back, the latest first; () once anything is played."""
    doubtful: tuple[Candidate, ...] = field(default=(), repr=False)
    """The stories that are held for a board that nothing explains, as some places were misread there; () once
    one is explained. Each costs what it is less likely than the likeliest of them, or than that hands broke
    the rules."""
    unexplained: tuple[Evidence, ...] = field(default=(), repr=False)
    """The boards since then that nothing explained; and `least` is what the likeliest cost there (nats)."""
    least: float = 0.0

    def followed_by(
        self, accepted: Session, rivals: tuple[Weighed, ...], cost: float, seen: Evidence
    ) -> Belief:
        """Returns the next belief, which remembers this one and the evidence on which it was given up.

        Where plies were taken back, the beliefs that held them are forgotten, and `undone` has what went.
        """
        if not begins_with(self.accepted, accepted):
            memory = FormerBelief(replace(self.without_doubt(), past=()), seen)
            return Belief(accepted, rivals, cost, (memory, *self.past)[:PAST])
        if begins_with(accepted, self.accepted):
            return replace(self.without_doubt(), accepted=accepted, rivals=rivals)
        kept = [m for m in self.past if len(m.belief.accepted.plies) < len(accepted.plies)]
        return Belief(accepted, rivals, past=tuple(kept), undone=(self.accepted, *self.undone))

    def without_doubt(self) -> Belief:
        """Returns this belief without what boards that nothing explained have left."""
        return replace(self, doubtful=(), unexplained=(), least=0.0)

    def all(self) -> tuple[Weighed, ...]:
        """Returns the accepted session and its rivals, each with its cost beside the accepted one's."""
        return ((self.accepted, 0.0), *self.rivals)


@dataclass(frozen=True)
class FormerBelief:
    """A former belief, and the board for which it was given up."""

    belief: Belief
    seen: Evidence
    is_answered: bool = False
    """True if a player's answer has settled what came next."""


def likeliest_first(sessions: list[Weighed]) -> tuple[Session, tuple[Weighed, ...], float]:
    """Returns the likeliest of several sessions, the others with their costs beside it, and its own cost."""
    accepted, least = min(sessions, key=lambda item: item[1])
    rivals = tuple((session, cost - least) for session, cost in sessions if session is not accepted)
    return accepted, rivals, least
