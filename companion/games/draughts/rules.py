"""The rules of draughts, joined to the contract of a game. Numbers DR-n are those of the rulebook.

A camera tells white from black and nothing more: which pieces are kings follows from the game. An action is
a whole move: a capture with all of its jumps. Ways of capturing the same pieces from the same square to the
same square are one action.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.board import Board
from companion.core.game import EMPTY, Count, Look, Option, Player
from companion.core.rules import Rules
from companion.games.draughts import arrange, attempts, estimate, judge, moves, words
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

    legal = staticmethod(moves.legal)
    judge = staticmethod(judge.judge)
    play = staticmethod(moves.play)
    after = staticmethod(moves.after)
    claim = staticmethod(moves.claim)
    outcome = staticmethod(moves.outcome)
    look = staticmethod(look)
    pieces = staticmethod(pieces)
    path = staticmethod(words.path)
    read = staticmethod(words.read)
    write = staticmethod(words.write)
    write_position = staticmethod(words.write_fen)
    attempts = staticmethod(attempts.attempts)
    change = staticmethod(moves.change)
    stops = staticmethod(moves.stops)
    arrange = staticmethod(arrange.arrange)
    details = staticmethod(words.details)
    prompt = staticmethod(words.prompt)
    takes = staticmethod(estimate.takes)
    estimate = staticmethod(estimate.estimate)

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
        return first._replace(ends_drawn=options["draws"] != CLAIMED)

    def looks(self, position: Position) -> tuple[Look, ...]:
        return (EMPTY, *PLAYERS)

    def palette(self, position: Position) -> tuple[Look, ...]:
        return (EMPTY, *(f"{player}/{kind}" for player in PLAYERS for kind in KINDS))

    def counts(self, position: Position) -> tuple[Count, ...]:
        sides = {player: position.pieces(PLAYERS.index(player)) for player in self.players(position)}
        kings = {player: (own & position.kings).bit_count() for player, own in sides.items()}
        pieces = {player: own.bit_count() for player, own in sides.items()}
        return (Count(say("pieces"), pieces, position.variant.men), Count(say("kings"), kings))
