"""Lists the games of an archive, and brings one of them back as a record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from broker_bridge.topics import BoardName
from companion.core.errors import CompanionError
from companion.games.text import read_game
from companion.record.record import Record, write_time
from companion.record.session import GIVEN_UP, Entry
from companion.wire.codec import part_of
from hall.archive.archive import Archive
from hall.archive.arrivals import TELLER
from hall.archive.database import Database, Row
from hall.archive.rows import GameKey, of_json
from hall.archive.summaries import head_of

GAMES = """
SELECT companion, game, site, board, text, head, started, plies, winner, reason FROM summaries
WHERE text IS NOT NULL
"""
SEATS = "SELECT player FROM seats WHERE companion = ? AND game = ? ORDER BY seat"
NEWEST_FIRST = """
ORDER BY (SELECT arrived FROM lines WHERE lines.companion = summaries.companion
    AND lines.game = summaries.game AND line = 0) DESC, started DESC, companion, game LIMIT ?
"""
"""By the archive's clock: those of the boards, which may have no network, differ."""
TESTS = {
    "player": " AND EXISTS (SELECT 1 FROM players WHERE players.companion = summaries.companion"
    " AND players.game = summaries.game AND lower(players.name) LIKE ? ESCAPE '!')",
    "round": " AND head->>'round' = ?",
    "event": " AND head->>'event' = ?",
    "board": " AND site || '/' || board = ?",
}
"""The tests of a list of games, by what they look at."""


class ArchiveError(CompanionError):
    """A game that the archive does not have, or not whole."""


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game in a list of games. `started` is in seconds since 1970, 0 where nobody knows."""

    key: GameKey
    board: BoardName
    text: str
    head: Mapping[str, str]
    started: float
    plies: int
    winner: str | None
    reason: str
    seats: tuple[str, ...]
    """The players in their order; () where the game's rules are not installed at the archive."""

    @property
    def result(self) -> str:
        """Returns the winner, `draw`, `given up`, or '' while the game goes on."""
        if self.winner or not self.reason:
            return self.winner or ""
        return GIVEN_UP if self.reason == GIVEN_UP else "draw"

    def to_json(self) -> Mapping[str, object]:
        return {
            "companion": self.key.companion,
            "number": self.key.number,
            "site": self.board.site,
            "board": self.board.board,
            "game": self.text,
            "head": dict(self.head),
            "started": write_time(self.started, "seconds") if self.started else None,
            "plies": self.plies,
            "result": self.result or None,
        }


def list_games(database: Database, limit: int, wanted: Mapping[str, str]) -> list[GameRow]:
    """Returns games, newest first. `wanted` names a round, an event, a board or part of a player's name."""
    tests = {name: value for name, value in wanted.items() if value}
    values = [_pattern(value) if name == "player" else value for name, value in tests.items()]
    query = GAMES + "".join(TESTS[name] for name in tests) + NEWEST_FIRST
    return [_row(database, row) for row in database.rows(query, (*values, limit))]


def find_game(database: Database, name: str) -> GameKey:
    """Returns the game of a name, `COMPANION/NUMBER`, of which the companion's own may be cut short.

    ArchiveError where there is none, or there are several.
    """
    companion, _, number = name.rpartition("/")
    if not (number.isascii() and number.isdecimal() and len(number) < 10):
        raise ArchiveError(f"a game is named as 'companion hall games' names it, not '{name}'")
    own, _, board = companion.partition(TELLER)
    rows = database.rows(
        "SELECT companion FROM summaries WHERE game = ? AND substr(companion, 1, ?) = ?",
        (int(number), len(own), own),
    )
    found = [GameKey(row[0], int(number)) for row in rows if row[0].partition(TELLER)[2] == board]
    exact = [game for game in found if str(game) == name]
    if len(exact or found) != 1:
        raise ArchiveError(f"there {'are several games' if found else 'is no game'} '{name}' in the archive")
    return (exact or found)[0]


def record_of(archive: Archive, game: GameKey) -> Record:
    """Returns a game as its board has it, but without comments, which boards do not send.

    ArchiveError where lines of it are missing, GameError where its rules are not installed here.
    """
    lines = archive.lines(game)
    missing = next((n for n, line in enumerate(lines) if line.line != n), 0 if not lines else None)
    if missing is not None:
        raise ArchiveError(f"line {missing} of game {game} has not come to the archive")
    log = tuple(
        part_of(line, Entry, certainty=1.0 if line.certainty is None else line.certainty)
        for line in lines[1:]
    )
    return Record(read_game(lines[0].text), log, head_of(lines), started=lines[0].time)


def _pattern(words: str) -> str:
    for sign in "!%_":
        words = words.replace(sign, "!" + sign)
    return f"%{words.lower()}%"


def _row(database: Database, row: Row) -> GameRow:
    companion, number, site, board, text, head, started, plies, winner, reason = row
    return GameRow(
        key=GameKey(companion, number),
        board=BoardName(site, board),
        text=text,
        head=of_json(head),
        started=started,
        plies=plies,
        winner=winner,
        reason=reason,
        seats=tuple(player for (player,) in database.rows(SEATS, (companion, number))),
    )
