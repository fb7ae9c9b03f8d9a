"""Keeps, beside the lines of a game, one row of what they come to: its beginning, and how it stands.

Lines are added to a row in whatever order they come: of the beginning there is only one, and of all else the
highest line counts. So it makes no difference how often a line comes, and through which of several archivers.
Heads and plies depend on several lines: they are made anew of what is stored, while the row keeps other
archivers out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from broker_bridge.topics import BoardName
from companion.record.head import HEAD, change_head
from companion.record.record import CORRECTS
from companion.wire.hall import BEGIN, LogLine
from hall.archive.database import Row

ADD_TO_SUMMARY = """
INSERT INTO summaries
    (companion, game, site, board, text, started, head, last_line, plies, winner, reason, open_line)
VALUES (?, ?, ?, ?, ?, ?, '{}', ?, ?, ?, ?, ?)
ON CONFLICT (companion, game) DO UPDATE SET
    site = COALESCE(summaries.site, excluded.site),
    board = COALESCE(summaries.board, excluded.board),
    text = COALESCE(summaries.text, excluded.text),
    started = COALESCE(summaries.started, excluded.started),
    plies = CASE WHEN excluded.last_line > summaries.last_line
        THEN excluded.plies ELSE summaries.plies END,
    winner = CASE WHEN excluded.last_line > summaries.last_line
        THEN excluded.winner ELSE summaries.winner END,
    reason = CASE WHEN excluded.last_line > summaries.last_line
        THEN excluded.reason ELSE summaries.reason END,
    last_line = CASE WHEN excluded.last_line > summaries.last_line
        THEN excluded.last_line ELSE summaries.last_line END,
    open_line = CASE WHEN excluded.open_line > summaries.open_line
        THEN excluded.open_line ELSE summaries.open_line END
"""
"""Adds lines to what is known of a game. It is the same whatever comes first, and if it comes again."""
SET_HEAD = "UPDATE summaries SET head = ? WHERE companion = ? AND game = ?"
OF_HEAD = (BEGIN, HEAD)
"""The kinds of lines that a head is made of."""
FORGET_PLIES = "DELETE FROM plies WHERE companion = ? AND game = ? AND line >= ?"
DERIVE_PLIES = "INSERT INTO plies SELECT * FROM derived_plies WHERE companion = ? AND game = ? AND line >= ?"


def derived_from(lines: Iterable[LogLine]) -> list[Row]:
    """Returns companion, game and line for each game: from where on its plies follow from these lines.

    A ply depends on lines before it, and on takebacks after it.
    """
    found: dict[tuple[str, int], int] = {}
    for line in lines:
        key = (line.companion, line.game)
        first = 0 if line.kind == "takeback" else line.line
        found[key] = min(first, found.get(key, first))
    return [(*key, first) for key, first in found.items()]


def summary_rows(lines: Iterable[tuple[BoardName, LogLine]]) -> list[Row]:
    """Returns a row to add for each game, of lines in the order of their keys."""
    by_game = groupby(lines, key=lambda pair: (pair[1].companion, pair[1].game))
    return [(*key, *_summary(list(group))) for key, group in by_game]


def _summary(lines: Sequence[tuple[BoardName, LogLine]]) -> Row:
    board, first = lines[0]
    last = lines[-1][1]
    is_begun = first.kind == BEGIN
    return (
        *((board.site, board.board, first.text, first.time) if is_begun else (None,) * 4),
        *(last.line, last.plies, last.winner, last.reason),
        next((line.line for _, line in reversed(lines) if not line.reason), -1),
    )


def head_of(lines: Iterable[LogLine]) -> dict[str, str]:
    """Returns the head of a game after its lines.

    A corrected copy has its last head from the beginning: the changes in its log are those of the first game.
    """
    head: dict[str, str] = {}
    for line in lines:
        if line.kind == BEGIN:
            head = dict(line.head)
        elif line.kind == HEAD and CORRECTS not in head:
            head = change_head(head, line.text)
    return head
