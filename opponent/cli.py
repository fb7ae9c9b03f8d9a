"""`companion best`: what a mind would play after a game text, and which turns of it lost most.

`companion puzzle`: positions in which one turn is best.
"""

from __future__ import annotations

import json
from datetime import date
from itertools import chain, islice
from itertools import count as numbers
from pathlib import Path

import click

from companion.core.game import GameError
from companion.core.whole_files import decoded, read_whole
from companion.games.text import read_game
from companion.language import say
from companion.record.record import read_any
from opponent import puzzles
from opponent.levels import LEVELS
from opponent.mind import ask, choose
from opponent.review import look_back, turning_points


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("text", nargs=-1, required=True)
@click.option("--level", type=click.Choice([str(level) for level in LEVELS]), default=str(max(LEVELS)))
@click.option("--seconds", type=click.FloatRange(0.1, 600), default=10.0, show_default=True, help="at most")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option(
    "--back", is_flag=True, help="instead, the turns of the game that lost most, with what was better"
)
def best(text: tuple[str, ...], level: str, seconds: float, seed: int, back: bool) -> None:
    """The best turn after a game TEXT, as JSON: its worth is the chance of winning, from 0 to 1.

    Nothing is used that the player to act may not know.
    """
    session = read_any(" ".join(text)).session()
    if back:
        for judged in turning_points(look_back(session)):
            played = session.actions[judged.turn.first : judged.turn.last + 1]
            _echo(
                ply=judged.turn.first + 1,
                player=judged.turn.player,
                played=played,
                left=round(judged.left, 3),
                better=judged.better,
                worth=round(judged.chance, 3),
            )
        return
    seat = session.position.to_act
    choice = choose(ask(session, seat, int(level), seconds=seconds, seed=seed))
    _echo(
        player=seat,
        actions=choice.actions,
        worth=round(choice.worth, 3),
        line=choice.line,
        depth=choice.depth,
        nodes=choice.nodes,
    )


@click.group()
def puzzle() -> None:
    """Puzzles from games: one turn is clearly better than all others."""


@puzzle.command()
@click.argument("game")
@click.option("--count", type=click.IntRange(1, 1_000_000), default=10, show_default=True)
@click.option("--seed", type=int, default=0, show_default=True, help="of the first game")
def find(game: str, count: int, seed: int) -> None:
    """Plays GAME against itself until so many puzzles are found, and prints a line for each."""
    every = chain.from_iterable(puzzles.find(game, number) for number in numbers(seed))
    for found in islice(every, count):
        click.echo(found.write())


@puzzle.command()
@click.argument("game")
@click.option("--solution", is_flag=True, help="with the turn that is best")
def today(game: str, solution: bool) -> None:
    """Prints the game text of today's puzzle of GAME."""
    name = read_game(game).rules.name
    if words := puzzles.why_none(name):
        raise GameError(words)
    found = puzzles.of_day(name, date.today())
    if found is None:
        raise GameError(say("there are no puzzles of this game yet"))
    click.echo(found.write() if solution else found.text)


@puzzle.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path), default=puzzles.FILE)
def check(file: Path) -> int:
    """Searches each puzzle of a FILE again, and prints those of which another turn is best, or as good.

    Exit status 1 when there is one.
    """
    found = [*puzzles.read(decoded(read_whole(file))[0])]
    if not found:
        raise GameError(f"'{file}' holds no puzzle: write one a line, as 'companion puzzle find' does")
    status = 0
    for one in found:
        if not puzzles.proved(one, 2):
            click.echo(one.write())
            status = 1
    return status


def _echo(**answer: object) -> None:
    click.echo(json.dumps(answer, ensure_ascii=False))
