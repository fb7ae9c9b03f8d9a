"""Setting up a camera from the page, for the arbiter alone. The steps are those of `web.workbench`."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from flask import Blueprint, Response, abort, jsonify, request
from werkzeug.exceptions import BadRequest

from companion import games
from companion.core import GameError
from web.auth import require
from web.context import context
from web.fields import takes
from web.workbench import Workbench

blueprint = Blueprint("setting_up", __name__, url_prefix="/api/v1/setup")
LARGEST_PROFILE = 8 * 1024 * 1024


@blueprint.post("/aim")
@takes(game=str)
def aim(body: dict[str, Any]) -> Response:
    """How the camera's picture is, and where the board's corners (SW, SE, NE, NW) lie in it."""
    found = _bench().aim(_installed(body["game"]))
    return jsonify(words=found.words, size=found.size, corners=found.corners)


@blueprint.post("/empty")
@takes(game=str)
def keep_empty(body: dict[str, Any]) -> Response:
    """Takes the newest picture for one of the empty board."""
    _bench().keep_empty(_installed(body["game"]))
    return jsonify(words="The empty board is kept until the camera is set up.")


@blueprint.post("/calibration")
@takes(game=str, corners=list, optional=("corners",))
def calibrate(body: dict[str, Any]) -> Response:
    """Learns from the start position on the board now; keeps the board's profile."""
    lesson = _bench().learn(_installed(body["game"]), _corners(body.get("corners", [])))
    return jsonify(asdict(lesson))


@blueprint.get("/seen.jpg")
def seen() -> Response:
    """The picture of the last calibration, with what was read on it."""
    shot = _bench().seen
    if shot is None:
        abort(404, "calibrate first")
    return Response(context().seen_pictures.jpeg(shot), mimetype="image/jpeg")


@blueprint.get("/profiles")
def list_profiles() -> Response:
    """The profiles: those kept under a name, and those in use that nobody named yet; the newest first."""
    return jsonify(profiles=[
        {**asdict(volume), "title": games.rules(volume.game.split()[0]).title}
        for volume in _bench().shelf.volumes() if volume.game.split()[0] in games.installed()
    ])  # fmt: skip


@blueprint.post("/names")
@takes(board=str, name=str, replace=bool, optional=("replace",))
def name_profile(body: dict[str, Any]) -> Response:
    """Keeps the profile in use for a board under a name; `replace` where that name is taken."""
    shelf, name = _bench().shelf, body["name"]
    return jsonify(name=shelf.keep(body["board"], name, replace=body.get("replace", False)))


@blueprint.get("/profiles/<name>")
def export(name: str) -> Response:
    """A kept profile as a file."""
    return _as_file(_bench().shelf.text(name), name)


@blueprint.get("/boards/<board>")
def export_used(board: str) -> Response:
    """The profile in use for a board, as a file."""
    return _as_file(_bench().shelf.used_text(board), board)


@blueprint.post("/profiles")
@takes(profile=dict, name=str, optional=("name",))
def take(body: dict[str, Any]) -> Response:
    """Keeps a profile that was exported elsewhere, and puts it in use. `name` is for one without a name."""
    return jsonify(name=_bench().shelf.take(body["profile"], body.get("name", "")))


@blueprint.post("/profiles/<name>/use")
@takes()
def use_profile(body: dict[str, Any], name: str) -> Response:
    """Puts a kept profile in use for its board."""
    return jsonify(name=name, board=_bench().shelf.use(name))


@blueprint.post("/profiles/<name>/deletion")
@takes()
def remove_profile(body: dict[str, Any], name: str) -> Response:
    """Throws a kept profile away."""
    _bench().shelf.remove(name)
    return jsonify(name=name)


def _as_file(text: str, name: str) -> Response:
    response = Response(text, mimetype="application/json")
    response.headers.set("Content-Disposition", "attachment", filename=f"{name}.json")
    return response


@blueprint.before_request
def _allow_profiles() -> None:
    if request.path.endswith("/profiles"):
        request.max_content_length = LARGEST_PROFILE


@blueprint.errorhandler(GameError)
def _refuse(error: GameError) -> Response:
    response = jsonify(error=str(error))
    response.status_code = 409
    return response


def _bench() -> Workbench:
    """The workbench, for the arbiter."""
    require()
    bench = context().config.bench
    if bench is None:
        abort(404, "there is no camera here to set up")
    return bench


def _installed(name: str) -> str:
    """A game's name: the page names no file of this machine."""
    if name not in games.installed():
        raise BadRequest(f"there is no game '{name[:40]}'")
    return name


def _corners(given: list[Any]) -> list[tuple[float, float]] | None:
    match given:
        case []:
            return None
        case [[a, b], [c, d], [e, f], [g, h]]:
            if all(_is_pixel(v) for v in (a, b, c, d, e, f, g, h)):
                return [(float(x), float(y)) for x, y in given]
    raise BadRequest("'corners' are four [x, y] in pixels: south-west, south-east, north-east, north-west")


def _is_pixel(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e5
