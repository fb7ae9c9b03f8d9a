"""Puzzles of placing: each site claims something, and no two pieces may claim the same.

A position is the set of sites that hold a piece; it never holds a conflict, because a piece that would
make one is refused, with each piece it is in conflict with.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

from companion.core import (
    EMPTY,
    Action,
    Breach,
    Changes,
    Count,
    Event,
    Look,
    Outcome,
    Place,
    Player,
    PositionError,
    Site,
    Step,
)
from companion.games.puzzles.puzzle import SOLVER, Advice, Puzzle, check_turn


@dataclass(frozen=True)
class Task:
    """What is to be placed: what each site claims, and when the puzzle is solved."""

    claims: Mapping[Site, frozenset[str]] = field(hash=False)
    pieces: int | None
    """How many pieces solve it; None where the best score is not known."""
    unclaimed: int | None = None
    """How many claims may be left over; None where that does not matter."""
    full: bool = False
    """Whether it is solved only where no further piece could be added."""
    limit: bool = True
    """Whether there are no more pieces than that."""

    @property
    def all_claims(self) -> frozenset[str]:
        return frozenset().union(*self.claims.values())


class Position(NamedTuple):
    """The sites that hold a piece."""

    placed: frozenset[Site]
    task: Task

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
        """Where a piece would be in no conflict."""
        claimed = self.claimed
        return [s for s, wanted in self.task.claims.items() if s not in self.placed and not wanted & claimed]

    @property
    def solved(self) -> bool:
        task = self.task
        return (
            len(self.placed) == task.pieces
            and task.unclaimed in (None, self.unclaimed)
            and not (task.full and self.free)
        )

    def conflicts(self, site: Site) -> list[Site]:
        """The pieces that a piece on this site would be in conflict with."""
        claims = self.task.claims
        return sorted(s for s in self.placed if s != site and claims[s] & claims[site])


class Placing(Puzzle[Position]):
    """A puzzle of placing. `+a1` puts a piece on a1, `-a1` takes it away."""

    piece: ClassVar[str]
    piece_look: ClassVar[Look]
    conflict_rule: ClassVar[str]
    number_rule: ClassVar[str]
    sentences: ClassVar[Mapping[str, str]] = {
        "placed": "A {piece} is put on {sites}: {count} on the board.",
        "taken": "The {piece} on {sites} is taken away: {count} on the board.",
        "solved": "Solved!",
    }

    def legal(self, position: Position) -> Iterator[Action]:
        if position.solved:
            return
        if not _is_used_up(position):
            yield from (f"+{site}" for site in position.free)
        yield from (f"-{site}" for site in position.task.claims if site in position.placed)

    def judge(self, position: Position, action: str) -> tuple[Breach, ...]:
        if position.solved:
            return (Breach("GEN-3"),)
        sign, site = action[:1], action[1:]
        if sign not in ("+", "-") or site not in position.task.claims:
            return (Breach("GEN-1"),)
        if (site in position.placed) == (sign == "+"):
            return (Breach("PZ-1", (site,)),)
        return tuple(self._judge_placing(position, site)) if sign == "+" else ()

    def _judge_placing(self, position: Position, site: Site) -> Iterator[Breach]:
        for other in position.conflicts(site):
            yield Breach(self.conflict_rule, (site, other, *self._contested(position, site, other)))
        if _is_used_up(position):
            yield Breach(self.number_rule, (site,))

    def _contested(self, position: Position, one: Site, other: Site) -> tuple[Site, ...]:
        """The other sites that the two pieces both claim, where what they claim are sites."""
        claims = position.task.claims
        return tuple(sorted(claims[one] & claims[other] & claims.keys() - {one, other}))

    def play(self, position: Position, action: Action) -> Step[Position]:
        kind = "placed" if action[0] == "+" else "taken"
        after = position._replace(placed=position.placed.symmetric_difference((action[1:],)))
        details = {"piece": self.piece, "count": len(after.placed)}
        events = [Event(kind, SOLVER, (action[1:],), details)]
        if after.solved:
            events.append(Event("solved", SOLVER))
        return Step(after, tuple(events))

    def outcome(self, position: Position) -> Outcome | None:
        return Outcome(SOLVER, "solved") if position.solved else None

    def look(self, position: Position) -> Mapping[Place, Look]:
        return dict.fromkeys(position.placed, self.piece_look)

    def looks(self, position: Position) -> tuple[Look, ...]:
        return (EMPTY, self.piece_look)

    def path(self, action: Action) -> tuple[Place, ...]:
        return (action[1:],)

    def label(self, action: Action) -> str:
        verb = "put a {} on" if action[0] == "+" else "take away the {} on"
        return f"{verb.format(self.piece)} {action[1:]}"

    def arrange(self, position: Position, looks: Mapping[Place, Look], turn: Player) -> Position:
        check_turn(turn)
        placed = frozenset(place for place, look in looks.items() if look != EMPTY)
        for place in placed:
            if place not in position.task.claims or looks[place] != self.piece_look:
                raise PositionError(f"'{looks[place]}' cannot stand on '{place}' in this puzzle")
        if position.task.limit and len(placed) > (position.task.pieces or 0):
            raise PositionError(f"there are {position.task.pieces} {self.piece}s in this puzzle")
        after = position._replace(placed=placed)
        for place in sorted(placed):
            if others := after.conflicts(place):
                raise PositionError(f"the {self.piece}s on {place} and {others[0]} are in conflict")
        return after

    def attempts(self, position: Position, changed: Changes) -> Iterator[str]:
        for place, (was, now) in changed.items():
            if EMPTY in (was, now) and was != now:
                yield f"{'+' if was == EMPTY else '-'}{place}"

    def counts(self, position: Position) -> tuple[Count, ...]:
        return (Count(f"{self.piece}s placed", {SOLVER: len(position.placed)}, position.task.pieces),)

    def prompt(self, position: Position) -> str:
        return f"put a {self.piece} on the board, or take one away"

    def advise(self, position: Position, seconds: float) -> Advice:
        from companion.games.puzzles import solve

        return solve.advise(self, position, seconds)


def _is_used_up(position: Position) -> bool:
    return position.task.limit and len(position.placed) == position.task.pieces
