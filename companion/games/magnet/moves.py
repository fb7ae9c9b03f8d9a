"""What may be played in Magnet, and what follows from it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import compress

from companion.core import EMPTY, Action, Event, Look, Outcome, Place, Step
from companion.games.magnet.net import PLAYERS, Net
from companion.games.magnet.position import (
    KIND_WORDS,
    KINDS,
    KING,
    MAGNET,
    TRAPS,
    VALUES,
    Capture,
    Position,
    kind_of,
    letters_left,
    may_be_king,
    may_promote,
    owned,
    piece,
)

REPETITIONS = 3


def legal(position: Position) -> Iterator[Action]:
    """Each legal action once; `=?` stands for all ways to set up."""
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
    """For every vertex whether a magnet there would move a piece (MG-2)."""
    pieces, rays, side = position.pieces, position.net.rays, position.side
    open_ = bytearray(len(pieces))
    own = owned(pieces, side)
    held = frozenset(own)
    for vertex in own:
        for ray in rays[vertex]:
            if ray[0] in held:
                continue
            for magnet in ray:
                open_[magnet] = 1
                if magnet in held:
                    break
    return open_


def may_declare(position: Position) -> bool:
    """Whether the side's king stands on the centre at the beginning of its turn (MG-11)."""
    code = position.pieces[position.net.centre]
    return bool(code) and code >> 6 == position.side and may_be_king(code)


def revealable(position: Position) -> list[int]:
    """The kinds that the next captured piece can be: not yet revealed, and of no lesser value than its rank.

    Where a piece has been promoted beyond what its owner has left, its rank says nothing.
    """
    assert position.capture is not None
    rank = position.capture.owed[0][1]
    left = letters_left(position, 1 - position.side)
    fitting = [kind for kind, number in enumerate(left) if number > 0 and VALUES[kind] >= rank]
    return fitting or [kind for kind, number in enumerate(left) if number > 0]


def affected(net: Net, pieces: bytes, side: int, magnet: int) -> Iterator[int]:
    """The closest own piece on each line; opposing ones do not shield it (MG-3)."""
    for ray in net.rays[magnet]:
        for vertex in ray:
            if pieces[vertex] and pieces[vertex] >> 6 == side:
                yield vertex
                break


def movable(net: Net, pieces: bytes, magnet: int, vertices: tuple[int, ...]) -> tuple[int, ...]:
    """Those of the vertices whose piece can make a step (MG-5)."""
    there = pieces[magnet]
    return tuple(
        vertex for vertex in vertices
        if not there or there >> 6 != pieces[vertex] >> 6 or net.lines[magnet][vertex][0] != magnet
    )


def play(position: Position, action: Action) -> Step[Position]:
    """What a legal action leads to."""
    if action[0] == "=":
        return _set_up(position, action[1:])
    if action[0] == "@":
        return _place(position, position.net.index[action[1:]])
    if action == "declare":
        return _end(position, position.pieces, position.side, "the king holds the centre", [])
    if action.startswith("reveal:"):
        return _reveal(position, KINDS.index(action[-1]))
    return _move(position, position.net.index[action.rstrip("+")], action[-1] == "+")


def begin(position: Position, pieces: bytes, side: int) -> Position:
    """The beginning of a side's turn, or a draw where the position stands for the third time (MG-13)."""
    key = pieces + bytes((side,))
    drawn = position.seen.count(key) + 1 >= REPETITIONS
    return position._replace(
        pieces=pieces, side=side, magnet=-1, left=(), capture=None, seen=(*position.seen, key),
        over=Outcome(None, "the same position for the third time") if drawn else None,
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
    code = pieces[start]
    steps = way(position, start)
    end = steps[-1]
    caught = [(vertex, pieces[vertex]) for vertex in steps if pieces[vertex]]  # MG-7
    pieces[start] = 0
    for vertex, _ in caught:
        pieces[vertex] = 0
    pieces[end] = code
    names = (net.names[start], net.names[end])
    events = [Event("moved", position.turn, names, {"start": names[0], "end": names[1]})]
    left = tuple(vertex for vertex in position.left if vertex != start)
    seen = () if caught or promoted else position.seen
    after = position._replace(pieces=bytes(pieces), left=left, seen=seen)
    if caught and position.declared:
        owed = tuple((vertex, taken & 7) for vertex, taken in caught)
        events.extend(Event("caught", position.turn, (net.names[v],), {"rank": rank}) for v, rank in owed)
        return Step(after._replace(capture=Capture(end, promoted, owed)), tuple(events))
    for vertex, taken in caught:
        after = _expose(after, vertex, kind_of(taken), events)
    kinds = {kind_of(taken) for _, taken in caught}
    return _settle(after, Capture(end, promoted, (), not kinds.isdisjoint(TRAPS)), KING in kinds, events)


def change(position: Position, start: int) -> dict[Place, tuple[Look, Look]] | None:
    """What a move that takes nothing changes on the board; None where pieces decide what follows."""
    net, pieces, magnet = position.net, bytearray(position.pieces), position.magnet
    steps = way(position, start)
    end = steps[-1]
    if end == net.centre or any(pieces[vertex] for vertex in steps):
        return None
    pieces[start], pieces[end] = 0, pieces[start]
    left = tuple(vertex for vertex in position.left if vertex != start)
    changed = {
        net.names[start]: (position.turn, EMPTY),
        net.names[end]: (MAGNET if end == magnet else EMPTY, position.turn),
    }
    if not pieces[magnet] and not (position.turns and movable(net, bytes(pieces), magnet, left)):
        changed[net.names[magnet]] = (MAGNET, EMPTY)
    return changed


def way(position: Position, start: int) -> tuple[int, ...]:
    """The vertices that a piece enters: as many as its rank, up to the magnet or an own piece (MG-5)."""
    code = position.pieces[start]
    steps = position.net.lines[position.magnet][start][: code & 7]
    there = position.pieces[steps[-1]]
    return steps[:-1] if there and there >> 6 == code >> 6 else steps


def _expose(position: Position, vertex: int, kind: int, events: list[Event]) -> Position:
    """The position once a captured piece's kind is known to all (MG-7)."""
    loser = 1 - position.side
    details = {"kind": KIND_WORDS[kind], "letter": KINDS[kind]}
    events.append(Event("captured", position.turn, (position.net.names[vertex],), details))
    counts = [list(side) for side in position.revealed]
    counts[loser][kind] += 1
    return position._replace(revealed=(tuple(counts[0]), tuple(counts[1])), fixed=True)


def _reveal(position: Position, kind: int) -> Step[Position]:
    capture = position.capture
    assert capture is not None
    events: list[Event] = []
    after = _expose(position, capture.owed[0][0], kind, events)
    rest = capture._replace(owed=capture.owed[1:], trapped=capture.trapped or kind in TRAPS)
    if rest.owed and kind != KING:
        return Step(after._replace(capture=rest), tuple(events))
    return _settle(after, rest, kind == KING, events)


def _settle(position: Position, move: Capture, regicide: bool, events: list[Event]) -> Step[Position]:
    """What follows from a move once all that it captured is known; `move.at` is where it ended."""
    pieces, code = bytearray(position.pieces), position.pieces[move.at]
    if regicide:  # MG-10: also when a trap went with the king
        return _end(position, position.pieces, position.side, "the king is captured", events)
    if move.trapped:  # MG-8
        pieces[move.at] = 0
        events.extend(_destroyed(position, move.at))
        if kind_of(code) == KING:
            reason = "the king has captured a trap"
            return _end(position, bytes(pieces), 1 - position.side, reason, events)
    elif move.promoted:  # MG-9
        pieces[move.at] = code + 1
        name = position.net.names[move.at]
        events.append(Event("promoted", position.turn, (name,), {"rank": (code & 7) + 1}))
    return _go_on(position, bytes(pieces), events)


def _destroyed(position: Position, at: int) -> Iterator[Event]:
    site = (position.net.names[at],)
    yield Event("destroyed", position.turn, site)
    if position.declared and position.pieces[at] & 7 == 1:
        yield Event("doubted", position.turn, site)


def _go_on(position: Position, pieces: bytes, events: list[Event]) -> Step[Position]:
    """The rest of the turn, or the next one; but the end where few pieces are left."""
    counts = [len(owned(pieces, side)) for side in (0, 1)]
    if not all(counts):  # only where values are declared: a king was destroyed unseen
        winner = position.side if not counts[1 - position.side] else 1 - position.side
        return _end(position, pieces, winner, "no opposing piece is left", events)
    centre = pieces[position.net.centre]
    if counts == [1, 1] and centre and may_be_king(centre):  # MG-12
        winner = centre >> 6
        return _end(position, pieces, winner, "of the last two kings it is the first on the centre", events)
    left = movable(position.net, pieces, position.magnet, position.left)
    if left and position.turns:  # MG-4; MG-6: one move in the first turn of all
        return Step(position._replace(pieces=pieces, left=left, capture=None), tuple(events))
    after = begin(position._replace(turns=position.turns + 1), pieces, 1 - position.side)
    if after.over:
        events.append(Event("drawn", "", (), {"reason": after.over.reason}))
    return Step(after, tuple(events))


def _end(
    position: Position, pieces: bytes, winner: int, reason: str, events: list[Event]
) -> Step[Position]:
    events.append(Event("won", PLAYERS[winner], (), {"reason": reason}))
    over = Outcome(PLAYERS[winner], reason)
    after = position._replace(pieces=pieces, magnet=-1, left=(), capture=None, over=over)
    return Step(after, tuple(events))
