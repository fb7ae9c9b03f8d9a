"""The legal actions of Triune, and what follows from one."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.game import Action, Event, Step
from companion.games.triune.board import INDEX, LEAP, RAYS, SQUARES, TARGETS
from companion.games.triune.position import KINDS, MARKED, SOLID, TRIUNE, Position

MOVE = tuple(tuple(f"{a}-{b}" for b in SQUARES) for a in SQUARES)
CAPTURE = tuple(tuple(f"{a}x{b}" for b in SQUARES) for a in SQUARES)
FLIP = tuple(f"{a}~" for a in SQUARES)


def legal(position: Position) -> Iterator[Action]:
    if min(position.pieces) > 1:
        side = 4 * position.side
        for square, piece in enumerate(position.squares):
            if piece and piece & 4 == side:
                yield from _actions(position.squares, square, piece)


def _actions(squares: tuple[int, ...], square: int, piece: int) -> Iterator[Action]:
    kind = piece & 3
    if kind != MARKED:  # TR-3, TR-11: one step
        for ray in RAYS[square]:
            yield from _landing(squares, square, ray[0], piece)
    if kind != SOLID:  # TR-4, TR-11: three steps
        for ray in RAYS[square]:
            yield from _leap(squares, square, ray, piece)
    if kind != TRIUNE:  # TR-9, TR-11
        yield FLIP[square]


def _leap(squares: tuple[int, ...], start: int, ray: tuple[int, ...], piece: int) -> Iterator[Action]:
    if len(ray) == LEAP:
        if not (squares[ray[0]] or squares[ray[1]]):  # TR-6
            yield from _landing(squares, start, ray[-1], piece)
    elif piece & 3 == MARKED and not any(squares[square] for square in ray):
        yield _crowned(MOVE[start][ray[-1]], ray[-1], piece)  # TR-5


def _landing(squares: tuple[int, ...], start: int, end: int, piece: int) -> Iterator[Action]:
    there = squares[end]
    if there and there & 4 == piece & 4:  # TR-7
        return
    action = CAPTURE[start][end] if there else MOVE[start][end]  # TR-8
    yield _crowned(action, end, piece)


def _crowned(action: Action, end: int, piece: int) -> Action:
    """Returns the spelling of a move to this square: it tells when the piece becomes a Triune (TR-10)."""
    return action + "=T" if piece & 3 != TRIUNE and end in TARGETS[piece >> 2] else action


def play(position: Position, action: Action) -> Step[Position]:
    following = after(position, action)
    return Step(following, tuple(_events(position, following, action)))


def after(position: Position, action: Action) -> Position:
    squares, side, (red, blue) = position
    start, changed = INDEX[action[:2]], list(squares)
    if action[2] == "~":
        changed[start] ^= SOLID | MARKED
        return Position(tuple(changed), 1 - side, (red, blue))
    end = INDEX[action[3:5]]
    changed[start], changed[end] = 0, squares[start]
    if end in TARGETS[side]:  # TR-10
        changed[end] |= TRIUNE
    if squares[end]:
        red, blue = (red - 1, blue) if side else (red, blue - 1)
    return Position(tuple(changed), 1 - side, (red, blue))


def _events(position: Position, following: Position, action: Action) -> Iterator[Event]:
    player, start = position.turn, INDEX[action[:2]]
    piece = position.squares[start]
    if action[2] == "~":
        kind = KINDS[following.squares[start] & 3]
        yield Event("flipped", player, (SQUARES[start],), {"piece": kind})
        return
    end = INDEX[action[3:5]]
    ends = SQUARES[start], SQUARES[end]
    yield Event("moved", player, ends, {"piece": KINDS[piece & 3], "start": ends[0], "end": ends[1]})
    if taken := position.squares[end]:
        yield Event("captured", player, ends[1:], {"piece": KINDS[taken & 3]})
    if following.squares[end] != piece:
        yield Event("crowned", player, ends[1:])
    if min(following.pieces) <= 1:
        yield Event("won", player)
