"""Triune: discs that step once or leap three times, and turn over instead of moving.

A position holds the 64 squares as small integers: 0 for empty, else side + kind, where a side is 0 (Red)
or 4 (Blue) and a kind 1 (solid), 2 (marked) or 3 (Triune).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import ClassVar, NamedTuple

from companion.board import Board
from companion.core import (
    EMPTY,
    Action,
    Breach,
    Changes,
    Count,
    Event,
    Look,
    Option,
    Outcome,
    Place,
    Player,
    PositionError,
    Rules,
    Step,
)

PLAYERS = ("red", "blue")
SOLID, MARKED, TRIUNE = 1, 2, 3
KINDS = ("", "solid", "marked", "triune")
SQUARES = tuple(f"{file}{rank}" for rank in range(1, 9) for file in "abcdefgh")
INDEX = {name: i for i, name in enumerate(SQUARES)}
TARGETS = (frozenset({INDEX["a8"], INDEX["h8"]}), frozenset({INDEX["a1"], INDEX["h1"]}))
DIRECTIONS = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
SPELLING = re.compile(r"([a-h][1-8])(?:([-x])([a-h][1-8])(=T)?|(~))")


def _ray(square: int, dx: int, dy: int) -> tuple[int, ...]:
    x, y = square % 8, square // 8
    steps = ((x + dx * n, y + dy * n) for n in (1, 2, 3))
    return tuple(b * 8 + a for a, b in steps if 0 <= a < 8 and 0 <= b < 8)


RAYS = tuple(tuple(ray for dx, dy in DIRECTIONS if (ray := _ray(s, dx, dy))) for s in range(64))
MOVE = tuple(tuple(f"{a}-{b}" for b in SQUARES) for a in SQUARES)
CAPTURE = tuple(tuple(f"{a}x{b}" for b in SQUARES) for a in SQUARES)
FLIP = tuple(f"{a}~" for a in SQUARES)


class Position(NamedTuple):
    """The squares, the side to move (0 Red, 1 Blue) and how many pieces each side has."""

    squares: tuple[int, ...]
    side: int
    pieces: tuple[int, int]

    @property
    def turn(self) -> Player:
        return PLAYERS[self.side]

    @property
    def to_act(self) -> Player:
        return PLAYERS[self.side]


class Triune(Rules[Position]):
    name = "triune"
    title = "Triune"
    board = "triune"
    options = (Option("first", PLAYERS, "red", "who begins"),)
    alternates = True
    sentences: ClassVar[Mapping[str, str]] = {
        "moved": "{player} moves a {kind} piece from {start} to {end}.",
        "captured": "{player} captures a {kind} piece on {sites}.",
        "flipped": "{player} flips the piece on {sites}: it is now {kind}.",
        "crowned": "{player} has a new Triune on {sites}.",
        "won": "{player} wins: one opposing piece is left.",
    }

    def players(self, position: Position) -> tuple[Player, ...]:
        return PLAYERS

    def start(self, options: Mapping[str, str], board: Board) -> Position:
        squares = [0] * 64
        for side, player in enumerate(PLAYERS):
            for square in board.areas[player]:
                squares[INDEX[square]] = 4 * side + SOLID
        return Position(tuple(squares), PLAYERS.index(options["first"]), (16, 16))

    def legal(self, position: Position) -> Iterator[Action]:
        if min(position.pieces) > 1:
            side = 4 * position.side
            for square, piece in enumerate(position.squares):
                if piece & 3 and piece & 4 == side:
                    yield from _actions(position.squares, square, piece)

    def judge(self, position: Position, action: str) -> tuple[Breach, ...]:
        if self.outcome(position):
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

    def play(self, position: Position, action: Action) -> Step[Position]:
        start = INDEX[action[:2]]
        if action[2] == "~":
            return _flip(position, start)
        return _move(position, start, INDEX[action[3:5]])

    def outcome(self, position: Position) -> Outcome | None:
        for side, player in enumerate(PLAYERS):
            if position.pieces[1 - side] <= 1:  # TR-12
                return Outcome(player, "one opposing piece left")
        return None

    def look(self, position: Position) -> Mapping[Place, Look]:
        return {SQUARES[i]: _look(piece) for i, piece in enumerate(position.squares) if piece}

    def looks(self, position: Position) -> tuple[Look, ...]:
        return (EMPTY, *(f"{player}/{kind}" for player in PLAYERS for kind in KINDS[1:]))

    def path(self, action: Action) -> tuple[Place, ...]:
        return tuple(re.findall(r"[a-h][1-8]", action))

    def arrange(self, position: Position, looks: Mapping[Place, Look], turn: Player) -> Position:
        if turn not in PLAYERS:
            raise PositionError(f"'{turn}' does not play Triune: the turn is red's or blue's")
        squares = [0] * 64
        for place, look in looks.items():
            squares[_index(place)] = _piece(look)
        sides = [sum(1 for p in squares if p & 3 and p >> 2 == side) for side in (0, 1)]
        if not all(1 <= n <= 16 for n in sides) or max(sides) == 1:
            raise PositionError("each side has 1 to 16 pieces, and not both a single one")
        return Position(tuple(squares), PLAYERS.index(turn), (sides[0], sides[1]))

    def attempts(self, position: Position, changed: Changes) -> Iterator[str]:
        gone = [p for p, (was, now) in changed.items() if was != EMPTY and now == EMPTY]
        come = [p for p, (_, now) in changed.items() if now != EMPTY]
        for start in gone:
            for end in come:
                yield f"{start}{'x' if position.squares[INDEX[end]] else '-'}{end}"
        for place, (was, now) in changed.items():
            if was.partition("/")[0] == now.partition("/")[0]:
                yield f"{place}~"

    def counts(self, position: Position) -> tuple[Count, ...]:
        red, blue = position.pieces
        return (
            Count("pieces", {"red": red, "blue": blue}, 16),
            Count("captured", {"red": 16 - blue, "blue": 16 - red}),
        )

    def prompt(self, position: Position) -> str:
        return "move or flip one piece"

    def label(self, action: Action) -> str:
        return f"flip {action[:2]}" if action.endswith("~") else action


class _Move(NamedTuple):
    start: int
    end: int
    capture: bool
    crown: bool


def _actions(squares: tuple[int, ...], square: int, piece: int) -> Iterator[Action]:
    kind, side = piece & 3, piece & 4
    if kind != MARKED:  # TR-3, TR-11: one step
        for ray in RAYS[square]:
            yield from _landing(squares, square, ray[0], piece)
    if kind != SOLID:  # TR-4, TR-11: three steps
        for ray in RAYS[square]:
            if len(ray) == 3:
                if not (squares[ray[0]] or squares[ray[1]]):  # TR-6
                    yield from _landing(squares, square, ray[2], piece)
            elif kind == MARKED and not any(squares[s] for s in ray):  # TR-5
                yield MOVE[square][ray[-1]] + ("=T" if ray[-1] in TARGETS[side >> 2] else "")
    if kind != TRIUNE:  # TR-9, TR-11
        yield FLIP[square]


def _landing(squares: tuple[int, ...], start: int, end: int, piece: int) -> Iterator[Action]:
    there = squares[end]
    if there and there & 4 == piece & 4:  # TR-7
        return
    action = CAPTURE[start][end] if there else MOVE[start][end]  # TR-8
    yield action + "=T" if piece & 3 != TRIUNE and end in TARGETS[piece >> 2] else action  # TR-10


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
    ends = (SQUARES[move.start], SQUARES[move.end])
    own = there > 0 and there & 4 == piece & 4
    found = _judge_distance(squares, move, piece, taking=there > 0 and not own)
    if own:
        found.append(Breach("TR-7", ends[1:]))
    elif move.capture != bool(there):
        found.append(Breach("TR-8", ends[1:]))
    if move.crown != (piece & 3 != TRIUNE and move.end in TARGETS[piece >> 2]):
        found.append(Breach("TR-10", ends[1:]))
    return tuple(found)


def _judge_distance(squares: tuple[int, ...], move: _Move, piece: int, taking: bool) -> list[Breach]:
    ends = (SQUARES[move.start], SQUARES[move.end])
    dx, dy = move.end % 8 - move.start % 8, move.end // 8 - move.start // 8
    steps = max(abs(dx), abs(dy))
    if not steps or {abs(dx), abs(dy)} - {0, steps}:
        return [Breach("TR-2", ends)]
    unit = (dx // steps, dy // steps)
    passed = tuple(move.start + n * (unit[0] + 8 * unit[1]) for n in range(1, steps))
    found = []
    if broken := _distance_rule(_ray(move.start, *unit), steps, piece & 3, taking):
        found.append(Breach(broken, ends))
    if blocked := tuple(SQUARES[s] for s in passed if squares[s]):
        found.append(Breach("TR-6", blocked))
    return found


def _distance_rule(ray: tuple[int, ...], steps: int, kind: int, taking: bool) -> str:
    if kind == SOLID:
        return "" if steps == 1 else "TR-3"
    if kind == TRIUNE:
        return "" if steps in (1, 3) else "TR-11"
    if steps == 3:
        return ""
    short = steps == len(ray)
    return "TR-4" if steps > 3 else "TR-5" if not short or taking else ""


def _flip(position: Position, square: int) -> Step[Position]:
    squares = list(position.squares)
    squares[square] ^= SOLID | MARKED
    event = Event("flipped", position.turn, (SQUARES[square],), {"kind": KINDS[squares[square] & 3]})
    return Step(Position(tuple(squares), 1 - position.side, position.pieces), (event,))


def _move(position: Position, start: int, end: int) -> Step[Position]:
    squares = list(position.squares)
    piece, taken = squares[start], squares[end]
    crowned = piece & 3 != TRIUNE and end in TARGETS[position.side]
    squares[start], squares[end] = 0, piece | TRIUNE if crowned else piece
    red, blue = position.pieces
    if taken:
        red, blue = (red, blue - 1) if position.side == 0 else (red - 1, blue)
    after = Position(tuple(squares), 1 - position.side, (red, blue))
    return Step(after, tuple(_events(position.turn, after, (start, end), (piece, taken), crowned)))


def _events(
    player: Player, after: Position, ends: tuple[int, int], pieces: tuple[int, int], crowned: bool
) -> Iterator[Event]:
    start, end = SQUARES[ends[0]], SQUARES[ends[1]]
    yield Event("moved", player, (start, end), {"kind": KINDS[pieces[0] & 3], "start": start, "end": end})
    if pieces[1]:
        yield Event("captured", player, (end,), {"kind": KINDS[pieces[1] & 3]})
    if crowned:
        yield Event("crowned", player, (end,))
    if min(after.pieces) <= 1:
        yield Event("won", player)


def _look(piece: int) -> Look:
    return f"{PLAYERS[piece >> 2]}/{KINDS[piece & 3]}"


def _piece(look: Look) -> int:
    owner, _, kind = look.partition("/")
    if look == EMPTY:
        return 0
    if owner not in PLAYERS or kind not in KINDS[1:]:
        raise PositionError(f"'{look}' is not a piece of Triune")
    return 4 * PLAYERS.index(owner) + KINDS.index(kind)


def _index(place: Place) -> int:
    if place not in INDEX:
        raise PositionError(f"'{place}' is not a square of the board")
    return INDEX[place]
