"""The rules of draughts, joined to the contract of a game. Numbers DR-n are those of the rulebook.

A camera tells white from black and nothing more: which pieces are kings follows from the game. An action is
a whole move: a capture with all of its jumps. Ways of capturing the same pieces from the same square to the
same square are one action.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from companion.core.board import Board
from companion.core.game import (
    EMPTY,
    Action,
    Breach,
    Changes,
    Count,
    Event,
    Look,
    Option,
    Outcome,
    Place,
    Player,
    Step,
)
from companion.core.rules import Rules
from companion.games.draughts import arrange, attempts, judge, moves, reasons, words
from companion.games.draughts.board import PLAYERS, VARIANTS
from companion.games.draughts.pdn import PDN
from companion.games.draughts.position import KINDS, Position, look, pieces, start
from companion.games.draws import CLAIMED, DRAWS
from companion.language import say


class Draughts(Rules[Position]):
    name = "draughts"
    title = say("Draughts")
    board = "draughts"
    options = (
        Option("variant", tuple(VARIANTS), "english", "which draughts", "{value}"),
        Option(
            "fen",
            (),
            "",
            "the position to begin from, as PDN has it: W:W21,22,K30:B1,2,K3",
            "from a given position",
        ),
        DRAWS,
    )
    alternates = True
    sentences = words.SENTENCES
    action_kinds = words.ACTION_KINDS
    notations = (PDN(),)

    def board_for(self, options: Mapping[str, str]) -> str:
        return VARIANTS[options["variant"]].board

    def players(self, position: Position) -> tuple[Player, ...]:
        return PLAYERS if position.variant.first == 0 else PLAYERS[::-1]

    def can_win(self, position: Position, player: Player) -> bool:
        return bool(position.pieces(PLAYERS.index(player)))

    def start(self, options: Mapping[str, str], board: Board) -> Position:
        variant = VARIANTS[options["variant"]]
        missing = variant.net.squares - set(board.sites)
        if missing:
            raise LookupError(f"it has no square {min(missing)}, which {variant.name} draughts needs")
        first = words.read_fen(variant, options["fen"]) if options["fen"] else start(variant, board)
        return replace(first, ends_drawn=options["draws"] != CLAIMED)

    def legal(self, position: Position) -> Iterator[Action]:
        return moves.legal(position)

    def judge(self, position: Position, action: str) -> tuple[Breach, ...]:
        return judge.judge(position, action)

    def explain(self, position: Position, action: str, breach: Breach) -> str:
        return reasons.explain(position, action, breach)

    def play(self, position: Position, action: Action) -> Step[Position]:
        return moves.play(position, action)

    def claim(self, position: Position) -> str:
        return moves.claim(position)

    def outcome(self, position: Position) -> Outcome | None:
        return moves.outcome(position)

    def look(self, position: Position) -> Mapping[Place, Look]:
        return look(position)

    def looks(self, position: Position) -> tuple[Look, ...]:
        return (EMPTY, *PLAYERS)

    def palette(self, position: Position) -> tuple[Look, ...]:
        return (EMPTY, *(f"{player}/{kind}" for player in PLAYERS for kind in KINDS))

    def pieces(self, position: Position) -> Mapping[Place, Look]:
        return pieces(position)

    def path(self, action: Action) -> tuple[Place, ...]:
        return words.path(action)

    def read(self, position: Position, text: str) -> Action:
        return words.read(position, text)

    def write(self, position: Position, action: Action) -> str:
        return words.write(position, action)

    def write_position(self, position: Position) -> str:
        return words.write_fen(position)

    def attempts(self, position: Position, changed: Changes) -> Iterator[str]:
        return attempts.attempts(position, changed)

    def change(self, position: Position, action: Action) -> Changes:
        return moves.change(position, action)

    def arrange(self, position: Position, looks: Mapping[Place, Look], turn: Player) -> Position:
        return arrange.arrange(position, looks, turn)

    def counts(self, position: Position) -> tuple[Count, ...]:
        sides = {player: position.pieces(PLAYERS.index(player)) for player in self.players(position)}
        kings = {player: (own & position.kings).bit_count() for player, own in sides.items()}
        pieces = {player: own.bit_count() for player, own in sides.items()}
        return (Count(say("pieces"), pieces, position.variant.men), Count(say("kings"), kings))

    def details(self, event: Event) -> Mapping[str, object]:
        return words.details(event)

    def prompt(self, position: Position) -> str:
        return words.prompt(position)
