"""PGN through the `chess` library.

Comments name their authors as `[%by white]`, in the form that PGN has for commands; programs that do not
know it leave it alone. PGN knows no braces in a comment: they become parentheses.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import NamedTuple

import chess
import chess.pgn

from companion.record import Note, Record, RecordError, standing_notes, tidy_note
from companion.session import Session

TAGS = {"white": "White", "black": "Black", "event": "Event", "place": "Site", "round": "Round"}


AUTHOR = re.compile(r"\s*\[%by (\w*)\]\s*")
NO_BRACES = str.maketrans("{}", "()")


def write_pgn(record: Record) -> str:
    """The game as PGN; after an arbiter's correction it begins there, with a FEN."""
    session = record.session()
    first = max((n for n, ply in enumerate(session.plies, 1) if ply.entry.kind == "correction"), default=0)
    said: dict[int, list[Note]] = {}
    for note in standing_notes(record.notes):
        said.setdefault(note.line, []).append(note)
    game = chess.pgn.Game.without_tag_roster()
    game.setup(session.positions()[first].board)
    for tag, value in _tags(record, session).items():
        game.headers[tag] = value
    node: chess.pgn.GameNode = game
    node.comment = _write_notes(said.get(0, ()))
    for ply in session.plies[first:]:
        node = node.add_variation(chess.Move.from_uci(ply.action))
        node.comment = _write_notes(said.get(session.line(ply), ()))
    return str(game) + "\n"


class Parsed(NamedTuple):
    """A PGN game: its head, its moves in UCI, the comments on them, when it began (seconds since 1970, or
    0), and the winner by its tags: '' for a draw, None while it goes on."""

    head: dict[str, str]
    moves: list[str]
    notes: tuple[Note, ...]
    started: float
    winner: str | None


def parse_pgn(pgn: str) -> Parsed:
    """The first game of a PGN text. RecordError says what is wrong."""
    game = chess.pgn.read_game(io.StringIO(pgn))
    if game is None:
        raise RecordError("there is no game in this PGN")
    if game.errors:
        raise RecordError(f"PGN: {game.errors[0]}")
    board = game.board()
    if board.uci_variant != "chess" or board.chess960:
        raise RecordError(f"PGN: only common chess is played here, not {game.headers.get('Variant')}")
    text = "chess" if board == chess.Board() else f"chess fen={board.fen().replace(' ', '_')}"
    names = {tag: key for key, tag in TAGS.items()}
    head = {names[tag]: value for tag, value in game.headers.items() if tag in names and value not in "?-"}
    nodes = [game, *game.mainline()]
    notes = tuple(note for line, node in enumerate(nodes) for note in _read_notes(node.comment, line))
    moves = [move.uci() for move in game.mainline_moves()]
    winner = {"1-0": "white", "0-1": "black", "1/2-1/2": ""}.get(game.headers.get("Result", ""))
    return Parsed({"game": text, **head}, moves, notes, _read_start(game.headers), winner)


def _write_notes(notes: Iterable[Note]) -> str:
    """The comments on a line as one; one by nobody known comes first, without a mark."""
    marked = sorted((f"[%by {n.by}] {n.text}" if n.by else n.text, bool(n.by)) for n in notes)
    return " ".join(text for text, _ in sorted(marked, key=lambda m: m[1])).translate(NO_BRACES)


def _read_notes(comment: str, line: int) -> Iterator[Note]:
    first, *rest = AUTHOR.split(comment)
    for by, text in (("", first), *zip(rest[::2], rest[1::2], strict=True)):
        if text.strip():
            yield Note(tidy_note(text), line, by)


def _read_start(headers: Mapping[str, str]) -> float:
    """When a game began by its tags; 0 where they do not say."""
    date, clock = headers.get("UTCDate") or headers.get("Date", ""), headers.get("UTCTime", "12:00:00")
    try:
        return datetime.strptime(f"{date} {clock} +0000", "%Y.%m.%d %H:%M:%S %z").timestamp()
    except ValueError:
        return 0.0


def _tags(record: Record, session: Session) -> dict[str, str]:
    tags = {tag: _ascii(record.head.get(key, "?")) for key, tag in TAGS.items()}
    tags |= {"Date": "????.??.??", "Result": _result(session)}
    if record.began:
        began = datetime.fromtimestamp(record.began, UTC)
        tags["Date"] = tags["UTCDate"] = began.strftime("%Y.%m.%d")
        tags["UTCTime"] = began.strftime("%H:%M:%S")
    return tags


def _result(session: Session) -> str:
    outcome = session.outcome
    if outcome is None:
        return "*"
    results: Mapping[str | None, str] = {"white": "1-0", "black": "0-1", None: "1/2-1/2"}
    return results[outcome.winner]


def _ascii(text: str) -> str:
    return text.replace('"', "'")
