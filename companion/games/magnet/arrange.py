"""An arbiter's correction of a Magnet position.

A look is a colour; it may also name a rank (`red/2`), or a kind and a rank (`red/31`: value 3, rank 1). If it
leaves these open, they are kept from the piece that stood there, or from the one that has gone elsewhere.

A correction that names no kind is refused by nothing but what everybody sees: whether a piece is the king, or
worth its rank, is then not asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.core.game import EMPTY, Look, Place, Player, PositionError
from companion.core.players import say_player, seat_of
from companion.games.magnet.board import PLAYERS
from companion.games.magnet.moves import affected, begin, movable
from companion.games.magnet.position import (
    KINDS,
    KING,
    MAGNET,
    UNKNOWN,
    VALUES,
    Position,
    kind_of,
    letters_left,
    look,
    owned,
    piece,
    pieces,
    view,
)
from companion.language import say


def arrange(position: Position, looks: Mapping[Place, Look], turn: Player) -> Position:
    """Returns the position with these looks and that player's turn. PositionError says why there is none.

    The magnet is seen where it stands alone; beside a piece it is taken to be where it was.
    """
    side = seat_of(turn, PLAYERS)
    seen = {place: shown for place, shown in looks.items() if shown != EMPTY}
    if turn == position.turn and seen in (look(position), pieces(position), pieces(view(position, None))):
        return position
    if position.ready < 2:
        raise PositionError(say("both players set up first"))
    for place in looks:
        if place not in position.net.index:
            raise PositionError(say("'{place}' is not a vertex of the board", place=place))
    wanted = {position.net.index[place]: shown for place, shown in seen.items()}
    return _arranged(position, wanted, side)


def _arranged(position: Position, wanted: Mapping[int, Look], side: int) -> Position:
    pieces = _pieces(position, {v: shown for v, shown in wanted.items() if shown != MAGNET})
    for owner in (0, 1):
        _check_pieces(position, pieces, owner)
        if any(_names_kind(shown) for shown in wanted.values()):
            _check_kinds(position, pieces, owner)
    revealed = (_revealed(position, pieces, 0), _revealed(position, pieces, 1))
    fresh = position._replace(seen=(), fixed=False, over=None, revealed=revealed)
    magnet = _magnet(position, wanted)
    left = _left(position, pieces, side, magnet) if magnet >= 0 else ()
    if left:
        return fresh._replace(pieces=pieces, side=side, magnet=magnet, left=left, capture=None)
    if MAGNET in wanted.values():
        raise PositionError(say("the magnet has no piece left to move: take it off the board"))
    return begin(fresh, pieces, side)


def _magnet(position: Position, wanted: Mapping[int, Look]) -> int:
    """Returns the magnet's vertex: where it is seen, else where it was if a piece hides it; -1 for none."""
    seen = [vertex for vertex, shown in wanted.items() if shown == MAGNET]
    if len(seen) > 1:
        raise PositionError(say("there is one magnet"))
    if seen:
        return seen[0]
    return position.magnet if position.magnet in wanted else -1


def _left(position: Position, pieces: bytes, side: int, magnet: int) -> tuple[int, ...]:
    """Returns the pieces that the magnet still draws: not those that moved before the correction."""
    left = movable(position.net, pieces, magnet, tuple(affected(position.net, pieces, side, magnet)))
    if (position.magnet, position.side) != (magnet, side):
        return left
    return tuple(v for v in left if v in position.left or pieces[v] != position.pieces[v])


def _pieces(position: Position, wanted: Mapping[int, Look]) -> bytes:
    pieces = bytearray(len(position.pieces))
    unknown: tuple[list[int], list[int]] = ([], [])
    for vertex, shown in wanted.items():
        side, kind, rank = _read(shown)
        before = position.pieces[vertex]
        if kind or (rank and position.declared):
            pieces[vertex] = piece(side, kind, rank)
        elif before and before >> 6 == side:
            pieces[vertex] = piece(side, kind_of(before), rank) if rank else before
        else:
            unknown[side].append(vertex)
    for side, vertices in enumerate(unknown):
        if vertices:
            _fill(position, pieces, vertices, side)
    return bytes(pieces)


def _read(shown: Look) -> tuple[int, int, int]:
    """Returns side, kind and rank; 0 for what the look leaves open."""
    owner, _, name = shown.partition("/")
    kind, rank = name[:-1], name[-1:]
    if owner not in PLAYERS or kind not in KINDS or rank not in "1234":
        raise PositionError(say("'{shown}' is not a piece of Magnet", shown=shown))
    return PLAYERS.index(owner), KINDS.index(kind), int(rank or 0)


def _fill(position: Position, pieces: bytearray, vertices: list[int], side: int) -> None:
    """Puts the one piece of the side that has gone from its vertex on the one that is new.

    With several it cannot be known which went where, and whether that matters is a secret.
    """
    gone = [position.pieces[v] for v in owned(position.pieces, side) if not pieces[v]]
    if len(gone) != 1 or len(vertices) != 1:
        raise PositionError(
            say(
                "correct {player}'s pieces one at a time, or name their kinds",
                player=say_player(PLAYERS[side]),
            )
        )
    pieces[vertices[0]] = gone[0]


def _names_kind(shown: Look) -> bool:
    return len(shown.partition("/")[2]) > 1


def _check_pieces(position: Position, pieces: bytes, side: int) -> None:
    """Refuses more pieces than a side can have, or none."""
    letters = position.net.letters
    if not 1 <= len(owned(pieces, side)) <= len(letters):
        raise PositionError(
            say("{player} has 1 to {most} pieces", player=say_player(PLAYERS[side]), most=len(letters))
        )


def _check_kinds(position: Position, pieces: bytes, side: int) -> None:
    """Refuses kinds that a side cannot have."""
    player = PLAYERS[side]
    codes = [pieces[vertex] for vertex in owned(pieces, side)]
    kinds = [kind_of(code) for code in codes]
    _check_ranks(codes, player)
    _check_numbers(kinds, position.net.letters, player)
    if not position.declared and kinds.count(KING) != 1:
        raise PositionError(say("{player} has one king", player=say_player(player)))


def _check_ranks(codes: Sequence[int], player: Player) -> None:
    for code in codes:
        if code & 7 > VALUES[kind_of(code)]:
            raise PositionError(
                say("a piece of {player}'s has a rank above its value", player=say_player(player))
            )


def _check_numbers(kinds: Sequence[int], letters: str, player: Player) -> None:
    for kind, letter in enumerate(KINDS[1:], 1):
        if kinds.count(kind) > letters.count(letter):
            raise PositionError(
                say(
                    "{player} has not so many pieces of the kind '{letter}'",
                    player=say_player(player),
                    letter=letter,
                )
            )


def _revealed(position: Position, pieces: bytes, side: int) -> tuple[int, ...]:
    """Returns how many of each kind count as revealed: without those that are back on the board.

    A piece that is put back first takes the place of one of its kind that was not revealed.
    """
    kinds = [kind_of(pieces[vertex]) for vertex in owned(pieces, side)]
    room = [number - kinds.count(kind) for kind, number in enumerate(letters_left(position, side))]
    return tuple(
        seen + min(room[kind], 0) if kind != UNKNOWN else 0
        for kind, seen in enumerate(position.revealed[side])
    )
