"""A group of commands, each of which is imported when it is called."""

from __future__ import annotations

import gc
from collections.abc import Mapping
from pkgutil import resolve_name
from typing import Any

import click


class LazyCommands(click.Group):
    """The commands of `table` by their names: where each is (`module:name`), and its line in the help."""

    def __init__(self, *args: Any, table: Mapping[str, tuple[str, str]], **more: Any) -> None:
        super().__init__(*args, **more)
        self.table = table

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.table)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in self.table:
            return None
        gc.disable()  # modules stay: to look for garbage among them costs a tenth of their loading
        command: click.Command = resolve_name(self.table[name][0])
        gc.freeze()
        gc.enable()
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, words) for name, (_, words) in self.table.items()])
