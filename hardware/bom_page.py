"""Shows the bill of a sensor grid as a page to print: its parts by use, currents, supply and price."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from firmware_bridge.line.messages import Sensor
from firmware_bridge.setup.sheet import MAGNETS
from hardware.bill import PARTS, USES, BillLine, GridToBuild, bill, is_own, supply_of
from hardware.magnets import pitch_of

STYLE = """
body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:64rem;padding:0 1rem;color:#1f2937}
h1{font-size:1.5rem;margin:0}h2{font-size:1.1rem;margin:1.8rem 0 .4rem}p{margin:.4rem 0}
table{border-collapse:collapse;width:100%}td,th{padding:.3rem .6rem;text-align:left;vertical-align:top}
th{font-size:.85rem;color:#4b5563;border-bottom:1px solid #9ca3af}tr+tr td{border-top:1px solid #e5e7eb}
.n{text-align:right;white-space:nowrap}.sum td{font-weight:600;border-top:2px solid #9ca3af!important}
.box{display:inline-block;width:.8em;height:.8em;border:1px solid #4b5563}
@media print{body{margin:0;font-size:11px}h2{break-after:avoid}tr{break-inside:avoid}}
"""
TITLES = {
    "grid": "The grid",
    "reed": "Sensors: reed switches",
    "digital": "Sensors: Hall switches",
    "analogue": "Sensors: linear Hall sensors",
    "lamps": "Lamps",
    "panel": "Panel on the Raspberry Pi",
}
SENSORS = {
    Sensor.REED: "reed switches",
    Sensor.DIGITAL: "Hall switches",
    Sensor.ANALOGUE: "linear Hall sensors",
}


def page(grid: GridToBuild) -> str:
    """Returns the page of a grid's bill as HTML. The errors are those of `hardware.bill.bill`."""
    lines = bill(grid)
    body = [*_head(grid, lines)]
    for use in USES:
        if listed := [line for line in lines if line.use == use]:
            body += _table(TITLES[use], listed)
    body += [*_power(lines), f"<p><strong>{escape(MAGNETS)}</strong></p>"]
    title = f"Parts: {grid.board.name}"
    return "\n".join(
        (
            "<!doctype html>",
            f'<html lang="en"><meta charset="utf-8"><title>{escape(title)}</title>',
            f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style>',
            *body,
            "</html>",
            "",
        )
    )


def _head(grid: GridToBuild, lines: Sequence[BillLine]) -> Iterator[str]:
    price = sum(line.euro for line in lines)
    made = {8: "one printed board", 2: "printed strips of two files"}.get(grid.files, "wired by hand")
    with_what = "".join(f", {extra}" for extra in ("lamps", "panel") if extra in grid.extras)
    yield f"<h1>Parts for {escape(grid.board.name)}</h1>"
    yield (
        f"<p>{len(grid.board.sites)} sites, {pitch_of(grid.board):.0f} mm apart; {SENSORS[grid.sensor]}, "
        f"{made}{with_what}; {escape(grid.controller.title)}.</p>"
    )
    yield (
        f"<p>About <strong>{price:.0f} €</strong> in all. Prices are our estimates for small numbers as of "
        f"{PARTS['priced']:%d %B %Y}, without tax and postage; expect them to be off by a factor of two.</p>"
    )


def _table(title: str, lines: Sequence[BillLine]) -> Iterator[str]:
    yield f"<h2>{escape(title)}</h2><table>"
    yield (
        "<tr><th></th><th class=n>number</th><th>part</th><th>maker's number</th><th>or</th>"
        "<th class=n>mA</th><th class=n>€</th></tr>"
    )
    for line in lines:
        count = f"{line.quantity:g}{' ' + line.unit if line.unit else ''}"
        cells = "".join(f"<td>{escape(words)}</td>" for words in (line.part, line.number, line.equal))
        ma = f"{line.ma:.0f}" if line.ma else ""
        yield (
            f"<tr><td><span class=box></span></td><td class=n>{count}</td>{cells}"
            f"<td class=n>{ma}</td><td class=n>{line.euro:.2f}</td></tr>"
        )
    drawn, euro = sum(line.ma for line in lines), sum(line.euro for line in lines)
    ma = f"{drawn:.0f}" if drawn else ""
    yield f"<tr class=sum><td colspan=5>sum</td><td class=n>{ma}</td><td class=n>{euro:.2f}</td></tr>"
    yield "</table>"


def _power(lines: Sequence[BillLine]) -> Iterator[str]:
    """Yields the currents of the two rails beside what the supply gives."""
    lamps = sum(line.ma for line in lines if line.use == "lamps")
    total, supply = sum(line.ma for line in lines), supply_of(lines)
    yield "<h2>Current</h2><table><tr><th>5 V rail</th><th class=n>mA at most</th></tr>"
    yield f"<tr><td>controller and sensors</td><td class=n>{total - lamps:.0f}</td></tr>"
    if lamps:
        yield f"<tr><td>lamps, as bright as the firmware lets them be</td><td class=n>{lamps:.0f}</td></tr>"
    yield f"<tr class=sum><td>both</td><td class=n>{total:.0f}</td></tr></table>"
    if is_own(supply):
        name, gives = escape(supply["part"]), supply["gives"]
        fuse = next((escape(line.part) for line in lines if line.part.startswith("fuse")), "")
        guarded = f" The {fuse}, sits where that rail begins." if fuse else ""
        yield (
            f"<p>{name}: {gives} mA are counted on, 80 % of what it can give; it limits itself. One supply "
            "feeds both rails, and each has wires of its own from there, so that the lamps' current does not "
            f"move the sensors' level.{guarded} The sensors' rail feeds the controller's 5V pin too (VSYS of "
            "a Pico); the USB cable then carries data only: its red wire is cut.</p>"
        )
    else:
        yield f"<p>USB is enough: it gives {supply['gives']} mA, and no supply is needed.</p>"
