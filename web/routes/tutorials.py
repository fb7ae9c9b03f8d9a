"""Sends how a game is played: its goal, its legend, its topics step by step, and all its rules by number."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from flask import Blueprint, Response, abort, jsonify, request

from companion import games, tutorials
from companion.games.text import split
from companion.language import say
from companion.rulebook import rule
from companion.table.present import present_breach
from companion.tutorials import Frame, Topic

blueprint = Blueprint("tutorials", __name__, url_prefix="/api/v1")


@blueprint.get("/tutorials/<name>")
def show(name: str) -> Response:
    """Sends how a game is played. Options in the query (`variant=english`) leave out what they rule out."""
    if name not in tutorials.known() or name not in games.installed():
        abort(404, say("there is no such game"))
    found = tutorials.tutorial(name)
    topics = [topic for topic in found.topics if _suits(topic)]
    return jsonify(
        game=name,
        title=games.rules(name).title,
        goal=found.goal,
        board=f"boards/{name}",
        legend=[{"words": e.words, "look": e.look or None, "at": e.at or None} for e in found.legend],
        asks=list(found.asks),
        rules=[_rule(number) for number in found.rules],
        topics=[_topic(name, topic) for topic in topics],
    )


def _suits(topic: Topic) -> bool:
    """Tells whether the options that were asked for leave a topic in."""
    option, _, value = topic.only.partition("=")
    return request.args.get(option, value) == value


def _rule(number: str) -> dict[str, Any]:
    found = rule(number)
    return {"rule": number, "title": found.title, "text": found.text}


def _topic(game: str, topic: Topic) -> dict[str, Any]:
    return {
        "name": topic.name,
        "title": topic.title,
        "rules": list(topic.rules),
        "kinds": _kinds(game, topic),
        "only": topic.only or None,
        "board": _board_address(topic),
        "frames": [_frame(frame) for frame in tutorials.frames(game, topic.name)],
    }


def _kinds(game: str, topic: Topic) -> list[str]:
    """Returns the kinds of action that a topic plays, each once."""
    shown = tutorials.frames(game, topic.name)
    kinds = (games.rules(game).kind(frame.action) for frame in shown if frame.action and not frame.breaches)
    return list(dict.fromkeys(kinds))


def _board_address(topic: Topic) -> str:
    """Returns where the board of a topic is described: some options have a board of their own."""
    game = split(topic.text)[0]
    chosen = {o.name: game.options[o.name] for o in game.rules.options if o.values}
    given = {name: value for name, value in chosen.items() if f"{name}={value}" in game.given}
    query = f"?{urlencode(given)}" if given else ""
    return f"boards/{game.rules.name}{query}"


def _frame(frame: Frame) -> dict[str, Any]:
    return {
        "words": frame.words,
        "pieces": dict(frame.pieces),
        "path": list(frame.path),
        "breaks": [present_breach(breach) for breach in frame.breaches],
    }
