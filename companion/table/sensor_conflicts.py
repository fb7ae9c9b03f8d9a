"""Several sensors over one board: where they contradict each other, and which of them is believed.

The boards that each sensor saw alone (`Held.boards`) come in; the acceptance asks here whether they
contradict each other, and which one explains what it sees. A sensor that goes on contradicting the others is
reported, and the tracker leaves it out until it agrees again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from companion.core.board import Board
from companion.core.game import EMPTY, Look, Place
from companion.language import say
from companion.referee import Evidence, Finding
from companion.sensing.observation import Observation, Reading, Sighting
from companion.table.policy import Policy
from companion.table.tracker import Held
from companion.wire.state import SourceState, SourceStatus

CLASH = 4.0
"""Nats: two readings clash where every look is at least so unlikely to them together."""
UNEXPLAINED = ("begun", "refused", "unclear")
"""Kinds of findings that explain no board."""


@dataclass(frozen=True, slots=True)
class SensorConflicts:
    """The places where each sensor contradicts the others and the game (`odds`), and the sensors that are
    left out for that (`distrusted`)."""

    odds: Mapping[str, frozenset[Place]] = field(default_factory=dict)
    distrusted: frozenset[str] = frozenset()

    def noted(
        self, held: Held, looks: Mapping[Place, Look], is_one_believed: bool, policy: Policy
    ) -> SensorConflicts:
        """Notes who contradicts the others: at once where one sensor was believed against them, and where a
        conflict ends. `looks` is the board as the game has it."""
        odds = find_odds(held.boards, looks)
        agrees_again = not odds.keys() >= self.distrusted
        if not (is_one_believed or agrees_again or held.duration >= policy.conflict):
            return self
        # Where all contradict each other none is left out.
        distrusted = frozenset(odds) if len(odds) < len(held.alone) else frozenset[str]()
        return SensorConflicts(odds, distrusted)

    def status(self, sighting: Sighting, board: Board | None = None) -> SourceStatus:
        """Returns how a source is, as far as it and the others tell; `board` is that of the game."""
        name, places = sighting.source, self.odds.get(sighting.source, ())
        if sighting.trouble:
            return SourceStatus(name, _state_of_trouble(sighting), sighting.trouble)
        if places:
            words = say(
                "one sensor sees {places} otherwise than the others: play goes on with those",
                places=", ".join(sorted(places)),
            )
            return SourceStatus(name, "trouble", board.called(words) if board else words)
        return SourceStatus(name, _state(sighting), sighting.note)


def _state_of_trouble(sighting: Sighting) -> SourceState:
    if sighting.unlearned:
        return "unlearned"
    return "lost" if sighting.observation is None and not sighting.hand else "trouble"


def _state(sighting: Sighting) -> SourceState:
    """Returns the state of a source without trouble."""
    if sighting.learning:
        return "learning"
    if sighting.hand:
        return "hand"
    return "ok" if sighting.still else "moving"


def contradict(alone: Sequence[Observation]) -> bool:
    """Returns whether any two sensors cannot both be right."""
    return any(find_clashes(one, other) for one, other in combinations(alone, 2))


def find_clashes(a: Observation, b: Observation) -> frozenset[Place]:
    """Returns the places of which two sensors cannot both be right."""
    shared = a.readings.keys() & b.readings.keys()
    return frozenset(p for p in shared if _clash(a.readings[p], b.readings[p]))


def find_odds(alone: Sequence[Observation], looks: Mapping[Place, Look]) -> dict[str, frozenset[Place]]:
    """Returns for each sensor the places where it contradicts another one, and this board."""
    found: dict[str, frozenset[Place]] = {}
    for one in alone:
        clashing = frozenset[Place]().union(
            *(find_clashes(one, other) for other in alone if other is not one)
        )
        wrong = frozenset(p for p in clashing if _is_against(one.readings[p], looks.get(p, EMPTY)))
        if wrong:
            found[one.source] = wrong
    return found


def choose_credible(heard: Iterable[tuple[Finding, Evidence]]) -> tuple[Finding, Evidence] | None:
    """Returns the one finding of contradicting sensors that explains its own board; None where none does, or
    more than one.

    A story with an action comes before one without: a sensor that is stuck goes on showing the old board, and
    none shows a legal action by mistake. How far it is ahead of other stories nobody knows.
    """
    explained = [(finding, evidence) for finding, evidence in heard if finding.kind not in UNEXPLAINED]
    played = [(finding, evidence) for finding, evidence in explained if finding.kind == "played"]
    best = played if len(played) == 1 else explained
    if len(best) != 1:
        return None
    finding, evidence = best[0]
    return replace(finding, lead=0.0), evidence


def _clash(a: Reading, b: Reading) -> bool:
    """Returns whether no look is likely to both."""
    return min(a.misfit(look) + b.misfit(look) for look in {*a.looks, *b.looks, None}) > CLASH


def _is_against(reading: Reading, look: Look) -> bool:
    return reading.misfit(look) > CLASH / 2
