"""Tests the sensor grid from the page, for the arbiter alone; commissioning has routes of its own.

The steps are those of `firmware_bridge.setup.grid_setup`.
"""

from __future__ import annotations

from collections.abc import Mapping

from flask import abort, render_template
from werkzeug.exceptions import BadRequest

from companion.core.game import Site
from companion.language import say
from companion.wire.codec import part_of
from companion.wire.values import Place
from firmware_bridge.sensing.grid_source import VirtualGridSource
from firmware_bridge.setup.grid_setup import GridSetup, GridStatus
from web.routes.auth import require
from web.server.context import context
from web.server.subject import Subject, there

blueprint = Subject("grid", __name__)


class GridBoard(GridStatus, kw_only=True):
    """The grid with its board."""

    places: Mapping[Place, tuple[float, float]]
    magnets: tuple[Place, ...] | None
    """The sites of a virtual grid on which magnets are; null for a real one."""
    commissioning: bool


@blueprint.get("/setup/grid")
def show() -> str:
    """Shows the page, which asks the API for what it shows."""
    return render_template("grid.html", page="/setup/grid")


@blueprint.get("/api/v1/setup/grid")
def look() -> GridBoard:
    """Describes the grid's board, and how strongly each sensor feels the piece on it."""
    setup = grid_setup()
    board = setup.board()
    places = {site: (float(x), float(y)) for site, (x, y) in board.sites.items()}
    more = {"places": places, "magnets": magnets(setup), "commissioning": setup.is_begun}
    return part_of(setup.look(), GridBoard, **more)


@blueprint.post("/api/v1/setup/grid/test")
def test(*, empty: bool) -> GridStatus:
    """Tests the grid in a few seconds, on a board that is `empty`, or as it is."""
    return grid_setup().test(empty)


@blueprint.post("/api/v1/setup/grid/end")
def end() -> dict[str, object]:
    """Lets play go on; a commissioning can be gone on with."""
    grid_setup().leave()
    return {"words": say("Play goes on.")}


@blueprint.post("/api/v1/setup/grid/map-removal")
def forget_map() -> GridStatus:
    """Has the wires read as in the table again."""
    return grid_setup().forget_map()


@blueprint.post("/api/v1/setup/grid/magnets")
def put(*, on: list[str], off: list[str]) -> dict[str, object]:
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
    return {"words": "", "magnets": magnets(setup)}


def grid_setup() -> GridSetup:
    """Returns the set-up of the grid, for the arbiter."""
    require()
    words = say("there is no sensor grid here: start with --source serial:")
    return there(context().services.grid_setup, words)


def magnets(setup: GridSetup) -> tuple[Site, ...] | None:
    """Returns the sites of a virtual grid on which magnets are; None for a real grid."""
    source = setup.source
    return tuple(source.device.magnets) if isinstance(source, VirtualGridSource) else None
