"""`companion best`: what a mind would play after a game text, and which turns of it lost most."""

from __future__ import annotations

import json

import click

from companion.record.record import read_any
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


def _echo(**answer: object) -> None:
    click.echo(json.dumps(answer, ensure_ascii=False))
