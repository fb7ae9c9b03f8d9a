"""Tells a hall's broker what happens at a table: `status`, `state`, `clock` and `event`; hears `pairing`.

The speaker has a thread of its own that reads the table's snapshots and the store; nothing at the table
waits for it. `state` and `clock` tell what is: where news comes faster than it can be sent, the newest
counts. Events tell all that happened: the store's log is what waits to be sent, and the outbox knows how far
that is.

A game goes out when it stands on this table while there is a speaker, and with it each correction of it that
is made later. Other games of the store do not: imports, and what was played before. Comments are not sent. A
game that is deleted afterwards goes out all the same, for the record of what was played is the hall's too.

What the hall has paired here the table is told as a proposal, and why there is no broker now as a report.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from queue import Empty, SimpleQueue

from broker_bridge.board_state import clock_of, state_of
from broker_bridge.link import BrokerLink, Delivery, Letter, Membership
from broker_bridge.outbox import Outbox
from broker_bridge.outbox_file import OutboxFile
from broker_bridge.proposals import proposal_of
from broker_bridge.telling import Telling
from broker_bridge.topics import ARCHIVED, CLOCK, EVENT, OFFLINE, ONLINE, PAIRING, STATE, STATUS, BoardName
from companion.core.game import GameError
from companion.record.record import CORRECTS
from companion.record.timekeeping import choose_steady_time
from companion.store.store import Store
from companion.table.messages import Report
from companion.table.present import present
from companion.table.snapshot import Snapshot
from companion.table.table import Table
from companion.wire.codec import WireError, read, write
from companion.wire.hall import Archived, OfBoard, Pairing

log = logging.getLogger(__name__)
BETWEEN_STATES_S = 0.1
"""Seconds between two messages of what is, at least."""
REPEAT_S = 30.0
"""Seconds after which status and clock are said again, so that a board that stays silent is known to be gone
also where the broker was not there to see it go."""
SAVE_S = 5.0
SCAN_S = 2.0
"""Seconds between two looks for games that were corrected."""
IDLE_S = 1.0
HALL = "hall"
"""The name under which the table shows that there is no broker."""
KEPT_TELLINGS = 4
"""Games of which the lines are kept in memory."""


def membership_of(board: BoardName) -> Membership:
    """Returns who a board is at the broker: its name, what it hears, and what is said when it is cut off."""
    return Membership(
        name=str(board),
        topics=(board.topic(ARCHIVED), board.topic(PAIRING)),
        will=Letter(board.topic(STATUS), OFFLINE, is_sure=True, is_kept=True),
    )


class Speaker:
    """Tells a hall of one board. Use it as a context; tests call `open`, `turn` and `close`.

    `store` is a connection of the speaker's own, `address` where the board's page is for others, and
    `greetings` are letters that are sent whenever the broker is there. `wall` gives seconds since 1970.
    """

    def __init__(
        self,
        board: BoardName,
        link: BrokerLink,
        table: Table,
        store: Store,
        file: OutboxFile,
        address: str = "",
        greetings: tuple[Letter, ...] = (),
        wall: Callable[[], float] = time.time,
    ) -> None:
        self.board = board
        self._trouble = ""
        self._link, self._table, self._store, self._file = link, table, store, file
        self._address, self._greetings = address, greetings
        self._wall, self._steady = wall, choose_steady_time(wall)
        self._companion = store.identity
        self._outbox = Outbox(file.load(self._companion))
        scanned = file.scanned(self._companion)
        self._scanned = store.highest if scanned is None else scanned
        self._tellings: dict[int, Telling] = {}
        self._is_joined = False
        self._shown = -1
        """The number of the snapshot that was shown last."""
        self._grown = dict[int, int]()
        """How many lines each game has that has stood on the table since the store was read last."""
        self._state: OfBoard | None = None
        self._told = dict[str, object]()
        """What each kind of message told last since the broker was told all that is."""
        self._told_all_at = self._state_at = self._saved_at = self._scanned_at = 0.0
        self._news = SimpleQueue[Callable[[], None]]()
        self._is_over = False
        self._thread = threading.Thread(target=self._run, name="speaker", daemon=True)

    def __enter__(self) -> Speaker:
        self.open()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Says that the board goes offline, and ends. What was not sent is sent when it comes back."""
        self._news.put(self._end)
        self._thread.join()
        self.close()

    def open(self) -> None:
        """Looks through what is to be sent, and begins to look for the broker."""
        for game, cursor in self._outbox.cursors.items():
            self._outbox.make_ready(game, max(1 + self._store.lines(game), cursor.sent))
        self._save()  # a correction that is made from now on is told even after the power was cut
        self._table.listen(self.see)
        self.see(self._table.snapshot)
        self._link.open(self)

    def close(self) -> None:
        self._link.close(membership_of(self.board).will)
        self._save()

    def see(self, snapshot: Snapshot) -> None:
        """Takes note of a snapshot, in the table's thread."""
        self._news.put(partial(self._note, snapshot))

    # What the link calls, in its own thread.

    def joined(self) -> None:
        self._news.put(self._join)

    def parted(self, words: str) -> None:
        self._news.put(partial(self._part, words))

    def sent(self, number: int) -> None:
        self._news.put(lambda: self._outbox.sent(number, self._wall()))

    def received(self, delivery: Delivery) -> None:
        self._news.put(partial(self._receive, delivery))

    # The rest is done in the speaker's thread alone.

    def turn(self) -> float:
        """Does all that there is to do now; returns the seconds until there is more, if nothing comes."""
        now = self._wall()
        while not self._news.empty():
            self._news.get()()
        snapshot = self._table.snapshot
        self._read_store(now)
        waits = [IDLE_S]
        if self._is_joined:
            waits.append(self._say_what_is(snapshot, now))
            self._outbox.turn(now)
            self._say_what_happened()
            waits.append(self._outbox.next_turn() - now)
        if self._outbox.changed and abs(now - self._saved_at) >= SAVE_S:
            self._save()
        return max(0.0, min(waits))

    def _run(self) -> None:
        wait = 0.0
        while not self._is_over:
            try:
                with suppress(Empty):
                    self._news.get(timeout=wait)()
                wait = self.turn()
            except Exception:  # our own fault must neither end the game nor the link
                log.exception("while telling the hall")
                wait = IDLE_S

    def _end(self) -> None:
        self._is_over = True

    def _note(self, snapshot: Snapshot) -> None:
        if snapshot.number is not None and snapshot.session is not None:
            self._grown[snapshot.number] = 1 + len(snapshot.session.log)

    def _join(self) -> None:
        self._is_joined = True
        self._tell_trouble("")
        self._outbox.join(self._wall())
        self._table.post(proposal_of(None, self.board))  # one that was withdrawn meanwhile is not sent again
        for letter in self._greetings:
            self._link.publish(letter)
        self._told_all_at = 0.0

    def _part(self, words: str) -> None:
        self._is_joined = False
        self._tell_trouble(words)
        self._outbox.part()

    def _tell_trouble(self, words: str) -> None:
        if words != self._trouble:
            if words:
                log.warning("%s: %s", self.board, words)
            self._trouble = words
            self._table.post(Report(HALL, words))

    def _receive(self, delivery: Delivery) -> None:
        self._link.accept(delivery)
        try:
            if delivery.topic == self.board.topic(PAIRING):
                pairing = read(delivery.payload, Pairing) if delivery.payload else None
                self._table.post(proposal_of(pairing, self.board))
            elif delivery.topic == self.board.topic(ARCHIVED) and delivery.payload:
                receipt = read(delivery.payload, Archived)
                if receipt.companion == self._companion:
                    self._take_receipt(receipt.games)
        except WireError as error:
            log.warning("%s: %s", delivery.topic, error)

    def _take_receipt(self, games: Mapping[int, int]) -> None:
        """Takes what an archive has. A game that it knows and the outbox does not went out before the
        outbox's file was lost."""
        highest = self._store.highest
        for game in games:
            if 0 < game <= highest:
                self._let_out(game)
        self._outbox.take_receipt(games, self._wall())

    def _read_store(self, now: float) -> None:
        """Finds out what the store has that can be told."""
        try:
            for game, lines in list(self._grown.items()):
                self._read_game(game, lines)
                del self._grown[game]
            if abs(now - self._scanned_at) >= SCAN_S:
                self._scanned_at = now
                self._look_for_corrections()
        except (sqlite3.Error, GameError) as error:
            log.warning("the games cannot be read for the hall: %s", error)

    def _read_game(self, game: int, lines: int) -> None:
        """Lets a game that stands on the table go out, and takes what was added to it."""
        if game > self._store.highest or not self._companion:
            return  # it is kept in memory alone, or in a store that cannot be written
        self._let_out(game)
        telling = self._tellings.get(game)
        if telling is None or len(telling.lines) < lines:
            self._outbox.make_ready(game, self._telling(game).ready)

    def _let_out(self, game: int) -> None:
        if self._outbox.add(game):
            self._outbox.make_ready(game, 1 + self._store.lines(game))
            self._save()

    def _look_for_corrections(self) -> None:
        highest = self._store.highest
        for game in range(self._scanned + 1, highest + 1):
            self._scanned = game  # one that is damaged is not read again and again
            corrected = self._store.load(game).head.get(CORRECTS, "").removeprefix("game ")
            if corrected.isdecimal() and int(corrected) in self._outbox.cursors:
                self._let_out(game)

    def _telling(self, game: int) -> Telling:
        telling = self._tellings.get(game)
        if telling is None:
            telling = self._tellings[game] = Telling(self._companion, game, self._store.load(game))
            if len(self._tellings) > KEPT_TELLINGS:
                del self._tellings[next(iter(self._tellings))]
        else:
            telling.add(self._store.log(game, len(telling.lines) - 1))
        return telling

    def _say_what_is(self, snapshot: Snapshot, now: float) -> float:
        """Says what spectators see, if that changed; returns the seconds until more can be said."""
        if abs(now - self._told_all_at) >= REPEAT_S:
            self._told.clear()
            self._told_all_at, self._shown = now, -1
            self._say(STATUS, True, ONLINE)
        if snapshot.id == self._shown:
            return IDLE_S
        wait = self._state_at + BETWEEN_STATES_S - now
        if 0 < wait <= BETWEEN_STATES_S:  # a longer one: somebody has set the time of day
            return wait
        self._shown = snapshot.id
        view = present(snapshot, None, has_moves=False)
        self._state = state_of(view, self._companion, self._address, self._state, now)
        if self._say(STATE, replace(self._state, at=0.0), write(self._state)):
            self._state_at = now
        # That a clock runs on everybody knows: it is said where somebody did something to it.
        clock = clock_of(view, now, self._steady())
        self._say(CLOCK, (getattr(view, "number", None), view.clock), write(clock) if clock else b"")
        return IDLE_S

    def _say(self, kind: str, what: object, payload: bytes) -> bool:
        """Says what is, where that is not what was told last; returns whether it did."""
        if self._told.get(kind) == what:
            return False
        self._told[kind] = what
        self._link.publish(Letter(self.board.topic(kind), payload, kind == STATUS, is_kept=True))
        return True

    def _say_what_happened(self) -> None:
        while (due := self._outbox.next()) is not None:
            game, line = due
            try:
                telling = self._tellings.get(game) or self._telling(game)
            except (sqlite3.Error, GameError) as error:
                log.warning("game %s cannot be told to the hall: %s", game, error)
                self._outbox.make_ready(game, 0)
                continue
            if line >= telling.ready:
                self._outbox.make_ready(game, telling.ready)
                continue
            payload = write(telling.lines[line])
            number = self._link.publish(Letter(self.board.topic(EVENT), payload, is_sure=True))
            if not number:
                return
            self._outbox.fly(game, line, number)

    def _save(self) -> None:
        changed, self._outbox.changed = self._outbox.changed, set()
        self._saved_at = self._wall()
        try:
            cursors = {game: self._outbox.cursors[game] for game in changed}
            self._file.save(self._companion, cursors, self._scanned)
        except sqlite3.Error as error:
            self._outbox.changed |= changed
            log.warning("how far the hall has been told cannot be kept: %s", error)
