"""The seat at another table: what its player does there is done here, and what is done here is told there.

It stands beside the seats that the companion plays, and follows the table as they do. What two tables agree
on is in `agreement`; here that meets the table, a file, and the line. The guest's companion asks the host's
once a second, and at once where something is to be told; a thread does so only while such a game is on.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import secrets
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import takewhile
from pathlib import Path

from companion.core.game import GameError, Player
from companion.core.players import say_player
from companion.core.private_files import write_private
from companion.core.whole_files import read_whole
from companion.language import say, sentences
from companion.record.clock import DAY
from companion.record.opponents import ELSEWHERE, seats_elsewhere
from companion.record.session import REFEREE, Session
from companion.record.timekeeping import MOVING
from companion.table import messages as m
from companion.table.refusals import ANNOUNCED
from companion.table.snapshot import Snapshot
from companion.table.table import Table
from companion.wire.codec import WireError, decode, plain, write
from companion.wire.values import Text, Whole, Wire
from web.runtime.agreement import Agreed, Agreement, AgreementMessage, AtTable, Deed
from web.runtime.line import LineError, PeerLine, RefusedError

log = logging.getLogger(__name__)
FILE = "other-table.json"
PERIOD, CUT = 1.0, 6.0
"""The seconds between two messages, and those without one after which the line is said to be cut."""
MOST_DEEDS = 2000
LETTERS, CODE_LENGTH, CODE_LASTS = "ABCDEFGHJKLMNPQRSTUVWXYZ", 6, 900.0
"""A code has letters that are not taken for others; it can be used once, within so many seconds."""
ENDS = ("resign", "accept", "claim", "flag", "result")
"""The kinds of entries by which people, or a clock, end a game."""


class SharedGame(Wire, kw_only=True):
    """A game that is played with another table, and how that table is reached. A file keeps it."""

    number: Whole
    here: Text
    there: Text
    address: Text = ""
    """Where the host is; '' at the host itself."""
    pin: Text = ""
    token: Text = ""
    joined: bool = False
    """The code was entered at the guest's."""
    boots: Whole = 0
    agreed: Agreed = Agreed()
    salt: Text = ""
    told: Text = ""
    """What the player here has, sealed; '' until it is told."""
    seal: Text = ""
    """The seal of the other."""


class OtherTable:
    """The seat at another table, kept in a file. Call `start` and `stop`. Any thread may call it."""

    def __init__(self, table: Table, path: Path | None = None) -> None:
        self._table, self._path, self._clock = table, path, time.monotonic
        self._lock, self._starting = threading.RLock(), threading.Lock()
        self._wake, self._stopped = threading.Event(), threading.Event()
        self._thread: threading.Thread | None = None
        self._code, self._code_until = "", 0.0
        self._heard_at = float("-inf")
        self._told_at, self._told = float("-inf"), AtTable()
        self._waits = 0.0
        """The seconds until the line is tried again, where it is cut."""
        self._words = self._opened = self._refusal = ""
        self._line: PeerLine | None = None
        self._unused: list[PeerLine] = []
        """Lines of games before this one: the thread that talks over them closes them."""
        self.kept: SharedGame | None = None
        self._part = Agreement("", "")
        if found := _read(path):
            try:
                self._take(found)
            except OSError as error:
                log.warning("cannot write '%s' (%s): the line is given up", path, error.strerror)

    def start(self) -> None:
        self._table.listen(self._follow)
        self._follow(self._table.snapshot)

    def stop(self) -> None:
        self._stopped.set()
        self._wake.set()
        if self._thread:
            self._thread.join(2 * PERIOD)  # it may wait for the other companion, which is not waited for

    def _follow(self, snapshot: Snapshot) -> None:
        """Wakes the thread that a game with another table needs, or starts it. The table's own thread calls
        this, and so does that of the request which opens a line, maybe at once."""
        if self.kept and self._is_on(snapshot):
            with self._starting:
                if self._thread is None or not self._thread.is_alive():
                    thread = threading.Thread(target=self._run, name="other table", daemon=True)
                    thread.start()
                    self._thread = thread
            self._wake.set()

    # A game begins

    def invite(self) -> str:
        """Returns six letters for the game that is on: who enters them elsewhere plays the other seat."""
        with self._lock:
            snapshot = self._table.snapshot
            session, away = snapshot.session, seats_elsewhere(snapshot.head)
            if session is None or snapshot.number is None or not away:
                raise GameError(say("no game is on that was begun for two tables"))
            if self.kept is None or self.kept.number != snapshot.number:
                here = _other(session, away[0])
                self._open_line(SharedGame(number=snapshot.number, here=here, there=away[0]))
            if self.kept and self.kept.address:
                raise GameError(say("this game was begun at the other table: have the code made there"))
            self._code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
            self._code_until = self._clock() + CODE_LASTS
            return self._code

    def redeem(self, code: str) -> SharedGame | None:
        """Returns the game that a code is for, which ends it; None for a wrong one."""
        with self._lock:
            is_right = hmac.compare_digest(code.strip().upper().encode(), self.code.encode())
            if not self.code or not is_right or not self.kept or not self._is_on(self._table.snapshot):
                return None
            self._code = ""
            self._write(replace(self.kept, joined=True))
            return self.kept

    def join(self, line: PeerLine, here: Player, there: Player) -> None:
        """Plays the game that was just begun here by the answer of another table."""
        number = self._table.snapshot.number or 0
        with self._lock:
            kept = SharedGame(number=number, here=here, there=there, address=line.address, pin=line.pin)
            self._open_line(replace(kept, token=line.token, joined=True))

    def _open_line(self, kept: SharedGame) -> None:
        self._write(kept)
        self._take(kept)
        self._follow(self._table.snapshot)

    # What the page asks

    @property
    def shared(self) -> SharedGame | None:
        """The game of the line while that is on the table; None for none."""
        return self.kept if self._is_on(self._table.snapshot) else None

    @property
    def code(self) -> str:
        """The code that can be entered elsewhere now; '' for none."""
        return self._code if self._clock() <= self._code_until else ""

    def asked(self) -> tuple[str, int]:
        """Returns what the other table wishes to take back, and how many actions; ('', 0) for nothing."""
        with self._lock:
            if not self._part.is_asked:
                return "", 0
            wish = self._part.asked
            return wish, len(self._part.kept.plies) - int(wish.split()[1])

    def answer(self, wish: str, is_granted: bool) -> None:
        with self._lock:
            self._part.answer(wish, is_granted)
            self._settle()

    def needs_seal(self) -> bool:
        """Returns whether the player here may still seal what nobody is told before the end."""
        session = self._table.snapshot.session
        return bool(
            self.kept and session and _is_trusted(session) and not self.kept.told and not session.plies
        )

    def seal(self, told: str) -> None:
        """Seals what the player here has: the other table gets a hash now, and all of it after the end."""
        with self._lock:
            session = self._table.snapshot.session
            if not self.needs_seal() or session is None or self.kept is None:
                raise GameError(say("what you have is sealed before the first action"))
            session.rules.audit(session.first, (), (told, told), None, True)
            self._write(replace(self.kept, told=told, salt=secrets.token_hex(16)))
        self._wake.set()

    # The line

    def hear(self, told: AgreementMessage) -> AgreementMessage:
        """Takes a message of the guest, and returns the answer."""
        with self._lock:
            self._hear(told)
            return self._tell(self._settle())

    def _run(self) -> None:
        while not self._stopped.is_set() and self._is_on(self._table.snapshot):
            self._wake.wait(PERIOD)
            self._wake.clear()
            try:
                self._go_on()
            except OSError as error:  # what cannot be kept is not told
                log.warning("the other table has to wait: %s", error)
                self._stopped.wait(PERIOD)
            self._close_unused()
            self._report()
        self._close_unused()
        if self._line:
            self._line.close()

    def _close_unused(self) -> None:
        while self._unused:
            self._unused.pop().close()

    def _go_on(self) -> None:
        """Does what is to be done; the guest tells the host at once of what is new, and else once a while."""
        with self._lock:
            at, line = self._settle(), self._line
        is_due = self._clock() >= self._told_at + (self._waits or PERIOD)
        if line and (is_due or (at != self._told and not self._waits)):
            self._waits = 0.0 if self._exchange(line, at) else min(2 * self._waits or PERIOD, 4 * PERIOD)

    def _exchange(self, line: PeerLine, at: AtTable) -> bool:
        """Tells the host what is to be told, and takes its answer; returns whether there was one."""
        self._told_at, self._told = self._clock(), at
        with self._lock:
            told = self._tell(at)
        try:
            found = line.post("two-tables/messages", {"told": plain(told)})
            answer = decode(write(found), AgreementMessage)
        except (LineError, WireError) as error:
            log.info("the other table: %s", error)
            self._refusal = str(error) if isinstance(error, RefusedError) else ""
            return False
        with self._lock:
            self._hear(answer)
        return True

    def _hear(self, told: AgreementMessage) -> None:
        self._heard_at = self._clock()
        self._part.hear(told)
        if self.kept and told.seal and not self.kept.seal:
            self._write(replace(self.kept, seal=told.seal))
        self._opened = told.opened or self._opened

    def _tell(self, at: AtTable) -> AgreementMessage:
        kept, session = self.kept, self._table.snapshot.session
        told = self._part.tell(at)
        if kept is None or not kept.told:
            return told
        is_over = session is not None and session.outcome is not None
        opened = f"{kept.salt} {kept.told}" if is_over else ""
        return replace(told, seal=_hash(kept.salt, kept.told), opened=opened)

    def _settle(self) -> AtTable:
        """Does what is to be done, as far as the board has caught up; returns what stands then."""
        for _ in range(MOST_DEEDS):
            snapshot = self._table.snapshot
            if not self._is_on(snapshot) or snapshot.store_trouble:
                break
            at = at_table(snapshot, self._part.here)
            deed = self._part.step(at)
            if deed is None or not self._is_possible(deed, snapshot) or not self._do(deed, snapshot):
                return at
            if deed.then:
                self._keep(deed.then)
        return self._told

    def _is_possible(self, deed: Deed, snapshot: Snapshot) -> bool:
        """Returns whether the board has caught up with the last action, where the next one is played, and
        nothing is open about what is kept."""
        if deed.kind == "play":
            return not (snapshot.verdict or snapshot.questions)
        return deed.kind != "keep" or not snapshot.question

    def _do(self, deed: Deed, snapshot: Snapshot) -> bool:
        session = snapshot.session
        assert session is not None
        number, plies = snapshot.number, len(session.plies)
        for message in self._messages(deed, session):
            try:
                reply = self._table.ask(m.Meant(message, number, plies))
            except TimeoutError:
                return False
            if not reply.ok:
                log.info("the other table's %s %s was not taken: %s", deed.kind, deed.what, reply.words)
                return False
        return True

    def _messages(self, deed: Deed, session: Session) -> Iterator[m.FromElsewhere]:
        """Yields what is told to the table for a deed."""
        kind, _, by = deed.what.partition(" ")
        if deed.kind == "play":
            last = self._part.last
            is_last = last is not None and last.plies[-1:] == (deed.what,)
            left = min(float(last.left), DAY) if last and is_last and _is_number(last.left) else None
            yield m.FromElsewhere(m.Submit(by, kind, ELSEWHERE), left if kind == self._part.there else None)
        elif deed.kind == "back":
            yield m.FromElsewhere(m.TakeBack(int(deed.what), REFEREE))
        elif deed.kind == "lift":
            yield m.FromElsewhere(m.TakeBack(1))
        elif deed.kind in ("offer", "decline"):
            yield m.FromElsewhere(m.Deed(deed.kind, deed.what))
        elif kind in ENDS:
            if kind == "accept" and not session.offer:
                yield m.FromElsewhere(m.Deed("offer", _other(session, by)))
            yield m.FromElsewhere(m.RuleResult(by) if kind == "result" else m.Deed(kind, by))

    def _keep(self, agreed: Agreed) -> None:
        assert self.kept is not None
        self._write(replace(self.kept, agreed=agreed))
        self._part.kept = agreed

    # What is said, and kept

    def _report(self) -> None:
        """Says at the table how the line is, and what is waited for."""
        words = self._say()
        if words != self._words:
            self._words = words
            self._table.post(m.Report("other table", words))

    def _say(self) -> str:
        with self._lock:
            snapshot, kept = self._table.snapshot, self.kept
            if kept is None or not self._is_on(snapshot) or snapshot.session is None:
                return ""
            if snapshot.session.outcome:
                return self._say_checked(snapshot.session, kept)
            if not kept.joined:
                return say("nobody has joined at the other table yet")
            if self._clock() - self._heard_at > CUT:
                return self._refusal or say(
                    "the line is cut: both tables go on where they are once it is back"
                )
            if self._part.wish:
                return say("the other table is asked to take back")
            if self._part.is_asked:
                return say("the other table asks to take back")
            is_sealed = kept.seal or not _is_trusted(snapshot.session)
            return "" if is_sealed else say("the other table has not sealed its pieces yet")

    def _say_checked(self, session: Session, kept: SharedGame) -> str:
        """Says whether what both players had agrees with the game, once that is told."""
        salt, _, told = self._opened.partition(" ")
        if not (kept.seal and kept.told and told):
            return ""
        if not hmac.compare_digest(_hash(salt, told), kept.seal):
            return say("the other table does not tell what it had sealed")
        mine = {kept.here: kept.told, kept.there: told}
        try:
            found = session.audit(tuple(mine[player] for player in session.players))
        except GameError as error:
            return str(error)
        if found is None:
            return say("what both players had sealed agrees with the game")
        words = say("{player} had sealed {told}.", player=say_player(kept.there), told=told)
        return sentences(words, say("Action {number}: {words}.", number=found.number, words=found.words))

    def _is_on(self, snapshot: Snapshot) -> bool:
        """Returns whether the game of the line is on the table."""
        is_same = self.kept is not None and snapshot.number == self.kept.number
        return is_same and snapshot.session is not None and bool(seats_elsewhere(snapshot.head))

    def _take(self, kept: SharedGame) -> None:
        """Goes on with a line as it is kept: another start of it."""
        self._write(replace(kept, boots=kept.boots + 1))
        assert self.kept is not None
        kept = self.kept
        self._part = Agreement(kept.here, kept.there, kept.agreed, not kept.address, kept.boots)
        if self._line:
            self._unused.append(self._line)
        self._line = PeerLine(kept.address, kept.pin, kept.token) if kept.address else None
        self._heard_at, self._opened = float("-inf"), ""

    def _write(self, kept: SharedGame) -> None:
        if self._path:
            write_private(self._path, write(kept))
        self.kept = kept


def at_table(snapshot: Snapshot, here: Player) -> AtTable:
    """Returns what stands at a table, as `agreement` takes it."""
    session = snapshot.session
    assert session is not None
    since = list(takewhile(lambda entry: entry.kind not in MOVING, reversed(session.log)))
    ends = (entry for entry in since if entry.kind in ENDS and session.ruled)
    end = next((f"{entry.kind} {entry.text if entry.kind == 'result' else entry.by}" for entry in ends), "")
    own = [ply for ply in session.plies if ply.player == here]
    left = own[-1].entry.clock if own else None
    offers, declines = (
        (_count(kind, session, here, is_here=True), _count(kind, session, here, is_here=False))
        for kind in ("offer", "decline")
    )
    lags = snapshot.verdict is not None and snapshot.verdict.kind == ANNOUNCED
    plies = tuple(f"{ply.player} {ply.action}" for ply in session.plies)
    return AtTable(plies, end, offers, declines, lags, "" if left is None else str(left))


def _count(kind: str, session: Session, here: Player, *, is_here: bool) -> int:
    """Returns how often the player here, or the other, offered or declined a draw since the other one's last
    action: an offer outlives who makes it playing on."""
    count, plies = 0, reversed(session.plies)
    for entry in reversed(session.log):
        if entry.kind in MOVING and not (entry.kind == "action" and (next(plies).player == here) == is_here):
            break
        count += entry.kind == kind and (entry.by == here) == is_here
    return count


def _is_trusted(session: Session) -> bool:
    """Returns whether players tell what no companion knows: then it is sealed before."""
    return not session.rules.can_be_thought_about(session.first)


def _other(session: Session, seat: Player) -> Player:
    return next(player for player in session.players if player != seat)


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).isdecimal()


def _hash(salt: str, told: str) -> str:
    return hashlib.sha256(f"{salt} {told}".encode()).hexdigest()


def _read(path: Path | None) -> SharedGame | None:
    try:
        return decode(read_whole(path), SharedGame) if path else None
    except FileNotFoundError:
        return None
    except (WireError, OSError) as error:
        log.warning("the game with the other table is not gone on with: %s", error)
        return None
