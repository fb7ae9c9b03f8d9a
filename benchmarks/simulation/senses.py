"""Simulated sensors: evidence as a camera or a grid gives it, wrong now and then, and wrong for a while.

`simple` eyes: margins are calibrated; most wrong readings are unsure of themselves and gone after a second or
so; one in ten is as sure as a right one. `real` and `worst` eyes err as cameras do on sets that nothing was
fitted to: a place is misread from the moment that it changed until it changes again; what a hand hides is
unknown, what is beside it more often wrong, and a hand is now and then unnoticed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from math import dist
from random import Random

from companion.core.game import EMPTY, Look, Place
from companion.games.text import Game
from companion.referee.evidence.looks import bare
from companion.sensing.observation import Observation, Reading
from vision.virtual.layout import spacing

SURE = 8.0
"""Nats between what is seen and everything else."""
RATE = 0.002
"""The share of readings that are wrong."""
LASTING = 0.8
"""The probability that a wrong reading is there in the next sighting too."""
KINDS = ("colours", "occupancy")
SIMPLE = "simple"


@dataclass(frozen=True)
class Errors:
    """The errors of eyes on sets left out, as shares from 0 to 1.

    In what `python -m benchmarks eyes --json FILE` writes `rate` is wrong / places, `sure` sure_wrong / wrong
    and `unnoticed` 1 - noticed / hands; `faint` follows from the bins of `said`.
    """

    rate: float
    """The share of places that are misread since they changed."""
    sure: float
    """The share of those that are said with p >= 0.99."""
    faint: float
    """Nats by which the others are ahead of the truth, on average."""
    unnoticed: float
    """The share of hands that are not noticed."""
    beside: float
    """The share of places beside one that a hand hides that are read wrongly meanwhile."""


ERRORS = {
    # 31 of 5,780 places of photographs wrong, none of them sure of itself, 1 of 11 in scenes (10 pictures of
    # each set); 18 of 19 hands of kifu-go-hands noticed; 18 of 470 places beside drawn hands wrong
    "real": Errors(rate=0.005, sure=0.02, faint=1.1, unnoticed=0.05, beside=0.04),
    # epatha-chess, 14 of 640; the most that 0 of 31 allows; 15 of 60 drawn hands, half of them at the rim
    "worst": Errors(rate=0.022, sure=0.1, faint=1.1, unnoticed=0.25, beside=0.04),
}
EYES = (SIMPLE, *ERRORS)
HIDES, NEAR = 1.2, 2.4
"""Distances of sites from the fingertips, within which places are hidden, and beside what is hidden."""


def is_piece(look: Look) -> bool:
    """Returns whether a switch closes: markers have no magnets."""
    return bare(look) != EMPTY


class Senses:
    """One sensor over one board; `kind` is one of KINDS."""

    def __init__(self, game: Game, kind: str, rng: Random, rate: float = RATE) -> None:
        self.places: tuple[Place, ...] = (*game.board.sites, *game.board.places)
        self.looks = game.rules.looks(game.start())
        self._spots = tuple(game.board.marks)
        self.kind, self._rng, self._rate = kind, rng, rate
        self._wrong: dict[Place, tuple[Look, float]] = {}

    def readings(self, looks: Mapping[Place, Look], blind: Iterable[Place] = ()) -> dict[Place, Reading]:
        """Returns the observation of a board; the blind places show nothing."""
        self._err(looks)
        read = _colours if self.kind == "colours" else _occupancy
        found = {p: read(looks.get(p, EMPTY), self.looks, SURE) for p in self.places}
        for place, (look, margin) in self._wrong.items():
            found[place] = read(look, self.looks, margin)
        for place in blind:
            found.pop(place, None)
        return found

    def under_hand(self, looks: Mapping[Place, Look], at: Place) -> tuple[dict[Place, Reading], bool]:
        """Returns what is seen while a hand is at a place, and whether it is noticed."""
        return self.readings(looks), True

    def marks(self, laid: Collection[str]) -> dict[str, float]:
        """Returns how sure it is that a move marker lies on each spot."""
        return {spot: SURE / 2 if spot in laid else -SURE / 2 for spot in self._spots}

    def observe(self, looks: Mapping[Place, Look], time: float = 0.0) -> Observation:
        return Observation(time, self.readings(looks), self.kind)

    def same(self, a: Mapping[Place, Look], b: Mapping[Place, Look]) -> bool:
        """Returns whether two boards look the same to this sensor, markers aside: players may leave them
        out."""
        faces = self._faces(a), self._faces(b)
        return faces[0] == faces[1] if self.kind == "colours" else faces[0].keys() == faces[1].keys()

    def _faces(self, looks: Mapping[Place, Look]) -> dict[Place, Look]:
        return {place: bare(look) for place, look in looks.items() if is_piece(look)}

    def _err(self, looks: Mapping[Place, Look]) -> None:
        rng = self._rng
        self._wrong = {p: w for p, w in self._wrong.items() if rng.random() < LASTING}
        expected = len(self.places) * self._rate * (1 - LASTING)
        if self._rate and rng.random() < expected:
            margin = SURE if rng.random() < 0.1 else round(rng.expovariate(0.5), 1)
            self._wrong[rng.choice(self.places)] = (rng.choice(self.looks), margin)


class LastingSenses(Senses):
    """A camera over one board that errs until something changes, and beside hands."""

    def __init__(self, game: Game, kind: str, rng: Random, errors: Errors) -> None:
        super().__init__(game, kind, rng)
        self._errors = errors
        self._board, self._unit = game.board, spacing(game.board)
        self._stood: Mapping[Place, Look] | None = None

    def under_hand(self, looks: Mapping[Place, Look], at: Place) -> tuple[dict[Place, Reading], bool]:
        found, middle = self.readings(looks), self._board.where(at)
        for place in self.places:
            away = dist(self._board.where(place), middle)
            if away <= HIDES * self._unit:
                found[place] = Reading(dict.fromkeys(self.looks, 0.0), 0.0)
            elif away <= NEAR * self._unit and self._rng.random() < self._errors.beside:
                found[place] = _colours(*self._misread(looks.get(place, EMPTY)))
        return found, self._rng.random() >= self._errors.unnoticed

    def _err(self, looks: Mapping[Place, Look]) -> None:
        """Places that changed are read anew: rightly, or wrongly until they change again. The first board is
        the one that was learned from."""
        before, self._stood = self._stood, dict(looks)
        changed = set() if before is None else {place for place, _ in before.items() ^ looks.items()}
        for place in sorted(changed):  # one seed is one game, whatever the order of sets
            self._wrong.pop(place, None)
            if self._rng.random() < self._errors.rate:
                look, _, margin = self._misread(looks.get(place, EMPTY))
                self._wrong[place] = look, margin

    def _misread(self, truth: Look) -> tuple[Look, tuple[Look, ...], float]:
        """Returns another look, the looks that are known, and how sure that reading is (nats)."""
        rng, errors = self._rng, self._errors
        margin = SURE if rng.random() < errors.sure else round(rng.expovariate(1 / errors.faint), 1)
        return rng.choice([look for look in self.looks if look != truth]), self.looks, margin


def senses_of(eyes: str, game: Game, kind: str, rng: Random) -> Senses:
    """Returns one sensor with such eyes, one of EYES; a grid has none."""
    if eyes == SIMPLE or kind != "colours":
        return Senses(game, kind, rng)
    return LastingSenses(game, kind, rng, ERRORS[eyes])


@cache
def _colours(look: Look, known: tuple[Look, ...], margin: float) -> Reading:
    if look not in known:
        return Reading(dict.fromkeys(known, -margin), 0.0)
    return Reading({name: 0.0 if name == look else -margin for name in known}, -margin - 2)


@cache
def _occupancy(look: Look, known: tuple[Look, ...], margin: float) -> Reading:
    return Reading({EMPTY: -margin}, 0.0) if is_piece(look) else Reading({EMPTY: 0.0}, -margin)
