"""The profiles on this machine: those in use, one for each board and camera, and those kept under a name.

`BOARD@CAMERA.json` is in use, `kept/NAME.json` is kept. Both are profiles as `companion see` reads them, with
a name and a date added. `BOARD.json` is of a version that knew one camera: the first one goes on with it
until it has its own.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from companion.core.game import GameError
from companion.core.private_files import write_private
from companion.games.text import read_game
from companion.language import say
from vision.calibration.profile import Profile, ProfileError, check_board, parse_profile, read_data

LONGEST_NAME = 40
LONGEST_CAMERA = 150
"""The characters of a camera's name that a file's name has room for: of an address the last ones."""
KEPT = "kept"


class NameTakenError(GameError):
    """There is a profile of that name already."""


@dataclass(frozen=True)
class ProfileInfo:
    """A profile in the list. `made` is in seconds since 1970, `name` is '' until somebody names it, and
    `camera` that of the table's cameras which is read by it."""

    name: str
    game: str
    board: str
    made: float
    kept: bool = False
    used: bool = False
    camera: str = ""


class ProfileLibrary:
    """The profiles in a folder. `changed` is called when another one is in use; `wall` returns the time of
    day, and `cameras` the lasting names of the table's cameras by their names there, the first one in front.
    '' is the first camera.
    """

    def __init__(
        self,
        folder: Path,
        changed: Callable[[], object],
        wall: Callable[[], float],
        cameras: Callable[[], Mapping[str, str]] = lambda: {"": ""},
    ) -> None:
        self._folder, self._changed, self._wall, self._cameras = folder, changed, wall, cameras
        self._lock = threading.RLock()

    @property
    def cameras(self) -> list[str]:
        """The names of the table's cameras, the first one in front."""
        return list(self._cameras())

    def profiles(self) -> list[ProfileInfo]:
        """Returns all profiles, the newest first: those kept, and those in use that nobody named."""
        used, kept = [info for info, _ in self._used()], list(self._kept())
        on = {_key(v): v.camera for v in reversed(used)}
        named = [replace(v, kept=True, used=_key(v) in on, camera=on.get(_key(v), "")) for v in kept]
        names = {_key(v) for v in kept}
        fresh = [replace(v, name="", used=True) for v in used if _key(v) not in names]
        return sorted([*named, *fresh], key=lambda v: -v.made)

    def _used(self) -> Iterator[tuple[ProfileInfo, Path]]:
        """Yields the profiles in use, with the cameras that are read by them, and their files."""
        boards = sorted({path.stem.partition("@")[0] for path in self._folder.glob("*.json")})
        for number, (camera, lasting) in enumerate(self._cameras().items()):
            for board in boards:
                file = used_file(self._folder, board, lasting, is_first=number == 0)
                if info := _info_of(file):
                    yield replace(info, camera=camera), file

    def _kept(self) -> Iterator[ProfileInfo]:
        for path in (self._folder / KEPT).glob("*.json"):
            if info := _info_of(path):
                yield replace(info, name=path.stem)

    def put(self, profile: Profile, camera: str = "") -> None:
        """Puts a new profile in use for its board and a camera."""
        self._put({**profile.to_json(), "name": "", "made": self._wall()}, camera)

    def _put(self, data: Mapping[str, object], camera: str) -> None:
        with self._lock:
            _write(own_file(self._folder, str(data["board"]), self._lasting(camera)), data)
        self._changed()

    def keep(self, board: str, name: str, camera: str = "", *, replace: bool = False) -> str:
        """Keeps the profile in use for a board and a camera under a name. Returns the name, tidied."""
        name = tidy_name(name)
        with self._lock:
            if not replace and self._file_of(name).exists():
                raise NameTakenError(
                    say("there is a profile '{name}' already: give another name, or replace it", name=name)
                )
            data = {**json.loads(self.used_text(board, camera)), "name": name}
            data.setdefault("made", self._wall())
            _write(self._file_of(name), data)
            _write(own_file(self._folder, board, self._lasting(camera)), data)
        return name

    def use(self, name: str, camera: str = "") -> str:
        """Puts a kept profile in use for a camera. Returns its board's name."""
        data = _parse(read_data(self._known(name)))
        self._put({**data, "name": name}, camera)
        return str(data["board"])

    def take(self, data: object, name: str, camera: str = "") -> str:
        """Keeps a profile that was exported elsewhere, and puts it in use for a camera. Returns its name
        here."""
        data = {"name": name, "made": self._wall(), **_parse(data)}
        wanted = tidy_name(data["name"] or data["board"])
        with self._lock:
            free = next(n for n in _variants(wanted) if not self._file_of(n).exists())
            _write(self._file_of(free), {**data, "name": free})
            self._put({**data, "name": free}, camera)
        return free

    def remove(self, name: str) -> None:
        """Deletes a kept profile. A board that is read by it stays as it is."""
        with self._lock:
            self._known(name).unlink()

    def text(self, name: str) -> str:
        """Returns a kept profile as text."""
        return self._known(name).read_text(encoding="utf-8")

    def used_text(self, board: str, camera: str = "") -> str:
        """Returns the profile in use for a board and a camera as text."""
        name = camera or next(iter(self.cameras), "")
        for info, file in self._used():
            if (info.board, info.camera) == (board, name):
                return file.read_text(encoding="utf-8")
        raise GameError(say("there is no profile for a board '{board}'", board=board[:40]))

    def _lasting(self, camera: str) -> str:
        """Returns the lasting name of a camera at the table; GameError for one that is not there."""
        cameras = self._cameras()
        name = camera or next(iter(cameras), "")
        if name not in cameras:
            raise GameError(say("'{name}' is no camera", name=camera[:40]))
        return cameras[name]

    def _known(self, name: str) -> Path:
        """Returns the file of a kept name.

        A name from outside never becomes a path before it was found there.
        """
        if name not in {path.stem for path in (self._folder / KEPT).glob("*.json")}:
            raise GameError(say("there is no profile '{name}'", name=name[:40]))
        return self._file_of(name)

    def _file_of(self, name: str) -> Path:
        return self._folder / KEPT / f"{name}.json"


def own_file(folder: Path, board: str, camera: str) -> Path:
    """Returns the file of a board's profile that is a camera's own, by its lasting name."""
    name = quote(camera, safe="")[-LONGEST_CAMERA:]
    return folder / (f"{board}@{name}.json" if name else f"{board}.json")


def used_file(folder: Path, board: str, camera: str, *, is_first: bool) -> Path:
    """Returns the file of the profile by which a camera reads a board, whether there is one or not."""
    own, of_one_camera = own_file(folder, board, camera), own_file(folder, board, "")
    return of_one_camera if is_first and not own.exists() and of_one_camera.exists() else own


def tidy_name(name: str) -> str:
    """Returns a name as it is kept. GameError where it cannot be one."""
    name = " ".join(name.split())
    fits = 0 < len(name) <= LONGEST_NAME and name.isprintable()
    if not fits or name[0] == "." or set(name) & set("/\\"):
        raise GameError(
            say("a name has 1 to {most} characters, no slash, and no dot in front", most=LONGEST_NAME)
        )
    return name


def _key(info: ProfileInfo) -> tuple[str, str]:
    return info.name, info.board


def _variants(name: str) -> Iterator[str]:
    yield name
    for n in range(2, 1000):
        yield f"{name[: LONGEST_NAME - 6]} ({n})"


def _is_time(made: object) -> bool:
    return isinstance(made, int | float) and not isinstance(made, bool) and 0 < made < 1e11


def _parse(given: object) -> Mapping[str, Any]:
    """Returns the data of a profile for a board that comes with a game. GameError for another one,
    ProfileError for what is none."""
    profile = parse_profile(given)
    if "board=" in profile.game:
        raise GameError(say("a profile for a board of your own is loaded by the command line's --profile"))
    board = read_game(profile.game).board
    if profile.board != board.name:
        raise GameError(
            say("this profile's game is not played on the board '{board}'", board=profile.board[:40])
        )
    check_board(profile, board)
    assert isinstance(given, dict)  # else it is no profile
    known = {key: given[key] for key in profile.to_json() if key in given}
    made, name = given.get("made"), given.get("name")
    dated = {"made": made} if _is_time(made) else {}
    return {**known, **dated, **({"name": name} if isinstance(name, str) and name.strip() else {})}


def _info_of(path: Path) -> ProfileInfo | None:
    """Returns what the list tells of a profile's file; None for one that is none."""
    try:
        return _read(path, path.stat().st_mtime_ns)
    except OSError:
        return None


@lru_cache(maxsize=200)
def _read(path: Path, changed: int) -> ProfileInfo | None:
    try:
        data: Any = read_data(path)
        when = float(data["made"]) if _is_time(data.get("made")) else changed / 1e9
        info = ProfileInfo(str(data.get("name", "")), str(data["game"]), str(data["board"]), when)
    except (ProfileError, KeyError, TypeError, AttributeError):
        return None
    return info if info.game.split() else None


def _write(path: Path, data: Mapping[str, object]) -> None:
    """Writes a profile. ProfileError, and nothing written, where the data are none."""
    content = json.dumps(data, indent=1, ensure_ascii=False)
    parse_profile(json.loads(content))
    write_private(path, content.encode())
