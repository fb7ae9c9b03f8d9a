"""Sets up a camera from the page, for the arbiter alone.

The steps are those of `web.runtime.camera_setup`.
"""

from __future__ import annotations

from dataclasses import asdict

from flask import Response, request
from werkzeug.exceptions import BadRequest

from companion import games
from companion.core.errors import CompanionError
from companion.language import say
from web.routes.auth import require
from web.runtime.camera_setup import CalibrationResult, CameraSetup
from web.runtime.profile_library import NameTakenError
from web.server.connection import LARGEST_PROFILE, PROFILES
from web.server.context import context
from web.server.subject import Pixel, Subject, there

blueprint = Subject("setting_up", __name__, url_prefix="/api/v1/setup")


@blueprint.post("/aim")
def aim(*, game: str, camera: str = "") -> dict[str, object]:
    """Tells how a camera's picture is, where the board's corners (SW, SE, NE, NW) lie in it, and how the
    camera is to be placed better. Without a name it is the first camera, here and below."""
    found = _camera_setup().aim(_check_installed(game), camera)
    placement = found.placement and {
        "words": found.placement.words,
        "advice": [advice._asdict() for advice in found.placement.advice],
    }
    return {"words": found.words, "size": found.size, "corners": found.corners, "placement": placement}


@blueprint.post("/empty")
def keep_empty(
    *, game: str, corners: list[tuple[Pixel, Pixel]] | None = None, camera: str = ""
) -> dict[str, object]:
    """Takes the newest picture as one of the empty board, unless the pieces stand on it as the game
    begins."""
    _camera_setup().keep_empty(_check_installed(game), _corners(corners), camera)
    return {"words": say("The empty board is kept until the camera is set up.")}


@blueprint.post("/empty/deletion")
def forget_empty() -> dict[str, object]:
    """Forgets the picture of the empty board."""
    _camera_setup().forget_empty()
    return {}


@blueprint.post("/calibration")
def calibrate(
    *, game: str, corners: list[tuple[Pixel, Pixel]] | None = None, camera: str = ""
) -> CalibrationResult:
    """Learns from the start position, which stands on the board now, and saves this camera's profile of the
    board."""
    return _camera_setup().learn(_check_installed(game), _corners(corners), camera)


@blueprint.get("/calibration")
def show_lesson() -> dict[str, object]:
    """Tells whether a camera is learning now, and what came of the last time (`lesson`; null for nothing);
    `since` is when the companion was started, in seconds since 1970, and `cameras` are those of the table."""
    setup = _camera_setup()
    return {
        "since": setup.since,
        "learning": setup.is_learning,
        "lesson": setup.lesson,
        "cameras": setup.library.cameras,
    }


@blueprint.get("/seen.jpg")
def seen() -> Response:
    """Sends the picture of the last calibration, with the readings drawn on it."""
    shot = there(_camera_setup().seen, say("calibrate first"))
    return Response(context().seen_pictures.jpeg(shot), mimetype="image/jpeg")


@blueprint.get("/profiles")
def list_profiles() -> dict[str, object]:
    """Lists the profiles, the newest first: those kept under a name, and those in use that have none yet.
    `camera` is the one that is read by it."""
    return {"profiles": [
        {**asdict(info), "title": games.rules(info.game.split()[0]).title}
        for info in _camera_setup().library.profiles() if info.game.split()[0] in games.installed()
    ]}  # fmt: skip


@blueprint.post("/names")
def name_profile(*, board: str, name: str, camera: str = "", replace: bool = False) -> dict[str, object]:
    """Keeps the profile in use for a board and a camera under a name; `replace` where that name is taken."""
    return {"name": _camera_setup().library.keep(board, name, camera, replace=replace)}


@blueprint.get("/profiles/<name>")
def export(name: str) -> Response:
    """Sends a kept profile as a file."""
    return _as_file(_camera_setup().library.text(name), name)


@blueprint.get("/boards/<board>")
def export_used(board: str) -> Response:
    """Sends the profile in use for a board as a file: that of the first camera, or of `camera`."""
    return _as_file(_camera_setup().library.used_text(board, request.args.get("camera", "")), board)


@blueprint.post("/profiles")
def take(*, profile: dict[str, object], name: str = "", camera: str = "") -> dict[str, object]:
    """Keeps a profile that was exported elsewhere, and puts it in use. `name` is for one without a name."""
    return {"name": _camera_setup().library.take(profile, name, camera)}


@blueprint.post("/profiles/<name>/use")
def use_profile(name: str, *, camera: str = "") -> dict[str, object]:
    """Puts a kept profile in use for its board."""
    return {"name": name, "board": _camera_setup().library.use(name, camera)}


@blueprint.post("/profiles/<name>/deletion")
def remove_profile(name: str) -> dict[str, object]:
    """Deletes a kept profile."""
    _camera_setup().library.remove(name)
    return {"name": name}


def _as_file(text: str, name: str) -> Response:
    response = Response(text, mimetype="application/json")
    response.headers.set("Content-Disposition", "attachment", filename=f"{name}.json")
    return response


@blueprint.before_request
def _allow_profiles() -> None:
    if request.path == PROFILES:
        request.max_content_length = LARGEST_PROFILE


@blueprint.errorhandler(CompanionError)
def _refuse(error: CompanionError) -> tuple[dict[str, object], int]:
    return {"error": str(error), "taken": isinstance(error, NameTakenError)}, 409


def _camera_setup() -> CameraSetup:
    """Returns the set-up of the camera, for the arbiter."""
    require()
    return there(context().services.camera_setup, say("there is no camera here to set up"))


def _check_installed(name: str) -> str:
    """Returns a game's name, if such a game is installed. The page cannot name files of this machine."""
    if name not in games.installed():
        raise BadRequest(say("there is no game '{name}'", name=name[:40]))
    return name


def _corners(given: list[tuple[Pixel, Pixel]] | None) -> list[tuple[Pixel, Pixel]] | None:
    if given and len(given) != 4:
        raise BadRequest(
            "'corners' are four [x, y] in pixels: south-west, south-east, north-east, north-west"
        )
    return given or None
