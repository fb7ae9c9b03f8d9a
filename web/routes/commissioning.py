"""Commissions the sensor grid from the page, for the arbiter alone.

The work is that of `firmware_bridge.setup.commissioning`; it goes on while the page asks how it stands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flask import Blueprint, Response, jsonify

from firmware_bridge.setup.commissioning import Commissioning, CommissioningError, Stage
from firmware_bridge.setup.grid_setup import GridSetup, GridSetupError
from firmware_bridge.setup.sheet import Sheet, findings_by_site
from firmware_bridge.setup.words import prompt, verdict_of
from web.routes.grid import grid_setup, magnets, refuse
from web.server.fields import takes

blueprint = Blueprint("commissioning", __name__, url_prefix="/api/v1/setup/grid/commissioning")
DEEDS: Mapping[str, Callable[[Commissioning], object]] = {
    "empty": Commissioning.measure_empty,
    "on": Commissioning.go_on,
    "yes": lambda work: work.answer_lamps(is_right=True),
    "no": lambda work: work.answer_lamps(is_right=False),
    "silent": Commissioning.silence,
    "skip": Commissioning.skip,
    "back": Commissioning.back,
}
MARKS: Mapping[str, Callable[[Commissioning, str], object]] = {
    "ask": Commissioning.ask,
    "dark": Commissioning.mark_dark,
    "lamp": Commissioning.see_lamp,
}
blueprint.register_error_handler(GridSetupError, refuse)
blueprint.register_error_handler(CommissioningError, refuse)


@blueprint.get("")
def look_at_commissioning() -> Response:
    """Describes how far the commissioning is, what to do now, and at its end the sheet."""
    return _answer(grid_setup())


@blueprint.post("")
@takes
def begin_commissioning() -> Response:
    """Begins a commissioning; one that is on is forgotten."""
    setup = grid_setup()
    setup.begin()
    return _answer(setup)


@blueprint.post("/<any(empty, on, yes, no, silent, skip, back):deed>")
@takes
def do_commissioning(deed: str) -> Response:
    """Does a step: measures the empty board, goes on, answers for lamps or for the site that is asked for."""
    setup = grid_setup()
    with setup.commissioning() as work:
        DEEDS[deed](work)
    return _answer(setup)


@blueprint.post("/<any(ask, dark, lamp):mark>")
@takes
def point_out(mark: str, *, site: str) -> Response:
    """Asks for a site, says that its lamp is dark, or that the lamp of the site asked for shines there."""
    setup = grid_setup()
    with setup.commissioning() as work:
        MARKS[mark](work, site)
    return _answer(setup)


@blueprint.post("/keeping")
@takes
def keep_commissioning(*, map: bool) -> Response:  # noqa: A002 (so the field is called)
    """Keeps the calibration that was learned and uses it; `map` reads the wires as they are soldered."""
    setup = grid_setup()
    setup.keep(with_map=map)
    return _answer(setup)


def _answer(setup: GridSetup) -> Response:
    with setup.commissioning() as work:
        return jsonify(_write(setup, work))


def _write(setup: GridSetup, work: Commissioning) -> dict[str, Any]:
    sheet, when = setup.sheet(work)
    is_over = work.stage is Stage.SHEET
    return {
        "stage": work.stage,
        "words": prompt(work),
        "said": work.heard.words,
        "good": work.heard.is_good,
        "told": work.told,
        "asked": work.walk.asked,
        "measuring": work.empty.is_measuring,
        "lost": bool(work.lost),
        "overdue": work.is_overdue,
        "suspects": sorted(work.empty.suspects),
        "lamps": work.hello.lamps,
        "lamp_test": work.lamp_tests.test,
        "dark": sorted(work.lamp_tests.dark),
        "done": len(work.walk.answers),
        "pieces": len(work.walk.pieces),
        "spots": _spots(work, sheet),
        "magnets": magnets(setup),
        "sheet": _write_sheet(sheet, when) if is_over else None,
        "saved": setup.is_kept,
    }


def _spots(work: Commissioning, sheet: Sheet) -> dict[str, Any]:
    """Returns each site as the map shows it: what was found there, and whether it feels a magnet now."""
    found = findings_by_site(sheet)
    return {
        site: {
            "share": None if (share := work.walk.share(site)) is None else round(share, 3),
            "felt": work.felt == site,
            "verdict": found.get(site, "") if site in work.walk.answers or work.stage is Stage.SHEET else "",
            "advice": "",
            "tried": site in work.walk.answers,
        }
        for site in work.wiring.sites
    }


def _write_sheet(sheet: Sheet, when: float) -> dict[str, Any]:
    return {
        "when": when,
        "verdict": verdict_of(sheet),
        "whole": sheet.is_whole,
        "facts": [list(fact) for fact in sheet.facts],
        "right": list(sheet.right),
        "findings": [
            {"kind": f.kind, "words": f.words, "advice": f.advice, "mended": f.is_mended}
            for f in sheet.findings
        ],
        "weakest": [[site, round(share, 3)] for site, share in sheet.weakest],
        "wires": dict(sheet.wires),
        "untried": list(sheet.untried),
    }
