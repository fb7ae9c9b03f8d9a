"""Takes the lines of all boards' games into a database, once each, in whatever order and however often they
come.

The lines are the truth, and only grow. Beside them stand what they come to, game by game (`summaries.py`),
and views for people (`migrations/002_views.sql`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from broker_bridge.topics import BoardName
from companion.core.errors import CompanionError
from companion.games.text import read_game
from companion.wire.hall import BEGIN, LineKey, LogLine
from hall.archive.arrivals import Arrival, Given, Oddity, is_contradicted, odd
from hall.archive.database import Database, Row, ValueRefusedError
from hall.archive.migrations import migrate
from hall.archive.rows import (
    INSERT_LINE,
    LINES,
    GameKey,
    game_of,
    named_after,
    to_json,
    to_line,
    to_row,
    told_as,
)
from hall.archive.summaries import (
    ADD_TO_SUMMARY,
    DERIVE_PLIES,
    FORGET_PLIES,
    OF_HEAD,
    SET_HEAD,
    derived_from,
    head_of,
    summary_rows,
)

INSERT_SEAT = "INSERT INTO seats (companion, game, seat, player) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
INSERT_PAIRING = """
INSERT INTO pairings (pairing, site, board, arrived) VALUES (?, ?, ?, ?)
ON CONFLICT (pairing) DO UPDATE SET site = excluded.site, board = excluded.board, arrived = excluded.arrived
"""
INSERT_ODDITY = """
INSERT INTO oddities (digest, arrived, topic, payload, why) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
"""

MOST_ODDITIES, MOST_OF_TOPIC = 1000, 50
"""The most oddities that are kept, and those of one topic: a board shall not fill a disk with them."""


class Archive:
    """The games of a hall in a database. One thread uses it; several archives may be open on one database."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def prepare(self, now: float) -> None:
        """Brings the schema up to date; needed once, and again after the database was away."""
        migrate(self.database, now)

    def store(self, arrivals: Sequence[Arrival | Given | Oddity]) -> list[Oddity]:
        """Stores what arrived, for good when this returns. Returns the oddities that are kept, and are new.

        Of lines with one key the first one stays; another one that contradicts it becomes an oddity, and so
        does a line that the database does not take. DatabaseAwayError leaves nothing stored.
        """
        try:
            return self._store(arrivals)
        except ValueRefusedError as error:
            if len(arrivals) == 1:
                return self._store([_make_oddity(arrivals[0], error)])
        return [oddity for arrival in arrivals for oddity in self.store([arrival])]

    def lines(self, game: GameKey, first: int = 0, last: int = 2**31 - 1) -> list[LogLine]:
        """Returns the lines of a game, from one to another, as far as they are there."""
        query = LINES + " AND line BETWEEN ? AND ? ORDER BY line"
        return [to_line(row) for row in self.database.rows(query, (game.companion, game.number, first, last))]

    def own_key(self, board: BoardName, game: GameKey) -> GameKey:
        """Returns the key under which the lines that a board tells of a game are kept."""
        return _key_for(board, game, self._teller(game))

    def count(self, game: GameKey, known: int = 0) -> int:
        """Returns how many lines of a game are there without a gap, line 0 among them; so many are `known`
        to be."""
        rows = self.database.rows(
            "SELECT line FROM lines WHERE companion = ? AND game = ? AND line >= ? ORDER BY line",
            (game.companion, game.number, known),
        )
        for (line,) in rows:
            if line != known:
                break
            known += 1
        return known

    def given(self) -> dict[str, BoardName]:
        """Returns the board that each pairing was given to, as far as the archive has heard of it."""
        if not self.database.rows("SELECT 1 FROM schema_version WHERE version >= 3"):
            return {}  # it was made by an earlier version, and is only read
        rows = self.database.rows("SELECT pairing, site, board FROM pairings")
        return {pairing: BoardName(site, board) for pairing, site, board in rows}

    def recent(self, since: float) -> dict[BoardName, list[GameKey]]:
        """Returns the games of which a line came since a time, by the board that sent it."""
        rows = self.database.rows(
            "SELECT DISTINCT site, board, companion, game FROM lines WHERE arrived >= ?", (since,)
        )
        found: dict[BoardName, list[GameKey]] = {}
        for site, board, companion, number in sorted(rows):
            found.setdefault(BoardName(site, board), []).append(told_as(GameKey(companion, number)))
        return found

    def close(self) -> None:
        self.database.close()

    def _store(self, arrivals: Sequence[Arrival | Given | Oddity]) -> list[Oddity]:
        told = [a for a in arrivals if isinstance(a, Arrival)]
        oddities = [a for a in arrivals if isinstance(a, Oddity)]
        given = sorted((a for a in arrivals if isinstance(a, Given)), key=lambda a: a.pairing)
        with self.database.transaction():
            self.database.insert(
                INSERT_PAIRING, [(a.pairing, a.board.site, a.board.board, a.time) for a in given]
            )
            # Every archiver adds lines in the order of their keys, so that no two wait for each other.
            lines = sorted(self._own(told), key=lambda a: a.line.key)
            oddities += self._add(lines) if lines else []
            return [kept for oddity in oddities if (kept := self._set_aside(oddity))]

    def _own(self, arrivals: Sequence[Arrival]) -> Iterator[Arrival]:
        """Yields lines under the key of their board's own game. The broker's topic alone tells who speaks: no
        board adds to a game that another one told of first, nor keeps it from telling of it."""
        tellers: dict[GameKey, BoardName] = {}
        for arrival in arrivals:
            game, board = game_of(arrival.line), arrival.board
            if game not in tellers:
                tellers[game] = self._teller(game) or board
            own = _key_for(board, game, tellers[game])
            line = replace(arrival.line, companion=own.companion, game=own.number)
            yield replace(arrival, line=line)

    def _teller(self, game: GameKey) -> BoardName | None:
        """Returns the board whose lines stand under a game's key; None where there are none yet."""
        query = "SELECT site, board FROM lines WHERE companion = ? AND game = ? ORDER BY line LIMIT 1"
        rows = self.database.rows(query, (game.companion, game.number))
        return BoardName(*rows[0]) if rows else None

    def _add(self, arrivals: Sequence[Arrival]) -> list[Oddity]:
        """Adds lines, and what follows from them; returns the oddities among them."""
        kept = [(arrival.board, arrival.line) for arrival in arrivals]
        contradictions = []
        if self.database.insert(INSERT_LINE, [to_row(arrival) for arrival in arrivals]) < len(arrivals):
            stored = self._read_stored(arrivals)
            kept = [(arrival.board, stored[arrival.line.key]) for arrival in arrivals]
            contradictions = [
                odd(a.delivery, f"it contradicts line {a.line.line}, which came first", a.time)
                for a in arrivals
                if is_contradicted(a.line, stored[a.line.key])
            ]
        # From here on other archivers that add lines of these games wait until the transaction ends.
        self.database.insert(ADD_TO_SUMMARY, summary_rows(kept))
        lines = [line for _, line in kept]
        for game in sorted({game_of(line) for line in lines if line.kind in OF_HEAD}):
            self._make_head(game)
        derived = derived_from(lines)
        self.database.insert(FORGET_PLIES, derived)
        self.database.insert(DERIVE_PLIES, derived)
        if seats := [row for line in lines for row in _seats(line)]:
            self.database.insert(INSERT_SEAT, seats)
        return contradictions

    def _read_stored(self, arrivals: Iterable[Arrival]) -> dict[LineKey, LogLine]:
        """Returns the lines that are stored under the keys of those that arrived, and maybe some others."""
        by_game: dict[GameKey, list[int]] = {}
        for arrival in arrivals:
            by_game.setdefault(game_of(arrival.line), []).append(arrival.line.line)
        return {
            line.key: line
            for game, numbers in by_game.items()
            for line in self.lines(game, min(numbers), max(numbers))
        }

    def _make_head(self, game: GameKey) -> None:
        """Makes the head of a game anew, of all lines that are there."""
        query = LINES + " AND kind IN (?, ?) ORDER BY line"
        head = head_of(map(to_line, self.database.rows(query, (game.companion, game.number, *OF_HEAD))))
        self.database.insert(SET_HEAD, [(to_json(head), game.companion, game.number)])

    def _set_aside(self, oddity: Oddity) -> Oddity | None:
        """Keeps an oddity, unless there are too many; returns it as it is kept, if it is a new one.

        The last one says that it is the last.
        """
        topic = oddity.topic.replace("\0", "").encode(errors="replace").decode()
        counts = "SELECT COUNT(*), COUNT(CASE WHEN topic = ? THEN 1 END) FROM oddities"
        ((count, of_topic),) = self.database.rows(counts, (topic,))
        if count >= MOST_ODDITIES or of_topic >= MOST_OF_TOPIC:
            return None
        if count == MOST_ODDITIES - 1 or of_topic == MOST_OF_TOPIC - 1:
            oddity = replace(oddity, why=f"{oddity.why} (no more of these is kept)")
        row = (oddity.digest, oddity.time, topic, oddity.payload, oddity.why)
        return oddity if self.database.insert(INSERT_ODDITY, [row]) > 0 else None


def _key_for(board: BoardName, game: GameKey, teller: BoardName | None) -> GameKey:
    """Returns the key of a board's game, if the lines under its own key are a `teller`'s."""
    return game if teller in (None, board) else named_after(game, board)


def _seats(line: LogLine) -> list[Row]:
    """Returns the rows of a game's seats, at its beginning; none where its rules are not installed here."""
    if line.kind != BEGIN:
        return []
    try:
        game = read_game(line.text)
        players = game.rules.players(game.start())
    except CompanionError:
        return []
    return [(line.companion, line.game, seat, player) for seat, player in enumerate(players, 1)]


def _make_oddity(arrival: Arrival | Given | Oddity, error: ValueRefusedError) -> Oddity:
    """Returns what the database does not take as an oddity."""
    why = f"the database does not take this: {str(error)[:150]}".replace("\0", "")
    if isinstance(arrival, Arrival):
        return odd(arrival.delivery, why, arrival.time)
    payload = arrival.payload if isinstance(arrival, Oddity) else arrival.pairing.encode(errors="replace")
    return Oddity("", payload, why, arrival.time)
