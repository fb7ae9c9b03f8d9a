"""The table: one thread with one inbox keeps the desk; everyone else reads an immutable snapshot.

Sources, tablets and buttons post messages. `ask` waits for the reply; `wait` sleeps until there is a
snapshot newer than one already shown. Where sightings pile up behind a slow one, only the newest of each
source is kept, with the touches of the others: the board as it stands now counts.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import NamedTuple, TypeVar

from companion.core.game import Look, Place
from companion.sensing.observation import Sighting
from companion.table.desk import Desk
from companion.table.messages import Meant, Message, Reply, SightingArrived, Tick
from companion.table.snapshot import Snapshot

log = logging.getLogger(__name__)
T = TypeVar("T")
TICK = 0.25
"""Seconds: when nothing comes in for so long, the desk is told that time went by."""


class Handled(NamedTuple):
    """A message that the table took, its reply, and what was shown before and after."""

    message: Message
    reply: Reply
    before: Snapshot
    after: Snapshot


class Table:
    """A desk in a thread of its own. Use it as a context, or call `start` and `stop`.

    Its thread hands each message that it took to `watch`.
    """

    def __init__(self, desk: Desk, watch: Callable[[Handled], None] | None = None) -> None:
        self._desk = desk
        self._watch = watch or (lambda handled: None)
        self._inbox: deque[tuple[Message | Meant, Future[Reply] | None]] = deque()
        self._mail = threading.Condition()
        self._news = threading.Condition()
        self._snapshot = desk.snapshot
        self._understood: Mapping[str, tuple[float, Mapping[Place, Look]]] = {}
        """The time of each source's last sighting, and the looks that its board was found to show."""
        self._listeners: list[Callable[[Snapshot], None]] = []
        self._open = True
        self._thread = threading.Thread(target=self._run, name="table", daemon=True)

    def __enter__(self) -> Table:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Ends the thread when the inbox is empty; waiting readers are woken."""
        with self._mail:
            self._open = False
            self._mail.notify()
        self._thread.join()
        self.wake()

    @property
    def snapshot(self) -> Snapshot:
        return self._snapshot

    @property
    def is_open(self) -> bool:
        return self._open

    def shown_by(self, sighting: Sighting) -> Mapping[Place, Look] | None:
        """Returns what stands on the board of a sighting, where it was judged last of its source and game and
        board agree; None until then, and where they do not."""
        time, looks = self._understood.get(sighting.source, (None, None))
        return looks if time == sighting.time else None

    def post(self, message: Message) -> None:
        """Puts a message into the inbox and goes on."""
        self._put(message, None)

    def ask(self, message: Message | Meant, timeout: float = 10.0) -> Reply:
        """Puts a message into the inbox and waits for the reply. TimeoutError after so many seconds: what has
        not been begun by then is not done later."""
        reply: Future[Reply] = Future()
        self._put(message, reply)
        try:
            return reply.result(timeout)
        except TimeoutError:
            if reply.cancel():
                raise
        return reply.result(timeout)

    def wait(
        self, after: int, timeout: float, is_over: Callable[[], bool] = lambda: False
    ) -> Snapshot | None:
        """Waits for a snapshot with an id greater than `after`. Returns None if none comes in time, or before
        `wake` finds that the waiting `is_over`."""
        with self._news:
            self._news.wait_for(lambda: self._snapshot.id > after or not self._open or is_over(), timeout)
        return self._snapshot if self._snapshot.id > after else None

    def wake(self) -> None:
        """Has all who wait look whether that is over."""
        with self._news:
            self._news.notify_all()

    def listen(self, listener: Callable[[Snapshot], None]) -> None:
        """Hands each new snapshot to a listener, in the table's own thread: it has to return at once."""
        self._listeners.append(listener)

    def _put(self, message: Message | Meant, reply: Future[Reply] | None) -> None:
        with self._mail:
            if isinstance(message, SightingArrived) and reply is None:
                message = SightingArrived(self._drop_older(message.sighting))
            self._inbox.append((message, reply))
            self._mail.notify()

    def _drop_older(self, newest: Sighting) -> Sighting:
        """Returns the newest sighting with the touches of those of its source that wait, which are dropped.
        Stills all count."""
        for item in list(reversed(self._inbox)):
            message, reply = item
            if reply is not None or not isinstance(message, SightingArrived):
                continue
            older = message.sighting
            if older.source == newest.source and not older.held:
                newest = newest.after(older)
                self._inbox.remove(item)
        return newest

    def _run(self) -> None:
        while True:
            with self._mail:
                self._mail.wait_for(lambda: self._inbox or not self._open, TICK)
                if not self._inbox and not self._open:
                    return
                message, reply = self._inbox.popleft() if self._inbox else (Tick(), None)
            self._handle(message, reply)

    def _handle(self, message: Message | Meant, reply: Future[Reply] | None) -> None:
        if reply and not reply.set_running_or_notify_cancel():
            return
        answer, _ = self._desk.handle(message)
        if isinstance(message, SightingArrived):
            self._note_understood(message.sighting)
        before = self._snapshot
        if self._snapshot is not self._desk.snapshot:
            with self._news:
                self._snapshot = self._desk.snapshot
                self._news.notify_all()
            for listener in self._listeners:
                _call(listener, self._snapshot)
        sent = message.message if isinstance(message, Meant) else message
        _call(self._watch, Handled(sent, answer, before, self._snapshot))
        if reply:
            reply.set_result(answer)

    def _note_understood(self, sighting: Sighting) -> None:
        """Notes what the board of a sighting shows, where that is known and stored."""
        others = {name: known for name, known in self._understood.items() if name != sighting.source}
        snapshot = self._desk.snapshot
        if self._desk.state.is_understood and snapshot.session is not None and not snapshot.store_trouble:
            others[sighting.source] = sighting.time, snapshot.look_as_laid
        self._understood = others


def _call(listener: Callable[[T], None], news: T) -> None:
    """Hands on what is new. A listener that fails must not end the game for all others."""
    try:
        listener(news)
    except Exception:
        log.exception("a listener failed at %s", type(news).__name__)
