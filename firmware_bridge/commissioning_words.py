"""Says what commissioning asks its builder to do, for the page and the command line."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from firmware_bridge.calibrate import walking_piece
from firmware_bridge.commissioning import Commissioning, LampTest, Stage
from firmware_bridge.commissioning_sheet import Sheet
from firmware_bridge.walk import percent


def prompt(work: Commissioning) -> str:
    """Returns what to do now."""
    if work.lost:
        return f"The grid is not there: {work.lost}. Plug it in: it goes on where it was."
    return PROMPTS[work.stage](work)


def _empty(work: Commissioning) -> str:
    if work.is_measuring:
        return "Measuring the empty board: keep your hands off it."
    if work.baseline and work.suspects:
        return "Take away what stands there and measure again; where nothing does, go on."
    return "Clear the board: nothing may stand on it. Then measure it."


def _lamps(work: Commissioning) -> str:
    if work.lamp_test is LampTest.RUN:
        first, last = work.walk.order[0], work.walk.order[-1]
        return f"One light runs to and fro along the rows, from {first} to {last}. Does it never jump?"
    return f"Do all {work.hello.lamps} lamps shine {work.lamp_test}? Name those that are dark."


def _walk(work: Commissioning) -> str:
    asked = work.walk.asked
    if work.is_overdue:
        return f"Nothing is felt at {asked}. Is the magnet on its middle? Then it does not answer: say so."
    lamp = " Its lamp shines." if work.has_lamps else ""
    return f"Hold {walking_piece(work.poles)} on {asked}.{lamp}"


def _pieces(_: Commissioning) -> str:
    return "Try the pieces' magnets: put each on a good site, one after the other. Or go on to the sheet."


def _sheet(_: Commissioning) -> str:
    return "This is what was found."


PROMPTS: Mapping[Stage, Callable[[Commissioning], str]] = {
    Stage.EMPTY: _empty,
    Stage.LAMPS: _lamps,
    Stage.WALK: _walk,
    Stage.PIECES: _pieces,
    Stage.SHEET: _sheet,
}


def verdict_of(sheet: Sheet) -> str:
    """Returns the sheet in one sentence."""
    open_findings = [finding for finding in sheet.findings if not finding.is_mended]
    if not open_findings and not sheet.untried:
        return "This grid is whole."
    faults = f"{len(open_findings)} thing{'s' if len(open_findings) != 1 else ''} to be looked at"
    untried = f"{len(sheet.untried)} sites not tried" if sheet.untried else ""
    return f"{', '.join(filter(None, (faults if open_findings else '', untried))).capitalize()}."


def plain_text(sheet: Sheet, when: str) -> str:
    """Returns the sheet as lines of text."""
    lines = [f"Commissioning of a sensor grid, {when}", ""]
    lines += [f"  {name:11}{value}" for name, value in sheet.facts]
    if sheet.weakest:
        lines.append(
            f"  {'Weakest':11}{', '.join(f'{site} {percent(share)}' for site, share in sheet.weakest)}"
        )
    lines += ["", *(f"right  {words}" for words in sheet.right)]
    for finding in sheet.findings:
        lines.append(f"{'known' if finding.is_mended else 'fault'}  {finding.words}")
        lines.append(f"       {finding.advice}")
    if sheet.wires:
        lines += ["", "The wires as they are soldered:"]
        lines += [f"  the wire of {wire} ends at {end}" for wire, end in sheet.wires.items()]
    if sheet.untried:
        lines += ["", f"Not tried: {', '.join(sheet.untried)}"]
    return "\n".join([*lines, "", verdict_of(sheet)])
