"""Simulates hands that move pieces over a grid of switches.

`carries` tells from the pieces before and after an action what hands have to do for it, and `act_out` makes
of that a timed script of contacts that close and open. The script has the habits of people: in a capture
either piece is lifted first, pieces are carried or slid, and some are lifted and put back before they are
moved. It has the faults of switches too: contacts chatter, and now and then a reading is wrong for a moment.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from companion.core.game import Look, Place, Site


class Contact(NamedTuple):
    """A site's switch closes or opens at a time (seconds)."""

    time: float
    site: Site
    closed: bool


@dataclass(frozen=True, slots=True)
class Habits:
    """The habits of a person's hands and the errors of switches: shares of all cases (0 to 1), and seconds.

    `waver` is the share of pieces that are lifted, put back and lifted again; `swap` that of pieces to be
    exchanged (a promotion) that are put down first. A site at rest reads wrongly in a share `wrong` of all
    actions, for `wrong_for` seconds on average.
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
    """A piece that goes from one site to another, over others if it is slid.

    `end` is None for a piece that leaves the board, `start` for one that comes onto it. A piece that
    `becomes` another is exchanged, or built upon.
    """

    start: Site | None
    end: Site | None
    over: tuple[Site, ...] = ()
    becomes: bool = False


class _Step(NamedTuple):
    """A switch closes or opens, after a pause (None: as long as the hand takes)."""

    site: Site
    closed: bool
    pause: tuple[float, float] | None = None


PASSING = (0.04, 0.12)
"""Seconds that a piece stays on a site which it slides over."""
TURNING = (0.35, 1.2)
"""Seconds that a disc takes to be turned over."""


def carries(
    before: Mapping[Place, Look],
    after: Mapping[Place, Look],
    path: Sequence[Place],
    over: tuple[Site, ...] = (),
) -> list[Carry]:
    """Returns what hands have to do for an action along `path`, which may lead over other sites.

    Captured pieces go off first, then each piece goes to its place, and new ones come from beside the
    board. A piece that only turns over goes to where it was. A path moves a piece only if one stood where
    it begins, and one stands where it ends.
    """
    if path and (path[0] not in before or path[-1] not in after):
        path = ()
    removed, relocated = _others(before, after, path)
    if not path:
        return [*removed, *relocated]
    start, end = path[0], path[-1]
    captured = [Carry(end, None)] if len(path) > 1 and end in before else []
    over = () if relocated else over  # who moves several pieces lifts them
    moved = Carry(start, end, over, becomes=before[start] != after.get(end))
    return [*captured, *removed, moved, *relocated]


def _others(
    before: Mapping[Place, Look], after: Mapping[Place, Look], path: Sequence[Place]
) -> tuple[list[Carry], list[Carry]]:
    """Returns the other pieces that move: those that leave the board, and those that come or go elsewhere."""
    came = [place for place in after if place not in before and place not in path[-1:]]
    removed, relocated = [], []
    for place, look in before.items():
        if place in after or place in path[:1]:
            continue
        end = next((p for p in came if after[p] == look), None)
        if end is None:
            removed.append(Carry(place, None))
        else:
            came.remove(end)
            relocated.append(Carry(place, end))
    return removed, [*relocated, *(Carry(None, place) for place in came)]


def act_out(
    carries: Sequence[Carry], start: float, rng: random.Random, habits: Habits | None = None
) -> list[Contact]:
    """Returns the contacts of an action that begins at `start`, in order of time."""
    habits = habits or Habits()
    time, contacts = start, []
    for site, closed, pause in _steps(carries, rng, habits):
        time += rng.uniform(*(pause or habits.pause))
        contacts += _with_chatter(Contact(time, site, closed), rng, habits)
    return sorted(contacts)


def false_contacts(
    sites: Sequence[Site],
    closed: frozenset[Site],
    span: tuple[float, float],
    rng: random.Random,
    habits: Habits | None = None,
) -> list[Contact]:
    """Returns readings of sites at rest that are wrong for a while, within a span of time.

    Of these sites those in `closed` are occupied.
    """
    habits = habits or Habits()
    found = []
    for site in sites:
        if rng.random() < habits.wrong:
            begins = rng.uniform(*span)
            ends = begins + rng.expovariate(1 / habits.wrong_for)
            found += [Contact(begins, site, site not in closed), Contact(ends, site, site in closed)]
    return sorted(found)


def debounced(contacts: Sequence[Contact], hold: float) -> list[Contact]:
    """Returns the contacts that last for `hold` seconds on their site: those that the firmware lets pass."""
    kept: list[Contact] = []
    coming: dict[Site, float] = {}
    for contact in reversed(contacts):
        if coming.get(contact.site, 1e9) - contact.time >= hold:
            kept.append(contact)
        coming[contact.site] = contact.time
    return kept[::-1]


def _steps(carries: Sequence[Carry], rng: random.Random, habits: Habits) -> list[_Step]:
    """Returns the steps of an action, in an order that a person may choose."""
    taken: list[_Step] = []
    moves: list[list[_Step]] = []
    for carry in carries:
        if carry.end is not None:
            moves.append(_move(carry, rng, habits))
        elif carry.start is not None:
            taken.append(_Step(carry.start, False))
    if len(moves) > 1 and rng.random() > habits.own_first:
        moves.reverse()
    lead = _lead(moves, taken, rng, habits)
    moving = list(chain.from_iterable(moves))
    return [*moving[:lead], *taken, *moving[lead:]]


def _lead(moves: list[list[_Step]], taken: list[_Step], rng: random.Random, habits: Habits) -> int:
    """Returns how many steps of the first move are made before the captured pieces are taken off."""
    if not moves or not taken or rng.random() >= habits.own_first:
        return 0
    is_free = taken[0].site != moves[0][-1].site
    if is_free and rng.random() < habits.own_first:
        return len(moves[0])
    return 1


def _move(carry: Carry, rng: random.Random, habits: Habits) -> list[_Step]:
    """Returns the steps of a piece from where it was to where it goes, or turned over on its place."""
    start, end, over, becomes = carry
    assert end is not None
    if start == end:
        return [_Step(end, False), _Step(end, True, TURNING)]
    steps = []
    if start is not None:
        steps.append(_Step(start, False))
        if rng.random() < habits.waver:
            steps += [_Step(start, True), _Step(start, False)]
    is_slid = bool(over) and rng.random() < habits.slide
    if is_slid:
        for site in over:
            steps += [_Step(site, True, PASSING), _Step(site, False, PASSING)]
    steps.append(_Step(end, True, PASSING if is_slid else None))
    if becomes and rng.random() < habits.swap:
        steps += [_Step(end, False), _Step(end, True)]
    return steps


def _with_chatter(contact: Contact, rng: random.Random, habits: Habits) -> list[Contact]:
    """Returns the contact, with the chatter before it settles."""
    time, site, closed = contact
    times = sorted(time + rng.uniform(0, habits.jitter) for _ in range(2 * rng.randint(0, 2)))
    states = [closed if i % 2 == 0 else not closed for i in range(len(times))]
    chatter = [Contact(t, site, state) for t, state in zip(times, states, strict=True)]
    return [*chatter, Contact(time + habits.jitter, site, closed)]
