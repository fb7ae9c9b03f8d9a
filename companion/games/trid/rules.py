"""The rules of TRID, joined to the contract of a game. Numbers TD-n are those of the rulebook."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.board import Board
from companion.core.game import EMPTY, Count, Look, Option, Player
from companion.core.rules import Rules
from companion.games.trid import arrange, attempts, estimate, judge, moves, words
from companion.games.trid.board import KINDS, net_of
from companion.games.trid.position import PLAYERS, Position, look, pawns, start
from companion.language import say


class Trid(Rules[Position]):
    name = "trid"
    title = say("TRID")
    board = "trid"
    options = (Option("players", ("2", "3", "4"), "2", "how many play", "{value} players"),)
    sentences = words.SENTENCES
    phrases = words.PIECE_NAMES
    action_kinds = words.ACTION_KINDS
    labels = words.LABELS

    legal = staticmethod(moves.legal)
    judge = staticmethod(judge.judge)
    play = staticmethod(moves.play)
    after = staticmethod(moves.after)
    outcome = staticmethod(moves.outcome)
    look = staticmethod(look)
    path = staticmethod(words.path)
    attempts = staticmethod(attempts.attempts)
    arrange = staticmethod(arrange.arrange)
    prompt = staticmethod(words.prompt)
    takes = staticmethod(estimate.takes)
    estimate = staticmethod(estimate.estimate)

    def players(self, position: Position) -> tuple[Player, ...]:
        return PLAYERS[: position.players]

    def playing(self, position: Position) -> tuple[Player, ...]:
        seats = enumerate(self.players(position))
        return tuple(player for seat, player in seats if moves.is_alive(position.fields, seat))

    def start(self, options: Mapping[str, str], board: Board) -> Position:
        return start(net_of(board), int(options["players"]))

    def looks(self, position: Position) -> tuple[Look, ...]:
        return (EMPTY, *(f"{player}/{kind}" for player in self.players(position) for kind in KINDS))

    def counts(self, position: Position) -> tuple[Count, ...]:
        own = pawns(position.fields, position.players)
        total = max(len(start) for start in position.net.starts)
        return (Count(say("pawns"), {PLAYERS[seat]: len(fields) for seat, fields in enumerate(own)}, total),)
