"""Draughts, joined to the contract of a game. Numbers DR-n are those of the rulebook.

A camera tells white from black and nothing more: which pieces are kings follows from the game. An action is
a whole move: a capture with all of its jumps. Ways of capturing the same pieces from the same square to the
same square are one action.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from companion.board import Board
from companion.core import (
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
    PositionError,
    Rules,
    Step,
)
from companion.games.draughts import judge as judging
from companion.games.draughts import moves, words
from companion.games.draughts.grid import PLAYERS, VARIANTS, Mask, members, passed
from companion.games.draughts.moves import KINDS
from companion.games.draughts.position import Position, with_limit


class Draughts(Rules[Position]):
    name = "draughts"
    title = "Draughts"
    board = "draughts"
    options = (
        Option("variant", tuple(VARIANTS), "english", "which draughts"),
        Option("fen", (), "", "where to begin: a position as PDN has it, W:W21,22,K30:B1,2,K3"),
    )
    alternates = True
    sentences: ClassVar[Mapping[str, str]] = {
        "moved": "{player} moves the {kind} from {start} to {end}.",
        "captured": "{player} captures {what} on {sites}.",
        "crowned": "{player} has a new king on {sites}.",
        "won": "{player} wins: {reason}.",
        "drawn": "The game is drawn: {reason}.",
    }

    def board_for(self, options: Mapping[str, str]) -> str:
        return VARIANTS[options["variant"]].board

    def players(self, position: Position) -> tuple[Player, ...]:
        return PLAYERS if position.variant.first == 0 else PLAYERS[::-1]

    def can_win(self, position: Position, player: Player) -> bool:
        return bool(position.pieces(PLAYERS.index(player)))

    def start(self, options: Mapping[str, str], board: Board) -> Position:
        variant = VARIANTS[options["variant"]]
        index = variant.grid.index
        missing = variant.grid.squares - set(board.sites)
        if missing:
            raise LookupError(f"it has no square {min(missing)}, which {variant.name} draughts needs")
        if options["fen"]:
            return words.read_fen(variant, options["fen"])
        white, black = (sum(1 << index[site] for site in board.areas[player]) for player in PLAYERS)
        return Position(variant, white, black, 0, variant.first)

    def legal(self, position: Position) -> Iterator[Action]:
        return moves.legal(position)

    def judge(self, position: Position, action: str) -> tuple[Breach, ...]:
        return judging.judge(position, action)

    def play(self, position: Position, action: Action) -> Step[Position]:
        return moves.play(position, action)

    def outcome(self, position: Position) -> Outcome | None:
        if reason := moves.loss_reason(position):
            return Outcome(PLAYERS[1 - position.seat], reason)
        reason = moves.draw_reason(position)
        return Outcome(None, reason) if reason else None

    def look(self, position: Position) -> Mapping[Place, Look]:
        names = position.variant.grid.names
        return {
            names[bit]: player
            for seat, player in enumerate(PLAYERS) for bit in members(position.pieces(seat))
        }

    def looks(self, position: Position) -> tuple[Look, ...]:
        return (EMPTY, *PLAYERS)

    def palette(self, position: Position) -> tuple[Look, ...]:
        return (EMPTY, *(f"{player}/{kind}" for player in PLAYERS for kind in KINDS))

    def pieces(self, position: Position) -> Mapping[Place, Look]:
        index, kings = position.variant.grid.index, position.kings
        return {
            site: f"{player}/{KINDS[kings >> index[site] & 1]}"
            for site, player in self.look(position).items()
        }

    def path(self, action: Action) -> tuple[Place, ...]:
        return tuple(action.replace("-", "x").split("x"))

    def read(self, position: Position, text: str) -> Action:
        """A move in numbers, `11-15`, or a capture that leaves out squares on which it lands."""
        return words.read(position, text)

    def attempts(self, position: Position, changed: Changes) -> Iterator[str]:
        return words.attempts(position, changed)

    def change(self, position: Position, action: Action) -> Changes:
        grid, own, theirs = position.variant.grid, position.turn, PLAYERS[1 - position.seat]
        route = moves.parse(grid, action)
        taken = passed(grid, route) & position.theirs
        changed = dict.fromkeys(grid.name(taken), (theirs, EMPTY))
        if route[0] != route[-1]:
            changed[grid.names[route[0]]] = (own, EMPTY)
            changed[grid.names[route[-1]]] = (EMPTY, own)
        return changed

    def arrange(self, position: Position, looks: Mapping[Place, Look], turn: Player) -> Position:
        if turn not in PLAYERS:
            raise PositionError(f"'{turn}' does not play draughts: the turn is white's or black's")
        white, black, kings = _read_looks(position, looks)
        arranged = Position(position.variant, white, black, kings, PLAYERS.index(turn))
        if arranged.key == position.key:
            return position
        if problem := words.problem_of(arranged):
            raise PositionError(problem)
        return with_limit(arranged)

    def counts(self, position: Position) -> tuple[Count, ...]:
        sides = {player: position.pieces(PLAYERS.index(player)) for player in self.players(position)}
        kings = {player: (own & position.kings).bit_count() for player, own in sides.items()}
        pieces = {player: own.bit_count() for player, own in sides.items()}
        return (Count("pieces", pieces, position.variant.men), Count("kings", kings))

    def prompt(self, position: Position) -> str:
        return "a capture must be made" if moves.can_capture(position) else "make a move"


def _read_looks(position: Position, looks: Mapping[Place, Look]) -> tuple[Mask, Mask, Mask]:
    """The pieces of White and of Black, and the kings: as said, else as they stood, else as those that went.

    A piece that comes to the row where men become kings is one.
    """
    index, sides, kings = position.variant.grid.index, [0, 0], 0
    unknown = [0, 0]
    for place, look in looks.items():
        owner, _, kind = look.partition("/")
        if look == EMPTY:
            continue
        if place not in index or owner not in PLAYERS or kind not in ("", *KINDS):
            raise PositionError(f"'{look}' on '{place}' is not a piece of draughts on a dark square")
        seat, bit = PLAYERS.index(owner), 1 << index[place]
        sides[seat] |= bit
        if kind == "king" or (not kind and bit & position.pieces(seat) & position.kings):
            kings |= bit
        elif not kind and not bit & position.pieces(seat):
            unknown[seat] |= bit
    for seat, newcomers in enumerate(unknown):
        kings |= newcomers & _kings_among(position, seat, sides[seat], newcomers)
    return sides[0], sides[1], kings


def _kings_among(position: Position, seat: int, pieces: Mask, newcomers: Mask) -> Mask:
    """Which newcomers of a side are kings: all or none, as those that went away, or those on the king row."""
    gone = position.pieces(seat) & ~pieces
    kings = gone & position.kings
    row = position.variant.grid.king_rows[seat]
    if newcomers & ~row and kings and kings != gone:
        raise PositionError("which pieces these are cannot be seen: name their kinds on the page")
    return newcomers if kings else newcomers & row
