"""The legal actions of Teleporters: walks, teleports, glides and spins, and the answers that are owed.

`consequences` plays them.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from companion.core.game import Action
from companion.games.teleporters.board import (
    ALL_SIDES,
    CORNER_WALLS,
    CORNERS,
    HOMES,
    NAMES,
    NEIGHBOURS,
    PORTS,
    QUADRANTS,
    RAYS,
)
from companion.games.teleporters.position import (
    CORNERS_OF,
    SIDE_WALLS,
    TELEPORTS,
    WALLS,
    Position,
    Squares,
    available,
    is_teleport,
    lift,
    port_bit,
    ports_of,
    winner,
)

# Spellings are tabled, for formatting them would take most of the time of a legal list.
WALK = tuple(tuple(f"{a}-{b}" for b in NAMES) for a in NAMES)
TELEPORT = tuple(tuple(f"{a}*{b}" for b in NAMES) for a in NAMES)
GLIDE = tuple(tuple(tuple(f"{port}-{b}" for b in NAMES) for port in ports) for ports in PORTS)
OTHER_CORNERS = tuple(tuple(f"@{CORNERS[c]}" for c in range(4) if c != corner) for corner in range(4))
SPIN = tuple(
    tuple(tuple(port + other for other in OTHER_CORNERS[corner]) for corner, port in enumerate(ports))
    for ports in PORTS
)
UNITS = tuple(f"={name}" for name in NAMES)


class Landing(Enum):
    """The kinds of ends of a glide, by what it finds there."""

    EMPTY = "empty"
    POLE = "pole"
    JOIN = "join"
    REPEL = "repel"
    BOUNCE = "bounce"


def legal(position: Position) -> Iterator[Action]:
    if winner(position.squares) is not None:
        return
    if position.owed:
        yield from _answers(position)
        return
    if position.pole_moves:
        yield from _pole_moves(position)
    if position.port_moves:
        yield from _port_moves(position)
    yield "end"  # TP-1


def _answers(position: Position) -> Iterator[Action]:
    squares, owed = position.squares, position.owed
    assert owed
    if owed.kind == "pole":  # TP-17
        yield from (f"pole:{NAMES[square]}" for square in empty_homes(squares, owed.side))
    else:  # TP-13, TP-15
        pads = available(squares, position.pads[owed.side], owed.side)
        yield from (f"port:{NAMES[square]}" for square in pads)


def _pole_moves(position: Position) -> Iterator[Action]:
    squares, side, moved = position.squares, position.side, position.moved
    own = side + 1
    homes, goals = empty_homes(squares, side), empty_homes(squares, 1 - side)
    units = empty_units(squares, side)
    for square, there in enumerate(squares):
        if there & 3 != own or NAMES[square] in moved:  # TP-2
            continue
        walks, teleports = WALK[square], TELEPORT[square]
        ends = walk_ends(squares, square)
        for end in ends:
            yield walks[end]
        for end in _teleport_ends(position, square, bool(ends), (homes, units, goals)):
            yield teleports[end]


def walk_ends(squares: Squares, start: int) -> set[int]:
    """Returns where the Pole on a square can walk to, in one step or two (TP-3)."""
    ends = set()
    for near in _open_steps(squares, start):
        ends.add(near)
        ends.update(_open_steps(squares, near))
    ends.discard(start)
    return ends


def _open_steps(squares: Squares, square: int) -> list[int]:
    """Returns the squares without a Pole that no wall bars from this one (TP-3, TP-4)."""
    walls = WALLS[squares[square]]
    return [
        near
        for out, into, near in NEIGHBOURS[square]
        if not (walls & out or squares[near] & 3 or WALLS[squares[near]] & into)
    ]


def _teleport_ends(
    position: Position, square: int, can_walk: bool, ends: tuple[list[int], list[int], list[int]]
) -> list[int]:
    """Returns where the Pole on a square can teleport to.

    `ends` are the empty Home telepads, units and Goal telepads.
    """
    homes, units, goals = ends
    if square in HOMES[position.side] or is_teleport(position.squares[square], position.side):  # TP-6
        return homes + units
    if square in HOMES[1 - position.side]:
        return goals + homes + units
    return homes if not can_walk and blockaded(position, square) else []  # TP-7


def empty_homes(squares: Squares, side: int) -> list[int]:
    """Returns the Home telepads of a side on which no Pole stands."""
    return [square for square in HOMES[side] if not squares[square] & 3]


def empty_units(squares: Squares, side: int) -> list[int]:
    """Returns the squares of a side's Teleports in which no Pole stands."""
    shift = 2 + 4 * side
    return [
        square
        for square in QUADRANTS
        if squares[square] >> shift & 15 in TELEPORTS and not squares[square] & 3
    ]


def _port_moves(position: Position) -> Iterator[Action]:
    squares, side, moved = position.squares, position.side, position.moved
    shift = 2 + 4 * side
    for square in QUADRANTS:
        ports = squares[square] >> shift & 15
        if not ports:
            continue
        is_unit = ports in TELEPORTS
        for corner in CORNERS_OF[ports]:
            if PORTS[square][corner] not in moved:  # TP-2
                yield from _glides(position, square, corner)
                if not is_unit:
                    yield from SPIN[square][corner]  # TP-8
        if is_unit and UNITS[square] not in moved:
            yield from _unit_moves(position, square)


def _glides(position: Position, square: int, corner: int) -> Iterator[Action]:
    spellings = GLIDE[square][corner]
    for end, landing in glide_ends(position, square, corner):
        yield spellings[end]
        if landing is Landing.POLE or (landing is Landing.REPEL and position.squares[end] & 3):  # TP-12
            for other in OTHER_CORNERS[corner]:
                yield spellings[end] + other


def glide_ends(position: Position, square: int, corner: int) -> Iterator[tuple[int, Landing]]:
    """Yields where a Port can glide to, and what it finds there (TP-9 to TP-11)."""
    squares = position.squares
    sides = leaving_sides(squares[square], corner, position.side)
    for out, ray in RAYS[square]:
        if sides & out:
            for end in ray:
                if squares[end]:
                    landing = land(position, square, corner, (out, end))
                    if landing:
                        yield end, landing
                    break
                yield end, Landing.EMPTY


def leaving_sides(square: int, corner: int, side: int) -> int:
    """Returns the sides through which a Port can leave a quadrant with this content (TP-10).

    The walls of the other Port there stop it, and its own walls where they would catch a Pole.
    """
    other = square & ~port_bit(side, corner)
    return ~SIDE_WALLS[side][other] & (CORNER_WALLS[corner] if square & 3 else ALL_SIDES)


def land(position: Position, square: int, corner: int, way: tuple[int, int]) -> Landing | None:
    """Returns what a glide finds on the occupied square where it would end; None where it may not (TP-11).

    `way` is the side through which the Port leaves its quadrant, and that square.
    """
    out, end = way
    there, side = position.squares[end], position.side
    is_open_ahead = not CORNER_WALLS[corner] & out
    if there & 3 and not is_open_ahead:
        return None
    if own := ports_of(there, side):
        # The Port in the opposite corner has a wall on the side entered just where this one's leads.
        return Landing.JOIN if own == 1 << 3 - corner and is_open_ahead else None
    if theirs := ports_of(there, 1 - side):
        return None if theirs in TELEPORTS else meet(position, square, corner, end)
    return Landing.POLE


def meet(position: Position, square: int, corner: int, end: int) -> Landing | None:
    """Returns which of two Ports of different colours has to go; None when neither can (TP-13, TP-15)."""
    side, pads = position.side, position.pads
    rest = lift(position.squares, square, port_bit(side, corner))
    is_on_own_pad = any(pad == end for pad, _ in pads[1 - side])
    if not is_on_own_pad and available(rest, pads[1 - side], 1 - side):
        return Landing.REPEL
    return Landing.BOUNCE if available(rest, pads[side], side) else None


def _unit_moves(position: Position, square: int) -> Iterator[Action]:
    squares, side, unit = position.squares, position.side, UNITS[square]
    yield f"{unit}@"  # TP-8
    for _, ray in RAYS[square]:  # TP-16
        for end in ray:
            if squares[end]:
                break
            yield f"{unit}-{NAMES[end]}"
    if squares[square] & 3 == side + 1:
        yield from (f"{unit}*{NAMES[end]}" for end in send_ends(squares, square, side))


def send_ends(squares: Squares, square: int, side: int) -> list[int]:
    """Returns where a unit can send its Pole: empty Home telepads and other empty units (TP-16)."""
    return empty_homes(squares, side) + [end for end in empty_units(squares, side) if end != square]


def blockaded(position: Position, square: int) -> bool:
    """Returns whether the Pole on a square, which can take no step, is blockaded by the opponent (TP-7)."""
    squares, side = position.squares, 1 if position.squares[square] & 2 else 0
    ports, poles = set(), set()
    for out, into, near in NEIGHBOURS[square]:
        if _own_piece_shuts(squares, side, (square, out), (near, into)):
            return False
        if SIDE_WALLS[1 - side][squares[square]] & out:
            ports.add(square)
        if SIDE_WALLS[1 - side][squares[near]] & into:
            ports.add(near)
        if squares[near] & 3 == 2 - side:
            poles.add(near)
    return bool(ports or poles) and not _can_relieve(position, ports, poles)


def _own_piece_shuts(squares: Squares, side: int, here: tuple[int, int], there: tuple[int, int]) -> bool:
    """Returns whether a Pole or wall of a side's own bars the step between two squares."""
    walls = SIDE_WALLS[side]
    (square, out), (near, into) = here, there
    return bool(squares[near] & 3 == side + 1 or walls[squares[square]] & out or walls[squares[near]] & into)


def _can_relieve(position: Position, ports: set[int], poles: set[int]) -> bool:
    """Returns whether a Port move open now repels one of these Ports or vaults one of these Poles (TP-7)."""
    if not position.port_moves:
        return False
    relieving = {Landing.REPEL: ports, Landing.JOIN: poles}
    for square in QUADRANTS:
        for corner in CORNERS_OF[ports_of(position.squares[square], position.side)]:
            if PORTS[square][corner] in position.moved:  # TP-2
                continue
            for end, landing in glide_ends(position, square, corner):
                if landing is Landing.BOUNCE:
                    relieves = _bounce_vaults(position, square, corner, poles)
                else:
                    relieves = end in relieving.get(landing, ())
                if relieves:
                    return True
    return False


def _bounce_vaults(position: Position, square: int, corner: int, poles: set[int]) -> bool:
    """Returns whether a Port that bounces can be put on a portpad where it vaults one of these Poles."""
    side = position.side
    rest = lift(position.squares, square, port_bit(side, corner))
    pads = available(rest, position.pads[side], side)
    return any(ports_of(rest[pad], side) and pad in poles for pad in pads)
