"""PGN through the `chess` library."""

from __future__ import annotations

import io
from collections.abc import Mapping
from datetime import UTC, datetime

import chess
import chess.pgn

from companion.record import Record, RecordError
from companion.session import Session

TAGS = {"white": "White", "black": "Black", "event": "Event", "place": "Site", "round": "Round"}


def write_pgn(record: Record) -> str:
    """The game as PGN; after an arbiter's correction it begins there, with a FEN."""
    session = record.session()
    first = max((n for n, ply in enumerate(session.plies, 1) if ply.entry.kind == "correction"), default=0)
    game = chess.pgn.Game.without_tag_roster()
    game.setup(session.positions()[first].board)
    for tag, value in _tags(record, session).items():
        game.headers[tag] = value
    node: chess.pgn.GameNode = game
    for ply in session.plies[first:]:
        node = node.add_variation(chess.Move.from_uci(ply.action))
    return str(game) + "\n"


def parse_pgn(text: str) -> tuple[dict[str, str], list[str]]:
    """A PGN game's head and its moves in UCI. RecordError says what is wrong."""
    game = chess.pgn.read_game(io.StringIO(text))
    if game is None:
        raise RecordError("there is no game in this PGN")
    if game.errors:
        raise RecordError(f"PGN: {game.errors[0]}")
    if "FEN" in game.headers:
        raise RecordError("PGN: games that begin in the middle (FEN) cannot be imported")
    names = {tag: key for key, tag in TAGS.items()}
    head = {names[tag]: value for tag, value in game.headers.items() if tag in names and value not in "?-"}
    return {"game": "chess", **head}, [move.uci() for move in game.mainline_moves()]


def _tags(record: Record, session: Session) -> dict[str, str]:
    began = record.log[0].time if record.log else 0.0
    tags = {tag: _ascii(record.head.get(key, "?")) for key, tag in TAGS.items()}
    tags["Date"] = datetime.fromtimestamp(began, UTC).strftime("%Y.%m.%d") if began else "????.??.??"
    return {**tags, "Result": _result(session)}


def _result(session: Session) -> str:
    outcome = session.outcome
    if outcome is None:
        return "*"
    results: Mapping[str | None, str] = {"white": "1-0", "black": "0-1", None: "1/2-1/2"}
    return results[outcome.winner]


def _ascii(text: str) -> str:
    return text.replace('"', "'")
