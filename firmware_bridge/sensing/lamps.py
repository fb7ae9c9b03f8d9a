"""The lamps under the board: what they show, in four colours, and how it is told to the device.

While something is to be put right, they show where a piece has to be taken from and where it goes; while
something is asked, where the choices end; else where the last action was. They show what a spectator may see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol, TypeAlias, runtime_checkable

from companion.core.game import Place, Site
from companion.wire.state import GuideStep, Told, ToldGame
from firmware_bridge.line.messages import Light

Colour: TypeAlias = tuple[int, int, int]
"""Red, green and blue, 0 to 255; the firmware dims them."""
DARK: Colour = (0, 0, 0)
TAKE: Colour = (48, 8, 0)
PUT: Colour = (0, 40, 0)
ASKED: Colour = (24, 0, 40)
LAST: Colour = (6, 6, 10)
LAMPS_OF_A_MESSAGE = 20
"""Lamps whose colours fit into one message."""


@runtime_checkable
class Lighted(Protocol):
    """A source that has a lamp at each of its sites."""

    @property
    def lit_sites(self) -> Sequence[Site]:
        """The sites with a lamp; () while that is not known."""

    def shine(self, colours: Mapping[Site, Colour]) -> None:
        """Lights these lamps and no others."""


class Lamps:
    """The lamps of a grid: keeps the colours that are wanted, and sends them to whichever device is there."""

    def __init__(self, send: Callable[[Light], object]) -> None:
        self._send = send
        self._colours: dict[Site, Colour] = {}
        self._instead: dict[Site, Colour] | None = None
        self._sites: Sequence[Site] = ()

    def connect(self, sites: Sequence[Site]) -> None:
        """Lights a device that has come up, with a lamp at each of these sites; () where it has none."""
        self._sites = sites
        self._send_all()

    def shine(self, colours: Mapping[Site, Colour]) -> None:
        """Lights these lamps and no others."""
        self._show(dict(colours), self._instead)

    def shine_instead(self, colours: Mapping[Site, Colour] | None) -> None:
        """Lights these lamps in place of those that are wanted, until None is said."""
        self._show(self._colours, None if colours is None else dict(colours))

    @property
    def _shown(self) -> Mapping[Site, Colour]:
        return self._colours if self._instead is None else self._instead

    def _show(self, colours: dict[Site, Colour], instead: dict[Site, Colour] | None) -> None:
        before = self._shown
        self._colours, self._instead = colours, instead
        if self._shown != before:
            self._send_all()

    def _send_all(self) -> None:
        for message in light(self._shown, self._sites):
            self._send(message)


def lamps_of(state: Told, sites: Sequence[Site]) -> dict[Site, Colour]:
    """Returns the lamps that are lit, for what the page shows (`companion.table.present`) to a spectator."""
    lit = {_site_of(place, sites): colour for place, colour in _lit(state)}
    return {site: colour for site, colour in lit.items() if site is not None}


def light(colours: Mapping[Site, Colour], sites: Sequence[Site]) -> Iterator[Light]:
    """Yields the messages that set all lamps; the last of them shows all at once."""
    for first in range(0, len(sites), LAMPS_OF_A_MESSAGE):
        part = sites[first : first + LAMPS_OF_A_MESSAGE]
        is_last = first + LAMPS_OF_A_MESSAGE >= len(sites)
        values = bytes(value for site in part for value in colours.get(site, DARK))
        yield Light(first, int(is_last), values)


def _lit(state: Told) -> Iterator[tuple[Place, Colour]]:
    """Yields the places that are lit: those of a refusal before those of a question and the last action."""
    if not isinstance(state, ToldGame):
        return
    if state.verdict:
        step = next(iter(state.verdict.steps), GuideStep())
        yield from ((place, colour) for place, colour in ((step.start, TAKE), (step.end, PUT)) if place)
    elif state.question:
        yield from ((choice.sites[-1], ASKED) for choice in state.question.choices if choice.sites)
    elif state.last:
        yield from ((place, LAST) for place in state.last.sites)


def _site_of(place: Place, sites: Sequence[Site]) -> Site | None:
    """Returns the site of a place, which may be a part of one: `b2nw` is at `b2`."""
    return max((site for site in sites if place.startswith(site)), key=len, default=None)
