"""The legal actions of TRID, and what follows from one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import combinations

from companion.core.game import Action, Event, Outcome, Step
from companion.games.trid.board import KINDS, Net, Triangle
from companion.games.trid.position import GLIDER, JUMPER, MASTER, OWN, PLAYERS, Position, inside, pawns
from companion.language import say

SPELLING = re.compile(r"([a-z]\d+)([-x%])([a-z]\d+)")


def legal(position: Position) -> Iterator[Action]:
    if position.winner >= 0:
        return iter(())
    if position.made:
        return iter([*switches(position), "keep"])
    return iter(_moves(position) or ["pass"])  # TD-16


def is_stuck(position: Position) -> bool:
    """Tells whether the seat to move has no move (TD-16)."""
    return not _moves(position)


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


def _moves(position: Position) -> list[Action]:
    net, fields = position.net, position.fields
    found: list[Action] = []
    groups = pawns(fields, position.players)
    closed = inside(net, groups, position.seat)
    for start in groups[position.seat]:
        kind = fields[start] & 3
        if kind == GLIDER:
            ends: Iterable[int] = dict.fromkeys(glides(position, start, closed))
        else:
            ends = steps(position, start, closed) if kind == MASTER else jumps(position, start, closed)
        moves, captures = net.moves[start], net.captures[start]
        found += [captures[end] if fields[end] else moves[end] for end in ends]
    return found


def glides(position: Position, start: int, closed: frozenset[int]) -> list[int]:
    """Returns where a glider ends; a bordering field, which two strips lead to, comes twice."""
    fields, seat = position.fields, position.fields[start] >> 2
    ends: list[int] = []
    for ray in position.net.rays[start]:  # TD-2, TD-6: rays end before walls and with stops
        end = -1
        for field in ray:
            there = fields[field]
            if there or field in closed:  # TD-5, TD-13
                if there and there >> 2 != seat and field not in closed:
                    ends.append(field)  # TD-7
                break
            end = field
        if end >= 0:
            ends.append(end)
    return ends


def jumps(position: Position, start: int, closed: frozenset[int]) -> list[int]:
    """Returns where a jumper ends (TD-8)."""
    fields, net, seat = position.fields, position.net, position.fields[start] >> 2
    return [
        end
        for end in net.jumps[start]
        if not ((fields[end] and fields[end] >> 2 == seat) or end in net.walls or end in closed)
    ]


def steps(position: Position, start: int, closed: frozenset[int]) -> list[int]:
    """Returns where a master ends, on foot or over own pawns."""
    net = position.net
    depth = net.depths[position.side(position.fields[start] >> 2)]
    least = depth[start]
    return [
        end
        for end in reach(position, start)
        if depth[end] >= least and end not in net.walls and end not in closed  # TD-2, TD-3
    ]


def reach(position: Position, start: int) -> list[int]:
    """Returns the fields without own pawns that border a master, or a chain of own pawns beside it (TD-4)."""
    fields, borders, seat = position.fields, position.net.borders, position.fields[start] >> 2
    seen, chain = {start}, [start]
    found: list[int] = []
    for at in chain:
        for field in borders[at]:
            if field not in seen:
                seen.add(field)
                there = fields[field]
                (chain if there and there >> 2 == seat else found).append(field)
    return found


def play(position: Position, action: Action) -> Step[Position]:
    events = [_deed(position, action)]
    return Step(_follow(position, action, events), tuple(events))


def after(position: Position, action: Action) -> Position:
    return _follow(position, action, [])


def _deed(position: Position, action: Action) -> Event:
    """Returns the event that an action is by itself."""
    match = SPELLING.fullmatch(action)
    if match is None:
        return Event("kept" if action == "keep" else "passed", position.turn)
    names = match[1], match[3]
    if match[2] == "%":
        return Event("switched", position.turn, names, {"one": names[0], "other": names[1]})
    kind = KINDS[(position.fields[position.net.index[names[0]]] & 3) - 1]
    return Event("moved", position.turn, names, {"piece": kind, "start": names[0], "end": names[1]})


def _follow(position: Position, action: Action, events: list[Event]) -> Position:
    """Returns the position after an action, and adds the events that follow from it."""
    match = SPELLING.fullmatch(action)
    if match is None:
        return _next_turn(position, position.fields)
    start, end = position.net.index[match[1]], position.net.index[match[3]]
    fields = bytearray(position.fields)
    if match[2] == "%":
        fields[start], fields[end] = fields[end], fields[start]
        return _judge_end(position, bytes(fields), (), events)
    fields[start], fields[end] = 0, fields[start]
    if taken := position.fields[end]:  # TD-9
        events.append(_taken(position, end, taken))
        _remove_beaten(fields, taken, events)
    made = _made(position, fields, end)
    for corners in made:  # TD-11
        events.append(Event("made", position.turn, position.net.name(corners)))
        _take_inside(position, fields, corners, events)
    return _judge_end(position, bytes(fields), made, events)


def _made(position: Position, fields: bytearray, end: int) -> tuple[Triangle, ...]:
    """Returns the controlling triangles of which the moved pawn stands on a corner (TD-10)."""
    own = fields.translate(OWN[position.seat])
    return tuple([abc for abc in position.net.corners[end] if own[abc[0]] and own[abc[1]] and own[abc[2]]])


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
) -> Position:
    if has_won(position, fields, position.seat):
        events.append(Event("won", position.turn, (), {"reason": reason(position, fields, position.seat)}))
        return position._replace(fields=fields, made=(), winner=position.seat)
    if made:  # TD-12
        return position._replace(fields=fields, made=made)
    return _next_turn(position, fields)


def outcome(position: Position) -> Outcome | None:
    if position.winner < 0:
        return None
    return Outcome(PLAYERS[position.winner], reason(position, position.fields, position.winner))


def has_won(position: Position, fields: bytes, seat: int) -> bool:
    """Tells whether a seat has won: its master has arrived, or it alone is left (TD-15)."""
    is_alone = following(fields, seat, position.players) == seat and is_alive(fields, seat)
    return is_alone or _arrived(position, fields, seat)


def is_alive(fields: bytes, seat: int) -> bool:
    """Tells whether a seat still has pawns."""
    first = 4 * seat
    return first + MASTER in fields or first + GLIDER in fields or first + JUMPER in fields


def following(fields: bytes, seat: int, players: int) -> int:
    """Returns the seat that plays after another: the same where no other has pawns."""
    for other in range(seat + 1, seat + players):
        if is_alive(fields, other % players):
            return other % players
    return seat


def reason(position: Position, fields: bytes, seat: int) -> str:
    """Returns how a seat has won."""
    if _arrived(position, fields, seat):
        return say("the master has reached the opposite border")
    return say("no opponent is left")


def _arrived(position: Position, fields: bytes, seat: int) -> bool:
    return fields.find(4 * seat + MASTER) in position.net.goals[position.side(seat)]


def _next_turn(position: Position, fields: bytes) -> Position:
    players = position.players
    return Position(position.net, fields, players, following(fields, position.seat, players))
