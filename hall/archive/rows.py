"""Lines as rows of the archive's database, and back."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

from broker_bridge.messages import LineKey, LogLine
from broker_bridge.topics import BoardName
from hall.archive.arrivals import TELLER, Arrival
from hall.archive.database import Row

INSERT_LINE = """
INSERT INTO lines
    (companion, game, line, kind, text, by, source, certainty, time, clock,
    head, player, written, plies, rules, winner, reason, site, board, arrived)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT DO NOTHING
"""
LINES = """
SELECT companion, game, line, kind, text, by, source, certainty, time, clock,
    head, player, written, plies, rules, winner, reason
FROM lines WHERE companion = ? AND game = ?
"""
"""The query for lines of one game, to which further tests are added."""


@dataclass(frozen=True, slots=True, order=True)
class GameKey:
    """The identity of a game in a hall: that of the companion's store, and the game's number in it."""

    companion: str
    number: int

    def __str__(self) -> str:
        return f"{self.companion}/{self.number}"


def game_of(line: LogLine) -> GameKey:
    return GameKey(line.key.companion, line.key.game)


def named_after(game: GameKey, board: BoardName) -> GameKey:
    """Returns the key of a board's game whose own key another board has taken."""
    return replace(game, companion=f"{game.companion}{TELLER}{board}")


def told_as(game: GameKey) -> GameKey:
    """Returns the key by which a game's board tells of it."""
    return replace(game, companion=game.companion.partition(TELLER)[0])


def to_row(arrival: Arrival) -> Row:
    """Returns the values of `INSERT_LINE`."""
    line, key, board = arrival.line, arrival.line.key, arrival.board
    return (
        *(key.companion, key.game, key.line, line.kind, line.text, line.by, line.source),
        *(line.certainty, line.time, line.clock, to_json(dict(line.head)), line.player, line.written),
        *(line.plies, to_json(line.rules), line.winner, line.reason),
        *(board.site, board.board, arrival.time),
    )


def to_line(row: Row) -> LogLine:
    """Returns the line of a row that answers `LINES`."""
    companion, game, number, kind, text, by, source, certainty, time, clock = row[:10]
    head, player, written, plies, rules, winner, reason = row[10:]
    return LogLine(
        key=LineKey(companion, game, number),
        kind=kind,
        text=text,
        by=by,
        source=source,
        certainty=certainty,
        time=time,
        clock=clock,
        head=of_json(head),
        player=player,
        written=written,
        plies=plies,
        rules=tuple(of_json(rules)),
        winner=winner,
        reason=reason,
    )


def to_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def of_json(value: Any) -> Any:
    """Returns a value of a column of JSON, which psycopg has read already, and SQLite keeps as text."""
    return json.loads(value) if isinstance(value, str) else value
