"""The walk of one magnet over a board, site by site: what answers at each, and what is asked for next.

Sites are places on the board. What answers is a wire, named by the site that the table of the wiring means it
for. A sensor that was not expected has to feel the magnet for longer than the expected one, since a hand may
rest on its way; and an answer is withdrawn when its sensor answers elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import NamedTuple

import msgspec

from companion.core.game import Site
from companion.core.whole_files import read_whole, write_whole
from companion.language import Phrases, say
from firmware_bridge.line.messages import Sensor
from firmware_bridge.line.wiring import Wiring
from firmware_bridge.setup.calibrate import Scan
from firmware_bridge.setup.exchanges import soldered_wires
from firmware_bridge.setup.magnet_watch import MagnetWatch

NOTES = "grid-walk.json"
"""The file of a walk that was broken off, beside that of the calibration."""
HOLD_S = 0.4
"""Seconds for which the magnet has to be still on the site that is asked for."""
OTHER_HOLD_S = 1.2
"""The same for a sensor that is not expected."""
OTHER_SHARE = 0.3
"""The share of the usual swing below which another sensor is no answer: it feels its neighbour's magnet."""
FEWEST_ANSWERS = 4
"""Answers from which the usual swing is known."""

PIECE_TRIED: Phrases = {
    True: "Piece {n}: {strength} of the walked magnet.",
    False: "Piece {n}: {strength} of the walked magnet, the other pole up.",
}


@dataclass(frozen=True, slots=True)
class SiteAnswer:
    """The wire that answered while a magnet was held on a site, and all levels by wire."""

    wire: Site
    levels: Scan
    swing: float


@dataclass(frozen=True, slots=True)
class PieceMagnet:
    """A piece's magnet: the site it was tried on, and its strength as a share of the walked one's."""

    site: Site
    share: float


class WalkNotice(NamedTuple):
    """Words for what was heard; `is_good` when a sensor is right."""

    words: str
    is_good: bool = False


class Walk:
    """A walk from site to site; `asked` is the site that is asked for, None when it is over."""

    def __init__(self, wiring: Wiring) -> None:
        self.order = walking_order(wiring)
        self.asked: Site | None = None
        self.answers: dict[Site, SiteAnswer | None] = {}
        """What answered at each site that was tried; None where the builder said that nothing does."""
        self.skipped: set[Site] = set()
        self.pieces: list[PieceMagnet] = []
        """The pieces that were tried on sites that had answered."""
        self._wiring = wiring
        self._doubted: tuple[Site, Site] | None = None
        """The site and the wire of an answer that looked like a builder who is one site ahead, or like two
        magnets."""

    @property
    def usual(self) -> float | None:
        """Returns the usual swing, in counts; None before a few answers."""
        swings = [abs(answer.swing) for answer in self.answers.values() if answer]
        return median(swings) if len(swings) >= FEWEST_ANSWERS else None

    @property
    def wires(self) -> dict[Site, Site]:
        """Returns the wires that end at another sensor than the table says, by what was heard so far."""
        heard = {site: answer.wire if answer else None for site, answer in self.answers.items()}
        return soldered_wires(heard, self._wiring.sites)

    @property
    def left(self) -> list[Site]:
        """Returns the sites that are still to be tried, in the order of the walk."""
        return [site for site in self.order if site not in self.answers and site not in self.skipped]

    def share(self, site: Site) -> float | None:
        """Returns how strongly a site's magnet was felt: 1 is usual, None is not known."""
        answer, usual = self.answers.get(site), self.usual
        return abs(answer.swing) / usual if answer and usual else None

    def _heard(self, wire: Site) -> tuple[Site, SiteAnswer] | None:
        """Returns the site at which a wire has answered, with the answer."""
        return next(((site, a) for site, a in self.answers.items() if a and a.wire == wire), None)

    def begin(self) -> None:
        """Begins the walk, or goes on with it at the first site that is left, if one is."""
        self._ask(self._next())

    def ask(self, site: Site) -> None:
        """Asks for a site, whatever is known of it: the walk goes on from there, after its end too."""
        self.answers.pop(site, None)
        self.skipped = self.skipped - {site} if self.asked else set()
        self._ask(site)

    def back(self) -> WalkNotice | None:
        """Asks again for the site before the one that is asked for."""
        if self.asked is not None:
            self.ask(self.order[self.order.index(self.asked) - 1])
        return None

    def skip(self) -> WalkNotice | None:
        """Leaves the site that is asked for untried."""
        site = self.asked
        if site is None:
            return None
        self.skipped.add(site)
        self._ask(self._next())
        return WalkNotice(say("{site} is left out.", site=site))

    def silence(self) -> WalkNotice | None:
        """Notes that the site that is asked for does not answer, although a magnet is on it."""
        site = self.asked
        if site is None:
            return None
        self.answers[site] = None
        self._ask(self._next())
        return WalkNotice(say("{site} does not answer.", site=site))

    def end(self) -> None:
        """Ends the walk: what is left was not tried."""
        self.asked = None
        self.skipped |= set(self.left)

    def feel(self, watch: MagnetWatch) -> WalkNotice | None:
        """Takes what the magnet is felt by now; returns what that means, if it means something new."""
        wire = watch.felt
        if wire is None or self.asked is None:
            return None
        if watch.is_taken:
            self._improve(watch, wire)
        elif wire == self.asked and watch.held >= HOLD_S:
            if (twin := watch.twin) and self._doubts(watch, wire, twin):
                return WalkNotice(
                    say(
                        "{twin} is felt too. Hold a single magnet on {site}: lift it and put it there again.",
                        twin=twin,
                        site=wire,
                    )
                )
            return self._accept(watch, self.asked, wire)
        elif wire != self.asked and watch.held >= OTHER_HOLD_S:
            return self._consider(watch, self.asked, wire)
        return None

    def try_piece(self, watch: MagnetWatch) -> WalkNotice | None:
        """Takes the magnet of a piece that is held on any good site; returns what that means."""
        wire = watch.felt
        if wire is None or watch.is_taken or watch.held < HOLD_S:
            return None
        watch.take()
        if (heard := self._heard(wire)) is None:
            return WalkNotice(say("{wire} was not walked: try the piece on another site.", wire=wire))
        site, walked = heard
        share = watch.swing(wire) / walked.swing
        self.pieces.append(PieceMagnet(site, abs(share)))
        words = say(PIECE_TRIED[share > 0], n=len(self.pieces), strength=percent(abs(share)))
        return WalkNotice(words, is_good=True)

    def _improve(self, watch: MagnetWatch, wire: Site) -> None:
        """Keeps the strongest of what was felt at the last site: the magnet may have come down askew."""
        heard = self._heard(wire)
        if heard and watch.held >= HOLD_S and abs(watch.swing(wire)) > abs(heard[1].swing):
            watch.take()
            self.answers[heard[0]] = SiteAnswer(wire, watch.levels(), watch.swing(wire))

    def _consider(self, watch: MagnetWatch, site: Site, wire: Site) -> WalkNotice | None:
        """Takes a sensor that was not expected.

        Either wires are exchanged, or the magnet is not where it should be.
        """
        if self.usual is not None and abs(watch.swing(wire)) < OTHER_SHARE * self.usual:
            return None
        if (right := self.answers.get(wire)) and right.wire == wire:
            watch.take()
            return WalkNotice(
                say("{wire} is felt, and was right before. Put the magnet on {site}.", wire=wire, site=site)
            )
        if wire == self._next() and self._doubts(watch, site, wire):
            return WalkNotice(
                say(
                    "{wire} is felt. If the magnet is on {site}, lift it and put it there again.",
                    wire=wire,
                    site=site,
                )
            )
        return self._accept(watch, site, wire)

    def _doubts(self, watch: MagnetWatch, site: Site, wire: Site) -> bool:
        """Returns whether an answer is to be given again: the same one is doubted once."""
        if self._doubted == (site, wire):
            return False
        watch.take()
        self._doubted = (site, wire)
        return True

    def _accept(self, watch: MagnetWatch, site: Site, wire: Site) -> WalkNotice:
        watch.take()
        if withdrawn := self._heard(wire):
            del self.answers[withdrawn[0]]
        self.answers[site] = SiteAnswer(wire, watch.levels(), watch.swing(wire))
        self._ask(self._next())
        if wire != site:
            return WalkNotice(say("At {site} the wire of {wire} answers.", site=site, wire=wire))
        share = self.share(site)
        is_linear = self._wiring.sensor is Sensor.ANALOGUE
        if share is None or not is_linear:
            return WalkNotice(say("{site} answers.", site=site), is_good=True)
        return WalkNotice(say("{site} answers, {share}.", site=site, share=percent(share)), is_good=True)

    def _next(self) -> Site | None:
        """Returns the site that is asked for after the present one."""
        at = self.order.index(self.asked) + 1 if self.asked else 0
        left = set(self.left) - {self.asked}
        return next((site for site in (*self.order[at:], *self.order[:at]) if site in left), None)

    def _ask(self, site: Site | None) -> None:
        self.asked, self._doubted = site, None


def walking_order(wiring: Wiring) -> tuple[Site, ...]:
    """Returns the sites along the rows of the board, to and fro, so that the hand moves little."""
    rows: dict[float, list[tuple[float, Site]]] = {}
    for site, (x, y) in zip(wiring.sites, wiring.spots, strict=True):
        rows.setdefault(round(y, 3), []).append((x, site))
    along = [sorted(rows[y]) for y in sorted(rows)]
    turned = [row if n % 2 == 0 else row[::-1] for n, row in enumerate(along)]
    return tuple(site for row in turned for _, site in row)


def percent(share: float) -> str:
    """Returns a share in words: `81 %`."""
    return f"{100 * share:.0f} %"


class WalkNotes(msgspec.Struct, frozen=True):
    """The notes of a walk over a grid, kept on disk so that it is gone on with another day: the answers, and
    the looks that a pole stands for."""

    board: int
    sensor: Sensor
    answers: dict[Site, SiteAnswer | None]
    poles: dict[str, tuple[str, ...]]

    def fits(self, wiring: Wiring) -> bool:
        """Returns whether these are of a grid with this wiring."""
        sites = {*wiring.sites}
        answers = [answer for answer in self.answers.values() if answer]
        is_of_board = (self.board, self.sensor) == (wiring.check, wiring.sensor) and sites.issuperset(
            self.answers
        )
        return is_of_board and all(a.wire in sites and sites == {*a.levels} for a in answers)

    def save(self, path: Path) -> None:
        """Writes the notes. OSError where that cannot be."""
        write_whole(path, msgspec.json.encode(self))


def load_notes(path: Path) -> WalkNotes | None:
    """Returns the notes in a file; None where there are none that can be read."""
    try:
        return msgspec.json.decode(read_whole(path), type=WalkNotes)
    except (OSError, msgspec.DecodeError):
        return None
