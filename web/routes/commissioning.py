"""Commissions the sensor grid from the page, for the arbiter alone.

The work is that of `firmware_bridge.setup.commissioning`; it goes on while the page asks how it stands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated

from companion.core.game import Site
from companion.wire.codec import part_of
from companion.wire.values import Place, Wire, one_of
from firmware_bridge.setup.commissioning import Commissioning, CommissioningStage
from firmware_bridge.setup.grid_setup import GridSetup, Spot, round_share
from firmware_bridge.setup.sheet import CommissioningSheet, findings_by_site
from firmware_bridge.setup.walk import Walk
from firmware_bridge.setup.words import prompt, verdict_of
from web.routes.grid import grid_setup, magnets
from web.server.subject import Subject

blueprint = Subject("commissioning", __name__, url_prefix="/api/v1/setup/grid/commissioning")
DEEDS: Mapping[str, Callable[[Commissioning], object]] = {
    "empty": Commissioning.measure_empty,
    "on": Commissioning.go_on,
    "yes": Commissioning.yes,
    "no": Commissioning.no,
    "silent": lambda work: work.step(Walk.silence),
    "skip": lambda work: work.step(Walk.skip),
    "back": lambda work: work.step(Walk.back),
}
MARKS: Mapping[str, Callable[[Commissioning, str], object]] = {
    "ask": Commissioning.ask,
    "dark": Commissioning.mark_dark,
    "lamp": Commissioning.see_lamp,
}


class GridSheet(CommissioningSheet, kw_only=True):
    """The findings of commissioning; `when` is in seconds since 1970."""

    when: float
    verdict: str
    whole: bool


class GridCommissioning(Wire):
    """The stage of commissioning the grid; `told` counts how often something was `said`."""

    stage: Annotated[str, one_of(*CommissioningStage)]
    words: str
    said: str
    good: bool
    told: int
    asked: Place | None
    measuring: bool
    lost: bool
    overdue: bool
    suspects: tuple[Place, ...]
    lamps: int
    lamp_test: Annotated[str, one_of("red", "green", "blue", "run")]
    dark: tuple[Place, ...]
    done: int
    pieces: int
    spots: Mapping[Place, Spot]
    magnets: tuple[Place, ...] | None
    """The sites of a virtual grid on which magnets are; null for a real one."""
    sheet: GridSheet | None
    saved: bool


@blueprint.get("")
def look_at_commissioning() -> GridCommissioning:
    """Describes how far the commissioning is, what to do now, and at its end the sheet."""
    return _answer(grid_setup())


@blueprint.post("")
def begin_commissioning() -> GridCommissioning:
    """Begins a commissioning; one that is on is forgotten."""
    setup = grid_setup()
    setup.begin()
    return _answer(setup)


@blueprint.post("/<any(empty, on, yes, no, silent, skip, back):deed>")
def do_commissioning(deed: str) -> GridCommissioning:
    """Does a step: measures the empty board, goes on, answers for lamps or for the site that is asked for."""
    setup = grid_setup()
    with setup.commissioning() as work:
        DEEDS[deed](work)
    return _answer(setup)


@blueprint.post("/<any(ask, dark, lamp):mark>")
def point_out(mark: str, *, site: str) -> GridCommissioning:
    """Asks for a site, says that its lamp is dark, or that the lamp of the site asked for shines there."""
    setup = grid_setup()
    with setup.commissioning() as work:
        MARKS[mark](work, site)
    return _answer(setup)


@blueprint.post("/keeping")
def keep_commissioning(*, map: bool) -> GridCommissioning:  # noqa: A002 (so the field is called)
    """Keeps the calibration that was learned and uses it; `map` reads the wires as they are soldered."""
    setup = grid_setup()
    setup.keep(with_map=map)
    return _answer(setup)


def _answer(setup: GridSetup) -> GridCommissioning:
    with setup.commissioning() as work:
        return _write(setup, work)


def _write(setup: GridSetup, work: Commissioning) -> GridCommissioning:
    sheet, when = setup.sheet(work)
    return GridCommissioning(
        stage=work.stage.value,
        words=prompt(work),
        said=work.heard.words,
        good=work.heard.is_good,
        told=work.told,
        asked=work.walk.asked,
        measuring=work.empty.is_measuring,
        lost=bool(work.lost),
        overdue=work.is_overdue,
        suspects=tuple(sorted(work.empty.suspects)),
        lamps=work.hello.lamps,
        lamp_test=work.lamp_tests.test,
        dark=tuple(sorted(work.lamp_tests.dark)),
        done=len(work.walk.answers),
        pieces=len(work.walk.pieces),
        spots=_spots(work, sheet),
        magnets=magnets(setup),
        sheet=part_of(sheet, GridSheet, when=when, verdict=verdict_of(sheet), whole=sheet.is_whole)
        if work.stage is CommissioningStage.SHEET
        else None,
        saved=setup.is_kept,
    )


def _spots(work: Commissioning, sheet: CommissioningSheet) -> dict[Site, Spot]:
    """Returns each site as the map shows it: what was found there, and whether it feels a magnet now."""
    found = findings_by_site(sheet)
    return {
        site: Spot(
            share=round_share(work.walk.share(site)),
            felt=work.felt == site,
            verdict=found.get(site, "")
            if site in work.walk.answers or work.stage is CommissioningStage.SHEET
            else "",
            tried=site in work.walk.answers,
        )
        for site in work.wiring.sites
    }
