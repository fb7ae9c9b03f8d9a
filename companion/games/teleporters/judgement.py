"""Which rules an action would break, for any text: each kind of action is tried against all of its rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile

from companion.core import Breach
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
    CORNER_WALLS,
    CORNERS,
    HOMES,
    INDEX,
    NAMES,
    NEIGHBOURS,
    OPPOSITE,
    PORTS,
    RAYS,
    WALLS,
    Position,
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


def judge(position: Position, action: str) -> tuple[Breach, ...]:
    if winner(position.squares) is not None:
        return (Breach("GEN-3"),)
    if action == "end":
        return (Breach("TP-1"), *_owing(position)) if position.owed else ()
    if match := ANSWER.fullmatch(action):
        return tuple(_judge_answer(position, match[1], INDEX[match[2]]))
    found = _judge_move(position, action)
    return (Breach("GEN-1"),) if found is None else (*_owing(position), *dict.fromkeys(found))


def _judge_move(position: Position, action: str) -> Iterator[Breach] | None:
    if match := POLE_MOVE.fullmatch(action):
        start, end = INDEX[match[1]], INDEX[match[3]]
        return (_judge_walk if match[2] == "-" else _judge_teleport)(position, start, end)
    if match := UNIT_MOVE.fullmatch(action):
        return _judge_unit(position, INDEX[match[1]], match[2], match[3])
    if (match := PORT_MOVE.fullmatch(action)) and (match[3] or match[4]):
        return _judge_port(position, (INDEX[match[1]], CORNERS.index(match[2])), match[3], match[4])
    return None


def _owing(position: Position) -> tuple[Breach, ...]:
    """An answer that is owed comes before anything else (TP-18), and may be another player's to give."""
    owed = position.owed
    if not owed:
        return ()
    kind = "TP-17" if owed.kind == "pole" else "TP-15" if owed.side == position.side else "TP-13"
    return (Breach("GEN-2"), Breach(kind)) if owed.side != position.side else (Breach(kind),)


def _judge_answer(position: Position, kind: str, square: int) -> Iterator[Breach]:
    owed, site = position.owed, (NAMES[square],)
    home_rule = "TP-17" if kind == "pole" else "TP-13"
    if not owed:
        yield Breach(home_rule, site)
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
    """Why no way of one or two steps is open, where another Pole on the last square is not the reason."""
    routes = _routes(start, end)
    if not routes:
        same_rank = start // 8 == end // 8 and abs(start - end) >= 6
        yield Breach("TP-5" if same_rank else "TP-3", (NAMES[start], NAMES[end]))
    faults = [tuple(_judge_route(position, start, route)) for route in routes]
    if all(faults):
        yield from (breach for fault in faults for breach in fault)


def _routes(start: int, end: int) -> list[tuple[int, ...]]:
    near = [square for _, _, square in NEIGHBOURS[start]]
    if end in near:
        return [(end,)]
    return [(middle, end) for middle in near if any(square == end for _, _, square in NEIGHBOURS[middle])]


def _judge_route(position: Position, start: int, route: tuple[int, ...]) -> Iterator[Breach]:
    squares = position.squares
    for here, there in zip((start, *route), route, strict=False):
        out = next(side for side, _, square in NEIGHBOURS[here] if square == there)
        if WALLS[squares[here]] & out or WALLS[squares[there]] & OPPOSITE[out]:
            yield Breach("TP-4", (NAMES[here], NAMES[there]))
        if there != route[-1] and squares[there] & 3:
            yield Breach("TP-3", (NAMES[there],))


def _judge_teleport(position: Position, start: int, end: int) -> Iterator[Breach]:
    yield from _judge_pole(position, start)
    squares, side = position.squares, position.side
    if start == end or squares[end] & 3:
        yield Breach("TP-6", (NAMES[end],))
    home, unit = end in HOMES[side], is_teleport(squares[end], side)
    if start in HOMES[side] or is_teleport(squares[start], side):
        allowed = home or unit
    elif start in HOMES[1 - side]:
        allowed = home or unit or end in HOMES[1 - side]
    else:
        if home and not (not walk_ends(squares, start) and blockaded(position, start)):
            yield Breach("TP-7", (NAMES[start],))
        allowed = home
    if not allowed:
        yield Breach("TP-6", (NAMES[start], NAMES[end]))


def _judge_port(
    position: Position, port: tuple[int, int], end: str | None, turned: str | None
) -> Iterator[Breach]:
    start, corner = port
    place = PORTS[start][corner]
    if not position.squares[start] & port_bit(position.side, corner):
        yield Breach("TP-1", (place,))
        return
    yield from _judge_budget(position.port_moves, place in position.moved, place)
    turn = CORNERS.index(turned) if turned else None
    if end is None:
        if turn == corner or is_teleport(position.squares[start], position.side):
            yield Breach("TP-8", (place,))
    elif not (way := _way(start, INDEX[end])):
        yield Breach("TP-9", (place, end))
    else:
        yield from _judge_glide(position, port, way, turn)


def _way(start: int, end: int) -> tuple[int, tuple[int, ...]] | None:
    """The direction from a quadrant to another in line with it, and the quadrants between; else None."""
    for out, ray in RAYS[start]:
        if end in ray:
            return out, (*takewhile(lambda square: square != end, ray), end)
    return None


def _judge_glide(
    position: Position, port: tuple[int, int], way: tuple[int, tuple[int, ...]], turn: int | None
) -> Iterator[Breach]:
    (start, corner), (out, (*passed, end)) = port, way
    squares = position.squares
    if not leaving_sides(squares[start], corner, position.side) & out:
        yield Breach("TP-10", (NAMES[start],))
    if blocking := tuple(NAMES[square] for square in passed if squares[square]):
        yield Breach("TP-10", blocking)
    rule = _end_rule(position, port, (out, end)) if squares[end] else ""
    if rule:
        yield Breach(rule, (NAMES[end],))
    elif turn is not None and (broken := _turn_rule(position, port, end, turn)):
        yield Breach(broken, (NAMES[end],))


def _end_rule(position: Position, port: tuple[int, int], way: tuple[int, int]) -> str:
    """The rule that keeps a glide from ending on an occupied square, or ''."""
    start, corner = port
    if land(position, start, corner, way):
        return ""
    theirs = ports_of(position.squares[way[1]], 1 - position.side)
    shut = position.squares[way[1]] & 3 and CORNER_WALLS[corner] & way[0]
    single = theirs and not is_teleport(position.squares[way[1]], 1 - position.side)
    return "TP-15" if single and not shut else "TP-11"


def _turn_rule(position: Position, port: tuple[int, int], end: int, turn: int) -> str:
    """The rule that forbids to turn after a glide that is otherwise allowed, or ''."""
    start, corner = port
    there = position.squares[end]
    if ports_of(there, 1 - position.side) and meet(position, start, corner, end) is Landing.BOUNCE:
        return "TP-15"
    joins = ports_of(there, position.side)
    return "" if there & 3 and not joins and turn != corner else "TP-12"


def _judge_unit(position: Position, square: int, mark: str | None, goal: str | None) -> Iterator[Breach]:
    squares, side, name = position.squares, position.side, NAMES[square]
    if not is_teleport(squares[square], side):
        yield Breach("TP-16", (name,))
        return
    yield from _judge_budget(position.port_moves, f"={name}" in position.moved, name)
    if goal is None:
        return
    end = INDEX[goal]
    if mark == "*":
        yield from _judge_send(position, square, end)
    elif not (way := _way(square, end)):
        yield Breach("TP-9", (name, goal))
    elif blocking := tuple(NAMES[s] for s in way[1] if squares[s]):
        yield Breach("TP-16", blocking)


def _judge_send(position: Position, square: int, end: int) -> Iterator[Breach]:
    if not position.squares[square] & 3:
        yield Breach("TP-16", (NAMES[square],))
    if end not in send_ends(position.squares, square, position.side):
        yield Breach("TP-16", (NAMES[end],))
