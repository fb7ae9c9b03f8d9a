"""Where actions take hands: which places they name, where they take a piece up and put it down."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from companion.core import Action, Place, Rules
from companion.referee.course import AHEAD, Course
from companion.referee.looks import bare

SITE = re.compile(r"[A-Za-z]\d+")


@lru_cache(maxsize=100_000)
def path_of(rules: Rules[Any], action: Action) -> tuple[Place, ...]:
    return rules.path(action)


def grip(rules: Rules[Any], action: Action) -> tuple[Place, ...]:
    """Where an action begins and ends."""
    path = path_of(rules, action)
    return (path[0], path[-1]) if path else ()


def with_sites(places: frozenset[Place]) -> set[Place]:
    """The places and the sites that they are parts of: `b2nw` and `b2`."""
    return {*places, *(match[0] for place in places if (match := SITE.match(place)))}


def ends(rules: Rules[Any], actions: Iterable[Action]) -> frozenset[Place]:
    """The places that hands touch: where each action takes a piece up, and where it puts it down."""
    return frozenset(place for action in actions for place in grip(rules, action))


def origins_of(rules: Rules[Any], actions: Iterable[Action]) -> dict[Place, Place]:
    """For each place where these actions left a piece, from where it came at first."""
    origins: dict[Place, Place] = {}
    for start, *_, end in (path for action in actions if len(path := path_of(rules, action)) > 1):
        origins[end] = origins.pop(start, start)
    return origins


def ahead(
    rules: Rules[Any], course: Course, origins: Mapping[Place, Place], before: Any, after: Any
) -> float:
    """What speaks against pieces that came from these origins and were there before they left; one of another
    kind may have come from beside the board. When a place was left that another piece took is not known."""
    left = {end: start for end, start in origins.items() if start not in origins}
    early = [(start, end) for end, start in left.items() if course.is_ahead(start, end)]
    if not early:
        return 0.0
    was, now = (
        {place: bare(look) for place, look in rules.pieces(position).items()} for position in (before, after)
    )
    return AHEAD * sum(was.get(start) == now.get(end) != was.get(end) for start, end in early)


def carried(rules: Rules[Any], actions: Iterable[Action]) -> list[tuple[Place, Place]]:
    """From where to where these actions move pieces."""
    paths = (path_of(rules, action) for action in actions)
    return [(path[0], path[1]) for path in paths if len(path) == 2]
