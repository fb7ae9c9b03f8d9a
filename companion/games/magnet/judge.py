"""Why an action of Magnet is refused: every broken rule and the vertices concerned.

Nothing here looks at the kind of an opposing piece, so that no refusal can tell it. A move may also be
written with the vertex where the piece was put, `b7>d5`: never an action, but what is wrong can be told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from companion.core import Breach
from companion.games.magnet.moves import may_declare, movable, placements, revealable, way
from companion.games.magnet.net import LETTERS
from companion.games.magnet.position import KINDS, Position, may_promote

SPELLING = re.compile(rf"=([{LETTERS}]*)|@([a-z]\d+)|([a-z]\d+)(\+?)|declare|reveal:([{LETTERS}])|pass")
PUT = re.compile(r"([a-z]\d+)>([a-z]\d+)")


def judge(position: Position, action: str) -> tuple[Breach, ...]:
    """Every rule that the text breaks; () exactly when it is legal."""
    if position.over:
        return (Breach("GEN-3"),)
    put = PUT.fullmatch(action)
    if put and put[1] in position.net.index and put[2] in position.net.index:
        return tuple(_judge_put(position, position.net.index[put[1]], position.net.index[put[2]]))
    match = SPELLING.fullmatch(action)
    site = match and (match[2] or match[3])
    if not match or (site and site not in position.net.index):
        return (Breach("GEN-1"),)
    if action == "pass":
        return (Breach("MG-14"),)
    return tuple(_judge(position, match))


def _judge(position: Position, match: re.Match[str]) -> Iterator[Breach]:
    index = position.net.index
    if match[1] is not None:
        yield from _judge_set_up(position, match[1])
    elif position.ready < 2:
        yield Breach("MG-1")
    elif match[5]:
        yield from _judge_reveal(position, KINDS.index(match[5]))
    elif position.capture:
        yield Breach("MG-7", (position.net.names[position.capture.owed[0][0]],))
    elif match[2]:
        yield from _judge_placement(position, index[match[2]])
    elif match[3]:
        yield from _judge_move(position, index[match[3]], bool(match[4]))
    else:
        yield from _judge_declaration(position)


def _judge_set_up(position: Position, letters: str) -> Iterator[Breach]:
    if position.ready == 2 or sorted(letters) != sorted(position.net.letters):
        yield Breach("MG-1")


def _judge_reveal(position: Position, kind: int) -> Iterator[Breach]:
    if not position.capture:
        yield Breach("MG-7")
    elif kind not in revealable(position):
        yield Breach("MG-7", (position.net.names[position.capture.owed[0][0]],))


def _judge_placement(position: Position, magnet: int) -> Iterator[Breach]:
    if position.magnet >= 0:
        yield Breach("MG-4", tuple(position.net.names[vertex] for vertex in position.left))
    elif not placements(position)[magnet]:
        yield Breach("MG-2", (position.net.names[magnet],))


def _judge_move(position: Position, vertex: int, promoted: bool) -> Iterator[Breach]:
    site, code = (position.net.names[vertex],), position.pieces[vertex]
    own = bool(code) and code >> 6 == position.side
    if position.magnet < 0:
        yield Breach("MG-2")
        if position.turns == 1 and code and not own:
            yield Breach("MG-6", site)
    if not own or (position.magnet >= 0 and vertex not in position.left):
        yield Breach("MG-5" if own and _is_blocked(position, vertex) else "MG-3", site)
    if own and promoted and not may_promote(code):
        yield Breach("MG-9", site)


def _judge_put(position: Position, start: int, end: int) -> Iterator[Breach]:
    found = judge(position, position.net.names[start])
    yield from found
    if not found:
        right = way(position, start)[-1] == end
        names = (position.net.names[start], position.net.names[end])
        yield Breach("GEN-1") if right else Breach("MG-5", names)


def _is_blocked(position: Position, vertex: int) -> bool:
    """Whether an own piece on the magnet's vertex leaves this neighbour of it no step."""
    if vertex not in position.net.lines[position.magnet]:
        return False
    return not movable(position.net, position.pieces, position.magnet, (vertex,))


def _judge_declaration(position: Position) -> Iterator[Breach]:
    if position.magnet >= 0 or not may_declare(position):
        yield Breach("MG-11", (position.net.names[position.net.centre],))
