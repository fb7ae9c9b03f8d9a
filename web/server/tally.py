"""The tally: what a table has done since the program began, counted for who looks after it.

It is handed each message that the table took, with the snapshots before and after. While the players of a
game know different things nothing of it is counted: nobody shall learn from a number, or from when it grew,
what somebody hides. Its log is counted when it is over, and all is public.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from itertools import chain

from prometheus_client import CollectorRegistry, Counter, Histogram, disable_created_metrics

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
disable_created_metrics()  # type: ignore[no-untyped-call] # when each came first is nobody's business


class Tally:
    """The counts of one table, in a registry of their own. `clock` gives the seconds that sightings carry
    (monotonic).

    `watch` runs in the table's thread; who collects the counts in any other one holds `lock`.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self.lock, self.registry = threading.Lock(), CollectorRegistry()
        self._actions = self._counter("actions", "Accepted actions, by source", "source")
        self._sources: set[str] = set()
        self._refusals = self._counter("refusals", "Refusals, by the rule that was broken", "rule")
        self._takebacks = self._counter("takebacks", "Takebacks, by who took back", "by")
        self._questions = self._counter("questions", "Questions to the players")
        self._latencies = Histogram(
            "companion_sighting_seconds",
            "From the sighting of an action to its snapshot",
            buckets=BOUNDS,
            registry=self.registry,
        )
        self._counted: tuple[int | None, int] = (None, 0)
        """The game that is on, and the lines of its log that are counted."""

    def _counter(self, name: str, about: str, *labels: str) -> Counter:
        return Counter(f"companion_{name}", about, labels, registry=self.registry)

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
                self._actions.labels(self._source_of(entry)).inc()
            elif entry.kind == "takeback":
                self._takebacks.labels(_who(entry)).inc()
        are_refused = (_rules(handled.after) for entry in new if entry.kind == "refused")
        for rule in chain(*are_refused, (breach.rule for breach in handled.reply.breaches)):
            self._refusals.labels(rule).inc()
        asked, before = handled.after.question, handled.before.question
        if asked is not None and (before is None or asked.id != before.id):
            self._questions.inc()
        if isinstance(handled.message, SightingArrived) and any(entry.kind == "action" for entry in new):
            seconds = self._clock() - handled.message.sighting.time
            if 0 <= seconds < LONGEST:
                self._latencies.observe(seconds)

    def _source_of(self, entry: Entry) -> str:
        """Returns the source of an action, or a common one where there are many: each label is kept for good
        by who collects them."""
        if len(self._sources) < MOST_LABELS:
            self._sources.add(entry.source)
        return entry.source if entry.source in self._sources else OTHER


def _who(entry: Entry) -> str:
    """Returns who took back: `hand` (on the board), `player`, `arbiter`, or `referee` (a misreading)."""
    if entry.by in (ARBITER, REFEREE):
        return entry.by
    return "player" if entry.by else "hand"


def _rules(snapshot: Snapshot) -> list[str]:
    verdict = snapshot.verdict
    return [breach.rule for breach in verdict.breaches] if verdict and verdict.breaches else [UNEXPLAINED]
