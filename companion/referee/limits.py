"""How far the referee looks for a story, and what it believes."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from companion.core import Place


@dataclass(frozen=True, slots=True)
class Limits:
    """How far the search goes, and what it believes.

    So many actions are tried at most: `tries` in all, `rest` once a story is found. `seconds` are for all
    explaining of one observation, `beside` where an earlier position fits it already; `revision` more for
    histories that looked alike.

    Costs and misfits in nats: `first` for a story's first action, `more` for each further one, `turn` extra
    where another player goes on before anything held (three times so after a few), `answer` for an answer
    that is owed, `disorder` for an action whose change was seen before those of earlier ones. A board fits
    when its misfit is at most `fit`; rivals within `margin` of the best story are reported too. A story
    dearer than `offence` and `place` for each place that changed is less likely than hands that broke the
    rules. Each action on the board beyond one for two places that changed is `extra`, beyond one for each a
    `detour`, as is what a shorter story does without.
    `whole`: the board is known to be that after one turn (its player pressed the clock).
    """

    actions: int = 16
    tries: int = 6000
    rest: int = 2000
    seconds: float = 0.6
    beside: float = 0.3
    revision: float = 0.2
    first: float = 1.0
    more: float = 0.6
    turn: float = 1.3
    answer: float = 0.3
    disorder: float = 1.5
    offence: float = 4.0
    place: float = 1.5
    extra: float = 1.5
    detour: float = 3.0
    fit: float = 3.0
    margin: float = 4.0
    rivals: int = 160
    whole: bool = False

    def broken(self, places: Collection[Place]) -> float:
        """How unlikely it is that hands broke the rules on these places (nats)."""
        return self.offence + self.place * len(places)


THOROUGH = Limits(tries=24_000, rest=10_000, seconds=0.7)
"""For a board about which there is doubt, and which holds: there is time."""
STILL = Limits(tries=24_000, rest=10_000, seconds=1.5, turn=0.3)
"""For a picture that stands for a moment: several replies may well have come since the one before."""
WHOLE = Limits(tries=30_000, rest=800, seconds=0.8, revision=0.1, whole=True)
"""For the board after a turn that is known to be over: however unlikely, it was legal."""
