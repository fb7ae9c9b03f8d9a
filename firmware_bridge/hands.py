"""Hands over a simulated grid: how people really move pieces, as switches feel it.

From the sites that are occupied before and after an action to a timed script of closings and openings:
captures lift either piece first, pieces are carried or slid, contacts chatter, a now and then a reading
is wrong for a moment.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from companion.core import Site


class Contact(NamedTuple):
    """A site's switch closes or opens at a time (seconds)."""

    time: float
    site: Site
    closed: bool


@dataclass(frozen=True, slots=True)
class Habits:
    """How a person moves: seconds a hand takes, and how often it does what."""

    pause: tuple[float, float] = (0.15, 0.6)
    slide: float = 0.2
    own_first: float = 0.5
    jitter: float = 0.005
    wrong: float = 0.01


class Carry(NamedTuple):
    """A piece that goes from one site to another, over others if it is slid; `end` is None for off the
    board, `start` for onto it."""

    start: Site | None
    end: Site | None
    over: tuple[Site, ...] = ()


def act_out(
    carries: Sequence[Carry], start: float, rng: random.Random, habits: Habits | None = None
) -> list[Contact]:
    """The contacts of an action, in order. In a capture, where a piece goes off from where another
    comes to, either may be lifted first."""
    habits = habits or Habits()
    steps = _steps(list(carries), rng, habits)
    time, contacts = start, []
    for site, closed, hurried in steps:
        time += rng.uniform(0.04, 0.12) if hurried else rng.uniform(*habits.pause)
        contacts += _contact(Contact(time, site, closed), rng, habits)
    return sorted(contacts)


def false_contacts(
    sites: Sequence[Site],
    closed: frozenset[Site],
    start: float,
    rng: random.Random,
    habits: Habits | None = None,
) -> list[Contact]:
    """Readings that are wrong for a scan or two, each site with a chance of `wrong`: of sites at rest, of
    which `closed` are occupied."""
    habits = habits or Habits()
    found = []
    for site in sites:
        if rng.random() < habits.wrong:
            time = start + rng.uniform(0, 0.3)
            found += [Contact(time, site, site not in closed), Contact(time + 0.01, site, site in closed)]
    return sorted(found)


def _steps(carries: list[Carry], rng: random.Random, habits: Habits) -> list[tuple[Site, bool, bool]]:
    """Lifts and placings as (site, closed, quickly after the one before)."""
    taken = [c for c in carries if c.end is None and c.start is not None]
    moved = [c for c in carries if c.end is not None]
    off = [(c.start, False, False) for c in taken if c.start is not None]
    steps: list[tuple[Site, bool, bool]] = []
    if moved and moved[0].start is not None and taken and rng.random() < habits.own_first:
        first = moved.pop(0)
        assert first.start is not None
        assert first.end is not None
        return [(first.start, False, False), *off, (first.end, True, False), *_carried(moved, rng, habits)]
    steps += off
    return steps + _carried(moved, rng, habits)


def _carried(moved: list[Carry], rng: random.Random, habits: Habits) -> list[tuple[Site, bool, bool]]:
    steps: list[tuple[Site, bool, bool]] = []
    for carry in moved:
        if carry.start is not None:
            steps.append((carry.start, False, False))
        slid = carry.over and rng.random() < habits.slide
        for site in carry.over if slid else ():
            steps += [(site, True, True), (site, False, True)]
        assert carry.end is not None
        steps.append((carry.end, True, bool(slid)))
    return steps


def _contact(contact: Contact, rng: random.Random, habits: Habits) -> list[Contact]:
    """The contact, with the chatter before it settles."""
    time, site, closed = contact
    times = sorted(time + rng.uniform(0, habits.jitter) for _ in range(2 * rng.randint(0, 2)))
    states = [closed if i % 2 == 0 else not closed for i in range(len(times))]
    chatter = [Contact(t, site, state) for t, state in zip(times, states, strict=True)]
    return [*chatter, Contact(time + habits.jitter, site, closed)]
