"""Traces: recorded sessions of any source, to be replayed.

A trace is a text file, a JSON object a line; pictures lie beside it. Its first line says what it is, each
other one is a moment: `{"time": 1.25, "picture": "000031.jpg"}` or `{"time": 1.25, "bytes": "a503…"}`
(hexadecimal). It can be read with any editor, holds no code, and what a killed process wrote is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

from companion.core.board import Board
from companion.core.json_text import parse_json
from companion.core.whole_files import encoding_of
from companion.sensing.observation import Sighting
from companion.sensing.sources import (
    EYES,
    SOURCES,
    Opener,
    SightingSource,
    SourceError,
    argument_of,
    scheme_of,
)

FORMAT = "board-companion trace 1"
FILE = "trace.jsonl"
DAMAGED = ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError
"""Errors that come of a line which was changed by hand or by a failing disk."""
PICTURE = re.compile(r"[0-9]{1,9}\.(jpg|png)")


class TraceError(SourceError):
    """A trace that cannot be read: one line that says where and why."""


@dataclass(frozen=True, slots=True)
class TraceMoment:
    """One moment of a trace (seconds from the start): a picture's file, or bytes."""

    time: float
    picture: Path | None = None
    data: bytes | None = None


class Recorded:
    """The sightings of a trace, as a source that is not live. Nothing is held open."""

    live = False

    def __init__(self, sightings: Iterator[Sighting]) -> None:
        self._sightings = sightings

    def sightings(self) -> Iterator[Sighting]:
        return self._sightings

    def __enter__(self) -> Recorded:
        return self

    def __exit__(self, *_: object) -> None: ...


def read_trace(path: str | Path) -> tuple[str, Iterator[TraceMoment]]:
    """Returns the source that a trace was made of, and its moments. `path` is its file, or the folder.

    Raises TraceError at once for what is no trace, and at the line concerned for a damaged one.
    """
    if not str(path):
        raise TraceError("a trace needs its file: write trace:FILE")
    file = Path(path) / FILE if Path(path).is_dir() else Path(path)
    try:
        content = file.read_bytes()
        lines = content.decode(encoding_of(content)).splitlines(keepends=True)
        head = parse_json(lines[0] if lines else "")
    except OSError as error:
        raise TraceError(f"cannot read trace '{path}': {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise TraceError(f"'{path}' is not a trace") from error
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise TraceError(f"'{path}' is not a trace: its first line must say \"{FORMAT}\"")
    return str(head.get("source", "")), _moments(file, lines)


def open_recorded(
    text: str, board: Board, profile: str | Path | None = None, folder: Path | None = None
) -> AbstractContextManager[SightingSource]:
    """Opens `trace:FILE` by the opener that replays the source which the trace was made of."""
    source, _ = read_trace(argument_of(text))
    scheme = SOURCES.get(scheme_of(source))
    opener: Opener = resolve_name(scheme.replay if scheme else EYES)
    return opener(text, board, profile, folder)


def read_bytes(path: str) -> tuple[str, Iterator[tuple[float, bytes]]]:
    """Returns the source that a trace was made of, and its bytes, each with the time at which they came."""
    source, moments = read_trace(path)
    return source, ((moment.time, moment.data) for moment in moments if moment.data)


def _moments(file: Path, lines: list[str]) -> Iterator[TraceMoment]:
    # A line without its end was never finished, and is left out.
    for number, line in enumerate(lines[1:], 2):
        if not line.strip() or not line.endswith(("\n", "\r")):
            continue
        try:
            yield _moment(file.parent, parse_json(line))
        except DAMAGED as error:
            raise TraceError(f"trace '{file}' is damaged at line {number}") from error


def _moment(folder: Path, line: Mapping[str, Any]) -> TraceMoment:
    time = float(line["time"])
    if not isfinite(time):
        raise ValueError(time)
    if "bytes" in line:
        return TraceMoment(time, data=bytes.fromhex(line["bytes"]))
    if not PICTURE.fullmatch(line["picture"]):
        raise ValueError(line["picture"])
    return TraceMoment(time, picture=folder / line["picture"])
