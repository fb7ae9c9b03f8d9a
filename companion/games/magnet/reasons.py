"""Magnet's refusals in words: for each broken rule the one thing that is wrong here.

As in `judge`, nothing here looks at the kind of an opposing piece.
"""

from __future__ import annotations

from companion.core.game import Breach, Player, Site
from companion.core.players import say_player
from companion.games.magnet.board import PLAYERS
from companion.games.magnet.judge import PUT
from companion.games.magnet.moves import affected, entered
from companion.games.magnet.position import Position
from companion.games.reasons import say_whose
from companion.language import Message, listed, say, say_count


def explain(position: Position, action: str, breach: Breach) -> Message:
    player = say_player(position.to_act)
    site = action.lstrip("@").rstrip("+").partition(">")[0]
    match breach.rule:
        case "MG-1":
            return _say_set_up(position)
        case "MG-2":
            return _say_magnet(position, breach)
        case "MG-3" | "MG-5":
            return _say_piece(position, action, site)
        case "MG-4":
            return _say_left(player, breach.sites)
        case "MG-6":
            return say(
                "The first turn of the game was over with one move: it is {player}'s turn.", player=player
            )
        case "MG-7":
            return _say_reveal(position)
        case "MG-9":
            return say("The piece on {place} has reached its value.", place=site)
        case "MG-11":
            return _say_declaration(position, breach)
    return say("{player} cannot pass: the magnet can be placed.", player=player)


def _owner(position: Position, site: Site) -> Player:
    code = position.pieces[position.net.index[site]]
    return PLAYERS[code >> 6] if code else ""


def _say_set_up(position: Position) -> Message:
    if position.ready == 2:
        return say("All pieces are set up already.")
    return say("{player} has still to set up.", player=say_player(position.to_act))


def _say_magnet(position: Position, breach: Breach) -> Message:
    if breach.sites:
        return say(
            "A magnet on {place} moves no piece of {player}.",
            place=breach.sites[0],
            player=say_player(position.turn),
        )
    return say("{player} first places the magnet.", player=say_player(position.turn))


def _say_piece(position: Position, action: str, site: Site) -> Message:
    """Says why the piece on a vertex does not move, or not so far."""
    if _owner(position, site) != position.turn:
        return say_whose(site, _owner(position, site), position.turn)
    if position.magnet < 0:
        return say("{player} first places the magnet.", player=say_player(position.turn))
    net, vertex = position.net, position.net.index[site]
    put = PUT.fullmatch(action)
    if put and vertex in position.left:
        end = net.names[entered(position, vertex)[-1]]
        return say("The piece on {place} moves to {end}, not to {other}.", place=site, end=end, other=put[2])
    return _say_unaffected(position, site)


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


def _say_left(player: Message, places: tuple[Site, ...]) -> Message:
    return say_count(
        "{player} has still to move the piece on {places}.",
        "{player} has still to move the pieces on {places}.",
        len(places),
        player=player,
        places=listed(places),
    )


def _say_reveal(position: Position) -> Message:
    if not position.capture:
        return say("No captured piece is to be revealed now.")
    vertex, rank = position.capture.owed[0]
    return say(
        "{player} first reveals the piece of rank {rank} that stood on {place}.",
        player=say_player(position.to_act),
        rank=rank,
        place=position.net.names[vertex],
    )


def _say_declaration(position: Position, breach: Breach) -> Message:
    if position.magnet >= 0:
        return say("Victory is declared before the magnet is placed.")
    return say(
        "The king of {player} is not on {place}.", player=say_player(position.turn), place=breach.sites[0]
    )
