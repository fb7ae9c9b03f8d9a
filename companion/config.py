"""Finds the folder where games and profiles are kept, and reads the owner's settings: `config.toml` in it."""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from companion.core.errors import CompanionError
from companion.core.whole_files import read_text


class ConfigError(CompanionError):
    """A folder or settings file that cannot be used."""


def read_settings(folder: Path) -> Mapping[str, Any]:
    """Returns what `config.toml` in the data folder sets, by section; {} where there is none."""
    file = folder / "config.toml"
    try:
        return tomllib.loads(read_text(file))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise ConfigError(f"cannot read '{file}': {error}") from error


def data_folder(given: Path | None = None) -> Path:
    """Returns the folder of games and profiles, and makes it where it is missing: for its owner
    alone.

    It is the one given, else $COMPANION_DATA, else systemd's state directory, else the user's data folder.
    """
    folder = given or _usual_folder()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"cannot use '{folder}' ({error.strerror}): name another with --data") from error
    return folder


def child_environment() -> dict[str, str]:
    """Returns the environment without the PIN, which a process that draws or thinks need not know."""
    return {name: value for name, value in os.environ.items() if name != "COMPANION_PIN"}


def _usual_folder() -> Path:
    for variable in ("COMPANION_DATA", "STATE_DIRECTORY"):
        if os.environ.get(variable):
            return Path(os.environ[variable])
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "board-companion"
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "board-companion"
