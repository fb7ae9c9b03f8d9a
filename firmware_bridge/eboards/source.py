"""An e-board as a source of sightings, as `companion.sensing.sources` opens it.

`chessnut` looks for a board on USB, `chessnut:PATH` names its device; `millennium:PORT` names a serial port.

A thread keeps the line alive: it opens it, asks a silent board for a sign of life, says when the board is
lost, and tries again until it is back. `step` does one round of this, so that tests need no thread or clock.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from companion.core.board import Board
from companion.core.game import Site
from companion.language import say
from companion.sensing.observation import Sighting
from companion.sensing.sources import argument_of, scheme_of
from companion.sensing.trace import Recorded, read_bytes
from firmware_bridge.eboards.chessnut import Chessnut, chessnut_opener
from firmware_bridge.eboards.eboard import EBoard
from firmware_bridge.eboards.maker import Maker, Squares
from firmware_bridge.eboards.millennium import Millennium, millennium_opener
from firmware_bridge.line.link import KeptLine, Port, PortError
from firmware_bridge.sensing.found_sightings import FoundSightings
from firmware_bridge.sensing.lamps import Colour

TICK_S = 0.2
"""Seconds after which what is known is told again: hands were gone since, and touches have lasted."""
SILENCE_S = 3.0
"""Seconds without a sign of life after which the board is lost."""
BEGINNING_S = 6.0
"""The same of a line that was opened just now: a board may take so long to start."""


MAKERS: Mapping[str, Callable[[], Maker]] = {"chessnut": Chessnut, "millennium": Millennium}
OPENERS: Mapping[str, Callable[[str], Callable[[], Port]]] = {
    "chessnut": chessnut_opener,
    "millennium": millennium_opener,
}
"""The speech of each maker's boards, and what opens the argument of their source."""


class EBoardSource(KeptLine, FoundSightings):
    """The sightings of one e-board. Entering it opens the line; while that is lost, sightings see nothing.

    Its thread takes what the board tells, a reader takes the sightings, and those of the page light its lamps
    and tell which game is on. What they share is changed under `_lock`.
    """

    def __init__(
        self,
        opener: Callable[[], Port],
        speech: Callable[[], Maker],
        board: Board,
        name: str,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name, self._speech = name, speech
        self._maker = speech()
        KeptLine.__init__(self, opener, clock, name, self._maker.name)
        FoundSightings.__init__(self)
        self._eboard = EBoard(board, name)
        self._outbox: deque[bytes] = deque()
        self._colours: Mapping[Site, Colour] = {}
        self._lamps_due = False
        self._is_there = False
        """True once the board has answered on the line as it is open."""
        self._heard = self._asked = self._wrote = self._told = 0.0
        self._lock = threading.RLock()

    def __enter__(self) -> EBoardSource:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closed = True
        self.stop()

    def expect(self, board: Board) -> None:
        """Takes note that a game is on this board."""
        with self._lock:
            self._eboard.expect(board)
            self._lamps_due = True

    @property
    def lit_sites(self) -> Sequence[Site]:
        """The sites with a lamp; () while the game is on a board that the device cannot show."""
        return self._eboard.sites

    def shine(self, colours: Mapping[Site, Colour]) -> None:
        """Lights these lamps and no others; a board that comes back shows them again."""
        with self._lock:
            self._lamps_due |= colours != self._colours
            self._colours = dict(colours)

    def _begin(self, port: Port) -> None:
        self._maker, self._is_there = self._speech(), False
        self._outbox = deque(self._maker.greeting())
        self._heard = self._asked = self._clock()
        self._wrote = self._heard - self._maker.pace_s

    def _converse(self, port: Port) -> None:
        data = port.read(1024)
        now = self._clock()
        with self._lock:
            for squares in self._maker.hear(data):
                self._take(squares, now)
            if self._eboard.is_known and now - self._told >= TICK_S:
                self._tell(self._eboard.sight(now))
            self._tend(port, now)

    def _take(self, squares: Squares, now: float) -> None:
        """Takes an answer of the board."""
        self._heard = now
        self._lamps_due |= not self._is_there
        self._is_there, self._loss = True, ""
        if squares:
            self._tell(self._eboard.see(squares, now))

    def _tend(self, port: Port, now: float) -> None:
        """Asks a silent board for a sign of life, writes the next message, and gives a mute board up."""
        if now - self._heard > (SILENCE_S if self._is_there else BEGINNING_S):
            mute = say(
                "{board} does not answer on this port: is it switched on, and is it the right port?",
                board=self._maker.name,
            )
            raise PortError(self._say_silent() if self._is_there else mute)
        if now - max(self._heard, self._asked) >= self._maker.ask_s and not self._outbox:
            self._asked = now
            self._outbox.extend(self._maker.question())
        if now - self._wrote < self._maker.pace_s:
            return
        if self._lamps_due and self._is_there:
            self._lamps_due, self._wrote = False, now
            port.write(self._maker.lamps(self._eboard.lit(self._colours)))
        elif self._outbox:
            self._wrote = now
            port.write(self._outbox.popleft())

    def _report(self, words: str) -> None:
        with self._lock:
            self._tell(self._eboard.lost(words, self._clock()))

    def _tell(self, sighting: Sighting) -> None:
        self._told = sighting.time
        self._sightings.put(sighting)


def open_eboard(
    text: str, board: Board, profile: str | Path | None = None, folder: Path | None = None
) -> EBoardSource:
    """Returns the e-board of a source's text, not yet entered, as `companion.sensing.sources.Opener` says."""
    scheme = scheme_of(text)
    return EBoardSource(OPENERS[scheme](argument_of(text)), MAKERS[scheme], board, text)


def open_trace(
    text: str, board: Board, profile: str | Path | None = None, folder: Path | None = None
) -> Recorded:
    """Returns the e-board of `trace:FILE`, as `companion.sensing.sources.Opener` says."""
    source, came = read_bytes(argument_of(text))
    return Recorded(_replay(came, MAKERS[scheme_of(source)](), EBoard(board, text)))


def _replay(moments: Iterable[tuple[float, bytes]], speech: Maker, eboard: EBoard) -> Iterator[Sighting]:
    """Yields the sightings of recorded bytes; a moment holds what one read gave."""
    for now, data in moments:
        for squares in filter(None, speech.hear(data)):
            yield eboard.see(squares, now)


def listen(text: str, board: Board, patience: float = SILENCE_S) -> Sighting | None:
    """Returns the first sighting of the e-board of a source's text, within so many seconds; None for none. It
    says what is wrong where the board cannot be opened."""
    source = open_eboard(text, board)
    end = time.monotonic() + patience
    found: list[Sighting] = []
    while not found and time.monotonic() < end:
        source.step()
        found = source.waiting_sightings()
    source.close()
    return found[0] if found else None
