"""A stored game in other forms: record, game text, PGN for chess, and the Abstract Play game record."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from companion.core import GameError, IllegalActionError
from companion.record import Record, RecordError, write_record
from companion.session import Entry, Session
from companion.store import Summary
from companion.text import read_game

SCHEMA_SITE = "Board Companion"


def text(record: Record) -> str:
    """The game text: the actions that stand. RecordError where a correction makes that impossible."""
    session = record.session()
    _refuse_corrected(session)
    return session.text + "\n"


def pgn(record: Record) -> str:
    """PGN of a chess game."""
    if record.game.rules.name != "chess":
        raise RecordError(f"PGN is for chess; export {record.game.rules.title} as record, text or abstract")
    from companion.games.chess_pgn import write_pgn

    return write_pgn(record)


def read_pgn(pgn_text: str) -> Record:
    """The first game of a PGN file."""
    game = read_game("chess")
    from companion.games.chess_pgn import parse_pgn

    head, moves = parse_pgn(pgn_text)
    record = Record(game, tuple(Entry("action", move, source="pgn") for move in moves), head)
    try:
        record.session()
    except IllegalActionError as error:
        raise RecordError(f"PGN: {error}") from error
    return record


def abstract_play(record: Record) -> str:
    """The Abstract Play game record (JSON; its schema is AbstractPlay/recranks, gamerecord.json).

    A game that is not over is marked as unrated. RecordError where a correction makes a record impossible.
    """
    session = record.session()
    _refuse_corrected(session)
    began = record.log[0].time if record.log else 0.0
    ended = record.log[-1].time if record.log else 0.0
    head: dict[str, Any] = {
        "game": {"name": session.rules.title, "variants": list(session.game.given)},
        "site": {"name": record.head.get("place", SCHEMA_SITE)},
        "date-start": _when(began),
        "date-end": _when(ended),
        "date-generated": _when(ended),
        "players": [_player(session, record.head, seat) for seat in session.players],
    }
    if "event" in record.head and "round" in record.head:  # the schema wants both or neither
        head |= {"event": record.head["event"], "round": record.head["round"]}
    if session.outcome is None:
        head["unrated"] = True
    return json.dumps({"header": head, "moves": _rounds(session)}, ensure_ascii=False, indent=1) + "\n"


def summary_json(summary: Summary) -> dict[str, Any]:
    """A line of the list of games."""
    return {
        "number": summary.id,
        "game": summary.game,
        "head": dict(summary.head),
        "started": _when(summary.started),
        "plies": summary.plies,
        "result": summary.result or None,
        "deleted": summary.deleted,
    }


def _refuse_corrected(session: Session) -> None:
    if any(ply.entry.kind == "correction" for ply in session.plies):
        raise RecordError("an arbiter corrected this game: only --format record can hold it")


def _player(session: Session, head: Mapping[str, str], seat: str) -> dict[str, Any]:
    outcome = session.outcome
    return {"name": head.get(seat, seat), "result": int(outcome is not None and outcome.winner == seat)}


def _rounds(session: Session) -> list[list[Any]]:
    """Rounds of seats: a seat's turn is its actions, joined; null where a seat did not act."""
    rounds: list[list[Any]] = []
    seats = session.players
    last = len(seats)
    for player, actions in _turns(session):
        seat = seats.index(player) if player in seats else 0
        if seat <= last or not rounds:
            rounds.append([None] * len(seats))
        rounds[-1][seat] = " ".join(actions)
        last = seat
    return rounds


def _turns(session: Session) -> list[tuple[str, list[str]]]:
    turns: list[tuple[str, list[str]]] = []
    for ply in session.plies:
        if not turns or turns[-1][0] != ply.player:
            turns.append((ply.player, []))
        turns[-1][1].append(ply.action)
    return turns


def _when(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


FORMATS: dict[str, Callable[[Record], str]] = {
    "record": write_record,
    "text": text,
    "pgn": pgn,
    "abstract": abstract_play,
}

__all__ = ["FORMATS", "GameError", "abstract_play", "pgn", "read_pgn", "summary_json", "text"]
