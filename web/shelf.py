"""Profiles on the shelf: the one in use for each board, and those that were kept under a name.

`BOARD.json` is in use, `kept/NAME.json` is kept; both are profiles as `companion see` reads them, with their
name and their date added. A file is written beside, checked, and then put in its place: whole or not at all.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from companion.core import GameError
from companion.text import read_game
from vision.calibration.profile import Profile, ProfileError, check_board, parse_profile, read_data

LONGEST_NAME = 40
KEPT = "kept"


class ShelfError(GameError):
    """What cannot be done with a profile: one line that says what to do."""


@dataclass(frozen=True)
class Volume:
    """A profile as it is listed: when it was made in seconds since 1970; `name` is '' until it is named."""

    name: str
    game: str
    board: str
    made: float
    kept: bool = False
    used: bool = False


class Shelf:
    """The profiles in a folder. `changed` is told when another one is in use; `wall` tells the time."""

    def __init__(self, folder: Path, changed: Callable[[], object], wall: Callable[[], float]) -> None:
        self._folder, self._changed, self._wall = folder, changed, wall
        self._lock = threading.RLock()

    def volumes(self) -> list[Volume]:
        """All profiles, the newest first: those kept, and those in use that nobody named."""
        used, kept = list(_read_all(self._folder)), list(_read_all(self._folder / KEPT))
        on = {_key(v) for v in used}
        named = [Volume(v.name, v.game, v.board, v.made, True, _key(v) in on) for v in kept]
        names = {_key(v) for v in kept}
        fresh = [Volume("", v.game, v.board, v.made, False, True) for v in used if _key(v) not in names]
        return sorted([*named, *fresh], key=lambda v: -v.made)

    def put(self, profile: Profile) -> None:
        """A profile that was learned just now is in use for its board."""
        self._put({**profile.to_json(), "name": "", "made": self._wall()})

    def _put(self, data: dict[str, Any]) -> None:
        with self._lock:
            _write(self._folder / f"{data['board']}.json", data)
        self._changed()

    def keep(self, board: str, name: str, *, replace: bool = False) -> str:
        """Keeps the profile in use for a board under a name; gives the name, tidied."""
        name = tidy_name(name)
        with self._lock:
            if not replace and self._kept(name).exists():
                raise ShelfError(f"there is a profile '{name}' already: give another name, or replace it")
            data = {**json.loads(self.used_text(board)), "name": name}
            data.setdefault("made", self._wall())
            _write(self._kept(name), data)
            _write(self._folder / f"{board}.json", data)
        return name

    def use(self, name: str) -> str:
        """Puts a kept profile in use; gives its board."""
        data = _parse(_read_data(self._known(name)))
        self._put({**data, "name": name})
        return str(data["board"])

    def take(self, data: object, name: str) -> str:
        """Keeps a profile that was exported elsewhere, and puts it in use; gives the name it has here."""
        data = {"name": name, "made": self._wall(), **_parse(data)}
        wanted = tidy_name(data["name"] or data["board"])
        with self._lock:
            free = next(n for n in _variants(wanted) if not self._kept(n).exists())
            _write(self._kept(free), {**data, "name": free})
            self._put({**data, "name": free})
        return free

    def remove(self, name: str) -> None:
        """Throws a kept profile away; a board that reads by it goes on."""
        with self._lock:
            self._known(name).unlink()

    def text(self, name: str) -> str:
        """A kept profile as text."""
        return self._known(name).read_text(encoding="utf-8")

    def used_text(self, board: str) -> str:
        """The profile in use for a board, as text."""
        if board not in {v.board for v in _read_all(self._folder)}:
            raise ShelfError(f"there is no profile for a board '{board[:40]}'")
        return (self._folder / f"{board}.json").read_text(encoding="utf-8")

    def _known(self, name: str) -> Path:
        """The file of a name that is there: what a caller gives never becomes a path by itself."""
        if name not in {path.stem for path in (self._folder / KEPT).glob("*.json")}:
            raise ShelfError(f"there is no profile '{name[:40]}'")
        return self._kept(name)

    def _kept(self, name: str) -> Path:
        return self._folder / KEPT / f"{name}.json"


def tidy_name(name: str) -> str:
    """A name as it is kept. ShelfError where it cannot be one."""
    name = " ".join(name.split())
    fits = 0 < len(name) <= LONGEST_NAME and name.isprintable()
    if not fits or name[0] == "." or set(name) & set("/\\"):
        raise ShelfError(f"a name has 1 to {LONGEST_NAME} characters, no slash, and no dot in front")
    return name


def _key(volume: Volume) -> tuple[str, str]:
    return volume.name, volume.board


def _variants(name: str) -> Iterator[str]:
    yield name
    for n in range(2, 1000):
        yield f"{name[: LONGEST_NAME - 6]} ({n})"


def _is_time(made: object) -> bool:
    return isinstance(made, int | float) and not isinstance(made, bool) and 0 < made < 1e11


def _parse(given: object) -> dict[str, Any]:
    """The data of a profile for a board that comes with a game. ShelfError for any other."""
    try:
        profile = parse_profile(given)
        if "board=" in profile.game:
            raise ShelfError("a profile for a board of your own is loaded by the command line's --profile")
        board = read_game(profile.game).board
        if profile.board != board.name:
            raise ShelfError(f"this profile's game is not played on the board '{profile.board[:40]}'")
        check_board(profile, board)
    except (ProfileError, GameError) as error:
        raise ShelfError(str(error)) from error
    assert isinstance(given, dict)  # else it is no profile
    known = {key: given[key] for key in profile.to_json() if key in given}
    made, name = given.get("made"), given.get("name")
    dated = {"made": made} if _is_time(made) else {}
    return {**known, **dated, **({"name": name} if isinstance(name, str) and name.strip() else {})}


def _read_all(folder: Path) -> Iterator[Volume]:
    """The profiles in a folder; what is none is passed over."""
    for path in folder.glob("*.json"):
        try:
            volume = _read(path, path.stat().st_mtime_ns)
        except OSError:
            continue
        if volume:
            yield replace(volume, name=path.stem) if folder.name == KEPT else volume


@lru_cache(maxsize=200)
def _read(path: Path, changed: int) -> Volume | None:
    try:
        data: Any = read_data(path)
        when = float(data["made"]) if _is_time(data.get("made")) else changed / 1e9
        volume = Volume(str(data.get("name", "")), str(data["game"]), str(data["board"]), when)
    except (ProfileError, KeyError, TypeError, AttributeError):
        return None
    return volume if volume.game.split() else None


def _read_data(path: Path) -> object:
    try:
        return read_data(path)
    except ProfileError as error:
        raise ShelfError(str(error)) from error


def _write(path: Path, data: dict[str, Any]) -> None:
    """Puts a profile in its place. ShelfError, and nothing written, where it is none."""
    path.parent.mkdir(exist_ok=True)
    draft = path.with_suffix(".new")
    with draft.open("w", encoding="utf-8") as file:
        json.dump(data, file, indent=1, ensure_ascii=False)
        file.flush()
        os.fsync(file.fileno())
    try:
        parse_profile(read_data(draft))
    except ProfileError as error:
        draft.unlink()
        raise ShelfError(str(error)) from error
    draft.replace(path)
