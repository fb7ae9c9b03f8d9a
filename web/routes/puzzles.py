"""Puzzles from games: today's of each game, and those that were found in games played here."""

from __future__ import annotations

from datetime import datetime

from werkzeug.exceptions import Conflict, NotFound

from companion.core.game import GameError
from companion.language import say
from companion.record.task import TASK, make_task
from companion.table.messages import Message, NewGame
from companion.wire.values import Wire
from opponent.puzzles import FoundPuzzle, of_day, why_none
from web.routes.api import acts
from web.routes.auth import require
from web.server.context import context
from web.server.subject import Subject, refused

blueprint = Subject("puzzles", __name__, url_prefix="/api/v1")


class Puzzles(Wire):
    """The puzzles of a game that can be played here."""

    today: bool
    """There is one for today."""
    solved: bool
    """Today's is solved."""
    own: int
    """The puzzles of own games that are not solved yet."""
    words: str
    """Why there is none; ''."""


@blueprint.get("/puzzles/<game>")
def show(game: str) -> Puzzles:
    """Tells which puzzles of a game there are."""
    words, today = _why_none(game), _today(game)
    return Puzzles(bool(today), bool(today and _is_solved(today)), len(_own(game)), words)


@blueprint.post("/puzzles")
@acts
def begin(*, game: str, own: bool = False) -> Message:
    """Begins today's puzzle of a game; with `own` the newest of the own games that is not solved yet."""
    require()
    if words := _why_none(game):
        raise Conflict(words)
    found = next(iter(_own(game)), None) if own else _today(game)
    if found is None:
        raise Conflict(say("there are no puzzles of this game yet"))
    return NewGame(found.text, {TASK: make_task(found.text, found.solution).write()})


@refused(GameError, NotFound)
def _why_none(game: str) -> str:
    return why_none(game.partition(" ")[0])


def _today(game: str) -> FoundPuzzle | None:
    return of_day(game, datetime.fromtimestamp(context().services.wall()).date())


def _own(game: str) -> list[FoundPuzzle]:
    kept = context().services.own_puzzles
    return [found for found in kept.of(game) if not _is_solved(found)] if kept else []


def _is_solved(found: FoundPuzzle) -> bool:
    """Returns whether a stored game solves a puzzle: whom it asks has won, or drawn where that is best."""
    store, name = context().services.store, make_task(found.text, found.solution).name
    games = store.list(name, game=found.game) if store else []
    ended = [game.result for game in games if game.head.get(TASK, "").startswith(name)]
    return not {*ended} <= {"", found.other}
