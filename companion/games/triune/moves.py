"""The legal actions of Triune, and what follows from one."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.game import Action, Event, Player, Step
from companion.games.triune.board import INDEX, LEAP, RAYS, SQUARES, TARGETS
from companion.games.triune.position import KINDS, MARKED, SOLID, TRIUNE, Position

MOVE = tuple(tuple(f"{a}-{b}" for b in SQUARES) for a in SQUARES)
CAPTURE = tuple(tuple(f"{a}x{b}" for b in SQUARES) for a in SQUARES)
FLIP = tuple(f"{a}~" for a in SQUARES)


def legal(position: Position) -> Iterator[Action]:
    """Yields each legal action once; none when the game is over."""
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
    """Plays a legal action."""
    start = INDEX[action[:2]]
    if action[2] == "~":
        return _flip(position, start)
    return _move(position, start, INDEX[action[3:5]])


def _flip(position: Position, square: int) -> Step[Position]:
    squares = list(position.squares)
    squares[square] ^= SOLID | MARKED
    event = Event("flipped", position.turn, (SQUARES[square],), {"piece": KINDS[squares[square] & 3]})
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
    yield Event("moved", player, (start, end), {"piece": KINDS[pieces[0] & 3], "start": start, "end": end})
    if pieces[1]:
        yield Event("captured", player, (end,), {"piece": KINDS[pieces[1] & 3]})
    if crowned:
        yield Event("crowned", player, (end,))
    if min(after.pieces) <= 1:
        yield Event("won", player)
