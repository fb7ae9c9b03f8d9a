"""The legal actions of TRID, and what follows from one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import combinations

from companion.core.game import Action, Event, Outcome, Step
from companion.games.trid.board import KINDS, Net, Triangle
from companion.games.trid.position import GLIDER, MASTER, PLAYERS, Position, inside, pawns
from companion.language import say

SPELLING = re.compile(r"([a-z]\d+)([-x%])([a-z]\d+)")


def legal(position: Position) -> Iterator[Action]:
    """Yields each legal action once; none when the game is over."""
    if position.winner >= 0:
        return
    if position.made:
        yield from switches(position)
        yield "keep"
        return
    stuck = True
    for action in _moves(position):
        stuck = False
        yield action
    if stuck:  # TD-16
        yield "pass"


def is_stuck(position: Position) -> bool:
    """Tells whether the seat to move has no move (TD-16)."""
    return next(_moves(position), None) is None


def switches(position: Position) -> Iterator[Action]:
    """Yields the pairs of pawns of unlike kinds on corners of one triangle just made (TD-12)."""
    pairs = {pair for corners in position.made for pair in combinations(corners, 2)}
    for a, b in sorted(pairs):
        if position.fields[a] != position.fields[b]:
            yield switch_name(position.net, a, b)


def switch_name(net: Net, a: int, b: int) -> Action:
    """Returns the one spelling of a switch: fields in alphabetical order, their numbers numerically."""
    first, second = sorted(net.name((a, b)), key=lambda site: (site[0], int(site[1:])))
    return f"{first}%{second}"


def _moves(position: Position) -> Iterator[Action]:
    net, fields = position.net, position.fields
    groups = pawns(fields, position.players)
    closed = inside(net, groups, position.seat)
    for start in groups[position.seat]:
        kind = fields[start] & 3
        if kind == GLIDER:
            ends: Iterable[int] = dict.fromkeys(glides(position, start, closed))
        else:
            ends = steps(position, start, closed) if kind == MASTER else jumps(position, start, closed)
        for end in ends:
            yield net.captures[start][end] if fields[end] else net.moves[start][end]


def glides(position: Position, start: int, closed: frozenset[int]) -> Iterator[int]:
    """Yields where a glider ends; a bordering field, which two strips lead to, comes twice."""
    fields, seat = position.fields, position.fields[start] >> 2
    for ray in position.net.rays[start]:  # TD-2, TD-6: rays end before walls and with stops
        end = -1
        for field in ray:
            there = fields[field]
            if there or field in closed:  # TD-5, TD-13
                if there and there >> 2 != seat and field not in closed:
                    yield field  # TD-7
                break
            end = field
        if end >= 0:
            yield end


def jumps(position: Position, start: int, closed: frozenset[int]) -> Iterator[int]:
    """Yields where a jumper ends (TD-8)."""
    fields, walls, seat = position.fields, position.net.walls, position.fields[start] >> 2
    for field in position.net.jumps[start]:
        there = fields[field]
        if not (there and there >> 2 == seat) and field not in walls and field not in closed:
            yield field


def steps(position: Position, start: int, closed: frozenset[int]) -> Iterator[int]:
    """Yields where a master ends, on foot or over own pawns."""
    net, seat = position.net, position.fields[start] >> 2
    depth = net.depths[position.side(seat)]
    for field in reach(position, start):
        if depth[field] >= depth[start] and field not in net.walls and field not in closed:  # TD-2, TD-3
            yield field


def reach(position: Position, start: int) -> Iterator[int]:
    """Yields the fields without own pawns that border a master, or a chain of own pawns beside it (TD-4)."""
    fields, borders, seat = position.fields, position.net.borders, position.fields[start] >> 2
    seen, chain = {start}, [start]
    for at in chain:
        for field in borders[at]:
            if field not in seen:
                seen.add(field)
                there = fields[field]
                if there and there >> 2 == seat:
                    chain.append(field)
                else:
                    yield field


def play(position: Position, action: Action) -> Step[Position]:
    """Plays a legal action."""
    match = SPELLING.fullmatch(action)
    if match is None:
        kind = "kept" if action == "keep" else "passed"
        return Step(_next_turn(position, position.fields), (Event(kind, position.turn),))
    start, end = position.net.index[match[1]], position.net.index[match[3]]
    return _switch(position, start, end) if match[2] == "%" else _move(position, start, end)


def _move(position: Position, start: int, end: int) -> Step[Position]:
    fields, player = bytearray(position.fields), position.turn
    pawn, taken = fields[start], fields[end]
    fields[start], fields[end] = 0, pawn
    names = position.net.name((start, end))
    details = {"piece": KINDS[(pawn & 3) - 1], "start": names[0], "end": names[1]}
    events = [Event("moved", player, names, details)]
    if taken:  # TD-9
        events.append(_taken(position, end, taken))
        _remove_beaten(fields, taken, events)
    made = tuple(_made(position, fields, end))
    for corners in made:  # TD-11
        events.append(Event("made", player, position.net.name(corners)))
        _take_inside(position, fields, corners, events)
    return _judge_end(position, bytes(fields), made, events)


def _switch(position: Position, a: int, b: int) -> Step[Position]:
    fields = bytearray(position.fields)
    fields[a], fields[b] = fields[b], fields[a]
    names = position.net.name((a, b))
    events = [Event("switched", position.turn, names, {"one": names[0], "other": names[1]})]
    return _judge_end(position, bytes(fields), (), events)


def _made(position: Position, fields: bytearray, end: int) -> Iterator[Triangle]:
    """Yields the controlling triangles of which the moved pawn stands on a corner (TD-10)."""
    own = pawns(fields, position.players)[position.seat]
    for corners in combinations(own, 3):
        if corners in position.net.triangles and end in corners:
            yield corners


def _take_inside(position: Position, fields: bytearray, corners: Triangle, events: list[Event]) -> None:
    for field in sorted(position.net.triangles[corners]):
        pawn = fields[field]
        if pawn and pawn >> 2 != position.seat:
            fields[field] = 0
            events.append(_taken(position, field, pawn))
            _remove_beaten(fields, pawn, events)


def _taken(position: Position, field: int, pawn: int) -> Event:
    details = {"owner": PLAYERS[pawn >> 2], "piece": KINDS[(pawn & 3) - 1]}
    return Event("taken", position.turn, position.net.name((field,)), details)


def _remove_beaten(fields: bytearray, taken: int, events: list[Event]) -> None:
    """Removes all pawns of a player whose master is taken (TD-14)."""
    if taken & 3 == MASTER:
        for field, pawn in enumerate(fields):
            if pawn and pawn >> 2 == taken >> 2:
                fields[field] = 0
        events.append(Event("out", PLAYERS[taken >> 2]))


def _judge_end(
    position: Position, fields: bytes, made: tuple[Triangle, ...], events: list[Event]
) -> Step[Position]:
    if has_won(position, fields, position.seat):
        events.append(Event("won", position.turn, (), {"reason": reason(position, fields, position.seat)}))
        return Step(position._replace(fields=fields, made=(), winner=position.seat), tuple(events))
    if made:  # TD-12
        return Step(position._replace(fields=fields, made=made), tuple(events))
    return Step(_next_turn(position, fields), tuple(events))


def outcome(position: Position) -> Outcome | None:
    """Returns how the game ended, or None while it is on."""
    if position.winner < 0:
        return None
    return Outcome(PLAYERS[position.winner], reason(position, position.fields, position.winner))


def has_won(position: Position, fields: bytes, seat: int) -> bool:
    """Tells whether a seat has won: its master has arrived, or it alone is left (TD-15)."""
    return _arrived(position, fields, seat) or alive(fields) == {seat}


def alive(fields: bytes) -> set[int]:
    """Returns the seats that still have pawns."""
    return {pawn >> 2 for pawn in set(fields) if pawn}


def reason(position: Position, fields: bytes, seat: int) -> str:
    """Returns how a seat has won."""
    if _arrived(position, fields, seat):
        return say("the master has reached the opposite border")
    return say("no opponent is left")


def _arrived(position: Position, fields: bytes, seat: int) -> bool:
    return fields.find(4 * seat + MASTER) in position.net.goals[position.side(seat)]


def _next_turn(position: Position, fields: bytes) -> Position:
    players, seat = position.players, position.seat
    left = alive(fields)
    following = next(s % players for s in range(seat + 1, seat + 1 + players) if s % players in left)
    return Position(position.net, fields, players, following)
