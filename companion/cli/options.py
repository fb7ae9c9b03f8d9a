"""The options that commands of several packages have."""

from __future__ import annotations

from pathlib import Path

import click

data_option = click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    help="the data folder, of games, profiles and settings; else $COMPANION_DATA, or your own",
)
