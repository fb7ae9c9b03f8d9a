"""Where actions take hands: which places they name, where they take a piece up and put it down."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from companion.core import Action, Place, Rules

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


def carried(rules: Rules[Any], actions: Iterable[Action]) -> list[tuple[Place, Place]]:
    """From where to where these actions move pieces."""
    paths = (path_of(rules, action) for action in actions)
    return [(path[0], path[1]) for path in paths if len(path) == 2]
