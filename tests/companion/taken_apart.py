"""Actions taken apart into single touches, as hands may do them, and the eyes that see them.

An action is known here by the boards before and after it alone, so that what the referee makes of its parts
is checked by other means than its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import NamedTuple

from benchmarks.simulation.players import opening, play_on
from companion.core.game import EMPTY, Action, Look, Place
from companion.record.session import Session
from companion.referee import Referee
from companion.referee.evidence.looks import bare
from companion.referee.verdict.guide import GuideStep, owner_of
from companion.sensing.observation import Observation, Reading, Sighting, Touch
from companion.store.store import Store
from companion.table import messages as m
from companion.table.desk import Desk
from tests.companion.sensor import reading

EYES = ("perfect", "blind", "grid")
PAUSES = (0.2, 1.0, 1.6, 3.0, 10.0)
"""Seconds between touches: a quick hand, a hesitation, and longer than every wait of the policy."""
STEP = 0.2
"""Seconds between sightings."""


class Part(NamedTuple):
    """One touch: a piece is lifted from a place (`look` is empty), or put down there."""

    place: Place
    look: Look


def pieces_of(looks: Mapping[Place, Look]) -> dict[Place, Look]:
    """Returns a board as players lay it who leave the markers out."""
    return {place: bare(look) for place, look in looks.items() if bare(look) != EMPTY}


def parts_of(session: Session, action: Action) -> list[Part]:
    """Returns the touches that an action takes, in no order."""
    rules, position = session.rules, session.position
    before = pieces_of(rules.look(position))
    after = pieces_of(rules.look(rules.play(position, action).position))
    changed = sorted({place for place, _ in before.items() ^ after.items()})
    lifted = [Part(place, EMPTY) for place in changed if place in before]
    return lifted + [Part(place, after[place]) for place in changed if place in after]


def chosen(session: Session, rng: Random) -> Action | None:
    """Returns an action that hands do on the board, one of many parts more often; None for none."""
    actions = [a for a in session.rules.legal(session.position) if "?" not in a and parts_of(session, a)]
    if not actions:
        return None
    many = max(len(parts_of(session, action)) for action in actions)
    rich = [action for action in actions if len(parts_of(session, action)) == many]
    return rng.choice(rich if rng.random() < 0.5 else actions)


class Orders:
    """The orders in which hands can do the parts of an action.

    A piece is put where nothing stands, and after it was lifted: it, or where it is of another kind now, one
    of its owner's, unless it comes from beside. The piece that the action names is the one that is carried to
    where the action ends. The kinds that no sensor tells apart count: a king is no rook.
    """

    def __init__(self, session: Session, action: Action) -> None:
        self.parts, self._path = parts_of(session, action), session.rules.path(action)
        rules, after = session.rules, session.rules.play(session.position, action).position
        self._was, self._now = pieces_of(rules.pieces(session.position)), pieces_of(rules.pieces(after))
        puts = Counter(owner_of(part.look) for part in self.parts if part.look != EMPTY)
        lifts = Counter(self._owner(part) for part in self.parts if part.look == EMPTY)
        self._beside = puts - lifts

    def draw(self, rng: Random) -> tuple[Part, ...]:
        """Returns an order, drawn by chance."""
        done: tuple[Part, ...] = ()
        while len(done) < len(self.parts):
            done = (*done, rng.choice(self._next(frozenset(done))))
        return done

    def count(self) -> int:
        """Returns how many orders there are."""

        @cache
        def rest(done: frozenset[Part]) -> int:
            return sum(rest(done | {part}) for part in self._next(done)) if len(done) < len(self.parts) else 1

        return rest(frozenset())

    def _next(self, done: frozenset[Part]) -> list[Part]:
        """Returns the parts that hands can do next."""
        left = [part for part in self.parts if part not in done]
        lifts = [part for part in left if part.look == EMPTY]
        waiting = {part.place for part in lifts}
        waiting |= {self._path[-1]} if len(self._path) > 1 and self._path[0] in waiting else set()
        in_hand = Counter(self._beside)
        in_hand.update(self._owner(part) for part in done if part.look == EMPTY)
        in_hand.subtract(self._owner(part) for part in done if part.look != EMPTY)
        lifted = {self._piece(part) for part in done if part.look == EMPTY}
        waiting |= {part.place for part in left if self._piece(part) in {*map(self._piece, lifts)} - lifted}
        puts = (part for part in left if part.look != EMPTY and part.place not in waiting)
        return lifts + [part for part in puts if in_hand[self._owner(part)] > 0]

    def _piece(self, part: Part) -> Look:
        return (self._was if part.look == EMPTY else self._now)[part.place]

    def _owner(self, part: Part) -> str:
        return owner_of(self._piece(part))


@dataclass
class Table:
    """A desk that sees a board on which hands do one touch after the other."""

    session: Session
    eyes: str
    board: dict[Place, Look] = field(default_factory=dict)
    time: float = 0.0
    kinds: list[str] = field(default_factory=list)
    """The kinds of all verdicts that were shown."""
    events: list[str] = field(default_factory=list)
    store: Store = field(default_factory=lambda: Store(":memory:"))

    def open_again(self) -> None:
        """Ends the desk, and opens its game at another one: what was seen and felt before is forgotten."""
        self.desk, number = (
            Desk(self.store, Referee(clock=lambda: 0.0), wall=lambda: self.time),
            self.desk.snapshot.number,
        )
        reply, _ = self.desk.handle(m.OpenGame(number or 0))
        assert reply.ok, reply.words

    def __post_init__(self) -> None:
        self.desk = Desk(self.store, Referee(clock=lambda: 0.0), wall=lambda: self.time)
        reply, _ = self.desk.handle(m.NewGame(self.session.text))
        assert reply.ok, reply.words
        self.known = self.session.rules.looks(self.session.position)
        self.board = pieces_of(self.session.look)
        self.wait(1.0)

    def touch(self, part: Part, pause: float) -> None:
        """Does a touch, and leaves the board alone for so many seconds."""
        self.time += STEP
        if part.look == EMPTY:
            self.board.pop(part.place, None)
        else:
            self.board[part.place] = part.look
        touch = Touch(self.time, part.place, part.look == EMPTY)
        self._see(hand=True, touches=(touch,))
        self.wait(pause, hidden=part.place)

    def do(self, step: GuideStep) -> None:
        """Does what a step on the card says, without a pause."""
        if step.start and step.start != step.end:
            self.touch(Part(step.start, EMPTY), STEP)
        if step.end:
            seen = step.look in self.known
            look = bare(step.look if seen else self.desk.session.look.get(step.end, step.look))
            self.touch(Part(step.end, look), STEP)

    def wait(self, seconds: float, hidden: Place = "") -> None:
        for _ in range(round(seconds / STEP)):
            self.time += STEP
            self._see(hidden=hidden if self.eyes == "blind" else "")

    def _see(self, hand: bool = False, hidden: Place = "", touches: tuple[Touch, ...] = ()) -> None:
        is_grid = self.eyes == "grid"
        places = (*self.session.game.board.sites, *self.session.game.board.places)
        read = _felt if is_grid else self._seen
        readings = {p: read(self.board.get(p, EMPTY)) for p in places if p != hidden}
        seen = Observation(self.time, readings, "sensor")
        felt = touches if is_grid else ()
        sighting = Sighting(self.time, "sensor", seen, hand=hand and not is_grid, touches=felt)
        _, happened = self.desk.handle(m.SightingArrived(sighting))
        self.events += [happening.event for happening in happened]
        if verdict := self.desk.snapshot.verdict:
            self.kinds.append(verdict.kind)

    def _seen(self, look: Look) -> Reading:
        return reading(look, self.known)


def begun_by_chance(
    head: str, eyes: str, seed: int, plies: int, pauses: Sequence[float]
) -> tuple[Table, Session, Action, tuple[Part, ...]] | None:
    """Plays so many plies, and begins or does another action; returns the table, the session before, the
    action and all its touches in their order. None where nothing can be played."""
    rng = Random(seed)
    session = play_on(opening(head, rng), plies, rng)
    action = None if session.outcome else chosen(session, rng)
    if action is None:
        return None
    table, parts = Table(session, eyes), Orders(session, action).draw(rng)
    for n, part in enumerate(parts[: rng.randint(1, len(parts))]):
        table.touch(part, pauses[n % len(pauses)])
    return table, session, action, parts


@cache
def _felt(look: Look) -> Reading:
    """Returns what a grid knows: whether anything stands there."""
    return Reading({EMPTY: -8.0}, 0.0) if look != EMPTY else Reading({EMPTY: 0.0}, -8.0)
