"""The legal actions of Magnet, and what follows from them.

A turn is the magnet's placement and one move for each affected piece. Where its kind is not known, an owner
first reveals what was captured (`reveal:3`) before the move that captured it is finished.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import compress

from companion.core.game import EMPTY, Action, Changes, Event, Look, Outcome, Place, Step
from companion.games.magnet.board import PLAYERS, Net
from companion.games.magnet.position import (
    KINDS,
    KING,
    MAGNET,
    TRAPS,
    VALUES,
    Capture,
    Position,
    is_unknown,
    kind_of,
    letters_left,
    may_be_king,
    may_promote,
    owned,
    piece,
)
from companion.language import say

REPETITIONS = 3


def legal(position: Position) -> Iterator[Action]:
    """Yields each legal action once; `=?` stands for all ways to set up."""
    if position.over:
        return
    if position.ready < 2:  # MG-1
        yield "=?"
    elif position.capture:
        for kind in revealable(position):
            yield f"reveal:{KINDS[kind]}"
    elif position.magnet < 0:
        yield from compress(position.net.magnets, placements(position))
        if may_declare(position):
            yield "declare"
    else:
        for vertex in position.left:
            yield position.net.names[vertex]
            if may_promote(position.pieces[vertex]):
                yield position.net.promotions[vertex]


def placements(position: Position) -> bytearray:
    """Returns for every vertex whether a magnet there would move a piece of the side to move (MG-2).

    Each own piece is drawn by a magnet anywhere on its lines, up to the next own piece or on its vertex; not
    where that piece is its neighbour, for then it has no step to make.
    """
    pieces, rays, side = position.pieces, position.net.rays, position.side
    allowed = bytearray(len(pieces))
    own = owned(pieces, side)
    own_vertices = frozenset(own)
    for vertex in own:
        for ray in rays[vertex]:
            if ray[0] in own_vertices:
                continue
            for magnet in ray:
                allowed[magnet] = 1
                if magnet in own_vertices:
                    break
    return allowed


def may_declare(position: Position) -> bool:
    """Returns whether the side's king stands on the centre, or an own piece that may be it (MG-11)."""
    code = position.pieces[position.net.centre]
    return bool(code) and code >> 6 == position.side and may_be_king(code)


def revealable(position: Position) -> list[int]:
    """Returns the kinds that the next captured piece can be: some left, and of no lesser value than its rank.

    Where a piece has been promoted beyond what its owner has left, its rank says nothing.
    """
    assert position.capture is not None
    rank = position.capture.owed[0][1]
    left = letters_left(position, 1 - position.side)
    fitting = [kind for kind, number in enumerate(left) if number > 0 and VALUES[kind] >= rank]
    return fitting or [kind for kind, number in enumerate(left) if number > 0]


def affected(net: Net, pieces: bytes, side: int, magnet: int) -> Iterator[int]:
    """Yields the closest own piece on each line of the magnet; opposing ones do not shield it (MG-3)."""
    for ray in net.rays[magnet]:
        for vertex in ray:
            if pieces[vertex] and pieces[vertex] >> 6 == side:
                yield vertex
                break


def movable(net: Net, pieces: bytes, magnet: int, vertices: tuple[int, ...]) -> tuple[int, ...]:
    """Returns those of the vertices whose piece can make a step (MG-5).

    Only a neighbour of the magnet cannot, if a piece of its own side stands on the magnet's vertex.
    """
    there = pieces[magnet]
    if not there:
        return vertices
    lines, side = net.lines[magnet], there >> 6
    return tuple(v for v in vertices if pieces[v] >> 6 != side or lines[v][0] != magnet)


def play(position: Position, action: Action) -> Step[Position]:
    if action[0] == "=":
        return _set_up(position, action[1:])
    if action[0] == "@":
        return _place(position, position.net.index[action[1:]])
    if action == "declare":
        return _end(position, position.pieces, position.side, say("the king holds the centre"), [])
    if action.startswith("reveal:"):
        return _reveal(position, KINDS.index(action[-1]))
    return _move(position, position.net.index[action.rstrip("+")], action[-1] == "+")


def begin(position: Position, pieces: bytes, side: int) -> Position:
    """Returns the beginning of a side's turn, or a draw where it stands there for the third time (MG-13)."""
    key = pieces + bytes((side,))
    drawn = position.seen.count(key) + 1 >= REPETITIONS
    return position._replace(
        pieces=pieces,
        side=side,
        magnet=-1,
        left=(),
        capture=None,
        seen=(*position.seen, key),
        over=Outcome(None, say("the same position for the third time")) if drawn else None,
    )


def _set_up(position: Position, letters: str) -> Step[Position]:
    pieces, side = bytearray(position.pieces), position.side
    for vertex, letter in zip(position.net.starts[side], letters, strict=True):
        pieces[vertex] = piece(side, KINDS.index(letter), 1)
    after = position._replace(pieces=bytes(pieces), side=1 - side, ready=position.ready + 1)
    events = (Event("ready", position.turn),)
    return Step(begin(after, after.pieces, 0) if after.ready == 2 else after, events)


def _place(position: Position, magnet: int) -> Step[Position]:
    drawn = tuple(affected(position.net, position.pieces, position.side, magnet))
    left = movable(position.net, position.pieces, magnet, drawn)
    events = (Event("placed", position.turn, (position.net.names[magnet],)),)
    return Step(position._replace(magnet=magnet, left=left, fixed=False), events)


def _move(position: Position, start: int, promoted: bool) -> Step[Position]:
    net, pieces = position.net, bytearray(position.pieces)
    steps = entered(position, start)
    end = steps[-1]
    caught = [(vertex, pieces[vertex]) for vertex in steps if pieces[vertex]]  # MG-7
    code = pieces[start]
    for vertex in (start, *steps):
        pieces[vertex] = 0
    pieces[end] = code
    names = (net.names[start], net.names[end])
    events = [Event("moved", position.turn, names, {"start": names[0], "end": names[1]})]
    after = position._replace(
        pieces=bytes(pieces),
        left=tuple(vertex for vertex in position.left if vertex != start),
        seen=() if caught or promoted else position.seen,
    )
    if any(is_unknown(taken) for _, taken in caught):
        owed = tuple((vertex, taken & 7) for vertex, taken in caught)
        events.extend(Event("caught", position.turn, (net.names[v],), {"rank": rank}) for v, rank in owed)
        return Step(after._replace(capture=Capture(end, promoted, owed)), tuple(events))
    for vertex, taken in caught:
        after = _reveal_kind(after, vertex, kind_of(taken), events)
    kinds = {kind_of(taken) for _, taken in caught}
    move = Capture(end, promoted, (), trapped=not kinds.isdisjoint(TRAPS))
    return _finish_move(after, move, KING in kinds, events)


def entered(position: Position, start: int) -> tuple[int, ...]:
    """Returns the vertices that a piece enters: as many as its rank, up to the magnet or an own piece.

    MG-5: an own piece can only stand on the magnet's vertex, for the closest piece on each line is affected.
    """
    code = position.pieces[start]
    steps = position.net.lines[position.magnet][start][: code & 7]
    there = position.pieces[steps[-1]]
    return steps[:-1] if there and there >> 6 == code >> 6 else steps


def change(position: Position, action: Action) -> Changes | None:
    """Returns what an action changes on the board, without playing it.

    None where it does not move a piece to a free place, for then other pieces decide what follows.
    """
    index, pieces = position.net.index, position.pieces
    if action[0] == "@":
        place = action[1:]
        return {} if pieces[index[place]] else {place: (EMPTY, MAGNET)}
    start = index.get(action.rstrip("+"), -1)
    return _move_change(position, start) if start >= 0 else None


def _move_change(position: Position, start: int) -> dict[Place, tuple[Look, Look]] | None:
    net, pieces, magnet = position.net, bytearray(position.pieces), position.magnet
    steps = entered(position, start)
    end = steps[-1]
    if end == net.centre or any(pieces[vertex] for vertex in steps):
        return None
    pieces[start], pieces[end] = 0, pieces[start]
    changed = {
        net.names[start]: (position.turn, EMPTY),
        net.names[end]: (MAGNET if end == magnet else EMPTY, position.turn),
    }
    left = tuple(vertex for vertex in position.left if vertex != start)
    is_turn_over = not position.turns or not movable(net, bytes(pieces), magnet, left)
    if is_turn_over and not pieces[magnet]:
        changed[net.names[magnet]] = (MAGNET, EMPTY)
    return changed


def _reveal(position: Position, kind: int) -> Step[Position]:
    capture = position.capture
    assert capture is not None
    events: list[Event] = []
    after = _reveal_kind(position, capture.owed[0][0], kind, events)
    rest = capture._replace(owed=capture.owed[1:], trapped=capture.trapped or kind in TRAPS)
    if rest.owed and kind != KING:
        return Step(after._replace(capture=rest), tuple(events))
    return _finish_move(after, rest, kind == KING, events)


def _reveal_kind(position: Position, vertex: int, kind: int, events: list[Event]) -> Position:
    """Returns the position once all know the kind of a captured piece (MG-7)."""
    loser = 1 - position.side
    details = {"piece": KINDS[kind], "letter": KINDS[kind]}
    events.append(Event("captured", position.turn, (position.net.names[vertex],), details))
    counts = [list(side) for side in position.revealed]
    counts[loser][kind] += 1
    return position._replace(revealed=(tuple(counts[0]), tuple(counts[1])), fixed=True)


def _finish_move(position: Position, move: Capture, took_king: bool, events: list[Event]) -> Step[Position]:
    """Returns what follows from a move once all that it captured is known; `move.at` is where it ended."""
    pieces, code = bytearray(position.pieces), position.pieces[move.at]
    if took_king:  # MG-10: also when a trap went with the king
        return _end(position, position.pieces, position.side, say("the king is captured"), events)
    if move.trapped:  # MG-8
        pieces[move.at] = 0
        events.extend(_destroyed(position, move.at))
        if kind_of(code) == KING:  # MG-10
            reason = say("the king has captured a trap")
            return _end(position, bytes(pieces), 1 - position.side, reason, events)
    elif move.promoted:  # MG-9
        pieces[move.at] = code + 1
        name = position.net.names[move.at]
        events.append(Event("promoted", position.turn, (name,), {"rank": (code & 7) + 1}))
    return _go_on(position, bytes(pieces), events)


def _destroyed(position: Position, at: int) -> Iterator[Event]:
    site = (position.net.names[at],)
    yield Event("destroyed", position.turn, site)
    code = position.pieces[at]
    if is_unknown(code) and may_be_king(code):  # nobody but the owner knows if it was
        yield Event("doubted", position.turn, site)


def _go_on(position: Position, pieces: bytes, events: list[Event]) -> Step[Position]:
    """Returns the rest of the turn, or the next one; but the end where few pieces are left."""
    if end := _last_pieces(position, pieces):
        return _end(position, pieces, *end, events)
    left = movable(position.net, pieces, position.magnet, position.left)
    is_first_turn = position.turns == 0
    if left and not is_first_turn:  # MG-4; MG-6: the first turn is over after one move
        return Step(position._replace(pieces=pieces, left=left, capture=None), tuple(events))
    after = begin(position._replace(turns=position.turns + 1), pieces, 1 - position.side)
    if after.over:
        events.append(Event("drawn", "", (), {"reason": after.over.reason}))
    return Step(after, tuple(events))


def _last_pieces(position: Position, pieces: bytes) -> tuple[int, str] | None:
    """Returns the side that has won because few pieces are left, and why; None while nobody has."""
    own, theirs = len(owned(pieces, position.side)), len(owned(pieces, 1 - position.side))
    # A side without pieces has lost its king unseen, which happens only where values are declared.
    if theirs == 0:
        return position.side, say(say("no opposing piece is left"))
    if own == 0:
        return 1 - position.side, "no opposing piece is left"
    centre = pieces[position.net.centre]
    if own == theirs == 1 and centre and may_be_king(centre):  # MG-12
        return centre >> 6, say("of the last two kings it is the first on the centre")
    return None


def _end(position: Position, pieces: bytes, winner: int, reason: str, events: list[Event]) -> Step[Position]:
    events.append(Event("won", PLAYERS[winner], (), {"reason": reason}))
    over = Outcome(PLAYERS[winner], reason)
    after = position._replace(pieces=pieces, magnet=-1, left=(), capture=None, over=over)
    return Step(after, tuple(events))
