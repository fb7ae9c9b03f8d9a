"""The games of a text, of which none may be wrong."""

from companion.record.exports import find_games
from companion.record.record import Record, RecordError


def read_games(text: str) -> tuple[Record, ...]:
    found = find_games(text)
    if found.wrong:
        raise RecordError(found.wrong[0])
    return found.records
