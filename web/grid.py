"""Testing and calibrating the sensor grid from the page, for the arbiter alone. The steps are those of
`firmware_bridge.bench`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flask import Blueprint, Response, abort, jsonify, render_template
from werkzeug.exceptions import BadRequest

from firmware_bridge.bench import BenchError, Found, GridBench
from firmware_bridge.eye import VirtualEye
from web.auth import require
from web.context import context
from web.fields import takes

blueprint = Blueprint("grid", __name__)
STEPS: Mapping[str, Callable[[GridBench], Found]] = {
    "empty": GridBench.take_empty,
    "full": GridBench.take_full,
    "walk": GridBench.walk,
    "calibration": GridBench.finish,
}


@blueprint.get("/setup/grid")
def show() -> str:
    """The page; what it shows it asks for."""
    return render_template("grid.html", page="/setup/grid")


@blueprint.get("/api/v1/setup/grid")
def look() -> Response:
    """The board that the grid is built for, and how strongly each sensor feels what stands on it."""
    bench = _bench()
    board = bench.board()
    places = {site: [float(x), float(y)] for site, (x, y) in board.sites.items()}
    is_virtual = isinstance(bench.eye, VirtualEye)
    return jsonify(**_write(bench.look()), places=places, virtual=is_virtual)


@blueprint.post("/api/v1/setup/grid/<any(empty, full, walk, calibration):phase>")
@takes()
def take(body: dict[str, Any], phase: str) -> Response:
    """A step of calibration: the empty board, the full board, a moment of the walk, or what follows."""
    return jsonify(_write(STEPS[phase](_bench())))


@blueprint.post("/api/v1/setup/grid/test")
@takes(stands=str)
def test(body: dict[str, Any]) -> Response:
    """Tests the grid in a few seconds: `stands` is `empty`, `full`, or nothing for a board as it is."""
    if body["stands"] not in ("", "empty", "full"):
        raise BadRequest("'stands' is 'empty', 'full', or nothing for a board as it is")
    return jsonify(_write(_bench().test(body["stands"])))


@blueprint.post("/api/v1/setup/grid/end")
@takes()
def end(body: dict[str, Any]) -> Response:
    """Play goes on; what was not saved is forgotten."""
    _bench().leave()
    return jsonify(words="Play goes on.")


@blueprint.post("/api/v1/setup/grid/magnets")
@takes(on=list, off=list)
def put(body: dict[str, Any]) -> Response:
    """Puts magnets on sites of a virtual grid, and takes them off others."""
    eye = _bench().eye
    if not isinstance(eye, VirtualEye):
        abort(404, "this grid is a real one: put pieces on it")
    known = set(eye.device.wiring.sites)
    if not all(isinstance(site, str) and site in known for site in (*body["on"], *body["off"])):
        raise BadRequest("'on' and 'off' are lists of sites of the board")
    eye.put(body["on"], True)
    eye.put(body["off"], False)
    return jsonify(words="")


@blueprint.errorhandler(BenchError)
def _refuse(error: BenchError) -> Response:
    response = jsonify(error=str(error))
    response.status_code = 409
    return response


def _bench() -> GridBench:
    """The bench, for the arbiter."""
    require()
    bench = context().config.grid
    if bench is None:
        abort(404, "there is no sensor grid here: start with --source serial:")
    return bench


def _write(found: Found) -> dict[str, Any]:
    spots = {
        site: {"share": None if spot.share is None else round(spot.share, 3), "felt": spot.felt,
               "verdict": spot.verdict, "advice": spot.advice}
        for site, spot in found.spots.items()
    }  # fmt: skip
    return {
        "board": found.board, "sensor": found.sensor, "words": found.words,
        "steps": dict(found.steps), "spots": spots, "saved": found.is_saved,
    }  # fmt: skip
