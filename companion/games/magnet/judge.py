"""The rules of Magnet that an action breaks, and the vertices concerned: for any text, in any position.

Nothing here looks at the kind of an opposing piece, so that no refusal can give it away. A move may also be
written with the vertex on which the piece was put, `b7>d5`. That is never an action, but it is judged too, so
that a player who has put a piece on a wrong vertex learns which rule that breaks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from companion.core.game import Breach
from companion.games.magnet.board import LETTERS
from companion.games.magnet.moves import entered, may_declare, movable, placements, revealable
from companion.games.magnet.position import KINDS, Position, may_promote

SPELLING = re.compile(
    rf"=(?P<letters>[{LETTERS}]*)|@(?P<magnet>[a-z]\d+)|(?P<piece>[a-z]\d+)(?P<promoted>\+?)"
    rf"|reveal:(?P<kind>[{LETTERS}])|declare|pass"
)
PUT = re.compile(r"([a-z]\d+)>([a-z]\d+)")


def judge(position: Position, action: str) -> tuple[Breach, ...]:
    if position.over:
        return (Breach("GEN-3"),)
    if put := PUT.fullmatch(action):
        return tuple(_judge_put(position, put[1], put[2]))
    match = SPELLING.fullmatch(action)
    if not match:
        return (Breach("GEN-1"),)
    site = match["magnet"] or match["piece"]
    if site and site not in position.net.index:
        return (Breach("GEN-1"),)
    if action == "pass":
        return (Breach("MG-14"),)
    return tuple(_judge_spelled(position, match))


def _judge_spelled(position: Position, match: re.Match[str]) -> Iterator[Breach]:
    index = position.net.index
    if match["letters"] is not None:
        yield from _judge_set_up(position, match["letters"])
    elif position.ready < 2:
        yield Breach("MG-1")
    elif match["kind"]:
        yield from _judge_reveal(position, KINDS.index(match["kind"]))
    elif position.capture:
        yield Breach("MG-7", _to_reveal(position))
    elif match["magnet"]:
        yield from _judge_placement(position, index[match["magnet"]])
    elif match["piece"]:
        yield from _judge_move(position, index[match["piece"]], bool(match["promoted"]))
    else:
        yield from _judge_declaration(position)


def _judge_set_up(position: Position, letters: str) -> Iterator[Breach]:
    if position.ready == 2 or sorted(letters) != sorted(position.net.letters):
        yield Breach("MG-1")


def _judge_reveal(position: Position, kind: int) -> Iterator[Breach]:
    if not position.capture:
        yield Breach("MG-7")
    elif kind not in revealable(position):
        yield Breach("MG-7", _to_reveal(position))


def _to_reveal(position: Position) -> tuple[str, ...]:
    """Returns the vertex on which the piece stood that is to be revealed next."""
    assert position.capture is not None
    vertex, _ = position.capture.owed[0]
    return (position.net.names[vertex],)


def _judge_placement(position: Position, magnet: int) -> Iterator[Breach]:
    if position.magnet >= 0:
        yield Breach("MG-4", tuple(position.net.names[vertex] for vertex in position.left))
    elif not placements(position)[magnet]:
        yield Breach("MG-2", (position.net.names[magnet],))


def _judge_move(position: Position, vertex: int, is_promoted: bool) -> Iterator[Breach]:
    site, code = (position.net.names[vertex],), position.pieces[vertex]
    is_own = bool(code) and code >> 6 == position.side
    if position.magnet < 0:
        yield Breach("MG-2")
    if not is_own:
        yield from _judge_other_piece(position, vertex)
        return
    if position.magnet >= 0 and vertex not in position.left:
        yield Breach("MG-5" if _is_blocked(position, vertex) else "MG-3", site)
    if is_promoted and not may_promote(code):
        yield Breach("MG-9", site)


def _judge_other_piece(position: Position, vertex: int) -> Iterator[Breach]:
    """Judges a move of no piece, or of an opposing one. It can be a second move in the first turn (MG-6)."""
    site = (position.net.names[vertex],)
    is_after_first_turn = position.turns == 1 and position.magnet < 0
    if is_after_first_turn and position.pieces[vertex]:
        yield Breach("MG-6", site)
    yield Breach("MG-3", site)


def _is_blocked(position: Position, vertex: int) -> bool:
    """Returns whether an own piece on the magnet's vertex leaves this neighbour of it no step."""
    if vertex not in position.net.lines[position.magnet]:
        return False
    return not movable(position.net, position.pieces, position.magnet, (vertex,))


def _judge_put(position: Position, start: str, end: str) -> Iterator[Breach]:
    """Judges a move together with the vertex on which the piece was put."""
    index = position.net.index
    if start not in index or end not in index:
        yield Breach("GEN-1")
        return
    found = judge(position, start)
    yield from found
    if not found:
        is_right = entered(position, index[start])[-1] == index[end]
        yield Breach("GEN-1") if is_right else Breach("MG-5", (start, end))


def _judge_declaration(position: Position) -> Iterator[Breach]:
    if position.magnet >= 0 or not may_declare(position):
        yield Breach("MG-11", (position.net.names[position.net.centre],))
