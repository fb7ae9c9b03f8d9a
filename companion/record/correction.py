"""Corrects a recorded game: makes a new record with other actions or names. The old one stays as it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.core.comments import tidy_line
from companion.core.game import GameError, IllegalActionError
from companion.record.record import Record, RecordError
from companion.record.review import standing_lines
from companion.record.session import Entry, begin

DETAILS = ("event", "round", "place", "date")


def correct_record(
    record: Record, actions: Mapping[int, str], names: Mapping[str, str], until: int | None = None
) -> Record:
    """Returns the record with other actions at some steps, other names in its head, and no step after
    `until`.

    RecordError says which step does not fit any more.
    """
    lines = standing_lines(record.session())
    log = list(record.log)
    for step, action in actions.items():
        line = _line(lines, step)
        if line == 0 or log[line - 1].kind != "action":
            raise RecordError(f"step {step} is no player's action: only these are corrected")
        log[line - 1] = replace(log[line - 1], text=action, source="correction", certainty=1.0)
    last = len(log) if until is None else _line(lines, until)
    notes = tuple(note for note in record.notes if note.line <= last)
    corrected = replace(record, log=tuple(log[:last]), head=_rename(record, names), notes=notes)
    _check(corrected, lines)
    return corrected


def _line(lines: tuple[int, ...], step: int) -> int:
    if not 0 <= step < len(lines):
        raise RecordError(f"the game has {len(lines) - 1} steps: there is no step {step}")
    return lines[step]


def _rename(record: Record, names: Mapping[str, str]) -> dict[str, str]:
    known = (*record.session().players, *DETAILS)
    for key in names:
        if key not in known:
            raise RecordError(f"a game has no '{key[:40]}': its names are {', '.join(known)}")
    head = {**record.head, **{key: tidy_line(name)[:80] for key, name in names.items()}}
    return {key: name for key, name in head.items() if name}


def _check(record: Record, lines: tuple[int, ...]) -> None:
    """Replays the game. RecordError names the first step that is not allowed."""
    session = begin(record.game)
    for n, entry in enumerate(record.log, 1):
        try:
            session = session.apply(entry)
        except GameError as error:
            raise RecordError(f"{_name(n, entry, lines)}: {_why(error)}{_ADVICE}") from error


def _name(line: int, entry: Entry, lines: tuple[int, ...]) -> str:
    step = f"step {lines.index(line)}" if line in lines else f"line {line}"
    return f"{step}, {entry.kind if entry.kind != 'action' else entry.text}"


def _why(error: GameError) -> str:
    if isinstance(error, IllegalActionError):
        return f"not allowed ({', '.join(b.rule for b in error.breaches)})"
    return str(error)


_ADVICE = "; correct that too, or end the game before it"
