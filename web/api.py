"""What can be done at the table, as JSON under `/api/v1`: looking by GET, acting by POST.

A refused action is a 409 with the broken rules, as is what cannot be done now; wrong input is a 400.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from flask import Blueprint, Response, jsonify, request
from werkzeug.exceptions import BadRequest, Conflict

from companion import games
from companion.core import Breach, GameError, Rules
from companion.messages import (
    AcceptDraw,
    Answer,
    Believe,
    CloseGame,
    Correct,
    DeclineDraw,
    Message,
    NewGame,
    OfferDraw,
    Redo,
    Reply,
    Resign,
    RuleResult,
    Submit,
    TakeBack,
)
from companion.rulebook import rule
from companion.text import read_game
from web.auth import caller, require
from web.context import context
from web.fields import LONGEST, fields, texts

blueprint = Blueprint("api", __name__, url_prefix="/api/v1")


@blueprint.get("/state")
def show_state() -> Response:
    """The whole state of the table, as the caller may see it."""
    shared = context()
    snapshot = shared.table.snapshot
    text = shared.published.text(snapshot, caller().viewer(snapshot))
    return Response(text, mimetype="application/json")


@blueprint.get("/games")
def list_games() -> Response:
    """All games that can be played here, with their options and seats."""
    return jsonify([describe_game(games.rules(name)) for name in games.installed()])


def describe_game(rules: Rules[Any]) -> dict[str, Any]:
    """A game as the page offers it."""
    options = [
        {"name": o.name, "values": list(o.values), "default": o.default, "about": o.about}
        for o in rules.options if o.values
    ]
    start = read_game(rules.name).start()
    return {
        "name": rules.name, "title": rules.title, "board": rules.board,
        "options": options, "players": list(rules.players(start)),
    }


@blueprint.post("/games")
def start_game() -> Response:
    """Begins a new game, with its options and the names of its players."""
    body = fields(game=str, options=dict, names=dict, optional=("options", "names"))
    require()
    text = _game_text(body["game"], texts(body, "options"))
    return tell(NewGame(text, _names(text, texts(body, "names"))))


@blueprint.post("/actions")
def submit() -> Response:
    """Plays an action, for whoever owes it."""
    action = fields(action=str)["action"]
    return tell(Submit(action, _act()))


@blueprint.get("/judge")
def judge() -> Response:
    """Which rules an action would break now; nothing is played."""
    action = request.args.get("action", "")
    if not action or len(action) > LONGEST:
        raise BadRequest("give an action: /api/v1/judge?action=…")
    by, session = _act(), context().table.snapshot.session
    return jsonify(action=action, breaks=write_breaches(session.judge(action, by) if session else ()))


@blueprint.post("/answers")
def answer() -> Response:
    """Settles a question of the referee by one of its choices."""
    body = fields(question=int, choice=list)
    if not all(isinstance(action, str) and len(action) <= LONGEST for action in body["choice"]):
        raise BadRequest("'choice' must be a list of actions")
    return tell(Answer(body["question"], tuple(body["choice"]), _act()))


@blueprint.post("/takebacks")
def take_back() -> Response:
    """Takes back the last actions."""
    count = fields(count=int, optional=("count",)).get("count", 1)
    return tell(TakeBack(count, _act(_last_player())))


@blueprint.post("/redos")
def redo() -> Response:
    """Plays again what was taken back."""
    fields()
    return tell(Redo(_act()))


@blueprint.post("/resignations")
def resign() -> Response:
    """Gives the game up for a player."""
    return tell(Resign(_player()))


@blueprint.post("/draws/<step>")
def draw(step: str) -> Response:
    """Offers, accepts or declines a draw for a player."""
    steps: dict[str, Callable[[str], Message]]
    steps = {"offer": OfferDraw, "accept": AcceptDraw, "decline": DeclineDraw}
    if step not in steps:
        raise BadRequest("a draw is offered, accepted or declined")
    return tell(steps[step](_player()))


@blueprint.post("/corrections")
def correct() -> Response:
    """The arbiter's correction: what stands where, and whose turn it is."""
    body = fields(looks=dict, turn=str)
    require()
    return tell(Correct(texts(body, "looks"), body["turn"]))


@blueprint.post("/results")
def rule_result() -> Response:
    """The arbiter's result: a winner, or '' for a draw."""
    winner = fields(winner=str)["winner"]
    require()
    return tell(RuleResult(winner))


@blueprint.post("/beliefs")
def believe() -> Response:
    """The board stands as the game has it, whatever the sensors say."""
    fields()
    _act()
    return tell(Believe())


@blueprint.post("/closings")
def close() -> Response:
    """Clears the table for another game; this one stays among the records."""
    fields()
    require()
    return tell(CloseGame())


def _act(player: str = "") -> str:
    """For whom the caller acts now: a player ('' for the one who owes the next action)."""
    session = context().table.snapshot.session
    if session is None:
        require()
        raise Conflict("no game is on: choose one first")
    owed = player or session.position.to_act
    require(owed)
    return str(owed)


def _last_player() -> str:
    session = context().table.snapshot.session
    return session.plies[-1].player if session and session.plies else ""


def _player() -> str:
    player = str(fields(player=str)["player"])
    require(player)
    return player


def _game_text(name: str, options: Mapping[str, str]) -> str:
    """The text of a new game. Board files are for the command line: a page names no file of this machine."""
    try:
        rules = games.rules(name)
        for key in options:
            if key not in {option.name for option in rules.options if option.values}:
                raise BadRequest(f"{name} has no option '{key[:40]}'")
        return read_game(" ".join((name, *(f"{k}={v}" for k, v in options.items())))).head
    except GameError as error:
        raise BadRequest(str(error)) from error


def _names(text: str, names: Mapping[str, str]) -> dict[str, str]:
    game = read_game(text)
    seats = game.rules.players(game.start())
    for seat in names:
        if seat not in seats:
            raise BadRequest(f"there is no seat '{seat[:40]}'")
    return {seat: " ".join(name.split())[:40] for seat, name in names.items() if name.strip()}


def tell(message: Message) -> Response:
    """What became of a message, as an answer."""
    try:
        reply = context().table.ask(message, context().config.ask_seconds)
    except TimeoutError:
        response = jsonify(error="the table is busy: try again")
        response.status_code = 503
        response.headers["Retry-After"] = "1"
        return response
    return _write(reply)


def _write(reply: Reply) -> Response:
    if reply.ok:
        return jsonify(words=reply.words)
    response = jsonify(error=reply.words, breaks=write_breaches(reply.breaches))
    response.status_code = 409
    return response


def write_breaches(breaches: Iterable[Breach]) -> list[dict[str, Any]]:
    """Broken rules with their words."""
    return [
        {"rule": b.rule, "title": rule(b.rule).title, "text": rule(b.rule).text, "sites": list(b.sites)}
        for b in breaches
    ]
