"""Tells how each game is played: its goal, a legend, what the companion asks, and topics shown on the board.

There is one TOML file for each game. It also has a line on the game, and the text of one in play. A topic
sets a position up and goes on in steps: actions that are played, and 'not like this' examples, each with the
one rule that it breaks. `frames` plays a topic by the rules; a step that is not as the file says is a
TutorialError.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import msgspec

from companion.core.errors import CompanionError
from companion.core.extensions import data_files
from companion.core.game import EMPTY, Action, Breach, GameError, Look, Place, Player
from companion.games.text import replay
from companion.language import Message, say
from companion.rulebook import rules

DRAW = "draw"


class TutorialError(CompanionError):
    """A tutorial that the rules of its game contradict; the message says where."""


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """A piece or marker by its look, or a part of the board by a place there (`at`), in words."""

    words: Message
    look: Look = ""
    at: Place = ""


@dataclass(frozen=True, slots=True)
class TopicStep:
    """An action with a caption: one to `play`, or to `refuse` for breaking exactly `rule`.

    `wins` is who wins by it, or `draw`; '' where the game goes on.
    """

    words: Message
    play: str = ""
    refuse: str = ""
    rule: str = ""
    wins: Player = ""

    @property
    def action(self) -> str:
        return self.play or self.refuse


@dataclass(frozen=True, slots=True)
class Topic:
    """One thing to learn, shown from a position of its own.

    `text` is a game text that leads there. `pieces`, where there are any, are then put on the board instead:
    the places of each look, and it is `turn`'s turn. `only` is the option (`name=value`) that the topic is
    for. `viewer` is the player whose secrets are shown.
    """

    name: str
    title: Message
    words: Message
    rules: tuple[str, ...]
    text: str
    steps: tuple[TopicStep, ...]
    pieces: Mapping[Look, str] = field(default_factory=dict)
    turn: Player = ""
    viewer: Player = ""
    only: str = ""


@dataclass(frozen=True, slots=True)
class Tutorial:
    """All that is told of how one game is played; `rules` are the numbers of the rules that hold in it.

    `line` says in one line what the game is about; `in_play` is the text of a game that has gone on for a
    while.
    """

    game: str
    line: Message
    in_play: str
    goal: Message
    legend: tuple[LegendEntry, ...]
    asks: tuple[Message, ...]
    rules: tuple[str, ...]
    topics: tuple[Topic, ...]


@dataclass(frozen=True, slots=True)
class StepFrame:
    """The board after a step, or before the first one; `breaches` are those of an action that was refused."""

    words: str
    pieces: Mapping[Place, Look]
    action: Action
    path: tuple[Place, ...]
    breaches: tuple[Breach, ...]


def known() -> tuple[str, ...]:
    """Returns the names of the games that have a tutorial."""
    return tuple(data_files("tutorials", ".toml"))


@cache
def tutorial(game: str) -> Tutorial:
    """Returns the tutorial of a game. KeyError where it has none."""
    data = tomllib.loads(data_files("tutorials", ".toml")[game].read_text(encoding="utf-8"))
    data |= {
        "game": game,
        "in_play": " ".join(data["in_play"].split()),
        "rules": [*_numbers(data["rules"])],
        "topics": [{**topic, "text": topic.get("game", game)} for topic in data["topics"]],
    }
    return msgspec.convert(data, Tutorial, dec_hook=_read_words)


def _read_words(_: type, text: str) -> Message:
    """Returns a text on one line, to be said in any language: in the files it is broken to be read there."""
    return say(" ".join(text.split()))


@cache
def frames(game: str, topic: str) -> tuple[StepFrame, ...]:
    """Plays a topic of a tutorial. TutorialError where the rules do not have it as the tutorial says."""
    found = next(known for known in tutorial(game).topics if known.name == topic)
    try:
        return tuple(play_topic(found))
    except GameError as error:
        raise TutorialError(f"{game}, '{topic}': {error}") from error


def play_topic(topic: Topic) -> Iterator[StepFrame]:
    """Yields the frames of a topic. GameError where the rules do not have it as the topic says."""
    game, position, _ = replay(topic.text)
    rules = game.rules
    if topic.pieces:
        placed = {place: look for look, places in topic.pieces.items() for place in places.split()}
        position = rules.arrange(position, placed, topic.turn or position.turn)

    def pieces() -> dict[Place, Look]:
        shown = rules.view(position, topic.viewer) if topic.viewer else position
        return {place: look for place, look in rules.pieces(shown).items() if look != EMPTY}

    yield StepFrame(topic.words, pieces(), "", (), ())
    for step in topic.steps:
        action = rules.read(position, step.action)
        breaches = rules.judge(position, action)
        _check_breaches(step, breaches)
        path = rules.path(step.action) or rules.path(action)
        if not breaches:
            position = rules.after(position, action)
            _check_winner(step, rules.outcome(position))
        yield StepFrame(step.words, pieces(), action, path, breaches)


def _check_breaches(step: TopicStep, breaches: Iterable[Breach]) -> None:
    broken = sorted({breach.rule for breach in breaches})
    wanted = [step.rule] if step.rule else []
    if broken != wanted:
        said, found = (", ".join(numbers) or "no rule" for numbers in (wanted, broken))
        raise GameError(f"'{step.action}' should break {said}, and breaks {found}")


def _check_winner(step: TopicStep, outcome: Any) -> None:
    winner = (outcome.winner or DRAW) if outcome else ""
    if winner != step.wins:
        raise GameError(f"after '{step.action}' the winner should be '{step.wins}', and is '{winner}'")


def _numbers(names: Iterable[str]) -> Iterator[str]:
    """Yields the numbers of rules: `TR` stands for all that begin with it."""
    for name in names:
        yield from (number for number in rules() if number == name or number.startswith(f"{name}-"))
