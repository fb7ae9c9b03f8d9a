"""The rules of Escape!, joined to the contract of a game. Numbers ES-n are those of the rulebook."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from companion.core.board import Board
from companion.core.game import (
    EMPTY,
    Action,
    Breach,
    Changes,
    Count,
    Look,
    Option,
    Outcome,
    Place,
    Player,
    Step,
)
from companion.core.rules import Rules
from companion.games.escape import arrange, attempts, judge, moves, reasons, words
from companion.games.escape.board import net_of
from companion.games.escape.position import PLAYERS, Position, look, winner
from companion.language import say


class Escape(Rules[Position]):
    name = "escape"
    title = say("Escape!")
    board = "escape"
    options = (Option("first", PLAYERS, "south", "who begins", "{value} begins"),)
    alternates = True
    sentences = words.SENTENCES
    action_kinds = words.ACTION_KINDS

    def players(self, position: Position) -> tuple[Player, ...]:
        return PLAYERS

    def start(self, options: Mapping[str, str], board: Board) -> Position:
        net = net_of(board)
        return Position(net, net.start, PLAYERS.index(options["first"]))

    def legal(self, position: Position) -> Iterator[Action]:
        return moves.legal(position)

    def legal_at(self, position: Position, places: Collection[Place]) -> Iterator[Action]:
        return moves.legal_at(position, places)

    def judge(self, position: Position, action: str) -> tuple[Breach, ...]:
        return judge.judge(position, action)

    def explain(self, position: Position, action: str, breach: Breach) -> str:
        return reasons.explain(position, action, breach)

    def play(self, position: Position, action: Action) -> Step[Position]:
        return moves.play(position, action)

    def change(self, position: Position, action: Action) -> Changes:
        return moves.change(position, action)

    def outcome(self, position: Position) -> Outcome | None:
        player = winner(position)
        return Outcome(player, say("all pawns have escaped")) if player else None

    def look(self, position: Position) -> Mapping[Place, Look]:
        return look(position)

    def looks(self, position: Position) -> tuple[Look, ...]:
        return (EMPTY, *PLAYERS)

    def path(self, action: Action) -> tuple[Place, ...]:
        return words.path(action)

    def read(self, position: Position, text: str) -> Action:
        return words.read(position, text)

    def attempts(self, position: Position, changed: Changes) -> Iterator[str]:
        return attempts.attempts(position, changed)

    def arrange(self, position: Position, looks: Mapping[Place, Look], turn: Player) -> Position:
        return arrange.arrange(position, looks, turn)

    def counts(self, position: Position) -> tuple[Count, ...]:
        total = [pawns.bit_count() for pawns in position.net.start]
        left = {player: position.pawns[seat].bit_count() for seat, player in enumerate(PLAYERS)}
        escaped = {player: total[seat] - left[player] for seat, player in enumerate(PLAYERS)}
        return (Count(say("escaped"), escaped, total[0]), Count(say("on the board"), left, total[0]))

    def prompt(self, position: Position) -> str:
        return words.prompt(position)

    def label(self, action: Action) -> str:
        return words.label(action)
