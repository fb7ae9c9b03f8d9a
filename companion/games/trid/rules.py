"""The rules of TRID, joined to the contract of a game. Numbers TD-n are those of the rulebook."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

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
from companion.games.trid import arrange, attempts, judge, moves, reasons, words
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

    def players(self, position: Position) -> tuple[Player, ...]:
        return PLAYERS[: position.players]

    def playing(self, position: Position) -> tuple[Player, ...]:
        left = moves.alive(position.fields)
        return tuple(player for seat, player in enumerate(self.players(position)) if seat in left)

    def start(self, options: Mapping[str, str], board: Board) -> Position:
        return start(net_of(board), int(options["players"]))

    def legal(self, position: Position) -> Iterator[Action]:
        return moves.legal(position)

    def judge(self, position: Position, action: str) -> tuple[Breach, ...]:
        return judge.judge(position, action)

    def explain(self, position: Position, action: str, breach: Breach) -> str:
        return reasons.explain(position, action, breach)

    def play(self, position: Position, action: Action) -> Step[Position]:
        return moves.play(position, action)

    def outcome(self, position: Position) -> Outcome | None:
        return moves.outcome(position)

    def look(self, position: Position) -> Mapping[Place, Look]:
        return look(position)

    def looks(self, position: Position) -> tuple[Look, ...]:
        return (EMPTY, *(f"{player}/{kind}" for player in self.players(position) for kind in KINDS))

    def path(self, action: Action) -> tuple[Place, ...]:
        return words.path(action)

    def attempts(self, position: Position, changed: Changes) -> Iterator[str]:
        return attempts.attempts(position, changed)

    def arrange(self, position: Position, looks: Mapping[Place, Look], turn: Player) -> Position:
        return arrange.arrange(position, looks, turn)

    def counts(self, position: Position) -> tuple[Count, ...]:
        own = pawns(position.fields, position.players)
        total = max(len(start) for start in position.net.starts)
        return (Count(say("pawns"), {PLAYERS[seat]: len(fields) for seat, fields in enumerate(own)}, total),)

    def prompt(self, position: Position) -> str:
        return words.prompt(position)

    def label(self, action: Action) -> str:
        return words.label(action)
