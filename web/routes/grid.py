"""Tests and calibrates the sensor grid from the page, for the arbiter alone.

The steps are those of `firmware_bridge.grid_setup`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flask import Blueprint, Response, abort, jsonify, render_template
from werkzeug.exceptions import BadRequest

from companion.core.errors import CompanionError
from companion.core.game import Site
from companion.language import say
from firmware_bridge.grid_setup import DoubtfulCalibrationError, GridSetup, GridSetupError, SetupStatus
from firmware_bridge.grid_source import VirtualGridSource
from web.routes.auth import require
from web.server.context import context
from web.server.fields import takes

blueprint = Blueprint("grid", __name__)
STEPS: Mapping[str, Callable[[GridSetup], SetupStatus]] = {
    "empty": GridSetup.take_empty,
    "full": GridSetup.take_full,
    "walk": GridSetup.walk,
}


@blueprint.get("/setup/grid")
def show() -> str:
    """Shows the page, which asks the API for what it shows."""
    return render_template("grid.html", page="/setup/grid")


@blueprint.get("/api/v1/setup/grid")
def look() -> Response:
    """Describes the grid's board, and how strongly each sensor feels the piece on it."""
    setup = grid_setup()
    board = setup.board()
    places = {site: [float(x), float(y)] for site, (x, y) in board.sites.items()}
    return jsonify(
        **_write(setup.look()), places=places, magnets=magnets(setup), commissioning=setup.is_begun
    )


@blueprint.post("/api/v1/setup/grid/<any(empty, full, walk):phase>")
@takes
def take(phase: str) -> Response:
    """Takes a step of the calibration: the empty board, the full board, or a moment of the walk."""
    return jsonify(_write(STEPS[phase](grid_setup())))


@blueprint.post("/api/v1/setup/grid/calibration")
@takes
def finish(*, sure: bool = False) -> Response:
    """Keeps the calibration. One that leaves sensors out is refused (`doubtful`) unless the caller is
    `sure`."""
    return jsonify(_write(grid_setup().finish(sure)))


@blueprint.post("/api/v1/setup/grid/test")
@takes
def test(*, stands: str) -> Response:
    """Tests the grid in a few seconds: `stands` is `empty`, `full`, or nothing for a board as it is."""
    if stands not in ("", "empty", "full"):
        raise BadRequest("'stands' is 'empty', 'full', or nothing for a board as it is")
    return jsonify(_write(grid_setup().test(stands)))


@blueprint.post("/api/v1/setup/grid/end")
@takes
def end() -> Response:
    """Lets play go on. A calibration that was not saved is forgotten."""
    grid_setup().leave()
    return jsonify(words=say("Play goes on."))


@blueprint.post("/api/v1/setup/grid/map-removal")
@takes
def forget_map() -> Response:
    """Has the wires read as in the table again."""
    return jsonify(_write(grid_setup().forget_map()))


@blueprint.post("/api/v1/setup/grid/magnets")
@takes
def put(*, on: list[str], off: list[str]) -> Response:
    """Puts magnets on sites of a virtual grid, and takes them off others."""
    setup = grid_setup()
    source = setup.source
    if not isinstance(source, VirtualGridSource):
        abort(404, say("this grid is a real one: put pieces on it"))
    known = set(source.device.wiring.sites)
    if not all(site in known for site in (*on, *off)):
        raise BadRequest("'on' and 'off' are lists of sites of the board")
    setup.hold()  # else the virtual table would lay its own pieces again
    source.put(on, True)
    source.put(off, False)
    return jsonify(words="", magnets=magnets(setup))


@blueprint.errorhandler(GridSetupError)
def refuse(error: CompanionError) -> Response:
    response = jsonify(error=str(error), doubtful=isinstance(error, DoubtfulCalibrationError))
    response.status_code = 409
    return response


def grid_setup() -> GridSetup:
    """Returns the set-up of the grid, for the arbiter."""
    require()
    setup = context().services.grid_setup
    if setup is None:
        abort(404, say("there is no sensor grid here: start with --source serial:"))
    return setup


def magnets(setup: GridSetup) -> list[Site] | None:
    """Returns the sites of a virtual grid on which magnets are; None for a real grid."""
    source = setup.source
    return list(source.device.magnets) if isinstance(source, VirtualGridSource) else None


def _write(found: SetupStatus) -> dict[str, Any]:
    spots = {
        site: {"share": None if spot.share is None else round(spot.share, 3), "felt": spot.felt,
               "verdict": spot.verdict, "advice": spot.advice}
        for site, spot in found.spots.items()
    }  # fmt: skip
    return {
        "board": found.board, "sensor": found.sensor, "words": found.words,
        "steps": dict(found.steps), "spots": spots, "saved": found.is_saved,
        "wires": dict(found.wires),
    }  # fmt: skip
