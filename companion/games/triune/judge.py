"""The rules of Triune that an action breaks, the squares concerned, and what is wrong there."""

from __future__ import annotations

import re
from typing import NamedTuple

from companion.core.game import Breach
from companion.core.players import say_player
from companion.games.reasons import say_blocked, say_whose
from companion.games.triune.board import INDEX, LEAP, SQUARES, TARGETS, ray
from companion.games.triune.position import PLAYERS, SOLID, TRIUNE, Position
from companion.language import Message, NamedPhrases, say

SPELLING = re.compile(r"([a-h][1-8])(?:([-x])([a-h][1-8])(=T)?|(~))")
LENGTHS: NamedPhrases = {
    "TR-3": "A solid piece moves exactly one square; {start} to {end} is {steps}.",
    "TR-4": "A marked piece moves exactly three squares; {start} to {end} is {steps}.",
    "TR-5": "A marked piece moves exactly three squares; {start} to {end} is {steps}.",
    "TR-11": "A Triune moves one square or three; {start} to {end} is {steps}.",
}


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
        words = say("{player} cannot pass: a flip is always possible.", player=say_player(position.turn))
        return (Breach("TR-13", (), words),)
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
    piece, site = position.squares[square], SQUARES[square]
    if piece and piece >> 2 == position.side:
        return ()
    return (Breach("TR-1", (site,), say_whose(site, PLAYERS[piece >> 2] if piece else "", position.turn)),)


def _judge_flip(position: Position, square: int) -> tuple[Breach, ...]:
    if position.squares[square] & 3 != TRIUNE:
        return ()
    site = SQUARES[square]
    words = say("The piece on {start} is a Triune, which has no other side to show.", start=site)
    return (Breach("TR-11", (site,), words),)


def _judge_move(position: Position, move: _Move) -> tuple[Breach, ...]:
    squares, piece = position.squares, position.squares[move.start]
    there, end = squares[move.end], SQUARES[move.end]
    own = there > 0 and there & 4 == piece & 4
    found = _judge_distance(squares, move, piece, taking=there > 0 and not own)
    owner = say_player(PLAYERS[there >> 2])
    if own:
        found.append(
            Breach("TR-7", (end,), say("{player} has a piece on {end} already.", player=owner, end=end))
        )
    elif there and not move.capture:
        words = say("{player} has a piece on {end}: this move captures it.", player=owner, end=end)
        found.append(Breach("TR-8", (end,), words))
    elif move.capture and not there:
        found.append(Breach("TR-8", (end,), say("There is nothing to capture on {end}.", end=end)))
    if move.crown != (piece & 3 != TRIUNE and move.end in TARGETS[piece >> 2]):
        found.append(Breach("TR-10", (end,), _say_crown(move, piece)))
    return tuple(found)


def _say_crown(move: _Move, piece: int) -> Message:
    start, end = move.ends
    if piece & 3 == TRIUNE:
        return say("The piece on {start} is a Triune already.", start=start)
    if move.end in TARGETS[piece >> 2]:
        return say("A piece that reaches {end} becomes a Triune.", end=end)
    owner = say_player(PLAYERS[piece >> 2])
    return say("No piece of {player} becomes a Triune on {end}.", player=owner, end=end)


def _judge_distance(squares: tuple[int, ...], move: _Move, piece: int, taking: bool) -> list[Breach]:
    dx, dy = move.end % 8 - move.start % 8, move.end // 8 - move.start // 8
    steps = max(abs(dx), abs(dy))
    if not steps or {abs(dx), abs(dy)} - {0, steps}:
        words = say("{start} to {end} is no straight line.", start=move.ends[0], end=move.ends[1])
        return [Breach("TR-2", move.ends, words)]
    unit = (dx // steps, dy // steps)
    passed = tuple(move.start + n * (unit[0] + 8 * unit[1]) for n in range(1, steps))
    found = []
    if broken := _distance_rule(ray(move.start, *unit), steps, piece & 3, taking):
        found.append(Breach(broken, move.ends, _say_length(broken, move, steps, bool(squares[move.end]))))
    if blocked := tuple(SQUARES[s] for s in passed if squares[s]):
        found.append(Breach("TR-6", blocked, say_blocked(blocked)))
    return found


def _say_length(rule: str, move: _Move, steps: int, is_occupied: bool) -> Message:
    start, end = move.ends
    if rule == "TR-5" and is_occupied:
        return say("A marked piece that stops at the edge captures nothing; {end} is occupied.", end=end)
    return say(LENGTHS[rule], start=start, end=end, steps=steps)


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
