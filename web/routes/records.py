"""The stored games: list, search, replay, comments, corrections by a copy, exports, and deletion with a way
back.

Everybody may look, as at the board. A game whose players know different things opens when it is over.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Mapping
from dataclasses import replace
from functools import wraps
from typing import Annotated, Any

from flask import Response, abort, g, request
from werkzeug.exceptions import (
    BadRequest,
    Conflict,
    Forbidden,
    NotFound,
    RequestEntityTooLarge,
    ServiceUnavailable,
)

from companion import games
from companion.core.comments import tidy_comment
from companion.core.game import GameError
from companion.core.rules import Rules
from companion.games.text import title_of, variant_of
from companion.language import say, say_count
from companion.record import exports
from companion.record.correction import UnfitStepError, correct_record
from companion.record.exports import formats
from companion.record.opponents import PRACTICE
from companion.record.record import Note, Record
from companion.record.review import say_aside
from companion.record.session import ARBITER, Session
from companion.store.rows import StoreError, Summary
from companion.store.store import ENDED, Store
from companion.table.messages import NewGame, OpenGame
from companion.table.present import present_outcome, present_ply, present_position
from companion.wire import state as wire
from companion.wire.values import Player, Wire
from web.drawing import chances
from web.drawing.apart import MOST_ENTRIES, DrawingError, draw
from web.drawing.board import draw_board
from web.routes.api import Done, Refusal, head_of_opponents, tell
from web.routes.auth import caller, require
from web.routes.boards import BoardData, answer_board
from web.server.context import context
from web.server.languages import language
from web.server.made_once import answer_kept
from web.server.opened_games import LONG_GAME, OpenedGame
from web.server.subject import NO_TEXTS, Subject, View, refused, there

blueprint = Subject("records", __name__, url_prefix="/api/v1")
PAGE = 50
NUMBER = "<int(max=2147483647):number>"


def _in_turn(view: View) -> View:
    """Decorates a view that opens a game: who asks for a long one waits for a turn, and keeps it."""

    @wraps(view)
    def viewed(*args: Any, **parts: Any) -> Any:
        if _lines(parts["number"]) <= LONG_GAME:
            return view(*args, **parts)
        with context().opened_games.turns.turn(request.remote_addr or "") as has_turn:
            if not has_turn:
                raise ServiceUnavailable(
                    say("others look at long games too: try again in a moment"), retry_after=5
                )
            return view(*args, **parts)

    return viewed


class GameSummary(Wire):
    """A stored game as it is listed."""

    number: int
    game: str
    title: str
    variant: tuple[str, ...]
    """The options that were chosen, each in a few words."""
    moves: int | None
    """How many moves it has, where players count so; null where they count actions."""
    head: Mapping[str, str]
    started: str | None
    plies: int
    result: str | None
    picture: bool
    """There is a picture of how it stands."""
    deleted: bool
    damaged: bool
    """The disk damaged it: then it cannot be opened, unless `head.damaged` says what a repair lost."""


class GameList(Wire):
    """Games, newest first."""

    games: tuple[GameSummary, ...]
    more: bool
    """There are others after these."""


class StoredNote(Wire):
    """A comment on a line of the log."""

    by: str
    text: str
    line: int


class Aside(Wire):
    """A line of the log that plays nothing."""

    line: int
    kind: str
    words: str


class StoredStart(wire.PagePosition, kw_only=True):
    """The start of a stored game. Its actions have more members: those of a ply."""

    round: int
    """The number of the round; 0 for the start."""
    line: int
    """The line of the log."""
    notes: tuple[StoredNote, ...]
    asides: tuple[Aside, ...]


class StoredAction(wire.Ply, StoredStart, kw_only=True):
    """An action of a stored game."""


class StoredGame(Wire, kw_only=True):
    """A stored game to be replayed."""

    number: int
    game: str
    title: str
    head: Mapping[str, str]
    players: tuple[Player, ...]
    steps: tuple[StoredStart, ...]
    forms: tuple[str, ...]
    """The forms in which it can be exported."""
    author: str
    """Whose comments the caller writes; '' for nobody's."""
    outcome: wire.Outcome | None
    deleted: bool
    more: bool
    """There are steps after these."""


@blueprint.get("/records")
def list_records() -> GameList:
    """Lists the games, newest first. With `words` those whose game, players or place hold all of these words;
    with `before` those that come after that game in the list; with `game` those of one game; with
    `player` those that somebody of this name played; with `ended` those that are `open`, `won` or a
    `draw`."""
    words, deleted = request.args.get("words", "")[:200], request.args.get("deleted") == "1"
    if deleted:
        require()
    before = request.args.get("before", "")
    if not (before == "" or (before.isdecimal() and len(before) < 11)):
        raise BadRequest("'before' must be the number of a game")
    game, ended = request.args.get("game", "")[:80], request.args.get("ended", "")
    if ended not in ("", *ENDED):
        raise BadRequest(f"'ended' must be {', '.join(ENDED)}")
    found = _store().list(
        words,
        PAGE + 1,
        int(before) if before else None,
        deleted,
        game=game,
        player=request.args.get("player", "")[:200],
        ended=ended,
    )
    return GameList(tuple(map(_summary, found[:PAGE])), len(found) > PAGE)


def _summary(summary: Summary) -> GameSummary:
    return GameSummary(
        **summary.to_json(),
        title=title_of(summary.game),
        variant=tuple(variant_of(summary.game)),
        picture=_has_picture(summary),
        moves=_count_moves(summary),
    )


def _count_moves(summary: Summary) -> int | None:
    """Returns how many moves a game has as players of chess and draughts count, by two actions; None for
    games that are counted by actions."""
    name = summary.game.partition(" ")[0]
    is_counted = name in games.installed() and games.rules(name).notations
    return (summary.plies + 1) // 2 if is_counted else None


@blueprint.get("/records/players")
def list_players() -> dict[str, object]:
    """Lists the names of those who played last, by the alphabet."""
    return {"players": _store().players()}


def _has_picture(summary: Summary) -> bool:
    """Tells whether everybody may see how a game stands, and whether it is soon replayed for that."""
    try:
        rules = games.rules(summary.game.partition(" ")[0])
    except GameError:
        return False
    is_public = bool(summary.result) or type(rules).view is Rules.view
    return is_public and not summary.is_damaged and summary.plies <= MOST_ENTRIES


@blueprint.get(f"/records/{NUMBER}/last.svg")
@_in_turn
def show_last(number: int) -> Response:
    """Draws the last position of a game, small in bytes: what the list of games shows."""
    if _lines(number) > MOST_ENTRIES:
        abort(404, "this game is too long for a picture in the list")
    opened = game_of(number)
    key = f"{context().store_identity} {number} {len(opened.record.log)}"
    tag = hashlib.blake2b(key.encode(), digest_size=12).hexdigest()
    drawing = "" if request.if_none_match.contains(tag) else _draw_last(opened.session)
    keeping = "private, max-age=3600" if opened.session.outcome else "no-cache"
    return answer_kept(drawing, "image/svg+xml", keeping, tag)


def _draw_last(session: Session) -> str:
    """Draws the last position. One is drawn at a time: a page full of pictures must not slow the table."""
    with _LAST:
        pieces = dict(session.rules.pieces(session.position))
        return draw_board(session.game.board, sorted(set(pieces.values())), pieces)


_LAST = threading.Lock()


@blueprint.get(f"/records/{NUMBER}")
@_in_turn
def show_record(number: int) -> StoredGame:
    """Sends a game for its replay: for each step the action, the board, the comments and the other events.
    `author` is the name under which the caller may comment ('': none).

    At most 500 steps are sent, those of `from` on (0: the start); `more` tells whether there are others.
    """
    given = request.args.get("from", "0")
    if not (given.isdecimal() and len(given) < 11):
        raise BadRequest("'from' must be the number of a step")
    opened, first = game_of(number), int(given)
    record, session = opened.record, opened.session
    author, outcome = _author(number), session.outcome
    until = min(first + LONG_GAME, len(opened.steps))
    return StoredGame(
        number=number,
        game=record.game.rules.name,
        title=record.game.rules.title,
        head=dict(record.head),
        players=tuple(session.players),
        steps=tuple(_step(opened, n) for n in range(first, until)),
        forms=tuple(exports.forms_of(record, session)),
        author=author,
        outcome=present_outcome(outcome) if outcome else None,
        deleted=_store().is_deleted(number),
        more=until < len(opened.steps),
    )


def _step(opened: OpenedGame, n: int) -> StoredStart:
    session, step = opened.session, opened.steps[n]
    board = session.game.board
    start = StoredStart(
        **vars(present_position(session, session.plies[n - 1].after if n else session.first)),
        round=opened.rounds[n],
        line=step.line,
        notes=tuple(StoredNote(note.by, note.text, note.line) for note in step.notes),
        asides=tuple(
            Aside(line, kind, say_aside(board, entry, kind))
            for line, entry in step.asides
            for kind in [step.kind_of(line)]
        ),
    )
    return StoredAction(**vars(start), **vars(present_ply(session, n, None))) if n else start


@blueprint.get(f"/records/{NUMBER}/board")
@_in_turn
def show_board(number: int) -> Annotated[Response, BoardData]:
    """Describes the board on which a game was played."""
    return answer_board(game_of(number).record.game)


@blueprint.get(f"/records/{NUMBER}/<int(max=2147483647):step>.<any(svg, png):form>")
@_in_turn
def show_diagram(number: int, step: int, form: str) -> Response:
    """Draws the board after so many steps, as a picture that stands alone."""
    opened = game_of(number)
    if step > len(opened.session.plies):
        abort(404, say("the game has fewer steps"))
    return _write(opened.record, form, step)


@blueprint.get(f"/records/{NUMBER}/export/<form>")
@_in_turn
def export(number: int, form: str) -> Response:
    """Sends a game in one of its forms, as a file."""
    if form not in formats():
        abort(404, say("a game is exported as {formats}", formats=", ".join(formats())))
    opened = game_of(number)
    record, session = opened.record, opened.session
    looks = context().services.look_backs
    found = looks.found(context().key_of_look_back(number)) if looks and form == "pdf" else None
    if found and not found.left:
        record = replace(record, head={**record.head, chances.KEY: chances.write(session, found.judged)})
    response = _write(record, form)
    name = f"game-{number}.{formats()[form].suffix}"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _write(record: Record, form: str, step: int | None = None) -> Response:
    """Makes a file of a game."""
    found = formats()[form]
    content = found.write(record, step) if found.is_text else _draw(record, form, step)
    return Response(content, mimetype=found.kind)


def _draw(record: Record, form: str, step: int | None) -> bytes:
    """Makes a drawn file. It is made apart and one at a time: many who ask must not slow the table."""
    if len(record.log) > MOST_ENTRIES:
        raise RequestEntityTooLarge(
            say(
                "this game is too long to be drawn: its log has {lines} lines, and {most} are the most. "
                "Save its record instead",
                lines=len(record.log),
                most=MOST_ENTRIES,
            )
        )
    with context().drawings.turn(request.remote_addr or "") as has_turn:
        if not has_turn:
            raise ServiceUnavailable(say("others wait for a file too: try again in a moment"), retry_after=10)
        try:
            return draw(record, form, step, language=language())
        except DrawingError as error:
            raise ServiceUnavailable(
                say("{error}: save the game's record instead", error=str(error)), retry_after=60
            ) from error


@blueprint.post(f"/records/{NUMBER}/notes")
@_in_turn
def comment(number: int, *, text: str, line: int = 0) -> StoredNote:
    """Comments on a line of a game's log (0, or none: on the game), for its seats and the arbiter.

    An author's next comment on a line replaces the last one, and an empty one removes it.
    """
    game_of(number)
    author = _author(number)
    if not author:
        raise Forbidden(say("only a game's seats and the arbiter may do this: scan a code, or enter the PIN"))
    with refused(GameError, BadRequest):
        note = Note(tidy_comment(text), line, author, round(context().services.wall(), 3))
        _store().note(number, note)
    return StoredNote(note.by, note.text, note.line)


@blueprint.post(f"/records/{NUMBER}/corrections")
@_in_turn
def correct(
    number: int,
    *,
    steps: dict[str, str] = NO_TEXTS,
    names: dict[str, str] = NO_TEXTS,
    until: int | None = None,
) -> dict[str, object]:
    """Adds a corrected copy of a game, which itself stays: other actions at some steps (`{"3": "a2-a4"}`),
    other names, or no step after `until`. 409 names as `step` the action that does not fit any more."""
    require()
    record = game_of(number).record
    if not all(step.isdecimal() and len(step) < 10 for step in steps):
        raise BadRequest("'steps' gives each step's number and its action")
    actions = {int(step): action for step, action in steps.items()}
    corrected = correct_record(record, actions, names, until)
    return {"number": _store().correct(number, corrected)}


@blueprint.errorhandler(UnfitStepError)
def _name_step(error: UnfitStepError) -> tuple[dict[str, object], int]:
    return {"error": str(error), "step": error.step}, 409


@blueprint.post("/records")
def take(*, record: str) -> dict[str, object]:
    """Adds a game from elsewhere: a record, a game text, PGN or PDN. It is replayed first.

    A PGN or PDN may hold several games, and all that are not there yet are added: `numbers` are theirs,
    `number` and `plies` tell of the first in the file. `wrong` names the games that cannot be read, `remarks`
    says how others were taken, and how many were there already.
    """
    require()
    return _add(record)


@blueprint.post("/records/files", takes="application/octet-stream")
def take_file(content: bytes) -> dict[str, object]:
    """Adds the games of a file, sent as it is: UTF-8, UTF-16, and lines in Windows-1252 in PGN and PDN. It
    answers as where a text is added."""
    require()
    with refused(GameError, BadRequest):
        text, remarks = exports.decoded(content)
    return _add(text, remarks)


def _add(text: str, remarks: tuple[str, ...] = ()) -> dict[str, object]:
    """Adds the games of a text."""
    with refused(GameError, BadRequest):
        found = exports.find_games(text, takes_boards=False)
        first, *_ = [one.session() for one in found.records]
    taken = list(_store().add_new(found.records))  # one without a date stays so
    numbers = [number for number, is_new in taken if is_new]
    if known := len(taken) - len(numbers):
        remarks += (say_count("{n} game was there already", "{n} games were there already", known),)
    return {
        "number": taken[0][0],
        "plies": len(first.plies),
        "numbers": numbers,
        "wrong": found.wrong,
        "remarks": (*remarks, *found.remarks),
    }


@blueprint.post(f"/records/{NUMBER}/deletion")
def delete(number: int) -> dict[str, object]:
    """Takes a game out of the list. It can be brought back."""
    return _mark(number, deleted=True)


@blueprint.post(f"/records/{NUMBER}/return")
def undelete(number: int) -> dict[str, object]:
    """Brings a deleted game back."""
    return _mark(number, deleted=False)


@blueprint.post("/openings")
def open_game(*, number: int) -> Annotated[Done | Refusal, Done]:
    """Goes on with a stored game at the table."""
    require()
    return tell(OpenGame(number))


@blueprint.post(f"/records/{NUMBER}/branches")
@_in_turn
def branch_off(number: int, *, step: int, companion: str = "") -> Annotated[Done | Refusal, Done]:
    """Begins another game at the table, as this one stood after so many steps, for practice: the companion
    plays the seats that `companion` names."""
    require()
    session = game_of(number).session
    plies = session.plies[: max(step, 0)]
    if step > len(session.plies):
        abort(404, say("the game has fewer steps"))
    if any(ply.entry.kind != "action" for ply in plies):
        raise Conflict(say("the position was corrected before that: it cannot be played on from there"))
    head = {PRACTICE: "on"}
    head |= head_of_opponents(session, companion, head)
    return tell(NewGame(" ".join((session.game.head, *(ply.action for ply in plies))), head))


@refused(StoreError, NotFound)
def _mark(number: int, *, deleted: bool) -> dict[str, object]:
    require()
    if deleted:
        _store().delete(number, context().services.wall())
    else:
        _store().undelete(number)
    return {"number": number, "deleted": deleted}


def _author(number: int) -> str:
    """Returns the name under which the caller comments on a game: its seat, the arbiter, or '' for none."""
    who, snapshot = caller(), context().table.snapshot
    if who.seat and (who.number == number or (snapshot.number == number and who.seat_in(snapshot))):
        return who.seat
    return ARBITER if who.may_act("", snapshot) else ""


def _store() -> Store:
    return there(context().services.store, say("no games are kept here"))


def _lines(number: int) -> int:
    """Returns how many lines the log of a game has; 0 where there is no such game."""
    found = version_of(number)
    return found[0] if found else 0


def version_of(number: int) -> tuple[int, str, bool, int] | None:
    """Returns the version of the game that a request is about. The store is asked once for each request."""
    if "version" not in g:
        g.version = _store().version(number)
    found: tuple[int, str, bool, int] | None = g.version
    return found


def game_of(number: int) -> OpenedGame:
    """Returns a game that the caller may read. Only those who can bring a deleted game back may read it."""
    store = _store()
    with refused(GameError, NotFound):
        opened = context().opened_games.find((number, version_of(number)), lambda: store.load(number))
    session = opened.session
    if store.is_deleted(number) and not caller().may_act("", context().table.snapshot):
        abort(404, say("there is no game {number}", number=number))
    if session.may_hide:
        raise Forbidden(say("this game holds secrets: it opens when it is over"))
    return opened
