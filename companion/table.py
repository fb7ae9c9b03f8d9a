"""The table: one thread with one inbox keeps the desk; everyone else reads an immutable snapshot.

Sources, tablets and buttons post messages. `ask` waits for the reply; `wait` sleeps until there is a
snapshot newer than one already shown. Sightings that pile up behind a slow one are dropped but for the
newest of each source: what stands on the board now is what counts, and what was touched meanwhile.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future

from companion.desk import Desk
from companion.messages import Message, Reply, Seen, Tick
from companion.observation import Sighting
from companion.snapshot import Happening, Snapshot

log = logging.getLogger(__name__)
TICK = 0.25
"""Seconds: when nothing comes in for so long, the desk is told that time went by."""
OWN_FAULT = "the companion failed at this; what was recorded is safe"


class Table:
    """A desk in a thread of its own. Use it as a context, or call `start` and `stop`."""

    def __init__(self, desk: Desk, tell: Callable[[Happening], None] | None = None) -> None:
        self._desk = desk
        self._tell = tell or (lambda happening: None)
        self._inbox: deque[tuple[Message, Future[Reply] | None]] = deque()
        self._mail = threading.Condition()
        self._news = threading.Condition()
        self._snapshot = desk.snapshot
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
        with self._news:
            self._news.notify_all()

    @property
    def snapshot(self) -> Snapshot:
        return self._snapshot

    @property
    def is_open(self) -> bool:
        return self._open

    def post(self, message: Message) -> None:
        """Puts a message into the inbox and goes on."""
        self._put(message, None)

    def ask(self, message: Message, timeout: float = 10.0) -> Reply:
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

    def wait(self, after: int, timeout: float) -> Snapshot | None:
        """The first snapshot with an id greater than `after`; None when there is none for so many seconds."""
        with self._news:
            self._news.wait_for(lambda: self._snapshot.id > after or not self._open, timeout)
        return self._snapshot if self._snapshot.id > after else None

    def _put(self, message: Message, reply: Future[Reply] | None) -> None:
        with self._mail:
            if isinstance(message, Seen) and reply is None:
                message = Seen(self._drop_older(message.sighting))
            self._inbox.append((message, reply))
            self._mail.notify()

    def _drop_older(self, newest: Sighting) -> Sighting:
        """The newest sighting, with the touches of those that waited before it."""
        for item in [i for i in reversed(self._inbox) if i[1] is None and isinstance(i[0], Seen)]:
            seen = item[0]
            if isinstance(seen, Seen) and seen.sighting.source == newest.source and not seen.sighting.held:
                newest = newest.after(seen.sighting)
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

    def _handle(self, message: Message, reply: Future[Reply] | None) -> None:
        if reply and not reply.set_running_or_notify_cancel():
            return
        try:
            answer, happened = self._desk.handle(message)
        except Exception:  # our own fault must not end the game
            log.exception("while handling %s", type(message).__name__)
            answer, happened = Reply(False, OWN_FAULT), []
        if self._snapshot is not self._desk.snapshot:
            with self._news:
                self._snapshot = self._desk.snapshot
                self._news.notify_all()
        for happening in happened:
            self._tell(happening)
        if reply:
            reply.set_result(answer)
