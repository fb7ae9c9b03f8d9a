"""Faults of a virtual grid, as they are written behind its name.

`serial:virtual?exchanged=a1,b1&turned=c3&dead=d4,d5&weak=e5` exchanges two wires, turns a sensor over, and so
on; hardware/README.md lists the faults.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeAlias
from urllib.parse import parse_qsl

from companion.core.game import Site
from firmware_bridge.line.link import PortError
from firmware_bridge.line.wiring import Address
from firmware_bridge.sensing.virtual import VirtualDevice, VirtualSensor

Faults: TypeAlias = tuple[tuple[str, tuple[str, ...]], ...]
"""Kinds of faults in the order in which they are put in, each with its sites or numbers."""
NAME = "virtual"
WEAK_SHARE, NOISE, CROSS = 0.35, 40.0, 0.4
SUPPLY_NOISE = 8.0
SENSORS: Mapping[str, Callable[[VirtualSensor], VirtualSensor]] = {
    "dead": lambda sensor: replace(sensor, swing=0.0),
    "stuck": lambda sensor: replace(sensor, rest=sensor.rest + sensor.swing, swing=0.0),
    "turned": lambda sensor: replace(sensor, swing=-sensor.swing),
    "weak": lambda sensor: replace(sensor, swing=WEAK_SHARE * sensor.swing),
    "noisy": lambda sensor: replace(sensor, noise=NOISE),
    "bleeding": lambda sensor: replace(sensor, cross=CROSS),
}
"""Faults of single sensors."""
LINES = ("rows", "columns")
KINDS = (*SENSORS, "exchanged", *LINES, "supply")


def parse_faults(port: str) -> Faults | None:
    """Returns the faults of `virtual` or `virtual?…`; None for a port that is not virtual.

    PortError for a fault that there is not.
    """
    name, _, text = port.partition("?")
    if name != NAME:
        return None
    faults = tuple((kind, tuple(value.split(","))) for kind, value in parse_qsl(text, keep_blank_values=True))
    for kind, values in faults:
        if kind not in KINDS:
            raise PortError(f"a virtual grid has no fault '{kind:.20}': write one of {', '.join(KINDS)}")
        if kind in LINES and not (len(values) == 2 and all(value.isdecimal() for value in values)):
            raise PortError(f"write two numbers of {kind}, as {kind}=1,2")
    return faults


def put_in(device: VirtualDevice, faults: Faults) -> None:
    """Puts faults into a device. Sites that its board has not are passed over."""
    for kind, values in faults:
        if kind == "supply":
            device.supply_noise = SUPPLY_NOISE
        elif kind in LINES:
            _exchange_lines(device, kind, {int(values[0]): int(values[1]), int(values[1]): int(values[0])})
        else:
            sites = [site for site in values if site in device.sensors]
            if kind == "exchanged":
                solder_ring(device, *sites)
            else:
                device.sensors |= {site: SENSORS[kind](device.sensors[site]) for site in sites}


def solder_ring(device: VirtualDevice, *ring: Site) -> None:
    """Exchanges wires: that of each site ends where that of the next one ended until now."""
    ends = [device.wires.get(site, site) for site in ring]
    device.wires |= dict(zip(ring, (*ends[1:], *ends[:1]), strict=True))


def _exchange_lines(device: VirtualDevice, kind: str, others: Mapping[int, int]) -> None:
    """Exchanges two rows or columns; what is at an address that the table has not answers nowhere."""
    at = dict(zip(device.wiring.sites, device.wiring.addresses, strict=True))
    known = {address: site for site, address in at.items()}
    ends = dict(device.wires)
    for site, (row, column) in at.items():
        moved = Address(others.get(row, row), column)
        if kind == "columns":
            moved = Address(row, others.get(column, column))
        if moved in known and moved != at[site]:
            device.wires[site] = ends.get(known[moved], known[moved])
