"""Paths of hands: the places that actions name, and where a piece is taken up and put down."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from companion.core.game import Action, Place
from companion.core.rules import Rules
from companion.referee.evidence.looks import bare
from companion.referee.evidence.timeline import AHEAD, HandlingTimeline

SITE = re.compile(r"[A-Za-z]\d+")


@lru_cache(maxsize=100_000)
def path_of(rules: Rules[Any], action: Action) -> tuple[Place, ...]:
    """Returns the places that an action names, in the order in which hands come to them."""
    return rules.path(action)


def grip(rules: Rules[Any], action: Action) -> tuple[Place, ...]:
    """Returns where an action begins and ends; () where it is not done on the board."""
    path = path_of(rules, action)
    return (path[0], path[-1]) if path else ()


def with_sites(places: frozenset[Place]) -> set[Place]:
    """Returns the places and the sites that they are parts of: `b2nw` and `b2`."""
    return {*places, *(match[0] for place in places if (match := SITE.match(place)))}


def ends(rules: Rules[Any], actions: Iterable[Action]) -> frozenset[Place]:
    """Returns the places where these actions take a piece up or put it down."""
    return frozenset(place for action in actions for place in grip(rules, action))


def carried(rules: Rules[Any], actions: Iterable[Action]) -> list[tuple[Place, Place]]:
    """Returns from where to where these actions move pieces."""
    paths = (path_of(rules, action) for action in actions)
    return [(path[0], path[1]) for path in paths if len(path) == 2]


def origins_of(rules: Rules[Any], actions: Iterable[Action]) -> dict[Place, Place]:
    """Returns for each place where these actions left a piece, from where it came at first."""
    origins: dict[Place, Place] = {}
    for action in actions:
        path = path_of(rules, action)
        if len(path) > 1:
            start, end = path[0], path[-1]
            origins[end] = origins.pop(start, start)
    return origins


def ahead(
    rules: Rules[Any], timeline: HandlingTimeline, origins: Mapping[Place, Place], before: Any, after: Any
) -> float:
    """Returns the cost of pieces that came from these origins and were seen to arrive before they left.

    A piece of another kind costs nothing, for it may have come from beside the board. Nor does one whose
    origin another piece took, in an action of its own or in exchange: when it left is not known.
    """
    early = [
        (start, end)
        for end, start in origins.items()
        if start not in origins and timeline.is_ahead(start, end)
    ]
    if not early:
        return 0.0
    was = _bare_pieces(rules, before)
    now = _bare_pieces(rules, after)
    left = [(start, end) for start, end in early if start not in now]
    return AHEAD * sum(was.get(start) == now.get(end) != was.get(end) for start, end in left)


def _bare_pieces(rules: Rules[Any], position: Any) -> dict[Place, str]:
    return {place: bare(look) for place, look in rules.pieces(position).items()}
