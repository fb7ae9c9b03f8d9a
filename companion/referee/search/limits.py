"""The limits of the referee: how far it looks for a story, what parts of one cost, and what it believes."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from companion.core.game import EMPTY, Place
from companion.referee.evidence.evidence import DOUBT, Evidence


@dataclass(frozen=True, slots=True)
class Limits:
    """The reach of the search, and the cost of each part of a story. Costs and misfits are in nats."""

    actions: int = 16
    """The most actions of a story."""
    tries: int = 6000
    """The most actions that are tried."""
    rest: int = 2000
    """The most that are tried once a story is found."""
    seconds: float = 0.6
    """The time for all explaining of one observation."""
    beside: float = 0.3
    """The time where an earlier position fits the observation already."""
    revision: float = 0.2
    """Further time for histories that would have looked alike."""
    first: float = 1.0
    """A story's first action."""
    more: float = 0.6
    """Each further action."""
    turn: float = 1.3
    """Another player goes on before anything held; three times as much after a few."""
    answer: float = 0.3
    """An answer that is owed."""
    disorder: float = 1.5
    """An action whose change was seen before those of earlier ones."""
    offence: float = 4.0
    """Hands that broke the rules; a dearer story is less likely than that."""
    place: float = 1.5
    """The cost of that for each place that changed."""
    lost: int = 2
    """Pieces that a board may have lost; where more are missing, hands put them away, at no further cost."""
    extra: float = 1.5
    """Each action on the board beyond one for two places that changed."""
    detour: float = 3.0
    """Each action on the board beyond one for each place, or that a shorter story does without."""
    unseen: float = 6.0
    """A piece that stood somewhere meanwhile, was taken from there, and was neither seen nor felt there."""
    unmarked: float = 6.0
    """The cost of that where players lay markers, and none tells of it."""
    fit: float = 3.0
    """The most misfit of a board that fits."""
    margin: float = 4.0
    """Rivals this close to the best story are found too."""
    rivals: int = 160
    """The most stories that are held at once."""
    slips: int = 0
    """So many plainly misread places, or as many nats of others, may speak against a story that is held in
    doubt until the next board; 0 where boards come as a stream, and none is held."""
    turn_is_over: bool = False
    """True if the board is known to be that after one turn (its player pressed the clock)."""

    def offence_cost(self, places: Collection[Place], evidence: Evidence) -> float:
        """Returns how unlikely it is that hands broke the rules on these places, or put away what stood
        there."""
        emptied = sum(evidence.misfit(place, EMPTY) <= DOUBT for place in places)
        came = len(places) - emptied
        put_away = max(0, emptied - came - self.lost)
        return self.offence + self.place * (len(places) - put_away) + evidence.doubled


THOROUGH = Limits(tries=24_000, rest=10_000, seconds=0.7)
"""For a board about which there is doubt, and which holds: there is time."""
STILL = Limits(tries=1500, rest=600, turn=0.3, unseen=0.0, slips=2)
"""For a picture that stands for a moment: several replies may well have come since the one before, and nobody
saw what stood there meanwhile, unless markers tell. A story that is there is found within some hundred tries;
where there is none, the next picture is the sooner looked at."""
WHOLE_TURN = Limits(
    tries=30_000, rest=800, seconds=0.8, revision=0.1, unseen=0.0, unmarked=0.0, turn_is_over=True
)
"""For the board after a turn that is known to be over: however unlikely, it was legal."""
