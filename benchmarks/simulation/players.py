"""Simulated players: what they play, and twenty ways in which their hands break the rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, TypeAlias

from companion.core.game import EMPTY, Action, GameError, Look, Place
from companion.core.rules import Rules
from companion.games.text import read_game
from companion.record.session import Entry, Session, begin

Looks: TypeAlias = dict[Place, Look]
PLIES = 80
NEW = "unknown"


def opening(head: str, rng: Random) -> Session:
    """Returns a session at the first position that players decide in."""
    game = read_game(head)
    session = begin(game)
    while dealt := game.rules.deal(session.position, {**game.options, "setup": "random"}, rng):
        session = session.apply(Entry("action", dealt))
    return session


def choose(rules: Rules[Any], position: Any, rng: Random, ends: float = 0.6) -> Action:
    """Returns what a player plays: anything, but turns are ended before long."""
    actions = list(rules.legal(position))
    if "end" in actions and (rng.random() < ends or len(actions) == 1):
        return "end"
    return rng.choice([action for action in actions if action != "end"])


def decide(session: Session, rng: Random) -> Action:
    """Returns what a player plays next. No whole turn is passed: that is told on the page."""
    before = session.plies[-2].after if len(session.plies) > 1 else session.first
    fresh = not session.plies or before.turn != session.position.turn
    return choose(session.rules, session.position, rng, ends=0.0 if fresh else 0.6)


def play_on(session: Session, plies: int, rng: Random) -> Session:
    """Returns the session some plies later, or at the end of the game."""
    for _ in range(plies):
        if session.outcome:
            break
        session = session.apply(Entry("action", decide(session, rng)))
    return session


def end_turn(session: Session, rng: Random) -> Session:
    """Returns the session at the beginning of the next turn."""
    turn = session.position.turn
    while session.position.turn == turn and not session.outcome:
        session = play_on(session, 1, rng)
    return session


def turn_of(session: Session, rng: Random) -> tuple[Action, ...]:
    """Returns the actions of a whole turn, with the answers owed in it."""
    after = play_on(session, 1, rng)
    while after.position.turn == session.position.turn and not after.outcome:
        after = play_on(after, 1, rng)
    return after.actions[len(session.plies) :]


Break: TypeAlias = Callable[["Hands"], Looks | None]


class Hands:
    """A board in a position, to be changed by hands that break the rules."""

    def __init__(self, session: Session, rng: Random) -> None:
        self.session, self.rng = session, rng
        self.rules, self.position = session.rules, session.position
        self.looks: Looks = dict(sorted(self.rules.look(self.position).items()))
        self.faces = [look for look in self.rules.looks(self.position) if look != EMPTY and "+" not in look]
        taken = set(self.looks)
        self.did: tuple[Action, ...] = ()
        """The allowed actions that they did."""
        self.free = [p for p in (*session.game.board.sites, *session.game.board.places) if p not in taken]

    def pick(self, own: bool | None = None) -> Place | None:
        """Returns the place of a piece: the mover's, another's, or anyone's."""
        mover = self.position.to_act
        places = [
            p
            for p, look in self.looks.items()
            if own is None or (look.partition("/")[0].partition("+")[0] == mover) == own
        ]
        return self.rng.choice(places) if places else None

    def fits(self, place: Place, look: Look) -> bool:
        """Returns whether a piece of this kind can stand there at all: a Port stands in a corner."""
        alike = {len(p) > 3 for p, other in self.looks.items() if other == look}
        return not alike or (len(place) > 3) in alike

    def spot(self, look: Look) -> Place | None:
        places = [p for p in self.free if self.fits(p, look)]
        return self.rng.choice(places) if places else None

    def carried(self, looks: Looks, start: Place | None) -> Looks | None:
        """Returns the board with a piece on some empty place."""
        if start is None or start not in looks:
            return None
        end = self.spot(looks[start])
        if end is None or end in looks:
            return None
        after = dict(looks)
        after[end] = after.pop(start)
        return after

    def without(self, looks: Looks, place: Place | None) -> Looks | None:
        return None if place not in looks else {p: look for p, look in looks.items() if p != place}

    def onto(self, start: Place | None, end: Place | None) -> Looks | None:
        if start is None or end is None or start == end or not self.fits(end, self.looks[start]):
            return None
        after = dict(self.looks)
        after[end] = after.pop(start)
        return after

    def with_look(self, place: Place | None, look: Look | None) -> Looks | None:
        return None if place is None or look is None else {**self.looks, place: look}

    def added(self, own: bool) -> Looks | None:
        mover = self.position.to_act
        faces = [f for f in self.faces if (f.partition("/")[0] == mover) == own]
        if not faces:
            return None
        look = self.rng.choice(faces)
        return self.with_look(self.spot(look), look)

    def turned(self, place: Place | None) -> Looks | None:
        if place is None:
            return None
        look, owner = self.looks[place], self.looks[place].partition("/")[0]
        faces = [f for f in self.faces if f.partition("/")[0] == owner and f != look and self.fits(place, f)]
        return self.with_look(place, self.rng.choice(faces)) if faces else None

    def recoloured(self, place: Place | None) -> Looks | None:
        if place is None:
            return None
        owner = self.looks[place].partition("/")[0]
        faces = [f for f in self.faces if f.partition("/")[0] != owner and self.fits(place, f)]
        return self.with_look(place, self.rng.choice(faces)) if faces else None

    def swapped(self) -> Looks | None:
        a, b = self.pick(), self.pick()
        if a is None or b is None or self.looks[a] == self.looks[b] or not self.fits(a, self.looks[b]):
            return None
        return {**self.looks, a: self.looks[b], b: self.looks[a]}

    def played(self) -> Looks:
        """Returns the board after a legal action."""
        action = choose(self.rules, self.position, self.rng)
        self.did = (action,)
        return dict(self.rules.look(self.rules.play(self.position, action).position))

    def out_of_turn(self, looks: Mapping[Place, Look], player: str) -> Looks | None:
        """Returns an action of a player whose turn it is not."""
        try:
            other = self.rules.arrange(self.position, {**looks}, player)
            action = choose(self.rules, other, self.rng)
            return dict(self.rules.look(self.rules.play(other, action).position))
        except (GameError, IndexError):
            return None

    def replied(self) -> Looks | None:
        others = [p for p in self.session.players if p != self.position.to_act]
        return self.out_of_turn(self.rules.pieces(self.position), self.rng.choice(others)) if others else None

    def moved_twice(self) -> Looks | None:
        after = self.rules.play(self.position, choose(self.rules, self.position, self.rng)).position
        if after.turn == self.position.turn:
            return None
        return self.out_of_turn(self.rules.pieces(after), self.position.turn)

    def shifted(self) -> Looks | None:
        looks: Looks | None = dict(self.looks)
        for _ in range(3):
            looks = self.carried(looks, self.pick()) if looks else None
        return looks


def _two(hands: Hands) -> Looks | None:
    once = hands.carried(hands.looks, hands.pick())
    return hands.carried(once, hands.pick()) if once else None


BREAKS: dict[str, Break] = {
    "own to wrong place": lambda h: h.carried(h.looks, h.pick(own=True)),
    "other's to wrong place": lambda h: h.carried(h.looks, h.pick(own=False)),
    "own onto own": lambda h: h.onto(h.pick(own=True), h.pick(own=True)),
    "own onto other's": lambda h: h.onto(h.pick(own=True), h.pick(own=False)),
    "other's onto own": lambda h: h.onto(h.pick(own=False), h.pick(own=True)),
    "own removed": lambda h: h.without(h.looks, h.pick(own=True)),
    "other's removed": lambda h: h.without(h.looks, h.pick(own=False)),
    "two removed": lambda h: h.without(h.without(h.looks, h.pick()) or {}, h.pick()),
    "own added": lambda h: h.added(own=True),
    "other's added": lambda h: h.added(own=False),
    "unknown added": lambda h: h.with_look(h.spot(next(iter(h.looks.values()), "")), NEW),
    "recoloured": lambda h: h.recoloured(h.pick()),
    "turned": lambda h: h.turned(h.pick()),
    "swapped": lambda h: h.swapped(),
    "out of turn": lambda h: h.replied(),
    "moved twice": lambda h: h.moved_twice(),
    "played and carried": lambda h: h.carried(h.played(), h.pick()),
    "played and removed": lambda h: h.without(h.played(), h.pick()),
    "two to wrong places": _two,
    "three to wrong places": lambda h: h.shifted(),
}
