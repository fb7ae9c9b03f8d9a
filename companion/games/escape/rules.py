"""The rules of Escape!, joined to the contract of a game. Numbers ES-n are those of the rulebook."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.board import Board
from companion.core.game import EMPTY, Count, Look, Option, Outcome
from companion.core.rules import Rules
from companion.games.escape import arrange, attempts, estimate, judge, moves, words
from companion.games.escape.board import net_of
from companion.games.escape.position import PLAYERS, Position, look, winner
from companion.language import say


class Escape(Rules[Position]):
    name = "escape"
    title = say("Escape!")
    board = "escape"
    seats = PLAYERS
    options = (Option("first", PLAYERS, "south", "who begins", "{value} begins"),)
    alternates = True
    sentences = words.SENTENCES
    action_kinds = words.ACTION_KINDS
    labels = words.LABELS

    legal = staticmethod(moves.legal)
    legal_at = staticmethod(moves.legal_at)
    judge = staticmethod(judge.judge)
    play = staticmethod(moves.play)
    after = staticmethod(moves.after)
    change = staticmethod(moves.change)
    look = staticmethod(look)
    path = staticmethod(words.path)
    read = staticmethod(words.read)
    attempts = staticmethod(attempts.attempts)
    arrange = staticmethod(arrange.arrange)
    prompt = staticmethod(words.prompt)
    slips = estimate.SLIPS
    estimate = staticmethod(estimate.estimate)

    def start(self, options: Mapping[str, str], board: Board) -> Position:
        net = net_of(board)
        return Position(net, net.start, PLAYERS.index(options["first"]))

    def outcome(self, position: Position) -> Outcome | None:
        player = winner(position)
        return Outcome(player, say("all pawns have escaped")) if player else None

    def looks(self, position: Position) -> tuple[Look, ...]:
        return (EMPTY, *PLAYERS)

    def counts(self, position: Position) -> tuple[Count, ...]:
        total = [pawns.bit_count() for pawns in position.net.start]
        left = {player: position.pawns[seat].bit_count() for seat, player in enumerate(PLAYERS)}
        escaped = {player: total[seat] - left[player] for seat, player in enumerate(PLAYERS)}
        return (Count(say("escaped"), escaped, total[0]), Count(say("on the board"), left, total[0]))
