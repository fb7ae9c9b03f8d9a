"""Hands over a simulated grid: how people really move pieces, as switches feel it.

From the pieces before and after an action to a timed script of closings and openings: captures lift either
piece first, pieces are carried or slid, lifted and put back before they are moved, contacts chatter, and
now and then a reading is wrong for a moment.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from companion.core import Look, Place, Site


class Contact(NamedTuple):
    """A site's switch closes or opens at a time (seconds)."""

    time: float
    site: Site
    closed: bool


@dataclass(frozen=True, slots=True)
class Habits:
    """How a person moves: seconds a hand takes, how often it does what, and how the switches err.

    `waver` is how often a piece is lifted, put back, and lifted again; `swap` how often a piece that is
    exchanged (a promotion) is put down first. A site at rest reads wrongly in `wrong` of all actions, for
    `wrong_for` seconds on average.
    """

    pause: tuple[float, float] = (0.15, 0.6)
    slide: float = 0.2
    own_first: float = 0.5
    waver: float = 0.03
    swap: float = 0.5
    jitter: float = 0.005
    wrong: float = 0.01
    wrong_for: float = 0.03


class Carry(NamedTuple):
    """A piece that goes from one site to another, over others if it is slid; `end` is None for off the
    board, `start` for onto it. What `becomes` another is exchanged, or built upon."""

    start: Site | None
    end: Site | None
    over: tuple[Site, ...] = ()
    becomes: bool = False


class _Step(NamedTuple):
    """A switch closes or opens, after a pause (None: as long as the hand takes)."""

    site: Site
    closed: bool
    pause: tuple[float, float] | None = None


_Steps: TypeAlias = list[_Step]
PASSING = (0.04, 0.12)
TURNING = (0.35, 1.2)
"""Seconds on a site that a piece slides over, and that a disc takes to be turned."""


def carries(
    before: Mapping[Place, Look],
    after: Mapping[Place, Look],
    path: Sequence[Place],
    over: tuple[Site, ...] = (),
) -> list[Carry]:
    """What hands have to do for an action along `path`, over sites between: off with what is taken, then
    each piece to its place; a piece that only turns over goes to where it was."""
    changes = bool(path) and before[path[0]] != after.get(path[-1])
    left = [p for p in before if p not in after and p not in path[:1]]
    came = [p for p in after if p not in before and p not in path[-1:]]
    also = [Carry(p, _alike(p, before, after, came)) for p in left]
    alone = all(c.end is None for c in also)
    moved = [Carry(path[0], path[-1], over if alone else (), changes)] if path else []
    taken = [Carry(path[-1], None)] if path and path[-1] in before and len(path) > 1 else []
    taken += [c for c in also if c.end is None]
    return [*taken, *moved, *(c for c in also if c.end is not None)]


def act_out(
    carries: Sequence[Carry], start: float, rng: random.Random, habits: Habits | None = None
) -> list[Contact]:
    """The contacts of an action, in order. In a capture, where a piece goes off from where another
    comes to, either may be lifted first."""
    habits = habits or Habits()
    time, contacts = start, []
    for site, closed, pause in _steps(list(carries), rng, habits):
        time += rng.uniform(*(pause or habits.pause))
        contacts += _contact(Contact(time, site, closed), rng, habits)
    return sorted(contacts)


def false_contacts(
    sites: Sequence[Site],
    closed: frozenset[Site],
    span: tuple[float, float],
    rng: random.Random,
    habits: Habits | None = None,
) -> list[Contact]:
    """Readings that are wrong for a while, within a span of time: of sites at rest, of which `closed` are
    occupied."""
    habits = habits or Habits()
    found = []
    for site in sites:
        if rng.random() < habits.wrong:
            begins = rng.uniform(*span)
            ends = begins + rng.expovariate(1 / habits.wrong_for)
            found += [Contact(begins, site, site not in closed), Contact(ends, site, site in closed)]
    return sorted(found)


def debounced(contacts: Sequence[Contact], hold: float) -> list[Contact]:
    """The contacts that hold until the next one on their site, for as long as the firmware wants."""
    kept: list[Contact] = []
    coming: dict[Site, float] = {}
    for contact in reversed(contacts):
        if coming.get(contact.site, 1e9) - contact.time >= hold:
            kept.append(contact)
        coming[contact.site] = contact.time
    return kept[::-1]


def _alike(
    place: Place, before: Mapping[Place, Look], after: Mapping[Place, Look], came: Sequence[Place]
) -> Place | None:
    return next((p for p in came if after[p] == before[place]), None)


def _steps(carries: list[Carry], rng: random.Random, habits: Habits) -> _Steps:
    taken = [_Step(c.start, False) for c in carries if c.end is None and c.start is not None]
    moves = [_moved(c, rng, habits) for c in carries if c.end is not None]
    if len(moves) > 1 and rng.random() > habits.own_first:
        moves.reverse()
    if not moves or not taken or rng.random() >= habits.own_first:
        return [*taken, *(step for move in moves for step in move)]
    first, *rest = moves
    aside = len(first) if taken[0].site != first[-1].site and rng.random() < habits.own_first else 1
    return [*first[:aside], *taken, *first[aside:], *(step for move in rest for step in move)]


def _moved(carry: Carry, rng: random.Random, habits: Habits) -> _Steps:
    """A piece from where it was to where it goes, or turned over on its place."""
    start, end, over, becomes = carry
    assert end is not None
    if start == end:
        return [_Step(end, False), _Step(end, True, TURNING)]
    steps = [] if start is None else [_Step(start, False)]
    if start is not None and rng.random() < habits.waver:
        steps += [_Step(start, True), _Step(start, False)]
    slid = bool(over) and rng.random() < habits.slide
    for site in over if slid else ():
        steps += [_Step(site, True, PASSING), _Step(site, False, PASSING)]
    steps.append(_Step(end, True, PASSING if slid else None))
    again = becomes and rng.random() < habits.swap
    return [*steps, _Step(end, False), _Step(end, True)] if again else steps


def _contact(contact: Contact, rng: random.Random, habits: Habits) -> list[Contact]:
    """The contact, with the chatter before it settles."""
    time, site, closed = contact
    times = sorted(time + rng.uniform(0, habits.jitter) for _ in range(2 * rng.randint(0, 2)))
    states = [closed if i % 2 == 0 else not closed for i in range(len(times))]
    chatter = [Contact(t, site, state) for t, state in zip(times, states, strict=True)]
    return [*chatter, Contact(time + habits.jitter, site, closed)]
