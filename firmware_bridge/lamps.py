"""What the lamps under the board show: what the page shows, in four colours.

While something is to be put right, where a piece has to be taken from and where it goes; while something is
asked, where the choices end; else where the last action was. It is made of what a spectator may see.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from companion.core import Place, Site
from firmware_bridge.messages import Light

Colour: TypeAlias = tuple[int, int, int]
"""Red, green and blue, 0 to 255; the firmware dims them."""
DARK: Colour = (0, 0, 0)
TAKE: Colour = (48, 8, 0)
PUT: Colour = (0, 40, 0)
ASKED: Colour = (24, 0, 40)
LAST: Colour = (6, 6, 10)
OF_A_FRAME = 20
"""Lamps whose colours fit into one message."""


def lamps_of(state: Mapping[str, Any], sites: Sequence[Site]) -> dict[Site, Colour]:
    """The lamps that are lit, for what the page shows (`companion.present`) to a spectator."""
    lit = {_site_of(place, sites): colour for place, colour in _lit(state)}
    return {site: colour for site, colour in lit.items() if site is not None}


def light(colours: Mapping[Site, Colour], sites: Sequence[Site]) -> Iterator[Light]:
    """The messages that set all lamps and then show them at once."""
    for first in range(0, len(sites), OF_A_FRAME):
        part = sites[first : first + OF_A_FRAME]
        values = bytes(value for site in part for value in colours.get(site, DARK))
        yield Light(first, int(first + OF_A_FRAME >= len(sites)), values)


def _lit(state: Mapping[str, Any]) -> Iterable[tuple[Place, Colour]]:
    verdict, question, last = (state.get(key) for key in ("verdict", "question", "last"))
    if verdict:
        step: Mapping[str, Place | None] = next(iter(verdict["steps"]), {})
        ends = ((step.get("from"), TAKE), (step.get("to"), PUT))
        return [(place, colour) for place, colour in ends if place]
    if question:
        return [(choice["sites"][-1], ASKED) for choice in question["choices"] if choice["sites"]]
    return [(place, LAST) for place in last["sites"]] if last else []


def _site_of(place: Place, sites: Sequence[Site]) -> Site | None:
    """The site of a place, which may be a part of one: `b2nw` is at `b2`."""
    return max((site for site in sites if place.startswith(site)), key=len, default=None)
