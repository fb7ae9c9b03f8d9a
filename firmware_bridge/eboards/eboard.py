"""Makes sightings of what an e-board tells: what stands where, and what was touched.

On the board of chess a square tells colour and kind. On every other board of 8×8 squares it is a switch: what
stands there stands for whatever the game has there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from companion.core.board import Board
from companion.core.game import EMPTY, Look, Site
from companion.language import say
from companion.sensing.observation import Observation, Reading, Sighting
from firmware_bridge.eboards.maker import EMPTY_SQUARE, PIECES, Lit, Squares
from firmware_bridge.sensing.grid import STILL_S, SURE_STATE
from firmware_bridge.sensing.lamps import Colour
from firmware_bridge.sensing.touches import Touches

FREE = Reading({EMPTY: 0.0}, other=-SURE_STATE)
TAKEN = Reading({EMPTY: -SURE_STATE}, other=0.0)
"""The reading of a switch that is closed."""
COLOURS = ("white", "black")
OF_COLOUR = {
    colour: Reading(
        {EMPTY: -SURE_STATE, **{c: 0.0 if c == colour else -SURE_STATE for c in COLOURS}}, other=-SURE_STATE
    )
    for colour in COLOURS
}
FLICKER_S, FLICKERS = 3.0, 4
"""A square that changes more often within so many seconds flickers: no hand is so quick."""
OTHER_BOARD = say("this board has 8×8 squares: play a game on such a board")


def squares_of(board: Board) -> tuple[Site, ...]:
    """Returns the sites of a board in the order of `Squares`; () where they are not 8×8 squares."""
    at = {point: site for site, point in board.sites.items()}
    points = [(float(file), float(rank)) for rank in reversed(range(8)) for file in range(8)]
    return tuple(at[point] for point in points) if at.keys() == set(points) else ()


def look_of(letter: str) -> Look:
    """Returns the piece of a letter as chess names it: `white/queen` for `Q`."""
    return f"{COLOURS[letter.islower()]}/{PIECES[letter.lower()]}"


class EBoard:
    """An e-board on which a game is played."""

    def __init__(self, board: Board, name: str) -> None:
        self.name = name
        self._touches = Touches()
        self._known: Squares = ""
        """What was told last, as the game has the squares; '' where nothing is known."""
        self._changes: list[tuple[float, Site]] = []
        """The changes of the last seconds, with their times."""
        self._has_missed = True
        """True if the next sighting has to say that touches were missed."""
        self.expect(board)

    @property
    def is_known(self) -> bool:
        """Returns whether anything is known of what stands on it."""
        return bool(self._known)

    def expect(self, board: Board) -> None:
        """Takes note that a game is on this board."""
        self.sites = squares_of(board)
        self._tells_kinds = board.pieces.faces.keys() >= {*PIECES.values()}

    def see(self, squares: Squares, now: float) -> Sighting:
        """Returns the sighting of the squares as the device tells them now (s, monotonic)."""
        for site, was, letter in zip(self.sites, self._known, squares, strict=False):
            if was != letter:
                self._changes.append((now, site))
                # Where another piece stands, one was lifted, and nobody felt when.
                self._has_missed |= EMPTY_SQUARE not in (was, letter)
                self._touches.change(now, site, letter != EMPTY_SQUARE)
        self._known = squares
        return self.sight(now)

    def sight(self, now: float) -> Sighting:
        """Returns the sighting of what is known now."""
        if not self.sites:
            return self._blind(now, OTHER_BOARD)
        standing = dict(zip(self.sites, self._known, strict=True))
        touches = self._touches.settled(now)
        if has_missed := self._has_missed:
            self._touches.clear()
            self._has_missed = False
        return Sighting(
            now,
            self.name,
            Observation(
                now,
                {site: self._reading(letter) for site, letter in standing.items()},
                self.name,
                kinds=self._kinds(standing),
            ),
            still=self._is_still(now),
            touches=None if has_missed else touches,
        )

    def _is_still(self, now: float) -> bool:
        """Returns whether nothing has changed just now, but for squares that never keep still: a piece that
        is hard to feel does not stop the game."""
        self._changes = [(time, site) for time, site in self._changes if now - time < FLICKER_S]
        often = Counter(site for _, site in self._changes)
        return all(now - t >= STILL_S or often[site] > FLICKERS for t, site in self._changes)

    def lost(self, words: str, now: float) -> Sighting:
        """Returns the sighting of a board that is not there: what is done on it meanwhile nobody knows."""
        self._known, self._has_missed = "", True
        self._touches.clear()
        return self._blind(now, words)

    def _blind(self, now: float, words: str) -> Sighting:
        return Sighting(now, self.name, None, still=False, trouble=words, touches=None)

    def _reading(self, letter: str) -> Reading:
        if letter == EMPTY_SQUARE:
            return FREE
        return OF_COLOUR[COLOURS[letter.islower()]] if self._tells_kinds else TAKEN

    def _kinds(self, standing: Mapping[Site, str]) -> Mapping[Site, Look]:
        if not self._tells_kinds:
            return {}
        return {site: look_of(letter) for site, letter in standing.items() if letter != EMPTY_SQUARE}

    def lit(self, colours: Mapping[Site, Colour]) -> Lit:
        """Returns the lamps of the device that are at these sites, in their order."""
        squares = {site: square for square, site in enumerate(self.sites)}
        return {squares[site]: colour for site, colour in colours.items() if site in squares}
