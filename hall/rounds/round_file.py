"""The file of a pairing program: which format it has, and its round, ready to be given to boards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from companion.core.whole_files import decoded, read_whole
from companion.language import say
from hall.rounds.pairs import LineFault, Pair, Pairings, RoundError
from hall.rounds.table import read_table
from hall.rounds.trf import PLAYER, TournamentReport, pairings, read_engine_pairs, read_report, with_pairs

LARGEST = 8 * 1024 * 1024
"""The most bytes of a file. A report of a thousand players over 15 rounds has a quarter of a megabyte."""


class FaultyFileError(RoundError):
    """A file with lines that are wrong: `faults` says of each what."""

    def __init__(self, name: str, faults: Sequence[LineFault]) -> None:
        super().__init__(say("'{file}' has lines that cannot be used: put them right first", file=name))
        self.lines = [f"{name}:{fault.line}: {fault.words}" for fault in faults]


@dataclass(frozen=True, slots=True)
class Round:
    """A round of a file. `report` is what a TRF file holds beside it; None for a table."""

    number: int
    pairs: tuple[Pair, ...]
    report: TournamentReport | None = None

    @property
    def due(self) -> tuple[Pair, ...]:
        return tuple(pair for pair in self.pairs if pair.is_due)


def read_round(
    file: Path, number: int, players: Sequence[str] = (), engine_pairs: Path | None = None
) -> Round:
    """Reads a round of a file: a table (CSV) or a tournament report (TRF).

    `engine_pairs` is what a pairing engine printed for a report that does not have the round yet. RoundError
    where there is no such round; FaultyFileError where lines are wrong.
    """
    content = _content(file)
    report = None
    if _is_report(content):
        report = read_report(content)
        if report.round_count and number > report.round_count:
            raise RoundError(
                say(
                    "'{file}' has {count} rounds: there is no round {number}",
                    file=file.name,
                    count=report.round_count,
                    number=number,
                )
            )
        if engine_pairs:
            report = with_pairs(
                report, number, read_engine_pairs(_content(engine_pairs).decode("ascii", "replace"))
            )
        found = pairings(report, number)
    elif engine_pairs:
        raise RoundError(say("a list of pairs goes with a TRF file, not with a table"))
    else:
        found = read_table(content, players or ("white", "black"))
    return Round(number, _checked(file, found, number), report)


def _checked(file: Path, found: Pairings, number: int) -> tuple[Pair, ...]:
    if found.faults:
        raise FaultyFileError(file.name, found.faults)
    pairs = tuple(replace(pair, round=number) for pair in found.of_round(number))
    if not pairs:
        raise RoundError(say("'{file}' pairs nobody in round {number}", file=file.name, number=number))
    return pairs


def _content(file: Path) -> bytes:
    try:
        return read_whole(file, LARGEST)
    except OSError as error:
        raise RoundError(
            say("cannot read '{file}': {why}", file=str(file), why=str(error.strerror))
        ) from error


def _is_report(content: bytes) -> bool:
    """Returns whether a file is a TRF: some line of it is a player's."""
    text, _ = decoded(content)
    return any(line.startswith(f"{PLAYER} ") for line in text.splitlines())
