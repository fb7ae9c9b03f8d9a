"""Makes of a game's log what the topic `event` carries: each line, with how the game stands after it.

Of a game with secrets only its beginning can be told while it goes on. Neither what was done nor when may
tell anything, so that all other lines wait until it is over, and everything in it is public.
"""

from __future__ import annotations

from collections.abc import Iterable

from companion.record.record import Record
from companion.record.session import Entry, Session, begin
from companion.table.refusals import rules_refused
from companion.wire.codec import part_of
from companion.wire.hall import BEGIN, LogLine


class Telling:
    """The lines of one game, which grow with its log."""

    def __init__(self, companion: str, number: int, record: Record) -> None:
        self._companion, self._number = companion, number
        self._session = begin(record.game)
        first = LogLine(
            companion, number, 0, BEGIN, record.game.head, time=record.began, head=dict(record.head)
        )
        self.lines: list[LogLine] = [first]
        self.ready = 1
        """How many lines may be told now."""
        self.add(record.log)

    def add(self, entries: Iterable[Entry]) -> None:
        """Adds what was written to the log. GameError for what cannot follow."""
        for entry in entries:
            before, self._session = self._session, self._session.apply(entry)
            self.lines.append(self._make_line(entry, before, self._session))
            if not self._session.may_hide:
                self.ready = len(self.lines)

    def _make_line(self, entry: Entry, before: Session, after: Session) -> LogLine:
        is_action = entry.kind == "action"
        outcome = after.outcome
        return part_of(
            entry,
            LogLine,
            companion=self._companion,
            game=self._number,
            line=len(self.lines),
            player=after.plies[-1].player if is_action else entry.by if entry.by in after.players else "",
            written=after.plies[-1].written if is_action else "",
            plies=len(after.plies),
            rules=rules_refused(entry.text) if entry.kind == "refused" else (),
            winner=outcome.winner if outcome else None,
            reason=outcome.reason if outcome else "",
        )
