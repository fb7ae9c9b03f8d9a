"""Lines as rows of the archive's database, and back."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields, replace
from typing import Any

from broker_bridge.topics import BoardName
from companion.wire.hall import LogLine
from hall.archive.arrivals import TELLER, Arrival
from hall.archive.database import Row

MEMBERS = tuple(member.name for member in fields(LogLine))
"""The members of a line: each is a column."""
COLUMNS = ", ".join(MEMBERS)
OF_JSON = ("head", "rules")
"""The columns that hold JSON."""
VALUES = ", ".join("?" * len(MEMBERS))
INSERT_LINE = f"""
INSERT INTO lines ({COLUMNS}, site, board, arrived)
VALUES ({VALUES}, ?, ?, ?)
ON CONFLICT DO NOTHING
"""  # noqa: S608 (the names are those of our own class)
LINES = f"SELECT {COLUMNS} FROM lines WHERE companion = ? AND game = ?"  # noqa: S608
"""The query for lines of one game, to which further tests are added."""


@dataclass(frozen=True, slots=True, order=True)
class GameKey:
    """The identity of a game in a hall: that of the companion's store, and the game's number in it."""

    companion: str
    number: int

    def __str__(self) -> str:
        return f"{self.companion}/{self.number}"

    @property
    def short(self) -> str:
        """Returns the name with the companion's own cut short."""
        own, sign, board = self.companion.partition(TELLER)
        return f"{own[:8]}{sign}{board}/{self.number}"


def game_of(line: LogLine) -> GameKey:
    return GameKey(line.companion, line.game)


def named_after(game: GameKey, board: BoardName) -> GameKey:
    """Returns the key of a board's game whose own key another board has taken."""
    return replace(game, companion=f"{game.companion}{TELLER}{board}")


def told_as(game: GameKey) -> GameKey:
    """Returns the key by which a game's board tells of it."""
    return replace(game, companion=game.companion.partition(TELLER)[0])


def to_row(arrival: Arrival) -> Row:
    """Returns the values of `INSERT_LINE`."""
    line, board = arrival.line, arrival.board
    values = {name: getattr(line, name) for name in MEMBERS}
    values |= {name: to_json(values[name]) for name in OF_JSON}
    return (*values.values(), board.site, board.board, arrival.time)


def to_line(row: Row) -> LogLine:
    """Returns the line of a row that answers `LINES`."""
    values = dict(zip(MEMBERS, row, strict=True))
    head, rules = (of_json(values[name]) for name in OF_JSON)
    return LogLine(**{**values, "head": head, "rules": tuple(rules)})


def to_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def of_json(value: Any) -> Any:
    """Returns a value of a column of JSON, which psycopg has read already, and SQLite keeps as text."""
    return json.loads(value) if isinstance(value, str) else value
