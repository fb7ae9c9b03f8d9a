"""Reads a KiCad board on its own: which conductors touch, and how near the others come.

All of a tile's copper is straight along the axes, so every conductor is a rectangle with a radius around it:
a pad has none, a track is a line with half its width, a via or a round pad is a point. Distances are then
exact.
Ground planes are not looked at: what they join has to be joined without them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from math import cos, floor, hypot, radians, sin
from pathlib import Path

from hardware.kicad.sexpr import Node, child, children, load, number

CELL = 4.0
BOTH = frozenset({"F.Cu", "B.Cu"})


@dataclass(frozen=True)
class Conductor:
    """A piece of copper, in mm: its rectangle, the radius around it, its layers, its net and what it is."""

    left: float
    top: float
    right: float
    bottom: float
    radius: float
    layers: frozenset[str]
    net: str
    name: str

    def gap(self, other: Conductor) -> float:
        """Returns how far apart two conductors are; 0 and less where they touch."""
        across = max(self.left - other.right, other.left - self.right, 0.0)
        down = max(self.top - other.bottom, other.top - self.bottom, 0.0)
        return hypot(across, down) - self.radius - other.radius


@dataclass(frozen=True)
class Hole:
    """A drilled hole."""

    x: float
    y: float
    drill: float
    is_plated: bool


@dataclass(frozen=True)
class Copper:
    """A board as it was read: its conductors, its holes, the net of each pad, and where each part lies."""

    conductors: tuple[Conductor, ...]
    holes: tuple[Hole, ...]
    pins: dict[tuple[str, str], str]
    places: dict[str, tuple[float, float]]
    outline: tuple[float, float, float, float]

    def shorts(self, clearance: float) -> list[str]:
        """Names the pairs of different nets that come nearer than that."""
        return [
            f"{a.name} ({a.net}) and {b.name} ({b.net}): {a.gap(b):.3f} mm"
            for a, b in self._near(clearance)
            if a.net != b.net and a.layers & b.layers and a.gap(b) < clearance - 1e-6
        ]

    def breaks(self) -> list[str]:
        """Names the nets whose conductors do not all hang together."""
        leaders = {c: c for c in self.conductors}

        def leader(c: Conductor) -> Conductor:
            while leaders[c] != c:
                leaders[c] = leaders[leaders[c]]
                c = leaders[c]
            return c

        for a, b in self._near(0.0):
            if a.net == b.net and a.layers & b.layers and a.gap(b) <= 1e-6:
                leaders[leader(a)] = leader(b)
        groups: dict[str, set[Conductor]] = defaultdict(set)
        for c in self.conductors:
            groups[c.net].add(leader(c))
        return sorted(net for net, found in groups.items() if len(found) > 1)

    def _near(self, distance: float) -> Iterator[tuple[Conductor, Conductor]]:
        """Yields the pairs that may be as near as that, some of them more than once."""
        cells: dict[tuple[int, int], list[Conductor]] = defaultdict(list)
        for c in self.conductors:
            reach = c.radius + distance
            for column in range(floor((c.left - reach) / CELL), floor((c.right + reach) / CELL) + 1):
                for row in range(floor((c.top - reach) / CELL), floor((c.bottom + reach) / CELL) + 1):
                    cells[column, row].append(c)
        for found in cells.values():
            for i, a in enumerate(found):
                for b in found[:i]:
                    yield a, b


def read(path: Path) -> Copper:
    """Reads a board file. ValueError for a track that is not along the axes."""
    tree = load(path.read_text(encoding="utf-8"))
    names = {str(net[1]): str(net[2]) for net in children(tree, "net")}
    conductors: list[Conductor] = []
    holes: list[Hole] = []
    pins: dict[tuple[str, str], str] = {}
    places = {}
    for footprint in children(tree, "footprint"):
        reference = next(str(p[2]) for p in children(footprint, "property") if p[1] == "Reference")
        places[reference] = _numbers(child(footprint, "at"))[0]
        for pad in children(footprint, "pad"):
            hole, conductor = _pad(reference, footprint, pad)
            holes += hole
            if conductor is not None:
                conductors.append(conductor)
                if any(children(pad, "net")):
                    pins[reference, str(pad[1])] = conductor.net
    conductors += [_track(segment, names) for segment in children(tree, "segment")]
    for via in children(tree, "via"):
        (x, y), _ = _numbers(child(via, "at"))
        net = names[str(child(via, "net")[1])]
        conductors.append(Conductor(x, y, x, y, number(child(via, "size")[1]) / 2, BOTH, net, "via"))
        holes.append(Hole(x, y, number(child(via, "drill")[1]), True))
    (edge,) = (r for r in children(tree, "gr_rect") if child(r, "layer")[1] == "Edge.Cuts")
    (left, top), _ = _numbers(child(edge, "start"))
    (right, bottom), _ = _numbers(child(edge, "end"))
    return Copper(tuple(conductors), tuple(holes), pins, places, (left, top, right, bottom))


def _numbers(node: list[Node]) -> tuple[tuple[float, float], float]:
    """Returns a point and, where there is one, the rotation after it."""
    x, y, *rest = (number(value) for value in node[1:])
    return (x, y), rest[0] if rest else 0.0


def _pad(reference: str, footprint: list[Node], pad: list[Node]) -> tuple[list[Hole], Conductor | None]:
    (at_x, at_y), turn = _numbers(child(footprint, "at"))
    (dx, dy), _ = _numbers(child(pad, "at"))
    (wide, high), _ = _numbers(child(pad, "size"))
    angle = radians(turn)
    x, y = at_x + dx * cos(angle) + dy * sin(angle), at_y - dx * sin(angle) + dy * cos(angle)
    if turn % 180 == 90:
        wide, high = high, wide
    holes = [Hole(x, y, number(d[1]), pad[2] == "thru_hole") for d in children(pad, "drill")]
    if pad[2] == "np_thru_hole":
        return holes, None
    layers = {str(layer) for layer in child(pad, "layers")[1:]}
    copper = BOTH if "*.Cu" in layers else BOTH & layers
    name = f"{reference}.{pad[1]}"
    net = next((str(net[2]) for net in children(pad, "net")), name)  # a mark is on no net
    if pad[3] == "circle":
        return holes, Conductor(x, y, x, y, wide / 2, copper, net, name)
    return holes, Conductor(x - wide / 2, y - high / 2, x + wide / 2, y + high / 2, 0.0, copper, net, name)


def _track(segment: list[Node], names: dict[str, str]) -> Conductor:
    (x1, y1), _ = _numbers(child(segment, "start"))
    (x2, y2), _ = _numbers(child(segment, "end"))
    if x1 != x2 and y1 != y2:
        raise ValueError("a track that is not along the axes")
    net, layer = names[str(child(segment, "net")[1])], str(child(segment, "layer")[1])
    width = number(child(segment, "width")[1])
    box = (min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2))
    return Conductor(*box, width / 2, frozenset({layer}), net, f"track on {layer}")
