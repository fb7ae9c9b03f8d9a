"""Gives systemd signs of life over its notification socket: READY once, then WATCHDOG while the table
answers.

systemd restarts a service that hangs without dying. Nothing is sent without `NOTIFY_SOCKET` in the
environment, as on every machine where nobody asked for signs. Hook it into a run like this:

    with Watchdog(lambda: answers(table)):
        server.run()
"""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress

from companion.table.messages import Answer
from companion.table.table import Table

USUAL_S = 10.0
"""Seconds between two signs where systemd did not say how often it wants them."""
STUCK_AFTER_S = 5.0
"""Seconds after which a table that has not replied counts as stuck."""


def answers(table: Table, patience: float = STUCK_AFTER_S) -> bool:
    """Returns whether the table's thread still takes messages, by asking something that changes nothing."""
    try:
        table.ask(Answer(-1, ()), patience)  # refused, since there is no such question
    except TimeoutError:
        return False
    return True


class Watchdog:
    """Tells systemd that all is well, for as long as it is entered and `alive` says so.

    `environ` is that of the process. `wait` sleeps for at most some seconds and returns whether it was told
    to stop: an event's `wait`, unless a test hands in another.
    """

    def __init__(
        self,
        alive: Callable[[], bool],
        environ: Mapping[str, str] = os.environ,
        wait: Callable[[float], bool] | None = None,
    ) -> None:
        self._alive = alive
        self._address = environ.get("NOTIFY_SOCKET", "")
        self._interval = int(environ.get("WATCHDOG_USEC", 0)) / 2e6 or USUAL_S
        self._stop = threading.Event()
        self._wait = wait or self._stop.wait
        self._thread: threading.Thread | None = None
        self._line: socket.socket | None = None

    def __enter__(self) -> Watchdog:
        if self._address:
            # Opened once: later all file descriptors may be in use, while the table plays on.
            self._line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            self._thread = threading.Thread(target=self._run, name="watchdog", daemon=True)
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        if self._thread:
            self._thread.join()
        if self._line:
            self._line.close()

    def _run(self) -> None:
        self._tell("READY=1")
        while not self._wait(self._interval):
            if self._alive():
                self._tell("WATCHDOG=1")
        self._tell("STOPPING=1")

    def _tell(self, words: str) -> None:
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        with suppress(OSError):  # systemd is being restarted: the next sign may arrive
            assert self._line is not None  # it is open while the thread runs
            self._line.sendto(words.encode(), address)
