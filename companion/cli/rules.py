"""`companion legal`, `judge`, `hint` and `perft`: ask the rules, one question at a time or many."""

from __future__ import annotations

import io
import json
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from typing import Any, TypeAlias

import click

from companion.core import perft as counting
from companion.core.game import Breach, GameError
from companion.core.puzzle import as_puzzle
from companion.core.rules import Rules
from companion.games.text import replay
from companion.rulebook import rule

Answer: TypeAlias = Mapping[str, object]
"""What is printed as a JSON object."""
TEXT = click.argument("text", nargs=-1, required=True)
NO_OPTIONS = {"ignore_unknown_options": True}
"""-a1 takes a piece away: it is an action."""


@click.command(context_settings=NO_OPTIONS)
@TEXT
def legal(text: tuple[str, ...]) -> None:
    """The legal actions after a game TEXT, one a line. With - for TEXT: a text a line in, JSON a line out."""
    if text == ("-",):
        _batch(_lines(), _legal_answer)
        return
    game, position, _ = replay(" ".join(text))
    for action in game.rules.legal(position):
        click.echo(action)


@click.command(context_settings=NO_OPTIONS)
@TEXT
def judge(text: tuple[str, ...]) -> int:
    """Tells whether the ACTION at the end is legal after the game TEXT, and which rules it breaks, as JSON.

    With - alone: lines 'TEXT :: ACTION' in, a JSON object a line out.
    """
    if text == ("-",):
        _batch(_lines(), _judge_line)
        return 0
    *game_text, action = " ".join(text).split() or [""]
    answer = judge_action(" ".join(game_text), action)
    click.echo(_json(answer))
    return 0 if answer["legal"] else 1


@click.command(context_settings=NO_OPTIONS)
@TEXT
@click.option(
    "--seconds", type=click.FloatRange(0.1, 600), default=5.0, show_default=True, help="of thinking"
)
def hint(text: tuple[str, ...], seconds: float) -> int:
    """Tells how to go on after a puzzle's TEXT, and whether it can still be solved, as JSON.

    The exit status is 1 when it cannot. With - alone: a text a line in, a JSON object a line out.
    """
    if text == ("-",):
        _batch(_lines(), lambda line: advise(line, seconds))
        return 0
    answer = advise(" ".join(text), seconds)
    click.echo(_json(answer))
    return 1 if answer["solvable"] is False else 0


@click.command(context_settings=NO_OPTIONS)
@TEXT
@click.option("-n", "depth", type=click.IntRange(0, 100), default=1, show_default=True, help="how deep")
@click.option("--divide", is_flag=True, help="apart for each first action")
def perft(text: tuple[str, ...], depth: int, divide: bool) -> None:
    """Counts the action sequences of a length after a game TEXT."""
    game, position, _ = replay(" ".join(text))
    began = time.perf_counter()
    leaves = _divided(game.rules, position, depth) if divide else counting.perft(game.rules, position, depth)
    seconds = max(time.perf_counter() - began, 1e-9)
    click.echo(f"{leaves} leaves, {leaves / seconds:.0f} nodes/s")


def judge_action(text: str, action: str) -> Answer:
    """Returns the judgement on an action after a game text, as `companion judge` prints it."""
    game, position, _ = replay(text)
    found = game.rules.judge(position, game.rules.read(position, action))
    return {"legal": not found, "breaks": [breach_json(b) for b in found]}


def advise(text: str, seconds: float) -> Answer:
    """Returns the next action towards a puzzle's solution, as `companion hint` prints it."""
    game, position, _ = replay(text)
    return asdict(as_puzzle(game.rules).advise(position, seconds))


def breach_json(breach: Breach) -> Answer:
    """Returns a broken rule as JSON: its number, the places concerned, and the rule in plain words."""
    return {"rule": breach.rule, "sites": list(breach.sites), "text": rule(breach.rule).text}


def _legal_answer(line: str) -> Answer:
    game, position, _ = replay(line)
    outcome = game.rules.outcome(position)
    return {
        "turn": position.turn,
        "to_act": position.to_act,
        "legal": list(game.rules.legal(position)),
        "outcome": outcome and {"winner": outcome.winner, "reason": outcome.reason},
    }


def _judge_line(line: str) -> Answer:
    text, mark, action = line.rpartition("::")
    if not mark or not action.strip():
        raise GameError("write TEXT :: ACTION")
    return judge_action(text, action.strip())


def _lines() -> Iterable[str]:
    """Yields the lines of standard input; bytes that are no text do not end the batch."""
    return io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8-sig", errors="replace")


def _batch(lines: Iterable[str], answer: Callable[[str], Answer]) -> None:
    for line in lines:
        if line.strip():
            click.echo(_json(_answer_or_error(line, answer)))


def _answer_or_error(line: str, answer: Callable[[str], Answer]) -> Answer:
    try:
        return answer(line)
    except GameError as error:
        return {"error": str(error)}


def _divided(rules: Rules[Any], position: Any, depth: int) -> int:
    if depth == 0:
        return 1
    counts = counting.divide(rules, position, depth)
    for action, count in counts.items():
        click.echo(f"{action}: {count}")
    return sum(counts.values())


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
