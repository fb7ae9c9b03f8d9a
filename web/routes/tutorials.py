"""Sends how a game is played: its goal, its legend, its topics step by step, and all its rules by number."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from flask import abort, request

from companion import games, tutorials
from companion.games.text import split
from companion.language import say
from companion.rulebook import rule
from companion.table.present import present_breach
from companion.tutorials import StepFrame, Topic
from companion.wire.state import Breach
from companion.wire.values import Look, Place, Wire
from web.server.subject import Subject

blueprint = Subject("tutorials", __name__, url_prefix="/api/v1")


class LegendEntry(Wire):
    """A piece or marker by its look, or a part of the board by a place there."""

    words: str
    look: Look | None
    at: Place | None


class Rule(Wire):
    """A rule of the rulebook."""

    rule: str
    title: str
    text: str


class TutorialFrame(Wire):
    """The board after a step, or before the first one."""

    words: str
    pieces: Mapping[Place, Look]
    path: tuple[Place, ...]
    breaks: tuple[Breach, ...]
    """The rules that a refused action would break."""


class TutorialTopic(Wire):
    """One thing to learn, frame by frame."""

    name: str
    title: str
    rules: tuple[str, ...]
    kinds: tuple[str, ...]
    """The kinds of action that it shows."""
    only: str | None
    """The option (`name=value`) that it is for."""
    board: str
    frames: tuple[TutorialFrame, ...]


class Tutorial(Wire):
    """How a game is played."""

    game: str
    title: str
    goal: str
    board: str
    """Where the board of the legend is described."""
    legend: tuple[LegendEntry, ...]
    asks: tuple[str, ...]
    rules: tuple[Rule, ...]
    topics: tuple[TutorialTopic, ...]


@blueprint.get("/tutorials/<name>")
def show(name: str) -> Tutorial:
    """Sends how a game is played. Options in the query (`variant=english`) leave out what they rule out."""
    if name not in tutorials.known() or name not in games.installed():
        abort(404, say("there is no such game"))
    found = tutorials.tutorial(name)
    return Tutorial(
        game=name,
        title=games.rules(name).title,
        goal=found.goal,
        board=f"boards/{name}",
        legend=tuple(LegendEntry(e.words, e.look or None, e.at or None) for e in found.legend),
        asks=tuple(found.asks),
        rules=tuple(map(_rule, found.rules)),
        topics=tuple(_topic(name, topic) for topic in found.topics if _suits(topic)),
    )


def _suits(topic: Topic) -> bool:
    """Tells whether the options that were asked for leave a topic in."""
    option, _, value = topic.only.partition("=")
    return request.args.get(option, value) == value


def _rule(number: str) -> Rule:
    found = rule(number)
    return Rule(number, found.title, found.text)


def _topic(game: str, topic: Topic) -> TutorialTopic:
    return TutorialTopic(
        name=topic.name,
        title=topic.title,
        rules=tuple(topic.rules),
        kinds=_kinds(game, topic),
        only=topic.only or None,
        board=_board_address(topic),
        frames=tuple(map(_frame, tutorials.frames(game, topic.name))),
    )


def _kinds(game: str, topic: Topic) -> tuple[str, ...]:
    """Returns the kinds of action that a topic plays, each once."""
    shown = tutorials.frames(game, topic.name)
    kinds = (games.rules(game).kind(frame.action) for frame in shown if frame.action and not frame.breaches)
    return tuple(dict.fromkeys(kinds))


def _board_address(topic: Topic) -> str:
    """Returns where the board of a topic is described: some options have a board of their own."""
    game = split(topic.text)[0]
    chosen = {o.name: game.options[o.name] for o in game.rules.options if o.values}
    given = {name: value for name, value in chosen.items() if f"{name}={value}" in game.given}
    query = f"?{urlencode(given)}" if given else ""
    return f"boards/{game.rules.name}{query}"


def _frame(frame: StepFrame) -> TutorialFrame:
    breaks = tuple(map(present_breach, frame.breaches))
    return TutorialFrame(frame.words, dict(frame.pieces), tuple(frame.path), breaks)
