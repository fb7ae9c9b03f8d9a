"""Games that boards have played, as far as results need them; the scores of the pairs that played them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from companion.record.head import PAIRING
from hall.archive.listing import GameRow
from hall.rounds.pairs import Pair, Score
from hall.rounds.publishing import digest, read_identity

SHORT = 2
"""The actions of a game in which each player has made a move: shorter ones are not rated."""


@dataclass(frozen=True, slots=True)
class Played:
    """A game: its head, its players in their order, and how it stands."""

    head: Mapping[str, str]
    players: tuple[str, ...]
    plies: int
    winner: str | None
    is_over: bool

    @property
    def score(self) -> Score:
        """Returns the score. A game that is won without an action is a forfeit: somebody did not come."""
        if not self.is_over or len(self.players) != 2:
            return Score.OPEN
        place = self.players.index(self.winner) if self.winner in self.players else 2
        if self.plies >= SHORT:
            return (Score.WIN, Score.LOSS, Score.DRAW)[place]
        if self.plies:
            return (Score.SHORT_WIN, Score.SHORT_LOSS, Score.SHORT_DRAW)[place]
        return (Score.FORFEIT_WIN, Score.FORFEIT_LOSS, Score.SHORT_DRAW)[place]

    @property
    def pair(self) -> Pair | None:
        """Returns who played, as the game's own head says it; None where that names no two, or no round."""
        first, second = (*(self.head.get(player, "") for player in self.players), "", "")[:2]
        number, board = self.head.get("round", ""), self.head.get("board", "")
        if not first or not second or not number.isdecimal():
            return None
        return Pair(
            board=int(board) if board.isdecimal() else 0,
            first=first,
            second=second,
            round=int(number),
            score=self.score,
            event=self.head.get("event", ""),
        )


def of_state(state: Mapping[str, Any]) -> Played | None:
    """Returns the game of a board's state; None where none is on. KeyError or TypeError for no state."""
    if not state.get("game"):
        return None
    last, outcome = state.get("last"), state.get("outcome")
    return Played(
        head=dict(state["head"]),
        players=tuple(state["game"]["players"]),
        plies=int(last["n"]) if last else 0,
        winner=outcome["winner"] if outcome else None,
        is_over=outcome is not None,
    )


def of_row(row: GameRow) -> Played:
    """Returns a game that an archive has."""
    return Played(row.head, row.seats, row.plies, row.winner, bool(row.reason))


def scored(pairs: Iterable[Pair], games: Iterable[Played], since: date) -> tuple[Pair, ...]:
    """Returns pairs with the scores of the games that were begun for them: of several the last one.

    Pairings that were published before the day `since` belong to an earlier tournament.
    """
    scores: dict[str, Score] = {}
    for game in games:
        identity = read_identity(game.head.get(PAIRING, ""))
        if identity and identity[1] >= since:
            scores[identity[0]] = game.score
    return tuple(
        replace(pair, score=scores.get(digest(pair), Score.OPEN)) if pair.is_due else pair for pair in pairs
    )
