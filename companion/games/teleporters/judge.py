"""The rules of Teleporters that an action breaks, the places concerned, and what is wrong there.

It is for any text, in any position. Each kind of action is held against all of its rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise, takewhile
from typing import NamedTuple

from companion.core.game import Breach, Place, Site
from companion.core.players import say_player
from companion.games.reasons import say_occupied
from companion.games.teleporters.board import (
    CORNER_WALLS,
    CORNERS,
    HOMES,
    INDEX,
    NAMES,
    NEIGHBOURS,
    OPPOSITE,
    PLAYERS,
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
from companion.language import Message, NamedPhrases, listed, say, say_count

SQUARE, QUADRANT, CORNER = "([a-h][1-8])", "([a-h][2-7])", "(nw|ne|sw|se)"
POLE_MOVE = re.compile(rf"{SQUARE}([-*]){SQUARE}")
PORT_MOVE = re.compile(rf"{QUADRANT}{CORNER}(?:-{SQUARE})?(?:@{CORNER})?")
UNIT_MOVE = re.compile(rf"={QUADRANT}(?:@|([-*]){SQUARE})")
ANSWER = re.compile(rf"(pole|port):{SQUARE}")
ONCE: NamedPhrases = {
    "pole": "The Pole on {place} has moved in this turn already.",
    "port": "The Port on {place} has moved in this turn already.",
    "unit": "The Teleport on {place} has moved in this turn already.",
}
NONE_THERE: NamedPhrases = {
    "pole": "{player} has no Pole on {place}.",
    "port": "{player} has no Port on {place}.",
    "unit": "{player} has no Teleport on {place}.",
}
NONE_LEFT: NamedPhrases = {
    "pole": "{player} has no Pole move left in this turn.",
    "port": "{player} has no Port move left in this turn.",
    "unit": "{player} has no Port move left in this turn.",
}
IN_HAND: NamedPhrases = {
    "pole": "{player} first puts down the Pole in hand.",
    "port": "{player} first puts down the Port in hand.",
}
NOT_IN_HAND: NamedPhrases = {"pole": "No Pole is in hand.", "port": "No Port is in hand."}


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
        return (Breach("TP-1", (), _say_owed(position)), *_owing(position)) if position.owed else ()
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
    breach = Breach("TP-17" if owed.kind == "pole" else port_rule, (), _say_owed(position))
    return (breach,) if is_own else (Breach("GEN-2"), breach)


def _say_owed(position: Position) -> Message:
    assert position.owed
    return say(IN_HAND[position.owed.kind], player=say_player(position.to_act))


def _judge_answer(position: Position, kind: str, square: int) -> Iterator[Breach]:
    owed, place = position.owed, NAMES[square]
    site, player = (place,), say_player(position.to_act)
    if not owed:
        yield Breach("TP-17" if kind == "pole" else "TP-13", site, say(NOT_IN_HAND[kind]))
    elif owed.kind != kind:
        yield Breach("TP-18", site, _say_owed(position))
    elif kind == "pole":
        if square not in HOMES[owed.side]:
            words = say("{place} is no Home telepad of {player}.", place=place, player=player)
            yield Breach("TP-17", site, words)
        elif position.squares[square] & 3:
            yield Breach("TP-17", site, say_occupied(place))
    elif square not in dict(position.pads[owed.side]):
        words = say("{place} is no portpad of {player}.", place=place, player=player)
        yield Breach("TP-15" if owed.side == position.side else "TP-13", site, words)
    elif square not in available(position.squares, position.pads[owed.side], owed.side):
        yield Breach("TP-14", site, say("The portpad on {place} is taken.", place=place))


def _judge_budget(position: Position, kind: str, moves: int, mark: Place, square: int) -> Iterator[Breach]:
    """Judges whether the turn has a move left, and the piece on a square has not moved yet by its mark."""
    if not moves:
        none_left = say(NONE_LEFT[kind], player=say_player(position.turn))
        yield Breach("TP-1", (), _say_owed(position) if position.owed else none_left)
    if mark in position.moved:
        yield Breach("TP-2", (mark.removeprefix("="),), say(ONCE[kind], place=NAMES[square]))


def _say_none_there(position: Position, kind: str, square: int) -> Message:
    return say(NONE_THERE[kind], player=say_player(position.turn), place=NAMES[square])


def _judge_pole(position: Position, start: int) -> Iterator[Breach]:
    if position.squares[start] & 3 != position.side + 1:
        yield Breach("TP-1", (NAMES[start],), _say_none_there(position, "pole", start))
    yield from _judge_budget(position, "pole", position.pole_moves, NAMES[start], start)


def _say_pole_on(square: int) -> Message:
    return say("A Pole stands on {place}.", place=NAMES[square])


def _judge_walk(position: Position, start: int, end: int) -> Iterator[Breach]:
    yield from _judge_pole(position, start)
    squares = position.squares
    if start == end:
        yield Breach(
            "TP-3", (NAMES[end],), say("The Pole ends where it began, on {place}.", place=NAMES[end])
        )
    elif squares[end] & 3:
        yield Breach("TP-3", (NAMES[end],), _say_pole_on(end))
    if start != end and end not in walk_ends(squares, start):
        yield from _judge_routes(position, start, end)


def _judge_routes(position: Position, start: int, end: int) -> Iterator[Breach]:
    """Says why no way of one or two steps is open.

    Nothing where one is open but for another Pole on its last square.
    """
    routes = _routes(start, end)
    if not routes:
        is_around_the_edge = start // 8 == end // 8 and abs(start - end) >= 6
        names = (NAMES[start], NAMES[end])
        if is_around_the_edge:
            words = say(
                "Home and Goal do not go round the edge from {one} to {other}.", one=names[0], other=names[1]
            )
            yield Breach("TP-5", names, words)
        else:
            words = say("{start} to {end} is more than two steps.", start=names[0], end=names[1])
            yield Breach("TP-3", names, words)
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
            names = (NAMES[here], NAMES[there])
            words = say("There is a wall between {one} and {other}.", one=names[0], other=names[1])
            yield Breach("TP-4", names, words)
        if there != route[-1] and squares[there] & 3:
            yield Breach("TP-3", (NAMES[there],), _say_pole_on(there))


def _side_towards(square: int, other: int) -> int:
    """Returns the side through which a step leads from a square to its neighbour; 0 for another square."""
    return next((out for out, _, near in NEIGHBOURS[square] if near == other), 0)


def _judge_teleport(position: Position, start: int, end: int) -> Iterator[Breach]:
    yield from _judge_pole(position, start)
    squares, side = position.squares, position.side
    if start == end or squares[end] & 3:
        yield Breach("TP-6", (NAMES[end],), _say_pole_on(end))
    way = {"start": NAMES[start], "end": NAMES[end]}
    if end in HOMES[side] and not _can_go_home(position, start):
        words = say("The Pole on {place} is not blockaded: it cannot escape to Home.", place=NAMES[start])
        yield Breach("TP-7", (NAMES[start],), words)
    if not _is_teleport_way(position, start, end):
        words = say("No teleport leads from {start} to {end}.", **way)
        if end in HOMES[1 - side]:
            words = say("{end} is a Goal telepad, which no Pole reaches by a teleport from {start}.", **way)
        yield Breach("TP-6", (NAMES[start], NAMES[end]), words)


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
        yield Breach("TP-1", (place,), _say_none_there(position, "port", start))
        return
    yield from _judge_budget(position, "port", position.port_moves, place, start)
    turn = CORNERS.index(turned) if turned else None
    if goal is None:
        if is_teleport(position.squares[start], position.side):
            words = say("The Port on {place} is part of a Teleport, which spins as a whole.", place=place)
            yield Breach("TP-8", (place,), words)
        elif turn == corner:
            words = say("The Port on {place} stands in that corner already.", place=place)
            yield Breach("TP-8", (place,), words)
        return
    if way := _way(start, INDEX[goal]):
        out, passed = way
        yield from _judge_glide(position, Glide(start, corner, out, passed, INDEX[goal]), turn)
    else:
        yield Breach("TP-9", (place, goal), _say_no_line(start, goal))


def _say_no_line(start: int, goal: Site) -> Message:
    return say("No straight line of quadrants leads from {start} to {end}.", start=NAMES[start], end=goal)


def _way(start: int, end: int) -> tuple[int, tuple[int, ...]] | None:
    """Returns the side left through to a quadrant in line, and the quadrants between; None for others."""
    for out, ray in RAYS[start]:
        if end in ray:
            return out, tuple(takewhile(lambda square: square != end, ray))
    return None


def _judge_glide(position: Position, glide: Glide, turn: int | None) -> Iterator[Breach]:
    squares = position.squares
    if not leaving_sides(squares[glide.start], glide.corner, position.side) & glide.out:
        place = NAMES[glide.start]
        words: Message = say("A Port cannot leave {place} through that side.", place=place)
        yield Breach("TP-10", (place,), words)
    if blocking := _occupied(squares, glide.passed):
        words = say_count(
            "{places} is in the way.", "{places} are in the way.", len(blocking), places=listed(blocking)
        )
        yield Breach("TP-10", blocking, words)
    rule = _end_rule(position, glide)
    if not rule and turn is not None:
        rule = _turn_rule(position, glide, turn)
    if rule:
        place = NAMES[glide.end]
        says = {
            "TP-11": _say_landing(position, glide.end),
            "TP-12": say("The Port cannot turn to another corner on {place}.", place=place),
            "TP-15": say("The Port would bounce off {place}, and no portpad is free for it.", place=place)
            if turn is None
            else say("The Port bounces off {place} and takes no other corner there.", place=place),
        }
        yield Breach(rule, (place,), says[rule])


def _say_landing(position: Position, end: int) -> Message:
    there, place = position.squares[end], NAMES[end]
    for side, player in enumerate(PLAYERS):
        if is_teleport(there, side):
            return say("A Teleport of {player} stands on {place}.", player=say_player(player), place=place)
    if ports_of(there, position.side):
        return say("The Port that stands on {place} leaves no room for this one.", place=place)
    return say("The Port would not take in the Pole on {place} through its open side.", place=place)


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
        yield Breach("TP-16", (name,), _say_none_there(position, "unit", square))
        return
    yield from _judge_budget(position, "unit", position.port_moves, f"={name}", square)
    if goal is None:
        return
    if mark == "*":
        yield from _judge_send(position, square, INDEX[goal])
    elif way := _way(square, INDEX[goal]):
        _, passed = way
        if blocking := _occupied(squares, (*passed, INDEX[goal])):
            words = say_count(
                "{places} is not empty.", "{places} are not empty.", len(blocking), places=listed(blocking)
            )
            yield Breach("TP-16", blocking, words)
    else:
        yield Breach("TP-9", (name, goal), _say_no_line(square, goal))


def _judge_send(position: Position, square: int, end: int) -> Iterator[Breach]:
    if not position.squares[square] & 3:
        words = say("There is no Pole in the Teleport on {place}.", place=NAMES[square])
        yield Breach("TP-16", (NAMES[square],), words)
    if end not in send_ends(position.squares, square, position.side):
        words = say("The Teleport cannot send a Pole to {place}.", place=NAMES[end])
        yield Breach("TP-16", (NAMES[end],), words)
