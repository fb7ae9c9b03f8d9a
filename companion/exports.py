"""A stored game in other forms: record, game text, PGN for chess, PDN for draughts, the Abstract Play game
record, pictures and a score sheet.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from companion.core import IllegalActionError, OptionError
from companion.lazy import load
from companion.record import Record, RecordError, bare, read_any, write_record
from companion.review import rounds, spell
from companion.session import ARBITER, Entry, Session
from companion.store import Summary
from companion.text import read_game

if TYPE_CHECKING:
    from companion.games.portable import Parsed

SITE = "Board Companion"
PGN = re.compile(r"\[|\d+\s*\.")


@dataclass(frozen=True)
class Form:
    """A form in which a game leaves: the file's suffix, its media type, and what makes it.

    What draws is named as text, `module:function`, and loaded when it is used: the referee knows no
    drawing. A picture shows one step of the game, which its maker takes besides the record.
    """

    suffix: str
    kind: str
    make: Callable[[Record], str] | str
    about: str
    of_step: bool = False

    @property
    def is_text(self) -> bool:
        return callable(self.make) or self.suffix == "svg"

    def write(self, record: Record, step: int | None = None) -> bytes:
        """The file. GameError says why a game cannot have this form; `step` is the last one unless given."""
        if callable(self.make):
            return self.make(record).encode()
        maker: Callable[..., bytes] = load(self.make)
        return maker(record, check_step(record, step)) if self.of_step else maker(record)


def check_step(record: Record, step: int | None) -> int:
    """The step of a record that is meant: the last one unless given. GameError where there is none such."""
    count = len(record.session().plies)
    if step is None:
        return count
    if not 0 <= step <= count:
        raise RecordError(f"the game has {count} steps: there is no step {step}")
    return step


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


def pdn(record: Record) -> str:
    """PDN of a game of draughts."""
    if record.game.rules.name != "draughts":
        title = record.game.rules.title
        raise RecordError(f"PDN is for draughts; export {title} as record, text or abstract")
    from companion.games.draughts.pdn import write_pdn

    return write_pdn(record)


def read_games(text: str) -> tuple[Record, ...]:
    """The games of a text from elsewhere: a record, a game text, or all games of a PGN or PDN."""
    from companion.games.draughts.pdn import is_pdn

    if not is_pgn(text):
        return (read_any(text),)
    return read_pdn(bare(text)) if is_pdn(bare(text)) else read_pgn(bare(text))


def is_pgn(text: str) -> bool:
    """Whether a text is PGN or PDN: those begin with a tag, or with a move's number."""
    return bool(PGN.match(bare(text)))


def read_pgn(pgn_text: str) -> tuple[Record, ...]:
    """The games of a PGN, each of which can be replayed; a result that its moves do not tell was ruled."""
    read_game("chess")  # which says so where chess is not installed
    from companion.games.chess_pgn import parse_pgn

    return tuple(_record(n, found, "pgn") for n, found in enumerate(parse_pgn(pgn_text), 1))


def read_pdn(pdn_text: str) -> tuple[Record, ...]:
    """The games of a PDN, each of which can be replayed; a result that its moves do not tell was ruled."""
    from companion.games.draughts.pdn import parse_pdn

    return tuple(_record(n, found, "pdn") for n, found in enumerate(parse_pdn(pdn_text), 1))


def _record(number: int, found: Parsed, form: str) -> Record:
    game = read_game(found.head["game"])
    log = tuple(Entry("action", move, source=form) for move in found.moves)
    record = Record(game, log, found.head, found.notes, found.started)
    try:
        session = record.session()
    except (IllegalActionError, OptionError) as error:
        raise RecordError(f"{form.upper()}: game {number}: {error}") from error
    if found.winner is None or session.outcome:
        return record
    return replace(record, log=(*log, Entry("result", found.winner, ARBITER, form)))


def abstract_play(record: Record) -> str:
    """The Abstract Play game record (JSON; its schema is AbstractPlay/recranks, gamerecord.json).

    A game that is not over is marked as unrated. RecordError where a correction makes a record impossible.
    """
    session = record.session()
    _refuse_corrected(session)
    began, ended = record.began, max((entry.time for entry in record.log), default=record.began)
    head: dict[str, Any] = {
        "game": {"name": session.rules.title, "variants": list(session.game.given)},
        "site": {"name": record.head.get("place", SITE)},
        "date-start": _when(began),
        "date-end": _when(ended),
        "date-generated": _when(ended),
        "players": [_player(session, record.head, seat) for seat in session.players],
    }
    if "event" in record.head and "round" in record.head:  # the schema wants both or neither
        head |= {"event": record.head["event"], "round": record.head["round"]}
    if session.outcome is None:
        head["unrated"] = True
    moves = [[spell(session, turn) or None for turn in turns] for turns in rounds(session)]
    return json.dumps({"header": head, "moves": moves}, ensure_ascii=False, indent=1) + "\n"


def summary_json(summary: Summary) -> dict[str, Any]:
    """A line of the list of games."""
    return {
        "number": summary.id,
        "game": summary.game,
        "head": dict(summary.head),
        "started": _when(summary.started) if summary.started else None,
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


def _when(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


FORMATS: dict[str, Form] = {
    "record": Form("txt", "text/plain", write_record, "all that happened, with comments"),
    "text": Form("txt", "text/plain", text, "the game text: the actions that stand"),
    "pgn": Form("pgn", "application/x-chess-pgn", pgn, "PGN, for chess"),
    "pdn": Form("pdn", "text/plain", pdn, "PDN, for draughts"),
    "abstract": Form("json", "application/json", abstract_play, "the Abstract Play game record"),
    "svg": Form("svg", "image/svg+xml", "web.diagrams:svg", "a diagram of a step", of_step=True),
    "png": Form("png", "image/png", "web.diagrams:png", "a diagram of a step", of_step=True),
    "gif": Form("gif", "image/gif", "web.diagrams:gif", "the game as a moving picture"),
    "webp": Form("webp", "image/webp", "web.diagrams:webp", "the game as a moving picture, smaller"),
    "pdf": Form("pdf", "application/pdf", "web.score_sheet:pdf", "a score sheet to print"),
}


def forms_of(record: Record) -> tuple[str, ...]:
    """The forms that a game can have, by name."""
    own = {"chess": "pgn", "draughts": "pdn"}.get(record.game.rules.name, "")
    is_corrected = any(ply.entry.kind == "correction" for ply in record.session().plies)
    barred = {"pgn", "pdn"} - {own} | ({"text", "abstract"} if is_corrected else set())
    return tuple(name for name in FORMATS if name not in barred)
