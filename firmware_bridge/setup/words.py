"""Says what commissioning asks its builder to do, for the page and the command line."""

from __future__ import annotations

from companion.language import Phrases, say, say_count, sentences
from firmware_bridge.setup.calibrate import walking_piece
from firmware_bridge.setup.commissioning import Commissioning, CommissioningStage
from firmware_bridge.setup.lamp_tests import LampTest
from firmware_bridge.setup.sheet import CommissioningSheet
from firmware_bridge.setup.walk import percent

LAMP_TESTS: Phrases = {
    LampTest.RED: "Do all {lamps} lamps shine red? Name those that are dark.",
    LampTest.GREEN: "Do all {lamps} lamps shine green? Name those that are dark.",
    LampTest.BLUE: "Do all {lamps} lamps shine blue? Name those that are dark.",
}


def prompt(work: Commissioning) -> str:
    """Returns what to do now."""
    if work.lost:
        return say("The grid is not there: {lost}. Plug it in: it goes on where it was.", lost=work.lost)
    match work.stage:
        case CommissioningStage.EMPTY:
            return _empty(work)
        case CommissioningStage.LAMPS if work.lamp_tests.test is LampTest.RUN:
            return say(
                "One light runs to and fro along the rows, from {first} to {last}. Does it never jump?",
                first=work.walk.order[0],
                last=work.walk.order[-1],
            )
        case CommissioningStage.LAMPS:
            return say(LAMP_TESTS[work.lamp_tests.test], lamps=work.hello.lamps)
        case CommissioningStage.WALK:
            return _walk(work)
        case CommissioningStage.PIECES:
            return say(
                "Try the pieces' magnets: put each on a good site, one after the other. Or go on to the "
                "sheet."
            )
    return say("This is what was found.")


def _empty(work: Commissioning) -> str:
    if work.empty.is_measuring:
        return say("Measuring the empty board: keep your hands off it.")
    if work.empty.baseline and work.empty.suspects:
        return say("Take away what stands there and measure again; where nothing does, go on.")
    return say("Clear the board: nothing may stand on it. Then measure it.")


def _walk(work: Commissioning) -> str:
    asked = work.walk.asked
    if work.is_overdue and work.is_unsteady:
        return say(
            "{place} is felt, but not steadily. Hold the magnet still on its middle. If that does not help, "
            "it is too weak, or the sensor too deep: say that it does not answer.",
            place=asked,
        )
    if work.is_overdue:
        return say(
            "Nothing is felt at {place}. Is the magnet on its middle? Then it does not answer: say so.",
            place=asked,
        )
    words = say("Hold {piece} on {place}.", piece=walking_piece(work.poles), place=asked)
    return sentences(words, say("Its lamp shines.")) if work.has_lamps else words


def verdict_of(sheet: CommissioningSheet) -> str:
    """Returns the sheet in one sentence."""
    open_findings = [finding for finding in sheet.findings if not finding.mended]
    if not open_findings and not sheet.untried:
        return say("This grid is whole.")
    faults = say_count(
        "{n} thing has to be looked at.", "{n} things have to be looked at.", len(open_findings)
    )
    untried = say_count("{n} site was not tried.", "{n} sites were not tried.", len(sheet.untried))
    return sentences(*([faults] if open_findings else []), *([untried] if sheet.untried else []))


def plain_text(sheet: CommissioningSheet, when: str) -> str:
    """Returns the sheet as lines of text."""
    lines = [f"Commissioning of a sensor grid, {when}", ""]
    lines += [f"  {name.ljust(11)}{value}" for name, value in sheet.facts]
    if sheet.weakest:
        lines.append(
            f"  {'Weakest':11}{', '.join(f'{site} {percent(share)}' for site, share in sheet.weakest)}"
        )
    lines += ["", *(f"right  {words}" for words in sheet.right)]
    for finding in sheet.findings:
        lines.append(f"{'known' if finding.mended else 'fault'}  {finding.words}")
        lines.append(f"       {finding.advice}")
    if sheet.wires:
        lines += ["", "The wires as they are soldered:"]
        lines += [f"  the wire of {wire} ends at {end}" for wire, end in sheet.wires.items()]
    if sheet.untried:
        lines += ["", f"Not tried: {', '.join(sheet.untried)}"]
    return "\n".join([*lines, "", verdict_of(sheet)])
