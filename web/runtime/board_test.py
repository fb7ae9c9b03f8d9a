"""The test before play: three pieces are lifted and put back, and whatever sees the board has to see it.

The test takes the sightings of all sources, of whatever kind, and the table gets none of what they show
meanwhile: nothing of it is play. It goes on by itself while somebody looks at it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum
from math import inf
from typing import Annotated

from companion.core.board import Board
from companion.core.game import EMPTY, GameError, Look, Site
from companion.language import say
from companion.sensing.observation import Reading, Sighting
from companion.table.snapshot import Snapshot
from companion.wire.values import Place, Wire, one_of

COUNT = 3
"""The places that are tried."""
NOTHING_NEW_S = 15.0
"""Seconds without anything new after which the test says what may be wrong."""
UNWATCHED_S = 10.0
"""Seconds after the last look at the test until play goes on without it."""
MOST_NAMED = 6
"""The places that are named at once."""
READING = ("ok", "hand", "moving")
"""The states of sources that read the board."""
TESTED = say("the board is tested: nothing on it counts as play")


class PlaceStage(IntEnum):
    """The stages of a place: it is seen as the game has it, seen changed, and seen as before."""

    WAITING = 0
    READY = 1
    CHANGED = 2
    DONE = 3


class TriedPlace(Wire):
    """A place that is tried before play."""

    place: Place
    called: str
    """What players call it."""
    taken: bool
    """A piece stands there in the game: it is lifted and put back. Else one is put there and taken away."""
    stage: Annotated[str, one_of("waiting", "ready", "changed", "done")]
    """`waiting`: not seen as the game has it; `ready`: it is; `changed`: seen otherwise; `done`: and back."""


class BoardTestShown(Wire):
    """The test before play."""

    places: tuple[TriedPlace, ...]
    words: str
    """What is wrong, or to be done first; '' for nothing."""
    picture: bool
    """That is about what a camera sees: light, view, or what is cut off."""
    done: bool


@dataclass(slots=True)
class _Seen:
    """Keeps what one source has shown: its last sighting, how far each place has come, and the places that
    are otherwise than in the game, now and when the last of the three was seen as it should be."""

    stages: dict[Site, PlaceStage]
    last: Sighting | None = None
    wrong: frozenset[Site] = frozenset()
    fewest_wrong: float = inf
    wrong_at_first: frozenset[Site] | None = None
    reads: bool = False

    @property
    def moved(self) -> frozenset[Site]:
        """Returns the places that were changed since the test began in earnest, and still are."""
        return self.wrong - (self.wrong if self.wrong_at_first is None else self.wrong_at_first)


@dataclass(slots=True)
class BoardTest:
    """One test on a board where `looks` stand; `diagnose` says what is wrong with a camera's picture, '' for
    nothing. `expected` are the sources that read the board before it began: each has to see it. It is told
    the time (s, monotonic) by whoever calls."""

    board: Board
    looks: Mapping[Place, Look]
    diagnose: Callable[[], str]
    since: float
    expected: Collection[str] = ()
    sources: dict[str, _Seen] = field(default_factory=dict)
    places: tuple[Site, ...] = ()
    _news: float = 0.0
    """When a place last came on, or more of the board was laid than before."""

    def __post_init__(self) -> None:
        self.places, self._news = choose_places(self.board, self.looks), self.since
        for name in self.expected:
            self._source(name).reads = True

    def see(self, sighting: Sighting, now: float) -> None:
        """Takes a sighting of any source."""
        seen, observation = self._source(sighting.source), sighting.observation
        seen.last = sighting
        if observation is None or sighting.hand or not sighting.still:
            return
        seen.reads = True
        told = {site: observation.readings[site] for site in self.board.sites if site in observation.readings}
        seen.wrong = frozenset(site for site, reading in told.items() if self._is_wrong(site, reading))
        if len(seen.wrong) < seen.fewest_wrong:
            seen.fewest_wrong, self._news = len(seen.wrong), now
        for place, stage in seen.stages.items():
            is_next = (place in seen.wrong) == (stage is PlaceStage.READY)
            if place in told and stage is not PlaceStage.DONE and is_next:
                seen.stages[place] = PlaceStage(stage + 1)
                self._news = now
        if seen.wrong_at_first is None and all(seen.stages.values()):
            seen.wrong_at_first = seen.wrong - {*self.places}

    def _source(self, name: str) -> _Seen:
        return self.sources.setdefault(name, _Seen(dict.fromkeys(self.places, PlaceStage.WAITING)))

    def _is_wrong(self, site: Site, reading: Reading) -> bool:
        is_taken = reading.best() != EMPTY
        return reading.tells and is_taken != self._is_taken(site)

    def _is_taken(self, site: Site) -> bool:
        return self.looks.get(site, EMPTY) != EMPTY

    def status(self, now: float) -> BoardTestShown:
        """Returns how it goes. A place has come as far as the slowest of the sources that read the board."""
        stages = {place: self._stage(place) for place in self.places}
        tried = tuple(
            TriedPlace(place, self.board.called(place), self._is_taken(place), stage.name.lower())
            for place, stage in stages.items()
        )
        if set(stages.values()) == {PlaceStage.DONE}:
            words = self._say_put_back(self.moved) if self.moved else ""
            return BoardTestShown(tried, words, picture=False, done=not self.moved)
        words, is_of_picture = self._say_wrong(stages, now)
        return BoardTestShown(tried, words, is_of_picture, done=False)

    def _say_wrong(self, stages: Mapping[Site, PlaceStage], now: float) -> tuple[str, bool]:
        """Returns what is wrong or to be done first ('' for nothing), and whether a camera's picture is."""
        if trouble := next((sighting.trouble for sighting in self._newest if sighting.trouble), ""):
            return trouble, True
        asked = {place for place, stage in stages.items() if stage is not PlaceStage.DONE}
        not_laid = self._say_not_laid() if PlaceStage.WAITING in stages.values() else ""
        if now - self._news < NOTHING_NEW_S:
            return not_laid, False
        if words := self._say_unrest() or self._say_elsewhere(asked):
            return words, False
        if words := self.diagnose():
            return words, True
        return not_laid or self._say_unseen(asked), False

    @property
    def moved(self) -> frozenset[Site]:
        """Returns the places that hands have changed and not put back."""
        return frozenset[Site]().union(*(seen.moved for seen in self.sources.values()))

    def check_put_back(self) -> None:
        """Raises GameError while something that was moved is not back."""
        if self.moved:
            raise GameError(self._say_put_back(self.moved))

    def _stage(self, place: Site) -> PlaceStage:
        return min((seen.stages[place] for seen in self._readers), default=PlaceStage.WAITING)

    @property
    def _newest(self) -> list[Sighting]:
        return [seen.last for seen in self.sources.values() if seen.last]

    @property
    def _readers(self) -> list[_Seen]:
        return [seen for seen in self.sources.values() if seen.reads]

    def _say_put_back(self, places: Collection[Site]) -> str:
        return say("Put back what was moved: {places}.", places=self._names(places))

    def _say_not_laid(self) -> str:
        wrong = frozenset[Site]().union(*(seen.wrong for seen in self._readers))
        return say("Not yet as the game has it: {places}.", places=self._names(wrong)) if wrong else ""

    def _say_unrest(self) -> str:
        """Says that nothing comes, or that nothing that comes is at rest; '' where it is."""
        if not self._newest:
            return say("Nothing comes from what sees the board.")
        if all(sighting.hand or not sighting.still for sighting in self._newest):
            return say("Something moves, or a hand is in the way: wait until the board is at rest.")
        return ""

    def _say_elsewhere(self, asked: Collection[Site]) -> str:
        """Says where something was changed that was not asked for; '' for nowhere."""
        others = self.moved - {*asked}
        if not others:
            return ""
        return say(
            "A change is seen at {others}, and none at {places}. Are these the right places, and does "
            "the board lie the right way round?",
            others=self._names(others),
            places=self._names(asked),
        )

    def _say_unseen(self, asked: Collection[Site]) -> str:
        return say(
            "No change is seen at {places}. Take the piece right off the board, and your hand with it.",
            places=self._names(asked),
        )

    def _names(self, places: Collection[Site]) -> str:
        """Names places as players call them, in the board's order."""
        named = [self.board.called(site) for site in self.board.sites if site in places]
        more = len(named) - MOST_NAMED
        listed = ", ".join(named[:MOST_NAMED])
        return say("{places} and {n} more", places=listed, n=more) if more > 0 else listed


def choose_places(board: Board, looks: Mapping[Place, Look]) -> tuple[Site, ...]:
    """Returns three sites far apart: the first and the last corner, and one in the middle.

    Those on which pieces stand are taken, and where they are too few, free ones as well.
    """
    taken = [site for site in board.sites if looks.get(site, EMPTY) != EMPTY]
    sites = taken if len(taken) >= COUNT else list(board.sites)
    along = {site: sum(board.sites[site]) for site in sites}
    middle = tuple(sum(values) / len(board.sites) for values in zip(*board.sites.values(), strict=True))
    first, last = min(sites, key=along.__getitem__), max(sites, key=along.__getitem__)
    inner = [site for site in sites if site not in (first, last)]
    off = {site: sum((a - b) ** 2 for a, b in zip(board.sites[site], middle, strict=True)) for site in inner}
    return tuple(dict.fromkeys((first, *([min(off, key=off.__getitem__)] if off else []), last)))


class BoardTests:
    """The tests of one table, one at a time. `snapshot` returns what is on it; `diagnose` as in `BoardTest`.

    Any thread may call it.
    """

    def __init__(
        self,
        snapshot: Callable[[], Snapshot],
        diagnose: Callable[[], str],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._snapshot, self._diagnose, self._clock = snapshot, diagnose, clock
        self._lock = threading.Lock()
        self._test: BoardTest | None = None
        self._ply: tuple[int | None, int] = (None, 0)
        """The game that is on, and how much of it was played, when the test began."""
        self._looked = 0.0

    def begin(self) -> None:
        """Begins a test of the position that is on; GameError without a game."""
        snapshot = self._snapshot()
        if snapshot.session is None:
            raise GameError(say("begin a game first: the test is of its board"))
        now = self._clock()
        board, looks = snapshot.session.game.board, snapshot.look_as_laid
        expected = [source.name for source in snapshot.sources if source.state in READING]
        with self._lock:
            self._test = BoardTest(board, looks, self._diagnose, now, expected)
            self._ply, self._looked = _ply(snapshot), now

    def look(self) -> BoardTestShown | None:
        """Returns how the test goes, and lets it go on for a while; None where none is on. One that is done
        is over."""
        with self._lock:
            if not self._is_on():
                return None
            assert self._test
            self._looked = self._clock()
            status = self._test.status(self._looked)
            if status.done:
                self._test = None
            return status

    def end(self, *, anyway: bool = False) -> None:
        """Ends the test before it is done; GameError while something that was moved is not back, unless
        it is to end `anyway`."""
        with self._lock:
            if self._is_on() and self._test and not anyway:
                self._test.check_put_back()
            self._test = None

    def sift(self, sighting: Sighting) -> Sighting:
        """Takes a sighting, and returns what of it is for the table."""
        with self._lock:
            if not self._is_on():
                return sighting
            assert self._test
            self._test.see(sighting, self._clock())
        note = sighting.note if sighting.trouble else TESTED
        return replace(sighting, observation=None, note=note, touches=None)

    def _is_on(self) -> bool:
        """Returns whether a test is on. It ends with the position that it is of, and when nobody looks."""
        is_current = _ply(self._snapshot()) == self._ply
        if not is_current or self._clock() - self._looked >= UNWATCHED_S:
            self._test = None
        return self._test is not None


def _ply(snapshot: Snapshot) -> tuple[int | None, int]:
    session = snapshot.session
    return snapshot.number, len(session.actions) if session else 0
