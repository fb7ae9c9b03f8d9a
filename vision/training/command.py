"""Shared by the commands of both trainings: kinds of paths, and messages where something is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import click

FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
NEW = click.Path(path_type=Path)


@contextmanager
def files_needed() -> Iterator[None]:
    """Ends the command where a file is missing."""
    try:
        yield
    except FileNotFoundError as error:
        raise click.UsageError(str(error)) from error


def need_torch() -> None:
    """Ends the command where PyTorch or ONNX is missing."""
    if find_spec("torch") is None or find_spec("onnx") is None:
        raise click.UsageError("training needs PyTorch and ONNX: pip install '.[train]'")
