"""The rules of Teleporters that an action breaks, and the places concerned: for any text, in any position.

Each kind of action is held against all of its rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise, takewhile
from typing import NamedTuple

from companion.core.game import Breach, Site
from companion.games.teleporters.board import (
    CORNER_WALLS,
    CORNERS,
    HOMES,
    INDEX,
    NAMES,
    NEIGHBOURS,
    OPPOSITE,
    PORTS,
    RAYS,
)
from companion.games.teleporters.moves import (
    Landing,
    blockaded,
    land,
    leaving_sides,
    meet,
    send_ends,
    walk_ends,
)
from companion.games.teleporters.position import (
    WALLS,
    Position,
    Squares,
    available,
    is_teleport,
    port_bit,
    ports_of,
    winner,
)

SQUARE, QUADRANT, CORNER = "([a-h][1-8])", "([a-h][2-7])", "(nw|ne|sw|se)"
POLE_MOVE = re.compile(rf"{SQUARE}([-*]){SQUARE}")
PORT_MOVE = re.compile(rf"{QUADRANT}{CORNER}(?:-{SQUARE})?(?:@{CORNER})?")
UNIT_MOVE = re.compile(rf"={QUADRANT}(?:@|([-*]){SQUARE})")
ANSWER = re.compile(rf"(pole|port):{SQUARE}")


class Glide(NamedTuple):
    """A Port in a corner of a quadrant, and its way to another quadrant in line."""

    start: int
    corner: int
    out: int
    """The side through which it leaves its quadrant."""
    passed: tuple[int, ...]
    end: int


def judge(position: Position, action: str) -> tuple[Breach, ...]:
    if winner(position.squares) is not None:
        return (Breach("GEN-3"),)
    if action == "end":
        return (Breach("TP-1"), *_owing(position)) if position.owed else ()
    if match := ANSWER.fullmatch(action):
        return tuple(_judge_answer(position, match[1], INDEX[match[2]]))
    found = _judge_move(position, action)
    if found is None:
        return (Breach("GEN-1"),)
    return (*_owing(position), *dict.fromkeys(found))


def _judge_move(position: Position, action: str) -> Iterator[Breach] | None:
    """Returns the rules that a move breaks; None where the text is no move."""
    if match := POLE_MOVE.fullmatch(action):
        start, end = INDEX[match[1]], INDEX[match[3]]
        return (_judge_walk if match[2] == "-" else _judge_teleport)(position, start, end)
    if match := UNIT_MOVE.fullmatch(action):
        return _judge_unit(position, INDEX[match[1]], match[2], match[3])
    if (match := PORT_MOVE.fullmatch(action)) and (match[3] or match[4]):
        return _judge_port(position, (INDEX[match[1]], CORNERS.index(match[2])), match[3], match[4])
    return None


def _owing(position: Position) -> tuple[Breach, ...]:
    """Returns what any other action breaks while an answer is owed (TP-18), by either player (GEN-2)."""
    owed = position.owed
    if not owed:
        return ()
    is_own = owed.side == position.side
    port_rule = "TP-15" if is_own else "TP-13"
    breach = Breach("TP-17" if owed.kind == "pole" else port_rule)
    return (breach,) if is_own else (Breach("GEN-2"), breach)


def _judge_answer(position: Position, kind: str, square: int) -> Iterator[Breach]:
    owed, site = position.owed, (NAMES[square],)
    if not owed:
        yield Breach("TP-17" if kind == "pole" else "TP-13", site)
    elif owed.kind != kind:
        yield Breach("TP-18", site)
    elif kind == "pole":
        if square not in HOMES[owed.side] or position.squares[square] & 3:
            yield Breach("TP-17", site)
    elif square not in dict(position.pads[owed.side]):
        yield Breach("TP-15" if owed.side == position.side else "TP-13", site)
    elif square not in available(position.squares, position.pads[owed.side], owed.side):
        yield Breach("TP-14", site)


def _judge_budget(moves: int, moved: bool, place: str) -> Iterator[Breach]:
    """Judges whether the turn has a move left, and the piece has not moved yet."""
    if not moves:
        yield Breach("TP-1")
    if moved:
        yield Breach("TP-2", (place,))


def _judge_pole(position: Position, start: int) -> Iterator[Breach]:
    if position.squares[start] & 3 != position.side + 1:
        yield Breach("TP-1", (NAMES[start],))
    yield from _judge_budget(position.pole_moves, NAMES[start] in position.moved, NAMES[start])


def _judge_walk(position: Position, start: int, end: int) -> Iterator[Breach]:
    yield from _judge_pole(position, start)
    squares = position.squares
    if start == end or squares[end] & 3:
        yield Breach("TP-3", (NAMES[end],))
    if start != end and end not in walk_ends(squares, start):
        yield from _judge_routes(position, start, end)


def _judge_routes(position: Position, start: int, end: int) -> Iterator[Breach]:
    """Says why no way of one or two steps is open.

    Nothing where one is open but for another Pole on its last square.
    """
    routes = _routes(start, end)
    if not routes:
        is_around_the_edge = start // 8 == end // 8 and abs(start - end) >= 6
        yield Breach("TP-5" if is_around_the_edge else "TP-3", (NAMES[start], NAMES[end]))
        return
    faults = [tuple(_judge_route(position, start, route)) for route in routes]
    if all(faults):
        for fault in faults:
            yield from fault


def _routes(start: int, end: int) -> list[tuple[int, ...]]:
    """Returns the ways to a neighbour, or to a neighbour of a neighbour."""
    if _side_towards(start, end):
        return [(end,)]
    return [(middle, end) for _, _, middle in NEIGHBOURS[start] if _side_towards(middle, end)]


def _judge_route(position: Position, start: int, route: tuple[int, ...]) -> Iterator[Breach]:
    squares = position.squares
    for here, there in pairwise((start, *route)):
        out = _side_towards(here, there)
        if WALLS[squares[here]] & out or WALLS[squares[there]] & OPPOSITE[out]:
            yield Breach("TP-4", (NAMES[here], NAMES[there]))
        if there != route[-1] and squares[there] & 3:
            yield Breach("TP-3", (NAMES[there],))


def _side_towards(square: int, other: int) -> int:
    """Returns the side through which a step leads from a square to its neighbour; 0 for another square."""
    return next((out for out, _, near in NEIGHBOURS[square] if near == other), 0)


def _judge_teleport(position: Position, start: int, end: int) -> Iterator[Breach]:
    yield from _judge_pole(position, start)
    squares, side = position.squares, position.side
    if start == end or squares[end] & 3:
        yield Breach("TP-6", (NAMES[end],))
    if end in HOMES[side] and not _can_go_home(position, start):
        yield Breach("TP-7", (NAMES[start],))
    if not _is_teleport_way(position, start, end):
        yield Breach("TP-6", (NAMES[start], NAMES[end]))


def _is_telepad(position: Position, square: int) -> bool:
    """Returns whether a square is a Home or Goal telepad, or holds a Teleport of the side to move."""
    return square in HOMES[0] or square in HOMES[1] or is_teleport(position.squares[square], position.side)


def _can_go_home(position: Position, start: int) -> bool:
    """Returns whether a Pole may teleport Home: from a telepad or Teleport, or out of a blockade (TP-7)."""
    if _is_telepad(position, start):
        return True
    return not walk_ends(position.squares, start) and blockaded(position, start)


def _is_teleport_way(position: Position, start: int, end: int) -> bool:
    """Returns whether Poles teleport from one kind of place to the other (TP-6)."""
    side = position.side
    if end in HOMES[side]:
        return True
    if end in HOMES[1 - side]:
        return start in HOMES[1 - side]
    return _is_telepad(position, start) and is_teleport(position.squares[end], side)


def _judge_port(
    position: Position, port: tuple[int, int], goal: str | None, turned: str | None
) -> Iterator[Breach]:
    start, corner = port
    place = PORTS[start][corner]
    if not position.squares[start] & port_bit(position.side, corner):
        yield Breach("TP-1", (place,))
        return
    yield from _judge_budget(position.port_moves, place in position.moved, place)
    turn = CORNERS.index(turned) if turned else None
    if goal is None:
        if turn == corner or is_teleport(position.squares[start], position.side):
            yield Breach("TP-8", (place,))
        return
    if way := _way(start, INDEX[goal]):
        out, passed = way
        yield from _judge_glide(position, Glide(start, corner, out, passed, INDEX[goal]), turn)
    else:
        yield Breach("TP-9", (place, goal))


def _way(start: int, end: int) -> tuple[int, tuple[int, ...]] | None:
    """Returns the side left through to a quadrant in line, and the quadrants between; None for others."""
    for out, ray in RAYS[start]:
        if end in ray:
            return out, tuple(takewhile(lambda square: square != end, ray))
    return None


def _judge_glide(position: Position, glide: Glide, turn: int | None) -> Iterator[Breach]:
    squares = position.squares
    if not leaving_sides(squares[glide.start], glide.corner, position.side) & glide.out:
        yield Breach("TP-10", (NAMES[glide.start],))
    if blocking := _occupied(squares, glide.passed):
        yield Breach("TP-10", blocking)
    rule = _end_rule(position, glide)
    if not rule and turn is not None:
        rule = _turn_rule(position, glide, turn)
    if rule:
        yield Breach(rule, (NAMES[glide.end],))


def _occupied(squares: Squares, named: tuple[int, ...]) -> tuple[Site, ...]:
    """Returns the names of those squares that are not empty."""
    return tuple(NAMES[square] for square in named if squares[square])


def _end_rule(position: Position, glide: Glide) -> str:
    """Returns the rule that keeps a glide from ending where it does; '' where none does."""
    there, opponent = position.squares[glide.end], 1 - position.side
    if not there or land(position, glide.start, glide.corner, (glide.out, glide.end)):
        return ""
    is_pole_shut_out = there & 3 and CORNER_WALLS[glide.corner] & glide.out
    has_single_port = ports_of(there, opponent) and not is_teleport(there, opponent)
    return "TP-15" if has_single_port and not is_pole_shut_out else "TP-11"


def _turn_rule(position: Position, glide: Glide, turn: int) -> str:
    """Returns the rule that forbids to turn after a glide that is otherwise allowed; '' where none does."""
    there, side = position.squares[glide.end], position.side
    if ports_of(there, 1 - side) and meet(position, glide.start, glide.corner, glide.end) is Landing.BOUNCE:
        return "TP-15"
    can_turn = there & 3 and not ports_of(there, side)
    return "" if can_turn and turn != glide.corner else "TP-12"


def _judge_unit(position: Position, square: int, mark: str | None, goal: str | None) -> Iterator[Breach]:
    """Judges a spin (no goal), a glide (mark `-`) or the sending of a Pole (mark `*`)."""
    squares, side, name = position.squares, position.side, NAMES[square]
    if not is_teleport(squares[square], side):
        yield Breach("TP-16", (name,))
        return
    yield from _judge_budget(position.port_moves, f"={name}" in position.moved, name)
    if goal is None:
        return
    if mark == "*":
        yield from _judge_send(position, square, INDEX[goal])
    elif way := _way(square, INDEX[goal]):
        _, passed = way
        if blocking := _occupied(squares, (*passed, INDEX[goal])):
            yield Breach("TP-16", blocking)
    else:
        yield Breach("TP-9", (name, goal))


def _judge_send(position: Position, square: int, end: int) -> Iterator[Breach]:
    if not position.squares[square] & 3:
        yield Breach("TP-16", (NAMES[square],))
    if end not in send_ends(position.squares, square, position.side):
        yield Breach("TP-16", (NAMES[end],))
