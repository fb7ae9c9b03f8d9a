"""The tally: what a table has done since the program began, counted for who looks after it.

It is handed each message that the table took, with the snapshots before and after. While the players of a
game know different things nothing of it is counted: nobody shall learn from a number, or from when it grew,
what somebody hides. Its log is counted when it is over, and all is public.
"""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from companion.record.session import ARBITER, REFEREE, Entry, Session
from companion.table.messages import SightingArrived
from companion.table.snapshot import Snapshot
from companion.table.table import Handled

BOUNDS = (0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0)
"""The seconds by which latencies are sorted; the last class has no end."""
LONGEST = 60.0
"""The seconds above which a sighting is none of now: files count their time from their start."""
MOST_LABELS, OTHER = 32, "other"
UNEXPLAINED = "none"
"""The rule of a refusal that names none: what is on the board is no action at all."""


@dataclass
class Latencies:
    """The times from a sighting of the board until its action stands: how many lie in each class of
    `BOUNDS`, and their sum in seconds."""

    classes: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS) + 1))
    total: float = 0.0

    def add(self, seconds: float) -> None:
        self.classes[bisect_left(BOUNDS, seconds)] += 1
        self.total += seconds


class Tally:
    """The counts of one table. `clock` gives the seconds that sightings carry (monotonic).

    `watch` runs in the table's thread, and all else may in any other one, holding `lock`.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self.lock = threading.Lock()
        self.actions = Counter[str]()
        """Accepted actions by their sources."""
        self.refusals = Counter[str]()
        """Refusals by the rules that were broken."""
        self.takebacks = Counter[str]()
        """Takebacks by who: `hand` (on the board), `player`, `arbiter`, or `referee` (a misreading)."""
        self.questions = 0
        self.latencies = Latencies()
        """Seconds from the sighting by which an action was accepted to the snapshot that shows it."""
        self._counted: tuple[int | None, int] = (None, 0)
        """The game that is on, and the lines of its log that are counted."""

    def watch(self, handled: Handled) -> None:
        """Counts what came of a message."""
        after = handled.after
        session = after.session
        if session is None:
            return
        with self.lock:
            number, counted = self._counted
            if number != after.number:
                counted = len(session.log)  # it goes on: its lines were counted when they were written
            elif not session.may_hide:
                self._count(handled, session, session.log[counted:])
                counted = len(session.log)
            self._counted = after.number, counted

    def _count(self, handled: Handled, session: Session, new: tuple[Entry, ...]) -> None:
        for entry in new:
            if entry.kind == "action":
                self.actions[_limit_label(self.actions, entry.source)] += 1
            elif entry.kind == "takeback":
                self.takebacks[_who(entry)] += 1
            elif entry.kind == "refused":
                self.refusals.update(_rules(handled.after))
        self.refusals.update(breach.rule for breach in handled.reply.breaches)
        asked, before = handled.after.question, handled.before.question
        self.questions += asked is not None and (before is None or asked.id != before.id)
        if isinstance(handled.message, SightingArrived) and any(entry.kind == "action" for entry in new):
            seconds = self._clock() - handled.message.sighting.time
            if 0 <= seconds < LONGEST:
                self.latencies.add(seconds)


def _limit_label(counts: Counter[str], label: str) -> str:
    """Returns the label, or a common one where there are many: each is kept for good by who collects them."""
    return label if label in counts or len(counts) < MOST_LABELS else OTHER


def _who(entry: Entry) -> str:
    if entry.by in (ARBITER, REFEREE):
        return entry.by
    return "player" if entry.by else "hand"


def _rules(snapshot: Snapshot) -> list[str]:
    verdict = snapshot.verdict
    return [breach.rule for breach in verdict.breaches] if verdict and verdict.breaches else [UNEXPLAINED]
