"""The rules of Magnet that an action breaks, the vertices concerned, and what is wrong there.

It is for any text, in any position.

Nothing here looks at the kind of an opposing piece, so that no refusal can give it away. A move may also be
written with the vertex on which the piece was put, `b7>d5`. That is never an action, but it is judged too, so
that a player who has put a piece on a wrong vertex learns which rule that breaks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from companion.core.game import Breach, Site
from companion.core.players import say_player
from companion.games.magnet.board import LETTERS, PLAYERS
from companion.games.magnet.moves import affected, entered, may_declare, movable, placements, revealable
from companion.games.magnet.position import KINDS, Position, may_promote
from companion.games.reasons import say_whose
from companion.language import Message, listed, say, say_count

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
        player = say_player(position.to_act)
        words = say("{player} cannot pass: the magnet can be placed.", player=player)
        return (Breach("MG-14", (), words),)
    return tuple(_judge_spelled(position, match))


def _judge_spelled(position: Position, match: re.Match[str]) -> Iterator[Breach]:
    index = position.net.index
    if match["letters"] is not None:
        yield from _judge_set_up(position, match["letters"])
    elif position.ready < 2:
        yield Breach("MG-1", (), _say_set_up(position))
    elif match["kind"]:
        yield from _judge_reveal(position, KINDS.index(match["kind"]))
    elif position.capture:
        yield _owes_reveal(position)
    elif match["magnet"]:
        yield from _judge_placement(position, index[match["magnet"]])
    elif match["piece"]:
        yield from _judge_move(position, index[match["piece"]], bool(match["promoted"]))
    else:
        yield from _judge_declaration(position)


def _judge_set_up(position: Position, letters: str) -> Iterator[Breach]:
    if position.ready == 2 or sorted(letters) != sorted(position.net.letters):
        yield Breach("MG-1", (), _say_set_up(position))


def _say_set_up(position: Position) -> Message:
    if position.ready == 2:
        return say("All pieces are set up already.")
    return say("{player} has still to set up.", player=say_player(position.to_act))


def _judge_reveal(position: Position, kind: int) -> Iterator[Breach]:
    if not position.capture:
        yield Breach("MG-7", (), say("No captured piece is to be revealed now."))
    elif kind not in revealable(position):
        yield _owes_reveal(position)


def _owes_reveal(position: Position) -> Breach:
    assert position.capture is not None
    vertex, rank = position.capture.owed[0]
    place = position.net.names[vertex]
    words = say(
        "{player} first reveals the piece of rank {rank} that stood on {place}.",
        player=say_player(position.to_act),
        rank=rank,
        place=place,
    )
    return Breach("MG-7", (place,), words)


def _judge_placement(position: Position, magnet: int) -> Iterator[Breach]:
    if position.magnet >= 0:
        left, player = tuple(position.net.names[vertex] for vertex in position.left), position.to_act
        words: Message = say_count(
            "{player} has still to move the piece on {places}.",
            "{player} has still to move the pieces on {places}.",
            len(left),
            player=say_player(player),
            places=listed(left),
        )
        yield Breach("MG-4", left, words)
    elif not placements(position)[magnet]:
        place, player = position.net.names[magnet], position.turn
        words = say("A magnet on {place} moves no piece of {player}.", place=place, player=say_player(player))
        yield Breach("MG-2", (place,), words)


def _judge_move(position: Position, vertex: int, is_promoted: bool) -> Iterator[Breach]:
    site, code = (position.net.names[vertex],), position.pieces[vertex]
    is_own = bool(code) and code >> 6 == position.side
    if position.magnet < 0:
        yield Breach("MG-2", (), say("{player} first places the magnet.", player=say_player(position.turn)))
    if not is_own:
        yield from _judge_other_piece(position, vertex)
        return
    if position.magnet >= 0 and vertex not in position.left:
        rule = "MG-5" if _is_blocked(position, vertex) else "MG-3"
        yield Breach(rule, site, _say_unaffected(position, *site))
    if is_promoted and not may_promote(code):
        yield Breach("MG-9", site, say("The piece on {place} has reached its value.", place=site[0]))


def _judge_other_piece(position: Position, vertex: int) -> Iterator[Breach]:
    """Judges a move of no piece, or of an opposing one. It can be a second move in the first turn (MG-6)."""
    site = (position.net.names[vertex],)
    is_after_first_turn = position.turns == 1 and position.magnet < 0
    if is_after_first_turn and position.pieces[vertex]:
        player = say_player(position.to_act)
        words = say(
            "The first turn of the game was over with one move: it is {player}'s turn.", player=player
        )
        yield Breach("MG-6", site, words)
    owner = PLAYERS[position.pieces[vertex] >> 6] if position.pieces[vertex] else ""
    yield Breach("MG-3", site, say_whose(site[0], owner, position.turn))


def _say_unaffected(position: Position, site: Site) -> Message:
    net, vertex, magnet = position.net, position.net.index[site], position.net.names[position.magnet]
    drawn = affected(net, position.pieces, position.side, position.magnet)
    if vertex == position.magnet:
        return say("The piece on {place} stands on the magnet and stays there.", place=site)
    if vertex not in drawn:
        return say("The magnet on {magnet} does not draw the piece on {place}.", magnet=magnet, place=site)
    if net.lines[position.magnet].get(vertex, (None,))[0] == position.magnet:
        return say(
            "The piece on {place} has no step to make: {magnet} is occupied.", magnet=magnet, place=site
        )
    return say("The piece on {place} has moved in this turn already.", place=site)


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
        right = position.net.names[entered(position, index[start])[-1]]
        words = say("The piece on {place} moves to {end}, not to {other}.", place=start, end=right, other=end)
        yield Breach("GEN-1") if right == end else Breach("MG-5", (start, end), words)


def _judge_declaration(position: Position) -> Iterator[Breach]:
    centre = position.net.names[position.net.centre]
    if position.magnet >= 0:
        yield Breach("MG-11", (centre,), say("Victory is declared before the magnet is placed."))
    elif not may_declare(position):
        player = say_player(position.turn)
        yield Breach(
            "MG-11", (centre,), say("The king of {player} is not on {place}.", player=player, place=centre)
        )
