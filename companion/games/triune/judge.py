"""The rules of Triune that an action breaks, and the squares concerned."""

from __future__ import annotations

import re
from typing import NamedTuple

from companion.core.game import Breach
from companion.games.triune.board import INDEX, LEAP, SQUARES, TARGETS, ray
from companion.games.triune.position import SOLID, TRIUNE, Position

SPELLING = re.compile(r"([a-h][1-8])(?:([-x])([a-h][1-8])(=T)?|(~))")


class _Move(NamedTuple):
    start: int
    end: int
    capture: bool
    crown: bool

    @property
    def ends(self) -> tuple[str, str]:
        return SQUARES[self.start], SQUARES[self.end]


def judge(position: Position, action: str) -> tuple[Breach, ...]:
    if min(position.pieces) <= 1:
        return (Breach("GEN-3"),)
    if action == "pass":
        return (Breach("TR-13"),)
    match = SPELLING.fullmatch(action)
    if not match:
        return (Breach("GEN-1"),)
    start, mark, end, crown, flip = match.groups()
    own = _judge_owner(position, INDEX[start])
    if flip:
        return own or _judge_flip(position, INDEX[start])
    move = _Move(INDEX[start], INDEX[end], mark == "x", bool(crown))
    return own + (() if position.squares[move.start] == 0 else _judge_move(position, move))


def _judge_owner(position: Position, square: int) -> tuple[Breach, ...]:
    piece = position.squares[square]
    own = piece and piece >> 2 == position.side
    return () if own else (Breach("TR-1", (SQUARES[square],)),)


def _judge_flip(position: Position, square: int) -> tuple[Breach, ...]:
    triune = position.squares[square] & 3 == TRIUNE
    return (Breach("TR-11", (SQUARES[square],)),) if triune else ()


def _judge_move(position: Position, move: _Move) -> tuple[Breach, ...]:
    squares, piece = position.squares, position.squares[move.start]
    there = squares[move.end]
    own = there > 0 and there & 4 == piece & 4
    found = _judge_distance(squares, move, piece, taking=there > 0 and not own)
    if own:
        found.append(Breach("TR-7", move.ends[1:]))
    elif move.capture != bool(there):
        found.append(Breach("TR-8", move.ends[1:]))
    if move.crown != (piece & 3 != TRIUNE and move.end in TARGETS[piece >> 2]):
        found.append(Breach("TR-10", move.ends[1:]))
    return tuple(found)


def _judge_distance(squares: tuple[int, ...], move: _Move, piece: int, taking: bool) -> list[Breach]:
    dx, dy = move.end % 8 - move.start % 8, move.end // 8 - move.start // 8
    steps = max(abs(dx), abs(dy))
    if not steps or {abs(dx), abs(dy)} - {0, steps}:
        return [Breach("TR-2", move.ends)]
    unit = (dx // steps, dy // steps)
    passed = tuple(move.start + n * (unit[0] + 8 * unit[1]) for n in range(1, steps))
    found = []
    if broken := _distance_rule(ray(move.start, *unit), steps, piece & 3, taking):
        found.append(Breach(broken, move.ends))
    if blocked := tuple(SQUARES[s] for s in passed if squares[s]):
        found.append(Breach("TR-6", blocked))
    return found


def _distance_rule(line: tuple[int, ...], steps: int, kind: int, taking: bool) -> str:
    """Returns the rule that a move of so many steps breaks on this ray; '' for none."""
    if kind == SOLID:
        return "" if steps == 1 else "TR-3"
    if kind == TRIUNE:
        return "" if steps in (1, LEAP) else "TR-11"
    return _leap_rule(line, steps, taking)


def _leap_rule(line: tuple[int, ...], steps: int, taking: bool) -> str:
    """Returns the rule that a marked piece breaks; it goes three steps, or to the edge if that is nearer."""
    if steps > LEAP:
        return "TR-4"
    may_be_short = steps == len(line) and not taking
    return "" if steps == LEAP or may_be_short else "TR-5"
