"""A position of a puzzle of placing: the sites that hold a piece, and the task.

It never holds a conflict, because a piece that would make one is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from companion.core.game import Look, Player, Site
from companion.core.puzzle import SOLVER
from companion.language import Message


@dataclass(frozen=True)
class PlacedKind:
    """The kind of piece that a puzzle places, and the rules about it in the rulebook."""

    name: Message
    many: Message
    """The name of several of them."""
    look: Look
    conflict_rule: str
    number_rule: str


@dataclass(frozen=True)
class PlacingTask:
    """The task of a puzzle: what each site claims, and when it is solved."""

    piece: PlacedKind
    claims: Mapping[Site, frozenset[str]] = field(hash=False)
    pieces: int | None
    """The number of pieces that solves it; None where the best score is not known."""
    unclaimed: int | None = None
    """The number of claims that may be left over; None where that does not matter."""
    full: bool = False
    """True if it is solved only where no further piece could be added."""
    limit: bool = True
    """True if there are no more pieces than that."""

    @cached_property
    def all_claims(self) -> frozenset[str]:
        return frozenset().union(*self.claims.values())

    @cached_property
    def blocked(self) -> Mapping[Site, int]:
        """The sites that a piece on each site blocks, itself among them: a bit for each, in their order."""
        return {
            site: sum(1 << n for n, other in enumerate(self.claims.values()) if other & wanted)
            for site, wanted in self.claims.items()
        }


class Position(NamedTuple):
    """The sites that hold a piece."""

    placed: frozenset[Site]
    task: PlacingTask

    @property
    def turn(self) -> Player:
        return SOLVER

    @property
    def to_act(self) -> Player:
        return SOLVER

    @property
    def claimed(self) -> frozenset[str]:
        return frozenset().union(*(self.task.claims[s] for s in self.placed))

    @property
    def unclaimed(self) -> int:
        return len(self.task.all_claims - self.claimed)

    @property
    def free(self) -> list[Site]:
        """The sites on which a piece would be in no conflict."""
        blocked, taken = self.task.blocked, 0
        for site in self.placed:
            taken |= blocked[site]
        return [site for n, site in enumerate(blocked) if not taken >> n & 1]

    @property
    def used_up(self) -> bool:
        """True if there is no piece left to place."""
        return self.task.limit and len(self.placed) == self.task.pieces

    @property
    def solved(self) -> bool:
        task = self.task
        return (
            len(self.placed) == task.pieces
            and task.unclaimed in (None, self.unclaimed)
            and not (task.full and self.free)
        )

    def conflicts(self, site: Site) -> list[Site]:
        """Returns the pieces that a piece on this site would be in conflict with."""
        claims = self.task.claims
        return sorted(s for s in self.placed if s != site and claims[s] & claims[site])
