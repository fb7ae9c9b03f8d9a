"""`companion hall acl`: the rights of boards and hall at a Mosquitto broker."""

from __future__ import annotations

import click

from broker_bridge.rights import HALL, WALL, user_of, write_acl
from broker_bridge.topics import read_board_name
from companion.language import say


@click.command()
@click.argument("boards", nargs=-1, required=True)
@click.option("--home-assistant", is_flag=True, help="each board may tell Home Assistant of itself")
def acl(boards: tuple[str, ...], home_assistant: bool) -> None:
    """The rights of the BOARDS (as 'Hall A/7') and of the hall, as an ACL file for Mosquitto.

    Each board has a user of its name, who writes that board's topics alone. The user 'hall' is for archive,
    arbiter's desk and rounds, 'wall' for walls, which only read.
    """
    names = sorted({read_board_name(board) for board in boards})
    click.echo(write_acl(names, home_assistant), nl=False)
    users = [*map(user_of, names), HALL, WALL]
    click.echo(say("Passwords, asked for one after the other:"), err=True)
    for n, user in enumerate(users):
        create = "-c " if n == 0 else ""
        click.echo(f"  mosquitto_passwd {create}/etc/mosquitto/passwords '{user}'", err=True)
