"""Corrects a recorded game: makes a new record with other actions or names. The old one stays as it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from companion.core.game import GameError
from companion.games.portable import DATE, began
from companion.language import say
from companion.record.exports import check_step
from companion.record.head import tidy_names
from companion.record.record import Record, RecordError
from companion.record.review import standing_lines
from companion.record.session import Entry, Session, as_note, begin

GONE = ("action", "correction", "takeback", "redo")
"""The kinds of entries of which nothing is left but a ply that stands."""
DETAILS = ("event", "round", "place", "board", DATE)


class UnfitStepError(RecordError):
    """A step that a correction of the game makes impossible; `step` is its number, 0 where it is no player's
    action."""

    def __init__(self, words: str, step: int) -> None:
        super().__init__(words)
        self.step = step


def correct_record(
    record: Record, actions: Mapping[int, str], names: Mapping[str, str], until: int | None = None
) -> Record:
    """Returns the record with other actions at some steps, other names in its head, and no step after
    `until`. What was taken back after the first of these steps is a note there: it may not fit any more.

    UnfitStepError says which step does not fit any more.
    """
    lines = standing_lines(record.session())
    log = list(record.log)
    for step, action in actions.items():
        line = lines[check_step(record, step)]
        if line == 0 or log[line - 1].kind != "action":
            raise RecordError(say("step {step} is no player's action: only these are corrected", step=step))
        log[line - 1] = replace(log[line - 1], text=action, source="correction", certainty=1.0)
    last = len(log) if until is None else lines[check_step(record, until)]
    first = lines[min(actions)] if actions else last
    notes = tuple(note for note in record.notes if note.line <= last)
    head, started = _rename(record, names)
    log = list(_replayed(begin(record.game), log[:last], lines, first))
    return replace(record, log=tuple(log), head=head, notes=notes, started=started)


def _rename(record: Record, names: Mapping[str, str]) -> tuple[dict[str, str], float]:
    """Returns the head with other names, and when the game was begun: another date is another day."""
    known = (*record.session().players, *DETAILS)
    for key in names:
        if key not in known:
            raise RecordError(
                say("a game has no '{key}': its names are {known}", key=key[:40], known=", ".join(known))
            )
    told, started = tidy_names(names), record.started
    if DATE in told:
        told[DATE], started = began({"Date": told[DATE]})
    return {key: name for key, name in {**record.head, **told}.items() if name}, started


def _replayed(session: Session, log: Iterable[Entry], lines: tuple[int, ...], first: int) -> Iterator[Entry]:
    """Yields the lines of a game that is played again; what was taken back after the line `first` as notes.
    UnfitStepError names the first step that is not allowed."""
    for n, entry in enumerate(log, 1):
        if n > first and n not in lines and entry.kind in GONE and not session.ruled:
            entry = as_note(entry)
        try:
            session = session.apply(entry)
        except GameError as error:
            step = lines.index(n) if n in lines and entry.kind == "action" else 0
            name = _name(n, entry, lines)
            words = say("correct {step}, or end the game before it: {reason}", step=name, reason=error)
            raise UnfitStepError(words, step) from error
        yield entry


def _name(line: int, entry: Entry, lines: tuple[int, ...]) -> str:
    step = say("step {step}", step=lines.index(line)) if line in lines else say("line {line}", line=line)
    return step if entry.kind == "action" else say("{step}, {what}", step=step, what=entry.kind)
