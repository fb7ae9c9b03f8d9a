"""The program between broker and archive: takes in what boards tell, and tells them what is safe.

A letter is accepted at the broker once it is in the database for good, not before. So whatever happens to the
archiver or to its database, the broker has the letter still, and behind the broker the board has it, which
sends again what no receipt names.

Letters are stored together: those that came while the last ones were being stored. While the database is away
they stay at the broker, but for the few that it hands out before any is accepted.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from broker_bridge.link import BrokerLink, Delivery, Letter, Membership
from broker_bridge.topics import ARCHIVED, EVENT, HALL_ROOT, OFFLINE, ONLINE, PAIRING, BoardName, of_all
from companion.wire.codec import write
from companion.wire.hall import Archived
from hall.archive.allowances import MOST_BYTES, Allowances
from hall.archive.archive import Archive
from hall.archive.arrivals import Arrival, Given, Oddity, read_arrival
from hall.archive.database import DatabaseAwayError
from hall.archive.receipts import Receipts

log = logging.getLogger(__name__)
MOST_AT_ONCE = 500
"""The most letters that are stored in one transaction."""
WAITS_S = (0.5, 30.0)
"""Seconds until the database is tried again, and the most: each wait is twice the one before."""
RECENT_S = 7 * 24 * 3600.0
"""Seconds for which boards are told of a game after its last line came."""
WAITING = b"waiting"
"""The status of an archiver whose database is away."""
SHARED = "$share/archive/"
"""What stands before a filter whose letters several archivers share: each letter goes to one of them."""


def status_topic(name: str) -> str:
    """Returns the topic of an archiver's status: `online`, `offline`, or `waiting` for its database."""
    return f"{HALL_ROOT}/archive/{name}/status"


def membership_of(name: str, is_shared: bool = False) -> Membership:
    """Returns who an archiver is at the broker."""
    return Membership(
        name=f"archive-{name}",
        topics=((SHARED if is_shared else "") + of_all(EVENT), of_all(PAIRING)),
        will=Letter(status_topic(name), OFFLINE, is_sure=True, is_kept=True),
        is_remembered=True,
    )


@dataclass
class Archiver:
    """An archiver; the client of its link. `run` works until `stop`, both for one thread each."""

    name: str
    link: BrokerLink
    archive: Archive
    wall: Callable[[], float] = time.time
    """Returns seconds since 1970."""
    steady: Callable[[], float] = time.monotonic
    """Returns seconds that only go forward."""
    stored: int = 0
    """How many letters were stored."""
    _waiting: deque[Delivery] = field(default_factory=deque)
    _news: threading.Condition = field(default_factory=threading.Condition)
    _is_stopped: bool = False
    _is_there: bool = False
    """Whether there is a broker."""
    _trouble: str = ""
    """Why there is none."""
    _has_joined: bool = False
    """Whether there is one since the last turn."""
    _in_hand: list[Delivery] = field(default_factory=list)
    """What is being stored."""
    _arrivals: list[Arrival | Given | Oddity] = field(default_factory=list)
    """What there is to store of it."""
    _is_prepared: bool = False
    """Whether the database's schema is up to date, and the receipts are counted in it."""
    _is_away: bool = False
    """Whether the database did not answer when it was asked last."""
    _retry_at: float = 0.0
    _wait: float = WAITS_S[0]
    _receipts: Receipts = field(default_factory=Receipts)
    _allowances: Allowances = field(default_factory=Allowances)

    # What the link calls, in a thread of its own.

    def joined(self) -> None:
        with self._news:
            self._is_there = self._has_joined = True
            self._news.notify_all()
        if self._trouble:
            log.warning("the broker is there again")
        self._trouble = ""

    def parted(self, words: str) -> None:
        with self._news:
            self._is_there = False
            self._waiting.clear()  # the broker sends again what it was not told to be stored
            self._news.notify_all()
        if words != self._trouble:  # else it would be said at each attempt
            log.warning("%s", words)
        self._trouble = words

    def sent(self, number: int) -> None:
        """Nothing waits for this: a receipt that is lost is followed by others."""

    def received(self, delivery: Delivery) -> None:
        with self._news:
            self._waiting.append(delivery)
            self._news.notify_all()

    # What the archiver's own thread does.

    def run(self) -> None:
        """Works until `stop`. Raises DatabaseError for a database that waiting does not mend."""
        self.link.open(self)
        try:
            while not self._is_stopped:
                wait = self.turn()
                with self._news:
                    self._news.wait_for(self._has_work, min(wait, 3600.0))
        finally:
            self.link.close(Letter(status_topic(self.name), OFFLINE, is_sure=True, is_kept=True))
            self.archive.close()

    def stop(self) -> None:
        """Ends `run`. What was not stored by then stays at the broker."""
        with self._news:
            self._is_stopped = True
            self._news.notify_all()

    def turn(self) -> float:
        """Does what there is to do now. Returns the seconds after which there is more, if nothing comes."""
        now = self.steady()
        is_resting = self._retry_at > now
        self._greet()
        if is_resting:
            return self._retry_at - now
        try:
            self._prepare(now)
            self._store()
            self._tell(self.steady())
        except DatabaseAwayError as error:
            return self._back_off(str(error))
        self._recover()
        return max(0.0, self._receipts.wait(self.steady())) if self._is_there else float("inf")

    def _has_work(self) -> bool:
        is_resting = self._retry_at > self.steady()
        return self._is_stopped or self._has_joined or (bool(self._waiting) and not is_resting)

    def _greet(self) -> None:
        """Says at a broker that was not there before what there is to say."""
        with self._news:
            is_new, self._has_joined = self._has_joined, False
        if is_new:
            self._say_status(WAITING if self._is_away else ONLINE)
            self._receipts.tell_all(self.steady())

    def _prepare(self, now: float) -> None:
        if not self._is_prepared:
            self.archive.prepare(self.wall())
            self._receipts.know(self.archive.recent(self.wall() - RECENT_S), now)
            self._is_prepared = True

    def _store(self) -> None:
        """Stores what waits, and accepts it at the broker."""
        if not (self._in_hand or self._take()):
            return
        arrivals = self._arrivals
        self._warn(self.archive.store(arrivals))
        for delivery in self._in_hand:
            self.link.accept(delivery)
        self._in_hand = []
        self.stored += len([a for a in arrivals if not isinstance(a, Given)])
        self._receipts.note((a for a in arrivals if isinstance(a, Arrival)), self.steady())

    def _may_be_stored(self, arrival: Arrival | Given | Oddity) -> bool:
        """Returns whether a board has not brought too much today; says so once."""
        if not isinstance(arrival, Arrival):
            return True
        board, size = arrival.board, len(arrival.delivery.payload)
        is_taken = self._allowances.take(board, size, self.steady())
        if self._allowances.is_first_too_many(board, size):
            most = MOST_BYTES // 1024**2
            log.warning("%s: of its lines %d MB are taken in a day, and no more: is it a board?", board, most)
        return is_taken

    def _take(self) -> bool:
        """Takes what waits in hand, and reads it; returns whether there is anything. However often it is then
        tried to be stored, a board brought it once."""
        with self._news:
            count = min(MOST_AT_ONCE, len(self._waiting))
            self._in_hand = [self._waiting.popleft() for _ in range(count)]
        read = (read_arrival(delivery, self.wall()) for delivery in self._in_hand)
        self._arrivals = [arrival for arrival in read if arrival and self._may_be_stored(arrival)]
        return bool(self._in_hand)

    def _tell(self, now: float) -> None:
        """Gives boards their receipts."""
        if self._is_there:
            for board in self._receipts.take(now):
                receipt = write(self._receipt_of(board))
                self.link.publish(Letter(board.topic(ARCHIVED), receipt, is_sure=True, is_kept=True))

    def _receipt_of(self, board: BoardName) -> Archived:
        """Returns a board's receipt: of the store that it has now, which is that of its last line."""
        counts = self._receipts.games[board]
        companion = next(reversed(counts)).companion
        own = [game for game in counts if game.companion == companion]
        for game in own:
            counts[game] = self.archive.count(self.archive.own_key(board, game), counts[game])
        return Archived(companion, {game.number: counts[game] for game in own})

    def _back_off(self, words: str) -> float:
        """Leaves the database alone for a while; what is in hand is stored when it is there again."""
        if not self._is_away:
            self._is_away = True
            log.warning("%s; trying again until it can", words)
            self._say_status(WAITING)
        self._is_prepared = False
        self.archive.close()
        wait, self._wait = self._wait, min(2 * self._wait, WAITS_S[1])
        self._retry_at = self.steady() + wait
        return wait

    def _recover(self) -> None:
        """Notes that the database answers."""
        self._wait = WAITS_S[0]
        if self._is_away:
            self._is_away = False
            log.warning("the database %s answers again", self.archive.database)
            self._say_status(ONLINE)

    def _say_status(self, status: bytes) -> None:
        self.link.publish(Letter(status_topic(self.name), status, is_sure=True, is_kept=True))

    def _warn(self, oddities: Iterable[Oddity]) -> None:
        for oddity in oddities:
            log.warning("set aside what came on '%s': %s", oddity.topic, oddity.why)
